"""`hopenvs clear-cache`: the compiled kernels of hopenvs removed, and nothing else."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from hopenvs.cli import cold, terminal
from hopenvs.core.errors import OptionError

EXAMPLES = ("hopenvs clear-cache", "hopenvs clear-cache --yes")

# As Numba names index and data of a kernel: MODULE.QUALNAME-LINE.pyVERSION.nbi, .NUMBER.nbc, and both while written.
OWN = re.compile(r"\w+\.hopenvs_\w+-\d+\.py\d+\w*\.(nbi|\d+\.nbc)(\.tmp\.\w+)?")


def command(yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False) -> None:
    """Remove the compiled kernels.

    They are compiled again when needed. Never needed for correctness: kernels are kept under a hash of all their
    sources, so that an edited rule compiles anew. Files of other packages stay. The folders are those that Numba uses
    now (see NUMBA_CACHE_DIR).
    """
    from hopenvs.core import jit

    if jit.BACKEND == "plain":
        terminal.remark("plain Python serves as the back end: nothing is compiled or kept")
        return
    folders = kernel_folders()
    if not folders:
        terminal.remark("Numba keeps nothing on disk here")
        return
    files = [file for folder in folders for file in own_files(folder)]
    size = sum(file.stat().st_size for file in files)
    what = f"{len(files)} files ({size:,} bytes)"
    where = " and ".join(map(str, folders))
    if files and not yes:
        if not terminal.is_terminal(sys.stdin):
            raise OptionError(f"{what} in {where} would be removed: expected --yes, as nobody can be asked")
        typer.confirm(f"Remove {what} in {where}?", abort=True, err=True)
    for file in files:
        file.unlink(missing_ok=True)  # another process may clear too
    print(f"removed {what} from {where}")


def kernel_folders() -> list[Path]:
    """Where Numba keeps the kernels: a folder for every package that makes some (asked of one that needs no game)."""
    from hopenvs.agents import draws
    from hopenvs.core.kernels import uniform_kernel
    from hopenvs.solve import values_kernel

    kernels = (uniform_kernel(), draws.words_kernel(), values_kernel.sweep_kernel())
    folders = (cold.cache_folder(kernel) for kernel in kernels)
    return list(dict.fromkeys(folder for folder in folders if folder is not None))


def own_files(folder: Path) -> list[Path]:
    """The files in `folder` that Numba wrote for hopenvs."""
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if OWN.fullmatch(file.name) and not file.is_dir())
