"""`hopenvs eval`: how often each of some players wins, seats rotated."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import Env, Modules, Options, Seed, read_options, register_modules
from hopenvs.cli.players import Trust, load_agents

if TYPE_CHECKING:
    from hopenvs.agents.match import Match

EXAMPLES = (
    "hopenvs eval igel_aergern-2p-v0 --agents greedy,uniform",
    "hopenvs eval igel_aergern-2p-v0 --agents runs/igel_aergern-2p-v0,greedy --games 4000 --seed 7",
    "hopenvs eval igel_aergern-4p-v0 --agents greedy,uniform --games 400 --json",
)

MOST_GAMES = 10_000_000  # results of all are kept in memory
FIGURES = ("agent", "games", "wins %", "from", "to", "reward", "rank")
FIGURES_WIDTH = 52  # of its table without the agents' names; that of up to six seats is narrower


def command(
    env: Env,
    agents: Annotated[
        str,
        typer.Option(
            "--agents",
            metavar="A,B,..",
            help="uniform, greedy, or the path of a model or of a run: at most one a seat, the last takes the rest.",
        ),
    ] = "greedy,uniform",
    games: Annotated[
        int, typer.Option("--games", min=1, max=MOST_GAMES, help="How many, brought up to a multiple of seats.")
    ] = 1000,
    seed: Seed = 0,
    option: Options = None,
    reward: Annotated[str, typer.Option("--reward", metavar="win|rank|score", help="How a game pays.")] = "win",
    trust: Trust = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    module: Modules = None,
) -> None:
    """Let agents play many games.

    Seats rotate: everybody plays each seat equally often. Shares of wins are those of one seat: with P seats, 1/P is a
    fair share, also for an agent that has several. A shared win counts in parts. The interval beside it is Wilson's,
    for 95 %, with the game as the trial. In a pipe each agent is a line: name, games, share of wins, its lower and
    upper bound, mean reward, mean rank, and the share of wins from each seat.
    """
    from hopenvs.train.evaluate import evaluate

    register_modules(module)
    names = [name.strip() for name in agents.split(",") if name.strip()]
    keywords = read_options(option)
    game, options = registry.resolve(env, keywords)
    players = game.spec(options).num_players
    made = load_agents(names, game, options, trust=trust, people=False)
    cold.announce(game)
    with terminal.progress(f"playing {env}", -(-games // players) * players, shown=not json) as advance:
        match = evaluate(env, made, games, seed, options=keywords, reward=reward, progress=lambda n: advance(n, ""))
    if json:
        terminal.as_json({"env": registry.entry_of(env).id, "options": keywords, "seed": seed} | match.as_dict())
        return
    _tell(match, players)
    if match.truncated:
        terminal.remark(f"{match.truncated} of {match.games} games were cut off (max_turns)")


def _tell(match: Match, players: int) -> None:
    """The figures: in a terminal two tables that fit its width, else all of an agent in one line."""
    rows, by_seat = [], []
    for standing in match.standings:
        rate = standing.win_rate
        figures = (percent(rate.share), percent(rate.low), percent(rate.high))
        rows.append((standing.name, standing.games, *figures, f"{standing.reward:+.3f}", f"{standing.rank:.2f}"))
        by_seat.append([percent(standing.win_rate_on(seat).share) for seat in range(players)])
    seats = [str(seat) for seat in range(players)]
    if not terminal.is_terminal(sys.stdout):
        terminal.table((*FIGURES, *seats), [(*row, *shares) for row, shares in zip(rows, by_seat, strict=True)])
        return
    names = shortened([row[0] for row in rows], shutil.get_terminal_size().columns - FIGURES_WIDTH)
    terminal.table(FIGURES, [(name, *row[1:]) for name, row in zip(names, rows, strict=True)])
    title = f"wins % from each seat ({percent(1 / players)} is a fair share)"
    terminal.table(("agent", *seats), [(name, *shares) for name, shares in zip(names, by_seat, strict=True)], title)


def shortened(names: Sequence[str], width: int) -> list[str]:
    """Names of at most `width` letters, longer ones cut in the middle, unless that makes two the same."""
    half = max(4, (width - 1) // 2)
    short = [name if len(name) <= 2 * half + 1 else f"{name[:half]}…{name[-half:]}" for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)


def percent(share: float) -> str:
    """A share in percent, to a tenth."""
    return f"{100 * share:.1f}"
