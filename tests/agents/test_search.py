"""What all players that search have in common: blind, repeatable, whole; and what they tell."""

import pickle

import numpy as np
import pytest

from hopenvs.agents import make_agent
from hopenvs.agents.considered import Explains
from hopenvs.agents.expectimax import Expectimax
from hopenvs.agents.greedy import Greedy
from hopenvs.agents.match import play_match
from hopenvs.agents.mcts import MCTS
from hopenvs.core import jit
from hopenvs.core.errors import OptionError
from hopenvs.core.options import parse_options
from tests.agents.conftest import CARDS, IGEL, decide, streams_of, under_way

PLAIN = jit.BACKEND == "plain"
FEW = 12 if PLAIN else 60  # simulations


@pytest.fixture
def game(searched_game):
    """Each game in turn; what takes long to compile is slow."""
    return searched_game


SEARCHES = {
    "mcts": lambda game, options: MCTS(game, options, FEW),
    "mcts with random play": lambda game, options: MCTS(game, options, FEW, cut=-1),
    "expectimax": lambda game, options: Expectimax(game, options, 2),
}


@pytest.fixture(params=SEARCHES)
def search(request):
    """How each of the players is made, in turn."""
    return SEARCHES[request.param]


@pytest.mark.clause("C-9")
@pytest.mark.parametrize("players", [2, 4])
def test_it_never_sees_what_its_seat_cant_know(search, players):
    options = parse_options(CARDS, {"players": players})
    n = 8 if PLAIN else 40
    batch = under_way(CARDS, options, n, seed=9, most=5)
    other = batch.copy()
    other.resample_hidden(batch.seat.astype(np.int32), streams_of(n, 700))
    assert batch.keys() != other.keys(), "nothing hidden differs"
    player = search(CARDS, options)
    mine, yours = streams_of(n, 50), streams_of(n, 50)
    np.testing.assert_array_equal(decide(player, batch, mine), decide(player, other, yours))
    np.testing.assert_array_equal(mine, yours)


@pytest.mark.clause("C-14")
def test_it_never_sees_coming_chance(search, game, options):
    batch = under_way(game, options, 8, seed=4, most=5)
    other = batch.copy()
    other.states["rng"] = streams_of(8, 900)
    player = search(game, options)
    np.testing.assert_array_equal(decide(player, batch, streams_of(8)), decide(player, other, streams_of(8)))


def test_a_choice_depends_neither_on_the_batch_nor_on_other_rows(search, game, options):
    batch = under_way(game, options, 5, seed=2, most=5)
    player = search(game, options)
    streams = streams_of(5)
    together = decide(player, batch, streams)
    for row in range(5):
        alone = under_way(game, options, 1)
        alone.load(batch.states[row : row + 1])
        one = streams_of(5)[row : row + 1]
        assert decide(player, alone, one)[0] == together[row]
        np.testing.assert_array_equal(one[0], streams[row])


def test_looking_changes_no_record_and_choices_are_legal(search, game, options):
    batch = under_way(game, options, 6, seed=2, most=5)
    states = batch.states.copy()
    masks = np.ascontiguousarray(batch.mask[:, 0])
    seats = np.maximum(batch.seat, 0).astype(np.int32)
    chosen = search(game, options).act(
        batch.observation[:, 0], masks, states=states, seats=seats, streams=streams_of(6)
    )
    assert states.tobytes() == batch.states.tobytes()
    assert masks[np.arange(6), chosen].all()


def test_it_beats_uniform_play(search, game, options):
    agents = [search(game, options), make_agent("uniform", game, options)]
    few = game is IGEL
    if PLAIN and few:
        pytest.skip("twenty games of Igel Ärgern take minutes in plain Python")
    standings = play_match(game, options, agents, 20 if few else 30 if PLAIN else 300, 3).standings
    assert standings[0].win_rate.share > standings[1].win_rate.share


def test_it_can_be_pickled(search, game, options):
    batch = under_way(game, options, 3, most=5)
    player = search(game, options)
    again = pickle.loads(pickle.dumps(player))
    np.testing.assert_array_equal(decide(again, batch, streams_of(3)), decide(player, batch, streams_of(3)))


# ---- telling --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [*SEARCHES, "greedy"])
def test_it_tells_what_it_considered(kind, game, options):
    batch = under_way(game, options, 1, seed=3, most=1)
    player = SEARCHES.get(kind, Greedy)(game, options)
    assert isinstance(player, Explains)
    seat = max(0, int(batch.seat[0]))
    told = player.explain(batch.states.copy(), seat, streams_of(1)[0])
    assert {each.action for each in told} == set(np.flatnonzero(batch.mask[0, 0]))
    assert [each.name for each in told] == [game.action_name(options, each.action) for each in told]
    ranking = [(each.visits, each.value) for each in told]
    assert ranking == sorted(ranking, reverse=True)
    chosen = int(decide(player, batch, streams_of(1))[0])
    best = [each.action for each in told if (each.visits, each.value) >= (told[0].visits, told[0].value - 1e-6)]
    assert chosen in best
    assert (sum(each.visits for each in told) == FEW) == kind.startswith("mcts")


# ---- words ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("word", "name"),
    [("mcts", "mcts:400"), ("mcts:7", "mcts:7"), ("expectimax", "expectimax:2"), ("expectimax:3", "expectimax:3")],
)
def test_it_is_called_by_word_and_number(word, name):
    assert make_agent(word, IGEL, parse_options(IGEL, {})).name == name  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("mcts:0", "expected mcts:N, N = simulations a decision, 1 to 1,000,000"),
        ("mcts:x", "expected mcts:N"),
        ("mcts:-5", "expected mcts:N"),
        ("mcts:", "expected mcts:N"),
        ("mcts:4:4", "expected mcts:N"),
        ("mtcs:4", "did you mean mcts"),
        ("expectimax:9", "expected expectimax:N, N = decisions looked ahead, 1 to 8"),
        ("greedy:3", "takes no number"),
        ("human:1", "takes no number"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(wrong, told):
    with pytest.raises(OptionError, match=told):
        make_agent(wrong, IGEL, parse_options(IGEL, {}))
