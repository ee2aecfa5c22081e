from typing import Any

import numpy as np
import pytest

from hopenvs.agents import make_agent
from hopenvs.agents.match import play_match
from hopenvs.agents.team import Team
from tests.agents.test_policy import ABOUT, GAME, OPTIONS, random_weights, write_model

policy = pytest.importorskip("hopenvs.agents.policy")

SEATS = GAME.spec(OPTIONS).num_players


@pytest.fixture
def folder(tmp_path):
    """A run that has left a model for each seat."""
    for seat in range(SEATS):
        write_model(tmp_path / f"model-player_{seat}.zip", ABOUT | {"seat": seat}, random_weights(seed=seat))
    return tmp_path


class Constant:
    def __init__(self, action: int) -> None:
        self.name, self.action, self.deterministic = str(action), action, True

    def act(self, observations: Any, masks: Any, *, states: Any, seats: Any, streams: Any) -> Any:
        streams += 1
        return np.full(len(seats), self.action)


def test_a_team_has_a_player_for_every_seat():
    streams = np.zeros((4, 4), np.uint32)
    rest: Any = {"states": np.zeros(4), "seats": np.array([1, 0, 2, 1])}
    team = Team([Constant(5), Constant(6), Constant(7)])
    assert team.act(streams, streams, **rest, streams=streams).tolist() == [6, 5, 7, 6]
    assert (streams == 1).all(), "generators move on in place"
    assert team.deterministic
    drawing: Any = make_agent("uniform")
    assert not Team([Constant(5), drawing]).deterministic


@pytest.mark.filterwarnings("error")
def test_the_folder_of_a_run_with_a_model_for_each_seat_plays_as_a_team(folder):
    team: Any = make_agent(str(folder), GAME, OPTIONS)
    assert [member.description["seat"] for member in team.members] == list(range(SEATS))
    assert team.name == str(folder)
    match = play_match(GAME, OPTIONS, [team, make_agent("uniform")], 12, 0)
    assert match.games == 12
    assert match.standings[0].name == str(folder)


def test_a_model_of_one_seat_alone_warns(folder):
    path = folder / f"model-player_{SEATS - 1}.zip"
    with pytest.warns(policy.SeatWarning, match=rf"has learned seat {SEATS - 1} alone"):
        make_agent(str(path), GAME, OPTIONS)


def test_a_team_with_a_seat_too_few_or_a_wrong_one_is_refused(folder):
    (folder / "model-player_1.zip").rename(folder / "elsewhere.zip")
    with pytest.raises(policy.ModelError, match=rf"a model for each of {SEATS} seats, not \['model-player_0.zip'"):
        make_agent(str(folder), GAME, OPTIONS)
    write_model(folder / "model-player_1.zip", ABOUT | {"seat": 0})
    with pytest.raises(policy.ModelError, match=rf"a model for each of {SEATS} seats"):
        make_agent(str(folder), GAME, OPTIONS)
