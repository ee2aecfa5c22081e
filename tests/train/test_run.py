import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hopenvs.agents import make_agent
from hopenvs.agents.match import play_match
from hopenvs.agents.policy import Policy, read_description
from hopenvs.core import jit
from hopenvs.core.errors import OptionError
from hopenvs.core.options import parse_options
from tests.games_for_tests import card_game

torch = pytest.importorskip("torch")
sb3_contrib = pytest.importorskip("sb3_contrib")

from hopenvs.train import train  # noqa: E402
from hopenvs.train.checkpoint import CheckpointError, checkpoints, load_checkpoint  # noqa: E402
from hopenvs.train.config import TrainConfig  # noqa: E402
from hopenvs.train.folder import run_config  # noqa: E402
from hopenvs.train.metrics import read_metrics  # noqa: E402
from hopenvs.train.news import Evaluated, Progress, Told  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CARDS: Any = card_game  # a module, as far as mypy can tell no game
OPTIONS = parse_options(CARDS, {})


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


def weights(folder):
    """The parameters in a run's model."""
    model = sb3_contrib.MaskablePPO.load(folder / "model.zip", device="cpu")
    return {name: tensor.clone() for name, tensor in model.policy.state_dict().items()}


def figures(folder):
    """metrics.csv without what depends on the clock."""
    timed = ("seconds", "steps_per_second")
    rows = read_metrics(folder / "metrics.csv")
    return [{k: v for k, v in row.items() if k not in timed and not k.startswith("share_")} for row in rows]


# ---- a run ----------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def finished(ids, tmp_path_factory):
    """A finished run's folder, and what was told."""
    from tests.train.conftest import TINY

    folder = tmp_path_factory.mktemp("runs") / "one"
    told: list[Any] = []
    result = train(TrainConfig(**{"env": ids["card_game"], **TINY}), folder, notify=told.append)
    return folder, told, result


def test_a_run_leaves_everything_in_its_folder(finished):
    folder, _, result = finished
    names = {path.name for path in folder.iterdir()}
    assert names >= {"config.json", "metrics.csv", "model.zip", "result.json", "learning_curve.png", "checkpoints"}
    assert (folder / "learning_curve.png").read_bytes()[:4] == b"\x89PNG"
    assert len(checkpoints(folder / "checkpoints")) == 2, "only the last ones are kept"
    saved = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert TrainConfig.from_dict(saved["config"]) == run_config(folder)
    assert {"hopenvs", "torch", "sb3_contrib", "python"} <= set(saved["versions"])
    outcome = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert outcome["steps"] == result.steps == 256
    assert outcome["win_rates"]["uniform"]["share"] == result.win_rates["uniform"].share
    assert sum(outcome["shares_of_time"].values()) == pytest.approx(1, abs=0.01)
    assert outcome["steps_per_second"] > 0


def test_tensorboard_gets_scalars(finished):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    (events,) = (finished[0] / "tensorboard").iterdir()
    found = accumulator.EventAccumulator(str(events))
    found.Reload()
    assert {"evaluation/uniform", "run/reward", "training/self", "share/learning"} <= set(found.Tags()["scalars"])
    assert [event.step for event in found.Scalars("run/entropy")] == [64, 128, 192, 256]


def test_a_row_is_written_for_every_update_and_evaluation(finished):
    rows = read_metrics(finished[0] / "metrics.csv")
    assert [row["steps"] for row in rows] == [0, 64, 128, 192, 256, 256]
    evaluated = [row["steps"] for row in rows if "uniform" in row]
    assert evaluated[0] == 0, "the curve begins before learning"
    assert evaluated[-1] == 256
    assert len(evaluated) == 4
    for row in rows:
        if "uniform" in row:
            assert row["uniform_low"] <= row["uniform"] <= row["uniform_high"]
    assert rows[1]["learning_rate"] > rows[-2]["learning_rate"]
    assert rows[-1]["games"] > 10


