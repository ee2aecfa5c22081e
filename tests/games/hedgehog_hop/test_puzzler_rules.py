"""The rules of the Puzzlers, clause by clause (hopenvs/games/hedgehog_hop/puzzler/README.md).

Cards and mobs are written as in `mob`: `"gah"` is green-rave-hop, `"gah . bts / reg"` a mob of two rows.
"""

import contextlib
import random
from collections import Counter

import pytest

from hopenvs.core.errors import OptionError, PositionError
from tests.games.hedgehog_hop.mob import (
    CODES,
    FULL,
    GAME,
    cards,
    cells,
    dance,
    earned,
    in_order,
    legal,
    long,
    mob_after,
    new_game,
    options_of,
    outcomes,
    play,
    short,
)

clause = pytest.mark.clause
every_number = pytest.mark.parametrize("players", [2, 3, 4, 5, 6])

zombies = pytest.mark.parametrize("promo", ["zombie", "vegan_zombie"])

HANDS = {2: 7, 3: 6, 4: 6, 5: 6, 6: 6}
PILES = {2: 13, 3: 13, 4: 35, 5: 29, 6: 23}


def everything(position):
    """How often every card is somewhere."""
    piles = [*position["hands"], *position["backups"]]
    piles += [position[key] for key in ("draw", "draw_face_up", "discard", "removed")]
    return Counter(position["mob"].values()) + Counter(card for pile in piles for card in pile)


def dealt(**options):
    """The start of a game once the cards are dealt."""
    walk = new_game(**options)
    walk.draw_all()
    return walk


# ---- cards -----------------------------------------------------------------------------------------------------------
@clause("HH-1")
def test_a_card_has_the_index_of_its_move_colour_and_style():
    names = [f"discard {colour}-{style}-{move}" for move in ("hop", "groove", "slide")
             for colour in ("green", "red", "blue") for style in ("retro", "rave", "spicy", "street")]  # fmt: skip
    o = options_of()
    first = GAME.parse_action(o, names[0])
    assert [GAME.action_name(o, first + index) for index in range(36)] == names
    assert GAME.parse_action(o, "discard blue-spicy-groove") == first + 12 * 1 + 4 * 2 + 2


@clause("HH-1")
@every_number
def test_every_card_is_there_once_and_with_four_or_more_players_twice(players):
    found = everything(dealt(players=players).position())
    assert found == dict.fromkeys(FULL, 1 if players < 4 else 2)


@clause("HH-2", "HH-16")
@pytest.mark.parametrize("played", ["gah", "gag", "gas"])
def test_in_sync_are_the_same_move_with_the_same_colour_or_style(played):
    """The card that is pushed lies next to the new one."""
    line = "c0" if played[2] == "h" else "r0"
    for lying in CODES:
        if lying != played:
            same_move = lying[2] == played[2]
            alike = lying[0] == played[0] or lying[1] == played[1]
            assert earned(dance(lying, played), f"hand {played} {line}") == (same_move and alike), lying


@clause("HH-2")
def test_two_copies_of_one_card_are_in_sync():
    assert earned(dance("gah", "gah", players=4), "hand gah c0") == 1


# ---- set-up ----------------------------------------------------------------------------------------------------------
@clause("HH-10")
@every_number
def test_two_have_seven_cards_and_more_have_six(players):
    position = dealt(players=players).position()
    assert [len(hand) for hand in position["hands"]] == [HANDS[players]] * players
    assert position["backups"] == [[]] * players


@clause("HH-10", "HH-21")
@pytest.mark.parametrize("players", [0, 1, 7])
def test_two_to_six_play(players):
    with pytest.raises(OptionError, match="players"):
        options_of(players=players)


PLUS = [(0, 1), (-1, 0), (0, 0), (1, 0), (0, -1)]
DIAMOND = [
    (0, 2),
    (-1, 1), (0, 1), (1, 1),
    (-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0),
    (-1, -1), (0, -1), (1, -1),
    (0, -2),
]  # fmt: skip
START = {
    2: [(-1, 1), (0, 1), (1, 1), (-1, 0), (0, 0), (1, 0), (-1, -1), (0, -1), (1, -1)],
    3: PLUS,
    4: DIAMOND,
    5: DIAMOND,
    6: DIAMOND,
}


@clause("HH-11", "HH-12", "HH-24", "C-2")
@every_number
@pytest.mark.parametrize("promo", [None, "unicorn", "zombie", "vegan_zombie"])
def test_chance_deals_the_hands_seat_by_seat_and_the_mob_in_reading_order(players, promo):
    walk = new_game(players=players, promo=promo)
    rng = random.Random(players)
    left = [card for card in FULL for _ in range(1 if players < 4 else 2)]
    came: list[str] = []
    while walk.is_chance:
        if len(came) % 8 == 0:
            assert outcomes(walk) == [f"deal {short(card)}" for card in left]
        assert walk.outcomes() == [1] * len(left)
        k = rng.randrange(len(left))
        came.append(left.pop(k))
        walk.happen(k)
    position = walk.position()
    size = HANDS[players]
    for seat in range(players):
        assert position["hands"][seat] == in_order(came[size * seat : size * (seat + 1)])
    card = iter(came[size * players :])
    promo_card = {"unicorn": "unicorn", "zombie": "zombie", "vegan_zombie": "zombie"}.get(promo)
    assert position["mob"] == {
        f"{x},{y}": promo_card if promo and (x, y) == (0, 0) else next(card) for x, y in START[players]
    }
    assert list(card) == []
    assert position["draw"] == left
    assert len(left) == PILES[players] + (promo is not None)
    assert (position["phase"], position["to_play"], position["turn"]) == ("play", 0, 0)
    assert (position["draw_face_up"], position["discard"], position["removed"]) == ([], [], [])


