"""Baselines: what is trained and rated for everybody to compare with, fixed before any of it has run.

The plan is data (`Plan`). Its work lies in a folder of its own and can be interrupted at any time: a run's folder
`<id>/seed-<k>/` is one of `hopenvs train` (`folder.py`), the ladder's `<id>/arena/` one of `hopenvs arena`
(`arena_folder.py`), and both go on where they were. Whatever lies there already has to be what the plan asks for.

>>> plan = Plan(ids=("igel_aergern-2p-v0",))
>>> for run in unfinished_runs(plan, "baselines"):
...     train_run(run)
>>> for env_id in plan.ids:
...     prepare_ladder(plan, "baselines", env_id).play()
>>> write_results(plan, "baselines", "benchmarks/results")  # baselines_report.py
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hopenvs import registry
from hopenvs.agents.specs import MODEL
from hopenvs.core.errors import OptionError
from hopenvs.train import arena_folder, ladder
from hopenvs.train.arena import Arena, prepare, tables_of, whole_rotations
from hopenvs.train.arena_folder import ArenaConfig, check_resumed, digest_of
from hopenvs.train.config import TrainConfig
from hopenvs.train.folder import CONFIG, TrainResult, finished, run_config

if TYPE_CHECKING:
    from hopenvs.train.news import News

DEFAULT_SET = (
    "igel_aergern-2p-v0",
    "igel_aergern-4p-v0",
    "hooop-2p-v0",
    "hooop-3p-v0",
    "hooop-4p-v0",
    "hedgehog_hop-2p-v0",
    "hedgehog_hop-puzzler-4p-v0",
    "hedgehog_hop-battle-3p-v0",
    "hedgehog_hop-battle-5p-v0",
    "hop-4p-sampled-v0",
    "hexx_hopp-2p-1r-v0",
    "hexx_hopp-4p-1r-v0",
)
SEEDS_OF_TWO, SEEDS_OF_MORE = (0, 1, 2), (0,)  # by the number of players
TRAINED = "trained"  # what a ladder calls a model
ARENA = "arena"  # a ladder's folder


@dataclass(frozen=True)
class Plan:
    """What is trained and rated.

    Attributes:
        ids: of which games.
        settings: of all runs, beside id and seed; the rest of `TrainConfig` stays as it is.
        seeds: a run for each; None for `SEEDS_OF_TWO` with two players and `SEEDS_OF_MORE` with more.
        agents: whom a ladder rates, beside the models (`agents/specs.py`).
        games: of every pair, at least (`arena.prepare`).
        first_seed: of a ladder's games.
    """

    ids: Sequence[str] = DEFAULT_SET
    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({"minutes": 10.0}))
    seeds: Sequence[int] | None = None
    agents: Sequence[str] = ("uniform", "greedy", "mcts:100", "mcts:400")
    games: int = 200
    first_seed: int = 60_000_000

    def __post_init__(self) -> None:
        ids = tuple(registry.entry_of(env_id).id for env_id in self.ids)
        if not ids or len(set(ids)) < len(ids):
            raise OptionError(f"ids={list(self.ids)}: expected one or more, each once")
        object.__setattr__(self, "ids", ids)
        if self.seeds is not None and not self.seeds:
            raise OptionError("seeds=[]: expected one or more")
        if self.games < 1:
            raise OptionError(f"games={self.games!r}: expected 1 or more")

    @property
    def changes(self) -> dict[str, Any]:
        """What differs from the plan as it is, JSON-able."""
        usual = _as_json(Plan())
        return {name: value for name, value in _as_json(self).items() if value != usual[name]}

    def seeds_of(self, env_id: str) -> tuple[int, ...]:
        """The seeds of the runs of an id."""
        if self.seeds is not None:
            return tuple(self.seeds)
        return SEEDS_OF_TWO if players_of(env_id) == 2 else SEEDS_OF_MORE


def _as_json(plan: Plan) -> dict[str, Any]:
    values = {f.name: getattr(plan, f.name) for f in dataclasses.fields(plan)}
    return json.loads(json.dumps(values | {"settings": dict(plan.settings)}))


def players_of(env_id: str) -> int:
    """How many sit at an id's table."""
    game, options = registry.resolve(env_id, {})
    return game.spec(options).num_players


