"""The back-end switch: one decorator for rules, and the fingerprint under which compiled kernels are cached.

Two back ends run the same source:

* ``numba`` (the default where Numba is installed): rules are compiled inside the kernels that call them;
* ``plain``: the same functions run as Python over memoryviews (``core/plain.py``), slow and strict.

``HOPENVS_BACKEND=plain`` or ``NUMBA_DISABLE_JIT=1`` choose the plain back end.

Numba's disk cache looks at the file of the cached function alone, not at what it calls: an edited rule would keep
running in its old form. So kernels are cached under a name that holds a `fingerprint` of everything they reach:
the byte code, constants and global values of every function in the call tree, wherever its file lies.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import os
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from hopenvs.core.errors import OptionError

F = TypeVar("F", bound=Callable[..., Any])

BACKENDS = ("numba", "plain")

_NUMBA_SETTINGS_WITHOUT_EFFECT_ON_CODE = ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_DEBUG_CACHE")


def _choose_backend() -> str:
    asked = os.environ.get("HOPENVS_BACKEND")
    if asked is not None and asked not in BACKENDS:
        raise OptionError(f"HOPENVS_BACKEND={asked!r}: expected one of {', '.join(BACKENDS)}")
    if asked == "plain" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "plain"
    try:
        import numba  # noqa: F401
    except ImportError:
        if asked == "numba":
            raise
        warnings.warn(
            "Numba is not installed: hopenvs runs in plain Python, about 50 times slower (pip install numba)",
            RuntimeWarning,
            stacklevel=2,
        )
        return "plain"
    return "numba"


BACKEND = _choose_backend()

if BACKEND == "numba":
    from numba import njit

    from hopenvs.core.cache import keep_on_disk

# Part of every fingerprint: raised when compiled code of before must not be loaded any more.
_CACHE_VERSION = 4


def _name_records_by_content() -> None:
    """Have Numba name what it compiles for a kind of record by that record's fields.

    Numba names compiled functions by the types of their arguments, and a record type by a number that is counted in the
    process. Two kinds of record, each the first of a process, have the same number: code compiled in both processes
    and loaded together from the cache then bears the same names, and one runs in place of the other on records of
    the wrong layout.
    """
    from numba.core import types as numba_types

    def mangling_args(self: Any) -> tuple[str, tuple[int, ...]]:
        return type(self).__name__, (int(hashlib.sha256(self.name.encode()).hexdigest()[:15], 16),)

    numba_types.Record.mangling_args = property(mangling_args)  # type: ignore[method-assign,assignment]


def _index_from_the_front() -> None:
    """Have Numba take the indices in this package's functions as they are: none is negative.

    Counting a negative index from the end costs a comparison at each access and keeps loops over a mask or an
    observation from being done by vectors of cells. With NUMBA_BOUNDSCHECK=1 a negative index is out of bounds.
    """
    from numba.core import types as numba_types
    from numba.np import arrayobj

    original: Any = getattr(arrayobj, "fix_integer_index", None)
    if original is None:  # another Numba: right as well, only slower
        return

    def fix_integer_index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
        if idxty.signed and builder.function.name.startswith("_ZN7hopenvs"):
            return context.cast(builder, idx, idxty, numba_types.intp)
        return original(context, builder, idxty, idx, size)

    arrayobj.fix_integer_index = fix_integer_index


if BACKEND == "numba":
    _name_records_by_content()
    _index_from_the_front()

# Rules are called by kernels alone: without the wrappers for callers from Python and C they compile faster.
_RULE: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_ENTRY: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def rule(fn: F) -> F:
    """Mark a function of the rules: compiled inside the kernels that use it, never cached on its own."""
    if BACKEND == "plain":
        fn.is_rule = True  # type: ignore[attr-defined]
        return fn
    return _widened(njit(fn, **_RULE))


def _widened(dispatcher: Any) -> Any:
    """Let a compiled function take every integer as int64.

    Numba compiles a function anew for int8, int32 and each literal it is called with. Records hold small integers, so
    that would triple the time to compile; widened when passed, each rule is compiled once.
    """
    from numba import types as numba_types

    if not hasattr(dispatcher, "get_call_template"):  # another Numba: right as well, only slower to compile
        return dispatcher
    original = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        wide = [
            numba_types.int64 if isinstance(a, (numba_types.Integer, numba_types.IntegerLiteral)) else a for a in args
        ]
        return original(tuple(wide), kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def python_source(fn: Any) -> types.FunctionType:
    """The Python function behind a rule, in either back end."""
    return getattr(fn, "py_func", fn)


def plain_twin(fn: F) -> F:
    """The same rule as plain Python, callees included, for memoryview records (positions, names, drawings).

    NumPy arrays that it uses as tables become memoryviews: items are Python ints, which no shift or sum overflows.
    """
    if fn not in _twins:
        _twins[fn] = _twin(fn, {})
    return _twins[fn]


_twins: dict[Any, Any] = {}  # what `plain_twin` has made, by the rule it was made of


def _is_rule(value: Any) -> bool:
    return hasattr(value, "py_func") or getattr(value, "is_rule", False) is True


def _twin(fn: Any, made: dict[int, types.FunctionType]) -> Any:
    if not _is_rule(fn):
        return fn
    source = python_source(fn)
    if id(source) not in made:
        names = dict(source.__globals__)
        twin = types.FunctionType(source.__code__, names, source.__name__, source.__defaults__, source.__closure__)
        made[id(source)] = twin
        for name in source.__code__.co_names:
            value = names.get(name)
            if isinstance(value, np.ndarray) and value.ndim and not value.dtype.names:
                names[name] = np.ascontiguousarray(value).data
            elif _is_rule(value):
                names[name] = _twin(value, made)
    return made[id(source)]


def instantiate(
    template: Callable[..., Any], names: dict[str, Any], label: str, *, entry: bool, inline: bool = False
) -> Any:  # fmt: skip
    """A template as a function of its own whose free names are looked up in `names`; compiled where Numba is there.

    Args:
        template: a function of ``core/kernels.py`` or the like; only its code is used.
        names: the functions and constants its free names stand for.
        label: what the compiled function is cached under, before its fingerprint.
        entry: it is called from Python; its compiled code is kept on disk (unless something it reaches has no
            fingerprint).
        inline: where it is called its code is put in before anything is compiled: a part with a single caller costs a
            sixth less time to compile so.
    """
    if BACKEND == "plain":
        names = {name: plain_twin(value) if _is_rule(value) else value for name, value in names.items()}
    code = template.__code__
    fn = types.FunctionType(code, {"__builtins__": __builtins__, "__name__": template.__module__, **names}, label)
    fn.__module__ = template.__module__
    if BACKEND == "plain":
        return fn
    digest, cache = None, entry
    if entry:
        try:
            digest = fingerprint(fn)
        except TypeError:  # something without a stable content: compile afresh in every process, rather than be wrong
            cache = False
    fn.__qualname__ = f"hopenvs_{label}_{digest or 'uncached'}"
    if not entry:
        return _widened(njit(fn, **_RULE, inline="always" if inline else "never"))
    kernel = njit(fn, **_ENTRY)
    if cache:
        keep_on_disk(kernel)
    return kernel


def entry_point(kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A kernel for arguments of just these types, to be called with such arguments only.

    Numba looks up the types of all arguments at every call, which takes longer than a small kernel: here once for all.
    """
    if BACKEND == "plain":
        return kernel
    import numba

    return kernel.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[no-untyped-call]


