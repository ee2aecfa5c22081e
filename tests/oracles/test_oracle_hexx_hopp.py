"""Checks by hand that the slow walker of Hexx & Hopp reads the rules as the rule page means them."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.oracles import hexx_hopp as oracle

SAMPLE = Path(__file__).resolve().parents[1] / "records" / "hexx_hopp-2p-1r.jsonl"

# Two tiles side by side: RRRYBW shows R to the right, where RRRYWB, turned by three, shows R to the left.
# Two cells touch both. (0,1) asks for R at side 4 and B at side 5, (1,-1) for R at side 1 and W at side 2: what fits is
# a tile with R B, or R W, next to each other (clockwise).
PAIR = {"0,0": [0, 0], "1,0": [1, 3]}
FITS_NOTHING = [9, 11, 12, 18]  # YYYBWR YYYWBR BBBRYW WWWRYB: neither R B nor R W
RB, RW = 2, 4  # RRRBYW: only R B, `place 0,1 2`; RRRWYB: only R W, `place 1,-1 5`
# A third one beside them, YYYRBW turned by three: Y to the left. (1,1) asks for W W at sides 4 and 5, (2,-1) for Y R at
# sides 1 and 2.
ROW = {**PAIR, "2,0": [6, 3]}
# Six tiles round (0,0), in the order of the directions: they ask for R R R Y B W, tile 0 as it is.
RING = {"1,0": [1, 1], "0,1": [2, 3], "-1,1": [3, 4], "-1,0": [5, 1], "0,-1": [12, 0], "1,-1": [11, 5]}
ORDERS = {2: ["0,1", "1,0"], 3: ["0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"]}


def part_of_the_ring(count: int) -> dict[str, list[int]]:
    """The last so many tiles of the ring: they ask for the last so many of R R R Y B W."""
    return dict(list(RING.items())[6 - count :])


def decision(node: oracle.Node) -> oracle.Position:
    assert isinstance(node, oracle.Position)
    return node


def chance(node: oracle.Node) -> oracle.Chance:
    assert isinstance(node, oracle.Chance)
    return node


def happen(node: oracle.Node, name: Any) -> oracle.Node:
    """The node after the outcome of this name."""
    return next(after for _, called, after in oracle.named_outcomes(chance(node)) if called == str(name))


def tick(position: oracle.Position, order: str, *names: str) -> oracle.Node:
    return happen(oracle.play(position, names), order)


def ended(node: oracle.Node) -> oracle.Position:
    """The position of a game that is over."""
    position = decision(node)
    assert position["phase"] == "over"
    assert oracle.legal(position) == []
    return position


# --- HX-1 to HX-3: tiles and table ---------------------------------------------------------------------------------


def test_the_tiles() -> None:
    assert len(oracle.TILES) == 72
    checks = {
        0: "RRRYBW",
        1: "RRRYWB",
        3: "RRRBWY",
        4: "RRRWYB",
        24: "RRYYBW",
        47: "WWBBYR",
        48: "RYRYBW",
        71: "WBWBYR",
    }
    assert {tile: oracle.TILES[tile] for tile in checks} == checks
    assert all(set(tile) == set("RYBW") for tile in oracle.TILES)
    assert {"".join(oracle.TILES).count(colour) for colour in "RYBW"} == {108}
    turned = {min(tile[k:] + tile[:k] for k in range(6)) for tile in oracle.TILES}
    assert len(turned) == 72  # no two are the same tile turned


def test_a_rotation_turns_clockwise() -> None:
    # directions go clockwise, so a segment moves on to the next side
    assert [oracle.colour_at(0, 0, side) for side in range(6)] == list("RRRYBW")
    assert [oracle.colour_at(0, 1, side) for side in range(6)] == list("WRRRYB")
    assert [oracle.colour_at(0, 5, side) for side in range(6)] == list("RRYBWR")


def test_directions_go_round_clockwise_and_opposite_sides_touch() -> None:
    assert oracle.DIRECTIONS == ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    # 0 RRRYBW lies at (0,0): a neighbour in direction d is asked for the colour of side d at its side d + 3
    for d, ((q, r), colour) in enumerate(zip(oracle.DIRECTIONS, "RRRYBW", strict=True)):
        assert oracle.asked_at({(0, 0): (0, 0)}, (q, r)) == {(d + 3) % 6: colour}
        assert oracle.asked_at({(0, 0): (0, 2)}, (q, r)) == {(d + 3) % 6: "BWRRRY"[d]}


def test_the_table() -> None:
    assert [len(oracle.table(radius)) for radius in (2, 3, 10)] == [19, 37, 331]
    two = [cell for q in range(3) for cell in [(q, -2)]] + [(q, -1) for q in range(-1, 3)]
    assert list(oracle.table(2))[:7] == two
    assert list(oracle.table(2))[-3:] == [(-2, 2), (-1, 2), (0, 2)]


# --- HX-4, HX-5: the deal ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each", "box"), [(2, 15, 35), (3, 15, 20), (4, 15, 5), (5, 13, 0)])
def test_the_deal(players: int, each: int, box: int) -> None:
    rng = random.Random(players)
    node = oracle.start(players)
    dealt: list[int] = []
    kinds: list[str] = []
    while isinstance(node, oracle.Chance):
        kinds.append(node.kind)
        left = [tile for tile in range(72) if tile not in dealt]
        names = [name for _, name, _ in oracle.named_outcomes(node)]
        assert {weight for weight, _ in oracle.outcomes(node)} == {1}
        assert oracle.outcome_count(node) == len(names)
        if node.kind == "rotation":
            assert names == sorted(names)
            node = happen(node, rng.choice(names))
            continue
        assert [int(name) for name in names] == left
        number = rng.randrange(len(left))
        dealt.append(left[number])
        node = oracle.happen(node, number)
    assert kinds == ["figure", *["figure", "rotation"] * 6, *["stack"] * (players * each)]
    position = decision(node)
    cells = ["0,0", "1,0", "2,0", "-1,1", "-2,2", "0,-1", "0,-2"]
    assert [position["figure"][cell][0] for cell in cells] == dealt[:7]
    assert (len(position["figure"]), position["figure"]["0,0"][1]) == (7, 0)
    hands = [dealt[7 + each * seat : 7 + each * (seat + 1)] for seat in range(players)]
    assert [[up, *stack] for up, stack in zip(position["up"], position["stacks"], strict=True)] == hands
    assert len(oracle.in_the_box(position)) == box
    rest = {key: position[key] for key in position if key not in ("figure", "up", "stacks")}
    assert rest == {
        "game": "hexx_hopp",
        "players": players,
        "phase": "play",
        "round": 0,
        "tick": 0,
        "discards": [[]] * players,
        "gift_due": [0] * players,
        "penalties": [0] * players,
        "dealer": 0,
        "winners": [],
    }


def test_a_tile_of_the_figure_turns_so_that_it_matches_the_one_it_touches() -> None:
    node = happen(oracle.start(2), 0)  # RRRYBW
    # 24 RRYYBW is asked for R at side 3: segment 0 lies there when turned by 3, segment 1 when turned by 2
    node = happen(node, 24)
    assert [name for _, name, _ in oracle.named_outcomes(chance(node))] == ["2", "3"]
    node = happen(node, 2)
    # it shows BWRRYY now, so B to the right: 48 RYRYBW has one B, segment 4
    node = happen(node, 48)
    assert [name for _, name, _ in oracle.named_outcomes(chance(node))] == ["5"]
    node = happen(node, 5)
    # direction 2 of the centre shows R: 2 RRRBYW must have an R at side 5
    node = happen(node, 2)
    assert [name for _, name, _ in oracle.named_outcomes(chance(node))] == ["3", "4", "5"]
    node = happen(node, 4)
    # direction 2 of RRRBYW turned by 4, which shows RBYWRR, is Y: 6 YYYRBW must have a Y at side 5
    node = happen(node, 6)
    assert [name for _, name, _ in oracle.named_outcomes(chance(node))] == ["3", "4", "5"]
    node = happen(node, 3)
    # direction 4 of the centre shows B: 12 BBBRYW must have a B at side 1
    node = happen(node, 12)
    assert [name for _, name, _ in oracle.named_outcomes(chance(node))] == ["0", "1", "5"]
    node = happen(node, 0)
    # it shows Y in direction 4: 18 WWWRYB must have its Y, segment 4, at side 1
    node = happen(node, 18)
    assert [name for _, name, _ in oracle.named_outcomes(chance(node))] == ["3"]
    last = chance(happen(node, 3))
    assert last.kind == "stack"
    assert list(last.before["figure"].values()) == [[0, 0], [24, 2], [48, 5], [2, 4], [6, 3], [12, 0], [18, 3]]


def test_the_first_counts_by_hand() -> None:
    # the second tile has as many rotations as segments of the colour that the centre shows at side 0, its A: each
    # colour is there 108 times, less those on the centre itself, 3, 2 or 2 by pattern
    deep = [72, 72 * 71, 72 * 108 - 24 * (3 + 2 + 2), 70 * (72 * 108 - 24 * (3 + 2 + 2))]
    frozen = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))
    assert (frozen["starts"][0]["depths"], frozen["starts"][0]["counts"]) == ([1, 2, 3, 4], deep)
    assert [oracle.perft(3, depth) for depth in (0, 1, 2)] == [1, *deep[:2]]


# --- HX-6: placements ----------------------------------------------------------------------------------------------


def test_a_tile_goes_to_a_cell_with_two_neighbours_where_all_colours_match() -> None:
    assert oracle.openings(PAIR, 10) == [((1, -1), {1: "R", 2: "W"}), ((0, 1), {4: "R", 5: "B"})]
    position = oracle.set_up(PAIR, [RB, RW])
    assert oracle.legal(position) == [["wait", "place 0,1 2"], ["wait", "place 1,-1 5"]]
    # WWWRBY: R B at (0,1); W W at (1,1), in two ways
    assert oracle.legal(oracle.set_up(ROW, [19, RB]))[0] == ["wait", "place 0,1 1", "place 1,1 3", "place 1,1 4"]
    for tile in FITS_NOTHING:
        assert oracle.placements(PAIR, tile, 10) == []
    assert oracle.openings({"0,0": [0, 0]}, 10) == []  # touching with one segment is not enough
    assert oracle.openings({"0,0": [0, 0], "3,0": [1, 0]}, 10) == []


def test_a_hole_is_filled_where_all_six_colours_match() -> None:
    # beside (0,0), R R R Y B W, the ring asks for: (1,-2) R W, (-1,-1) R W, (2,-1) W Y, (-2,1) R Y, (1,1) B R,
    # (-1,2) B W, each clockwise; of these RRRYBW has R Y and B W
    assert oracle.placements(RING, 0, 10) == [(0, 0, 0), (-2, 1, 3), (-1, 2, 0)]
    assert dict(oracle.openings(RING, 10))[0, 0] == dict(enumerate("RRRYBW"))
    turned = {cell: [tile, rotation] for cell, (tile, rotation) in RING.items()}
    turned["1,-1"] = [11, 0]  # Y instead of W at its side 2
    assert (0, 0, 0) not in oracle.placements(turned, 0, 10)


def test_cells_beyond_the_edge_are_off_the_table() -> None:
    # the pair on the last row: the cell below is off the table of radius 2
    low = {"-1,2": [0, 0], "0,2": [1, 3]}
    assert oracle.placements(low, RB, 2) == []
    assert oracle.placements(low, RB, 3) == [(-1, 3, 2)]
    assert oracle.placements(low, RW, 2) == [(0, 1, 5)]
    position = oracle.set_up(low, [RB, RW], table_radius=2)
    assert oracle.legal(position) == [["wait"], ["wait", "place 0,1 5"]]
    assert position["options"] == {"table_radius": 2}
    # .. and on the right, where q + r is what counts
    right = {"2,0": [0, 0], "1,1": [1, 0]}
    assert [cell for cell, _ in oracle.openings(right, 2)] == [(1, 0)]
    assert [cell for cell, _ in oracle.openings(right, 3)] == [(1, 0), (2, 1)]


def test_placements_come_by_r_then_q_then_rotation() -> None:
    rng = random.Random(1)
    for _ in range(20):
        figure = oracle.scattered_figure(rng, rng.randint(2, 40), 4)
        tile = rng.randrange(72)
        found = oracle.placements(figure, tile, 4)
        assert found == sorted(found, key=lambda place: (place[1], place[0], place[2]))
        # the same question asked from the side of every cell and neighbour
        expected = []
        for r, q, k in itertools.product(range(-4, 5), range(-4, 5), range(6)):
            beside = [(side, figure.get(f"{q + dq},{r + dr}")) for side, (dq, dr) in enumerate(oracle.DIRECTIONS)]
            touching = [(side, lying) for side, lying in beside if lying is not None]
            on_table = abs(q + r) <= 4 and f"{q},{r}" not in figure
            own = oracle.TILES[tile][6 - k :] + oracle.TILES[tile][: 6 - k]
            turned = [oracle.TILES[t][6 - turn :] + oracle.TILES[t][: 6 - turn] for _, (t, turn) in touching]
            facing = zip(touching, turned, strict=True)
            if on_table and len(touching) >= 2 and all(own[side] == t[side - 3] for (side, _), t in facing):
                expected.append((q, r, k))
        assert found == expected


# --- HX-7: ticks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_tick_has_a_chance_point_of_all_orders(players: int) -> None:
    position = oracle.set_up(PAIR, [RB, *FITS_NOTHING][:players], discards=[[], [30], *[[]] * (players - 2)])
    node = oracle.play(position, ["wait"] * players)
    assert node.kind == "order"
    names = [name for _, name, _ in oracle.named_outcomes(node)]
    assert len(names) == oracle.outcome_count(node) == [2, 6, 24, 120][players - 2]
    assert {weight for weight, _ in oracle.outcomes(node)} == {1}
    assert names == sorted(names)
    if players in ORDERS:
        assert names == ORDERS[players]
    for after in (node for _, node in oracle.outcomes(node)):
        assert decision(after) == {**position, "tick": 6}


def test_the_first_comes_first_and_the_other_keeps_its_tile() -> None:
    # RRRBYW and RRRBWY: both only fit to (0,1)
    position = oracle.set_up(PAIR, [2, 3], stacks=[[30, 31], [40, 41]], discards=[[], [50]])
    both = ["place 0,1 2", "place 0,1 2"]
    first = decision(tick(position, "0,1", *both))
    assert first["figure"] == {**PAIR, "0,1": [2, 2]}
    assert (first["up"], first["stacks"], first["discards"]) == ([30, 3], [[31], [40, 41]], [[], [50]])
    second = decision(tick(position, "1,0", *both))
    assert second["figure"] == {**PAIR, "0,1": [3, 2]}
    assert (second["up"], second["stacks"]) == ([2, 40], [[30, 31], [41]])
    assert second["gift_due"] == [0, 0]
    assert position["figure"] == PAIR  # the position before is left alone


@pytest.mark.parametrize(("order", "gifts"), [("0,1", [0, 2]), ("1,0", [2, 0])])
def test_contacts_are_counted_when_the_placement_is_carried_out(order: str, gifts: list[int]) -> None:
    # RRRBYW at (0,1) shows Y to (1,1), where WWWRBY turned by four shows Y, too: whoever comes second has three
    position = oracle.set_up(ROW, [RB, 19], stacks=[[30], [40]])
    after = decision(tick(position, order, "place 0,1 2", "place 1,1 4"))
    assert after["figure"] == {**ROW, "0,1": [2, 2], "1,1": [19, 4]}
    assert after["gift_due"] == gifts


@pytest.mark.parametrize(("order", "up"), [("0,1", [30, 19]), ("1,0", [2, 40])])
def test_a_placement_that_no_longer_matches_does_nothing(order: str, up: list[int]) -> None:
    # turned by three, WWWRBY shows W to (0,1)
    position = oracle.set_up(ROW, [RB, 19], stacks=[[30], [40]])
    after = decision(tick(position, order, "place 0,1 2", "place 1,1 3"))
    assert after["up"] == up
    assert after["gift_due"] == [0, 0]
    assert len(after["figure"]) == 4


# --- HX-8: actions -------------------------------------------------------------------------------------------------


def test_what_is_legal_without_a_placement() -> None:
    def names(**tiles: Any) -> list[str]:
        return oracle.legal(oracle.set_up(PAIR, [9, RB], **tiles))[0]

    assert names() == ["wait"]
    assert names(stacks=[[30], []]) == ["wait", "next"]
    assert names(discards=[[40, 5, 30], []]) == ["wait", "next", "recall 5", "recall 30", "recall 40"]
    assert names(stacks=[[31], [60]], discards=[[7], [61]]) == ["wait", "next", "recall 7"]


def test_next_turns_up_the_top_of_the_stack() -> None:
    position = oracle.set_up(PAIR, [9, RB], stacks=[[30, 31], [60]], discards=[[40, 41], []])
    after = decision(tick(position, "0,1", "next", "wait"))
    assert (after["up"], after["stacks"], after["discards"]) == ([30, RB], [[31], [60]], [[40, 41, 9], []])


def test_next_turns_up_the_oldest_discard_of_an_empty_stack() -> None:
    position = oracle.set_up(PAIR, [9, RB], discards=[[40, 41], []])
    after = decision(tick(position, "0,1", "next", "wait"))
    assert (after["up"], after["discards"]) == ([40, RB], [[41, 9], []])
    # .. and as the stack is at that moment: a gift may have come
    position = oracle.set_up(PAIR, [9, RB], stacks=[[], [60, 61, 62]], discards=[[40], []], gift_due=[0, 2])
    late = decision(tick(position, "0,1", "next", "give 2"))
    assert (late["up"][0], late["stacks"][0], late["discards"][0]) == (40, [60, 61], [9])
    early = decision(tick(position, "1,0", "next", "give 2"))
    assert (early["up"][0], early["stacks"][0], early["discards"][0]) == (60, [61], [40, 9])


def test_recall_turns_up_a_discard_of_choice() -> None:
    position = oracle.set_up(PAIR, [9, RB], stacks=[[30], [60]], discards=[[40, 41, 42], []])
    after = decision(tick(position, "1,0", "recall 41", "wait"))
    assert (after["up"], after["stacks"], after["discards"]) == ([41, RB], [[30], [60]], [[40, 42, 9], []])


def test_after_a_placement_the_next_tile_is_turned_up() -> None:
    position = oracle.set_up(PAIR, [RB, 9], stacks=[[30, 31], [60]], discards=[[40], []])
    after = decision(tick(position, "0,1", "place 0,1 2", "wait"))
    assert (after["up"], after["stacks"][0], after["discards"][0]) == ([30, 9], [31], [40])
    position["stacks"][0] = []
    position["discards"][0] = [40, 41]
    after = decision(tick(position, "0,1", "place 0,1 2", "wait"))
    assert (after["up"], after["stacks"][0], after["discards"][0]) == ([40, 9], [], [41])


@pytest.mark.parametrize(
    "names",
    [
        ["next", "wait"],
        ["recall 40", "wait"],
        ["place 0,1 3", "wait"],
        ["place 1,-1 5", "wait"],
        ["give 0", "wait"],
        ["wait", "give 1"],
        ["wait", "wait", "wait"],
        ["wait"],
        ["wait", "nothing"],
    ],
)
def test_illegal_actions_are_refused_and_leave_the_position_alone(names: list[str]) -> None:
    position = oracle.set_up(PAIR, [RB, 9], discards=[[], [40]])
    before = json.dumps(position)
    with pytest.raises(ValueError, match=r"legal|one a seat"):
        oracle.play(position, names)
    happen(oracle.play(position, ["place 0,1 2", "recall 40"]), "0,1")
    assert json.dumps(position) == before
    node = oracle.play(position, ["wait", "wait"])
    position["up"][0] = 71  # whoever changes a position doesn't change what has been played from it
    assert decision(happen(node, "0,1"))["up"] == [RB, 9]
    with pytest.raises(ValueError, match="over"):
        oracle.play({**position, "phase": "over"}, ["wait", "wait"])


# --- HX-9: contacts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "gift"), [(2, 0), (3, 2), (4, 4), (5, 6)])
def test_three_contacts_or_more_bring_a_gift(count: int, gift: int) -> None:
    figure = part_of_the_ring(count)
    position = oracle.set_up(figure, [0, RB], stacks=[[30, 31], [60]], gift_due=[0, 0])
    assert oracle.contacts(figure, (0, 0)) == count
    after = decision(tick(position, "0,1", "place 0,0 0", "wait"))
    assert after["gift_due"] == [gift, 0]
    assert after["figure"] == {**figure, "0,0": [0, 0]}
    assert (after["up"], after["stacks"], after["tick"]) == ([30, RB], [[31], [60]], 6)


@pytest.mark.parametrize("order", ["0,1", "1,0"])
def test_six_contacts_win_the_round_at_once(order: str) -> None:
    # .. with tiles left, and the next one is turned up; what comes later in the tick is void
    position = oracle.set_up(RING, [0, 9], stacks=[[30, 31], [60]], discards=[[40], []], rounds=1)
    end = ended(tick(position, order, "place 0,0 0", "next"))
    assert end["figure"] == {**RING, "0,0": [0, 0]}
    assert (end["up"][0], end["stacks"][0], end["discards"][0]) == (30, [31], [40])
    assert (end["up"][1], end["discards"][1]) == ((9, []) if order == "0,1" else (60, [9]))
    assert (end["penalties"], end["winners"], end["tick"], end["gift_due"]) == ([0, 2], [0], 6, [0, 0])
    position["stacks"][0] = []
    assert ended(tick(position, "0,1", "place 0,0 0", "next"))["up"][0] == 40


# --- HX-10: gifts --------------------------------------------------------------------------------------------------


def legal_gifts(players: int, due: int, tiles: int) -> list[str]:
    up = [RB, *FITS_NOTHING][:players]
    stacks = [list(range(30, 29 + tiles)), *[[60]] * (players - 1)]
    return oracle.legal(oracle.set_up(PAIR, up, stacks=stacks, gift_due=[due, *[0] * (players - 1)]))[0]


def test_the_numbers_of_a_gift() -> None:
    assert legal_gifts(2, 2, 9) == ["give 0", "give 2"]
    assert legal_gifts(2, 6, 9) == ["give 0", "give 6"]
    assert legal_gifts(2, 6, 5) == ["give 0", "give 5"]
    assert legal_gifts(2, 2, 1) == ["give 0", "give 1"]
    assert legal_gifts(2, 4, 4) == ["give 0", "give 4"]
    assert legal_gifts(3, 2, 9) == ["give 0,0", "give 0,2", "give 1,1", "give 2,0"]
    assert legal_gifts(3, 4, 3) == ["give 0,0", "give 0,3", "give 1,2", "give 2,1", "give 3,0"]
    two_to_three = ["give 0,0,2", "give 0,1,1", "give 0,2,0", "give 1,0,1", "give 1,1,0", "give 2,0,0"]
    assert legal_gifts(4, 2, 9) == ["give 0,0,0", *two_to_three]
    # six among four: 9 over 3; four: 7 over 3
    assert len(legal_gifts(5, 6, 9)) == 1 + 84
    assert len(legal_gifts(5, 4, 9)) == 1 + 35
    assert legal_gifts(5, 6, 1)[1:] == ["give 0,0,0,1", "give 0,0,1,0", "give 0,1,0,0", "give 1,0,0,0"]


def test_a_gift_counts_the_discards_and_the_tile_that_is_face_up() -> None:
    position = oracle.set_up(PAIR, [RB, 9], stacks=[[30], []], discards=[[40, 41], []], gift_due=[6, 0])
    assert oracle.legal(position) == [["give 0", "give 4"], ["wait"]]


def test_a_gift_comes_from_the_stack_then_the_discards_and_goes_under_the_stacks() -> None:
    position = oracle.set_up(
        PAIR,
        [9, RB, 11],
        stacks=[[60, 61], [30, 31], []],
        discards=[[70], [40, 41, 42], [71]],
        gift_due=[0, 4, 0],
    )
    # seat 1 gives: left1 is seat 2, left2 is seat 0
    after = decision(tick(position, "1,0,2", "wait", "give 1,3", "wait"))
    assert after["stacks"] == [[60, 61, 31, 40, 41], [], [30]]
    assert after["discards"] == [[70], [42], [71]]
    assert (after["up"], after["gift_due"]) == ([9, RB, 11], [0, 0, 0])
    even = decision(tick(position, "1,0,2", "wait", "give 2,2", "wait"))  # left1 gets its whole number first
    assert even["stacks"] == [[60, 61, 40, 41], [], [30, 31]]
    other = decision(tick(position, "1,0,2", "wait", "give 4,0", "wait"))
    assert other["stacks"] == [[60, 61], [], [30, 31, 40, 41]]
    kept = decision(tick(position, "1,0,2", "wait", "give 0,0", "wait"))
    assert kept == {**position, "tick": 6, "gift_due": [0, 0, 0]}
    # then it plays on as ever
    assert oracle.legal(kept)[1] == ["wait", "next", "recall 40", "recall 41", "recall 42", "place 0,1 2"]


@pytest.mark.parametrize(("due", "tiles"), [(2, 2), (4, 3), (6, 6), (4, 1)])
def test_giving_the_last_tiles_wins(due: int, tiles: int) -> None:
    discards = list(range(30, 29 + tiles))
    position = oracle.set_up(PAIR, [9, RB], discards=[discards, []], gift_due=[due, 0], penalties=[1, 2], rounds=1)
    end = ended(tick(position, "0,1", f"give {tiles}", "place 0,1 2"))
    assert end["stacks"] == [[], [*discards, 9]]  # the tile that was face up comes last
    assert (end["up"], end["discards"], end["gift_due"]) == ([None, RB], [[], []], [0, 0])
    assert (end["penalties"], end["winners"], end["tick"]) == ([1, 2 + 1 + tiles], [0], 6)
    assert end["figure"] == PAIR


def test_gifts_that_arrive_earlier_change_no_numbers() -> None:
    position = oracle.set_up(PAIR, [RB, 9], stacks=[[], [30, 31]], gift_due=[2, 2], rounds=1)
    assert oracle.legal(position) == [["give 0", "give 1"], ["give 0", "give 2"]]
    # seat 1 is first: seat 0 gives one of three, from the top of its stack, and keeps its face-up tile
    after = decision(tick(position, "1,0", "give 1", "give 2"))
    assert (after["up"], after["stacks"], after["gift_due"]) == ([RB, 9], [[31], [30]], [0, 0])
    # seat 0 is first: it gives its last tile and wins; the gift of seat 1 is void and stays due
    end = ended(tick(position, "0,1", "give 1", "give 2"))
    assert (end["up"], end["stacks"], end["gift_due"]) == ([None, 9], [[], [30, 31, RB]], [0, 2])
    assert (end["penalties"], end["winners"]) == ([0, 4], [0])


# --- HX-11 to HX-13: the end of a round ----------------------------------------------------------------------------


def test_the_last_tile_placed_wins_and_the_rest_of_the_tick_is_void() -> None:
    position = oracle.set_up(
        PAIR, [9, RB, 11], stacks=[[30], [], [60, 61]], discards=[[40], [], []], penalties=[3, 9, 5], rounds=1
    )
    names = ["next", "place 0,1 2", "next"]
    end = ended(tick(position, "2,1,0", *names))
    assert end["up"] == [9, None, 60]
    assert (end["discards"], end["stacks"]) == ([[40], [], [11]], [[30], [], [61]])
    # three tiles each; the winner of the round pays nothing, but others have won the game
    assert (end["penalties"], end["winners"], end["tick"]) == ([6, 9, 8], [0], 6)
    assert ended(tick(position, "0,2,1", *names))["up"] == [30, None, 60]


def test_the_last_tile_with_three_contacts_leaves_its_gift_void() -> None:
    end = ended(tick(oracle.set_up(part_of_the_ring(3), [0, 10], rounds=1), "0,1", "place 0,0 0", "wait"))
    assert (end["gift_due"], end["penalties"], end["up"]) == ([2, 0], [0, 1], [None, 10])


def test_a_seat_that_could_not_place_its_last_tile_has_not_won() -> None:
    position = oracle.set_up(PAIR, [2, 3], stacks=[[30], []], rounds=1)
    after = decision(tick(position, "0,1", "place 0,1 2", "place 0,1 2"))
    assert (after["phase"], after["up"]) == ("play", [30, 3])


def test_the_round_ends_when_nothing_fits_any_more() -> None:
    # RRRBYW at (0,1), turned by two, asks for R R at (-1,1) and Y W at (1,1); R W is left at (1,-1).
    # WWWRYB and YYYBWR have none of these.
    position = oracle.set_up(PAIR, [RB, 9], stacks=[[18], []], penalties=[0, 4], rounds=1)
    end = ended(tick(position, "0,1", "place 0,1 2", "wait"))
    assert (end["tick"], end["up"], end["penalties"], end["winners"]) == (6, [18, 9], [1, 5], [0])
    # it goes on as long as a tile fits anywhere, be it in a stack or among discards
    for place in ("stacks", "discards"):
        for seat in (0, 1):
            on = oracle._copy(position)
            on[place][seat].append(RW)
            after = decision(tick(on, "0,1", "place 0,1 2", "wait"))
            assert (after["phase"], after["tick"]) == ("play", 6)
    on = oracle._copy(position, up=[RB, RW])
    assert decision(tick(on, "0,1", "place 0,1 2", "wait"))["phase"] == "play"


def test_a_gift_is_settled_before_the_round_ends_for_nothing_fits() -> None:
    # with RRRYBW at (0,0) the cells ask for R W, R W, R Y and R R; YYYRBW and YYYWRB have R B only
    position = oracle.set_up(part_of_the_ring(3), [0, 10], stacks=[[6, 15], []], rounds=1, max_ticks=10)
    due = decision(tick(position, "1,0", "place 0,0 0", "wait"))
    assert oracle.nothing_fits(due)
    assert (due["phase"], due["tick"], due["gift_due"]) == ("play", 6, [2, 0])
    assert oracle.legal(due) == [["give 0", "give 2"], ["wait"]]
    end = ended(tick(due, "0,1", "give 0", "wait"))
    assert (end["penalties"], end["tick"], end["winners"]) == ([2, 1], 7, [1])
    won = ended(tick(due, "0,1", "give 2", "wait"))
    assert (won["penalties"], won["tick"], won["winners"]) == ([0, 3], 7, [0])
    # the gift of any seat will do
    third = oracle.set_up(part_of_the_ring(3), [10, 15, 0], stacks=[[], [], [6]], rounds=1)
    due = decision(tick(third, "0,2,1", "wait", "wait", "place 0,0 0"))
    assert (due["phase"], due["gift_due"]) == ("play", [0, 0, 2])
    assert ended(tick(due, "0,1,2", "wait", "wait", "give 0,0"))["penalties"] == [1, 1, 1]
    # at max_ticks the round ends all the same
    position["options"]["max_ticks"] = 6
    end = ended(tick(position, "1,0", "place 0,0 0", "wait"))
    assert (end["gift_due"], end["penalties"], end["tick"]) == ([2, 0], [2, 1], 6)


@pytest.mark.parametrize("ticks", [6, 7])
def test_the_round_ends_after_max_ticks(ticks: int) -> None:
    position = oracle.set_up(PAIR, [9, RB], stacks=[[30, 31], []], discards=[[40], []], rounds=1, max_ticks=ticks)
    node = tick(position, "0,1", "wait", "wait")
    if ticks == 7:
        assert decision(node)["phase"] == "play"
        node = tick(decision(node), "0,1", "wait", "wait")
    end = ended(node)
    assert (end["tick"], end["penalties"], end["winners"]) == (ticks, [4, 1], [1])


def test_the_last_tick_may_still_be_won() -> None:
    position = oracle.set_up(PAIR, [9, RB], stacks=[[30], []], rounds=1, max_ticks=6)
    assert ended(tick(position, "0,1", "wait", "place 0,1 2"))["penalties"] == [2, 0]
    position = oracle.set_up(RING, [0, 9], stacks=[[30], []], rounds=1, max_ticks=6)
    assert ended(tick(position, "0,1", "place 0,0 0", "wait"))["penalties"] == [0, 1]


def test_without_the_option_a_round_has_300_ticks() -> None:
    position = oracle.set_up(PAIR, [9, RB], tick=298, rounds=1)
    after = decision(tick(position, "0,1", "wait", "wait"))
    assert (after["phase"], after["tick"]) == ("play", 299)
    assert ended(tick(after, "0,1", "wait", "wait"))["tick"] == 300


# A start figure that asks for R R at all six cells with two contacts, for B B Y, Y Y W and W R B at those with three
RED_STAR = [(39, 0), (0, 5), (1, 2), (4, 1), (2, 4), (3, 3), (5, 0)]


def deal(node: oracle.Node, tiles: list[int]) -> oracle.Node:
    for tile, rotation in RED_STAR:
        node = happen(node, tile)
        if tile != 39:
            node = happen(node, rotation)
    for tile in tiles:
        node = happen(node, tile)
    return node


def test_nothing_may_fit_when_a_round_begins() -> None:
    used = [tile for tile, _ in RED_STAR]
    barren = [
        tile
        for tile, colours in enumerate(oracle.TILES)
        if tile not in used and not any(pattern in colours * 2 for pattern in ("RR", "BBY", "YYW", "WRB"))
    ]
    assert len(barren) >= 30
    end = ended(deal(oracle.start(2, rounds=1), barren[:30]))
    assert (end["tick"], end["round"], end["penalties"], end["winners"]) == (0, 0, [15, 15], [0, 1])
    assert (end["up"], end["stacks"]) == ([barren[0], barren[15]], [barren[1:15], barren[16:30]])
    another = chance(deal(oracle.start(2), barren[:30]))
    assert (another.kind, another.before["round"], another.before["penalties"]) == ("figure", 1, [15, 15])
    # the last tile of all has R R: it fits, though it lies at the bottom of a stack
    assert decision(deal(oracle.start(2, rounds=1), [*barren[:29], 27]))["phase"] == "play"


# --- HX-14: the game -----------------------------------------------------------------------------------------------


def test_the_next_round_is_dealt_anew() -> None:
    position = oracle.set_up(
        PAIR, [9, RB, 11], stacks=[[30], [], []], gift_due=[0, 0, 4], penalties=[7, 5, 0], round_number=3
    )
    node = chance(tick(position, "1,0,2", "wait", "place 0,1 2", "give 0,0"))
    assert node.kind == "figure"
    assert node.before == {
        "game": "hexx_hopp",
        "players": 3,
        "phase": "play",
        "round": 4,
        "tick": 0,
        "figure": {},
        "up": [None] * 3,
        "stacks": [[], [], []],
        "discards": [[], [], []],
        "gift_due": [0, 0, 0],
        "penalties": [9, 5, 1],
        "dealer": 1,
        "winners": [],
    }
    assert oracle.outcome_count(node) == 72  # all tiles are back in the box
    rng = random.Random(1)
    later: oracle.Node = node
    for _ in range(13 + 45):
        later = oracle.happen(chance(later), rng.randrange(oracle.outcome_count(chance(later))))
    assert (decision(later)["round"], decision(later)["dealer"], later["tick"]) == (4, 1, 0)  # type: ignore[index]
    assert len(later["figure"]) == 7  # type: ignore[index]


@pytest.mark.parametrize(("options", "number"), [({}, 9), ({"rounds": 1}, 0), ({"rounds": 12}, 11)])
def test_the_last_round_ends_the_game(options: dict[str, Any], number: int) -> None:
    position = oracle.set_up(PAIR, [9, RB], round_number=number, **options)
    end = ended(tick(position, "0,1", "wait", "place 0,1 2"))
    assert (end["round"], end["tick"], end["dealer"], end["winners"]) == (number, 6, number % 2, [1])
    before = oracle.set_up(PAIR, [9, RB], round_number=number - 1, **options)
    if number:
        assert chance(tick(before, "0,1", "wait", "place 0,1 2")).before["round"] == number


def test_the_fewest_penalty_points_win_and_ties_share() -> None:
    def end(*penalties: int) -> dict[str, Any]:
        # seat 0 wins the round, the others pay one point each
        up: list[int | None] = [RB, 9, 11, 12]
        position = oracle.set_up(PAIR, up, penalties=penalties, rounds=1)
        return oracle.result(ended(tick(position, "0,1,2,3", "place 0,1 2", "wait", "wait", "wait")))

    result = end(5, 7, 3, 9)
    assert (result["scores"], result["ranks"], result["winners"]) == ([-5, -8, -4, -10], [2, 3, 1, 4], [2])
    assert result["rewards"]["win"] == pytest.approx([-1 / 3, -1 / 3, 1.0, -1 / 3])
    assert result["rewards"]["rank"] == pytest.approx([1 / 3, -1 / 3, 1.0, -1.0])
    assert result["rewards"]["score"] == pytest.approx([-5 + 22 / 3, -8 + 19 / 3, -4 + 23 / 3, -10 + 17 / 3])
    result = end(5, 4, 4, 9)
    assert (result["scores"], result["ranks"], result["winners"]) == ([-5, -5, -5, -10], [1, 1, 1, 4], [0, 1, 2])
    assert result["rewards"]["win"] == pytest.approx([1 / 9, 1 / 9, 1 / 9, -1 / 3])
    assert result["rewards"]["rank"] == pytest.approx([1 / 3, 1 / 3, 1 / 3, -1.0])
    with pytest.raises(ValueError, match="not over"):
        oracle.result(oracle.set_up(PAIR, [RB, 9]))


# --- options and catalogue -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "players", "options"),
    [
        ("players", 1, {}),
        ("players", 6, {}),
        ("rounds", 2, {"rounds": 0}),
        ("rounds", 2, {"rounds": True}),
        ("max_ticks", 2, {"max_ticks": 0}),
        ("max_ticks", 2, {"max_ticks": 1.5}),
        ("table_radius", 2, {"table_radius": 1}),
        ("max_turns", 2, {"max_turns": 100}),
        ("cards", 2, {"cards": False}),
    ],
)
def test_impossible_options_are_refused_by_name(named: str, players: int, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=named):
        oracle.check_options(players, **options)


def test_options_that_are_not_default_are_recorded() -> None:
    rules = oracle.check_options(3, rounds=None, max_turns=None)
    assert (rules.rounds, rules.max_ticks, rules.table_radius) == (10, 300, 10)
    assert oracle.recorded_options(rules) == oracle.header_options(rules) == {}
    rules = oracle.check_options(3, rounds=1, max_ticks=300, table_radius=2)
    assert oracle.recorded_options(rules) == oracle.header_options(rules) == {"rounds": 1, "table_radius": 2}
    node = chance(oracle.start(3, rounds=1, max_ticks=300, table_radius=2))
    assert node.before["options"] == {"rounds": 1, "table_radius": 2}
    assert oracle.rules_of(node.before) == rules


@pytest.mark.parametrize(("players", "gifts"), [(2, 7), (3, 28), (4, 84), (5, 210)])
def test_the_catalogue(players: int, gifts: int) -> None:
    names = oracle.catalogue(players)
    assert len(names) == len(set(names)) == 2 + 72 + 1986 + gifts
    assert names[:5] == ["wait", "next", "recall 0", "recall 1", "recall 2"]
    assert names[73:75] == ["recall 71", "place 0,-10 0"]
    assert names[74 + 5 : 74 + 8] == ["place 0,-10 5", "place 1,-10 0", "place 1,-10 1"]
    assert names[74 + 1985] == "place 0,10 5"
    zeros = ",".join(["0"] * (players - 1))
    assert names[74 + 1986] == f"give {zeros}"
    given = [[int(number) for number in name.split()[1].split(",")] for name in names[74 + 1986 :]]
    assert given == sorted(given, key=lambda numbers: (sum(numbers), numbers))
    assert max(map(sum, given)) == 6
    assert len(oracle.catalogue(players, table_radius=2)) == 2 + 72 + 19 * 6 + gifts


# --- what a seat knows ---------------------------------------------------------------------------------------------


def test_a_view_shows_what_lies_open_and_counts() -> None:
    position = oracle.set_up(
        PAIR,
        [9, RB, 11],
        stacks=[[30, 31], [40], []],
        discards=[[50], [61, 60], [70, 71]],
        gift_due=[0, 2, 0],
        penalties=[1, 2, 3],
        round_number=4,
        tick=9,
    )
    assert oracle.public_view(position, 1) == {
        "players": 3,
        "phase": "play",
        "round": 4,
        "tick": 9,
        "figure": PAIR,
        "up": [RB, 11, 9],
        "stack_counts": [1, 0, 2],
        "discard_counts": [2, 2, 1],
        "own_discards": [61, 60],
        "gift_due": [2, 0, 0],
        "penalties": [2, 3, 1],
        "winners": [],
    }
    view = oracle.public_view(position, 1)
    for hidden in (
        {"stacks": [[31, 30], [40], []]},
        {"stacks": [[30, 31], [41], []]},  # the own stack, too
        {"discards": [[51], [61, 60], [71, 70]]},
    ):
        assert oracle.public_view({**position, **hidden}, 1) == view
    for seen in (
        {"stacks": [[30], [40], []]},
        {"discards": [[50], [60, 61], [70, 71]]},
        {"discards": [[50], [61, 60], [70]]},
        {"up": [10, RB, 11]},
        {"figure": {**PAIR, "0,0": [0, 1]}},
        {"tick": 10},
        {"phase": "over", "winners": [0]},
    ):
        assert oracle.public_view({**position, **seen}, 1) != view
    assert oracle.public_view({**position, "winners": [0, 2]}, 1)["winners"] == [1, 2]


# --- games ---------------------------------------------------------------------------------------------------------


def test_the_sample_record_is_played_line_by_line() -> None:
    header, *events = (json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines())
    assert header["env"] == "hexx_hopp-2p-1r-v0"
    node = oracle.start(header["players"], **header["options"])
    assert oracle.header_options(oracle.check_options(header["players"], **header["options"])) == header["options"]
    compared = 0
    for event in events[:-1]:
        if isinstance(node, oracle.Chance):
            assert oracle.outcome_count(node) == event["of"]
            node = oracle.happen(node, event["chance"])
        else:
            node = oracle.play(node, event["joint"])
        if "position" in event:
            assert node == event["position"]
            compared += 1
        if "legal" in event:
            assert oracle.legal(decision(node)) == event["legal"]
    assert compared == 48
    end = oracle.result(decision(node))
    assert events[-1] == {**end, "rewards": end["rewards"]["win"]}


def check_what_always_holds(position: oracle.Position) -> None:
    rules = oracle.rules_of(position)
    seats = range(rules.players)
    lying = [tile for tile, _ in position["figure"].values()]
    held = [oracle.tiles_of(position, seat) for seat in seats]
    every = [*lying, *(tile for tiles in held for tile in tiles)]
    assert len(every) == len(set(every)) == 7 + rules.hand_size * rules.players
    assert all(oracle.cell_called(name) in oracle.table(rules.table_radius) for name in position["figure"])
    for name in position["figure"]:  # what touches has the same colour
        others = {oracle.cell_called(cell): tile for cell, tile in position["figure"].items()}
        tile, rotation = others.pop(oracle.cell_called(name))
        assert oracle.matches(tile, rotation, oracle.asked_at(others, oracle.cell_called(name)))
    assert position["dealer"] == position["round"] % rules.players
    assert position["round"] < rules.rounds
    if position["phase"] == "play":
        assert all(held)
        assert None not in position["up"]
        assert position["tick"] < rules.max_ticks
        assert any(position["gift_due"]) or not oracle.nothing_fits(position)
        assert position["winners"] == []


GAMES = [(2, {}), (3, {"rounds": 2}), (4, {"rounds": 1}), (5, {"rounds": 2, "table_radius": 2, "max_ticks": 9})]


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_random_games_keep_the_order_of_the_catalogue_and_what_always_holds(
    players: int, options: dict[str, Any]
) -> None:
    order = {name: index for index, name in enumerate(oracle.catalogue(players, **options))}
    rng = random.Random(players)
    before: oracle.Position | None = None
    joint = 0
    for node, choice in oracle.random_game(players, rng, **options):
        if isinstance(node, oracle.Chance):
            assert isinstance(choice, int)
            continue
        assert json.loads(json.dumps(node)) == node
        check_what_always_holds(node)
        if before is not None and before["round"] == node["round"]:
            assert node["tick"] == before["tick"] + 1
        before = node
        legal = oracle.legal(node)
        if choice is None:
            assert legal == []
            assert node["phase"] == "over"
            continue
        joint += 1
        assert isinstance(choice, list)
        for seat, names in enumerate(legal):
            assert choice[seat] in names
            assert [order[name] for name in names] == sorted(order[name] for name in names)
            other = oracle.reshuffled(node, seat, rng)
            assert oracle.public_view(other, seat) == oracle.public_view(node, seat)
            assert oracle.legal(other)[seat] == names
            check_what_always_holds(other)
    assert before is not None
    assert (before["phase"], before["round"]) == ("over", options.get("rounds", 10) - 1)
    assert joint > 10


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_random_positions_fit_and_can_be_played_on(players: int, options: dict[str, Any]) -> None:
    if "max_ticks" in options:
        options = {**options, "max_ticks": 30}
    rng = random.Random(7)
    for position in oracle.random_positions(players, rng, 12, **options):
        check_what_always_holds(position)
        node: oracle.Node = position
        for _ in range(6):
            if isinstance(node, oracle.Chance):
                node = oracle.happen(node, rng.randrange(oracle.outcome_count(node)))
            elif node["phase"] == "play":
                node = oracle.play(node, [rng.choice(names) for names in oracle.legal(node)])
            if isinstance(node, oracle.Position):
                check_what_always_holds(node)
    first, second = (list(oracle.random_positions(players, random.Random(3), 4, **options)) for _ in range(2))
    assert first == second


def test_a_joint_choice_and_an_outcome_are_one_ply_each() -> None:
    # seat 0: wait, place; seat 1: wait. Two orders.
    position = oracle.set_up(PAIR, [RB, 9], rounds=1)
    # seat 0 wins by placing: 2 leaves; if it waits: 2 positions like this one
    assert [oracle.perft_from(position, depth) for depth in range(6)] == [1, 2, 4, 2 + 2 * 2, 2 + 2 * 4, 2 + 2 * 6]
    assert len(oracle.children(position)) == 2
    assert len(oracle.children(oracle.children(position)[0])) == 2


def test_the_frozen_counts_still_hold_where_they_are_cheap() -> None:
    frozen = json.loads(oracle.COUNTS_FILE.read_text(encoding="utf-8"))
    assert len(frozen["positions"]) >= 20
    for entry in frozen["starts"]:
        node = oracle.after_outcomes(entry["players"], entry["options"], entry.get("choices", []))
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if count <= 150:
                assert oracle.perft_from(node, depth) == count
    for entry in frozen["positions"]:
        position = oracle.Position(entry["position"])
        check_what_always_holds(position)
        assert entry["depths"] == list(range(1, 1 + len(entry["counts"])))
        for depth, count in zip(entry["depths"], entry["counts"], strict=True):
            if depth <= 2 or entry["counts"][depth - 2] <= 100:
                assert oracle.perft_from(position, depth) == count, entry["about"]
