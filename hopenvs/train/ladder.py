"""The ladder of an arena: ratings, shares by seat and head to head, as figures, files and a picture.

Everything counts shares of the win: a win that k seats share counts 1/k for each, and a game that nobody wins, such as
one that was cut off, 1/P for each seat of the table: it pays all the same (C-7, C-8).
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hopenvs.agents.match import CONFIDENCE, Interval, wilson
from hopenvs.train.files import write_whole
from hopenvs.train.ratings import PRIOR, SAMPLES, Encounters, rate

RESULT, RATINGS, HEAD_TO_HEAD, PICTURE = "result.json", "ratings.csv", "head_to_head.csv", "ladder.png"
# Whose rating is 0: the first of these that plays. Not `uniform`, if it can be helped: it loses nearly every game, so
# that nobody knows how far below the others it is, and all would share that uncertainty.
ANCHORS = ("greedy", "uniform")


@dataclass(frozen=True)
class Meeting:
    """Games of two agents, G of them, at tables of P seats.

    Attributes:
        players: [G, P] int, 0 or 1: which of the two sat there.
        winners: [G, P] bool.
        ranks: [G, P] int.
        truncated: [G] bool.
    """

    players: np.ndarray
    winners: np.ndarray
    ranks: np.ndarray
    truncated: np.ndarray

    def __len__(self) -> int:
        return len(self.players)

    def only(self, chosen: np.ndarray) -> Meeting:
        """Some of these games: `chosen` [G] bool."""
        return Meeting(self.players[chosen], self.winners[chosen], self.ranks[chosen], self.truncated[chosen])

    @property
    def new(self) -> np.ndarray:
        """[G] bool: the first game of every seating."""
        found = np.zeros(len(self), np.bool_)
        found[np.unique(self.players, axis=0, return_index=True)[1]] = True
        return found

    def then(self, more: Meeting) -> Meeting:
        """These games and those that follow."""
        names = ("players", "winners", "ranks", "truncated")
        return Meeting(*(np.concatenate([getattr(self, name), getattr(more, name)]) for name in names))

    @property
    def credits(self) -> np.ndarray:
        """[G, P] float, each seat's share of the win."""
        count = self.winners.sum(axis=1, keepdims=True)
        return np.where(count > 0, self.winners / np.maximum(1, count), 1 / self.players.shape[1])

    @property
    def first_ones(self) -> np.ndarray:
        """[G] float, what the first agent's seats are credited with."""
        return (self.credits * (self.players == 0)).sum(axis=1)


@dataclass(frozen=True)
class Rung:
    """Where an agent stands.

    Attributes:
        agent: its name.
        rating: on the Elo scale; 0 for the anchor.
        low: where it lies at least, with `CONFIDENCE`.
        high: where it lies at most.
        games: how many it sat in.
        share: of the win, for one of its seats, from all seats together: 1/P is fair.
        by_seat: [P] from each seat.
    """

    agent: str
    rating: float
    low: float
    high: float
    games: int
    share: float
    by_seat: tuple[float, ...]

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {**vars(self), "by_seat": list(self.by_seat)}


@dataclass(frozen=True)
class Ladder:
    """What an arena came to.

    Attributes:
        rungs: the strongest first.
        shares: by pair of names, either way round: the share of the win that went to the first one's seats. The two
            have as many seats, over all games: 1/2 is even.
        games: of each pair.
        repeated: pairs whose games are one and the same again and again: of each seating one counts.
        truncated: how many of all games were cut off (C-8).
        anchor: whose rating is 0.
    """

    rungs: tuple[Rung, ...]
    shares: Mapping[tuple[str, str], Interval]
    games: int
    repeated: tuple[tuple[str, str], ...]
    truncated: int
    anchor: str

    @property
    def agents(self) -> tuple[str, ...]:
        """Their names, the strongest first."""
        return tuple(rung.agent for rung in self.rungs)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "games_per_pair": self.games,
            "repeated": [list(pair) for pair in self.repeated],
            "truncated": self.truncated,
            "confidence": CONFIDENCE,
            "ratings": {"scale": "Elo", "model": "Luce", "anchor": self.anchor, "prior": PRIOR, "samples": SAMPLES},
            "agents": [rung.as_dict() for rung in self.rungs],
            "head_to_head": [
                {"agent": one, "opponent": other, **vars(self.shares[one, other])}
                for one, other in itertools.permutations(self.agents, 2)
            ],
        }


