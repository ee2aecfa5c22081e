"""The rules of Hexx & Hopp, clause by clause (hopenvs/games/hexx_hopp/README.md).

Positions are made from the start figure of `figures`, whose nine open cells are listed there.
"""

import random
from collections import Counter
from itertools import permutations, product
from typing import Any

import pytest

from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.jit import plain_twin
from hopenvs.games.hexx_hopp.table import NEIGHBOUR, OFF, colour_at
from tests.games.hexx_hopp.figures import (
    BETWEEN,
    GAME,
    HOLE,
    HOLE_TILE,
    START,
    TIP,
    TIP_TILE,
    TIPS,
    WRONG_TIP,
    WRONG_TIP_TILE,
    around,
    barren,
    deal,
    hand_size,
    happen,
    legal,
    new_game,
    options_of,
    outcomes,
    table,
    tick,
    tiles_of,
)

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [2, 3, 4, 5])

CELLS = {2: 19, 3: 37, 10: 331}  # of tables by radius
DIRECTIONS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
STAR = ["0,0", "1,0", "2,0", "-1,1", "-2,2", "0,-1", "0,-2"]


def colours(tile, rotation=0):
    """The colours at the sides of a turned tile, as the rules see them."""
    return "".join("RYBW"[plain_twin(colour_at)(6 * tile + rotation, side)] for side in range(6))


def contacts(walk, cell):
    """As all see them."""
    part, _ = walk.spec.layout["contacts"]
    names = [f"{q},{r}" for q, r in cells(walk.options.table_radius)]
    return int(walk.batch.view((0,), (0,))[1][0][part][names.index(cell)])


def cells(radius):
    """By r, then q."""
    span = range(-radius, radius + 1)
    return [(q, r) for r, q in product(span, span) if abs(q + r) <= radius]


# ---- tiles and table -------------------------------------------------------------------------------------------------
@clause("HX-1")
def test_tiles_are_numbered_by_pattern_then_by_colours():
    checks = {0: "RRRYBW", 1: "RRRYWB", 3: "RRRBWY", 4: "RRRWYB", 24: "RRYYBW", 47: "WWBBYR", 48: "RYRYBW",
              71: "WBWBYR"}  # fmt: skip
    assert {tile: colours(tile) for tile in checks} == checks


@clause("HX-1")
def test_there_are_72_different_tiles_with_all_four_colours():
    tiles = [colours(tile) for tile in range(72)]
    assert len({min(tile[k:] + tile[:k] for k in range(6)) for tile in tiles}) == 72  # turned they differ, too
    assert all(set(tile) == set("RYBW") for tile in tiles)
    assert Counter("".join(tiles)) == dict.fromkeys("RYBW", 108)
    assert legal(table([15], discards=[[71]]), 0, "recall") == ["recall 71"]
    with pytest.raises(ValueError, match="recall"):
        GAME.parse_action(options_of(), "recall 72")


@clause("HX-2")
def test_a_rotation_turns_a_tile_clockwise():
    turned = " ".join(colours(0, rotation) for rotation in range(6))
    assert turned == "RRRYBW WRRRYB BWRRRY YBWRRR RYBWRR RRYBWR"


@clause("HX-2")
@pytest.mark.parametrize("radius", CELLS)
def test_side_d_touches_side_d_plus_3_of_the_neighbour_in_direction_d(radius):
    names = cells(radius)
    for k, (q, r) in enumerate(names):
        for d, (dq, dr) in enumerate(DIRECTIONS):
            other = NEIGHBOUR[radius, k, d]
            assert (other != OFF) == ((q + dq, r + dr) in names)
            if other != OFF:
                assert names[other] == (q + dq, r + dr)
                assert NEIGHBOUR[radius, other, (d + 3) % 6] == k


@clause("HX-3")
@pytest.mark.parametrize("radius", CELLS)
def test_the_table_is_a_hexagon(radius):
    o = options_of(table_radius=radius)
    names = [GAME.action_name(o, action) for action in range(GAME.spec(o).num_actions)]
    expected = [f"place {q},{r} {k}" for q, r in cells(radius) for k in range(6)]
    assert len(expected) == 6 * CELLS[radius]
    assert [name for name in names if name.startswith("place")] == expected


