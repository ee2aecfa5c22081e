"""The tokens: balloons, birds, clouds and bets. Each lies round (0, 0)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hopenvs.render.scene import Circle, Group, Path, Polygon, Shape, Text, seat_colour

# ---- balloons --------------------------------------------------------------------------------------------------------
BALLOON_W: Final = 17.0
_SKIN: Final = "M0 8C-5 6 -8 1 -8 -3.4A8 8.4 0 0 1 8 -3.4C8 1 5 6 0 8Z"
_POP: Final = "M-6.5 -9L-4 -4M0 -12V-6.5M6.5 -9L4 -4M-8.5 -1.5H-4.6M8.5 -1.5H4.6M-5 6L-3 2.6M5 6L3 2.6"


_BALLOON_RIM: Final[tuple[Shape, ...]] = (Path(_SKIN, stroke="sticker", stroke_width=4.2),)


@lru_cache(maxsize=8)
def _balloon(seat: int) -> tuple[Shape, ...]:
    deep = seat_colour(seat, "deep")
    return (
        Path("M0 10C3 12 -3 14 0 17", stroke="faint", stroke_width=1.3),
        Group(_BALLOON_RIM),
        Path(_SKIN, fill=seat_colour(seat), stroke=deep, stroke_width=1.5),
        Polygon(((0.0, 7.0), (2.4, 10.6), (-2.4, 10.6)), fill=deep, stroke=deep),
        Path("M-4.6 -4.6C-4.4 -7 -3 -8.6 -1 -9", stroke="white", stroke_width=1.6, opacity=0.85),
    )


def balloon(seat: int, x: float, y: float, scale: float = 1.0) -> Group:
    """Return one of a player's balloons."""
    return Group(_balloon(seat), x, y, scale=scale, role="balloon")


_LOST: Final[tuple[Shape, ...]] = (Path(_SKIN, stroke="faint", stroke_width=1.3, dash=(2.5, 3.5), opacity=0.8),)


