"""Records seen through memoryviews: how rules run, and how people read records, in plain Python.

Reads give Python ints (no int8 overflow), stores that do not fit raise, indices out of range raise, and there is no
NumPy scalar anywhere: the strictest back end, and about twenty times faster than `np.record`.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np


class PlainRecord:
    """Base of the generated classes: one attribute a field, over the bytes of one record."""

    __slots__ = ()


@functools.cache
def record_class(dtype: np.dtype) -> type[PlainRecord]:
    """The class for records of `dtype` (aligned; fields are numbers, arrays of numbers, or records)."""
    slots: list[str] = ["_buffer"]
    arrays: list[tuple[str, str, tuple[int, ...], int, int]] = []
    nested: list[tuple[str, np.dtype, tuple[int, ...], int]] = []
    views: dict[str, str] = {}
    members: dict[str, Any] = {}
    for name in dtype.names or ():
        field, offset = dtype.fields[name][:2]  # type: ignore[index]
        base, shape = field.subdtype or (field, ())
        if base.names:
            nested.append((name, base, shape, offset))
            slots.append(name)
        elif shape:
            arrays.append((name, base.char, shape, offset, field.itemsize))
            slots.append(name)
        else:
            if offset % base.itemsize:
                raise TypeError(f"field {name} is not aligned: build the dtype with align=True")
            view = f"_as_{base.name}"
            views[view] = base.char
            members[name] = _scalar_field(view, offset // base.itemsize)
    slots += list(views)

    def init(self: Any, buffer: memoryview) -> None:
        size = len(buffer)
        object.__setattr__(self, "_buffer", buffer)
        for name, char, shape, offset, length in arrays:
            object.__setattr__(self, name, _cast(buffer[offset : offset + length], char, shape))
        for view, char in views.items():
            width = np.dtype(char).itemsize
            object.__setattr__(self, view, _cast(buffer[: size // width * width], char, (size // width,)))
        for name, base, shape, offset in nested:
            cls, step = record_class(base), base.itemsize
            rows = [cls(buffer[offset + i * step : offset + (i + 1) * step]) for i in range(math.prod(shape))]  # type: ignore[call-arg]
            object.__setattr__(self, name, rows if shape else rows[0])

    members |= {"__slots__": slots, "__init__": init}
    return type("Record", (PlainRecord,), members)


def _cast(data: memoryview, char: str, shape: tuple[int, ...]) -> memoryview:
    """Bytes as an array of numbers of a NumPy type character, which `memoryview.cast` knows by the same letter."""
    return data.cast(char, shape=list(shape))  # type: ignore[call-overload]


def _scalar_field(view: str, index: int) -> property:
    """A property over item `index` of a memoryview attribute, written out so that it costs one look-up."""
    scope: dict[str, Any] = {}
    source = f"def get(self): return self.{view}[{index}]\ndef put(self, value): self.{view}[{index}] = value\n"
    exec(source, scope)
    return property(scope["get"], scope["put"])


class PlainRecords:
    """A structured array [N] as a sequence of plain records; assigning a row copies its bytes."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        cls, size = record_class(array.dtype), array.dtype.itemsize
        data = array.view(np.uint8).data.cast("B") if len(array) else memoryview(b"")
        self._bytes = [data[i * size : (i + 1) * size] for i in range(len(array))]
        self._records = [cls(row) for row in self._bytes]  # type: ignore[call-arg]

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, i: int) -> Any:
        return self._records[i]

    def __setitem__(self, i: int, record: Any) -> None:
        self._bytes[i][:] = record._buffer


class PlainRows:
    """A plain array: full indices give numbers, one index short gives a memoryview row, `rows[i] = x` fills."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self._cells = array.data
        self._depth = array.ndim
        self._rows = self._split(array) if array.ndim > 1 else []

    def _split(self, array: np.ndarray) -> list[Any]:
        return [row.data if row.ndim == 1 else self._split(row) for row in array]

    def __len__(self) -> int:
        return len(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        """The array's shape."""
        return self.array.shape

    def __getitem__(self, index: Any) -> Any:
        if self._depth == 1 or (type(index) is tuple and len(index) == self._depth):
            return self._cells[index]
        if type(index) is tuple:
            row: Any = self._rows
            for i in index:
                row = row[i]
            return row
        return self._rows[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        if self._depth == 1 or (type(index) is tuple and len(index) == self._depth):
            self._cells[index] = value
        else:
            self.array[index] = value


def copy_of(record: Any) -> Any:
    """A plain record with bytes of its own: what happens to it happens to nothing else."""
    return type(record)(memoryview(bytearray(record._buffer)))


def wrap(array: np.ndarray) -> Any:
    """The array as plain-mode rules see it."""
    return PlainRecords(array) if array.dtype.names else PlainRows(array)
