#!/usr/bin/env bash
# An environment for AgileRL, which doesn't fit beside the other libraries: bash examples/09_agilerl_environment.sh [FOLDER]
# Without a GPU put a CPU build of PyTorch 2.13.0 where pip finds it first: the default build for Linux brings gigabytes.
set -euo pipefail
folder=${1:-.venv-agilerl}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python3 -m venv "$folder"
"$folder/bin/pip" install -q torch==2.13.0
"$folder/bin/pip" install -q torch==2.13.0 agilerl==2.58.0 peft==0.21.0 -e ".[test]" # AgileRL imports peft, but does not ask for it
