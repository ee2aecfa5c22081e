"""The generator: sfc32 as published, Lemire's bounded integers without bias, streams that keep apart."""

import itertools

import numpy as np
import pytest

from hopenvs.core import jit, rng
from hopenvs.core.jit import plain_twin
from hopenvs.core.rng import WORD, below, check_seed, fresh_seed, generator, next_word
from tests.core.conftest import needs_numba

next_word_plainly, below_plainly = plain_twin(next_word), plain_twin(below)


def sfc32(a, b, c, rounds=15):
    """PractRand's sfc32, seeded with three words: an endless sequence, written from its description."""
    counter = 1
    for i in itertools.count():
        total = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ b >> 9
        b = (c + c * 8) % 2**32
        rotated = c << 21 | c >> 11
        c = (rotated + total) % 2**32
        if i >= rounds:
            yield total


def words(seed, stream, count):
    row = generator(seed, stream)
    return [next_word_plainly(row.data) for _ in range(count)]


def test_the_words_are_those_of_practrands_own_program():
    # seeded with the words 0, 2, 1 and with 0, 0, 0
    assert words(2 << 32, 1, 4) == [0x03B80BB8, 0xA87DBC7E, 0x1787178C, 0x4C7B7234]
    assert words(0, 0, 1) == [0xFB52C520]


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 0x0123456789ABCDEF, 2**64 - 1])
@pytest.mark.parametrize("stream", [rng.GAME, rng.OPPONENTS, rng.SEATING, rng.PLAYOUT])
def test_the_words_follow_the_published_algorithm(seed, stream):
    assert words(seed, stream, 200) == list(itertools.islice(sfc32(seed & WORD, seed >> 32, stream), 200))


def test_a_bounded_integer_is_lemires():
    """Written from the paper: multiply, and reject what falls short of 2**32 mod n."""
    row = generator(11, rng.GAME)
    source = sfc32(11, 0, rng.GAME)
    for n in [1, 2, 3, 6, 7, 100, 2**16 + 1, 3 * 2**29, 2**31 - 1] * 20:
        product = next(source) * n
        while product % 2**32 < 2**32 % n:
            product = next(source) * n
        assert below_plainly(row.data, n) == product // 2**32


@pytest.mark.parametrize("n", [2, 3, 6, 7, 10, 52])
def test_a_bounded_integer_is_uniform(n):
    row = generator(2024, rng.GAME)
    draws = 400 * n
    counts = np.bincount([below_plainly(row.data, n) for _ in range(draws)], minlength=n)
    chi_square = float(((counts - 400) ** 2 / 400).sum())
    # mean n - 1, variance 2 (n - 1): five standard deviations, for a fixed seed
    assert chi_square < (n - 1) + 5 * (2 * (n - 1)) ** 0.5


def test_a_large_bound_is_not_biased():
    """Without rejection, 3 * 2**29 would give remainders 0, 1, 2 (mod 3) as 3 : 3 : 2."""
    row = generator(7, rng.GAME)
    counts = np.bincount([below_plainly(row.data, 3 * 2**29) % 3 for _ in range(6000)], minlength=3)
    assert ((counts - 2000) ** 2 / 2000).sum() < 20


@needs_numba
def test_compiled_draws_are_the_same_bits():
    from numba import njit

    @njit
    def draw(row, bounds, out):
        for i in range(len(bounds)):
            out[i] = below(row, bounds[i])
        return next_word(row)

    bounds = np.array([1, 2, 3, 6, 27, 1000, 2**16 + 1, 3 * 2**29, 2**31 - 1] * 50, np.int64)
    compiled, plain = generator(99, rng.PLAYOUT), generator(99, rng.PLAYOUT)
    out = np.zeros(len(bounds), np.int64)
    last = draw(compiled, bounds, out)
    assert out.tolist() == [below_plainly(plain.data, int(n)) for n in bounds]
    assert last == next_word_plainly(plain.data)
    assert compiled.tolist() == plain.tolist()


def test_streams_and_neighbouring_seeds_never_meet():
    """No run of two words occurs twice among the first 500 of 40 generators."""
    seen = set()
    for seed in (0, 1, 2, 3, 2**32, 2**32 + 1, 2**63, 2**64 - 1, 12345, 12346):
        for stream in (rng.GAME, rng.OPPONENTS, rng.SEATING, rng.PLAYOUT):
            drawn = words(seed, stream, 501)
            seen |= set(itertools.pairwise(drawn))
    assert len(seen) == 500 * 40


def test_first_draws_of_neighbouring_seeds_are_independent():
    first = np.array([words(seed, rng.GAME, 1)[0] for seed in range(2000)], np.float64) / 2**32
    assert abs(first.mean() - 0.5) < 5 / (12 * 2000) ** 0.5
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 5 / 2000**0.5


@pytest.mark.parametrize("seed", [0, 5, 2**64 - 1, np.int64(3), np.uint64(2**64 - 1)])
def test_a_seed_is_any_integer_of_64_bits(seed):
    assert check_seed(seed) == int(seed)
    assert type(check_seed(seed)) is int


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", None, True, np.True_, np.float64(2), [1]], ids=repr)
def test_anything_else_is_no_seed_and_the_message_shows_it(seed):
    with pytest.raises(ValueError, match=r"seed .*expected an integer from 0 to 2\*\*64 - 1"):
        check_seed(seed)


def test_fresh_seeds_are_seeds_and_differ():
    assert len({check_seed(fresh_seed()) for _ in range(20)}) == 20


def test_drawing_leaves_the_global_generators_alone():
    legacy = np.random.get_state()  # noqa: NPY002 (this is what must stay as it is)
    words(1, 2, 10)
    fresh_seed()
    assert all(np.array_equal(a, b) for a, b in zip(legacy, np.random.get_state(), strict=True))  # noqa: NPY002


def test_the_back_end_is_one_of_two():
    assert jit.BACKEND in jit.BACKENDS
