"""Sets as bits, and the choice of a cell of a mask: compiled code against what plain Python says."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

import numpy as np
import pytest

from hopenvs.agents.uniform import uniform_actions
from hopenvs.core import bits, plain, rng
from hopenvs.core.choice import pick
from hopenvs.core.jit import BACKEND, instantiate, plain_twin

ROWS = 40


def look(row, powers, found):
    """Every function of `bits` on all cells of `powers`, and on the blocks of `row`."""
    for k in range(len(powers)):
        found[0, k] = bit_number(lowest_bit(powers[k]))
        found[1, k] = count_bits(powers[k])
    for start in range(len(row) - BLOCK + 1):
        found[2, start] = nonzero_cells(row, start)


def test_bits_are_found_and_counted():
    names = {f.__name__: f for f in (bits.lowest_bit, bits.bit_number, bits.count_bits, bits.nonzero_cells)}
    compiled = instantiate(look, names | {"BLOCK": bits.BLOCK}, "look", entry=True)
    generator = np.random.default_rng(1)
    sets = generator.integers(1, 2**bits.MAX_BITS, 200)
    sets[:3] = 1, 2 ** (bits.MAX_BITS - 1), 2**bits.MAX_BITS - 1
    row = generator.choice(np.array([0, 0, 1, 2, -1, -128], np.int8), 150)
    found = np.zeros((3, len(sets)), np.int64)
    compiled(*(map(plain.wrap, (row, sets, found)) if BACKEND == "plain" else (row, sets, found)))
    assert found[0].tolist() == [f"{bits_of:b}"[::-1].index("1") for bits_of in sets.tolist()]
    assert found[1].tolist() == [f"{bits_of:b}".count("1") for bits_of in sets.tolist()]
    spelled = "".join("01"[cell] for cell in (row != 0).astype(int)[::-1])
    starts = range(len(row) - bits.BLOCK + 1)
    assert found[2, : len(starts)].tolist() == [(int(spelled, 2) >> start) % 2**bits.BLOCK for start in starts]


@pytest.mark.parametrize("share", [0.02, 0.3, 1])
def test_the_compiled_choice_is_the_plain_one(share):
    generator = np.random.default_rng(2)
    for cells in (*range(1, 100), 245, 1441):
        masks = np.where(generator.random((ROWS, cells)) < share, generator.choice([1, 2, -1], (ROWS, cells)), 0)
        masks = masks.astype(np.int8)
        masks[0] = 0
        masks[1:3] = 0
        masks[1, 0] = masks[2, -1] = 1
        streams = np.stack([rng.generator(row, rng.PLAYOUT) for row in range(ROWS)])
        copied = streams.copy()
        actions = uniform_actions(masks, streams)
        assert actions.tolist() == [plain_twin(pick)(masks[row].data, copied[row].data) for row in range(ROWS)]
        assert (streams == copied).all()
        assert actions[0] == -1
        assert masks[np.arange(1, ROWS), actions[1:]].astype(bool).tolist() == masks[1:].any(axis=1).tolist()


def test_every_cell_is_as_likely():
    legal = np.array([0, 31, 32, 40, 63, 64, 69])  # in all parts of a row: blocks and what is left behind them
    mask = np.zeros((1, 70), np.int8)
    mask[0, legal] = 1
    draws = 7000
    streams = np.stack([rng.generator(row, rng.PLAYOUT) for row in range(draws)])
    cells, counts = np.unique(uniform_actions(np.repeat(mask, draws, axis=0), streams), return_counts=True)
    assert cells.tolist() == legal.tolist()
    assert ((counts - draws / 7) ** 2 / (draws / 7)).sum() < 22.5  # chi-square, 6 degrees of freedom: p = 0.001
