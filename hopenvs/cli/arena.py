"""`hopenvs arena`: every two of some agents play, and a ladder tells how strong they are."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import LARGEST_SEED, Env, Modules, Options, read_options, register_modules
from hopenvs.cli.eval import MOST_GAMES, against, percent, shortened
from hopenvs.cli.players import AGENTS, Trust, warnings_in_words

if TYPE_CHECKING:
    from hopenvs.train.ladder import Ladder

EXAMPLES = (
    "hopenvs arena igel_aergern-2p-v0",
    "hopenvs arena igel_aergern-2p-v0 --agents uniform,greedy,runs/igel_aergern-2p-v0 --games 1000",
    "hopenvs arena igel_aergern-2p-v0 --agents uniform,greedy,runs/igel_aergern-2p-v0,runs/long --resume",
    "hopenvs arena igel_aergern-4p-v0 --option anarchy=true --out arenas/anarchy --json",
)
ARENAS = "arenas"
FIGURES = ("", "agent", "rating", "from", "to", "share %", "games")
FIGURES_WIDTH = 56  # of the widest table without the agents' names


def command(
    env: Env,
    agents: Annotated[
        str | None,
        typer.Option(
            "--agents",
            metavar="A,B,..",
            help=f"Two or more: {AGENTS} (uniform,greedy).",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, max=MOST_GAMES, help="Of every pair, brought up to whole rotations (400)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=LARGEST_SEED, help="The seed of each pair's first game (0).")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FOLDER", help=f"The arena's folder ({ARENAS}/ENV).")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the folder's arena; there may be more games and more agents.")
    ] = False,
    option: Options = None,
    trust: Trust = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    module: Modules = None,
) -> None:
    """Rate agents by a round robin.

    Every two share the table, as many seats each over all games; seats rotate, and all pairs play the games of the same
    seeds. Ratings are on the Elo scale, `greedy` (else `uniform`, else the first) at 0, by maximum likelihood in Luce's
    model (Bradley-Terry for two seats) with one more, shared game a pair; 95 % intervals by reweighting rotations.
    Shares are of the win, which its winners share, or all if nobody wins: 1/P is fair for one seat of P. The folder
    gets games.csv (every game), ratings.csv, head_to_head.csv, result.json, config.json and ladder.png; after an
    interruption --resume goes on. In a pipe each agent is a line: name, rating, its lower and upper bound, share,
    games, the share from each seat, and against each agent (50 is even) in the order of the lines.
    """
    from hopenvs.train.arena import prepare
    from hopenvs.train.ladder import RESULT

    own = shlex.join(word for one in module or () for word in ("--module", one))
    register_modules(module)
    name = registry.entry_of(env).id
    folder = Path(out) if out is not None else Path(ARENAS) / name
    given = [agent.strip() for agent in agents.split(",") if agent.strip()] if agents is not None else None
    keywords = read_options(option) or None
    with warnings_in_words():
        arena = prepare(name, given, games, seed, folder=folder, options=keywords, resume=resume, trust=trust)
    cold.announce(arena.game)
    try:
        with terminal.progress(f"playing {name}", arena.remaining, shown=not json) as advance:
            ladder = arena.play(lambda count, pair: advance(count, against(pair)))
    except KeyboardInterrupt:
        again = f"{terminal.program()} arena {name} --out {shlex.quote(str(folder))} --resume {own}".rstrip()
        terminal.remark(f"Interrupted, {arena.remaining} games to go. To go on: {again}")
        raise typer.Exit(130) from None
    if json:
        print((folder / RESULT).read_text(encoding="utf-8"), end="")
    else:
        _tell(ladder)
        terminal.remark(f"folder: {folder}")
    if ladder.truncated:
        terminal.remark(f"{ladder.truncated} games were cut off (max_turns)")


def _tell(ladder: Ladder) -> None:
    """The figures: in a terminal tables that fit its width, else all of an agent in one line."""
    for one, other in ladder.repeated:
        terminal.remark(f"{one} and {other} play the same game again and again: of each seating it counts once")
    figures = [
        (round(rung.rating), round(rung.low), round(rung.high), percent(rung.share), rung.games)
        for rung in ladder.rungs
    ]
    by_seat = [[percent(share) for share in rung.by_seat] for rung in ladder.rungs]
    duels = [
        [percent(ladder.shares[one, other].share) if one != other else "-" for other in ladder.agents]
        for one in ladder.agents
    ]
    numbers = [str(k) for k, _ in enumerate(ladder.agents, 1)]
    if not terminal.is_terminal(sys.stdout):
        terminal.table((), [(n, *f, *s, *d) for n, f, s, d in zip(ladder.agents, figures, by_seat, duels, strict=True)])
        return
    names = shortened(ladder.agents, shutil.get_terminal_size().columns - FIGURES_WIDTH)
    people = list(zip(numbers, names, strict=True))
    title = "ratings and 95 % intervals"
    terminal.table(FIGURES, [(*who, *row) for who, row in zip(people, figures, strict=True)], title)
    seats = [str(seat) for seat in range(len(by_seat[0]))]
    title = f"share % by seat ({percent(1 / len(seats))} is fair)"
    terminal.table(("", "agent", *seats), [(*who, *row) for who, row in zip(people, by_seat, strict=True)], title)
    title = "share % of each two (50.0 is even)"
    terminal.table(("", "agent", *numbers), [(*who, *row) for who, row in zip(people, duels, strict=True)], title)