def count_ladder(
    names: Sequence[str],
    meetings: Mapping[tuple[int, int], Meeting],
    tables: Sequence[Sequence[int]],
    repeated: Collection[tuple[int, int]] = (),
) -> Ladder:
    """Rate the agents of an arena.

    Args:
        names: of the agents.
        meetings: the games of every two, by their indices, as many of each pair; games of the same number have the
            same seed.
        tables: who shares the table of a meeting, taking turns by P games (`hall.seatings`).
        repeated: the pairs of whose games only the first of each seating counts, as all others are the same.
    """
    players, kinds = len(tables[0]), len(tables)
    seats = [[list(table).count(side) for side in (0, 1)] for table in tables]
    new = {
        pair: meeting.new if pair in repeated else np.ones(len(meeting), np.bool_) for pair, meeting in meetings.items()
    }

    def by_unit(values: np.ndarray) -> np.ndarray:
        """Sums [U, kinds] of values [G]."""
        return values.reshape(-1, kinds, players).sum(axis=2)

    encounters = Encounters(
        sides=np.repeat(np.array(list(meetings)), kinds, axis=0),
        seats=np.array(seats * len(meetings)),
        games=np.concatenate([by_unit(counts) for counts in new.values()], axis=1),
        wins=np.concatenate([by_unit(new[pair] * games.first_ones) for pair, games in meetings.items()], axis=1),
    )
    anchor = next((names.index(name) for name in ANCHORS if name in names), 0)
    found = rate(encounters, len(names), anchor)
    credited = np.zeros((len(names), players))
    sat = np.zeros((len(names), players), np.int64)
    shares = {}
    counted = {pair: meeting.only(new[pair]) for pair, meeting in meetings.items()}
    for pair, meeting in counted.items():
        for side, agent in enumerate(pair):
            own = meeting.players == side
            credited[agent] += (meeting.credits * own).sum(axis=0)
            sat[agent] += own.sum(axis=0)
        one, other = (names[k] for k in pair)
        share = float(meeting.first_ones.mean())
        shares[one, other] = wilson(share, len(meeting))
        shares[other, one] = wilson(1 - share, len(meeting))
    games = len(next(iter(meetings.values())))
    rungs = [
        Rung(
            name,
            rating=float(found.rating[k]),
            low=float(found.low[k]),
            high=float(found.high[k]),
            games=sum(len(meeting) for pair, meeting in counted.items() if k in pair),
            share=float(credited[k].sum() / sat[k].sum()),
            by_seat=tuple((credited[k] / sat[k]).tolist()),
        )
        for k, name in enumerate(names)
    ]
    rungs.sort(key=lambda rung: -rung.rating)
    truncated = sum(int(meeting.truncated.sum()) for meeting in counted.values())
    alike = tuple((names[one], names[other]) for one, other in repeated)
    return Ladder(tuple(rungs), shares, games, alike, truncated, names[anchor])


# ---- files ----------------------------------------------------------------------------------------------------------
def write_ladder(ladder: Ladder, folder: Path, about: Mapping[str, Any]) -> None:
    """Write result.json, ratings.csv, head_to_head.csv and ladder.png.

    Args:
        ladder: what is to be written.
        folder: where.
        about: what result.json says first: which arena this is. Its "env" is the picture's title.
    """
    content = {**about, **ladder.as_dict()}
    write_whole(folder / RESULT, (json.dumps(content, indent=2) + "\n").encode())
    seats = [f"seat_{k}" for k in range(len(ladder.rungs[0].by_seat))]
    rungs = [(r.agent, r.rating, r.low, r.high, r.games, r.share, *r.by_seat) for r in ladder.rungs]
    columns = ("agent", "rating", "low", "high", "games", "share", *seats)
    write_whole(folder / RATINGS, as_csv([columns, *rungs]))
    duels = [(duel["agent"], duel["opponent"], ladder.games, *_figures(duel)) for duel in content["head_to_head"]]
    columns = ("agent", "opponent", "games", "share", "low", "high")
    write_whole(folder / HEAD_TO_HEAD, as_csv([columns, *duels]))
    drawn = io.BytesIO()
    draw_ladder(ladder, str(about["env"]), drawn)
    write_whole(folder / PICTURE, drawn.getvalue())


