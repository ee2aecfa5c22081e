"""Any game as a Python game of OpenSpiel, with explicit chance: for its searches, CFR, best responses.

>>> from hopenvs.integrations import openspiel
>>> game = openspiel.load_game("igel_aergern-2p-v0")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("place 3"))

Turn games are sequential ones of OpenSpiel, games in ticks simultaneous ones. Chance outcomes are those of the rules,
numbered as in game records (C-2): copies of a card lie side by side, so several outcomes may be alike.

Of OpenSpiel's MCTS bots take `open_spiel.python.algorithms.mcts`: `pyspiel.MCTSBot.step` (2.0.2) copies states without
holding Python's lock, which crashes with every game written in Python.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from hopenvs import list_envs
from hopenvs.core.errors import OptionError
from hopenvs.core.state import CHANCE, SIMULTANEOUS, TERMINAL, Payoff
from hopenvs.integrations.openspiel_points import Engine, Point, engine_of
from hopenvs.registry import entry_of, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hopenvs.core.game import Spec
    from hopenvs.core.options import Option

# OpenSpiel keeps lengths as 32-bit integers.
LONGEST = 2**31 - 1

_registered: set[str] = set()


def load_game(env_id: str, **keywords: Any) -> pyspiel.Game:
    """The game of an id, registered with OpenSpiel if it isn't yet.

    Args:
        env_id: such as "igel_aergern-2p-v0".
        **keywords: `reward` ("win", "rank" or "score"), and the game's own options, as `hopenvs.make` takes them.

    Raises:
        UnknownIdError: for an unknown id.
        OptionError: for an unknown or impossible keyword, and for chance that is left to somebody outside.
    """
    (name,) = register_games([env_id])
    own = {key: value for key, value in keywords.items() if key != "reward"}
    resolve(env_id, own)  # refuses with words of its own; OpenSpiel only knows the types of parameters
    implied = entry_of(env_id).options
    given = {key: value for key, value in keywords.items() if key not in implied and value is not None}
    return pyspiel.load_game(name, {key: _as_parameter(value) for key, value in given.items()})


def register_games(env_ids: Iterable[str] | None = None) -> list[str]:
    """Register ids with OpenSpiel, for `pyspiel.load_game` and for states and games that are unpickled.

    Args:
        env_ids: which; by default all ids there are.

    Returns:
        Their names there, such as `hopenvs_igel_aergern_2p_v0`, in the same order.
    """
    names = []
    for env_id in list_envs() if env_ids is None else env_ids:
        known = entry_of(env_id).id
        name = short_name(known)
        if name not in _registered:
            game, options = resolve(known, {})
            # A class, not a function that is made here: OpenSpiel lets go of it after Python has ended, and to free
            # it then would crash. Nothing frees a class, which refers to itself.
            own = type(f"Game_{name}", (HopenvsGame,), {"env_id": known})
            pyspiel.register_game(_game_type(known, game.spec(options)), own)
            _registered.add(name)
        names.append(name)
    return names


def short_name(env_id: str) -> str:
    """What OpenSpiel calls an id: its names hold no dashes."""
    return "hopenvs_" + env_id.replace("-", "_")


class HopenvsGame(pyspiel.Game):
    """A game of hopenvs; each id has a class of its own.

    Args:
        parameters: by name, as `pyspiel.load_game` was given them; those that are the default count as not given.
    """

    env_id: str

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        env_id = self.env_id
        usual = _parameters(env_id)
        given = {key: value for key, value in parameters.items() if value != usual[key]}
        keywords = {key: _as_keyword(value) for key, value in given.items()}
        reward = keywords.pop("reward", "win")
        self.engine = engine_of(env_id, reward, json.dumps(keywords, sort_keys=True))
        spec = self.engine.spec
        low, high = utility_range(spec, self.engine.payoff)
        if spec.max_outcomes is None or spec.max_decisions is None:
            raise OptionError(f"{env_id}: its Spec must say max_outcomes and max_decisions: OpenSpiel asks for bounds")
        info = pyspiel.GameInfo(
            num_distinct_actions=spec.num_actions,
            max_chance_outcomes=spec.max_outcomes if spec.has_chance else 0,
            num_players=spec.num_players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0,
            max_game_length=min(LONGEST, spec.max_decisions),
        )
        super().__init__(_game_type(env_id, spec), info, given)

    def new_initial_state(self) -> HopenvsState:
        """The start, chance being due or a decision."""
        return HopenvsState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> HopenvsObserver:
        """Whoever reads observations (`HopenvsObserver`).

        Raises:
            ValueError: for parameters, or anything but what one player sees: all of it, or the public part alone.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(
                "observers take no parameters and see what one player sees: its own things and public ones"
            )
        return HopenvsObserver(self.engine, perfect_recall=kind.perfect_recall)


