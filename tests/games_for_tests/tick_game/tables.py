"""The numbers of the tick game; those of the prizes are read from a data file, as games with many cards do."""

import json
from pathlib import Path

SEATS = 3
CARDS = 4  # a hand: one card each of 1 .. CARDS
TICKS = 5
GOAL = 6  # points that end the game at once
CARD_WORTH = 0.25  # of a card in hand, in points, for `evaluate`

_prizes = json.loads(Path(__file__).with_name("prizes.json").read_text(encoding="utf-8"))
PRIZES: tuple[int, ...] = tuple(_prizes["points"])
WEIGHTS: tuple[int, ...] = tuple(_prizes["weights"])
