"""N games at once: the same bytes however they are split, nothing changed by what is refused, endings by mode."""

import copy
import pickle

import numpy as np
import pytest

from hopenvs.core import kernels, rng, state
from hopenvs.core.batch import Batch
from hopenvs.core.errors import GameError, IllegalActionError
from hopenvs.core.options import parse_options
from hopenvs.core.state import BY_STEP_LIMIT, CHANCE, NOT_CHOSEN, SIMULTANEOUS, TERMINAL
from hopenvs.games import igel_aergern
from tests.core.conftest import pick
from tests.games_for_tests import card_game, tick_game

BUFFERS = ("states", "finals", "mask", "observation", "rewards", "flags")
MODES = {"disabled": kernels.DISABLED, "next_step": kernels.NEXT_STEP, "same_step": kernels.SAME_STEP}


def begun(game, n, first_seed=0, options=None, **keywords):
    batch = Batch(game, options or parse_options(game, {}), n, **keywords)
    batch.start(kernels.NEW_SEED, range(first_seed, first_seed + n))
    return batch


def offset_of(dtype, name):
    return dtype.fields[name][1]


def contents(batch):
    return {name: getattr(batch, name).tobytes() for name in BUFFERS}


def choose(batch, step):
    """[N, S]: a legal action in every row, which depends on what stands there and on `step` alone, not on the batch."""
    salt = (batch.states["plies"].astype(np.int64) * 7 + batch.states["rng"][:, 0]) % 1009
    legal = np.cumsum(batch.mask != 0, axis=-1)
    wanted = 1 + (salt[:, None] + 31 * np.arange(batch.seats_asked) + step) % np.maximum(legal[..., -1], 1)
    return np.argmax(legal == wanted[..., None], axis=-1).astype(np.int32)


def played(batch, steps):
    """The buffers after every step, row by row: [steps][N] bytes."""
    history = []
    for step in range(steps):
        batch.step(choose(batch, step))
        parts = [batch.states, batch.mask, batch.observation, batch.rewards, batch.flags.T]
        history.append([b"".join(part[i].tobytes() for part in parts) for i in range(batch.num_rows)])
    return history


# ---- the record -----------------------------------------------------------------------------------------------------
def test_the_generator_comes_first_and_the_body_is_the_rest(game, options):
    batch = begun(game, 2)
    dtype = batch.states.dtype
    assert dtype.names is not None
    assert (dtype.names[0], offset_of(dtype, "rng"), state.GENERATOR_BYTES) == ("rng", 0, 16)
    body = state.body(batch.states)
    assert body.shape == (2, dtype.itemsize - 16)
    assert body.tobytes() == b"".join(row.tobytes()[16:] for row in batch.states)
    assert np.shares_memory(body, batch.states)


def test_every_record_begins_with_the_same_header(game, options):
    dtype = Batch(game, options, 1).states.dtype
    seats = game.spec(options).record_seats
    expected = np.dtype(state.header(seats), align=True)
    for name in expected.names or ():
        assert (dtype[name], offset_of(dtype, name)) == (expected[name], offset_of(expected, name)), name


def test_every_byte_of_a_record_belongs_to_a_field(game, options):
    """NumPy copies fields, not bytes: with gaps, copies of equal records would differ."""
    dtype = Batch(game, options, 1).states.dtype
    covered = np.zeros(dtype.itemsize, int)
    for name in dtype.names or ():
        first = offset_of(dtype, name)
        covered[first : first + dtype[name].itemsize] += 1
    assert covered.tolist() == [1] * dtype.itemsize


def test_the_games_own_fields_are_signed(game, options):
    for name, *_ in game.fields(options):
        assert Batch(game, options, 1).states.dtype[name].base.kind == "i", name


def test_a_new_game_starts_from_a_blank_header(game):
    batch = begun(game, 1)
    s = batch.record()
    blank = [s.turn, s.plies, s.truncated, s.forfeit, *s.rewards, *s.scores, *s.ranks, *s.winners]
    assert not any(blank)
    assert set(s.pending) == {NOT_CHOSEN}
    assert s.current_player == batch.seat[0] == (SIMULTANEOUS if batch.spec.simultaneous else 0)


