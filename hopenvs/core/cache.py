"""Compiled kernels on disk: Numba's cache, made quick to load from and safe from what may have happened to its files.

Numba keeps an index of each kernel (``.nbi``: which argument types lie in which file) and a file for each kind of
arguments (``.nbc``). That what is loaded is what its sources say, is the business of the name (`jit.fingerprint`);
here it is made sure that it is loaded as it was saved, and that a process without a place to keep it works as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import time
import warnings
from pathlib import Path
from typing import IO, Any

# mypy: disable-error-code="no-untyped-call"
from numba.core import caching, config
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def keep_on_disk(kernel: Any) -> None:
    """Have the code of a compiled function kept on disk, if there is a folder for it; else say so, once."""
    try:
        kernel._cache = cache = KernelCache(kernel.py_func)
    except RuntimeError:  # Numba's word for: no folder
        _warn("there is no folder that it may write to")
        return
    compile_it = kernel._compiler.compile

    def compile_in_turn(*types: Any) -> Any:
        try:
            return compile_it(*types)
        except BaseException:  # nothing will be saved
            cache.turn.end()
            raise

    kernel._compiler.compile = compile_in_turn


def _warn(why: str) -> None:
    warnings.warn(
        f"compiled code of hopenvs can't be kept, so that every process compiles it anew: {why} "
        "(NUMBA_CACHE_DIR may name a folder)",
        RuntimeWarning,
        stacklevel=1,  # the same place whichever kernel it is about: said once
    )


class _AlreadyFilled:
    """A folder that can only be read but holds this kernel: say, of an image in which the package was warmed up."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        """The locator, if there is such a folder."""
        self: Any = cls(py_func, py_file)  # type: ignore[call-arg]
        found = Path(self.get_cache_path()).glob(f"*.{py_func.__qualname__}-*.nbi")
        return self if any(found) else None


class _FilledBesideTheSource(_AlreadyFilled, caching.InTreeCacheLocator):
    pass


class _FilledWhereTheUserSays(_AlreadyFilled, caching.UserProvidedCacheLocator):
    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return super().from_function(py_func, py_file) if config.CACHE_DIR else None  # type: ignore[attr-defined]


class _Sealed(caching.CompileResultCacheImpl):
    """What is kept, with a hash: damaged machine code must not run."""

    _locator_classes = [  # noqa: RUF012
        caching.UserProvidedCacheLocator,
        _FilledWhereTheUserSays,
        caching.InTreeCacheLocator,
        _FilledBesideTheSource,
        *caching.CompileResultCacheImpl._locator_classes[2:],
    ]

    def reduce(self, cres: Any) -> tuple[bytes, bytes]:
        data = dumps(super().reduce(cres))
        return hashlib.sha256(data).digest(), data

    def rebuild(self, target_context: Any, payload: tuple[bytes, bytes]) -> Any:
        digest, data = payload
        if hashlib.sha256(data).digest() != digest:
            raise ValueError("a file of the cache is damaged")
        return super().rebuild(target_context, pickle.loads(data))


class Turn:
    """Of the processes that find a kernel missing, one compiles it, and the others wait for it to be there.

    They don't wait for ever: whoever has waited `PATIENCE` seconds compiles, too. Where files can't be locked nobody
    waits; nothing but time is lost.

    Args:
        path: of a file that may be made and locked.
    """

    PATIENCE, GLANCE = 120, 0.05

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def take(self) -> None:
        """Wait for one's turn."""
        if fcntl is None or self._file is not None:
            return
        until = time.monotonic() + self.PATIENCE
        try:
            file = self._path.open("wb")
        except OSError:
            return
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < until:
                    time.sleep(self.GLANCE)
                    continue
            except OSError:
                pass
            self._file = file
            return

    def end(self) -> None:
        """The next one's turn; the end of a process ends its turn as well."""
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            self._path.unlink()
        fcntl.flock(self._file, fcntl.LOCK_UN)  # a child that was forked meanwhile would hold on to it
        self._file.close()
        self._file = None


class KernelCache(caching.FunctionCache):
    """The cache of one kernel, as its dispatcher uses it."""

    _impl_class = _Sealed

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self.turn = Turn(Path(self.cache_path, f"{self._impl.filename_base}.lock"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for these argument types; None if nothing was, or if it is damaged: to be compiled now."""
        found = self._read(sig, target_context)
        if found is None:
            self.turn.take()
            try:
                found = self._read(sig, target_context)  # it may have come meanwhile
            except BaseException:
                self.turn.end()
                raise
        if found is not None:
            self.turn.end()
        return found

    def _read(self, sig: Any, target_context: Any) -> Any:
        """Numba itself first gets ready to compile, which takes longer than all else of a warm start."""
        rtsys.initialize(target_context)  # defines what compiled code calls
        load = getattr(self, "_load_overload", super().load_overload)  # another Numba: right as well, only slower
        try:
            found = load(sig, target_context)
        except Exception:  # whatever unpickling makes of bytes that nobody wrote
            try:
                self.flush()
            except OSError:
                self.disable()  # what can't be mended can't be added to either
            return None
        # Processes that fill an index at the same time may both have taken the same file.
        return found if found is not None and found.signature.args == tuple(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled; a full disk or a folder that has gone is no reason to stop."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn(str(error))
        finally:
            self.turn.end()