def lost_balloon(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the place of a balloon that is lost."""
    return Group(_LOST, x, y, scale=scale, role="lost balloon")


def burst(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the mark of a balloon that has just been lost."""
    shapes = (Path(_POP, stroke="warn", stroke_width=2.2),)
    return Group(shapes, x, y, scale=scale, role="burst", title="just lost by a failed throw")


# ---- birds -----------------------------------------------------------------------------------------------------------
BIRD: Final = 11.0  # radius of a bird's token

_DOVE: Final[tuple[Shape, ...]] = (
    Circle(0, 0, BIRD, fill="dove-sky", stroke="dove-edge", stroke_width=1.5),
    Path(
        "M-8 3.4C-5 5.6 -1 6 2.4 3.6C4.6 2 5.4 -.4 8.2 -1.2C6.6 -3.4 4 -3.6 2.6 -1.8C2.2 -5 .2 -8 -3.6 -8.4"
        "C-3.4 -5.4 -3.4 -2.6 -2.2 .6C-4 .6 -6.4 1.4 -8 3.4Z",
        fill="white", stroke="token-ink", stroke_width=1.1,
    ),
    Circle(4.6, -1.6, 0.8, fill="token-ink"),
)  # fmt: skip
_CROW: Final[tuple[Shape, ...]] = (
    Circle(0, 0, BIRD, fill="crow-dusk", stroke="crow-edge", stroke_width=1.5),
    Path("M-1 5V8.4M2 5V8.4", stroke="crow", stroke_width=1.4),
    Path(
        "M-8.6 5C-6.4 .6 -5 -4.8 .4 -6.6C4.4 -7.8 6.4 -5 6 -2.4C5.6 2 3.6 5.4 -.6 5.8C-3.4 6 -6 4.4 -8.6 5Z",
        fill="crow", stroke="crow", stroke_width=1,
    ),
    Polygon(((5.4, -5.4), (9.4, -3.4), (5.8, -2.4)), fill="beak", stroke="crow", stroke_width=0.9),
    Circle(3.4, -4.2, 1.1, fill="white"),
)  # fmt: skip


def dove(x: float, y: float, scale: float = 1.0) -> Group:
    """Return a bird with its dove up."""
    return Group(_DOVE, x, y, scale=scale, role="dove")


def crow(x: float, y: float, scale: float = 1.0) -> Group:
    """Return a bird with its crow up."""
    return Group(_CROW, x, y, scale=scale, role="crow")


_PERCH: Final[tuple[Shape, ...]] = (Circle(0, 0, BIRD - 1, stroke="faint", stroke_width=1.2, dash=(2, 3.2)),)
_RISE: Final[tuple[Shape, ...]] = (*_PERCH, Path("M0 5V-4.6M-4 -1L0 -5L4 -1", stroke="good", stroke_width=2))
_FALL: Final[tuple[Shape, ...]] = (*_PERCH, Path("M-3.6 -3.6L3.6 3.6M3.6 -3.6L-3.6 3.6", stroke="warn", stroke_width=2))


def perch(x: float, y: float, scale: float, third: str) -> Group:
    """Return a free place for a bird; the third `dove` brings a level, the third `crow` costs a balloon (HP-12)."""
    shapes = {"dove": _RISE, "crow": _FALL}.get(third, _PERCH)
    title = {"dove": "the third dove brings a level", "crow": "the third crow costs a balloon"}.get(third, "")
    return Group(shapes, x, y, scale=scale, role="perch", title=title)


# ---- clouds ----------------------------------------------------------------------------------------------------------
CLOUD_W: Final = 31.0
_PUFF: Final = "M-9 8.4C-13.4 8.4 -15 5.4 -14.4 2.6C-13.8 -.2 -11 -1.4 -9.4 -1C-9 -5.8 -3.6 -8.8 1 -6.8C3.4 -8.4 9 -6.8 8.8 -1.6C12.6 -2 14.6 .6 14.4 3.4C14.2 6.6 11.6 8.4 8.8 8.4Z"  # fmt: skip  # noqa: E501

_CLOUD: Final[tuple[Shape, ...]] = (Path(_PUFF, fill="cloud", stroke="cloud-edge", stroke_width=1.5),)
_CLOUD_BACK: Final[tuple[Shape, ...]] = (
    Path(_PUFF, fill="cloud-back", stroke="cloud-edge", stroke_width=1.5),
    Path("M-9 3.6C-7.4 .6 -4.6 .8 -4 3C-3.6 4.8 -6 5.4 -6.4 3.8M-1 2.4C.4 -2.2 5.4 -2 5.6 1.2C5.8 3.8 2.2 4.2 2.2 1.6",
         stroke="cloud-swirl", stroke_width=1.6),
)  # fmt: skip


def cloud(value: int | None, x: float, y: float, scale: float = 1.0) -> Group:
    """Return a cloud token with its value, or its back."""
    if value is None:
        return Group(_CLOUD_BACK, x, y, scale=scale, role="cloud back", title="a cloud: its owner knows the value")
    number = Text(0, 1.6, str(value), 13, "cloud-ink", weight="bold", middle=True)
    return Group((Group(_CLOUD), number), x, y, scale=scale, role=f"cloud {value}")


# ---- bets ------------------------------------------------------------------------------------------------------------
BET: Final = 14.0  # radius of a bet token
_MOUTHS: Final = {"happy": "M-6.4 2.6C-3.4 7.8 3.4 7.8 6.4 2.6", "unhappy": "M-6 7.2C-3.2 2.6 3.2 2.6 6 7.2"}


@lru_cache(maxsize=4)
def _bet(face: str) -> tuple[Shape, ...]:
    if face == "hidden":
        return (
            Circle(0, 0, BET, fill="unseen", stroke="token-edge", stroke_width=1.8),
            Path("M-8 -7L7 8M-3 -10L10 3M-10 -3L3 10", stroke="unseen-mark", stroke_width=1.1, opacity=0.45),
            Text(0, 0, "?", 16, "unseen-mark", weight="bold", middle=True),
        )
    brows = (
        Path("M-7.2 -7.6L-3.2 -6M7.2 -7.6L3.2 -6", stroke="token-ink", stroke_width=1.6) if face == "unhappy" else None
    )
    return (
        Circle(0, 0, BET, fill=face, stroke="token-edge", stroke_width=1.8),
        Circle(-4.6, -2.4, 1.8, fill="token-ink"),
        Circle(4.6, -2.4, 1.8, fill="token-ink"),
        Path(_MOUTHS[face], stroke="token-ink", stroke_width=2.1),
        *((brows,) if brows else ()),
    )


def bet(face: str, x: float, y: float, scale: float = 1.0, role: str = "") -> Group:
    """Return a bet token: `happy`, `unhappy`, or `hidden` under its owner's hand."""
    return Group((Group(_bet(face)),), x, y, scale=scale, role=role or f"bet {face}")


def no_bet(x: float, y: float, scale: float = 1.0) -> Group:
    """Return the place of a bet that is still to be made."""
    shapes = (Circle(0, 0, BET - 0.5, stroke="faint", stroke_width=1.5, dash=(3, 4)),)
    return Group(shapes, x, y, scale=scale, role="bet to come")
