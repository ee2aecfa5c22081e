"""Indices in compiled rules are taken as they are; in functions of others negative ones count from the end as ever."""

import types

import numpy as np
import pytest

from tests.core.conftest import needs_numba

pytestmark = needs_numba


def take(table, k):
    return table[k]


def compiled(module):
    """`take`, compiled as a function of a module."""
    from numba import njit

    import hopenvs.core.jit  # noqa: F401

    fn = types.FunctionType(take.__code__, {"__name__": module}, "take")
    fn.__module__ = module
    return njit(fn)


def comparisons(module):
    """How many there are in the code before it is optimised."""
    function = compiled(module)
    function.compile("int8(int8[::1], int64)")
    return function.inspect_llvm(function.signatures[0]).count("icmp slt")


@pytest.mark.parametrize("module", ["hopenvs.games.hooop.rules", "hopenvs.core.kernels"])
def test_this_package_compares_no_index_with_zero(module):
    assert compiled(module)(np.arange(5, dtype=np.int8), 3) == 3
    assert comparisons(module) < comparisons("elsewhere")


@pytest.mark.parametrize("module", ["elsewhere", "my.hopenvs", "hopenvs_of_mine", "xhopenvs"])
def test_functions_of_others_count_from_the_end(module):
    assert compiled(module)(np.arange(5, dtype=np.int8), -1) == 4
