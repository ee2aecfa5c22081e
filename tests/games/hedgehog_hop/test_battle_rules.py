"""The rules of Dance Battle Royale, clause by clause (hopenvs/games/hedgehog_hop/battle/README.md).

Cards and positions are written as in `crew_table`: `"gah"` is green-rave-hop, `"geh rag / bps gth"` a crew.
"""

import itertools

import pytest

from hopenvs.core.errors import IllegalActionError, OptionError, PositionError
from hopenvs.core.state import Payoff
from hopenvs.core.walk import Walk
from tests.games.hedgehog_hop.crew_table import (
    CARDS,
    DULL,
    GAME,
    IN_SYNC,
    LONG,
    SHORT,
    audition,
    by_index,
    crew,
    hand,
    known,
    legal,
    new_game,
    options_of,
    outcomes_of,
    play,
    position_of,
    short,
    table,
)

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [3, 4, 5, 6])
four_or_more = pytest.mark.parametrize("players", [4, 5, 6])

TARGETS = {3: [1, 2], 4: [2], 5: [2, 3], 6: [3]}
ROUNDS = {4: 8, 5: 5, 6: 6}


def stage(walk):
    """Phase, who is to play, and which check is being settled."""
    position = walk.position()
    return position["phase"], position["to_play"], position["pending"]


def line_of(text):
    """Cards in short, as the audition line lists them."""
    return short(by_index([LONG[card] for card in text.split()]))


def drawn(walk):
    """The cards that may be drawn now, in short; the draw pile at other times."""
    return short([CARDS[card] for card in range(36) for _ in range(walk.record.draw[card])])


# ---- set-up ----------------------------------------------------------------------------------------------------------
@clause("HH-40", "HH-1")
@every_number
def test_three_play_with_one_deck_more_with_two(players):
    walk = new_game(players)
    copies = 1 if players == 3 else 2
    assert outcomes_of(walk) == [f"deal {name}" for name in CARDS for _ in range(copies)]
    assert walk.outcomes() == [1] * 36 * copies


@clause("HH-40", "HH-41", "C-2")
@every_number
def test_chance_deals_seven_cards_to_seat_0_then_to_seat_1_and_so_on(players):
    walk = new_game(players)
    for seat in range(players):
        dealt = []
        for number in range(7):
            assert [hand(walk, other) for other in range(seat + 1, players)] == [""] * (players - seat - 1)
            k = (11 * seat + 5 * number) % len(walk.outcomes())
            dealt.append(outcomes_of(walk)[k].removeprefix("deal "))
            walk.happen(k)
            assert hand(walk, seat) == short(by_index(dealt))
    assert stage(walk) == ("crew", 0, None)


@clause("HH-40", "HH-41")
def test_the_kth_outcome_is_the_kth_card_left_copies_side_by_side():
    walk = new_game(4)
    walk.happen(1)
    walk.happen(0)  # both copies of the first card
    assert hand(walk, 0) == "geh geh"
    assert outcomes_of(walk)[:3] == [f"deal {LONG[card]}" for card in ("gah", "gah", "gph")]
    walk.happen(2)
    assert outcomes_of(walk)[:4] == [f"deal {LONG[card]}" for card in ("gah", "gah", "gph", "gth")]


def dealt(players):
    """All hands are dealt: seat 0 has the first cards, and so on."""
    walk = new_game(players)
    for _ in range(7 * players):
        walk.happen(0)
    return walk


@clause("HH-40")
@every_number
def test_crews_are_laid_cell_by_cell_and_seat_by_seat(players):
    walk = dealt(players)
    for seat in range(players):
        cards = hand(walk, seat).split()
        laid = ["-"] * 4
        for cell, card in enumerate(cards[5:1:-1]):
            assert stage(walk) == ("crew", seat, None)
            assert crew(walk, seat) == "{} {} / {} {}".format(*laid)
            assert legal(walk) == list(dict.fromkeys(f"crew {other}" for other in hand(walk, seat).split()))
            play(walk, f"crew {card}")
            laid[cell] = card
        assert crew(walk, seat) == "{} {} / {} {}".format(*laid)
        assert len(hand(walk, seat).split()) == 3
        for other in range(seat + 1, players):
            assert crew(walk, other) == "- - / - -"


@clause("HH-41")
@pytest.mark.parametrize(("players", "pile"), [(3, 8), (4, 37), (5, 30), (6, 23)])
def test_then_comes_the_audition_line_and_the_rest_is_the_draw_pile(players, pile):
    walk = dealt(players)
    while not walk.is_chance:
        walk.play(walk.legal()[0])
    expected = []
    for _ in range(7):
        k = len(walk.outcomes()) // 2
        assert all(name.startswith("audition ") for name in outcomes_of(walk))
        expected.append(SHORT[outcomes_of(walk)[k].removeprefix("audition ")])
        walk.happen(k)
        assert audition(walk) == line_of(" ".join(expected))
    position = walk.position()
    assert (len(position["audition"]), len(position["draw"])) == (7, pile)
    assert [len(cards) for cards in position["hands"]] == [3] * players
    assert (position["discard"], position["known"], position["planned"]) == ([], [[]] * players, [None] * players)
    assert (position["start"], position["round"], position["turn"]) == (0, 0, 0)
    assert stage(walk) == ("play" if players == 3 else "plan", 0, None)


# ---- pushing ---------------------------------------------------------------------------------------------------------
def pushes(walk, mover, card):
    """The push of a card in hand or planned, without its line."""
    return f"hand {card}" if walk.options.players == 3 else "push"


def about_to_push(players, mover, card, **keywords):
    """The mover can push this card, dull crews all round."""
    if players == 3:
        return table(players=3, to_play=mover, hands=[card if seat == mover else "" for seat in range(3)], **keywords)
    return table(players=players, to_play=mover, planned=card, **keywords)


def cells_of(walk):
    return [[CARDS[walk.record.crew[seat, cell]] for cell in range(4)] for seat in range(walk.options.players)]