# ---- a turn ----------------------------------------------------------------------------------------------------------
@clause("HH-13")
def test_a_card_from_the_hand_or_an_own_backup_dancer_is_played():
    walk = dance("reg", "gah bes", backups=["bth", "rah"])
    assert legal(walk) == ["hand gah c0", "hand bes r0", "backup bth c0"]
    play(walk, "backup bth c0")
    assert walk.position()["backups"] == [[], cards("rah")]
    assert walk.position()["hands"][0] == cards("gah bes")


@clause("HH-13")
def test_a_card_in_the_hand_and_its_copy_among_the_backup_dancers_are_two_plays():
    walk = dance("reg", "gah bes", backups=["gah"], players=4)
    assert legal(walk) == ["hand gah c0", "hand bes r0", "backup gah c0"]
    play(walk, "hand gah c0")
    assert walk.position()["hands"][0] == cards("bes")
    assert walk.position()["backups"][0] == cards("gah")


@clause("HH-13", "C-5")
def test_two_copies_in_a_hand_are_one_play():
    walk = dance("reg", "gah gah", players=4)
    assert legal(walk) == ["hand gah c0"]
    play(walk, "hand gah c0")
    assert walk.position()["hands"][0] == cards("gah")


@clause("HH-13", "HH-19")
@every_number
def test_seats_take_turns(players):
    walk = dealt(players=players)
    for turn in range(2 * players):
        assert walk.position()["turn"] == turn
        assert walk.current_player == turn % players
        play(walk, legal(walk, "hand")[0])
        walk.draw_all()


@clause("HH-14")
def test_hops_enter_columns_grooves_and_slides_rows_that_hold_a_card():
    walk = dance("geh . gas / . . . / . . gps", "bth btg", at=(-1, 2), backups=["bts"])
    assert legal(walk) == [
        "hand bth c-1", "hand bth c1",
        "hand btg r2", "hand btg r4",
        "backup bts r2", "backup bts r4",
    ]  # fmt: skip


@clause("HH-14", "HH-24")
@pytest.mark.parametrize("promo", ["unicorn", "zombie", "vegan_zombie"])
def test_a_promo_card_alone_is_a_line_too(promo):
    card = "uni" if promo == "unicorn" else "zom"
    walk = dance(f"{card} . / . reg", "bth btg", promo=promo)
    assert legal(walk) == ["hand bth c0", "hand bth c1", "hand btg r0", "hand btg r1"]


@clause("HH-14", "HH-15")
@pytest.mark.parametrize(("name", "before", "after"), [
    ("hand rth c1", ". bps . / gas . geh / . bts bag", ". bps . / . . . / gas bts geh / . rth bag"),
    ("hand rtg r1", ". bps . . / geg geh . . / . bts bag gas", ". bps . . / rtg geg geh . / . bts bag gas"),
    ("hand rts r0", ". . bps / . geg geh / . bts bag", ". . bps / . geg geh / bts bag rts"),
])  # fmt: skip
def test_only_the_chosen_line_moves(name, before, after):
    assert mob_after(dance(before, name.split()[1]), name) == cells(after)


GAPS = "geh gas . gpg . . bah"  # a line, seen from the entry side

PUSHES = [
    ("rigid", GAPS, "NEW geh gas . gpg . . bah"),
    ("contact", GAPS, "NEW geh gas gpg . . bah"),
    ("rigid", "geh . gas gpg", "NEW geh . gas gpg"),
    ("contact", "geh . gas gpg", "NEW geh gas gpg"),
    ("contact", "geh . . gas gpg", "NEW geh . gas gpg"),
    ("contact", "geh gas gpg", "NEW geh gas gpg"),
    ("rigid", "geh", "NEW geh"),
    ("contact", "geh", "NEW geh"),
]


def laid(line, move):
    """A line as a mob: column or row 0; what stands first in `line` lies at the entry side, on cell (0, 0)."""
    places = line.replace("NEW", {"hop": "rth", "groove": "rtg", "slide": "rts"}[move]).split()
    if move == "hop":
        return cells(" / ".join(reversed(places)))
    if move == "groove":
        return cells(" ".join(places))
    return cells(" ".join(reversed(places)), (1 - len(places), 0))


ENTRIES = {"hop": "hand rth c0", "groove": "hand rtg r0", "slide": "hand rts r0"}
moves = pytest.mark.parametrize("move", list(ENTRIES))


@clause("HH-15")
@moves
@pytest.mark.parametrize(("push", "before", "after"), PUSHES)
def test_a_push_moves_the_entire_line_or_in_contact_up_to_the_first_gap(move, push, before, after):
    walk = dance(laid(before, move), ENTRIES[move].split()[1], push=push)
    assert mob_after(walk, ENTRIES[move]) == laid(after, move)


@clause("HH-15")
def test_a_push_is_rigid_unless_told_otherwise():
    assert options_of() == options_of(push="rigid")
    walk = dance("geh . gas", "rtg")
    assert "options" not in walk.position()
    assert mob_after(walk, "hand rtg r0") == cells("rtg geh . gas")
    assert dance("geh . gas", "rtg", push="contact").position()["options"] == {"push": "contact"}


@clause("HH-15")
@pytest.mark.parametrize("push", ["rigid", "contact"])
@every_number
def test_a_groove_moves_a_row_to_the_right_and_a_slide_back_to_the_left(players, push):
    walk = dance("geh ges bpg", "rtg bah", "rts rag", turn=0, at=(-1, 0), players=players, push=push)
    assert mob_after(walk, "hand rtg r0") == cells("rtg geh ges bpg", (-1, 0))
    assert mob_after(walk, "hand rts r0") == cells("rtg geh ges bpg rts", (-2, 0))


@clause("HH-16")
@pytest.mark.parametrize(("mob", "due"), [
    ("gah geh gph", 3),
    ("gah geh .", 2),
    ("gas geh gph", 2),  # another move
    (". geh .", 1),
    (". beh .", 0),
    ("rah beh rph", 0),  # neither colour nor style
    ("gah beh rph", 1),
    ("rth beh reg", 1),
    ("gah / . / beh", 0),  # a gap between
])  # fmt: skip
def test_every_neighbour_in_sync_earns_a_backup_dancer(mob, due):
    column = 0 if "/" in mob else 1
    assert earned(dance(mob, "gth"), f"hand gth c{column}") == due


