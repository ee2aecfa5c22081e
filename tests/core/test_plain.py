"""Plain Python over memoryviews: whole numbers, strict ranges and bounds, and the same bytes as compiled rules."""

import math

import numpy as np
import pytest

from hopenvs.core import plain, rng, state
from hopenvs.core.jit import plain_twin
from hopenvs.core.plain import record_class, wrap
from hopenvs.core.walk import Walk
from tests.core.conftest import needs_numba, pick

SEAT = np.dtype([("hand", np.int8, (3,)), ("score", np.int16)], align=True)
STATE = state.without_gaps(
    np.dtype(
        [
            ("rng", np.uint32, (4,)),
            ("pay", np.float64, (2,)),
            ("small", np.int8),
            ("wide", np.int32),
            ("grid", np.int8, (2, 3)),
            ("cube", np.int16, (2, 2, 2)),
            ("seats", SEAT, (2,)),
            ("one", SEAT),
        ],
        align=True,
    )
)


@pytest.fixture
def records():
    return np.zeros(3, STATE)


@pytest.fixture
def record(records):
    return wrap(records)[1]


# ---- whole numbers --------------------------------------------------------------------------------------------------
def test_small_fields_read_as_python_ints_that_do_not_overflow(record):
    record.small = record.grid[0, 1] = 100
    assert type(record.small) is int
    assert type(record.grid[0, 1]) is int
    assert record.small * record.grid[0, 1] * 27 == 270_000


def test_an_unsigned_word_minus_a_larger_one_is_negative(record):
    record.rng[0], record.rng[1] = 3, 5
    assert record.rng[0] - record.rng[1] == -2