def fingerprint(*functions: Any) -> str:
    """A hash of all that decides what the compiled functions do; equal in every process on the same kind of processor.

    Raises:
        TypeError: if a function reaches a value that has no stable content.
    """
    digest = hashlib.sha256()
    settings = sorted(
        (k, v)
        for k, v in os.environ.items()
        if k.startswith("NUMBA_") and k not in _NUMBA_SETTINGS_WITHOUT_EFFECT_ON_CODE
    )
    digest.update(repr((_CACHE_VERSION, _compiler(), settings, _RULE, _ENTRY)).encode())
    for part in _content(functions, {}):
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def _compiler() -> tuple[Any, ...]:
    """The versions that code is compiled by, and the processor that it is compiled for."""
    import llvmlite
    import numba
    from numba.core.registry import cpu_target

    processor = cpu_target.target_context.codegen().magic_tuple()
    return numba.__version__, llvmlite.__version__, np.__version__, processor


def _content(value: Any, seen: dict[int, int]) -> Iterator[str | bytes]:
    """The parts of the hash; `seen`: the functions met so far, numbered."""
    if hasattr(value, "py_func"):
        yield repr(sorted(value.targetoptions.items()))
        value = value.py_func
    if isinstance(value, types.FunctionType):
        if id(value) in seen:
            yield f"function {seen[id(value)]}"  # said again, as it matters which one a name stands for
        else:
            seen[id(value)] = len(seen)
            yield from _function_content(value, seen)
    elif isinstance(value, (bool, int, float, str, bytes, type(None), np.generic)):
        yield repr(value)
    elif isinstance(value, (tuple, list)):
        yield repr((type(value).__name__, len(value), getattr(value, "_fields", None)))
        for item in value:
            yield from _content(item, seen)
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}"
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, type) and issubclass(value, enum.Enum):
        yield repr([(m.name, m.value) for m in value])
    elif isinstance(value, (type, np.dtype)):
        yield repr((value, getattr(value, "_fields", None)))
    elif isinstance(value, types.BuiltinFunctionType) and isinstance(value.__self__, (types.ModuleType, type(None))):
        yield repr((value.__module__, value.__qualname__))
    else:
        raise TypeError(f"no stable content in {value!r}")


def _function_content(fn: types.FunctionType, seen: dict[int, int]) -> Iterator[str | bytes]:
    yield f"{fn.__module__}.{fn.__name__}"  # compiled code refers to its modules by name
    yield repr((fn.__defaults__, fn.__kwdefaults__))
    names: set[str] = set()
    yield from _code_content(fn.__code__, names)
    for cell in fn.__closure__ or ():
        yield from _content(cell.cell_contents, seen)
    yield from _named_content(fn.__globals__, names, seen, set())


def _named_content(
    scope: dict[str, Any], names: set[str], seen: dict[int, int], modules: set[int]
) -> Iterator[str | bytes]:
    """What the names in a function's code stand for: `board.PITS` holds both `board` and `PITS`."""
    for name in sorted(names & scope.keys()):
        value = scope[name]
        yield name
        if not isinstance(value, types.ModuleType):
            yield from _content(value, seen)
        elif id(value) not in modules:
            modules.add(id(value))
            yield value.__name__
            yield from _named_content(vars(value), names, seen, modules)


def _code_content(code: types.CodeType, names: set[str]) -> Iterator[str | bytes]:
    names.update(code.co_names)
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_flags))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code_content(constant, names)
        else:
            yield repr(constant)