@clause("HH-16")
@pytest.mark.parametrize(("mob", "name"), [
    ("gag . / bah ges / rpg .", "hand gpg r1"), (". gas / bah bes / . rps", "hand gps r1"),
])  # fmt: skip
def test_grooves_and_slides_have_neighbours_above_and_below(mob, name):
    assert earned(dance(mob, name.split()[1]), name) == 2


@clause("HH-16")
def test_a_card_at_a_corner_and_a_pair_of_others_earn_nothing():
    walk = dance("gah . / . geh", "rah")  # the green ones come to touch, the raving ones only at a corner
    assert earned(walk, "hand rah c1") == 0
    assert walk.position()["mob"] == cells("gah geh / . rah")


@clause("HH-16")
@pytest.mark.parametrize("push", ["rigid", "contact"])
def test_the_end_card_makes_room_but_stays_a_neighbour(push):
    assert earned(dance("rah / . / geh", "gth", push=push), "hand gth c0") == 1


@clause("HH-14", "HH-16")
def test_the_rulebooks_hop_has_five_places_of_which_one_earns_two():
    mob = """
        .   bes bps bag .
        res rps rtg gph rah
        .   geg bah reg .
    """
    names = [f"hand gah c{x}" for x in (-2, -1, 0, 1, 2)]
    walks = [dance(mob, "gah ges", at=(-2, -1)) for _ in names]
    assert legal(walks[0], "hand gah") == names
    assert [earned(walk, name) for walk, name in zip(walks, names, strict=True)] == [0, 1, 1, 1, 2]


@clause("HH-16", "HH-17", "HH-18")
def test_the_rulebooks_backup_dancer_earns_two_and_costs_a_card():
    walk = dance("rps gah gph", "res rag", backups=["gth bph"])
    play(walk, "backup gth c1", "draw beg", "draw rph")
    position = walk.position()
    assert (position["phase"], position["to_play"], position["must_discard"]) == ("discard", 0, True)
    assert position["backups"][0] == cards("rph bph beg")
    assert legal(walk) == ["discard rag", "discard res"]
    play(walk, "discard res")
    position = walk.position()
    assert position["hands"][0] == cards("rag")
    assert position["draw_face_up"] == cards("res")
    assert (position["to_play"], position["turn"], position["must_discard"]) == (1, 11, False)


# ---- backup dancers --------------------------------------------------------------------------------------------------
THREE_DUE = "gah geh gph"  # for gth into column 1


@clause("HH-17")
def test_each_one_due_is_drawn_and_placed_face_up():
    walk = dance(THREE_DUE, "gth res", "bas bes")
    before = walk.position()["draw"]
    play(walk, "hand gth c1")
    assert outcomes(walk) == [f"draw {short(card)}" for card in before]
    assert walk.outcomes() == [1] * len(before)
    play(walk, "draw bts", "draw bah")
    assert walk.is_chance
    play(walk, "draw reg")
    position = walk.position()
    assert position["backups"] == [cards("bah reg bts"), []]
    assert position["hands"][0] == cards("res")
    assert position["draw"] == [card for card in before if card not in cards("bah reg bts")]
    assert (position["to_play"], position["steals_due"]) == (1, 0)


@clause("HH-17", "C-2")
def test_copies_in_the_pile_are_outcomes_side_by_side():
    walk = dance("geh", "gth", players=4)
    play(walk, "hand gth c0")
    names = outcomes(walk)
    assert names[:3] == ["draw geh", "draw gah", "draw gah"]
    walk.happen(2)
    assert walk.position()["backups"][0] == cards("gah")
    assert walk.position()["draw"].count("green-rave-hop") == 1


@clause("HH-17")
def test_one_card_left_is_still_a_chance_point():
    walk = dance("geh", "gth", draw="bts", rest=1)
    play(walk, "hand gth c0")
    assert walk.is_chance
    assert outcomes(walk) == ["draw bts"]


@clause("HH-12", "HH-17")
def test_the_face_down_cards_come_first_and_then_the_known_ones_in_their_order():
    walk = dance(THREE_DUE, "gth res", draw="bpg", queue="rts bas ras", rest=1)
    play(walk, "hand gth c1", "draw bpg")
    assert walk.current_player == 1  # the known ones are no chance
    assert walk.position()["backups"][0] == in_order(cards("bpg rts bas"))
    assert walk.position()["draw"] == []
    assert walk.position()["draw_face_up"] == cards("ras")


def empty_pile(*backups, **keywords):
    """Seat 0 will earn three; the other seats have these backup dancers, and it has all cards that are left."""
    return dance(THREE_DUE, "gth res", backups=["", *backups], rest=0, **keywords)


@clause("HH-17")
def test_from_an_empty_pile_a_backup_dancer_of_any_opponent_may_be_stolen():
    walk = empty_pile("rah bts", "beh", players=3)
    play(walk, "hand gth c1")
    position = walk.position()
    assert (position["phase"], position["to_play"], position["steals_due"]) == ("steal", 0, 3)
    assert legal(walk) == ["steal left1 rah", "steal left1 bts", "steal left2 beh", "no steal"]
    own = position["backups"][0]
    play(walk, "steal left2 beh")
    position = walk.position()
    assert position["backups"] == [in_order([*own, *cards("beh")]), cards("rah bts"), []]
    assert (position["phase"], position["steals_due"]) == ("steal", 2)
    assert legal(walk) == ["steal left1 rah", "steal left1 bts", "no steal"]


@clause("HH-17")
def test_one_steal_may_be_declined_and_the_next_one_is_asked_for():
    walk = empty_pile("rah bts")
    play(walk, "hand gth c1", "no steal")
    assert (walk.current_player, walk.position()["steals_due"]) == (0, 2)
    play(walk, "steal left1 bts", "no steal")
    assert (walk.current_player, walk.position()["steals_due"]) == (1, 0)
    assert walk.position()["backups"][1] == cards("rah")


