import types

import pytest

from hopenvs import registry
from hopenvs.core.errors import OptionError, UnknownIdError
from hopenvs.core.state import Payoff


@pytest.mark.parametrize("env", registry.list_envs())
def test_a_header_leads_back_to_what_it_was_made_of(env):
    usual = registry.resolve(env, {})
    given = {} if usual[0].spec(usual[1]).max_turns is None else {"max_turns": 77}
    game, options = registry.resolve(env, given)
    header = registry.record_header(env, game, options, 5, "rank")
    assert given.items() <= header["options"].items()
    assert registry.resolve_header(header) == (game, options, Payoff.RANK)


def test_the_header_has_the_id_without_its_namespace():
    game, options = registry.resolve("hopenvs/igel_aergern-2p-v0", {})
    assert registry.record_header("hopenvs/igel_aergern-2p-v0", game, options, 5) == {
        "env": "igel_aergern-2p-v0",
        "options": {},
        "players": 2,
        "seed": 5,
    }


def header(env="igel_aergern-2p-v0", players=2, **options):
    return {"env": env, "options": options, "players": players, "seed": 0}


def test_null_options_count_as_not_given():
    plain = registry.resolve_header(header())
    assert registry.resolve_header(header(goal_count=None, reward=None, illegal=None, family=None)) == plain


def test_how_illegal_actions_were_met_changes_no_rule():
    assert registry.resolve_header(header(illegal="forfeit")) == registry.resolve_header(header())


@pytest.mark.parametrize(
    ("given", "error", "expected"),
    [
        (header("igel-2p-v0"), UnknownIdError, "unknown id 'igel-2p-v0'"),
        (header(illegal="ignore"), OptionError, "illegal='ignore'"),
        (header(reward=3), OptionError, "reward=3"),
        (header(players=5), OptionError, "players=5"),
        (header(family="battle"), OptionError, "family='battle'"),
        (header(anarchy="yes"), OptionError, "anarchy='yes': expected True or False"),
    ],
)
def test_an_impossible_header_is_refused(given, error, expected):
    with pytest.raises(error, match=expected):
        registry.resolve_header(given)


def test_a_family_stands_in_the_header_and_is_checked(monkeypatch):
    """Two games may share an ID: `FAMILY` tells them apart."""
    game, options = registry.resolve("igel_aergern-2p-v0", {})
    twin = types.SimpleNamespace(**vars(game), FAMILY="battle")
    monkeypatch.setattr(registry, "resolve", lambda env, keywords: (twin, options))
    assert registry.record_header("igel_aergern-2p-v0", twin, options, 5)["options"] == {"family": "battle"}
    assert registry.resolve_header(header(family="battle"))[0] is twin
    with pytest.raises(OptionError, match="family='puzzler'"):
        registry.resolve_header(header(family="puzzler"))