@clause("HH-42", "HH-43")
@pytest.mark.parametrize(("card", "entry", "step"), [("bes", 1, 1), ("btg", 0, -1)], ids=["slide", "groove"])
@pytest.mark.parametrize("row", [0, 1])
@every_number
def test_a_row_is_pushed_through_all_crews(players, row, card, entry, step):
    """Slides enter at c1 and go round to the left, grooves at c0 and to the right; each crew passes on its far card."""
    for mover in range(players):
        walk = about_to_push(players, mover, card)
        before = cells_of(walk)
        belt = [
            (seat % players, 2 * row + cell)
            for seat in range(mover, mover + step * players, step)
            for cell in (entry, 1 - entry)
        ]
        held = [before[seat][cell] for seat, cell in belt]
        play(walk, f"{pushes(walk, mover, card)} r{row}")
        after = cells_of(walk)
        assert [after[seat][cell] for seat, cell in belt] == [LONG[card], *held[:-1]]
        untouched = [(seat, cell) for seat in range(players) for cell in range(4) if (seat, cell) not in belt]
        assert [after[seat][cell] for seat, cell in untouched] == [before[seat][cell] for seat, cell in untouched]
        assert hand(walk, mover).split().count(SHORT[held[-1]]) == 1
        assert known(walk, mover) == SHORT[held[-1]]


@clause("HH-42", "HH-49")
def test_a_slide_bumps_round_the_table_and_its_crew_is_in_sync():
    """The first worked example: a slide from hand through the far rows, two green slides, a card from the pile."""
    walk = table("btg gts / bph rpg", DULL[1], DULL[2], hands=["ges"], round=0)
    play(walk, "hand ges r0")
    assert [crew(walk, seat) for seat in range(3)] == ["gts ges / bph rpg", "gps btg / rts beg", "rps reg / gag bts"]
    assert hand(walk, 0) == "bah"
    assert walk.is_chance
    play(walk, "draw rth")
    assert hand(walk, 0) == "rth bah"
    assert stage(walk) == ("play", 1, None)


@clause("HH-43", "HH-48", "HH-49", "HH-50")
def test_a_groove_goes_round_to_the_right_and_leaves_a_hot_mess():
    """The second worked example, but for the neighbours' names: a groove from the line, no pair, a discard."""
    walk = table("geh rag / bps rts", "reg gps / bts beg", "bah rps / gag gth", audition="rtg res", round=0)
    play(walk, "audition rtg r0")
    assert [crew(walk, seat) for seat in range(3)] == ["rtg geh / bps rts", "rps reg / bts beg", "rag bah / gag gth"]
    assert hand(walk, 0) == "gps"
    assert stage(walk) == ("discard", 0, None)  # no check has given a card
    assert audition(walk) == "res"


@clause("HH-44", "HH-45")
@every_number
def test_a_hop_enters_the_column_across(players):
    for mover, column, left in itertools.product(range(players), (0, 1), TARGETS[players]):
        walk = about_to_push(players, mover, "bph")
        before = cells_of(walk)
        play(walk, f"{pushes(walk, mover, 'bph')} c{column} left{left}")
        own, target = before[mover], before[(mover + left) % players]
        far, near = own[column], own[2 + column]
        across, out = target[1 - column], target[3 - column]
        own[column], own[2 + column] = near, LONG["bph"]
        target[1 - column], target[3 - column] = far, across
        assert cells_of(walk) == before
        assert hand(walk, mover).split().count(SHORT[out]) == 1
        assert known(walk, mover) == SHORT[out]


@clause("HH-44", "HH-49")
def test_a_hop_against_a_neighbour():
    """The third worked example: out of the right column into the other's left one, and two blue hops."""
    walk = table("geg rag / bps bth", DULL[1], DULL[2], hands=["beh"])
    play(walk, "hand beh c1 left2")
    assert [crew(walk, seat) for seat in range(3)] == ["geg bth / bps beh", DULL[1], "rag rps / bah bts"]
    assert hand(walk, 0) == "gag"
    assert walk.is_chance


@clause("HH-45")
@every_number
def test_whom_a_hop_may_go_against(players):
    for mover in range(players):
        walk = about_to_push(players, mover, "bph")
        ways = [f"c{column} left{left}" for column in (0, 1) for left in TARGETS[players]]
        found = [name for name in legal(walk) if not name.startswith("audition")]
        assert found == [f"{pushes(walk, mover, 'bph')} {way}" for way in ways]
        told = [GAME.describe(walk.options, walk.record, action) for action in walk.legal()]
        targets = [(mover + left) % players for left in TARGETS[players]] * 2
        assert [name.split(" ")[-1] for name in told[: len(found)]] == [str(seat) for seat in targets]


@clause("HH-45", "C-11")
def test_with_more_than_three_nobody_hops_against_a_neighbour():
    assert [name for name in names_of(4) if "left" in name] == ["push c0 left2", "push c1 left2"]
    assert [name for name in names_of(6) if "left" in name] == ["push c0 left3", "push c1 left3"]
    assert {name.split(" ")[-1] for name in names_of(5) if "left" in name} == {"left2", "left3"}
    with pytest.raises(IllegalActionError):
        play(table(players=4, planned="bph"), "push r0")
    with pytest.raises(IllegalActionError):
        play(table(players=4, planned="bps"), "push c0 left2")


def names_of(players):
    o = options_of(players=players)
    return [GAME.action_name(o, action) for action in range(GAME.spec(o).num_actions)]


# ---- In Sync ---------------------------------------------------------------------------------------------------------
def start_check(cells, players=3, **keywords):
    """Seat 0 has hopped against seat 2, and seat 1's turn begins with this crew."""
    text = "{} {} / {} {}".format(*cells)
    if players == 3:
        return table(DULL[0], text, DULL[2], hands=["rah"], names=["hand rah c0 left2"], **keywords)
    return table(DULL[0], text, *DULL[2:players], planned="rah", to_play=0, start=0, round=players,
                 names=["push c0 left2"], **keywords)  # fmt: skip