@clause("HH-17", "C-4")
def test_when_no_opponent_has_any_left_the_rest_is_forgone():
    walk = empty_pile("rah")
    play(walk, "hand gth c1", "steal left1 rah")
    assert (walk.position()["phase"], walk.current_player, walk.position()["steals_due"]) == ("play", 1, 0)


@clause("HH-17", "C-4")
@every_number
def test_when_no_opponent_has_any_nobody_is_asked(players):
    walk = empty_pile(players=players)
    own = walk.position()["backups"][0]
    play(walk, "hand gth c1")
    assert (walk.position()["phase"], walk.current_player, walk.position()["steals_due"]) == ("play", 1, 0)
    assert walk.position()["backups"][0] == own


@clause("HH-17")
def test_a_pile_that_gives_out_leaves_the_rest_to_be_stolen():
    walk = empty_pile("rah bts", queue="bas")
    own = walk.position()["backups"][0]
    play(walk, "hand gth c1")
    position = walk.position()
    assert (position["phase"], position["steals_due"], position["draw_face_up"]) == ("steal", 2, [])
    assert position["backups"][0] == in_order([*own, *cards("bas")])


@clause("HH-17")
def test_stealing_goes_round_the_table_from_the_left_neighbour():
    walk = dance(THREE_DUE, "", "", "gth res", to_play=2, players=4, draw="", rest=2,
                 backups=["bth", "bth bah", "", "rth"])  # fmt: skip
    play(walk, "hand gth c1")
    assert legal(walk) == [
        "steal left1 rth", "steal left2 bth", "steal left3 bah", "steal left3 bth", "no steal",
    ]  # fmt: skip
    told = [GAME.describe(walk.options, walk.record, action) for action in walk.legal()]
    assert told == [
        *("steal red-street-hop of player 3", "steal blue-street-hop of player 0"),
        *("steal blue-rave-hop of player 1", "steal blue-street-hop of player 1", "no steal"),
    ]
    play(walk, "steal left3 bth")
    assert [short(" ".join(row)) for row in walk.position()["backups"]][:2] == ["bth", "bah"]


@clause("HH-17")
def test_nothing_is_stolen_while_there_are_cards_in_the_pile():
    walk = dance(THREE_DUE, "gth res", draw="bpg btg", queue="rts", rest=1)
    play(walk, "hand gth c1", "draw bpg", "draw btg")
    assert walk.current_player == 1
    assert walk.position()["phase"] == "play"


@clause("HH-17", "HH-20")
def test_what_was_pushed_out_or_eaten_is_never_drawn():
    walk = empty_pile("rah", players=4, discard="bts bts bah")
    play(walk, "hand gth c1")
    assert walk.position()["phase"] == "steal"
    mob = f"zom . . / {THREE_DUE}"
    walk = dance(mob, "gth res", backups=["", "rah"], rest=0, removed="bts", promo="zombie")
    play(walk, "hand gth c1")
    assert walk.position()["phase"] == "steal"


@clause("HH-18")
def test_a_play_from_the_hand_is_followed_by_no_discard():
    walk = dance("geg", "gth res", backups=["bth"])
    play(walk, "hand gth c0")
    assert (walk.current_player, walk.position()["phase"]) == (1, "play")
    assert walk.position()["draw_face_up"] == []


@clause("HH-18")
def test_a_discard_goes_face_up_below_all_that_lies_in_the_pile():
    walk = dance("geg", "bth bas", backups=["rth"], draw="reh", queue="ras bes", rest=1)
    play(walk, "backup rth c0")
    assert legal(walk) == ["discard bth", "discard bas"]  # cards of the hand only
    play(walk, "discard bas")
    assert walk.position()["draw_face_up"] == cards("ras bes bas")
    assert walk.position()["draw"] == cards("reh")
    assert walk.position()["discard"] == []


@clause("HH-18", "HH-17")
def test_a_discard_is_drawn_when_the_pile_gets_there():
    """Seat 1 earns with the very next play; the card discarded is the only one in the pile."""
    walk = dance("gph", "bag res", "rph bas", backups=["geg"], draw="", rest=1)
    play(walk, "backup geg r0", "discard bag")
    assert walk.position()["draw_face_up"] == cards("bag")
    own = walk.position()["backups"][1]
    play(walk, "hand rph c1")  # next to gph
    assert walk.position()["backups"][1] == in_order([*own, *cards("bag")])
    assert walk.position()["draw_face_up"] == []


@clause("HH-18", "HH-17")
def test_the_discard_comes_after_drawing_and_stealing_so_that_it_is_not_drawn_itself():
    walk = dance(THREE_DUE, "bag res", backups=["gth", "rah"], draw="", queue="bas", rest=0)
    play(walk, "backup gth c1")
    position = walk.position()
    assert (position["phase"], position["steals_due"], position["must_discard"]) == ("steal", 2, True)
    assert position["hands"][0] == cards("bag res")
    play(walk, "steal left1 rah")
    position = walk.position()
    assert (position["phase"], position["steals_due"], position["must_discard"]) == ("discard", 0, True)
    play(walk, "discard res")
    assert walk.position()["draw_face_up"] == cards("res")


@clause("HH-18", "C-4")
def test_a_discard_without_a_choice_is_asked_for_all_the_same():
    walk = dance("geg", "bth bth", backups=["rth"], players=4)
    play(walk, "backup rth c0")
    assert legal(walk) == ["discard bth"]
    play(walk, "discard bth")
    assert walk.position()["hands"][0] == cards("bth")


@clause("HH-18")
@pytest.mark.parametrize("verb", ["hand", "backup"])
def test_every_turn_costs_the_hand_exactly_one_card(verb):
    walk = dance("geg", "bth bas", backups=["rth"])
    play(walk, legal(walk, verb)[0])
    if verb == "backup":
        play(walk, "discard bas")
    assert [len(hand) for hand in walk.position()["hands"]] == [1, 2]
    assert walk.position()["turn"] == 11


