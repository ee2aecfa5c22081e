"""The numbered examples as the tests run them: imported, or as programs."""

import contextlib
import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name, *arguments, **constants):
    """What an example's main prints as its last line, read from JSON; runs in this process, with other constants."""
    printed = io.StringIO()
    main = runpy.run_path(str(EXAMPLES / name), run_name="example")["main"]
    main.__globals__.update(constants)
    with contextlib.redirect_stdout(printed):
        main([str(argument) for argument in arguments])
    return json.loads(printed.getvalue().splitlines()[-1])


def run_as_program(name, *arguments):
    """The same in a process of its own."""
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(EXAMPLES.parent), *sys.path])}
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return json.loads(printed.splitlines()[-1])
