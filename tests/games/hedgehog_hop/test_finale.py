"""The most In Sync pairs of a group (HH-58): the table, its rule and its generator, held against layouts tried out."""

import hashlib
import itertools
import math

import numpy as np
import pytest

from hopenvs.core.jit import instantiate, plain_twin
from hopenvs.games.hedgehog_hop import finale_table
from hopenvs.games.hedgehog_hop.finale import MOST_PAIRS, pairs_of
from hopenvs.games.hedgehog_hop.finale_table import GROUPS

clause = pytest.mark.clause

look_up = plain_twin(pairs_of)

CHECK_VALUES = {
    "1111/1111/1000": 11,
    "1111/1110/1100": 11,
    "0000/1100/0112": 6,
    "2121/0011/0200": 12,
    "2200/1010/0002": 7,
    "2200/0021/0020": 9,
    "2210/2210/0002": 14,
    "2200/2200/0022": 14,
    "2100/1200/0021": 8,
    "1121/2220/0000": 15,
    "2020/1212/0002": 16,
    "1220/2101/0122": 20,
    "2222/0222/1210": 27,
    "2222/2222/2222": 38,
    # in words on the rules page
    "0000/0010/0000": 0,
    "1000/0000/1000": 1,
    "0002/0000/0000": 1,
    "0000/1101/0000": 2,
    "1111/0000/0000": 4,
    "1110/0100/0000": 3,
    "1111/1111/1111": 17,
}


def group_of(text):
    """A group written as the copies of green / red / blue cards, style by style."""
    green, red, blue = ([int(copies) for copies in colour] for colour in text.split("/"))
    return tuple(9 * g + 3 * r + b for g, r, b in zip(green, red, blue, strict=True))


