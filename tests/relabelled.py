"""Positions with every seat called another: for tests that all seats are alike (C-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def relabelled(position: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """The same position with seat s called (s + shift) modulo the number of players.

    Raises:
        ValueError: where the rules name a seat.
    """
    n = position["players"]
    turned = _GAMES[position["game"]](position, shift)
    if position.get("to_play") is not None:
        turned["to_play"] = (position["to_play"] + shift) % n
    turned["winners"] = sorted((seat + shift) % n for seat in position["winners"])
    return turned


def _igel_aergern(position: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """Raises ValueError while pieces are placed, which seat 0 begins (IA-2)."""
    if position["phase"] == "place":
        raise ValueError("seat 0 places first")
    n = position["players"]
    stacks = [[[(seat + shift) % n for seat in stack] for stack in track] for track in position["stacks"]]
    return {**position, "stacks": stacks}


def _hooop(position: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """The board turns along, so that seat s + shift sees what seat s has seen (HO-0)."""
    n, board = position["players"], position["board"]
    size = int(board[-1])

    def turn_once(leaf: int) -> int:
        """The leaf that looks to seat s + 1 as this one does to seat s: HO-0's map of seat 1, backwards."""
        if board.startswith("square"):
            row, col = divmod(leaf, size)
            return size * size - 1 - leaf if n == 2 else size * col + (size - 1 - row)
        row = next(r for r in range(size) if leaf < (r + 1) * (r + 2) // 2)
        col = leaf - row * (row + 1) // 2
        row, col = size - 1 - row + col, size - 1 - row  # of (R-1-col, row-col) the inverse
        return row * (row + 1) // 2 + col

    def turn(place: Any) -> Any:
        if isinstance(place, str):
            return f"H{(int(place[1:]) + shift) % n}"
        for _ in range(shift):
            place = turn_once(place)
        return place

    def moved(by_seat: list[Any]) -> list[Any]:
        return [by_seat[(seat - shift) % n] for seat in range(n)]

    frogs = [sorted(map(turn, seat), key=lambda p: (isinstance(p, str), p)) for seat in position["frogs"]]
    edges = [sorted(turn(int(leaf)) for leaf in edge.split("-")) for edge in position["bridges"]]
    pushed = position["pushed"]
    return {
        **position,
        "frogs": moved(frogs),
        "bridges": [f"{a}-{b}" for a, b in sorted(edges)],
        "cards": moved(position["cards"]),
        "pushed": pushed and {"leaf": turn(pushed["leaf"]), "owner": (pushed["owner"] + shift) % n},
        "last_jump": None if position["last_jump"] is None else turn(position["last_jump"]),
    }


def _hexx_hopp(position: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """The dealer stays, as the round says who it is; it has no bearing (HX-5)."""
    n = position["players"]
    by_seat = ("up", "stacks", "discards", "gift_due", "penalties")
    return {**position, **{key: [position[key][(seat - shift) % n] for seat in range(n)] for key in by_seat}}


def _hop(position: Mapping[str, Any], shift: int) -> dict[str, Any]:
    """Nothing names a seat, not even the first hurler: who hurls is part of the position."""
    n = position["players"]

    def moved(key: str) -> list[Any]:
        return [position[key][(seat - shift) % n] for seat in range(n)]

    by_seat = ("bets", "levels", "balloons", "doves", "crows", "clouds", "skills")
    roles = {role: position[role] for role in ("hurler", "skewerer", "assister", "turbulator")}
    return {
        **position,
        **{key: moved(key) for key in by_seat},
        **{role: None if seat is None else (seat + shift) % n for role, seat in roles.items()},
    }


_GAMES: dict[str, Callable[[Mapping[str, Any], int], dict[str, Any]]] = {
    "igel_aergern": _igel_aergern,
    "hooop": _hooop,
    "hop": _hop,
    "hexx_hopp": _hexx_hopp,
}