class HopenvsState(pyspiel.State):
    """A game under way.

    All it holds is a point, which never changes: clones share it, and a move leads to another one.
    """

    def __init__(self, game: HopenvsGame) -> None:
        super().__init__(game)
        self._point = game.engine.start

    @property
    def point(self) -> Point:
        """Where the game stands."""
        return self._point

    def current_player(self) -> int:
        """The seat to act, or one of pyspiel.PlayerId: hopenvs has the same sentinels."""
        return self._point.seat

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self._point.seat == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        if player < 0:
            raise ValueError("every player acts: name one")
        row = player if self._point.seat == SIMULTANEOUS else 0
        return np.flatnonzero(self._point.mask[row]).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of all that can happen."""
        weights = self._point.engine.weights(self._point)
        total = sum(weights)
        return [(k, weight / total) for k, weight in enumerate(weights) if weight]

    def _apply_action(self, action: int) -> None:
        self._point = self._point.engine.follow(self._point, action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._point = self._point.engine.follow(self._point, tuple(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return self._point.engine.outcome_names(self._point)[action]
        return self._point.engine.game.action_name(self._point.engine.options, action)

    def returns(self) -> list[float]:
        """What every player is paid: at the end, 0 before (C-7)."""
        return list(self._point.returns)

    def resample_from_infostate(self, player: int, sampler: pyspiel.UniformProbabilitySampler) -> HopenvsState:
        """This game with all that `player` can't know drawn anew, for searches such as ISMCTS.

        The player has learnt the same. What the others had learnt before isn't made up: their information states
        begin with what they see now.
        """
        twin = self.clone()
        twin._point = self._point.engine.redrawn(self._point, player, int(sampler() * LONGEST))
        return twin

    def __str__(self) -> str:
        return self._point.engine.text(self._point)


class HopenvsObserver:
    """What a player sees, in the form of OpenSpiel's `make_observer`.

    Args:
        engine: of the game.
        perfect_recall: all it has ever learnt, as text only; else what it sees now.

    Attributes:
        tensor: [D] float32, the environment's observation; None with perfect recall.
        dict: by section, views of the tensor in the section's shape.
    """

    def __init__(self, engine: Engine, *, perfect_recall: bool) -> None:
        self._engine = engine
        self._perfect_recall = perfect_recall
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if not perfect_recall:
            tensor = self.tensor = np.zeros(engine.spec.observation_size, np.float32)
            self.dict = {name: tensor[part].reshape(shape) for name, (part, shape) in engine.spec.layout.items()}

    def set_from(self, state: HopenvsState, player: int) -> None:
        """Fill `tensor` with what `player` sees."""
        if self.tensor is not None:
            self.tensor[:] = self._engine.observation(state.point, player)

    def string_from(self, state: HopenvsState, player: int) -> str:
        """What `player` sees, section by section; with perfect recall all it has learnt, event by event."""
        if self._perfect_recall:
            return self._engine.information(state.point, player)
        seen = self._engine.observation(state.point, player)
        sections = self._engine.spec.layout.items()
        return "\n".join(f"{name}: {' '.join(map(str, seen[part].tolist()))}" for name, (part, _shape) in sections)


def utility_range(spec: Spec, payoff: Payoff) -> tuple[float, float]:
    """(lowest, highest) a player can be paid by a game that is played by the rules (C-7)."""
    if payoff == Payoff.WIN:
        return -1.0 / (spec.num_players - 1), 1.0
    return spec.reward_range(payoff)


def _game_type(env_id: str, spec: Spec) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    known = kinds.Information
    return kinds(
        short_name=short_name(env_id),
        long_name=f"hopenvs/{env_id}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if spec.simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if spec.has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=known.PERFECT_INFORMATION if spec.perfect_information else known.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,  # all payoffs are (C-7), a game without a winner too
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=spec.num_players,
        min_num_players=spec.num_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(env_id),
    )


# ---- options as parameters of OpenSpiel ---------------------------------------------------------------------------
@functools.cache
def _parameters(env_id: str) -> dict[str, Any]:
    """The parameters of an id and their defaults: `reward`, and all options that the id doesn't imply."""
    entry = entry_of(env_id)
    own = {option.name: _default(option) for option in entry.game().OPTIONS if option.name not in entry.options}
    return {"reward": "win"} | own


def _default(option: Option) -> Any:
    """A parameter has a type, so that what follows from other options stands as a value that can't be given."""
    if option.default is not None:
        return option.default
    is_number = not option.choices and not option.length and type(option).__name__ == "Option"
    return option.low - 1 if is_number else ""


def _as_parameter(value: Any) -> Any:
    """An option as OpenSpiel takes it: lists as JSON, without signs that mean something in a game's string."""
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (np.bool_, np.integer)):
        return value.item()
    return quote(json.dumps(value, default=np.ndarray.tolist), safe="")


def _as_keyword(parameter: Any) -> Any:
    """The inverse of `_as_parameter`."""
    if isinstance(parameter, str) and (text := unquote(parameter)).startswith("["):
        return json.loads(text)
    return parameter
