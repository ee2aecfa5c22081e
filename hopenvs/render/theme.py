"""How the names of colours look: a light and a dark theme, to which a scene adds its own colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hopenvs.render.scene import Colour

ThemeName = Literal["light", "dark"]

# each name's colour on light and on dark paper
_COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "paper": ("#f8f3e8", "#171a1c"),
    "panel": ("#fffdf8", "#22272a"),
    "ink": ("#2c2a28", "#f1ece1"),
    "faint": ("#736b60", "#a9a294"),
    "line": ("#ddd3c0", "#3b4246"),
    "accent": ("#e2711d", "#ff9a4a"),
    "accent-ink": ("#ffffff", "#20140a"),
    "good": ("#3f7d3a", "#8fcf83"),
    "warn": ("#b3261e", "#ff8a7a"),
    "shadow": ("#3b2f20", "#000000"),
    "seat0": ("#c23a1a", "#d2492a"),
    "seat1": ("#1d4fbf", "#3c6fe0"),
    "seat2": ("#e6c81a", "#e9cd35"),
    "seat3": ("#38b58a", "#3db88e"),
    "seat4": ("#e083d2", "#e48fd7"),
    "seat5": ("#4a333f", "#6a4a5b"),
    "seat0-ink": ("#ffffff", "#ffffff"),
    "seat1-ink": ("#ffffff", "#ffffff"),
    "seat2-ink": ("#2b2500", "#2b2500"),
    "seat3-ink": ("#05261b", "#05261b"),
    "seat4-ink": ("#370c30", "#370c30"),
    "seat5-ink": ("#ffffff", "#ffffff"),
    "seat0-deep": ("#74200d", "#5c1707"),
    "seat1-deep": ("#0e2a68", "#0a2160"),
    "seat2-deep": ("#7d6a00", "#5f5200"),
    "seat3-deep": ("#14593f", "#0d4530"),
    "seat4-deep": ("#84357a", "#6b2562"),
    "seat5-deep": ("#22141c", "#20121a"),
}


@dataclass(frozen=True)
class Theme:
    """The colours of one theme by name."""

    name: ThemeName
    colours: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        """Return the `#rrggbb` of a colour's name; `none` and `#rrggbb` stay as they are."""
        if name == "none" or name.startswith("#"):
            return name
        try:
            return self.colours[name]
        except KeyError:
            raise KeyError(f"no colour named {name!r} in the theme {self.name!r}; give it in Scene.colours") from None

    def extended(self, colours: tuple[Colour, ...]) -> Theme:
        """Return this theme with a game's own colours added."""
        dark = self.name == "dark"
        return Theme(self.name, {**self.colours, **{c.name: c.dark if dark else c.light for c in colours}})


LIGHT: Final = Theme("light", {name: light for name, (light, _) in _COLOURS.items()})
DARK: Final = Theme("dark", {name: dark for name, (_, dark) in _COLOURS.items()})


def theme_of(theme: Theme | ThemeName) -> Theme:
    """Return the theme of that name; a `Theme` (one's own, say) is returned as it is."""
    if isinstance(theme, Theme):
        return theme
    if theme not in ("light", "dark"):
        raise ValueError(f"the theme is 'light', 'dark' or a Theme, not {theme!r}")
    return LIGHT if theme == "light" else DARK