# ---- copies ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "duplicate",
    [Batch.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["copy", "deep", "pickle"],
)
@pytest.mark.parametrize("decisions", [0, 2])
def test_a_copy_in_mid_game_is_equal_goes_on_alike_and_is_independent(game, duplicate, decisions):
    batch = begun(game, 5, autoreset=kernels.SAME_STEP)
    played(batch, decisions)
    twin = duplicate(batch)
    before = contents(batch)
    assert contents(twin) == before
    history = played(twin, 12)
    assert contents(batch) == before, "playing the copy changed the original"
    assert played(batch, 12) == history
    assert contents(twin) == contents(batch)


def test_a_copy_shares_no_buffer(game):
    batch = begun(game, 2)
    twin = batch.copy()
    for name in (*BUFFERS, "orders", "seeds", "settings"):
        assert not np.shares_memory(getattr(twin, name), getattr(batch, name)), name
    assert np.shares_memory(twin.seat, twin.flags)
    assert np.shares_memory(twin.terminated, twin.flags)


def test_a_pickle_holds_the_game_by_name_and_no_compiled_code():
    saved = begun(card_game, 1).__getstate__()
    assert saved["game"] == card_game.__name__
    assert not any(callable(value) for value in saved.values())


# ---- the same games however they are split --------------------------------------------------------------------------
STEPS = 14


@pytest.fixture(scope="module")
def together():
    """For each game, 64 rows stepped together."""
    from tests.core.conftest import GAMES

    return {name: played(begun(g, 64, 100, autoreset=kernels.SAME_STEP), STEPS) for name, g in GAMES.items()}


@pytest.mark.parametrize("parts", [[1] * 64, [5, 59], [63, 1]], ids=["64 alone", "5 and 59", "63 and 1"])
def test_a_row_plays_the_same_in_every_batch(game, together, parts):
    first = 0
    for n in parts:
        history = played(begun(game, n, 100 + first, autoreset=kernels.SAME_STEP), STEPS)
        for step in range(STEPS):
            assert history[step] == together[game.ID][step][first : first + n]
        first += n
    assert first == 64


@pytest.mark.parametrize("autoreset", MODES.values(), ids=MODES)
def test_threads_change_nothing(game, autoreset, monkeypatch):
    monkeypatch.setattr("hopenvs.core.batch.ROWS_PER_THREAD", 5)  # so that few rows are shared among threads
    n = 29
    steps = STEPS if autoreset != kernels.DISABLED else 3
    batches = [begun(game, n, autoreset=autoreset, threads=threads) for threads in (1, 2, 3)]
    histories = [played(batch, steps) for batch in batches]
    assert histories[0] == histories[1] == histories[2]
    assert contents(batches[0]) == contents(batches[1]) == contents(batches[2])
    for batch in batches:
        batch.pool.close()


def test_row_i_gets_the_i_th_seed_and_new_games_go_on_with_its_generator(game):
    batch = begun(game, 3, 7)
    expected = [rng.generator(7 + i, rng.GAME) for i in range(3)]
    unmoved = Batch(game, batch.options, 3, draw=False)
    unmoved.start(kernels.NEW_SEED, [7, 8, 9])
    assert unmoved.states["rng"].tolist() == [row.tolist() for row in expected]
    played(batch, 2)
    before = batch.states["rng"].copy()
    again = batch.copy()
    batch.start(kernels.NEW_GAME)
    again.start(kernels.NEW_GAME)
    assert contents(batch) == contents(again)
    undrawn = Batch(game, batch.options, 3, draw=False)
    undrawn.states["rng"] = before
    undrawn.start(kernels.NEW_GAME)
    assert undrawn.states["rng"].tolist() == before.tolist(), "starting itself draws nothing"


def test_a_seed_of_64_bits_is_used_whole():
    first = begun(card_game, 1, 5).states.tobytes()
    assert begun(card_game, 1, 5).states.tobytes() == first
    assert begun(card_game, 1, 5 + 2**32).states.tobytes() != first
    assert begun(card_game, 1, 5 + 2**63).states.tobytes() != first