@clause("HH-46", "HH-2")
@pytest.mark.parametrize("cells", list(itertools.combinations(range(4), 2)), ids=str)
@pytest.mark.parametrize(("pair", "fits"), [
    ("bth bph", True), ("rph bph", True), ("bph rph", True), ("rph bth", False), ("gph gpg", False),
])  # fmt: skip
def test_a_crew_is_in_sync_by_two_cards_that_touch_at_a_side(cells, pair, fits):
    others = ["beg", "rts", "gas", "btg"]
    for cell, card in zip(cells, pair.split(), strict=True):
        others[cell] = card
    touch = cells not in ((0, 3), (1, 2))
    walk = start_check(others)
    assert walk.is_chance == (fits and touch)


@clause("HH-46", "HH-2")
def test_two_copies_are_in_sync():
    walk = start_check(["bph", "rts", "bph", "gpg"], players=4)
    assert stage(walk) == ("collect", 1, "start")
    walk = start_check(["bph", "rts", "gas", "bph"], players=4)
    assert stage(walk) == ("play", 1, None)


@clause("HH-46")
@pytest.mark.parametrize("draw", [None, ""], ids=["from the pile", "from the line"])
def test_a_check_gives_one_card_however_many_pairs_there_are(draw):
    walk = start_check(["bth", "beh", "rth", "reh"], draw=draw)
    if draw is None:
        walk.happen(0)
    else:
        walk.play(walk.legal()[0])
    assert stage(walk) == ("play", 1, None)
    assert len(hand(walk, 1).split()) == 1


# ---- three players ---------------------------------------------------------------------------------------------------
@clause("HH-47")
def test_at_the_start_of_a_turn_in_sync_gives_a_card_that_only_its_owner_sees():
    walk = table(DULL[0], IN_SYNC, DULL[2], hands=["rah", "gph"], draw="ges rth", names=["hand rah c0 left2"])
    assert outcomes_of(walk) == ["draw red-street-hop", "draw green-retro-slide"]
    play(walk, "draw rth")
    assert stage(walk) == ("play", 1, None)
    assert hand(walk, 1) == "gph rth"
    assert known(walk, 1) == ""
    assert drawn(walk) == "ges"


@clause("HH-47")
def test_without_in_sync_the_turn_begins_with_the_play():
    walk = start_check(["beg", "rts", "gas", "gpg"])
    assert stage(walk) == ("play", 1, None)
    assert hand(walk, 1) == ""


