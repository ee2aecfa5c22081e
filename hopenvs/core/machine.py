"""What a processor does in one instruction, and Numba has no word for: what `bits.py` and `waiting.py` do, compiled.

Kernels are cached under what their functions say, and this file isn't among these: whoever changes what is emitted here
raises `_CACHE_VERSION` in `core/jit.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

INT64, CELL = ir.IntType(64), ir.IntType(8)


@intrinsic
def _bit_number(typing_context: Any, power: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))  # 1: what is never asked for is 0

    return types.int64(types.int64), emit


@intrinsic
def _count_bits(typing_context: Any, bits: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), emit


def _nonzero_cells(block: int) -> Any:
    cells = ir.VectorType(CELL, block)

    @intrinsic
    def compare(typing_context: Any, row: Any, start: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(row)(context, builder, arguments[0]).data
            first = builder.gep(builder.bitcast(data, CELL.as_pointer()), [arguments[1]])
            loaded = builder.load(builder.bitcast(first, cells.as_pointer()), align=1)
            nonzero = builder.icmp_unsigned("!=", loaded, ir.Constant(cells, None))
            return builder.zext(builder.bitcast(nonzero, ir.IntType(block)), INT64)

        return types.int64(row, types.int64), emit

    return compare


@intrinsic
def _load(typing_context: Any, cells: Any, k: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(cells)(context, builder, arguments[0]).data
        return builder.load_atomic(builder.gep(data, [arguments[1]]), "acquire", 8)

    return types.int64(cells, types.int64), emit


@intrinsic
def _relax(typing_context: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if builder.module.triple.startswith(("x86", "i686")):
            pause = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), pause), [])
        return context.get_dummy_value()

    return types.void(), emit


def compile_waiting(load: Callable[[Any, int], int], relax: Callable[[], None]) -> None:
    """Have compiled code that calls one of these functions run instructions in its place.

    Args:
        load: an int64 of an array, as other threads have left it.
        relax: tell the processor that this is a loop that waits.
    """

    @overload(load, strict=False)
    def _(cells: Any, k: Any) -> Any:
        return lambda cells, k: _load(cells, k)  # type: ignore[call-arg]

    @overload(relax)
    def _() -> Any:
        return lambda: _relax()  # type: ignore[call-arg]


def compile_bits(
    bit_number: Callable[[int], int],
    count_bits: Callable[[int], int],
    nonzero_cells: Callable[[Any, int], int],
    block: int,
) -> None:
    """Have compiled code that calls one of these functions run instructions in its place.

    Args:
        bit_number: the k of 2**k.
        count_bits: how many bits are 1.
        nonzero_cells: which cells among `block` of an array from an index on aren't 0, as bits.
        block: a power of 2, 8 to 32.
    """
    compare = _nonzero_cells(block)

    def is_integer(given: Any) -> bool:
        return isinstance(given, (types.Integer, types.IntegerLiteral))

    @overload(bit_number, strict=False)  # the lambdas bear no annotations, and need not
    def _(power: Any) -> Any:
        return (lambda power: _bit_number(power)) if is_integer(power) else None  # type: ignore[call-arg]

    @overload(count_bits, strict=False)
    def _(bits: Any) -> Any:
        return (lambda bits: _count_bits(bits)) if is_integer(bits) else None  # type: ignore[call-arg]

    @overload(nonzero_cells, strict=False)
    def _(row: Any, start: Any) -> Any:
        in_one_piece = isinstance(row, types.Array) and row.ndim == 1 and row.layout == "C" and row.dtype == types.int8
        return (lambda row, start: compare(row, start)) if in_one_piece and is_integer(start) else None
