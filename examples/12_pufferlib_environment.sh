#!/usr/bin/env bash
# An environment for PufferLib, which doesn't fit beside the other libraries: bash examples/12_pufferlib_environment.sh [FOLDER]
# It takes a C++ compiler and Python's headers: PufferLib 3.0.0 is published as source alone. What is built here runs on
# the CPU. Without a GPU put a CPU build of PyTorch 2.13.0 where pip finds it first: the default build for Linux brings
# gigabytes.
set -euo pipefail
folder=${1:-.venv-pufferlib}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python3 -m venv "$folder"
pip=("$folder/bin/pip" install -q)
"${pip[@]}" torch==2.13.0

# PufferLib's own pins for what it shares with hopenvs (NumPy before 2, Gymnasium before 1), and of its other
# dependencies those that training imports: heavyball, neptune, wandb, imageio, pynvml and shimmy can be left out.
# hopenvs asks for newer ones, so it comes without its dependencies (below): its games and their core play the same on
# these to the bit, but what `hopenvs.make` and its kin give doesn't work here.
"${pip[@]}" torch==2.13.0 numpy==1.26.4 gym==0.23.0 gymnasium==0.29.1 pettingzoo==1.24.1 numba==0.68.1 \
  psutil==7.2.2 pyro-ppl==1.9.2 rich==15.0.0 rich-argparse==1.8.0 \
  hypothesis==6.170.17 pytest==9.2.0 pytest-timeout==2.4.0 pytest-xdist==3.8.0 setuptools==84.2.1 ninja==1.13.2

# PufferLib's setup.py would download raylib and Box2D for its own games. NO_OCEAN=1 leaves those out, but then the name
# `c_extension_paths` is read without having been given a value, so Python gets it as a built-in one. And an `nvcc` that
# happens to be there would have it build for CUDA, which a CPU build of PyTorch can't.
patch=$(mktemp -d)
trap 'rm -r "$patch"' EXIT
cat >"$patch/sitecustomize.py" <<'EOF'
import builtins
import shutil

builtins.c_extension_paths = []
which = shutil.which
shutil.which = lambda name, *arguments, **keywords: None if name == "nvcc" else which(name, *arguments, **keywords)
EOF
# Built against this PyTorch, hence without isolation, and not out of a cache, where it may be of another.
NO_OCEAN=1 PYTHONPATH=$patch "${pip[@]}" --no-deps --no-build-isolation --no-cache-dir --no-binary pufferlib pufferlib==3.0.0
"${pip[@]}" --no-deps -e .
