"""The one wait that should be announced: a game's rules compile when they first run on a machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopenvs.cli import terminal

if TYPE_CHECKING:
    from hopenvs.core.game import Game


def announce(game: Game) -> None:
    """Say on stderr that `game` is about to be compiled, if it is."""
    from hopenvs.core.kernels import kernels_of

    kernel = kernels_of(game).step_range  # the largest: if it is there, so are the others, or they're soon made
    if is_compiled(kernel):
        return
    if cache_folder(kernel) is None:
        terminal.remark(f"Compiling {game.ID} (its code can't be kept: up to half a minute every time) ...")
    else:
        terminal.remark(f"Compiling {game.ID} for this machine (once, up to half a minute) ...")


def is_compiled(kernel: Any) -> bool:
    """Whether a kernel needs no compiling: it has been used in this process, is cached, or is plain Python."""
    from hopenvs.core.kernels import kernel_name

    if not hasattr(kernel, "py_func") or kernel.signatures:
        return True
    folder = cache_folder(kernel)
    # Numba's index of a kernel's compiled versions; the name holds the fingerprint of all that the kernel reaches
    return folder is not None and any(folder.glob(f"*.{kernel_name(kernel)}-*.nbi"))


def cache_folder(kernel: Any) -> Path | None:
    """Where Numba keeps a kernel's compiled code; None if it keeps none."""
    path = kernel.stats.cache_path if hasattr(kernel, "stats") else None
    return Path(path) if path is not None else None