@clause("HH-47")
@pytest.mark.parametrize(("turns", "asked"), [(0, False), (1, False), (2, True), (3, True)])
def test_there_is_no_start_check_in_the_first_round(turns, asked):
    """After so many turns a crew that is In Sync has its turn."""
    mover, following = turns % 3, (turns + 1) % 3
    crews = [DULL[2]] * 3
    crews[mover], crews[following] = DULL[0], IN_SYNC
    hands = ["rah" if seat == mover else "" for seat in range(3)]
    walk = table(*crews, hands=hands, to_play=mover, round=turns // 3, names=["hand rah c0 left2"])
    assert walk.is_chance == asked
    if not asked:
        assert stage(walk) == ("play", following, None)


@clause("HH-48")
def test_cards_come_from_the_hand_the_audition_line_or_the_top_of_the_discard_pile():
    walk = table(players=3, hands=["rth bes"], audition="gah rtg", discard="beh gph")
    hops = ["c0 left1", "c0 left2", "c1 left1", "c1 left2"]
    assert legal(walk) == [
        *(f"hand rth {way}" for way in hops), "hand bes r0", "hand bes r1",
        *(f"audition gah {way}" for way in hops), "audition rtg r0", "audition rtg r1",
        *(f"pile gph {way}" for way in hops),
    ]  # fmt: skip


@clause("HH-48")
def test_without_a_discard_pile_nothing_is_played_from_it():
    walk = table(players=3, hands=["rth"], audition="")
    assert {name.split()[0] for name in legal(walk)} == {"hand"}
    walk = table(players=3, audition="rtg", discard="beh")
    assert {name.split()[0] for name in legal(walk)} == {"audition", "pile"}


@clause("HH-48")
def test_the_audition_line_is_not_refilled():
    walk = table(players=3, hands=["", "rth"], audition="res ras rtg", names=["audition res r0"])
    assert audition(walk) == "rtg ras"
    assert len(walk.position()["draw"]) > 0
    play(walk, "discard bah", "hand rth c0 left2")
    assert audition(walk) == "rtg ras"


@clause("HH-48")
def test_the_last_card_bumped_comes_to_the_hand_for_all_to_see():
    walk = table(players=3, hands=["rah bes"], known=["rah bes"], names=["hand rah c0 left1"])
    assert crew(walk, 1) == "reg geh / rts gps"
    assert (hand(walk, 0), known(walk, 0)) == ("beg bes", "beg bes")  # the card played is no longer known


@clause("HH-48", "HH-50")
def test_the_top_of_the_discard_pile_is_played_and_the_card_under_it_is_next():
    walk = table(players=3, hands=["gah"], audition="rtg", discard="beh gph", names=["pile gph c0 left1"])
    assert crew(walk, 0) == "bps rag / gph gth"  # two green hops
    play(walk, "draw geg")
    assert walk.position()["discard"] == [LONG["beh"]]
    play(walk, "discard gah")
    assert walk.position()["discard"] == [LONG["beh"], LONG["gah"]]
    assert "pile gah c0 left1" in legal(walk)
    assert not any(name.startswith("pile beh") for name in legal(walk))


@clause("HH-49")
def test_at_the_end_of_a_turn_in_sync_gives_a_card_in_the_first_round_too():
    for number in (0, 1):
        walk = table(players=3, hands=["rth"], round=number, names=["hand rth c0 left2"])
        assert crew(walk, 0) == "bps rag / rth gth"  # two street hops
        assert hand(walk, 0) == "bts"
        play(walk, "draw geg")
        assert (hand(walk, 0), known(walk, 0)) == ("geg bts", "bts")
        assert stage(walk) == ("play", 1, None)


@clause("HH-49")
def test_a_crew_that_was_in_sync_only_before_the_push_gets_nothing():
    walk = table("geh gth / bps rag", DULL[1], DULL[2].replace("bts", "bes"), hands=["reh"])
    play(walk, "hand reh c0 left2")
    assert crew(walk, 0) == "bps gth / reh rag"
    assert stage(walk) == ("play", 1, None)


@clause("HH-50")
def test_a_card_from_the_hand_asks_for_no_discard():
    walk = table(players=3, hands=["rah bes"], names=["hand rah c0 left2"])
    assert stage(walk) == ("play", 1, None)
    assert walk.position()["discard"] == []


@clause("HH-50")
@pytest.mark.parametrize(("source", "line", "pile"), [("audition", "rth rtg", ""), ("pile", "rtg", "geg rth")])
def test_the_discard_comes_after_the_end_check_and_may_be_any_hand_card(source, line, pile):
    walk = table(players=3, hands=["bes"], known=["bes"], audition=line, discard=pile)
    play(walk, f"{source} rth c0 left2", "draw ras")  # the end check's card
    assert stage(walk) == ("discard", 0, None)
    assert walk.position()["must_discard"] is True
    assert legal(walk) == ["discard ras", "discard bes", "discard bts"]  # drawn, held, bumped
    held = {"ras": "bes bts", "bes": "ras bts", "bts": "ras bes"}
    for card, rest in held.items():
        again = Walk(GAME, walk.options)
        again.batch.load(walk.states)
        play(again, f"discard {card}")
        assert hand(again, 0) == rest
        assert known(again, 0) == " ".join(other for other in rest.split() if other != "ras")
        assert again.position()["discard"][-1] == LONG[card]
        assert stage(again) == ("play", 1, None)
        assert again.position()["must_discard"] is False


@clause("HH-51")
def test_from_an_empty_pile_the_start_check_must_be_collected_from_the_line():
    walk = table(DULL[0], IN_SYNC, DULL[2], hands=["rah"], draw="", audition="gph rtg bes", names=["hand rah c0 left2"])
    assert stage(walk) == ("collect", 1, "start")
    assert legal(walk) == ["collect gph", "collect rtg", "collect bes"]  # nothing else, so it isn't optional
    play(walk, "collect rtg")
    assert stage(walk) == ("play", 1, None)
    assert (hand(walk, 1), known(walk, 1), audition(walk)) == ("rtg", "rtg", "gph bes")
    assert walk.position()["last_turn"] is False


@clause("HH-51")
def test_from_an_empty_pile_the_end_check_must_be_collected_before_the_discard():
    walk = table(players=3, draw="", audition="rth rtg bes", names=["audition rth c0 left2"])
    assert stage(walk) == ("collect", 0, "end")
    assert walk.position()["must_discard"] is True
    assert legal(walk) == ["collect rtg", "collect bes"]
    play(walk, "collect bes")
    assert stage(walk) == ("discard", 0, None)
    assert legal(walk) == ["discard bes", "discard bts"]


@clause("HH-51")
def test_the_last_card_of_the_pile_is_still_drawn_and_the_next_one_due_comes_from_the_line():
    walk = table(DULL[0], IN_SYNC, DULL[2], hands=["rth"], draw="geg", names=["hand rth c0 left2"])
    assert outcomes_of(walk) == ["draw green-retro-groove"]  # a single outcome is a chance point
    play(walk, "draw geg")
    assert hand(walk, 0) == "geg bts"
    assert stage(walk) == ("collect", 1, "start")


@clause("HH-51", "HH-52")
def test_with_pile_and_line_empty_a_check_gives_nothing():
    walk = table(players=3, draw="", audition="rth", names=["audition rth c0 left2"])
    assert crew(walk, 0) == "bps rag / rth gth"
    assert stage(walk) == ("discard", 0, None)
    assert hand(walk, 0) == "bts"


@clause("HH-52")
def test_the_last_card_of_the_line_is_played_and_nobody_else_has_a_turn():
    walk = table(players=3, audition="rah", names=["audition rah c0 left2"])
    assert stage(walk) == ("discard", 0, None)
    assert walk.position()["last_turn"] is True
    turn = walk.position()["turn"]
    play(walk, "discard bts")
    position = walk.position()
    assert walk.is_over
    assert (position["phase"], position["to_play"], position["last_turn"]) == ("over", None, True)
    assert (position["turn"], position["discard"], position["audition"]) == (turn + 1, [LONG["bts"]], [])
    assert "truncated" not in position


@clause("HH-52")
def test_the_push_of_the_last_card_has_its_check():
    walk = table(players=3, audition="rth", draw="geg", names=["audition rth c0 left2"])
    assert walk.is_chance
    play(walk, "draw geg", "discard geg")
    assert walk.is_over


@clause("HH-52", "HH-51")
def test_the_last_card_of_the_line_is_collected_at_the_end_check():
    walk = table(players=3, hands=["rth"], audition="rtg", draw="", names=["hand rth c0 left2"])
    assert walk.position()["last_turn"] is False
    play(walk, "collect rtg")
    assert walk.is_over  # a card from the hand asks for no discard
    assert walk.position()["pending"] is None
    walk = table(players=3, audition="rth rtg", draw="", names=["audition rth c0 left2", "collect rtg"])
    assert stage(walk) == ("discard", 0, None)
    play(walk, "discard bts")
    assert walk.is_over


@clause("HH-52", "HH-51")
@pytest.mark.parametrize("end", ["hand", "pile"])
def test_the_last_card_of_the_line_is_collected_at_the_start_check_and_the_turn_is_still_played(end):
    walk = table(DULL[0], IN_SYNC, DULL[2], hands=["rah"], draw="", audition="rtg", discard="gph", rest=2,
                 names=["hand rah c0 left2", "collect rtg"])  # fmt: skip
    assert stage(walk) == ("play", 1, None)
    assert walk.position()["last_turn"] is True
    assert {name.split()[0] for name in legal(walk)} == {"hand", "pile"}
    if end == "hand":
        play(walk, "hand rtg r1")  # In Sync still, but there is nothing left
    else:
        play(walk, "pile gph c1 left1")
        assert stage(walk) == ("discard", 1, None)
        play(walk, "discard rtg")
    assert walk.is_over
    assert walk.position()["turn"] == 5


@clause("HH-52")
def test_a_line_that_holds_a_card_ends_nothing():
    walk = table(players=3, audition="rah rtg", names=["audition rah c0 left2", "discard bts"])
    assert stage(walk) == ("play", 1, None)
    assert walk.position()["last_turn"] is False


@clause("HH-53", "C-8")
def test_a_game_is_truncated_after_max_turns():
    walk = table(players=3, hands=["rah"], max_turns=4, names=["hand rah c0 left2"])
    position = walk.position()
    assert walk.is_over
    assert (position["phase"], position["truncated"], position["winners"]) == ("over", True, [])
    assert (position["turn"], position["round"]) == (4, 1)
    assert walk.result()["rewards"] == [0.0] * 3
    assert min(walk.result()["ranks"]) == 1
    walk = table(players=3, hands=["rah"], max_turns=5, names=["hand rah c0 left2"])
    assert stage(walk) == ("play", 1, None)


@clause("HH-53")
def test_the_capped_turn_is_completed_first():
    walk = table(players=3, audition="rth rtg", max_turns=4, names=["audition rth c0 left2", "draw geg"])
    assert stage(walk) == ("discard", 0, None)
    play(walk, "discard geg")
    assert walk.position()["truncated"] is True


@clause("HH-53", "HH-52")
def test_a_finale_in_the_capped_turn_is_a_finale():
    walk = table(players=3, audition="rah", max_turns=4, names=["audition rah c0 left2", "discard bts"])
    assert walk.is_over
    assert "truncated" not in walk.result()
    assert walk.position()["winners"] != []
    assert any(walk.result()["rewards"])


@clause("HH-53")
def test_three_have_a_cap_of_150_turns_and_more_have_none():
    assert options_of(players=3).max_turns == GAME.spec(options_of(players=3)).max_turns == 150
    assert GAME.spec(options_of(players=3, max_turns=20)).max_turns == 20
    for players in (4, 5, 6):
        assert GAME.spec(options_of(players=players)).max_turns is None
        with pytest.raises(OptionError, match=f"max_turns=150 with players={players}"):
            options_of(players=players, max_turns=150)


@clause("HH-53")
@pytest.mark.parametrize("keywords", [{"players": 2}, {"players": 7}, {"players": 3, "max_turns": 0}, {"promo": "x"}])
def test_other_options_are_refused(keywords):
    with pytest.raises(OptionError, match="|".join(keywords)):
        options_of(**keywords)


@clause("HH-53")
@pytest.mark.parametrize(("turn", "number"), [(2, 0), (3, 1), (5, 1), (6, 2), (149, 49)])
def test_a_round_of_three_is_three_turns(turn, number):
    mover = (turn - 1) % 3
    hands = ["rah" if seat == mover else "" for seat in range(3)]
    walk = table(players=3, hands=hands, to_play=mover, round=(turn - 1) // 3, discard="beh gph")
    play(walk, "hand rah c0 left1")
    while walk.is_chance:
        walk.happen(0)
    position = walk.position()
    assert (position["turn"], position["round"], position["to_play"]) == (turn, number, turn % 3)


# ---- four to six players ---------------------------------------------------------------------------------------------
@clause("HH-54")
def test_a_plan_is_laid_from_the_starting_player_on_clockwise_and_stays_out_of_sight():
    walk = table(players=4, phase="plan", round=2, hands=["rth bes", "gps", "gah rtg rtg", "beh bas"],
                 known=["", "gps", "rtg", ""])  # fmt: skip
    assert stage(walk) == ("plan", 2, None)
    assert legal(walk) == ["plan gah", "plan rtg"]
    play(walk, "plan rtg")
    assert (hand(walk, 2), known(walk, 2)) == ("gah rtg", "rtg")  # it may still be there
    assert walk.position()["planned"] == [None, None, LONG["rtg"], None]
    assert stage(walk) == ("plan", 3, None)
    play(walk, "plan bas")
    assert stage(walk) == ("plan", 0, None)
    play(walk, "plan rth")
    assert stage(walk) == ("plan", 1, None)
    play(walk, "plan gps")
    assert (hand(walk, 1), known(walk, 1)) == ("", "gps")
    assert [SHORT[card] for card in walk.position()["planned"]] == ["rth", "gps", "rtg", "bas"]
    assert stage(walk) == ("play", 2, None)
    assert known(walk, 2) == ""  # revealed
    assert legal(walk) == ["push r0", "push r1"]


@clause("HH-55")
@four_or_more
def test_turns_follow_from_the_starting_player_on(players):
    start = 2
    order = [(start + k) % players for k in range(players)]
    walk = table(players=players, round=start, audition="", draw="")
    for number, seat in enumerate(order):
        assert stage(walk) == ("play", seat, None)
        position = walk.position()
        assert position["acted"] == [other in order[:number] for other in range(players)]
        assert [other for other in range(players) if position["planned"][other]] == sorted(order[number:])
        assert position["turn"] == players * start + number
        walk.play(walk.legal()[0])
    assert stage(walk) == ("plan", 3, None)


@clause("HH-55")
def test_at_the_start_of_a_turn_in_sync_collects_from_the_line_before_the_plan_is_revealed():
    walk = table(IN_SYNC, *DULL[1:4], phase="plan", round=4, to_play=3, planned="gas ? ? -",
                 hands=["gph", "", "", "gts"], known=["gas gph"], audition="rtg bes beh")  # fmt: skip
    play(walk, "plan gts")
    assert stage(walk) == ("collect", 0, "start")
    assert known(walk, 0) == "gph gas"
    assert legal(walk) == ["collect beh", "collect rtg", "collect bes"]
    play(walk, "collect bes")
    assert stage(walk) == ("play", 0, None)
    assert (hand(walk, 0), known(walk, 0)) == ("gph bes", "gph bes")  # gas has been seen to be the plan
    assert walk.position()["planned"][0] == LONG["gas"]
    assert audition(walk) == "beh rtg"  # not refilled yet
    assert legal(walk) == ["push r0", "push r1"]


@clause("HH-55")
def test_there_is_no_start_check_in_the_first_round_of_four():
    walk = table(
        IN_SYNC, IN_SYNC, *DULL[2:4], phase="plan", round=0, to_play=3, hands=["", "", "", "gts"], planned="? rah ? -"
    )
    play(walk, "plan gts")
    assert stage(walk) == ("play", 0, None)
    walk = table(DULL[0], IN_SYNC, *DULL[2:4], round=0, planned="rah", names=["push c0 left2"])
    assert stage(walk) == ("play", 1, None)
    walk = table(DULL[0], IN_SYNC, *DULL[2:4], round=4, planned="rah", names=["push c0 left2"])
    assert stage(walk) == ("collect", 1, "start")


@clause("HH-55")
def test_a_plan_is_revealed_and_at_the_end_of_the_turn_the_line_is_refilled():
    """The worked examples of four players: a groove in the near row, round the table, two spicy grooves, a new card."""
    walk = table("geh rag / bpg gth", *DULL[1:4], round=0, planned="gpg", audition="rtg bes beh gah gts rps ras")
    play(walk, "push r1")
    assert [crew(walk, seat) for seat in range(4)] == [
        "geh rag / gpg bpg", "reg gps / bts rts", "bah rps / bas gag", "rah gtg / gth beg",
    ]  # fmt: skip
    assert (hand(walk, 0), known(walk, 0)) == ("beg", "beg")  # out of the crew to the left, the last on the way
    assert walk.position()["planned"][0] is None
    assert stage(walk) == ("collect", 0, "end")
    play(walk, "collect beh")
    assert (hand(walk, 0), known(walk, 0)) == ("beh beg", "beh beg")
    assert walk.is_chance
    assert walk.record.acted[0] == 0  # the turn isn't over before the refill
    assert {name.split()[0] for name in outcomes_of(walk)} == {"audition"}
    play(walk, "audition geg")
    assert audition(walk) == line_of("geg rtg bes gah gts rps ras")
    assert stage(walk) == ("play", 1, None)
    assert (walk.position()["turn"], walk.position()["acted"]) == (1, [True, False, False, False])


@clause("HH-55")
@pytest.mark.parametrize(("draw", "line"), [("geg gpg rtg", 7), ("geg gpg", 7), ("geg", 6), ("", 5)])
def test_two_checks_give_two_cards_and_the_line_is_filled_as_far_as_the_pile_goes(draw, line):
    walk = table(IN_SYNC, *DULL[1:4], phase="collect", pending="start", round=4, planned="gts", draw=draw,
                 audition="rth beh gah ges rps ras bes")  # fmt: skip
    play(walk, "collect rth", "push r1")
    assert crew(walk, 0) == "bth bph / res gts"
    assert stage(walk) == ("collect", 0, "end")
    assert audition(walk) == line_of("beh gah ges rps ras bes")
    play(walk, "collect bes")
    while walk.is_chance:
        walk.happen(0)
    assert len(audition(walk).split()) == line
    assert len(drawn(walk).split()) == max(0, len(draw.split()) - 2)
    assert known(walk, 0) == line_of("rth beg bes")


@clause("HH-55")
def test_an_empty_line_gives_nothing_at_the_checks_of_a_turn():
    walk = table(IN_SYNC, IN_SYNC, *DULL[2:4], round=4, planned="gas", audition="", draw="", names=["push r1"])
    assert crew(walk, 0) == "bth bph / res gas"  # In Sync, and so is the next
    assert stage(walk) == ("play", 1, None)
    assert walk.position()["last_turn"] is False


@clause("HH-55")
def test_at_the_reveal_one_of_two_known_copies_is_no_longer_known():
    walk = table(players=4, phase="plan", round=4, to_play=3, hands=["rtg", "", "", "gts"], known=["rtg rtg"],
                 planned="rtg ? ? -", names=["plan gts"])  # fmt: skip
    assert stage(walk) == ("play", 0, None)
    assert (hand(walk, 0), known(walk, 0)) == ("rtg", "rtg")


def end_of_round(one=DULL[1], three=DULL[3], **keywords):
    """Seat 0 has ended round 1, which seat 1 began, with a hop that leaves it and seat 2 without a pair."""
    crews = [DULL[0], one, DULL[2], three]
    return table(*crews, round=1, to_play=0, planned="rph", names=["push c0 left2"], **keywords)


@clause("HH-56")
def test_at_the_end_of_a_round_all_that_are_in_sync_draw_in_turn_order():
    walk = end_of_round(IN_SYNC, IN_SYNC, hands=["", "rts", "", "gts"])
    assert walk.record.mover == 1
    play(walk, "draw geg")
    assert walk.record.mover == 3
    play(walk, "draw gpg")
    assert (hand(walk, 1), known(walk, 1), hand(walk, 3), known(walk, 3)) == ("geg rts", "", "gpg gts", "")
    position = walk.position()
    assert stage(walk) == ("plan", 2, None)
    assert (position["start"], position["round"], position["turn"]) == (2, 2, 8)
    assert (position["acted"], position["planned"]) == ([False] * 4, [None] * 4)


@clause("HH-56")
def test_a_seat_that_is_a_hot_mess_draws_nothing_at_the_end_of_the_round():
    walk = end_of_round(three=IN_SYNC)
    assert walk.record.mover == 3
    assert stage(play(walk, "draw gpg")) == ("plan", 2, None)
    assert stage(end_of_round()) == ("plan", 2, None)


@clause("HH-56")
def test_the_mover_draws_again_at_the_end_of_the_round():
    """The last to act is In Sync at its end check, and in turn order the last at the round's."""
    walk = table(*DULL[:4], round=1, to_play=0, start=1, planned="rth", audition="rtg bes beh gah gts rps ras")
    play(walk, "push c0 left2")
    assert stage(walk) == ("collect", 0, "end")
    play(walk, "collect gah", "audition geg")
    assert outcomes_of(walk)[0].startswith("draw ")
    play(walk, "draw gpg")
    assert (hand(walk, 0), known(walk, 0)) == (line_of("gah gpg bts"), line_of("gah bts"))
    assert stage(walk) == ("plan", 2, None)


@clause("HH-56")
def test_when_the_pile_runs_out_the_next_one_chooses_from_the_line():
    walk = end_of_round(IN_SYNC, IN_SYNC, draw="geg", audition="rtg bes beh gah gts rps ras")
    play(walk, "draw geg")
    assert stage(walk) == ("collect", 3, "round")
    assert legal(walk) == [f"collect {card}" for card in line_of("rtg bes beh gah gts rps ras").split()]
    play(walk, "collect ras")
    assert known(walk, 3) == "ras"
    assert stage(walk) == ("plan", 2, None)
    assert len(audition(walk).split()) == 6


@clause("HH-56")
def test_with_one_card_in_the_line_the_first_gets_it_and_with_none_nobody_anything():
    walk = end_of_round(IN_SYNC, IN_SYNC, draw="", audition="rtg")
    assert stage(walk) == ("collect", 1, "round")
    assert walk.position()["acted"] == [True] * 4
    assert stage(play(walk, "collect rtg")) == ("plan", 2, None)
    assert (audition(walk), walk.position()["last_turn"]) == ("", False)
    assert stage(end_of_round(IN_SYNC, IN_SYNC, draw="", audition="")) == ("plan", 2, None)


@clause("HH-56")
def test_the_round_ends_from_the_starting_player_on_and_past_the_last_seat():
    crews = [IN_SYNC, DULL[1], DULL[2], DULL[3], DULL[4]]
    walk = table(*crews, round=3, to_play=2, start=3, planned="rah", draw="", audition="rtg bes beh",
                 names=["push c0 left2"])  # fmt: skip
    assert walk.position()["pending"] == "round"
    assert walk.position()["to_play"] == 0  # 3 and 4 come before it and have nothing
    play(walk, "collect bes")
    assert stage(walk) == ("plan", 4, None)


@clause("HH-57")
@four_or_more
def test_there_are_so_many_rounds(players):
    last = ROUNDS[players] - 1
    for number in (last - 1, last):
        mover = (number - 1) % players
        walk = table(players=players, round=number, to_play=mover, planned="rph", draw="", audition="")
        walk.play(walk.legal()[0])
        position = walk.position()
        assert walk.is_over == (number == last)
        assert (position["phase"], position["to_play"]) == (
            ("over", None) if walk.is_over else ("plan", last % players)
        )
        assert (position["round"], position["turn"]) == (number + 1, players * (number + 1))
        assert position["start"] == (number + 1) % players
        assert (position["acted"], position["planned"]) == ([False] * players, [None] * players)


@clause("HH-57", "HH-56")
def test_the_last_round_has_its_check_too():
    walk = table(DULL[0], IN_SYNC, DULL[2], DULL[3], round=7, to_play=2, planned="rph", draw="", audition="rtg bes",
                 names=["push c0 left2"])  # fmt: skip
    assert stage(walk) == ("collect", 1, "round")
    play(walk, "collect bes")
    assert walk.is_over
    assert walk.position()["pending"] is None


@clause("HH-57")
@four_or_more
def test_there_is_no_discard_pile(players):
    assert not any(name.split()[0] in ("discard", "pile", "hand", "audition") for name in names_of(players))
    with pytest.raises(PositionError, match="'discard'"):
        table(players=players, discard="gah")


# ---- the finale ------------------------------------------------------------------------------------------------------
def finale(*cards, winners=(), payoff=Payoff.WIN, truncated=False):
    """The result of a game that has ended with these cards: the first four of each seat are its crew."""
    n = len(cards)
    crews = ["{} {} / {} {}".format(*text.split()) for text in cards]
    hands = [" ".join(text.split()[4:]) for text in cards]
    number = 3 if n == 3 or truncated else ROUNDS[n]
    position = position_of(*crews, hands=hands, phase="over", winners=winners, round=number)
    walk = Walk(GAME, options_of(players=n), payoff=payoff)
    walk.start(0)
    walk.start_from(position | ({"truncated": True} if truncated else {}))
    return walk.result()


def all_of(move, decks):
    """All cards of a move."""
    return " ".join(SHORT[card] for card in CARDS if card.endswith(move) for _ in range(decks))


@clause("HH-58")
@pytest.mark.parametrize(("players", "cards", "score"), [
    (3, "geh rah bpg bts", 2 + 0),
    (3, "geh gah bpg bts", 2 + 1),
    (3, "geh reh bpg bts", 2 + 1),
    (4, "geh geh bpg bts", 2 + 1),  # two copies
    (3, "geh gah gph bts", 3 + 2),
    (3, "geh gah gph gth", 4 + 4),
    (3, "geg gag gpg reg", 4 + 3),
    (3, "geh gah beg bag res gts", 2 + 1 + 1 + 0),
    (3, "geh gah gtg bpg rtg", 3 + 1 + 1),  # pairs in the largest group and in another
    (3, "geh rah bph reg rps bts", 3 + 0),
    (3, "geh gah gph rth bth beg bag res", 5 + 2 + 1 + 1),
    (3, all_of("hop", 1), 12 + 17),
    (3, f"{all_of('groove', 1)} {all_of('slide', 1)}", 12 + 17 + 17),
    (4, all_of("slide", 2), 24 + 38),
])  # fmt: skip
def test_the_largest_group_and_the_pairs_of_all_groups_count(players, cards, score):
    own = cards.split()
    left = [SHORT[card] for card in CARDS if SHORT[card] not in own]
    others = [" ".join(left[4 * seat : 4 * seat + 4]) for seat in range(players - 1)]
    for seat in range(players):
        told = finale(*others[:seat], cards, *others[seat:], truncated=True)
        assert told["scores"][seat] == score
        assert told["ranks"][seat] == 1 + sum(other > score for other in told["scores"])


@clause("HH-58")
def test_crew_and_hand_count_alike():
    cards = "geh gah gph gth beg bag"
    others = ["rtg bph res gps", "btg rps rah bts"]
    orders = [cards, "beg bag gth gph geh gah", "gah beg gth bag geh gph"]
    assert [finale(order, *others, winners=[0])["scores"][0] for order in orders] == [4 + 4 + 1] * 3


@clause("HH-59")
@pytest.mark.parametrize(("cards", "scores", "ranks"), [
    # the highest score, with fewer cards
    (["rah beh bah ges rps", "gph gth gtg rpg bes bts", "rth bth bag ras"], [5, 4, 3], [1, 2, 3]),
    # most cards, with fewer of one colour and of one style
    (["rah beh gas gps rps bes", "gth rph rth rts bts", "gah gpg rtg beg res"], [6, 6, 3], [1, 2, 3]),
    # most of one colour, with fewer of one style
    (["rph rth res ras", "gth geg gpg btg", "reh bag gas rts"], [4, 4, 2], [1, 2, 3]),
    # most of one style
    (["gph reh beh geg beg ges ras", "bah bph bth gag rpg gas rts", "rah gtg bag res bts"], [5, 5, 2], [1, 2, 3]),
    # in a tie of three most of one colour, and of those two most of one style
    (["gth rph geg rpg bpg ras", "geh rah gag gpg rps rts", "gph rth bph beg gas res"], [4, 4, 4], [1, 2, 3]),
    # behind the winner a tie stands
    (["geh rph rth beh btg ges gps", "bah bph bth geg reg", "bag bpg res rps rts"], [7, 6, 6], [1, 2, 2]),
])  # fmt: skip
def test_the_highest_score_wins_then_cards_then_one_colour_then_one_style(cards, scores, ranks):
    for order in itertools.permutations(range(3)):
        told = finale(*(cards[k] for k in order), winners=[order.index(0)])
        assert told["scores"] == [scores[k] for k in order]
        assert told["ranks"] == [ranks[k] for k in order]
        assert told["winners"] == [order.index(0)]
        assert told["rewards"] == [1.0 if k == 0 else -0.5 for k in order]


TIES = {
    "two": (["rah beh gag gts bas bts", "geh rph rth gpg rpg beg", "gah rtg rps bes bps"], [5, 5, 5], [1, 1, 3]),
    "three": (["rah gpg reg bas", "rph gtg gts ras", "rth beh beg rps"], [2, 2, 2], [1, 1, 1]),
}


@clause("HH-59", "C-7")
@pytest.mark.parametrize("tie", TIES)
def test_if_they_are_alike_in_all_that_nobody_wins(tie):
    cards, scores, ranks = TIES[tie]
    told = finale(*cards)
    assert told == {"rewards": [0.0] * 3, "ranks": ranks, "scores": scores, "winners": []}
    for seat in range(3):
        with pytest.raises(PositionError, match="'winners'"):
            finale(*cards, winners=[seat])
    with pytest.raises(PositionError, match="'winners'"):
        finale(*cards, winners=[0, 1])


@clause("HH-59", "C-7")
@pytest.mark.parametrize(("tie", "rank", "score"), [
    ("two", [0.5, 0.5, -1.0], [0.0, 0.0, 0.0]), ("three", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
])  # fmt: skip
def test_a_draw_pays_by_rank_and_by_score_as_any_game_does(tie, rank, score):
    cards = TIES[tie][0]
    assert finale(*cards, payoff=Payoff.RANK)["rewards"] == rank
    assert finale(*cards, payoff=Payoff.SCORE)["rewards"] == score


@clause("HH-59", "C-7")
def test_a_draw_of_two_among_four_with_other_scores_behind():
    cards = ["geh gah bpg bts", "geh gah bpg bts", "reh bth gpg rts", "rah bah geg gps rps"]
    told = finale(*cards, winners=[3])
    assert (told["scores"], told["ranks"]) == ([3, 3, 2, 4], [2, 2, 4, 1])
    cards[3] = "rah bth geg gts"
    told = finale(*cards, payoff=Payoff.SCORE)
    assert (told["scores"], told["ranks"], told["winners"]) == ([3, 3, 2, 2], [1, 1, 3, 3], [])
    assert told["rewards"] == pytest.approx([2 / 3, 2 / 3, -2 / 3, -2 / 3])
    assert finale(*cards, payoff=Payoff.RANK)["rewards"] == pytest.approx([2 / 3, 2 / 3, -2 / 3, -2 / 3])
    assert finale(*cards)["rewards"] == [0.0] * 4


# ---- decisions -------------------------------------------------------------------------------------------------------
@clause("HH-48", "C-5")
def test_the_catalogue_of_three():
    ways = {"hop": ["c0 left1", "c0 left2", "c1 left1", "c1 left2"], "groove": ["r0", "r1"], "slide": ["r0", "r1"]}
    assert names_of(3) == [
        *(f"crew {card}" for card in CARDS),
        *(f"{source} {card} {way}" for source in ("hand", "audition", "pile") for card in CARDS
          for way in ways[card.split("-")[2]]),
        *(f"collect {card}" for card in CARDS),
        *(f"discard {card}" for card in CARDS),
    ]  # fmt: skip
    assert len(names_of(3)) == 396


@clause("HH-55", "HH-45", "C-5")
@pytest.mark.parametrize(("players", "hops"), [
    (4, ["c0 left2", "c1 left2"]), (5, ["c0 left2", "c0 left3", "c1 left2", "c1 left3"]), (6, ["c0 left3", "c1 left3"]),
])  # fmt: skip
def test_the_catalogue_of_four_to_six(players, hops):
    assert names_of(players) == [
        *(f"crew {card}" for card in CARDS),
        *(f"plan {card}" for card in CARDS),
        *(f"push {way}" for way in ("r0", "r1", *hops)),
        *(f"collect {card}" for card in CARDS),
    ]


@clause("HH-48", "C-5")
@pytest.mark.parametrize(("players", "wrong", "hint"), [
    (3, "plan green-rave-hop", "crew CARD"), (3, "hand green-rave-hop r0", "cC leftK"),
    (4, "hand green-rave-slide r0", "plan CARD"), (4, "push c0 left1", "push c0 left2"), (5, "", "push rR"),
])  # fmt: skip
def test_no_other_name_is_understood(players, wrong, hint):
    with pytest.raises(ValueError, match="unknown action") as error:
        GAME.parse_action(options_of(players=players), wrong)
    assert hint in str(error.value)