def test_listeners_hear_of_progress_and_evaluations(finished):
    told = finished[1]
    progress = [news for news in told if isinstance(news, Progress)]
    evaluated = [news for news in told if isinstance(news, Evaluated)]
    assert [news.fraction for news in progress] == [0.25, 0.5, 0.75, 1.0]
    assert [news.final for news in evaluated] == [False, False, False, True]
    assert all(set(news.win_rates) == {"uniform"} for news in evaluated)


def test_plain_stable_baselines_and_the_safe_loader_read_the_model_alike(finished):
    folder = finished[0]
    model = sb3_contrib.MaskablePPO.load(folder / "model.zip", device="cpu")
    agent = make_agent(str(folder / "model.zip"), CARDS, OPTIONS)
    assert isinstance(agent, Policy)
    size = read_description(folder / "model.zip")["observation_size"]
    observations = np.random.default_rng(0).integers(0, 3, (200, size)).astype(np.int8)
    masks = np.ones((200, 6), np.int8)
    masks[:, 1] = 0
    rest: Any = {"states": masks, "seats": np.zeros(200, np.int32), "streams": np.zeros((200, 4), np.uint32)}
    expected, _ = model.predict(observations, action_masks=masks != 0, deterministic=True)
    np.testing.assert_array_equal(agent.act(observations, masks, **rest), expected)


def test_the_model_plays(finished):
    path = str(finished[0] / "model.zip")
    agents = [make_agent(path, CARDS, OPTIONS), make_agent("uniform")]
    assert play_match(CARDS, OPTIONS, agents, 10, 0).games == 10
    description = read_description(path)
    assert (description["steps"], description["seed"]) == (256, 3)


# ---- the same again -------------------------------------------------------------------------------------------------
def test_the_same_seed_gives_the_same_run_and_another_another(finished, tiny, tmp_path):
    torch.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002
    train(tiny(), tmp_path / "again")
    train(tiny(seed=4), tmp_path / "other")
    torch.testing.assert_close(weights(finished[0]), weights(tmp_path / "again"), rtol=0, atol=0)
    assert figures(finished[0]) == figures(tmp_path / "again")
    different = weights(tmp_path / "other")
    assert any(not torch.equal(tensor, different[name]) for name, tensor in weights(finished[0]).items())


@pytest.mark.parametrize("updates", [1, 2, 3])
def test_an_interrupted_run_that_is_resumed_is_the_run_without_interruption(finished, tiny, tmp_path, updates):
    folder = tmp_path / "run"
    with pytest.raises(Stopped):
        train(tiny(), folder, notify=stop_after(updates))
    assert not (folder / "model.zip").exists()
    told: list[Any] = []
    train(tiny(), folder, resume=True, notify=told.append)
    assert any(isinstance(news, Told) and f"({64 * updates} steps)" in news.text for news in told)
    torch.testing.assert_close(weights(finished[0]), weights(folder), rtol=0, atol=0)
    assert figures(finished[0]) == figures(folder)