@needs_numba
def test_compiled_arithmetic_on_small_fields_is_as_wide(records):
    from numba import njit

    @njit
    def arithmetic(states):
        s = states[0]
        return s.small * s.grid[0, 1] * 27, -s.small - s.grid[0, 1], s.small // -7, s.small % -7

    records["small"], records["grid"] = 100, 127
    s = wrap(records)[0]
    plainly = (s.small * s.grid[0, 1] * 27, -s.small - s.grid[0, 1], s.small // -7, s.small % -7)
    assert arithmetic(records) == plainly == (342_900, -227, -15, -5)


@needs_numba
def test_the_generators_words_are_masked_before_compiled_arithmetic(records):
    """uint32 - uint32 would be unsigned in Numba: `& WORD` makes both back ends work on signed 64-bit integers."""
    from numba import njit

    @njit
    def difference(states):
        return (states[0].rng[0] & rng.WORD) - (states[0].rng[1] & rng.WORD)

    records["rng"][0] = 3, 5, 0, 0
    assert difference(records) == -2


# ---- strictness -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [128, -129, 300, 2**40])
def test_a_store_out_of_range_raises_and_changes_nothing(record, value):
    for store in (
        lambda: setattr(record, "small", value),
        lambda: record.grid.__setitem__((1, 2), value),
        lambda: record.seats[1].hand.__setitem__(2, value),
    ):
        with pytest.raises(ValueError, match="memoryview: invalid value"):
            store()
    assert (record.small, record.grid[1, 2], record.seats[1].hand[2]) == (0, 0, 0)


@pytest.mark.parametrize("value", [1.5, "1", None, [1]], ids=repr)
def test_a_store_of_another_type_raises(record, value):
    with pytest.raises(TypeError):
        record.small = value
    with pytest.raises(TypeError):
        record.grid[0, 0] = value


@pytest.mark.parametrize("index", [(2, 0), (0, 3), (-3, 0), (0, -4)])
def test_an_index_out_of_bounds_raises(record, index):
    with pytest.raises(IndexError):
        record.grid[index]
    with pytest.raises(IndexError):
        record.grid[index] = 1


def test_a_field_that_does_not_exist_raises(record):
    with pytest.raises(AttributeError):
        _ = record.grit
    with pytest.raises(AttributeError):
        record.grit = 1


def test_a_dtype_that_is_not_aligned_is_refused():
    with pytest.raises(TypeError, match="field wide is not aligned"):
        record_class(np.dtype([("small", np.int8), ("wide", np.int32)]))


# ---- records --------------------------------------------------------------------------------------------------------
def test_a_record_is_a_view_of_the_arrays_bytes(records, record):
    record.wide, record.cube[1, 0, 1], record.pay[1] = -7, 300, 0.1
    record.seats[1].hand[2], record.one.score = 4, -5
    row = records[1]
    assert (row["wide"], row["cube"][1, 0, 1], row["pay"][1]) == (-7, 300, 0.1)
    assert (row["seats"][1]["hand"][2], row["one"]["score"]) == (4, -5)
    records["wide"][1] = 9
    assert record.wide == 9
    assert not records[[0, 2]].view(np.uint8).any(), "other rows are left alone"


def test_a_row_is_a_reference_and_only_assignment_copies(records):
    rows = wrap(records)
    alias = rows[0]
    rows[0].wide = 5
    assert alias.wide == 5
    rows[2] = rows[0]
    rows[0].wide = 6
    assert (alias.wide, rows[2].wide) == (6, 5)


@needs_numba
def test_compiled_rows_alias_and_copy_the_same_way(records):
    from numba import njit

    @njit
    def play(states):
        alias = states[0]
        states[0].wide = 5
        seen = alias.wide
        states[2] = states[0]
        states[0].wide = 6
        return seen, alias.wide, states[2].wide

    assert play(records) == (5, 6, 5)


def test_the_class_of_a_dtype_is_made_once():
    assert record_class(STATE) is record_class(STATE)


def test_there_may_be_no_record_at_all():
    assert len(wrap(np.zeros(0, STATE))) == 0


# ---- arrays ---------------------------------------------------------------------------------------------------------
def test_an_array_gives_numbers_rows_and_parts_of_rows():
    array = np.arange(24, dtype=np.int8).reshape(2, 3, 4)
    rows = wrap(array)
    assert (len(rows), rows.shape) == (2, (2, 3, 4))
    assert (rows[1, 2, 3], type(rows[1, 2, 3])) == (23, int)
    assert rows[1, 2].tolist() == [20, 21, 22, 23]
    rows[0, 1][2] = 99
    rows[1, 0] = 7
    rows[0] = (rows[0] and 0) or 5
    assert array[0].tolist() == [[5] * 4] * 3
    assert array[1, 0].tolist() == [7] * 4


def test_a_row_of_an_array_is_as_strict():
    rows = wrap(np.zeros((2, 3), np.int8))
    with pytest.raises(ValueError, match="memoryview: invalid value"):
        rows[0, 0] = 128
    with pytest.raises(IndexError):
        rows[0][3] = 1
    with pytest.raises(IndexError):
        rows[2, 0] = 1


def test_single_precision_rounds_as_numpy_does():
    array = np.zeros(1, np.float32)
    wrap(array)[0] = 1 / 3
    assert array[0] == np.float32(1 / 3)


# ---- the same rules in both back ends -------------------------------------------------------------------------------
def test_a_whole_game_in_plain_python_gives_the_same_bytes(game, options):
    """Every record, mask and observation of a game, rule by rule; trivially so in the plain back end."""
    walk = Walk(game, options)
    players, actions = walk.spec.num_players, walk.spec.num_actions
    chooser = np.random.default_rng(3)
    decide = plain_twin(game.apply_joint if walk.spec.simultaneous else game.apply)
    o = options
    for seed in range(3):
        walk.start(seed)
        twin = walk.states.copy()
        s = state.people_view(twin)
        while not walk.is_over:
            if walk.is_chance:
                weights = walk.outcomes()
                n = plain_twin(game.num_outcomes)(o, s)
                assert weights == [plain_twin(game.outcome_weight)(o, s, k) for k in range(n)]
                k = walk.draw()
                s.rng[:] = walk.record.rng  # drawing moves the generator, the rules never do
                walk.happen(k)
                plain_twin(game.apply_chance)(o, s, k)
            else:
                for row in range(walk.batch.seats_asked):
                    seat = row if walk.spec.simultaneous else walk.current_player
                    mask, seen = np.zeros(actions, np.int8), np.zeros(walk.spec.observation_size, np.int8)
                    plain_twin(game.action_mask)(o, s, seat, mask.data)
                    plain_twin(game.observe)(o, s, seat, seen.data)
                    assert np.array_equal(mask, walk.batch.mask[0, row])
                    assert np.array_equal(seen, walk.batch.observation[0, row])
                chosen = pick(walk.batch.mask, chooser)[0]
                walk.play(*map(int, chosen))
                decide(o, s, wrap(chosen) if walk.spec.simultaneous else int(chosen[0]))
                s.plies += 1
            if not walk.is_over:
                assert twin.tobytes() == walk.states.tobytes()
        plain_twin(game.result)(o, s, s.scores, s.ranks, s.winners)
        plain_twin(state.pay)(players, s, 0)
        assert twin.tobytes() == walk.states.tobytes()


def test_evaluation_key_and_redealing_are_the_same_in_plain_python(game, options):
    walk = Walk(game, options)
    walk.start(1)
    walk.draw_all()
    s = walk.record
    for seat in range(walk.spec.num_players):
        value = walk.batch.evaluate([0], [seat])[0]
        assert math.isfinite(value)
        assert value == plain_twin(game.evaluate)(options, s, seat)
        out = np.zeros(walk.states.dtype.itemsize, np.uint8)
        length = plain_twin(game.key)(options, s, out.data)
        assert walk.batch.keys() == [out[:length].tobytes()]
        twin = walk.states.copy()
        stream = rng.generator(seat, rng.PLAYOUT)
        plain_twin(game.resample_hidden)(options, state.people_view(twin), seat, stream.copy().data)
        walk.batch.resample_hidden(np.array([seat]), stream[None])
        assert twin.tobytes() == walk.states.tobytes()


def test_the_plain_twin_of_a_plain_function_is_itself():
    assert plain_twin(plain.wrap) is plain.wrap
    assert plain_twin(plain_twin(state.pay)) is plain_twin(plain_twin(plain_twin(state.pay))) or callable(state.pay)