@clause("HX-3")
def test_nothing_is_placed_beyond_the_table():
    up, figure = 8, START | {"1,1": [24, 4]}  # YYYBRW fits at (2,1), beside the tip: yellow, blue
    assert legal(table([up], figure=figure, table_radius=3), 0, "place 2,1") == ["place 2,1 1"]
    assert legal(table([up], figure=figure, table_radius=2), 0, "place") == []


@clause("HX-3", "HX-12", "HX-14")
@pytest.mark.parametrize("wrong", [
    {"table_radius": 1}, {"table_radius": 11}, {"max_ticks": 0}, {"max_ticks": 8001}, {"rounds": 0}, {"rounds": 101},
    {"players": 1}, {"players": 6}, {"max_turns": 50},
], ids=str)  # fmt: skip
def test_options_have_bounds(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        options_of(**wrong)


# ---- the deal --------------------------------------------------------------------------------------------------------
@clause("HX-4", "HX-5")
@every_number
def test_a_star_is_laid_then_the_stacks_are_dealt_seat_by_seat(players):
    rng = random.Random(players)
    walk = new_game(players=players)
    each, box, kinds = hand_size(players), list(range(72)), list[str]()
    lying: list[list[int]] = []
    dealt: list[int] = []
    while walk.is_chance:
        names = outcomes(walk)
        assert walk.outcomes() == [1] * len(names)
        k = rng.randrange(len(names))
        kinds.append("turned" if "turned" in names[0] else names[0].split(" ", 2)[2])
        if kinds[-1] == "turned":
            lying[-1][1] = int(names[k].split()[-1])
        else:
            assert [int(name.split()[1]) for name in names] == box
            tile = box.pop(k)
            if kinds[-1] == "in the figure":
                lying.append([tile, 0])
            else:
                dealt.append(tile)
        walk.happen(k)
    stacks = [f"for player {seat}" for seat in range(players) for _ in range(each)]
    assert kinds == ["in the figure", *["in the figure", "turned"] * 6, *stacks]
    position = walk.position()
    assert position["figure"] == dict(zip(STAR, lying, strict=True))
    hands = [dealt[each * seat : each * (seat + 1)] for seat in range(players)]
    assert [[up, *stack] for up, stack in zip(position["up"], position["stacks"], strict=True)] == hands
    assert len(box) == {2: 35, 3: 20, 4: 5, 5: 0}[players]
    assert (position["tick"], position["discards"], position["gift_due"]) == (0, [[]] * players, [0] * players)


@clause("HX-4")
def test_a_tile_of_the_star_is_turned_so_that_it_matches_the_one_it_touches():
    walk = happen(new_game(), "tile 0 in the figure")  # RRRYBW
    for tile, rotations, rotation in [
        (24, [2, 3], 2),  # RRYYBW: red to the centre
        (48, [5], 5),  # RYRYBW has one blue, which 24 shows outwards
        (2, [3, 4, 5], 4),  # RRRBYW: red
        (6, [3, 4, 5], 3),  # YYYRBW: yellow
        (12, [0, 1, 5], 0),  # BBBRYW: blue
        (18, [3], 3),  # WWWRYB: yellow
    ]:
        happen(walk, f"tile {tile} in the figure")
        assert outcomes(walk) == [f"tile {tile} turned by {k}" for k in rotations]
        happen(walk, f"tile {tile} turned by {rotation}")
    assert outcomes(walk)[0] == "tile 1 for player 0"


@clause("HX-4", "HX-6")
@pytest.mark.parametrize("seed", range(3))
def test_the_opening_has_three_cells_with_three_contacts_and_six_with_two(seed):
    walk = new_game(table_radius=2)
    walk.start(seed)
    walk.draw_all()
    found = {f"{q},{r}": contacts(walk, f"{q},{r}") for q, r in cells(2)}
    assert sorted(cell for cell, count in found.items() if count == 3) == sorted(BETWEEN)
    assert sorted(cell for cell, count in found.items() if count == 2) == sorted(TIPS)
    assert not any(found[cell] for cell in START)


@clause("HX-5", "HX-14")
@every_number
def test_the_dealer_is_a_seat_by_round_with_no_bearing(players):
    for number in range(6):
        walk = table([HOLE_TILE], players=players, rounds=6, number=number)
        assert walk.position()["dealer"] == number % players
        assert legal(walk, 0) == legal(table([HOLE_TILE], players=players, rounds=6), 0)


# ---- placing ---------------------------------------------------------------------------------------------------------
@clause("HX-6")
@pytest.mark.parametrize(("tile", "places"), [
    (24, ["1,-2 2", "-1,-1 5", "2,-1 1", "-2,1 0", "1,1 4", "-1,2 3"]),  # RRYYBW: at the six tips
    (15, ["1,-1 3", "0,1 2"]),  # BBBYWR: W R B and B B Y
    (25, ["1,-2 2", "-1,-1 5", "2,-1 1", "-1,0 3", "-2,1 0", "1,1 4", "-1,2 3"]),  # RRYYWB: Y Y W, too
    (12, []),  # BBBRYW
])  # fmt: skip
def test_a_tile_goes_where_two_neighbours_or_more_match(tile, places):
    walk = table([tile], stacks=[[26]])
    assert legal(walk, 0, "place") == [f"place {place}" for place in places]
    for place in places:
        cell, rotation = place.split()
        after = tick(table([tile], stacks=[[26]]), f"place {place}").position()
        assert after["figure"] == START | {cell: [tile, int(rotation)]}


@clause("HX-6")
def test_a_hole_is_filled_where_all_touching_sides_match():
    walk = table([HOLE_TILE, WRONG_TIP_TILE], figure=around(6))
    assert contacts(walk, "0,1") == 6
    assert HOLE in legal(walk, 0)
    wrong = around(4) | {"1,1": [WRONG_TIP_TILE, 4]}
    assert HOLE not in legal(table([HOLE_TILE, TIP_TILE], figure=wrong), 0)


@clause("HX-6")
def test_one_neighbour_is_not_enough():
    for names in table([24, 25]).legal_names():
        assert {name.split()[1] for name in names if name.startswith("place")} <= {*TIPS, *BETWEEN}


# ---- ticks -----------------------------------------------------------------------------------------------------------
@clause("HX-7", "C-2")
@every_number
def test_chance_draws_one_of_all_orders(players):
    walk = table([HOLE_TILE], players=players)
    before = walk.position()
    walk.play_named(*["wait"] * players)
    assert walk.is_chance
    assert outcomes(walk) == ["order " + ",".join(map(str, order)) for order in permutations(range(players))]
    assert walk.outcomes() == [1] * [2, 6, 24, 120][players - 2]
    walk.happen(1)
    assert walk.position() == before | {"tick": 6}


@clause("HX-7")
@every_number
def test_the_kth_outcome_is_the_kth_order(players):
    """Everybody wants the same cell: the first one gets it."""
    tiles = [24, 26, 27, 28, 29][:players]
    for k, order in enumerate(permutations(range(players))):
        if k % 7 == 0:
            walk = table(tiles, stacks=[[tile] for tile in (30, 31, 36, 37, 42)], players=players)
            walk.play_named(*["place 1,1 4"] * players)
            walk.happen(k)
            assert walk.position()["figure"]["1,1"] == [tiles[order[0]], 4]


@clause("HX-7")
@pytest.mark.parametrize(("order", "up"), [("01", [30, 26]), ("10", [24, 31])])
def test_who_comes_second_to_a_cell_keeps_its_tile(order, up):
    walk = tick(table([24, 26], stacks=[[30], [31]]), "place 1,1 4", "place 1,1 4", order=order)
    assert walk.position()["up"] == up
    assert len(walk.position()["figure"]) == 8
    assert len(tiles_of(walk, 0)) == (1 if order == "01" else 2)


@clause("HX-7", "HX-9")
@pytest.mark.parametrize(("order", "due"), [("01", [0, 4]), ("10", [2, 2])])
def test_contacts_are_counted_when_a_placement_is_carried_out(order, due):
    """The tip is placed first, then the hole has four; or the hole, with three, and then the tip has three."""
    walk = table([TIP_TILE, HOLE_TILE], stacks=[[30], [31]])
    tick(walk, TIP, HOLE, order=order)
    assert walk.position()["gift_due"] == due
    assert walk.position()["figure"] == START | {"1,1": [TIP_TILE, 4], "0,1": [HOLE_TILE, 2]}


@clause("HX-7")
@pytest.mark.parametrize(("order", "up", "due"), [
    ("01", [30, HOLE_TILE], [0, 0]),
    ("10", [WRONG_TIP_TILE, 31], [0, 2]),
])  # fmt: skip
def test_a_placement_that_no_longer_matches_does_nothing(order, up, due):
    walk = tick(table([WRONG_TIP_TILE, HOLE_TILE], stacks=[[30], [31]]), WRONG_TIP, HOLE, order=order)
    position = walk.position()
    assert (position["up"], position["gift_due"], len(position["figure"])) == (up, due, 8)
    assert (position["tick"], position["discards"]) == (6, [[], []])


@clause("HX-7")
def test_actions_are_chosen_from_the_position_before_the_tick():
    """A cell that opens through another's placement can't be chosen in the same tick."""
    walk = table([TIP_TILE, 8], stacks=[[30], [31]])
    with pytest.raises(IllegalActionError, match="place 2,1 1"):
        walk.play_named(TIP, "place 2,1 1")
    tick(walk, TIP)
    assert "place 2,1 1" in legal(walk, 1)


# ---- actions ---------------------------------------------------------------------------------------------------------
@clause("HX-8")
def test_waiting_is_legal_and_turning_up_if_there_is_a_tile():
    assert legal(table([12, 24]), 0) == ["wait"]
    assert legal(table([12, 24], stacks=[[30]]), 0) == ["wait", "next"]
    assert legal(table([12, 24], discards=[[40, 7, 30]]), 0) == ["wait", "next", "recall 7", "recall 30", "recall 40"]
    assert legal(table([12, 24], discards=[[7], [61]], stacks=[[31]]), 0) == ["wait", "next", "recall 7"]


def piles(walk, seat=0):
    """A seat's tile face up, stack and discards."""
    position = walk.position()
    return position["up"][seat], position["stacks"][seat], position["discards"][seat]


@clause("HX-8")
def test_next_discards_the_tile_and_turns_up_the_top_of_the_stack():
    walk = table([12, 24], stacks=[[30, 31]], discards=[[40, 41]])
    assert piles(tick(walk, "next")) == (30, [31], [40, 41, 12])
    assert piles(tick(walk, "next")) == (31, [], [40, 41, 12, 30])
    assert piles(tick(walk, "next")) == (40, [], [41, 12, 30, 31])  # the oldest discard
    assert piles(tick(walk, "next")) == (41, [], [12, 30, 31, 40])


@clause("HX-8")
@pytest.mark.parametrize(("tile", "discards"), [(40, [41, 42, 12]), (41, [40, 42, 12]), (42, [40, 41, 12])])
def test_recall_turns_up_a_discard_of_choice(tile, discards):
    walk = table([12, 24], stacks=[[30]], discards=[[40, 41, 42]])
    assert piles(tick(walk, f"recall {tile}")) == (tile, [30], discards)
    assert piles(tick(walk, "next")) == (30, [], [*discards, tile])


@clause("HX-8")
def test_the_only_discard_can_be_recalled():
    walk = table([12, 24], discards=[[40]])
    assert piles(tick(walk, "recall 40")) == (40, [], [12])
    assert piles(tick(walk, "next")) == (12, [], [40])


@clause("HX-8")
def test_after_a_placement_the_next_tile_is_turned_up():
    assert piles(tick(table([24], stacks=[[30, 31]], discards=[[40]]), TIP)) == (30, [31], [40])
    assert piles(tick(table([24], discards=[[40, 41]]), TIP)) == (40, [], [41])
    walk = tick(table([HOLE_TILE], discards=[[40, 41]], figure=around(6)), HOLE)  # which wins
    assert piles(walk) == (40, [], [41])


@clause("HX-8", "C-11")
@pytest.mark.parametrize("name", ["next", "recall 40", "place 0,1 3", "place 0,0 0", "give 0", "give 1"])
def test_other_actions_are_illegal(name):
    walk = table([HOLE_TILE, 24], discards=[[], [40]])
    before = walk.states.tobytes()
    with pytest.raises(IllegalActionError, match=name):
        walk.play_named(name, "wait")
    assert walk.states.tobytes() == before


# ---- contacts --------------------------------------------------------------------------------------------------------
@clause("HX-9")
@pytest.mark.parametrize(("count", "gift"), [(3, 2), (4, 4), (5, 6)])
def test_three_contacts_or_more_bring_a_gift(count, gift):
    walk = table([HOLE_TILE], stacks=[[30, 31]], figure=around(count))
    assert contacts(walk, "0,1") == count
    tick(walk, HOLE)
    assert walk.position()["gift_due"] == [gift, 0]
    assert piles(walk) == (30, [31], [])


@clause("HX-9")
def test_two_contacts_bring_nothing():
    assert tick(table([24], stacks=[[30]]), TIP).position()["gift_due"] == [0, 0]


@clause("HX-9", "HX-11", "HX-13")
@pytest.mark.parametrize(("order", "other"), [("01", (25, [])), ("10", (27, [25]))])
def test_six_contacts_win_the_round_at_once(order, other):
    walk = table([HOLE_TILE, 25], stacks=[[30, 31], [27]], discards=[[40]], figure=around(6))
    tick(walk, HOLE, "next", order=order)
    position = walk.position()
    assert walk.is_over
    assert position["figure"] == around(6) | {"0,1": [HOLE_TILE, 2]}
    assert (position["up"][1], position["discards"][1]) == other
    assert position["gift_due"] == [0, 0]
    assert (position["penalties"], position["winners"], position["tick"]) == ([0, len(tiles_of(walk, 1))], [0], 6)


# ---- gifts -----------------------------------------------------------------------------------------------------------
def gifts(players, due, count):
    """The gifts of a seat with so many tiles."""
    walk = table([12], stacks=[list(range(30, 29 + count))], gift_due=[due], players=players,
                 figure=START | {"1,1": [TIP_TILE, 4]})  # fmt: skip
    assert len(tiles_of(walk, 0)) == count
    return legal(walk, 0)


@clause("HX-10")
def test_a_gift_is_divided_among_the_others_or_declined():
    assert gifts(2, 2, 9) == ["give 0", "give 2"]
    assert gifts(2, 6, 9) == ["give 0", "give 6"]
    assert gifts(3, 2, 9) == ["give 0,0", "give 0,2", "give 1,1", "give 2,0"]
    assert gifts(4, 2, 9) == ["give 0,0,0", "give 0,0,2", "give 0,1,1", "give 0,2,0", "give 1,0,1", "give 1,1,0",
                              "give 2,0,0"]  # fmt: skip
    assert [len(gifts(5, due, 9)) for due in (2, 4, 6)] == [1 + 10, 1 + 35, 1 + 84]


@clause("HX-10")
def test_a_gift_is_no_more_than_the_giver_has():
    assert gifts(2, 6, 5) == ["give 0", "give 5"]
    assert gifts(2, 4, 4) == ["give 0", "give 4"]
    assert gifts(2, 2, 1) == ["give 0", "give 1"]
    assert gifts(3, 4, 3) == ["give 0,0", "give 0,3", "give 1,2", "give 2,1", "give 3,0"]
    assert gifts(5, 6, 1) == ["give 0,0,0,0", "give 0,0,0,1", "give 0,0,1,0", "give 0,1,0,0", "give 1,0,0,0"]
    walk = table([12], stacks=[[30]], discards=[[40, 41]], gift_due=[6], figure=around(4))
    assert legal(walk, 0) == ["give 0", "give 4"]  # discards and the tile face up count
    assert "wait" in legal(walk, 1)


@clause("HX-10")
@every_number
def test_gifts_are_named_by_their_sum_then_lexicographically(players):
    o = options_of(players=players)
    names = [GAME.action_name(o, action) for action in range(GAME.spec(o).num_actions)]
    given = [tuple(map(int, name.split()[1].split(","))) for name in names if name.startswith("give")]
    assert names[-len(given) :] == ["give " + ",".join(map(str, way)) for way in given]
    assert len(given) == len(set(given)) == [7, 28, 84, 210][players - 2]
    assert given == sorted(given, key=lambda way: (sum(way), way))
    assert max(map(sum, given)) == 6


GIVING: dict[str, Any] = {
    "up": [12, 25, 13], "stacks": [[60, 61], [30, 31], [26]], "discards": [[70], [40, 41, 42], [71]],
    "gift_due": [0, 4], "rest": 0, "players": 3, "figure": around(4),
}  # fmt: skip


@clause("HX-10")
@pytest.mark.parametrize(("gift", "left1", "left2"), [
    ("give 1,3", [30], [31, 40, 41]),
    ("give 2,2", [30, 31], [40, 41]),
    ("give 4,0", [30, 31, 40, 41], []),
    ("give 0,4", [], [30, 31, 40, 41]),
])  # fmt: skip
def test_tiles_are_given_from_the_stack_then_the_discards_to_left1_then_left2(gift, left1, left2):
    walk = table(**GIVING)
    before = walk.position()
    after = tick(walk, "wait", gift).position()
    assert after["stacks"] == [before["stacks"][0] + left2, [], [26, *left1]]  # seat 2 is left of seat 1
    assert after["discards"] == [[70], [42], [71]]
    assert (after["up"], after["gift_due"]) == (before["up"], [0, 0, 0])


@clause("HX-10")
def test_a_declined_gift_is_gone():
    walk = table(**GIVING)
    before = walk.position()
    assert tick(walk, "wait", "give 0,0").position() == before | {"gift_due": [0, 0, 0], "tick": 6}
    assert legal(walk, 1)[:5] == ["wait", "next", "recall 40", "recall 41", "recall 42"]


@clause("HX-10", "HX-7")
@pytest.mark.parametrize("order", ["012", "021", "102", "120", "201", "210"])
def test_several_gifts_in_one_tick_come_in_its_order(order):
    walk = table([12, 13, 16], stacks=[[30, 31, 32], [34, 35, 33], [36, 42, 37]], gift_due=[2, 2, 2], players=3,
                 rest=0, figure=around(6))  # fmt: skip
    received: list[list[int]] = [[], [], []]  # of each seat, as its neighbours give in turn
    giving = {0: [(1, 30), (2, 31)], 1: [(2, 34), (0, 35)], 2: [(0, 36), (0, 42)]}
    for seat in map(int, order):
        for receiver, tile in giving[seat]:
            received[receiver].append(tile)
    before = walk.position()["stacks"]
    after = tick(walk, "give 1,1", "give 1,1", "give 2,0", order=order).position()["stacks"]
    assert after == [before[seat][2:] + received[seat] for seat in range(3)]


@clause("HX-10", "HX-7")
def test_tiles_that_arrive_earlier_in_the_tick_change_no_numbers():
    keywords: dict[str, Any] = {"stacks": [[], [30, 31]], "gift_due": [2, 2], "rest": 1, "figure": around(5)}
    walk = table([27, 25], **keywords)
    assert [legal(walk, seat) for seat in (0, 1)] == [["give 0", "give 1"], ["give 0", "give 2"]]
    tick(walk, "give 1", "give 2", order="10")  # 30 and 31 come, and 30 goes back; the tile face up stays
    assert piles(walk) == (27, [31], [])
    assert piles(walk, 1)[1][-1] == 30
    assert walk.position()["gift_due"] == [0, 0]
    walk = tick(table([27, 25], **keywords), "give 1", "give 2", order="01")
    assert walk.is_over  # seat 0 gave its last tile, and the other's gift is void
    assert piles(walk) == (None, [], [])
    assert piles(walk, 1)[1][-1] == 27
    assert walk.position()["gift_due"] == [0, 2]


@clause("HX-8", "HX-10")
@pytest.mark.parametrize(("order", "after"), [("01", (40, [30, 31], [12])), ("10", (30, [31], [40, 12]))])
def test_next_takes_the_top_as_it_is_then(order, after):
    walk = table([12, 25], stacks=[[], [30, 31]], discards=[[40]], gift_due=[0, 2], figure=around(4))
    assert piles(tick(walk, "next", "give 2", order=order)) == after


@clause("HX-10", "HX-11")
@pytest.mark.parametrize(("due", "count"), [(2, 2), (2, 1), (4, 4), (4, 3), (6, 6)])
def test_giving_the_last_tiles_away_wins(due, count):
    discards = list(range(30, 29 + count))
    walk = table([12, 27], discards=[discards], gift_due=[due], figure=around(4))
    before = walk.position()
    tick(walk, f"give {count}", "place -2,1 0")
    assert walk.is_over
    position = walk.position()
    assert position["stacks"] == [[], [*before["stacks"][1], *discards, 12]]  # the tile face up comes last
    assert (position["up"], position["discards"]) == ([None, 27], [[], []])
    assert (position["penalties"], position["winners"]) == ([0, 29], [0])
    assert position["figure"] == before["figure"]  # what comes later in the tick is void


# ---- the end of a round ----------------------------------------------------------------------------------------------
@clause("HX-11", "HX-13")
@pytest.mark.parametrize(("order", "up"), [("012", [26, None, 13]), ("210", [12, None, 30]), ("201", [26, None, 30])])
def test_placing_the_last_tile_wins_and_the_rest_of_the_tick_is_void(order, up):
    walk = table([12, 24, 13], stacks=[[26], [], [30]], players=3, fill=list(range(31, 72)))
    tick(walk, "next", TIP, "next", order=order)
    assert walk.is_over
    position = walk.position()
    assert position["up"] == up
    counts = [len(tiles_of(walk, seat)) for seat in range(3)]
    assert counts[1] == 0
    assert sum(counts) == 44
    assert (position["penalties"], position["winners"]) == (counts, [1])


@clause("HX-9", "HX-11", "HX-12")
@pytest.mark.parametrize(("count", "gift"), [(3, 2), (4, 4), (5, 6)])
def test_the_last_tile_with_three_contacts_leaves_its_gift_void(count, gift):
    walk = tick(table([HOLE_TILE, 30], figure=around(count)), HOLE)
    assert walk.is_over
    assert walk.position()["gift_due"] == [gift, 0]
    assert walk.position()["penalties"] == [0, 30 - count + 2]


@clause("HX-11")
def test_a_last_tile_that_came_too_late_has_not_won():
    walk = tick(table([24, 26], stacks=[[], [30]]), "place 1,1 4", "place 1,1 4", order="10")
    assert not walk.is_over
    assert piles(walk) == (24, [], [])


ONLY_TIP = START | {"1,1": [TIP_TILE, 4]}  # at radius 2 the tip opens no further cell


def last_that_fits(**keywords):
    """Only seat 0's tile fits, and after it nothing; what keywords name comes instead of a tile that fits nowhere."""
    fill = barren(START, ONLY_TIP, table_radius=2)
    given = {"stacks": [[fill[-1]]], "fill": fill, "table_radius": 2} | keywords
    return table([TIP_TILE, fill[-2]], **given)


@clause("HX-12", "HX-13")
def test_a_round_ends_without_a_winner_when_no_tile_fits():
    walk = last_that_fits()
    assert legal(walk, 1, "place") == []
    tick(walk, TIP)
    assert walk.is_over
    assert (walk.position()["penalties"], walk.position()["tick"]) == ([1, 28], 6)
    assert walk.position()["winners"] == [0]


@clause("HX-12")
@pytest.mark.parametrize("keywords", [
    {"stacks": [[68, 25]]}, {"discards": [[25]]}, {"stacks": [[68], [25]]}, {"stacks": [[68]], "discards": [[], [25]]},
], ids=str)  # fmt: skip
def test_it_goes_on_if_a_tile_in_a_stack_or_among_discards_fits(keywords):
    assert not tick(last_that_fits(**keywords), TIP).is_over


@clause("HX-12")
def test_it_goes_on_if_a_tile_face_up_fits():
    walk = table([TIP_TILE, 25], stacks=[[68]], fill=barren(START, ONLY_TIP, table_radius=2), table_radius=2)
    assert not tick(walk, TIP).is_over


@clause("HX-12", "HX-10")
@pytest.mark.parametrize(("gift", "penalties"), [("give 0", [2, 27]), ("give 2", [0, 29])])
def test_a_gift_is_settled_before_a_round_ends_for_nothing_fits(gift, penalties):
    fill = barren(START, START | {"0,1": [HOLE_TILE, 2]})
    walk = tick(table([HOLE_TILE, fill[-3]], stacks=[fill[-2:]], fill=fill), HOLE)
    assert not walk.is_over
    assert walk.position()["gift_due"] == [2, 0]
    assert walk.legal_names() == [["give 0", "give 2"], ["wait", "next"]]
    after = tick(walk, gift).position()
    assert (after["phase"], after["penalties"], after["tick"]) == ("over", penalties, 7)


@clause("HX-12")
@pytest.mark.parametrize("due", [[2, 0], [0, 4]], ids=str)
def test_any_seats_gift_keeps_a_round_going(due):
    figure = START | {"0,1": [HOLE_TILE, 2]}
    tiles = barren(figure)
    walk = table(tiles[:2], fill=tiles, gift_due=due, figure=figure, stacks=[tiles[2:5]])
    assert not any(legal(walk, seat, "place") for seat in (0, 1))
    tick(walk, *["give 0" if gift else "next" for gift in due])
    assert walk.is_over
    assert walk.position()["winners"] == [0]


@clause("HX-12", "HX-5")
def test_nothing_may_fit_when_a_round_begins():
    tiles = barren(START)
    walk = deal(new_game(), *tiles[:30])
    assert walk.is_over
    position = walk.position()
    assert (position["tick"], position["round"], position["penalties"]) == (0, 0, [15, 15])
    assert position["winners"] == [0, 1]
    assert not deal(new_game(), *tiles[:29], 27).is_over  # RRYYWR.. at the bottom of the last stack
    another = deal(new_game(rounds=2), *tiles[:30])
    assert another.is_chance
    assert len(outcomes(another)) == 72
    assert list(another.record.penalties)[:2] == [15, 15]


@clause("HX-12", "HX-13")
@pytest.mark.parametrize("ticks", [1, 2, 3])
def test_a_round_ends_after_max_ticks(ticks):
    walk = table([12, 24], stacks=[[30, 31, 40]], tick=0, max_ticks=ticks)
    for number in range(ticks):
        assert not walk.is_over
        assert walk.position()["tick"] == number
        tick(walk)
    assert walk.is_over
    assert (walk.position()["tick"], walk.position()["penalties"]) == (ticks, [4, 26])


@clause("HX-12")
def test_without_the_option_it_has_300_ticks():
    walk = table([12, 24], tick=298)
    assert not tick(walk).is_over
    assert tick(walk).is_over
    assert walk.position()["tick"] == 300


@clause("HX-12")
def test_the_last_tick_may_still_be_won_and_a_gift_due_then_is_void():
    walk = tick(table([24, 12], tick=5, max_ticks=6), TIP)
    assert walk.position()["penalties"] == [0, 29]
    walk = tick(table([HOLE_TILE, 12], stacks=[[30]], tick=5, max_ticks=6), HOLE)
    assert walk.is_over
    assert (walk.position()["penalties"], walk.position()["gift_due"]) == ([1, 28], [2, 0])


# ---- the game --------------------------------------------------------------------------------------------------------
@clause("HX-13", "HX-14")
def test_penalties_add_up_and_the_next_round_is_dealt_anew():
    walk = table([24, 12, 13], penalties=[7, 5, 0], number=3, rounds=6, gift_due=[0, 4], players=3,
                 figure=START | {"-1,2": [26, 3]})  # fmt: skip
    tick(walk, TIP, "give 0,0", order="102")
    assert walk.is_chance
    assert outcomes(walk) == [f"tile {tile} in the figure" for tile in range(72)]
    deal(walk, *[tile for tile in range(72) if tile not in [lying for lying, _ in START.values()]][:45])
    position = walk.position()
    assert (position["round"], position["tick"], position["dealer"]) == (4, 0, 1)
    assert (position["figure"], position["gift_due"], position["discards"]) == (START, [0] * 3, [[]] * 3)
    assert position["penalties"] == [7, 5 + 1, 42]


@clause("HX-14")
@pytest.mark.parametrize(("rounds", "number"), [(1, 0), (2, 1), (10, 9)])
def test_the_last_round_ends_the_game(rounds, number):
    walk = tick(table([24, 12], rounds=rounds, number=number), TIP)
    assert walk.is_over
    position = walk.position()
    assert (position["phase"], position["round"], position["tick"]) == ("over", number, 6)
    assert position["figure"] == START | {"1,1": [TIP_TILE, 4]}
    if number:
        assert tick(table([24, 12], rounds=rounds, number=number - 1), TIP).is_chance


@clause("HX-14")
def test_without_the_option_there_are_ten_rounds():
    assert GAME.Options().rounds == options_of(rounds=None).rounds == 10


@clause("HX-14")
@pytest.mark.parametrize(("penalties", "winners", "ranks"), [
    ([20, 7, 0, 9], [1], [3, 1, 4, 2]),
    ([8, 7, 0, 9], [0, 1], [1, 1, 4, 3]),
    ([10, 9, 0, 9], [0, 1, 3], [1, 1, 4, 1]),
])  # fmt: skip
def test_the_fewest_penalty_points_win_and_ties_share(penalties, winners, ranks):
    """Seat 0 wins the last round; seats 1 and 3 pay a point, seat 2 all the others."""
    walk = table([24, 12, 13, 16], penalties=penalties, number=1, rounds=2, players=4, rest=2)
    tick(walk, TIP)
    after = [penalties[0], penalties[1] + 1, penalties[2] + 57, penalties[3] + 1]
    result = walk.result()
    assert walk.position()["penalties"] == after
    assert (result["scores"], result["winners"], result["ranks"]) == ([-points for points in after], winners, ranks)