# ---- what is left alone ---------------------------------------------------------------------------------------------
def test_a_skipped_row_keeps_every_byte(game):
    batch = begun(game, 6, autoreset=kernels.SAME_STEP)
    for step in range(12):
        before = [getattr(batch, name)[: batch.num_rows].copy() for name in ("states", "finals", "mask", "observation")]
        flags, rewards = batch.flags.copy(), batch.rewards.copy()
        actions = choose(batch, step)
        skipped = (np.arange(6) + step) % 3 == 0
        actions[skipped, 0] = kernels.SKIP
        batch.step(actions)
        for old, name in zip(before, ("states", "finals", "mask", "observation"), strict=True):
            new = getattr(batch, name)[: batch.num_rows]
            assert old[skipped].tobytes() == new[skipped].tobytes(), name
        assert np.array_equal(flags[:, skipped], batch.flags[:, skipped])
        assert np.array_equal(rewards[skipped], batch.rewards[skipped])
        assert (batch.states["plies"][~skipped] != before[0]["plies"][~skipped]).all()


def test_starting_some_rows_leaves_the_others_alone(game):
    batch = begun(game, 4)
    played(batch, 1)
    before = contents(batch.copy()), batch.states.copy()
    batch.start(np.array([kernels.SKIP] * 4))
    assert contents(batch) == before[0]
    batch.start(np.array([kernels.SKIP, kernels.NEW_GAME, kernels.SKIP, kernels.NEW_SEED]), [1, 2, 3, 4])
    assert batch.states[[0, 2]].tobytes() == before[1][[0, 2]].tobytes()
    assert batch.states["plies"].tolist() == [1, 0, 1, 0]


def illegal_actions(batch, row, column):
    """Actions that are illegal there: masked, and out of range on both sides."""
    masked = np.flatnonzero(batch.mask[row, column] == 0)
    beyond = [batch.spec.num_actions, 2**31 - 1, -2, -3, -4, -5, -(2**31)]
    if column > 0:
        beyond.append(-1)  # in column 0 it means SKIP
    return [*masked[:2].tolist(), *beyond]


@pytest.mark.parametrize("row", [0, 3, 6])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_in_any_row_leaves_every_row_as_it_was(game, row, threads, monkeypatch):
    monkeypatch.setattr("hopenvs.core.batch.ROWS_PER_THREAD", 2)
    batch = begun(game, 7, autoreset=kernels.NEXT_STEP, threads=threads)
    played(batch, 2)
    before = contents(batch)
    for column in range(batch.seats_asked):
        for action in illegal_actions(batch, row, column):
            actions = choose(batch, 0)
            actions[row, column] = action
            assert batch.first_illegal(actions) == row
            with pytest.raises(IllegalActionError, match=rf"^row {row}, player_\d: .*action {action}\b"):
                batch.step(actions)
            assert contents(batch) == before
    batch.step(choose(batch, 0))
    batch.pool.close()


def test_the_first_of_several_illegal_rows_is_named(game):
    batch = begun(game, 4)
    actions = choose(batch, 0)
    actions[1:, batch.seats_asked - 1] = batch.spec.num_actions
    with pytest.raises(IllegalActionError, match=r"^row 1, "):
        batch.step(actions)


def test_the_message_names_seat_index_action_phase_and_a_few_legal_actions():
    batch = begun(tick_game, 1)
    batch.step(np.array([[1, 2, 3]], np.int32))
    with pytest.raises(IllegalActionError) as caught:
        batch.step(np.array([[2, 2, 1]], np.int32))
    assert str(caught.value) == (
        "player_1: action 2 ('bid 2') is illegal in phase 'tick'; legal (4): 'wait', 'bid 1', 'bid 3', 'bid 4'"
    )
    with pytest.raises(IllegalActionError, match=r"player_0: there is no action 5, expected 0 to 4; legal here \(4\)"):
        batch.step(np.array([[5, 2, 1]], np.int32))