def test_a_run_interrupted_before_its_first_checkpoint_begins_afresh(finished, tiny, tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(Stopped):
        train(tiny(), folder, notify=stop_after(0))
    train(tiny(), folder, resume=True)
    assert figures(finished[0]) == figures(folder)


def test_of_the_first_update_no_speed_is_told_as_it_compiles(tiny, tmp_path):
    result = train(tiny(steps=64), tmp_path / "run")
    assert (result.steps_per_second, dict(result.shares)) == (0, {})


def contents(folder):
    """Every file of a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("again", [{}, {"steps": 128}])
def test_a_finished_run_that_is_resumed_for_nothing_more_stays_as_it_is(tiny, tmp_path, again):
    """100 steps are 128, as an update has 64."""
    folder = tmp_path / "run"
    first = train(tiny(steps=100), folder)
    before = contents(folder)
    told: list[Any] = []
    result = train(tiny(**{"steps": 100, **again}), folder, resume=True, notify=told.append)
    assert "this run has finished" in told[0].text
    assert len(told) == 1
    assert contents(folder) == before
    assert (result.steps, result.win_rates) == (first.steps, first.win_rates)


def test_a_run_can_not_be_made_shorter_than_it_is(interrupted, tiny, tmp_path):
    with pytest.raises(OptionError, match="steps=64: the run has taken 192 already"):
        train(tiny(steps=64), interrupted, resume=True)
    rewritten(checkpoints(interrupted / "checkpoints")[-1], seconds=600.0)
    with pytest.raises(OptionError, match=r"minutes=0\.01: the run has taken 10\.0 already"):
        train(tiny(steps=None, minutes=0.01), interrupted, resume=True)
    folder = tmp_path / "finished"
    train(tiny(steps=128), folder)
    with pytest.raises(OptionError, match="steps=64: the run has taken 128 already"):
        train(tiny(steps=64), folder, resume=True)


def test_a_prolonged_run_that_is_interrupted_has_not_finished(tiny, tmp_path):
    folder = tmp_path / "run"
    train(tiny(steps=64), folder)
    with pytest.raises(Stopped):
        train(tiny(steps=256), folder, resume=True, notify=stop_after(1))
    assert train(tiny(steps=256), folder, resume=True).steps == 256


def test_a_resumed_run_says_where_it_stands(interrupted, tiny):
    told: list[Any] = []
    train(tiny(), interrupted, resume=True, notify=told.append)
    assert next(news.fraction for news in told if isinstance(news, Told)) == 0.75
    assert [news.fraction for news in told if isinstance(news, Progress)] == [1.0]


def test_a_finished_run_can_be_prolonged(tiny, tmp_path):
    folder = tmp_path / "run"
    train(tiny(steps=128), folder)
    result = train(tiny(steps=256), folder, resume=True)
    assert result.steps == 256
    assert run_config(folder).steps == 256
    assert [row["steps"] for row in read_metrics(folder / "metrics.csv")][-1] == 256


def test_a_run_of_a_simultaneous_game_and_of_several_seats(ids, tiny, tmp_path):
    assert train(tiny(env=ids["tick_game"]), tmp_path / "ticks").steps == 256
    assert train(tiny(options={"players": 4}, reward="rank"), tmp_path / "four").steps == 256


@pytest.mark.parametrize(("trunk", "heads"), [((), ()), ((), (8,)), ((8, 6), (5, 4))])
def test_networks_of_any_depth_are_read_back(tiny, tmp_path, trunk, heads):
    train(tiny(steps=64, trunk=trunk, heads=heads, activation="tanh"), tmp_path / "run")
    model = sb3_contrib.MaskablePPO.load(tmp_path / "run" / "model.zip", device="cpu")
    agent: Any = make_agent(str(tmp_path / "run" / "model.zip"), CARDS, OPTIONS)
    observations = np.random.default_rng(0).integers(0, 3, (50, 21)).astype(np.int8)
    logits = model.policy.get_distribution(torch.from_numpy(observations)).distribution.logits
    torch.testing.assert_close(torch.log_softmax(agent.logits(observations), 1), logits, check_stride=False)


@pytest.mark.skipif(jit.BACKEND == "plain", reason="many games of a greedy player")
def test_a_shaped_run_against_greedy_measured_against_it(tiny, tmp_path):
    mix = {"self": 1.0, "greedy": 1.0}
    result = train(tiny(shaping=1.0, mix=mix, yardsticks=("greedy", "uniform")), tmp_path / "run")
    assert set(result.win_rates) == {"greedy", "uniform"}


def test_a_run_of_so_many_minutes_ends_in_time(tiny, tmp_path):
    train(tiny(steps=64), tmp_path / "compiled")
    began = time.perf_counter()
    result = train(tiny(steps=None, minutes=0.05), tmp_path / "run")
    assert time.perf_counter() - began < 30
    assert result.steps > 0
    assert result.seconds < 30


def test_a_new_run_learns_however_short_it_is_and_one_without_time_says_so(tiny, tmp_path):
    told: list[Any] = []
    config = tiny(steps=None, minutes=0.01)
    result = train(config, tmp_path / "run", notify=told.append)
    assert result.steps > 0
    assert [row["steps"] for row in read_metrics(tmp_path / "run" / "metrics.csv")].count(0) == 1
    assert not any("no time" in news.text for news in told if isinstance(news, Told))
    steps = result.steps
    for _ in range(20):  # an update or two may still fit into what is left
        (tmp_path / "run" / "result.json").unlink()
        again = train(config, tmp_path / "run", resume=True, notify=told.append)
        without_time = any("no time to learn more" in news.text for news in told if isinstance(news, Told))
        assert again.steps == steps if without_time else again.steps > steps
        if without_time:
            return
        steps = again.steps
    raise AssertionError("there is always some time left")


# ---- killed ---------------------------------------------------------------------------------------------------------
CODE = """
import sys, json
from hopenvs import registry
from hopenvs.train import TrainConfig, train
from tests.games_for_tests import card_game
registry.register(card_game)
train(TrainConfig.from_dict(json.loads(sys.argv[1])), sys.argv[2], resume=sys.argv[3] == "resume")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_run_killed_in_mid_training_goes_on_from_its_last_checkpoint(tiny, tmp_path):
    config = tiny(steps=64 * 400, evaluations=0, snapshots=4)
    folder = tmp_path / "run"
    command = [sys.executable, "-c", CODE, json.dumps(config.as_dict()), str(folder), "start"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 200
        while len(checkpoints(folder / "checkpoints")) < 2:
            assert process.poll() is None, "it ended by itself"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    assert not (folder / "model.zip").exists()
    reached = load_checkpoint(checkpoints(folder / "checkpoints")[-1]).facts["steps"]
    shorter = tiny(steps=reached + 128, evaluations=0, snapshots=4)
    result = train(shorter, folder, resume=True)
    assert result.steps == reached + 128
    steps = [row["steps"] for row in read_metrics(folder / "metrics.csv")]
    assert steps == [0, *range(64, reached + 129, 64), reached + 128], "the curve goes on without a gap or an overlap"


# ---- never begun ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("device", ["foo", "cuda", "meta", "auto"])
def test_a_device_that_isnt_there_leaves_no_folder(tiny, tmp_path, device):
    if device == "cuda" and torch.cuda.is_available():
        pytest.skip("this machine has a CUDA device")
    with pytest.raises(OptionError, match=f"device='{device}': "):
        train(tiny(device=device), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_that_failed_before_its_first_checkpoint_can_be_begun_again(finished, tiny, tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(Stopped):
        train(tiny(seed=99), folder, notify=stop_after(0))
    train(tiny(), folder)
    assert figures(finished[0]) == figures(folder)
    assert run_config(folder).seed == 3


# ---- what is refused ------------------------------------------------------------------------------------------------
@pytest.fixture
def interrupted(tiny, tmp_path):
    """The folder of a run with two checkpoints and no end."""
    folder = tmp_path / "run"
    with pytest.raises(Stopped):
        train(tiny(), folder, notify=stop_after(3))
    return folder


def replace_entry(path, entry, change):
    """Write a checkpoint anew with an entry changed."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, change(content) if name == entry else content)


def rewritten(path, **facts):
    """Change what a checkpoint says about itself."""
    replace_entry(path, "checkpoint.json", lambda content: json.dumps(json.loads(content) | facts))


def pickled(path):
    """Put an object of Python's among a checkpoint's tensors."""
    content = io.BytesIO()
    torch.save({"policy": Path("x")}, content)
    replace_entry(path, "tensors.pth", lambda _: content.getvalue())


def test_a_checkpoint_of_another_run_is_refused(interrupted, tiny, tmp_path):
    """The same settings, so that nothing but the run itself differs."""
    other = tmp_path / "other"
    with pytest.raises(Stopped):
        train(tiny(), other, notify=stop_after(3))
    ours, theirs = (checkpoints(folder / "checkpoints")[-1] for folder in (interrupted, other))
    ids = [json.loads((folder / "config.json").read_text())["run"] for folder in (other, interrupted)]
    ours.write_bytes(theirs.read_bytes())
    with pytest.raises(CheckpointError, match=f"{ours.name}: is of the run {ids[0]}, but .* of the run {ids[1]}"):
        train(tiny(), interrupted, resume=True)


def test_a_checkpoint_called_as_another_is_refused(interrupted, tiny):
    before, last = checkpoints(interrupted / "checkpoints")
    last.write_bytes(before.read_bytes())
    with pytest.raises(CheckpointError, match=f"{last.name}: holds the state after 128 steps, .* {before.name}"):
        train(tiny(), interrupted, resume=True)
    rewritten(last, steps="many")
    with pytest.raises(CheckpointError, match="holds the state after 'many' steps"):
        train(tiny(), interrupted, resume=True)


def test_settings_that_were_edited_in_the_folder_are_found_out(interrupted, tiny):
    path = interrupted / "config.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["config"]["seed"] = 8
    path.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"was trained with seed=3, but config\.json says 8"):
        train(tiny(seed=8), interrupted, resume=True)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "Expecting value"),
        (b"\xff", "codec"),
        (b"[]", "list indices"),
        (b"{}", "'run' is missing"),
        (b'{"run": "a"}', "'config' is missing"),
        (b'{"run": "a", "config": {}}', "'env'"),
        (b'{"run": "a", "config": 5}', "int"),
        (b'{"run": "a", "config": {"env": "x", "trunk": 5}}', "trunk=5"),
    ],
)
def test_broken_settings_name_their_file(tmp_path, content, told):
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(OptionError, match=rf"config\.json: .*{told}"):
        run_config(tmp_path)


def test_a_broken_result_names_its_file(tiny, tmp_path):
    folder = tmp_path / "run"
    train(tiny(steps=64), folder)
    (folder / "result.json").write_text("{}")
    with pytest.raises(OptionError, match=r"result\.json: damaged"):
        train(tiny(steps=64), folder, resume=True)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "objects"])
def test_a_damaged_checkpoint_is_named_with_a_way_out(interrupted, tiny, damage):
    before, last = checkpoints(interrupted / "checkpoints")
    content = bytearray(last.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flipped":
        content[len(content) // 2] ^= 1
    else:
        content = bytearray(b"" if damage == "empty" else b"no checkpoint")
    last.write_bytes(before.read_bytes() if damage == "objects" else content)
    if damage == "objects":
        pickled(last)
    with pytest.raises(
        CheckpointError, match=f"{last.name}: damaged checkpoint .*remove it .*{before.name}"
    ) as refused:
        train(tiny(), interrupted, resume=True)
    assert "weights_only" not in str(refused.value), "PyTorch's advice: to run the code"
    last.unlink()
    assert train(tiny(), interrupted, resume=True).steps == 256


def test_the_only_checkpoint_damaged_says_that_there_is_none_before_it(interrupted, tiny):
    before, last = checkpoints(interrupted / "checkpoints")
    before.unlink()
    last.write_bytes(b"PK")
    with pytest.raises(CheckpointError, match="there is none before it"):
        train(tiny(), interrupted, resume=True)


def test_an_unfinished_checkpoint_is_no_checkpoint(interrupted, tiny):
    (interrupted / "checkpoints" / "checkpoint-000000000999.zip.tmp").write_bytes(b"half")
    train(tiny(), interrupted, resume=True)
    assert not list((interrupted / "checkpoints").glob("*.tmp"))


def test_a_resumed_run_keeps_its_settings(interrupted, tiny):
    with pytest.raises(OptionError, match=r"learning_rate=0\.1: a resumed run goes on with 0\.006"):
        train(tiny(learning_rate=0.1), interrupted, resume=True)


def test_a_folder_with_a_run_is_not_overwritten(interrupted, tiny, tmp_path):
    with pytest.raises(OptionError, match="holds a run already"):
        train(tiny(), interrupted)
    with pytest.raises(OptionError, match="there is no run to resume"):
        train(tiny(), tmp_path / "nowhere", resume=True)


def test_impossible_settings_leave_no_folder(tiny, tmp_path):
    with pytest.raises(OptionError, match="reward='rank2'"):
        train(tiny(reward="rank2"), tmp_path / "run")
    with pytest.raises(OptionError, match="unknown option 'cards'"):
        train(tiny(options={"cards": 2}), tmp_path / "run")
    assert not (tmp_path / "run").exists()