# ---- the end ---------------------------------------------------------------------------------------------------------
@clause("HH-19")
@every_number
def test_the_game_ends_when_everybody_has_one_card(players):
    rng = random.Random(players)
    walk = dealt(players=players)
    while not walk.is_over:
        walk.draw_all()
        position = walk.position()
        assert any(len(hand) > 1 for hand in position["hands"])
        walk.play(rng.choice(walk.legal()))
        walk.draw_all()
    position = walk.position()
    assert [len(hand) for hand in position["hands"]] == [1] * players
    assert position["turn"] == players * (HANDS[players] - 1)
    assert (position["phase"], position["to_play"]) == ("over", None)
    assert everything(position) == dict.fromkeys(FULL, 1 if players < 4 else 2)


@clause("HH-19", "HH-17", "HH-18")
def test_the_last_turn_is_completed_with_steal_and_discard():
    walk = dance("geh", "bas", "bag res", to_play=1, backups=["rah bth", "gth"], draw="", rest=0)
    play(walk, "backup gth c0")
    assert walk.position()["phase"] == "steal"
    play(walk, "steal left1 bth")
    assert walk.position()["phase"] == "discard"
    play(walk, "discard res")
    assert walk.is_over
    position = walk.position()
    assert (position["turn"], position["must_discard"], position["draw_face_up"]) == (12, False, cards("res"))
    assert position["hands"] == [cards("bas"), cards("bag")]


# ---- the limit of a line ---------------------------------------------------------------------------------------------
FIVE = "geh gas gpg beh bas"  # from the entry side; none is In Sync with what is played
SIX = f"{FIVE} bpg"
four_or_more = pytest.mark.parametrize("players", [4, 5, 6])


@clause("HH-20")
@moves
@four_or_more
def test_a_seventh_card_pushes_the_one_at_the_far_end_onto_the_discard_pile(players, move):
    walk = dance(laid(SIX, move), ENTRIES[move].split()[1], discard="ras", players=players)
    assert mob_after(walk, ENTRIES[move]) == laid(f"NEW {FIVE}", move)
    assert walk.position()["discard"] == cards("ras bpg")


@clause("HH-20")
@moves
@four_or_more
def test_a_sixth_card_pushes_nothing_out(players, move):
    walk = dance(laid(FIVE, move), ENTRIES[move].split()[1], players=players)
    assert mob_after(walk, ENTRIES[move]) == laid(f"NEW {FIVE}", move)
    assert walk.position()["discard"] == []


@clause("HH-20")
@moves
@pytest.mark.parametrize("players", [2, 3])
def test_two_and_three_players_know_no_limit(players, move):
    walk = dance(laid(f"{SIX} rah", move), ENTRIES[move].split()[1], players=players)
    assert mob_after(walk, ENTRIES[move]) == laid(f"NEW {SIX} rah", move)
    assert walk.position()["discard"] == []


@clause("HH-20")
@moves
def test_of_a_line_that_became_longer_exactly_one_card_is_pushed_out(move):
    walk = dance(laid(f"{SIX} rah rps", move), ENTRIES[move].split()[1], players=4)
    assert mob_after(walk, ENTRIES[move]) == laid(f"NEW {SIX} rah", move)
    assert walk.position()["discard"] == cards("rps")


@clause("HH-20")
def test_only_the_chosen_line_is_looked_at():
    """The hop lifts a card into a row that comes to hold seven, and eight with another one."""
    row = f"{SIX} . . / . . . . . . ras bah"
    walk = dance(row, "rth bag", "rph bag", players=4)
    assert mob_after(walk, "hand rth c6") == cells(f"{SIX} ras . / . . . . . . rth bah")
    assert mob_after(walk, "hand rph c7") == cells(f"{SIX} ras bah / . . . . . . rth rph")
    assert walk.position()["discard"] == []


@clause("HH-20")
@moves
@pytest.mark.parametrize(("push", "before", "after"), [
    ("rigid", "geh . gas gpg beh bas bpg", "NEW geh . gas gpg beh bas"),
    ("contact", "geh . gas gpg beh bas bpg", "NEW geh gas gpg beh bas"),  # the push doesn't reach the last
    ("contact", "geh . gas gpg beh bas . bpg", "NEW geh gas gpg beh bas"),
    ("contact", "geh gas gpg beh bas . bpg", "NEW geh gas gpg beh bas"),
    ("contact", SIX, f"NEW {FIVE}"),
    ("rigid", "geh gas . gpg beh bas . . bpg", "NEW geh gas . gpg beh bas"),
])  # fmt: skip
def test_gaps_count_for_nothing_in_a_full_line(move, push, before, after):
    walk = dance(laid(before, move), ENTRIES[move].split()[1], push=push, players=4)
    assert mob_after(walk, ENTRIES[move]) == laid(after, move)
    assert walk.position()["discard"] == cards("bpg")


@clause("HH-20", "HH-24")
@pytest.mark.parametrize(("promo", "card"), [("unicorn", "uni"), ("zombie", "zom"), ("vegan_zombie", "zom")])
def test_a_promo_card_counts_and_is_pushed_out(promo, card):
    walk = dance(f"{FIVE} {card}", "rtg", promo=promo, players=4)
    assert mob_after(walk, "hand rtg r0") == cells(f"rtg {FIVE}")
    assert walk.position()["discard"] == cards(card)


@clause("HH-20", "HH-24")
def test_a_promo_card_fills_a_line_like_any_other():
    walk = dance(f"geh uni {FIVE.removeprefix('geh ')}", "rtg", promo="unicorn", players=5)
    assert mob_after(walk, "hand rtg r0") == cells("rtg geh uni gas gpg beh")
    assert walk.position()["discard"] == cards("bas")


# ---- the table -------------------------------------------------------------------------------------------------------
TABLES = {2: (13, -1, 13), 3: (16, -1, 16), 4: (10, -2, 13), 5: (10, -2, 13), 6: (10, -2, 13)}


