"""`hopenvs train --engine rllib`: its runs, folders, models, and what it survives."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")
pytest.importorskip("matplotlib")

from hopenvs import registry  # noqa: E402
from hopenvs.agents import make_agent  # noqa: E402
from hopenvs.agents.match import play_match  # noqa: E402
from hopenvs.agents.policy import read_description  # noqa: E402
from hopenvs.agents.specs import models_of  # noqa: E402
from hopenvs.core.errors import GameError, OptionError  # noqa: E402
from hopenvs.core.options import parse_options  # noqa: E402
from hopenvs.integrations.rllib import GameMultiAgentEnv  # noqa: E402
from hopenvs.train import RllibConfig, TrainConfig, train  # noqa: E402
from hopenvs.train.checkpoint import CheckpointError  # noqa: E402
from hopenvs.train.folder import run_config  # noqa: E402
from hopenvs.train.metrics import read_metrics  # noqa: E402
from hopenvs.train.news import Evaluated, Progress, Told  # noqa: E402
from hopenvs.train.rllib_checkpoint import checkpoints, load_facts  # noqa: E402
from hopenvs.train.rllib_cluster import Cluster  # noqa: E402
from hopenvs.train.rllib_parts import ShapedMultiAgentEnv  # noqa: E402
from hopenvs.train.shaping import Potential  # noqa: E402
from tests.cli.program import GAMES, error_line, run  # noqa: E402
from tests.games_for_tests import card_game, tick_game  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own

ROOT = Path(__file__).resolve().parents[2]
CARDS: Any = card_game
OPTIONS = parse_options(CARDS, {})
TINY = {
    "steps": 128,
    "num_envs": 4,
    "rollout": 16,
    "batch_size": 32,
    "epochs": 1,
    "trunk": (16,),
    "heads": (8,),
    "evaluations": 1,
    "evaluation_games": 4,
    "final_games": 8,
    "yardsticks": ("uniform",),
    "shaping": 0.0,
    "checkpoint_seconds": 0.0,
    "num_env_runners": 0,
    "seed": 3,
}


class Stopped(Exception):  # noqa: N818
    """What stands for Ctrl-C in these tests."""


def stop_after(updates):
    """A listener that interrupts the run in the middle of things."""
    seen = []

    def notify(news):
        seen.append(news)
        if sum(isinstance(one, Progress) for one in seen) > updates:
            raise Stopped

    return notify


@pytest.fixture(scope="module")
def ids():
    """The test games, registered."""
    return {game.ID: registry.register(game) for game in (card_game, tick_game)}


@pytest.fixture(scope="module")
def tiny(ids):
    """`tiny(**changes)`: settings of a short run on the card game, played in this process."""
    return lambda **changes: RllibConfig(**{"env": ids["card_game"], **TINY, **changes})


@pytest.fixture(scope="module")
def finished(tiny, local_ray, tmp_path_factory):
    """A run that was interrupted and resumed: its folder, a copy from before it was resumed, what was told, its end."""
    folder = tmp_path_factory.mktemp("runs") / "one"
    with pytest.raises(Stopped):
        train(tiny(), folder, notify=stop_after(1))
    before = folder.with_name("before")
    shutil.copytree(folder, before)
    told: list[Any] = []
    result = train(tiny(), folder, resume=True, notify=told.append)
    return folder, before, told, result


# ---- a run ----------------------------------------------------------------------------------------------------------
def test_a_run_leaves_everything_in_its_folder(finished):
    folder, _, _, result = finished
    names = {path.name for path in folder.iterdir()}
    assert names >= {"config.json", "metrics.csv", "model.zip", "result.json", "learning_curve.png", "checkpoints"}
    saved = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert saved["engine"] == "rllib"
    assert RllibConfig.from_dict(saved["config"]) == run_config(folder)
    assert {"python", "torch", "ray"} <= set(saved["versions"])
    outcome = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert outcome["steps"] == result.steps >= 128
    assert outcome["win_rates"]["uniform"]["share"] == result.win_rates["uniform"].share
    assert len(checkpoints(folder / "checkpoints")) == 2, "only the last ones are kept"


def test_a_resumed_run_goes_on_with_steps_seconds_and_metrics(finished):
    folder, before, told, result = finished
    (reached,) = (load_facts(path) for path in checkpoints(before / "checkpoints"))
    (going_on,) = (news for news in told if isinstance(news, Told) and "going on from" in news.text)
    assert f"({reached['steps']} steps)" in going_on.text
    assert 0 < going_on.fraction < 1
    steps = [row["steps"] for row in read_metrics(folder / "metrics.csv")]
    assert steps == sorted(steps)
    assert steps[:2] == [0, reached["steps"]]
    assert steps[-2:] == [result.steps] * 2, "the last update, and the last evaluation"
    assert result.seconds > reached["seconds"]
    assert [news.final for news in told if isinstance(news, Evaluated)][-1] is True


def test_losses_and_time_are_written_for_every_update(finished):
    rows = [row for row in read_metrics(finished[0] / "metrics.csv") if "share_learning" in row]
    assert len(rows) >= 2
    for row in rows:
        assert {"entropy", "value_loss", "approx_kl", "runners", "restarts"} <= set(row)
        assert row["share_playing"] + row["share_learning"] == pytest.approx(1, abs=0.05)
    assert rows[0]["learning_rate"] > rows[-1]["learning_rate"]


def test_the_model_plays_without_ray(finished):
    path = str(finished[0] / "model.zip")
    agents = [make_agent(path, CARDS, OPTIONS), make_agent("uniform")]
    assert play_match(CARDS, OPTIONS, agents, 10, 0).games == 10
    assert read_description(path)["steps"] == finished[3].steps
    assert run("eval", "card_game-v0", "--agents", f"{path},uniform", "--games", "4").exit_code == 0


def test_a_checkpoint_is_rllibs_own(finished):
    from ray.rllib.core.rl_module.rl_module import RLModule

    (path,) = checkpoints(finished[1] / "checkpoints")
    module = RLModule.from_checkpoint(path / "learner_group" / "learner" / "rl_module" / "shared")
    assert module.model_config["trunk"] == (16,)


@pytest.mark.parametrize("damage", ["changed", "missing"])
def test_a_damaged_checkpoint_is_named(finished, tiny, tmp_path, damage):
    folder = tmp_path / "run"
    shutil.copytree(finished[1], folder)
    (path,) = checkpoints(folder / "checkpoints")
    part = path / "algorithm_state.pkl"
    if damage == "changed":
        part.write_bytes(part.read_bytes() + b"x")
    else:
        part.unlink()
    with pytest.raises(CheckpointError, match=rf"{path.name}: damaged checkpoint .*algorithm_state.*none before it"):
        train(tiny(), folder, resume=True)


def test_what_is_not_whole_is_no_checkpoint(tmp_path):
    (tmp_path / "checkpoint-000000000064.tmp").mkdir()
    assert checkpoints(tmp_path) == []


def test_a_finished_run_stays_as_it_is_and_other_runs_are_refused(finished, tiny):
    folder, _, _, first = finished
    told: list[Any] = []
    assert train(tiny(num_env_runners=2), folder, resume=True, notify=told.append).steps == first.steps
    assert "this run has finished" in told[0].text
    with pytest.raises(OptionError, match="holds a run already"):
        train(tiny(), folder)
    with pytest.raises(OptionError, match=r"gamma=0\.5: a resumed run goes on with 1\.0"):
        train(tiny(gamma=0.5), folder, resume=True)
    with pytest.raises(OptionError, match="engine='sb3': a resumed run goes on with 'rllib'"):
        train(TrainConfig(tiny().env), folder, resume=True)


@pytest.mark.usefixtures("local_ray")
def test_one_policy_a_seat_gives_a_model_a_seat(tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = Path("run")
    config = tiny(policies="seat", shaping=1.0, steps=64, options={"players": 3}, evaluations=0)
    result = train(config, folder)
    assert [path.name for path in models_of(folder)] == [f"model-player_{seat}.zip" for seat in range(3)]
    assert [read_description(path)["seat"] for path in models_of(folder)] == [0, 1, 2]
    assert set(result.win_rates) == {"uniform"}
    options = parse_options(CARDS, {"players": 3})
    agents = [make_agent(str(folder), CARDS, options), make_agent("uniform")]
    assert play_match(CARDS, options, agents, 3, 0).games == 3
    with pytest.raises(OptionError, match="holds a run already"):
        train(config, folder)


@pytest.mark.usefixtures("local_ray")
def test_a_broken_mask_ends_the_run(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("hopenvs.integrations.rllib.masked_logits", lambda logits, legal: logits)
    with pytest.raises(GameError, match=r"illegal actions in .* decisions: masks aren't kept to"):
        train(tiny(), tmp_path / "run")


@pytest.mark.usefixtures("local_ray")
def test_what_can_not_be_leaves_no_folder(tiny, tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(OptionError, match="num_env_runners=1000: expected at most 2"):
        train(tiny(num_env_runners=1000), folder)
    with pytest.raises(OptionError, match="ray_address='somewhere': this process is connected"):
        train(tiny(), folder, ray_address="somewhere")
    with pytest.raises(OptionError, match="only the engine rllib uses Ray"):
        train(TrainConfig(tiny().env), folder, ray_address="somewhere")
    assert not folder.exists()


def test_an_address_without_a_cluster_is_named(monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(OptionError, match=r"ray_address='127\.0\.0\.1:1': no Ray cluster there: .*refused"):
        Cluster("127.0.0.1:1", 1)


# ---- parts ----------------------------------------------------------------------------------------------------------
def test_shaping_adds_up_to_what_the_first_position_was_worth(ids):
    config = {"env": ids["card_game"], "shaping": 0.5, "scale": 2.0}
    bare, shaped = GameMultiAgentEnv({"env": ids["card_game"]}), ShapedMultiAgentEnv(config)
    potential = Potential(CARDS, OPTIONS, 0.5, 2.0)
    draw = np.random.default_rng(0)
    for seed in range(3):
        bare.reset(seed=seed)
        observations, _ = shaped.reset(seed=seed)
        first: dict[str, float] = {}
        paid, over = {"player_0": 0.0, "player_1": 0.0}, False
        payoff: dict[str, float] = {}
        while not over:
            ((agent, seen),) = observations.items()
            seat = shaped.possible_agents.index(agent)
            first.setdefault(agent, float(potential.of(shaped.batch, [0], [seat])[0]))
            action = {agent: int(draw.choice(np.flatnonzero(seen["action_mask"])))}
            _, payoff, *_ = bare.step(action)
            observations, rewards, terminateds, _, _ = shaped.step(action)
            over = terminateds["__all__"]
            for name, reward in rewards.items():
                paid[name] += reward
        for name, value in payoff.items():
            assert paid[name] == pytest.approx(value - first[name], abs=1e-6)


def test_settings_of_the_other_engine_are_refused_by_name(tmp_path):
    out = ("card_game-v0", "--module", f"{GAMES}.card_game", "--out", tmp_path / "run")
    for arguments, told in (
        (("--engine", "rllib", "--set", 'mix={"self": 1}'), "setting 'mix' is one of the engine sb3, not of rllib"),
        (("--engine", "rllib", "--set", "device=cpu"), "setting 'device' is one of the engine sb3, not of rllib"),
        (("--num-env-runners", 2), "setting 'num_env_runners' is one of the engine rllib, not of sb3"),
        (("--policies", "seat"), "setting 'policies' is one of the engine rllib, not of sb3"),
        (("--engine", "rlib"), "--engine 'rlib': expected sb3 or rllib"),
        (("--engine", "rllib", "--policies", "own"), "policies='own': expected 'shared' or 'seat'"),
        (("--ray-address", "x"), "only the engine rllib uses Ray"),
        (("--engine", "rllib", "--set", "batch_size=9999"), "expected at most num_env_runners * num_envs * rollout"),
    ):
        assert told in error_line(run("train", *out, *arguments))
    assert not (tmp_path / "run").exists()


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    for module in ("hopenvs.train.rllib_run", "hopenvs.train.rllib_cluster", "hopenvs.integrations.rllib"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.delattr("hopenvs.train.rllib_run", raising=False)
    result = run("train", "igel_aergern-2p-v0", "--engine", "rllib", "--steps", "1")
    assert error_line(result).startswith("Error: training needs ray")
    assert error_line(result).endswith("pip install 'hopenvs[rllib]'")


# ---- processes ------------------------------------------------------------------------------------------------------
def command(folder, *more, steps=10**6):
    """The command line of a run with an env runner in a process of its own."""
    settings = {**TINY, "num_env_runners": 1, "evaluations": 0, "steps": steps, "num_envs": 2, "rollout": 32}
    words = [f"{name}={json.dumps(value)}" for name, value in settings.items()]
    return [
        *(sys.executable, "-m", "hopenvs", "train", "card_game-v0", "--module", f"{GAMES}.card_game"),
        *("--engine", "rllib", "--out", str(folder), *(word for one in words for word in ("--set", one)), *more),
    ]


def wait_for(condition, process, log):
    """Until something is so, while a process runs."""
    deadline = time.monotonic() + 280
    while not condition():
        assert process.poll() is None, log.read_text(encoding="utf-8")
        assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
        time.sleep(0.2)


def processes_of(root):
    """The processes below one, and what they call themselves (Linux)."""
    parents, names = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            status = (path / "stat").read_text()
            names[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue  # it has ended meanwhile
        parents[int(path.name)] = int(status.rpartition(")")[2].split()[1])
    below: dict[int, str] = {}
    for pid in parents:
        above = pid
        while above in parents and above != root:
            above = parents[above]
        if above == root and pid != root:
            below[pid] = names[pid]
    return below


def updates(folder):
    """How many updates metrics.csv tells of."""
    path = folder / "metrics.csv"
    return sum("share_learning" in row for row in read_metrics(path)) if path.exists() else 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
def test_a_killed_env_runner_is_survived_and_an_interrupted_run_can_be_resumed(tmp_path):
    folder, log = tmp_path / "run", tmp_path / "log"
    with log.open("w") as told:
        process = subprocess.Popen(
            command(folder),
            cwd=ROOT,
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
        )
        try:
            wait_for(lambda: updates(folder) >= 2, process, log)
            runners = [pid for pid, name in processes_of(process.pid).items() if "ray::MultiAgentEnvRunner" in name]
            assert len(runners) == 1
            os.kill(runners[0], signal.SIGKILL)
            wait_for(lambda: "env runners died and were started again: 1" in log.read_text(), process, log)
            reached = updates(folder)
            wait_for(lambda: updates(folder) >= reached + 2, process, log)
            assert [row["restarts"] for row in read_metrics(folder / "metrics.csv") if "restarts" in row][-1] == 1
            below = processes_of(process.pid)
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(120) == 130
        finally:
            process.kill()
            process.wait()
    assert "Interrupted. To go on from the last checkpoint: hopenvs train card_game-v0" in log.read_text()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in below):
        assert time.monotonic() < deadline, "processes of Ray are left over"
        time.sleep(0.2)
    kept = load_facts(checkpoints(folder / "checkpoints")[-1])
    again = subprocess.run(
        command(folder, "--resume", steps=kept["steps"] + 100), cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert f"({kept['steps']} steps)" in again.stderr
    assert (folder / "model.zip").exists()


CLUSTER = """
import json, sys
from ray.cluster_utils import Cluster
from hopenvs import registry
from hopenvs.train import RllibConfig, train
from tests.games_for_tests import card_game
registry.register(card_game)
there = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
cluster = Cluster(initialize_head=True, head_node_args=there)
try:
    train(RllibConfig.from_dict(json.loads(sys.argv[1])), sys.argv[2], ray_address=cluster.address)
finally:
    cluster.shutdown()
"""


@pytest.mark.slow
def test_a_run_on_a_cluster(ids, tmp_path):
    config = RllibConfig(**{"env": ids["card_game"], **TINY, "num_env_runners": 1, "steps": 64})
    code = [sys.executable, "-c", CLUSTER, json.dumps(config.as_dict()), str(tmp_path / "run")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(code, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {row["runners"] for row in read_metrics(tmp_path / "run" / "metrics.csv") if "runners" in row} == {1}
    assert (tmp_path / "run" / "model.zip").exists()
