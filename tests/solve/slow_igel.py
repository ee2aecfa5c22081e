"""A slow solver of Igel Ärgern over the slow walker of its rules: dicts and plain value iteration, no bounds."""

from typing import Any

from tests.oracles import igel_aergern as walker

CLOSE = 1e-13


def nodes_from(start):
    """Every node that play leads to: {what it looks like: (node, [(chance or None, successor's looks)])}."""
    found, waiting = {}, [without_turn(start)]
    while waiting:
        node = waiting.pop()
        look = looks(node)
        if look in found:
            continue
        if isinstance(node, walker.Chance):
            outcomes = [(weight, without_turn(child)) for weight, child in walker.outcomes(node)]
            total = sum(weight for weight, _ in outcomes)
            ways: list[Any] = [(weight / total, child) for weight, child in outcomes]
        else:
            ways = [(None, without_turn(walker.play(node, name))) for name in walker.legal(node)]
        found[look] = node, [(chance, looks(child)) for chance, child in ways]
        waiting += [child for _, child in ways]
    return found


def without_turn(node):
    """The node as if no turn had been completed: the game without its cap."""
    if isinstance(node, walker.Chance):
        return walker.Chance(node.kind, without_turn(node.before))
    return walker.Position({**node, "turn": 0})


def looks(node):
    """All that matters for play, as text; before a roll it doesn't matter what the last one was."""
    if isinstance(node, walker.Chance):
        return str((node.kind, node.before["to_play"], node.before["stacks"]))
    return str((node["phase"], node["to_play"], node["die"], node["stacks"]))


def values_from(start):
    """{looks: (node, value for seat 0)} of every node that play leads to."""
    nodes = nodes_from(start)
    values = {
        look: 0.0 if ways or node["phase"] != "over" else walker.result(node)["rewards"]["win"][0]
        for look, (node, ways) in nodes.items()
    }
    change = 1.0
    while change > CLOSE:
        change = 0.0
        for look, (node, ways) in reversed(nodes.items()):
            if ways:
                value = worth(node, ways, values)
                change = max(change, abs(value - values[look]))
                values[look] = value
    return {look: (node, values[look]) for look, (node, _) in nodes.items()}


def worth(node, ways, values):
    if isinstance(node, walker.Chance):
        return sum(chance * values[look] for chance, look in ways)
    return (max, min)[node["to_play"]](values[look] for _, look in ways)
