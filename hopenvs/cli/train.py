"""`hopenvs train`: an agent learns by playing against itself."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from hopenvs import registry
from hopenvs.cli import cold, interrupts, terminal
from hopenvs.cli.arguments import LARGEST_SEED, Env, Modules, Options, read_keywords, read_options, register_modules
from hopenvs.core.errors import OptionError

if TYPE_CHECKING:
    from hopenvs.agents.match import Interval
    from hopenvs.train.config import RunConfig
    from hopenvs.train.folder import TrainResult

EXAMPLES = (
    "hopenvs train igel_aergern-2p-v0",
    "hopenvs train igel_aergern-2p-v0 --minutes 30 --out runs/long --seed 3",
    "hopenvs train igel_aergern-2p-v0 --out runs/long --resume",
    "hopenvs train igel_aergern-4p-v0 --option anarchy=true --steps 2000000 --set learning_rate=0.001",
    "hopenvs train igel_aergern-4p-v0 --engine rllib --num-env-runners 8 --policies seat",
)
RUNS = "runs"


def command(
    env: Env,
    minutes: Annotated[float | None, typer.Option("--minutes", help="How long, all in all (4.5).")] = None,
    steps: Annotated[
        int | None, typer.Option("--steps", help="Instead: how many decisions of the learner; repeatable by its seed.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=LARGEST_SEED, help="Of all that is random (0).")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FOLDER", help=f"The run's folder ({RUNS}/ENV).")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the folder's last checkpoint.")] = False,
    num_envs: Annotated[int | None, typer.Option("--num-envs", min=1, help="Games side by side.")] = None,
    option: Options = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of hopenvs/train/config.py, as JSON. Repeatable."),
    ] = None,
    module: Modules = None,
    engine: Annotated[
        str | None,
        typer.Option("--engine", help="The library that learns: sb3 (Stable-Baselines3, the usual) or rllib."),
    ] = None,
    num_env_runners: Annotated[
        int | None,
        typer.Option("--num-env-runners", min=0, help="rllib: processes that play (2); 0 for none but this."),
    ] = None,
    policies: Annotated[
        str | None, typer.Option("--policies", help="rllib: shared (one network for all seats) or seat (one each).")
    ] = None,
    ray_address: Annotated[
        str | None, typer.Option("--ray-address", help="rllib: of a Ray cluster; by default Ray is started here.")
    ] = None,
) -> None:
    """Train an agent.

    It plays against itself, snapshots of itself and simple players, learns by MaskablePPO (Stable-Baselines3), and is
    measured now and then against `uniform` and `greedy`. The folder gets model.zip (an agent for the other commands),
    metrics.csv, learning_curve.png, config.json, TensorBoard's files and checkpoints. After an interruption --resume
    goes on from the last checkpoint; with other --minutes or --steps it goes on for longer.

    With --engine rllib it plays against itself alone, in several processes, and learns by RLlib's PPO; with --policies
    seat the folder gets model-player_0.zip and so on, a model for each seat; as an agent the folder plays them all.
    """
    from hopenvs.train import load_engine, train
    from hopenvs.train.config import TrainConfig

    kind = _kind(engine or TrainConfig.ENGINE)
    load_engine(kind.ENGINE)
    import hopenvs.train.folder as on_disk

    register_modules(module)
    name = registry.entry_of(env).id
    folder = Path(out) if out is not None else Path(RUNS) / name
    flags: dict[str, Any] = {"env": name, "options": read_options(option) or None}
    flags |= {"minutes": minutes, "steps": steps, "seed": seed, "num_envs": num_envs}
    flags |= {"num_env_runners": num_env_runners, "policies": policies}
    given = _united(flags, read_keywords(setting, "--set", "learning_rate=0.001"))
    if resume:
        config = _resumed(on_disk.run_config(folder), given, folder, engine)
    else:
        config = kind.from_dict(given)
    game, options = registry.resolve(config.env, config.options)
    cold.announce(game)
    own = shlex.join(word for one in module or () for word in ("--module", one))
    with interrupts.kept() as look, Shown(config.env) as shown:

        def notify(news: Any) -> None:
            look()
            shown.news(news)

        try:
            result = train(config, folder, resume=resume, notify=notify, ray_address=ray_address)
        except KeyboardInterrupt:
            there = f"--ray-address {shlex.quote(ray_address)}" if ray_address is not None else ""
            again = f"{terminal.program()} train {env} --out {shlex.quote(str(folder))} --resume"
            again = " ".join(filter(None, (again, there, own)))
            if on_disk.has_checkpoint(folder):
                shown.say(f"Interrupted. To go on from the last checkpoint: {again}")
            else:
                shown.say("Interrupted before the first checkpoint: the same command begins afresh, as would --resume")
            raise typer.Exit(130) from None
    _tell(result, config, game.spec(options).num_players, own)


def _united(flags: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings given, by flags of their own or by --set.

    Raises:
        OptionError: if a flag says one thing and --set another.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    for name, value in settings.items():
        if given.get(name, value) != value:
            raise OptionError(f"--set {name}={value!r} contradicts {given[name]!r}, which is given beside it")
    return {**given, **settings}


def _kind(engine: str) -> type[RunConfig]:
    """The settings of an engine.

    Raises:
        OptionError: for an unknown one.
    """
    from hopenvs.train.config import ENGINES

    if engine not in ENGINES:
        raise OptionError(f"--engine {engine!r}: expected {' or '.join(ENGINES)}")
    return ENGINES[engine]


def _resumed(before: RunConfig, given: Mapping[str, Any], folder: Path, engine: str | None) -> RunConfig:
    """The settings of the run that is resumed, with a longer time if one is given."""
    if engine is not None and _kind(engine) is not type(before):
        raise OptionError(f"{folder}: --engine {engine}: the run there is one of {before.ENGINE}")
    if before.env != given["env"]:
        raise OptionError(f"{folder}: holds a run of {before.env}, not of {given['env']}")
    length = {"minutes": None, "steps": None} if "minutes" in given or "steps" in given else {}
    return type(before).from_dict({**before.as_dict(), **length, **given})


class Shown:
    """What a run says, on stderr: a line for every evaluation, and in a terminal a bar below with the latest figures.

    Args:
        env: the id.
    """

    def __init__(self, env: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.table import Column

        # The figures take what is left of the line: in 80 columns room for two win rates.
        figures = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
        self._bar = Progress(
            *(BarColumn(10), TaskProgressColumn(), TimeRemainingColumn(), figures),
            expand=True,
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not terminal.is_terminal(sys.stderr),
        )
        self._task = self._bar.add_task(f"training {env}", total=1.0)
        self._rates = ""

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def say(self, text: str) -> None:
        """A line."""
        if self._bar.disable:
            terminal.remark(text)
        else:
            self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def news(self, news: Any) -> None:
        """Show what has happened."""
        from hopenvs.train.news import Evaluated, Progress

        if isinstance(news, Progress):
            text = f"{_short(news.steps)} decisions, {_short(news.steps_per_second)}/s{self._rates}"
            self._bar.update(self._task, completed=news.fraction, description=text)
        elif isinstance(news, Evaluated):
            self._rates = "".join(f", {name} {100 * rate.share:.0f} %" for name, rate in news.win_rates.items())
            what = "last evaluation" if news.final else f"{news.steps:>10,} decisions"
            self.say(f"{what}: wins {_in_words(news.win_rates)}")
        else:
            if news.fraction:
                self._bar.update(self._task, completed=news.fraction)
            self.say(news.text)


def _short(count: float) -> str:
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f}"


def _in_words(rates: Mapping[str, Interval]) -> str:
    return ", ".join(f"{rate} against {name}" for name, rate in rates.items())


def _tell(result: TrainResult, config: RunConfig, players: int, own: str) -> None:
    """The outcome on stdout; `own` registers games of one's own in commands to come."""
    fair = f" (of {players} players, a fair share is {100 / players:.1f} %)" if players > 2 else ""
    for name, rate in result.win_rates.items():
        print(f"wins against {name}: {rate}{fair}")
    print(f"trained for {result.steps:,} decisions in {result.seconds:.0f} s{_speed(result)}")
    print(f"folder: {result.folder}")
    values = {key: value if isinstance(value, str) else json.dumps(value) for key, value in config.options.items()}
    options = shlex.join(word for key, value in values.items() for word in ("--option", f"{key}={value}"))
    agents = shlex.quote(f"{result.folder},greedy")
    print(" ".join(filter(None, (f"next: {terminal.program()} eval", config.env, "--agents", agents, options, own))))


def _speed(result: TrainResult) -> str:
    if not result.steps_per_second:
        return ""
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in result.shares.items())
    return f"; {result.steps_per_second:,.0f} a second ({shares}), compiling and evaluations not counted"