# ---- endings --------------------------------------------------------------------------------------------------------
def until_ended(batch):
    """Step until row 0 has ended; the record it was stepped from, last."""
    for step in range(1000):
        before, actions = batch.copy(), choose(batch, step)
        batch.step(actions)
        if batch.terminated[0] or batch.truncated[0]:
            return before, actions
    raise AssertionError("no end")


@pytest.fixture
def ended_record(game):
    """The record of row 0 at the end of its game, where nothing begins anew."""
    batch = begun(game, 1, 5)
    until_ended(batch)
    return batch.states[0].tobytes()


def test_without_autoreset_an_ended_row_stays_as_it_ended(game):
    batch = begun(game, 3, 5)
    until_ended(batch)
    assert batch.seat[0] == TERMINAL
    assert batch.mask[0].all(), "masks of an ended row are all one"
    before = batch.states[0].tobytes(), batch.rewards[0].tolist()
    assert before[1] == batch.states["rewards"][0, : batch.spec.num_players].astype(np.float32).tolist()
    batch.step(choose(batch, 0))
    assert (batch.states[0].tobytes(), batch.rewards[0].tolist()) == before
    assert batch.terminated[0]
    assert not batch.finals.view(np.uint8).any(), "the record itself is kept, not a copy"


def test_in_next_step_mode_the_step_after_the_end_begins_a_game(game, ended_record):
    batch = begun(game, 3, 5, autoreset=kernels.NEXT_STEP)
    until_ended(batch)
    assert batch.states[0].tobytes() == batch.finals[0].tobytes() == ended_record
    actions = choose(batch, 0)
    actions[0, 0] = 10**6  # in the row that has ended it is ignored, whatever it is
    batch.step(actions)
    assert (batch.states["plies"][0], batch.terminated[0], batch.truncated[0]) == (0, False, False)
    assert not batch.rewards[0].any()
    assert batch.finals[0].tobytes() == ended_record
    assert batch.mask[0].any()


def test_in_same_step_mode_the_end_is_paid_and_the_next_game_has_begun(game, ended_record):
    batch = begun(game, 3, 5, autoreset=kernels.SAME_STEP)
    before, actions = until_ended(batch)
    assert (batch.states["plies"][0], bool(batch.terminated[0])) == (0, True)
    assert batch.finals[0].tobytes() == ended_record
    assert batch.rewards[0].tolist() == batch.finals["rewards"][0, : batch.spec.num_players].astype(np.float32).tolist()
    expected = Batch(game, batch.options, 1)
    expected.states["rng"] = batch.finals["rng"][0]
    expected.start(kernels.NEW_GAME)
    assert batch.states[0].tobytes() == expected.states[0].tobytes(), "it goes on with the row's generator"
    assert batch.observation[0].tobytes() == expected.observation[0].tobytes()
    batch.step(choose(batch, 1))
    assert batch.finals[0].tobytes() == ended_record, "the ended record is a copy"
    assert not batch.terminated[0]
    before.settings[kernels.AUTORESET] = kernels.DISABLED
    before.step(actions)
    assert before.states[0].tobytes() == ended_record


@pytest.mark.parametrize("autoreset", MODES.values(), ids=MODES)
def test_the_last_of_the_ended_records_stays_blank(game, autoreset):
    batch = begun(game, 2, autoreset=autoreset)
    played(batch, 30)
    assert not batch.finals[-1:].view(np.uint8).any()


def test_a_limit_on_decisions_truncates_and_pays_nothing(game):
    batch = begun(game, 2, step_limit=2)
    batch.step(choose(batch, 0))
    assert not batch.truncated.any()
    batch.step(choose(batch, 1))
    assert batch.truncated.all()
    assert not batch.terminated.any()
    assert batch.states["truncated"].tolist() == [BY_STEP_LIMIT] * 2
    assert not batch.rewards.any()
    assert not batch.states["winners"].any()


