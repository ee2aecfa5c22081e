"""`hopenvs eval`: how often each of some players wins, seats rotated."""

from __future__ import annotations

from typing import Annotated

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import Env, Modules, Options, Seed, read_options, register_modules

EXAMPLES = (
    "hopenvs eval igel_aergern-2p-v0 --agents greedy,uniform",
    "hopenvs eval igel_aergern-2p-v0 --agents runs/igel_aergern-2p-v0/model.zip,greedy --games 4000 --seed 7",
    "hopenvs eval igel_aergern-4p-v0 --agents greedy,uniform --games 400 --json",
)


def command(
    env: Env,
    agents: Annotated[
        str,
        typer.Option(
            "--agents",
            metavar="A,B,..",
            help="uniform, greedy or the path of a model: at most one a seat, the last takes the seats that are left.",
        ),
    ] = "greedy,uniform",
    games: Annotated[int, typer.Option("--games", min=1, help="How many, brought up to a multiple of seats.")] = 1000,
    seed: Seed = 0,
    option: Options = None,
    reward: Annotated[str, typer.Option("--reward", metavar="win|rank|score", help="How a game pays.")] = "win",
    trust: Annotated[
        bool, typer.Option("--trust", help="Also load models that hold code of their own: it can do anything.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    module: Modules = None,
) -> None:
    """Let agents play many games.

    Seats rotate: everybody plays each seat equally often. A shared win counts in parts. The interval after a share of
    wins is Wilson's, for 95 %. In a pipe each agent is a line: name, games, share of wins, its lower and upper bound,
    mean reward, mean rank, and the share of wins from each seat.
    """
    from hopenvs.train.evaluate import evaluate

    register_modules(module)
    names = [name.strip() for name in agents.split(",") if name.strip()]
    keywords = read_options(option)
    game, options = registry.resolve(env, keywords)
    players = game.spec(options).num_players
    cold.announce(game)
    with terminal.progress(f"playing {env}", -(-games // players) * players, shown=not json) as advance:
        match = evaluate(
            env, names, games, seed, options=keywords, reward=reward, trust=trust, progress=lambda n: advance(n, "")
        )
    if json:
        terminal.as_json({"env": registry.entry_of(env).id, "options": keywords, "seed": seed} | match.as_dict())
        return
    seats = [f"seat {seat}" for seat in range(players)]
    rows = []
    for standing in match.standings:
        rate = standing.win_rate
        by_seat = [_percent(standing.win_rate_on(seat).share) for seat in range(players)]
        figures = (_percent(rate.share), _percent(rate.low), _percent(rate.high))
        rows.append((standing.name, int(standing.played.sum()), *figures, f"{standing.reward:+.3f}",
                     f"{standing.rank:.2f}", *by_seat))  # fmt: skip
    terminal.table(("agent", "games", "wins %", "from", "to", "reward", "rank", *seats), rows)
    if match.truncated:
        terminal.remark(f"{match.truncated} of {match.games} games were cut off (max_turns)")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