@clause("HH-21", "C-5")
@every_number
def test_the_catalogue_names_every_line_of_the_table(players):
    side, bottom, top = TABLES[players]
    names = []
    for source in ("hand", "backup"):
        for card in FULL:
            lines = range(-side, side + 1) if card.endswith("hop") else range(bottom, top + 1)
            names += [f"{source} {card} {'c' if card.endswith('hop') else 'r'}{line}" for line in lines]
    names += [f"discard {card}" for card in FULL]
    names += [f"steal left{k} {card}" for k in range(1, players) for card in FULL]
    names.append("no steal")
    for promo in (None, "unicorn", "vegan_zombie"):
        o = options_of(players=players, promo=promo)
        assert [GAME.action_name(o, action) for action in range(GAME.spec(o).num_actions)] == names
    assert [GAME.parse_action(options_of(players=players), name) for name in names] == list(range(len(names)))


@clause("HH-21", "C-5")
def test_the_size_of_the_catalogue():
    sizes = [GAME.spec(options_of(players=players)).num_actions for players in range(2, 7)]
    assert sizes == [1441, 1765, 1417, 1453, 1489]


@clause("C-5")
@pytest.mark.parametrize("name", [
    "hand green-rave-hop r0", "hand green-rave-slide c0", "hand green-rave-hop c14", "steal left2 green-rave-hop",
    "hand unicorn c0", "", 7,
])  # fmt: skip
def test_other_names_are_none(name):
    with pytest.raises(ValueError, match="unknown action"):
        GAME.parse_action(options_of(), name)


@clause("HH-21")
@every_number
def test_a_play_that_would_move_a_card_off_the_table_is_illegal(players):
    side, bottom, top = TABLES[players]
    corners = {f"{side},{top}": long("geh"), f"{-side},{bottom}": long("gps")}
    walk = dance(corners, "rth rtg", backups=["rts"], players=players)
    assert legal(walk) == [f"hand rth c{-side}", f"hand rtg r{bottom}", f"backup rts r{top}"]


@clause("HH-21")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_edge_stops_the_move_that_goes_there(players):
    side, _, top = TABLES[players]
    names = {"hop": "hand rth c", "groove": "hand rtg r", "slide": "backup rts r"}
    for (x, y), stopped in (((side, 5), "groove"), ((-side, 5), "slide"), ((0, top), "hop")):
        walk = dance({f"{x},{y}": long("geh")}, "rth rtg", backups=["rts"], players=players)
        assert legal(walk) == [f"{name}{x if move == 'hop' else y}" for move, name in names.items() if move != stopped]


@clause("HH-21", "HH-15")
@every_number
def test_at_the_edge_a_gap_saves_a_play_in_contact_only(players):
    side, _, top = TABLES[players]
    line = {f"{side - 2},{top}": long("gpg"), f"{side},{top}": long("geh"), f"{side},{top - 2}": long("bes")}
    rigid = legal(dance(line, "rth rtg", backups=["rts"], players=players))
    contact = legal(dance(line, "rth rtg", backups=["rts"], players=players, push="contact"))
    assert rigid == [f"backup rts r{top - 2}", f"backup rts r{top}"]
    assert contact == [f"hand rth c{side}", f"hand rtg r{top}", *rigid]
    walk = dance(line, "rth rtg", players=players, push="contact")
    assert mob_after(walk, f"hand rth c{side}")[f"{side},{top - 1}"] == long("bes")


@clause("HH-21", "HH-20")
@pytest.mark.parametrize("push", ["rigid", "contact"])
@four_or_more
def test_at_the_edge_a_full_line_pushes_out_instead(players, push):
    row = cells(SIX, (5, 0))
    walk = dance(row, "rtg rts", players=players, push=push)
    assert legal(walk) == ["hand rtg r0", "hand rts r0"]
    assert mob_after(walk, "hand rtg r0") == cells(f"rtg {FIVE}", (5, 0))
    assert walk.position()["discard"] == cards("bpg")
    del row["5,0"]
    assert legal(dance(row, "rtg rts", players=players, push=push)) == ["hand rts r0"]


@clause("HH-21", "HH-20")
def test_at_the_edge_two_and_three_players_push_nothing_out():
    assert legal(dance(SIX, "rtg rts", at=(8, 0))) == ["hand rts r0"]
    assert legal(dance(SIX, "rtg rts", at=(11, 0), players=3)) == ["hand rts r0"]


@clause("HH-21", "HH-20")
def test_at_the_edge_a_longer_line_keeps_its_second_last_card_on_the_table():
    walk = dance(f"{SIX} rah rps", "rtg", at=(3, 0), players=4)
    assert mob_after(walk, "hand rtg r0") == cells(f"rtg {SIX} rah", (3, 0))


@clause("HH-21", "HH-26")
@pytest.mark.parametrize("push", ["rigid", "contact"])
@pytest.mark.parametrize("players", [2, 4])
@zombies
def test_at_the_edge_a_meal_makes_room(players, push, promo):
    side = TABLES[players][0]
    walk = dance("geh zom gas", "rtg", at=(side - 2, 0), players=players, push=push, promo=promo)
    assert legal(walk, "hand rtg") == ["hand rtg r0"]
    assert mob_after(walk, "hand rtg r0") == cells("rtg geh zom", (side - 2, 0))
    walk = dance("geh gas zom", "rtg rah", at=(side - 2, 0), players=players, push=push, promo=promo)
    assert legal(walk, "hand rtg") == []


@clause("HH-21", "HH-19")
@moves
def test_two_players_just_reach_the_edge(move):
    """All twelve cards of a move are in hand and go into one line, which ends on the table's last cell."""
    twelve = [code for code in CODES if code[2] == move[0]]
    mob = iter([code for code in CODES if code[2] != move[0]][:9])
    start = {f"{x},{y}": long(next(mob)) for x, y in START[2]}
    walk = dance(start, " ".join(twelve[:6]), " ".join(twelve[6:]), turn=0)
    line = ENTRIES[move].split()[2]
    for k in range(6):
        for code in (twelve[k], twelve[6 + k]):
            play(walk, f"hand {code} {line}")
            walk.draw_all()
    assert walk.is_over
    last = {"hop": "0,13", "groove": "13,0", "slide": "-13,0"}[move]
    assert walk.position()["mob"][last] == start[{"hop": "0,1", "groove": "1,0", "slide": "-1,0"}[move]]