def test_the_rules_cap_truncates_and_pays_nothing(game):
    options = parse_options(game, {"max_turns": 1})
    batch = begun(game, 1, options=options)
    until_ended(batch)
    assert (batch.truncated[0], batch.terminated[0], batch.states["truncated"][0]) == (True, False, state.BY_MAX_TURNS)
    assert batch.states["turn"][0] == 1
    assert not batch.rewards.any()


def test_a_forfeit_ends_the_game_and_the_position_stays_as_it_stood(game):
    batch = begun(game, 2, forfeit=True)
    batch.step(choose(batch, 0))
    before = batch.states.copy()
    actions = choose(batch, 1)
    guilty = batch.seats_asked - 1
    offender = guilty if batch.spec.simultaneous else int(batch.seat[1])
    actions[1, guilty] = batch.spec.num_actions
    batch.step(actions)
    players = batch.spec.num_players
    s = batch.record(1)
    assert (s.current_player, s.forfeit, s.truncated) == (TERMINAL, 1 + offender, 0)
    assert batch.terminated.tolist() == [False, True]
    assert [s.ranks[seat] for seat in range(players)] == [players if k == offender else 1 for k in range(players)]
    assert batch.rewards[1].tolist() == pytest.approx(
        [-1.0 if k == offender else 1 / (players - 1) for k in range(players)]
    )
    for name, *_ in (*game.fields(batch.options), ("turn",), ("plies",), ("rng",), ("pending",)):
        assert np.array_equal(batch.states[name][1], before[name][1]), name


def test_loading_an_ended_record_flags_it_and_keeps_its_result(game):
    batch = begun(game, 1, 5)
    until_ended(batch)
    twin = Batch(game, batch.options, 1)
    twin.load(batch.states)
    assert twin.states.tobytes() == batch.states.tobytes()
    assert twin.terminated[0]
    assert twin.observation.shape == batch.observation.shape


# ---- chance ---------------------------------------------------------------------------------------------------------
def test_with_draw_off_every_outcome_is_a_step_of_its_own_and_the_generator_rests(game):
    batch = Batch(game, parse_options(game, {}), 1, draw=False)
    batch.start(kernels.NEW_SEED, [3])
    generator = batch.states["rng"].tolist()
    chances = 0
    for step in range(60):
        if batch.seat[0] == TERMINAL:
            break
        order = np.zeros((1, batch.seats_asked), np.int32)
        if batch.seat[0] == CHANCE:
            order[0, 0] = len(batch.outcome_weights()) - 1
            assert not batch.mask.any()
            chances += 1
        else:
            order = choose(batch, step)
        batch.step(order)
    assert chances > 0
    assert batch.states["rng"].tolist() == generator


def test_an_outcome_that_does_not_exist_is_refused_and_nothing_changes(game):
    batch = Batch(game, parse_options(game, {}), 2, draw=False)
    batch.start(kernels.NEW_SEED, [3, 4])
    while batch.seat[0] != CHANCE:
        batch.step(choose(batch, 0))
    before = contents(batch)
    for wrong in (len(batch.outcome_weights()), 10**6, -7):
        orders = np.zeros((2, batch.seats_asked), np.int32)
        orders[1, 0] = wrong
        if batch.seat[1] != CHANCE:
            continue
        with pytest.raises(ValueError, match="outcome"):
            batch.step(orders)
        assert contents(batch) == before


def test_outcomes_come_as_often_as_they_weigh():
    """The tick game's prizes weigh 3 : 2 : 1."""
    n = 3000
    batch = begun(tick_game, n)
    batch.step(np.tile(np.array([[4, 1, 1]], np.int32), (n, 1)))
    counts = np.array([(batch.states["points"][:, 0] == prize).sum() for prize in (1, 2, 4)])
    expected = np.array([1500, 1000, 500])
    assert counts.sum() == n
    assert ((counts - expected) ** 2 / expected).sum() < 15


def test_a_game_that_never_stops_rolling_is_reported(monkeypatch):
    batch = begun(card_game, 2)
    batch.states["current_player"][1] = CHANCE  # as if the rules had left it there after a million outcomes
    batch.seat[1] = CHANCE
    with pytest.raises(GameError, match="more than 1000000 chance points without a decision in row 1"):
        batch.start(kernels.SKIP)