def _figures(duel: Mapping[str, Any]) -> tuple[float, float, float]:
    return duel["share"], duel["low"], duel["high"]


def as_csv(rows: Iterable[Sequence[Any]]) -> bytes:
    """Rows as CSV; fractions to six digits."""
    text = io.StringIO()
    shown = ([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row] for row in rows)
    csv.writer(text, lineterminator="\n").writerows(shown)
    return text.getvalue().encode()


# ---- picture --------------------------------------------------------------------------------------------------------
LONGEST_NAME = 28  # letters in the picture
_INK, _GREY, _COLOUR = "#333333", "#888888", "#1b6ca8"


def draw_ladder(ladder: Ladder, title: str, target: Any) -> None:
    """Draw ratings with their intervals, and beside them a heat map of who takes which share from whom.

    Args:
        ladder: what is to be drawn.
        title: above the picture.
        target: a path or an open file.
    """
    from matplotlib.figure import Figure  # without pyplot: no window system, nothing global

    count = len(ladder.rungs)
    size = (6.4 + 0.62 * count, 1.7 + 0.52 * count)
    figure = Figure(figsize=size, dpi=150, facecolor="white", layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(4.6, 1.2 + 0.62 * count))
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    places = range(count)
    rating = [rung.rating for rung in ladder.rungs]
    reach = [[r.rating - r.low for r in ladder.rungs], [r.high - r.rating for r in ladder.rungs]]
    reach = np.maximum(0, reach).tolist()  # the estimate of a player that wins everything can lie outside by rounding
    left.errorbar(rating, places, xerr=reach, fmt="o", color=_COLOUR, ecolor=_COLOUR, elinewidth=2, capsize=4)
    for place, rung in enumerate(ladder.rungs):
        above = (rung.rating, place)
        left.annotate(f"{rung.rating:.0f}", above, (0, 6), textcoords="offset points", ha="center", color=_INK)
    left.set_yticks(places, [_short(f"{k}  {name}") for k, name in enumerate(ladder.agents, 1)])
    left.set_ylim(count - 0.5, -0.7)
    left.margins(x=0.12)
    left.set_xlabel(f"rating (Elo; {_short(ladder.anchor)} = 0) and {100 * CONFIDENCE:.0f} % interval", fontsize=9)
    left.grid(axis="x", color="#e3e3e3", linewidth=0.8)
    left.set_axisbelow(True)
    for side in ("top", "right", "left"):
        left.spines[side].set_visible(False)
    left.spines["bottom"].set_color(_GREY)
    left.tick_params(axis="y", length=0)

    shares = np.full((count, count), np.nan)
    for (i, one), (k, other) in itertools.permutations(enumerate(ladder.agents), 2):
        shares[i, k] = 100 * ladder.shares[one, other].share
    right.imshow(shares, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for i, k in itertools.permutations(places, 2):
        ink = "white" if abs(shares[i, k] - 50) > 32 else _INK
        digits = 1 if 0 < shares[i, k] < 1 or 99 < shares[i, k] < 100 else 0  # nearly all isn't all
        right.text(k, i, f"{shares[i, k]:.{digits}f}", ha="center", va="center", color=ink, fontsize=9)
    numbers = [str(k + 1) for k in places]
    right.set_xticks(places, numbers)
    right.set_yticks(places, numbers)
    right.tick_params(length=0)
    right.set_xlabel("share of the row\nagainst the column, %", fontsize=9)
    for spine in right.spines.values():
        spine.set_visible(False)
    figure.savefig(target, format="png", facecolor="white")


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"