# ---- Grand Finale ----------------------------------------------------------------------------------------------------
def finale(mob, *leads, players=2, **keywords):
    """A finished game: of all seats just one is taken as the winner."""
    walks = []
    for seat in range(players):
        with contextlib.suppress(PositionError):
            walks.append(dance(mob, *leads, phase="over", winners=[seat], players=players, **keywords))
    (walk,) = walks
    return walk


@clause("HH-22")
def test_the_rulebooks_finale_of_twelve_points():
    mob = """
        .   .   .   .   gpg .   bth
        gth rth gts reg .   .   .
        .   rts gtg gag bah .   reh
    """
    walk = finale(mob, "btg", backups=["rph rag bas"])
    assert walk.result()["scores"][0] == 3 + 3 + 1 + 5


@clause("HH-22")
@pytest.mark.parametrize(("mob", "lead", "score"), [
    ("geh", "bps", 0 + 0 + 0),
    ("geh", "rth", 1 + 0 + 0),
    ("geh", "geg", 0 + 1 + 1),
    ("geh gah gps", "gtg", 0 + 3 + 0),
    ("geh . gah gps", "gtg", 0 + 2 + 0),  # not across a gap
    ("geh . / . gah", "gtg", 0 + 1 + 0),  # nor over a corner
    ("geh . gah / gag gps gph", "ges", 1 + 5 + 1),
    (". reh . / rah rph rth / . rtg .", "reg", 1 + 5 + 1),
    ("reh bph gth / gah . bah / rph bag rth", "gag", 1 + 1 + 1),
    ("geh reg bes / . bah rag", "beg", 1 + 1 + 3),
])  # fmt: skip
def test_the_lead_dancer_counts_the_largest_group_of_its_move_colour_and_style(mob, lead, score):
    assert finale(mob, lead).result()["scores"][0] == score


@clause("HH-22")
def test_every_backup_dancer_counts_one():
    assert finale("geh", "bps", "bas", backups=["gph bts rth", "beh"]).result()["scores"] == [3, 1]


@clause("HH-22")
def test_the_card_left_in_hand_is_the_lead_dancer_and_no_backup_dancer():
    walk = dance("reh rah", "gtg", "bes rph", to_play=1)
    play(walk, "hand bes r0")
    assert walk.position()["hands"] == [cards("gtg"), cards("rph")]
    assert walk.result()["scores"] == [0, 2 + 2 + 0]


@clause("HH-23")
@pytest.mark.parametrize(("leads", "backups", "scores", "ranks"), [
    ("gth bps", ["", "rah"], [2, 1], [1, 2]),  # the higher score, even with fewer backup dancers
    ("gth bps", ["", "rah bag"], [2, 2], [2, 1]),  # then more backup dancers
    ("bps bts", ["rah bag", "rph reg"], [2, 2], [2, 1]),  # then more of any colour: two, not one
    ("bps bts", ["rah rag bag", "bah beh bth"], [3, 3], [2, 1]),  # of whichever colour
    ("bps bts", ["rph reg", "bah bag"], [2, 2], [1, 2]),  # moves and styles don't matter: the earlier seat
    ("bps bts", ["", ""], [0, 0], [1, 2]),
    ("bps bts rps", ["", "", ""], [0, 0, 0], [1, 2, 3]),
    ("bps bts rps", ["", "beh", "reh"], [0, 1, 1], [3, 1, 2]),
    ("bps bts rps", ["rth bag", "beh bah", "reh rah"], [2, 2, 2], [3, 1, 2]),
    ("bps bts rps gth", ["", "bps", "bth ras", "bth"], [0, 1, 2, 3], [4, 3, 2, 1]),
])  # fmt: skip
def test_ties_are_broken_by_backup_dancers_then_those_of_one_colour_then_the_earlier_seat(
    leads, backups, scores, ranks
):
    walk = finale("gah", *leads.split(), players=len(ranks), backups=backups)
    result = walk.result()
    assert (result["scores"], result["ranks"]) == (scores, ranks)
    assert result["winners"] == walk.position()["winners"] == [ranks.index(1)]
    assert result["rewards"] == [1.0 if rank == 1 else -1 / (len(ranks) - 1) for rank in ranks]


# ---- promo cards -----------------------------------------------------------------------------------------------------
@clause("HH-24")
@pytest.mark.parametrize("both", [("unicorn", "zombie"), ["zombie"], "unicorn zombie", "both", True, 2])
def test_there_is_one_promo_card_at_most(both):
    with pytest.raises(OptionError, match="promo"):
        options_of(promo=both)


@clause("HH-24")
def test_there_is_none_unless_told_otherwise():
    assert options_of() == options_of(promo="none") == options_of(promo=None)
    assert dealt().position()["promo"] is None


@clause("HH-25")
@pytest.mark.parametrize(("mob", "name", "due"), [
    ("uni", "hand gah c0", 1),
    ("uni", "hand gag r0", 1),
    ("uni", "hand gas r0", 1),
    ("uni . / beh gph", "hand gah c1", 1),  # another one In Sync, the unicorn at a corner
    ("beh uni gph", "hand gah c0", 1),
    ("beh uni gph", "hand gah c1", 2),
    ("bes uni", "hand gag r0", 0),  # the push takes it away
    ("uni . / . bes", "hand gas r0", 0),
])  # fmt: skip
def test_a_card_next_to_the_unicorn_is_in_sync_with_it_whatever_its_move(mob, name, due):
    assert earned(dance(mob, name.split()[1], promo="unicorn"), name) == due