# ---- playouts -------------------------------------------------------------------------------------------------------
def streams_of(n, first=0):
    return np.array([rng.generator(seed, rng.PLAYOUT) for seed in range(first, first + n)])


def test_a_playout_reaches_the_end_and_never_touches_the_games_generator(game):
    batch = begun(game, 8)
    generators = batch.states["rng"].tolist()
    streams = streams_of(8)
    taken = batch.playout(streams, 10_000)
    assert (batch.states["current_player"] == TERMINAL).all()
    assert batch.states["rng"].tolist() == generators
    assert taken == batch.states["plies"].sum()
    assert streams.tolist() != streams_of(8).tolist()


def test_a_playout_of_so_many_decisions_stops_there(game):
    batch = begun(game, 3)
    assert batch.playout(streams_of(3), 2) == 6
    assert batch.states["plies"].tolist() == [2, 2, 2]


def test_a_playout_depends_on_its_row_alone(game):
    batch, single = begun(game, 4), begun(game, 1, 2)
    batch.playout(streams_of(4), 1000)
    single.playout(streams_of(1, 2), 1000)
    assert batch.states[2].tobytes() == single.states[0].tobytes()


@pytest.mark.parametrize(
    "streams",
    [
        np.zeros((6, 4), np.uint32)[::2],
        np.zeros((3, 4), np.int64),
        np.zeros((2, 4), np.uint32),
        np.zeros(12, np.uint32),
    ],
    ids=["strided", "wider", "too few", "flat"],
)
def test_streams_of_another_layout_are_refused(game, streams):
    """The kernel is called past the check of argument types, so that it would read other bytes."""
    batch = begun(game, 3)
    with pytest.raises(ValueError, match=r"streams: expected contiguous uint32 \[3, 4\]"):
        batch.playout(streams, 1000)


def test_every_legal_action_is_played_about_as_often():
    n = 2000
    batch = begun(tick_game, n)
    batch.playout(streams_of(n), 1)
    used = 1 - batch.states["hand"]  # [N, P, cards]
    counts = np.array([*used.sum(axis=(0, 1)), 3 * n - used.sum()])
    expected = 3 * n / 5
    assert ((counts - expected) ** 2 / expected).sum() < 25


def test_views_of_seats_are_fresh_and_those_not_asked_have_an_empty_mask(game):
    batch = begun(game, 2)
    rows = [row for row in range(2) for _ in range(batch.spec.num_players)]
    seats = [*range(batch.spec.num_players)] * 2
    mask, seen = batch.view(rows, seats)
    for k, (row, seat) in enumerate(zip(rows, seats, strict=True)):
        asked = batch.spec.simultaneous or batch.seat[row] == seat
        assert mask[k].any() == asked
        if asked:
            column = seat if batch.spec.simultaneous else 0
            assert np.array_equal(seen[k], batch.observation[row, column])
            assert np.array_equal(mask[k], batch.mask[row, column])
    assert not np.shares_memory(seen, batch.observation)


def test_the_chooser_of_these_tests_picks_legal_actions(game):
    batch = begun(game, 9)
    chooser = np.random.default_rng(0)
    for actions in (choose(batch, 3), pick(batch.mask, chooser)):
        assert np.take_along_axis(batch.mask, actions[..., None].astype(np.int64), axis=-1).all()


def test_an_order_that_is_no_action_forfeits_like_any_illegal_action():
    """What means NEW_GAME and the like to the kernel is no action of anybody (C-11)."""
    options = parse_options(igel_aergern, {})
    for order in (kernels.NEW_GAME, kernels.NEW_SEED, kernels.RESUME, -99):
        batch = Batch(igel_aergern, options, 1, forfeit=True)
        batch.start(kernels.NEW_SEED, [1])
        batch.step(np.array([[order]], np.int32))
        assert batch.terminated[0]
        assert batch.rewards[0].tolist() == [-1.0, 1.0]