# ---- training -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class PlannedRun:
    """A run of a plan.

    Attributes:
        config: its settings.
        folder: where it lies.
        name: what the ladder calls its model.
    """

    config: TrainConfig
    folder: Path
    name: str

    @property
    def result(self) -> TrainResult | None:
        """What it came to; None if it hasn't finished."""
        if not (self.folder / MODEL).exists():
            return None
        return finished(self.folder, self.config, self.config)


def runs_of(plan: Plan, work: str | Path, env_id: str) -> list[PlannedRun]:
    """The runs of an id, a seed each.

    Args:
        plan: what is trained.
        work: the folder of all runs.
        env_id: the id.

    Raises:
        OptionError: for an impossible setting, or a folder that holds a run of other settings.
    """
    seeds = plan.seeds_of(env_id)
    runs = []
    for seed in seeds:
        config = TrainConfig.from_dict({**plan.settings, "env": env_id, "seed": seed})
        name = TRAINED if len(seeds) == 1 else f"{TRAINED}:{seed}"
        runs.append(PlannedRun(config, Path(work) / env_id / f"seed-{seed}", name))
        _check_run(runs[-1])
    return runs


def _check_run(run: PlannedRun) -> None:
    """Refuse what lies in a run's folder if it's of another run."""
    if not (run.folder / CONFIG).exists():
        return
    wanted, found = run.config.as_dict(), run_config(run.folder).as_dict()
    for name, value in wanted.items():
        if found.get(name) != value:
            raise OptionError(f"{run.folder}: holds a run with {name}={found.get(name)!r}: the plan says {value!r}")


def all_runs(plan: Plan, work: str | Path) -> list[PlannedRun]:
    """The runs of all ids (`runs_of`)."""
    return [run for env_id in plan.ids for run in runs_of(plan, work, env_id)]


def train_run(run: PlannedRun, notify: Callable[[News], Any] | None = None) -> TrainResult:
    """Train, or go on from the last checkpoint.

    Args:
        run: what is to be done.
        notify: is told what happens.
    """
    from hopenvs.train.run import train

    return train(run.config, run.folder, resume=(run.folder / CONFIG).exists(), notify=notify)


# ---- rating ---------------------------------------------------------------------------------------------------------
def ladder_folder(work: str | Path, env_id: str) -> Path:
    """Where the ladder of an id lies."""
    return Path(work) / env_id / ARENA


def ladder_agents(plan: Plan, work: str | Path, env_id: str) -> dict[str, str]:
    """Whom the ladder of an id rates: by name a word, or a run's folder."""
    models = {run.name: str(run.folder) for run in runs_of(plan, work, env_id)}
    return {**{word: word for word in plan.agents}, **models}


def prepare_ladder(plan: Plan, work: str | Path, env_id: str) -> Arena:
    """The arena of an id whose runs have finished, to be played, or played on.

    Raises:
        OptionError: for a run that hasn't finished, or an arena of another plan or of other models.
    """
    folder = ladder_folder(work, env_id)
    resume = (folder / arena_folder.CONFIG).exists()
    agents = ladder_agents(plan, work, env_id)
    return prepare(env_id, agents, plan.games, plan.first_seed, folder=folder, resume=resume)


def finished_ladder(plan: Plan, work: str | Path, env_id: str) -> dict[str, Any] | None:
    """The result.json of an id's arena; None if not all of its games have been played.

    Raises:
        OptionError: for an arena of another plan or of other models, or one that is damaged.
    """
    folder = ladder_folder(work, env_id)
    if not (folder / ladder.RESULT).exists():
        return None
    played = arena_folder.read_config(folder)
    digests = {name: digest_of(agent) for name, agent in ladder_agents(plan, work, env_id).items()}
    games = whole_rotations(plan.games, tables_of(players_of(env_id)))
    check_resumed(folder, played, ArenaConfig(env_id, played.options, plan.first_seed, games, digests))
    result = read_json(folder / ladder.RESULT)
    try:
        rated, count = [agent["agent"] for agent in result["agents"]], int(result["games_per_pair"])
    except (KeyError, TypeError, ValueError) as error:
        raise OptionError(f"{folder / ladder.RESULT}: damaged: {error!r}") from None
    return result if set(rated) == set(digests) and count == games else None


def read_json(path: Path) -> Any:
    """What a JSON file holds.

    Raises:
        OptionError: if it can't be read as JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise OptionError(f"{path}: damaged: {error}") from None
