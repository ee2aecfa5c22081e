"""What a mutant is: a face with one fault, and the checks that must find it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hopenvs.envs.aec import GameAECEnv
from hopenvs.envs.gym import SeatEnv, SeatVectorEnv
from hopenvs.envs.parallel import GameParallelEnv
from hopenvs.envs.vector import GameVectorEnv
from hopenvs.registry import resolve

ENV_ID = "igel_aergern-2p-v0"
# A small board, so that games are short; kernels are those of all boards.
SHORT: dict[str, Any] = {"pieces": 2, "goal_count": 2, "tracks": 3, "columns": 5, "pits": (2, 3, 1)}

FACES: dict[str, type] = {
    "aec": GameAECEnv,
    "parallel": GameParallelEnv,
    "vector": GameVectorEnv,
    "gym": SeatEnv,
    "gym_vector": SeatVectorEnv,
}


@dataclass(frozen=True)
class Mutant:
    """A face with one fault.

    Attributes:
        name: what is wrong, as an identifier.
        face: which face it imitates.
        made_by: the class.
        kinds: the kinds of fault it is one of (`hopenvs.testing.KINDS`): a check of one of them must find it.
        checks: the checks that must find it, for faults that are of no listed kind.
        crashes: the fault is that something raises.
    """

    name: str
    face: str
    made_by: type
    kinds: tuple[int, ...]
    checks: tuple[str, ...]
    crashes: bool

    def make(self, **keywords: Any) -> Any:
        """An environment with the fault."""
        return make_face(self.made_by, **keywords)


MUTANTS: list[Mutant] = []


def mutant(*kinds: int, checks: Iterable[str] = (), crashes: bool = False) -> Callable[[type], type]:
    """Enter a class as a mutant of the face it derives from."""

    def enter(cls: type) -> type:
        face = next(name for name, base in FACES.items() if issubclass(cls, base))
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        MUTANTS.append(Mutant(f"{face}: {name}", face, cls, kinds, tuple(checks), crashes))
        return cls

    return enter


def make_face(cls: type, **keywords: Any) -> Any:
    """A face of the small board: `keywords` are the face's and the game's."""
    known: set[str] = set()
    for base in cls.__mro__:
        if "__init__" in vars(base):
            known |= set(inspect.signature(vars(base)["__init__"]).parameters)
    face = {name: value for name, value in keywords.items() if name in known}
    own = {name: value for name, value in keywords.items() if name not in known}
    game, options = resolve(ENV_ID, {**SHORT, **own})
    return cls(game, options, env_id=ENV_ID, **face)
