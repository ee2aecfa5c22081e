"""What seats see, part by part."""

import numpy as np


def seen(walk, seat):
    """A seat's observation."""
    return walk.batch.view((0,), (seat,))[1][0]


def section(walk, seat, name):
    """A part of it, as its shape says."""
    part, shape = walk.spec.layout[name]
    return seen(walk, seat)[part].reshape(shape)


def compare_views(walk, expected_view):
    """Every seat sees what `expected_view(options, position, seat)` says, section by section, all within bounds."""
    o, position = walk.options, walk.position()
    low, high = walk.spec.bounds()
    for seat in range(o.players):
        obs, view = seen(walk, seat), expected_view(o, position, seat)
        for name, (part, shape) in walk.spec.layout.items():
            assert np.array_equal(obs[part].reshape(shape), view[name]), (seat, name, position)
        assert sum(cells.size for cells in view.values()) == len(obs)
        assert ((obs >= low) & (obs <= high)).all()
