"""Every registered id, and every option by itself, keeps all promises of a game (`hopenvs.core.check`)."""

import pytest

from hopenvs.core.check import check_game, option_sets
from hopenvs.core.jit import BACKEND
from hopenvs.core.options import parse_options
from hopenvs.registry import entry_of, resolve
from tests.golden import golden_ids

# Turns after which a checked game is cut short: its positions are looked at from every seat, in both back ends.
# Most games of two come to their end within so many; the others' ends are among the golden records.
TURNS_OF_TWO, TURNS_OF_MORE = (8, 4) if BACKEND == "plain" else (100, 20)
# Of a game's decisions the first and every second after it; of options by themselves and ids for more players, which
# differ less, every fifth.
EVERY, EVERY_OF_SLOW = 2, 5


def is_slow(name, game, keywords):
    """Options by themselves, and ids for more than the fewest players: each takes seconds."""
    return name not in golden_ids() or keywords["players"] > game.OPTIONS[0].low


def cases():
    """(name, game, option keywords): the ids, then what is no id; without Numba only the ids."""
    found = {}
    for env_id in golden_ids():
        game, options = resolve(env_id, {})
        found[game, options] = env_id, game, dict(entry_of(env_id).options)
    games = dict.fromkeys(game for _, game, _ in found.values())
    for game in games if BACKEND != "plain" else ():
        for keywords in option_sets(game):
            words = (f"{option}={value}" for option, value in keywords.items())
            name = "-".join((game.__name__.removeprefix("hopenvs.games."), *words))
            found.setdefault((game, parse_options(game, keywords)), (name, game, dict(keywords)))
    return [
        pytest.param(game, keywords, EVERY_OF_SLOW if slow else EVERY, id=name, marks=[pytest.mark.slow] * slow)
        for name, game, keywords in found.values()
        for slow in [is_slow(name, game, keywords)]
    ]


@pytest.mark.parametrize(("game", "keywords", "every"), cases())
def test_a_game_keeps_its_promises(game, keywords, every):
    o = parse_options(game, keywords)
    turns = TURNS_OF_TWO if o.players == 2 else TURNS_OF_MORE
    shorter = {"max_turns": turns} if game.spec(o).max_turns is not None else {}
    if hasattr(o, "max_ticks"):  # every seat acts in every tick, and rounds follow one another
        shorter = {"max_ticks": max(1, turns // (2 * o.rounds))}
    assert check_game(game, games=1, every=every, **{**shorter, **keywords}) > 0
