"""Kinds of fault that environments of this sort had elsewhere, and where each is looked for here.

The numbers are stable: checks, mutants and messages cite them. A kind has checks in this package, or a sentence that
says why no check of an environment can find it and what does.
"""

from __future__ import annotations

from dataclasses import dataclass

from hopenvs.testing.suite import CHECKS


@dataclass(frozen=True)
class Kind:
    """A kind of fault.

    Attributes:
        number: by which it's cited.
        title: what goes wrong.
        checks: the names of the checks that look for it.
        elsewhere: what finds it, or the rest of it, outside this package.
    """

    number: int
    title: str
    checks: tuple[str, ...]
    elsewhere: str


_TITLES = {
    # rewards, endings, bookkeeping
    1: "The last payout stays visible in later steps and is counted again.",
    2: "The final reward reaches only the mover, or twice, or never.",
    3: "Ended agents can't take their last step, or it doesn't settle their rewards.",
    4: "The rewards that steps show and those that agents collect differ.",
    5: "The loser isn't debited: rewards of a zero-sum game don't cancel out.",
    6: "The end leaves the selection on an agent that isn't there.",
    7: "A limit ends the inner game, but no flag says so, and the next step raises.",
    8: "A step by exactly the agents that live is refused, or asks for one that doesn't.",
    9: "At the end the reward or the last observation of whoever wasn't on move is lost.",
    10: "An adapter lacks the spaces, agents or final results that RLlib asks for.",
    11: "An agent comes back after it has ended.",
    12: "Truncation is told as termination, or the other way round.",
    13: "Flags are set too early, such as after the first step.",
    14: "Play can go round in circles for ever.",
    15: "Rewards aren't in the range that is documented.",
    16: "An action that ends the game doesn't in some phase.",
    # masks and legality
    17: "The mask after reset isn't the one the rules give.",
    18: "A legal action is missing in the mask.",
    19: "An agent to act has nothing legal.",
    20: "The mask's length, or the list of legal actions, contradicts the action space.",
    21: "Masks are of a type that Discrete.sample refuses.",
    22: "A policy is given an empty mask.",
    23: "A consumer's evaluation or opponent loses the mask.",
    24: "Masks for structured action spaces break readers.",
    25: "Thousands of masked actions give numerical trouble in learning.",
    26: "After an illegal move that ends the game, bookkeeping is wrong from then on.",
    27: "An illegal action is carried out.",
    28: "Asking about an agent that isn't on move crashes.",
    29: "Ended games still list legal actions.",
    30: "Nothing says whose turn a row shows, so that actions nobody performed are learned.",
    31: "The environment can't be trained by the library of the day.",
    # observations, spaces, state
    32: "Two owners' parts of an observation show the same owner.",
    33: "Hidden things are seen, or told by masks and infos.",
    34: "An observation is outside its declared space.",
    35: "Shapes aren't made of plain integers.",
    36: "Rewards or flags change their type between reset and steps.",
    37: "The state is missing, hidden, stale or incomplete.",
    38: "Observations right after reset or the end crash.",
    39: "A dict observation has other keys than readers expect.",
    40: "Observation wrappers of other packages drop the mask.",
    41: "Agents' spaces differ.",
    42: "Batches of dict observations differ between kinds of vector environments.",
    43: "A type of number that shared memory doesn't know.",
    44: "Spaces are replaced after construction.",
    45: "An encoding depends on the order of a dict or the hash seed.",
    # seeding
    46: "The seed has no effect, or not on a used environment.",
    47: "All rows or workers play the same game.",
    48: "Global generators are used or moved on.",
    49: "Spaces are made anew on each call, so that seeding them is void.",
    # copies, processes, registry, vectors
    50: "An environment, or its game in progress, doesn't survive pickling.",
    51: "Copies are costly, or share what they change.",
    52: "Ids are unknown in worker processes.",
    53: "Importing or reloading registers twice or warns.",
    54: "Memory grows with resets.",
    55: "A wrong number or kind of actions hangs a batch or is taken.",
    56: "Keywords don't reach the vector environment.",
    57: "The final observation is lost when a row begins anew.",
    58: "Errors don't say in which row and why.",
    # conversions and wrappers
    59: "Actions are cast on the way.",
    60: "Turn games call themselves parallelizable.",
    61: "A step of an ended parallel environment returns something of another form.",
    62: "Public attributes can't be reached through wrappers.",
    63: "A parallel step's dicts lack an agent that acted.",
    64: "Vectorised masks or resets of some rows go wrong.",
    65: "Masks don't come through worker processes of Stable-Baselines3.",
    66: "A learner is given None for an action.",
    67: "Private names of other packages are imported.",
    # rendering and packaging
    68: "Pictures need a display.",
    69: "Pictures are black or don't change.",
    70: "Something is drawn or loaded without a render mode, or human mode doesn't draw.",
    71: "Windows stay open, or closing one closes another's.",
    72: "Files that drawing needs aren't in the package.",
    73: "The frame rate is wrong, or something sleeps outside human mode.",
}

_ELSEWHERE = {
    10: "Of the adapter for RLlib: its tests train for an iteration. Here: spaces, agents and final results of all.",
    18: "Whether the rules are complete: the games' own tests, by a slow walker written from the clauses.",
    25: "A training run on the largest catalogue, in the project's tests.",
    31: "Training runs of each adapter, in their tests; MaskablePPO on the Gymnasium face in the project's tests.",
    40: "The adapters' own flattening and stacking, in their tests: SuperSuit takes no dict observations.",
    42: "AsyncVectorEnv with spawned workers, in the project's tests.",
    64: "Training with AgileRL, in the adapter's tests.",
    65: "SubprocVecEnv with spawned workers under MaskablePPO, in the project's tests.",
    67: "The suite runs on the oldest and the newest supported versions in CI.",
    72: "The built wheel draws in an empty environment in CI.",
}

POINTS = {
    1: "Observations are a dict of observation and action_mask; the mask stands in infos too, int8, for every agent.",
    2: "All agents end in the same step, all in the same way.",
    3: "Dicts and arrays are fresh each time.",
    4: "observe() is pure, cheap and valid for every agent at any time.",
    5: "Spaces are the same objects on each call, equal across agents, flat and of plain types.",
    6: "Infos have constant numeric keys, flags are bools, dicts hold exactly the agents.",
    7: "reset takes unknown options; step takes any kind of integer.",
    8: "Agents are called player_0, player_1 and so on.",
    9: "pickle and deepcopy keep a game in progress.",
    10: "Ids are registered on import, with the prefix, as vectors and with PettingZoo.",
    11: "Truncation and termination are told apart as Stable-Baselines3 reads them.",
    12: "Wrappers of SuperSuit don't take dict observations: adapters of our own do what they would.",
    13: "On a single seat's face rewards belong to the seat that acted, up to its next turn.",
    14: "What is used across processes is importable by name and survives spawning.",
}
POINTS_ELSEWHERE = {12: "The adapters' tests."}


def kinds() -> dict[int, Kind]:
    """Every kind, with the checks that stand in the table now."""
    found: dict[int, Kind] = {}
    for number, title in _TITLES.items():
        checks = tuple(name for name, entry in CHECKS.items() if number in entry.kinds)
        found[number] = Kind(number, title, checks, _ELSEWHERE.get(number, ""))
    return found