@clause("HH-25", "HH-15")
@moves
@pytest.mark.parametrize("push", ["rigid", "contact"])
def test_the_unicorn_is_pushed_like_any_card(move, push):
    walk = dance(laid("geh uni gas . bah", move), ENTRIES[move].split()[1], promo="unicorn", push=push)
    after = {"rigid": "NEW geh uni gas . bah", "contact": "NEW geh uni gas bah"}[push]
    assert mob_after(walk, ENTRIES[move]) == laid(after, move)


@clause("HH-25", "HH-22")
@pytest.mark.parametrize(("mob", "lead", "score"), [
    ("uni", "bps", 1 + 1 + 1),
    ("geh uni", "ges", 1 + 2 + 2),
    ("geh . uni", "beh", 1 + 1 + 1),
    ("geh uni gag", "gah", 2 + 3 + 2),  # it joins what it touches
    ("geh . gps / . uni . / beh . reg", "gah", 1 + 1 + 1),  # not over corners
    (". geh . / beh uni reh / . bag .", "rph", 4 + 2 + 1),
])  # fmt: skip
def test_the_unicorn_counts_one_in_every_group(mob, lead, score):
    assert finale(mob, lead, promo="unicorn").result()["scores"][0] == score


@clause("HH-20", "HH-25")
def test_a_unicorn_that_was_pushed_out_counts_nowhere():
    walk = finale("geh", "bps", players=4, promo="unicorn", discard="uni")
    assert walk.result()["scores"][0] == 0


MEALS = [  # push, the line from the entry side, the line after it, what was eaten
    ("rigid contact", "geh zom gas bph", "NEW geh zom bph", "gas"),
    ("rigid contact", "zom geh", "NEW zom", "geh"),
    ("rigid contact", "zom", "NEW zom", ""),
    ("rigid contact", "geh gas zom", "NEW geh gas zom", ""),
    ("rigid contact", "geh zom gas . bph bah", "NEW geh zom . bph bah", "gas"),  # those beyond don't move
    ("rigid", "geh zom . gas bph", "NEW geh zom . gas bph", ""),  # with a gap ahead they do
    ("contact", "geh zom . gas bph", "NEW geh zom gas bph", ""),
    ("contact", "geh zom . . gas", "NEW geh zom . gas", ""),
    ("rigid", "geh . zom gas bph", "NEW geh . zom bph", "gas"),
    ("contact", "geh . zom gas bph", "NEW geh zom gas bph", ""),  # nothing moves it
]


@clause("HH-26")
@zombies
@moves
@pytest.mark.parametrize("meal", MEALS, ids=lambda meal: f"{meal[0]}: {meal[1]}")
def test_a_zombie_that_moves_takes_the_cell_of_the_card_ahead(meal, move, promo):
    pushes, before, after, eaten = meal
    for push in pushes.split():
        walk = dance(laid(before, move), ENTRIES[move].split()[1], promo=promo, push=push)
        assert mob_after(walk, ENTRIES[move]) == laid(after, move)
        assert walk.position()["removed"] == cards(eaten)


@clause("HH-26")
def test_a_zombie_eats_one_card_a_push_and_those_eaten_stay_in_order():
    walk = dance("zom gas gph", "rtg", "bag", promo="zombie")
    assert mob_after(walk, "hand rtg r0") == cells("rtg zom gph")
    assert mob_after(walk, "hand bag r0") == cells("bag rtg zom")
    assert walk.position()["removed"] == cards("gas gph")
    assert everything(walk.position()) == dict.fromkeys([*FULL, "zombie"], 1)


@clause("HH-26")
def test_a_zombie_on_another_line_eats_nothing():
    walk = dance("zom gas . / geh bph bah", "rtg", promo="zombie")
    assert mob_after(walk, "hand rtg r0") == cells("zom gas . . / rtg geh bph bah")
    assert walk.position()["removed"] == []


@clause("HH-20", "HH-26")
@moves
@pytest.mark.parametrize("meal", [
    ("rigid contact", "geh zom gas bph bah bes", "NEW geh zom bph bah bes", "gas", ""),
    ("rigid contact", "geh zom gas bph bah bes reh", "NEW geh zom bph bah bes", "gas", "reh"),
    ("rigid contact", "geh gps gpg beh zom bpg", "NEW geh gps gpg beh zom", "bpg", ""),
    ("rigid contact", "geh gps gpg beh bas zom bpg", "NEW geh gps gpg beh bas", "bpg", "zom"),
    ("rigid", "geh . zom gas bph bah bes", "NEW geh . zom bph bah bes", "gas", ""),
    ("contact", "geh . zom gas bph bah bes", "NEW geh zom gas bph bah", "", "bes"),
], ids=lambda meal: f"{meal[0]}: {meal[1]}")  # fmt: skip
def test_the_limit_of_a_line_is_looked_at_after_the_meal(meal, move):
    pushes, before, after, eaten, out = meal
    for push in pushes.split():
        walk = dance(laid(before, move), ENTRIES[move].split()[1], promo="zombie", push=push, players=4)
        assert mob_after(walk, ENTRIES[move]) == laid(after, move)
        assert walk.position()["removed"] == cards(eaten)
        assert walk.position()["discard"] == cards(out)


@clause("HH-26")
@zombies
@pytest.mark.parametrize("name", ["hand rth c0", "hand rtg r0", "hand rts r0"])
def test_a_zombie_is_in_sync_with_nobody(name, promo):
    assert earned(dance("zom", name.split()[1], promo=promo), name) == 0


@clause("HH-22", "HH-26")
@pytest.mark.parametrize(("mob", "lead", "score"), [
    ("zom", "rth", 0 + 1 + 1),
    ("zom", "geh", 0 + 0 + 0),
    ("reh zom gtg", "rth", 1 + 2 + 2),
    ("reh zom rag", "rph", 1 + 3 + 0),
    ("reh . zom", "rph", 1 + 1 + 0),
])  # fmt: skip
@zombies
def test_a_zombie_is_red_and_street_and_has_no_move(mob, lead, score, promo):
    assert finale(mob, lead, promo=promo).result()["scores"][0] == score