def cards_of(group):
    """A group's cards as (colour, style), each as often as it's there."""
    return [
        (colour, style)
        for style, code in enumerate(group)
        for colour, worth in enumerate((9, 3, 1))
        for _ in range(code // worth % 3)
    ]


def in_sync(one, other):
    return one[0] == other[0] or one[1] == other[1]


def simple_bound(cards):
    """In Sync pairs at all, and touching cells: n cells touch at most floor(2n - 2 sqrt(n)) times."""
    n = len(cards)
    pairs = sum(in_sync(one, other) for one, other in itertools.combinations(cards, 2))
    return min(pairs, 2 * n - math.isqrt(4 * n - 1) - 1) if n else 0


@pytest.fixture(scope="module")
def kinds():
    """One group of each kind (up to the names of colours and styles), with all its names."""
    seen, found = set(), {}
    for group in GROUPS:
        if group not in seen:
            found[group] = finale_table.renamed(group)
            seen |= found[group]
    return found


@pytest.fixture(scope="module")
def known(kinds):
    """The table as its generator keeps it."""
    entries = bytearray([finale_table.UNKNOWN]) * finale_table.CODES**4
    for group in kinds:
        finale_table.settle(entries, group, look_up(*group))
    return entries


@clause("HH-58")
def test_the_table_is_the_one_of_the_rules_page():
    assert MOST_PAIRS.shape == (27405,)
    assert hashlib.sha256(MOST_PAIRS.tobytes()).hexdigest() == (
        "152ff1e3295ea453b74db6c55e222c88e35087916ae701cfe4bfb981727d6e6c"
    )
    assert (MOST_PAIRS.min(), MOST_PAIRS.max(), MOST_PAIRS.sum(dtype=int)) == (0, 38, 445356)


@clause("HH-58")
def test_the_values_of_the_rules_page():
    assert {text: look_up(*group_of(text)) for text in CHECK_VALUES} == CHECK_VALUES


@clause("HH-58")
def test_the_table_is_in_the_order_of_the_rules_page():
    for place, (c0, c1, c2, c3) in enumerate(GROUPS):
        assert c0 <= c1 <= c2 <= c3
        assert place == c0 + math.comb(c1 + 1, 2) + math.comb(c2 + 2, 3) + math.comb(c3 + 3, 4)
    assert len(GROUPS) == len(MOST_PAIRS)


@clause("HH-58")
def test_colours_and_styles_may_be_renamed(kinds):
    assert len(kinds) == 5053
    assert sum(max(finale_table.copies_of(group)) <= 1 for group in kinds) == 87
    assert sum(map(len, kinds.values())) == 3**12
    for group, names in kinds.items():
        assert {look_up(*name) for name in names} == {look_up(*group)}


def through_the_rule(groups, out):
    for i in range(len(groups)):
        out[i] = pairs_of(groups[i, 0], groups[i, 1], groups[i, 2], groups[i, 3])


@clause("HH-58")
def test_the_rule_takes_the_styles_in_any_order():
    compiled = instantiate(through_the_rule, {"pairs_of": pairs_of, "range": range, "len": len}, "finale", entry=True)
    out = np.empty(len(GROUPS), np.int64)
    for order in itertools.permutations(range(4)):
        compiled(np.array(GROUPS)[:, order], out)
        assert (out == MOST_PAIRS).all()
    for group, pairs in list(zip(GROUPS, MOST_PAIRS.tolist(), strict=True))[::97]:
        assert {look_up(*styles) for styles in itertools.permutations(group)} == {pairs}


@clause("HH-58")
def test_a_card_more_makes_no_fewer_pairs_and_at_most_four_more(kinds):
    for group in kinds:
        for style, code in enumerate(group):
            for worth in (9, 3, 1):
                if code // worth % 3:
                    less = [*group]
                    less[style] -= worth
                    assert 0 <= look_up(*group) - look_up(*less) <= 4


@clause("HH-58")
def test_the_simple_bound_is_never_too_low_and_often_too_high(kinds):
    too_high = 0
    for group, names in kinds.items():
        spare = simple_bound(cards_of(group)) - look_up(*group)
        assert spare >= 0
        too_high += len(names) * (spare > 0)
    assert round(100 * too_high / 3**12, 1) == 36.5


@clause("HH-58")
def test_groups_that_share_nothing_add_up():
    """Cards that share neither colour nor style with the others can be laid out on their own."""
    for green in itertools.product(range(3), repeat=2):
        for other in itertools.product(range(9), repeat=2):
            apart = (9 * green[0], 9 * green[1], 0, 0), (0, 0, *other)
            together = (9 * green[0], 9 * green[1], *other)
            assert look_up(*together) == sum(look_up(*part) for part in apart)


def shapes(cells):
    """Every connected shape of so many cells, wherever it lies, by its pairs of touching cells; none twice."""
    found = {frozenset({(0, 0)})}
    for _ in range(cells - 1):
        found = {
            shape | {new}
            for shape in found
            for x, y in shape
            for new in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            if new not in shape
        }
        found = {moved_home(shape) for shape in found}
    return {
        tuple((i, j) for i, j in itertools.combinations(range(cells), 2) if math.dist(cell[i], cell[j]) == 1)
        for cell in map(sorted, found)
    }


def moved_home(shape):
    left, bottom = min(x for x, _ in shape), min(y for _, y in shape)
    return frozenset((x - left, y - bottom) for x, y in shape)


@clause("HH-58")
@pytest.mark.parametrize("size", range(1, 7))
def test_small_groups_by_trying_every_layout(kinds, size):
    """Every order of the cards on every connected shape: parts of a layout can be moved together till they touch."""
    touching = shapes(size)
    orders = np.array(list(itertools.permutations(range(size))))
    for group in kinds:
        cards = cards_of(group)
        if len(cards) == size:
            pairs = np.array([[in_sync(one, other) for other in cards] for one in cards], np.int64)
            at = {(i, j): pairs[orders[:, i], orders[:, j]] for i, j in itertools.combinations(range(size), 2)}
            best = max(int(sum((at[pair] for pair in shape), np.zeros(1, np.int64)).max()) for shape in touching)
            assert look_up(*group) == best, group


@clause("HH-58")
def test_the_generator_finds_what_the_table_says(kinds, known):
    """A sample of all sizes."""
    sample = sorted(kinds, key=lambda group: (sum(finale_table.copies_of(group)), group))[::61]
    for group in [*sample, *map(group_of, CHECK_VALUES)]:
        assert finale_table.most_pairs(group, known) == look_up(*group), group


@clause("HH-58")
def test_the_search_finds_layouts_and_where_they_end(known):
    """Also where a part of the group would make as many pairs, and where several more are asked for."""
    for text, pairs in CHECK_VALUES.items():
        for asked in range(max(1, pairs - 1), pairs + 4):
            assert finale_table.can_make(group_of(text), asked, known) == (asked <= pairs), (text, asked)


@pytest.mark.slow
@clause("HH-58")
def test_the_generator_makes_the_table():
    assert finale_table.table() == MOST_PAIRS.tobytes()
