"""`hopenvs eval`: how often each of some players wins, seats rotated."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hopenvs import registry
from hopenvs.cli import cold, terminal
from hopenvs.cli.arguments import LARGEST_SEED, Env, Modules, Options, read_options, refuse_idle, register_modules
from hopenvs.cli.players import AGENTS, Trust, load_agents, warnings_in_words

if TYPE_CHECKING:
    from hopenvs.agents.match import Match
    from hopenvs.train.protocol import Score

EXAMPLES = (
    "hopenvs eval igel_aergern-2p-v0 --agents greedy,uniform",
    "hopenvs eval igel_aergern-2p-v0 --agents runs/igel_aergern-2p-v0,greedy --games 4000 --seed 7",
    "hopenvs eval igel_aergern-4p-v0 --agents greedy,uniform --games 400 --json",
    "hopenvs eval igel_aergern-2p-v0 --agents runs/igel_aergern-2p-v0 --protocol v0 --json",
)

DEFAULT_GAMES, DEFAULT_SEED, DEFAULT_REWARD = 1000, 0, "win"
NAME_IN_BAR = 9  # letters: so a bar, percents and the time left fit 80 columns
MOST_GAMES = 10_000_000  # results of all are kept in memory
FIGURES = ("agent", "games", "wins %", "from", "to", "reward", "rank")
SCORES = ("agent", "against", "games", "wins %", "from", "to")
SCORES_WIDTH = 66  # of the wider of its tables, that of six seats, without the agents' names
FIGURES_WIDTH = 52  # of its table without the agents' names; that of up to six seats is narrower


def command(
    env: Env,
    agents: Annotated[
        str,
        typer.Option(
            "--agents",
            metavar="A,B,..",
            help=f"{AGENTS}: at most one a seat, the last takes the rest.",
        ),
    ] = "greedy,uniform",
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=MOST_GAMES,
            help=f"How many, brought up to a multiple of seats ({DEFAULT_GAMES}).",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, max=LARGEST_SEED, help=f"The seed of the first game ({DEFAULT_SEED})."),
    ] = None,
    option: Options = None,
    reward: Annotated[
        str | None,
        typer.Option("--reward", metavar="win|rank|score", help=f"How a game pays ({DEFAULT_REWARD})."),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option("--protocol", metavar="v0", help="Instead: fixed opponents, games and seeds, for every agent."),
    ] = None,
    trust: Trust = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    module: Modules = None,
) -> None:
    """Let agents play many games.

    Seats rotate: everybody plays each seat equally often. Shares of wins are those of one seat: with P seats, 1/P is a
    fair share, also for an agent that has several. A shared win counts in parts. The interval beside it is Wilson's,
    for 95 %, with the game as the trial. In a pipe each agent is a line: name, games, share of wins, its lower and
    upper bound, mean reward, mean rank, and the share of wins from each seat.

    --protocol v0 measures each agent by itself, for figures that can be compared: on one seat, which rotates, against
    uniform (1,000 games), greedy (1,000), mcts:100 (200) and mcts:400 (200) on all the others, brought up to a multiple
    of seats, with seeds from 50000000 on and the options of the id; wins and intervals as above. In a pipe each agent
    has a line for every opponent: name, opponent, games, share of wins, its bounds, and the share from each seat. Tell
    the version of hopenvs with them: it stands in --json.
    """
    from hopenvs.train.evaluate import evaluate

    register_modules(module)
    names = [name.strip() for name in agents.split(",") if name.strip()]
    if protocol is not None:
        given = {"--games": games, "--seed": seed, "--option": option, "--reward": reward}
        refuse_idle(given, f"the protocol {protocol} says what is played")
        _by_protocol(env, names, protocol, trust=trust, json=json)
        return
    games, seed = games if games is not None else DEFAULT_GAMES, seed if seed is not None else DEFAULT_SEED
    reward = reward if reward is not None else DEFAULT_REWARD
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
    if match.games < games:
        terminal.remark(
            f"{match.games} games: nobody draws and nothing is left to chance, more would be the same again"
        )
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


def _by_protocol(env: str, names: Sequence[str], name: str, *, trust: bool, json: bool) -> None:
    """Measure agents by a protocol and tell the scores."""
    from hopenvs.train.protocol import about, games_of, measure, protocol_named

    protocol = protocol_named(name)
    game, options = registry.resolve(env, {})
    players = game.spec(options).num_players
    cold.announce(game)
    total = len(names) * games_of(protocol, players)
    with warnings_in_words(), terminal.progress(f"playing {env}", total, shown=not json) as advance:
        scores = measure(env, names, protocol, trust=trust, progress=lambda count, pair: advance(count, against(pair)))
    if json:
        terminal.as_json(about(name, env) | {"scores": [score.as_dict() for score in scores]})
        return
    _tell_scores(scores, players)


def _tell_scores(scores: Sequence[Score], players: int) -> None:
    """The figures: in a terminal two tables that fit its width, else all of an agent and an opponent in one line."""
    rows, by_seat = [], []
    for score in scores:
        standing = score.match.standings[0]
        rate = standing.win_rate
        figures = (standing.games, *(percent(share) for share in (rate.share, rate.low, rate.high)))
        rows.append((score.agent, score.opponent, *figures))
        by_seat.append([percent(standing.win_rate_on(seat).share) for seat in range(players)])
    seats = [str(seat) for seat in range(players)]
    cut = sum(score.match.truncated for score in scores)
    if cut:
        terminal.remark(f"{cut} games were cut off (max_turns)")
    if not terminal.is_terminal(sys.stdout):
        terminal.table((*SCORES, *seats), [(*row, *shares) for row, shares in zip(rows, by_seat, strict=True)])
        return
    names = shortened([score.agent for score in scores], shutil.get_terminal_size().columns - SCORES_WIDTH)
    terminal.table(SCORES, [(name, *row[1:]) for name, row in zip(names, rows, strict=True)])
    who = [(name, row[1]) for name, row in zip(names, rows, strict=True)]
    title = f"wins % from each seat ({percent(1 / players)} is fair)"
    table = [(*pair, *shares) for pair, shares in zip(who, by_seat, strict=True)]
    terminal.table(("agent", "against", *seats), table, title)


def shortened(names: Sequence[str], width: int) -> list[str]:
    """Names of at most `width` letters, longer ones cut in the middle, unless that makes two the same."""
    half = max(4, (width - 1) // 2)
    short = [name if len(name) <= 2 * half + 1 else f"{name[:half]}…{name[-half:]}" for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)


def against(pair: tuple[str, str]) -> str:
    """Who is playing whom, with room left for a bar."""
    return " against ".join(shortened(pair, NAME_IN_BAR))


def percent(share: float) -> str:
    """A share in percent, to a tenth."""
    return f"{100 * share:.1f}"
