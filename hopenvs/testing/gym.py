"""One seat against opponents: the Gymnasium faces, alone and as a vector, play the game that the core plays."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.options import changed_options
from hopenvs.core.state import Payoff
from hopenvs.core.walk import Walk
from hopenvs.testing.copies_and_processes import COPIERS, expect_flat_memory
from hopenvs.testing.observations import DTYPES
from hopenvs.testing.oracle import Foretold, Frame, Trace, by_observation, foretold, learner_traces, payoff_in_fractions
from hopenvs.testing.suite import Make, bare, check, close, fail, holding, refused, refused_before_reset, same

REFUSALS = (ValueError, AssertionError, RuntimeError)
KEYS = ("action_mask", "active", "rank", "score", "won", "truncated_by_max_turns")
MODES = tuple(AutoresetMode)
SOME = 60  # illegal actions of a decision that are tried, of catalogues of any size
NO_ACTIONS: tuple[Any, ...] = (None, 1.0, "0", True, [1], np.array([1]), np.array(1.0))


class Learner:
    """The learner's side of foretold games (`oracle.learner_traces`).

    Args:
        env: a Gymnasium environment made with `opponents=foretold(P)`.
        seed: of the first game.
        seat: the learner's.
    """

    def __init__(self, env: Any, seed: int, seat: int) -> None:
        self.env = env
        self.seat = seat
        self.seed = seed
        self.traces = learner_traces(env, seed, seat)
        self.game: Trace
        self.turns: list[Frame] = []
        self.at = 0
        self.next_game()

    def next_game(self) -> None:
        """The next game of the chain."""
        self.game = next(self.traces)
        self.turns = [frame for frame in self.game.frames if self.seat in frame.asked or frame.over]
        self.at = 0

    @property
    def frame(self) -> Frame:
        """Where the learner stands."""
        return self.turns[self.at]

    @property
    def action(self) -> int:
        """What it does there."""
        return self.frame.actions[self.frame.asked.index(self.seat)]

    @property
    def where(self) -> str:
        """For messages."""
        return f"seat {self.seat}, {self.game.where(self.at)}"

    def mask(self) -> np.ndarray:
        """The mask it should be given."""
        return np.ones_like(self.frame.masks[0]) if self.frame.over else self.frame.masks[self.seat]

    def observation(self) -> np.ndarray:
        """The observation it should be given."""
        return self.frame.observations[self.seat]

    def info(self) -> dict[str, int]:
        """The info it should be given, without the mask."""
        game, over = self.game, self.frame.over
        return {
            "active": int(not over),
            "rank": game.ranks[self.seat] if over else 0,
            "score": game.scores[self.seat] if over else 0,
            "won": game.winners[self.seat] if over else 0,
            "truncated_by_max_turns": int(over and game.truncated),
        }

    def flags(self) -> tuple[bool, bool]:
        """(terminated, truncated) of the step that led here."""
        over, cut = self.frame.over, self.game.truncated
        return over and not cut, over and cut

    def reward(self) -> float:
        """What the step that led here should pay."""
        return float(self.game.rewards[self.seat]) if self.frame.over else 0.0


def _players(env: Any) -> int:
    inner = bare(env)
    return int(inner.game.spec(inner.options).num_players)


def _learners(make: Make, games: int, seed: int, **keywords: Any) -> Iterator[Learner]:
    """A learner in every seat (of the first and last in big games), each on an environment of its own."""
    players = _players(make())
    for seat in sorted({0, players - 1}):
        yield Learner(make(seat=seat, opponents=foretold(players), **keywords), seed, seat)


def _capped_learners(make: Make, games: int, seed: int) -> list[Learner]:
    """Learners of games that the rules' cap ends, if there is one and the id doesn't say what it is."""
    inner = bare(make())
    if inner.game.spec(inner.options).max_turns is None:
        return []
    try:
        return list(_learners(make, games, seed, max_turns=2 * _players(inner)))
    except OptionError:
        return []


def _expect(learner: Learner, given: Any, info: dict[str, Any]) -> None:
    where = learner.where
    seen, mask = (given["observation"], given["action_mask"]) if isinstance(given, dict) else (given, None)
    same("the observation", seen, learner.observation(), where)
    if mask is not None:
        same("the mask in the observation", mask, learner.mask(), where)
    if not learner.env.observation_space.contains(given):
        fail(f"{where}: the observation is outside its space")
    same("the keys of the info", tuple(info), KEYS, where)
    same("the mask in the info", info["action_mask"], learner.mask(), where)
    same("action_masks()", bare(learner.env).action_masks(), learner.mask().astype(np.bool_), where)
    for key, value in learner.info().items():
        if isinstance(info[key], (bool, np.bool_)) or not isinstance(info[key], (int, np.integer)):
            fail(f"{where}: info[{key!r}] is {type(info[key]).__name__}, expected an integer")
        if int(info[key]) != value:
            fail(f"{where}: info[{key!r}]: expected {value}, found {info[key]}")


def _play(learner: Learner, given: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The rest of the learner's game, every step compared; returns what its end gave."""
    while True:
        _expect(learner, given, info)
        if learner.frame.over:
            return given, info
        given, reward, terminated, truncated, info = learner.env.step(learner.action)
        learner.at += 1
        if not isinstance(reward, float):
            fail(f"{learner.where}: the reward is {type(reward).__name__}, expected a float")
        close("the reward", reward, learner.reward(), learner.where)
        same("terminated, truncated", (terminated, truncated), learner.flags(), learner.where)


# ---- one environment ------------------------------------------------------------------------------------------------
@check("gym", kinds=(1, 2, 9, 12, 13, 17, 19, 20, 34, 46, 57), points=(1, 2, 6, 13), clauses=("C-12", "C-14"))
def check_gym_plays_the_game(make: Make, *, games: int, seed: int) -> None:
    """From every seat, game after game: what the seat sees, may do and is paid is what the core says."""
    for learner in _learners(make, games, seed):
        given, info = learner.env.reset(seed=seed)
        same("the learner's seat", bare(learner.env).learner, learner.seat, "after reset")
        for _ in range(2 if learner.seat == 0 else 1):
            _play(learner, given, info)
            learner.next_game()
            given, info = learner.env.reset()
        learner.env.close()


@check("gym", kinds=(9, 15), points=(13,), clauses=("C-7",))
def check_gym_payoffs(make: Make, *, games: int, seed: int) -> None:
    """Each scheme pays the learner by winners, ranks or scores as C-7 says."""
    usual = bare(make())
    for payoff in Payoff:
        if payoff == Payoff.SCORE and usual.game.spec(usual.options).score_range is None:
            continue
        name = payoff.name.lower()
        for learner in _learners(make, games, seed, reward=name):
            learner.env.reset(seed=seed)
            paid = 0.0
            while not learner.frame.over:
                paid += learner.env.step(learner.action)[1]
                learner.at += 1
            expected = payoff_in_fractions(learner.game, payoff)[learner.seat]
            close("the sum of rewards", paid, float(expected), f"reward={name!r}, {learner.where}")


@check("gym", kinds=(17, 20, 34, 39), points=(1, 4))
def check_gym_mask_in_observation(make: Make, *, games: int, seed: int) -> None:
    """mask_in_observation=True gives the Dict of the other faces instead of the flat array."""
    learner = next(_learners(make, games, seed, mask_in_observation=True))
    _play(learner, *learner.env.reset(seed=seed))


@check("gym", kinds=(34, 35, 39, 43, 44, 49), points=(5,))
def check_gym_spaces(make: Make, *, games: int, seed: int) -> None:
    """A Box of one dimension (or the Dict with the mask), one Discrete from 0, the same objects before and after."""
    for flat in (True, False):
        env = make(mask_in_observation=not flat)
        seen, done = env.observation_space, env.action_space
        box = seen if flat else seen["observation"]
        if not flat and (not isinstance(seen, spaces.Dict) or sorted(seen.spaces) != ["action_mask", "observation"]):
            fail(f"mask_in_observation: {seen}")
        if type(box) is not spaces.Box or len(box.shape) != 1 or box.dtype.name not in DTYPES:
            fail(f"observation_space: {box}")
        if type(done) is not spaces.Discrete or done.start != 0:
            fail(f"action_space: expected Discrete(A) from 0, found {done}")
        env.reset(seed=seed)
        env.step(int(np.argmax(bare(env).action_masks())))
        env.reset()
        if env.observation_space is not seen or env.action_space is not done:
            fail("another space object than before the game")
        masks = bare(env).action_masks()
        same("action_masks()", (masks.dtype.name, masks.shape), ("bool", (int(done.n),)), "after reset")
        done.seed(seed)
        for _ in range(20):
            action = done.sample(mask=masks.astype(np.int8))
            if not masks[action]:
                fail(f"sample(mask) gave {action}, which the mask forbids")


@check("gym", kinds=(7, 11, 12), points=(11,), clauses=("C-8",))
def check_gym_limits(make: Make, *, games: int, seed: int) -> None:
    """max_episode_steps truncates, unpaid; after any end a step is refused until reset."""
    for limit in (1, 3):
        for learner in _learners(make, games, seed, max_episode_steps=limit):
            if len(learner.turns) <= limit + 1:
                continue
            for _ in range(2):
                learner.at = 0
                given, info = learner.env.reset(seed=seed)
                where = learner.where
                for k in range(1, limit + 1):
                    _expect(learner, given, info)
                    given, reward, terminated, truncated, info = learner.env.step(learner.action)
                    learner.at += 1
                    where = f"max_episode_steps={limit}, {learner.where}"
                    same(
                        "terminated, truncated, reward",
                        (terminated, truncated, float(reward)),
                        (False, k == limit, 0.0),
                        where,
                    )
                same("the last observation", given, learner.observation(), where)
                if not info["action_mask"].any():
                    fail(f"{where}: an empty mask")
                refused("a step after the end", where, REFUSALS, learner.env.step, learner.action)
    learner = next(_learners(make, games, seed))
    refused("a step before reset", "a new environment", REFUSALS, learner.env.step, 0)
    given, info = learner.env.reset(seed=seed)
    given, info = _play(learner, given, info)
    for action in (0, None):
        refused("a step after the end", learner.where, REFUSALS, learner.env.step, action)
    _expect(learner, given, info)
    for learner in _capped_learners(make, games, seed):
        _play(learner, *learner.env.reset(seed=seed))


@check("gym", kinds=(7, 27, 58, 59), points=(7,), clauses=("C-11",))
def check_gym_refusals(make: Make, *, games: int, seed: int) -> None:
    """Illegal actions and what is no action are refused by name and change nothing; any integer is an action."""
    learner = next(_learners(make, games, seed, illegal="raise"))
    env = learner.env
    given, info = env.reset(seed=seed)
    integers = holding(env.action_space.n, (int, np.int8, np.int32, np.int64, np.uint8, np.array))
    while not learner.frame.over:
        _expect(learner, given, info)
        if learner.at % 9 == 0:
            mask = learner.mask()
            illegal = [int(a) for a in np.flatnonzero(mask == 0)]
            for action in (*illegal[:: 1 + len(illegal) // SOME], -1, len(mask), -len(mask), 2**40, 2**64):
                message = refused(f"action {action}", learner.where, IllegalActionError, env.step, action)
                for part in (f"player_{learner.seat}", str(action)):
                    if part not in message:
                        fail(f"{learner.where}: the refusal of {action} doesn't name {part!r}: {message}")
            for wrong in NO_ACTIONS:
                refused(
                    f"{wrong!r} as an action",
                    learner.where,
                    (IllegalActionError, ValueError, TypeError),
                    env.step,
                    wrong,
                )
            same("action_masks() after refusals", bare(env).action_masks(), mask.astype(np.bool_), learner.where)
        kind: Any = integers[learner.at % len(integers)]
        given, _, _, _, info = env.step(kind(learner.action))
        learner.at += 1
    _expect(learner, given, info)


@check("gym", kinds=(16, 26), clauses=("C-11",))
def check_gym_forfeits(make: Make, *, games: int, seed: int) -> None:
    """illegal='forfeit': an illegal action of the learner loses the game; the next one is as if there were none."""
    for learner in _learners(make, games, seed, illegal="forfeit"):
        env = learner.env
        for steps in (0, min(4, len(learner.turns) - 2)):
            for action in (-1, None, learner.mask().size):
                learner.at = 0
                env.reset(seed=seed)
                for _ in range(steps):
                    env.step(learner.action)
                    learner.at += 1
                illegal = np.flatnonzero(learner.mask() == 0)
                if action is None and not len(illegal):
                    continue
                given, reward, terminated, truncated, info = env.step(int(illegal[0]) if action is None else action)
                where = f"illegal action {action}, {learner.where}"
                same(
                    "terminated, truncated, reward", (terminated, truncated, float(reward)), (True, False, -1.0), where
                )
                found = (int(info["rank"]), int(info["won"]), int(info["active"]))
                same("rank, won, active", found, (_players(env), 0, 0), where)
                same("the mask after the end", bool(info["action_mask"].all()), True, where)
                if not env.observation_space.contains(given):
                    fail(f"{where}: the last observation is outside its space")
        learner.at = 0
        _play(learner, *env.reset(seed=seed))


@check("gym", kinds=(46, 48), clauses=("C-14",))
def check_gym_chance_is_the_games_own(make: Make, *, games: int, seed: int) -> None:
    """Uniform opponents draw from streams of their own: the core replays the game from its seed and its decisions."""
    from hopenvs.agents import as_agent

    players = _players(make())
    played: list[tuple[int, int]] = []

    class Noting:
        def act(
            self,
            observations: np.ndarray,
            masks: np.ndarray,
            *,
            states: np.ndarray,
            seats: np.ndarray,
            streams: np.ndarray,
        ) -> np.ndarray:
            actions = as_agent("uniform").act(observations, masks, states=states, seats=seats, streams=streams)
            played.extend(zip(seats.tolist(), actions.tolist(), strict=True))
            return actions

    for seat in (0, players - 1):
        env = make(seat=seat, opponents=Noting())
        inner = bare(env)
        played.clear()
        random = np.random.default_rng(seed)
        env.reset(seed=seed)
        if inner.game.spec(inner.options).simultaneous:
            return
        over = False
        while not over:
            action = int(random.choice(np.flatnonzero(inner.action_masks())))
            played.append((seat, action))
            _, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
        walk = Walk(inner.game, inner.options)
        walk.start(seed)
        for k, (mover, action) in enumerate(played):
            walk.draw_all()
            where = f"seat {seat}, seed {seed}, replayed decision {k}"
            if walk.is_over:
                walk.start(seed)
                break  # the first game ended before the learner was asked
            same("the seat to act", walk.current_player, mover, where)
            walk.play(action)
        else:
            walk.draw_all()
            same("the position in the end", inner.position(), walk.position(), f"seat {seat}, seed {seed}, replayed")


@check("gym", kinds=(46, 47), clauses=("C-14",))
def check_gym_seeds(make: Make, *, games: int, seed: int) -> None:
    """Same seed, same games: opponents, seats that are drawn and chance, on new and used environments."""
    players = _players(make())
    lines: list[list[bytes]] = []
    env = make(seat="random")
    for used in (False, True, True):
        if not used:
            env = make(seat="random")
        lines.append(_line(env, seed))
    same("a used environment", lines[1], lines[0], f"seed {seed}")
    same("a used environment, once more", lines[2], lines[0], f"seed {seed}")
    same("another environment", _line(make(seat="random"), seed), lines[0], f"seed {seed}")
    if _line(env, seed + 1) == lines[0]:
        fail(f"seeds {seed} and {seed + 1} give the same games")
    seats = []
    for other in range(seed, seed + 30):
        env.reset(seed=other)
        seats.append(bare(env).learner)
    same("seats that are drawn", sorted(set(seats)), list(range(players)), "seat='random', 30 seeds")
    same("seats that follow without a seed", len({_seat_after_reset(env) for _ in range(40)}), players, "seat='random'")
    for wrong in (-1, players, 1.5, "first", None, True):
        refused(f"seat={wrong!r}", f"{players} players", OptionError, make, seat=wrong)


def _seat_after_reset(env: Any) -> int:
    env.reset()
    return int(bare(env).learner)


def _line(env: Any, seed: int) -> list[bytes]:
    """Two games of 25 first legal actions."""
    line = []
    for number in range(2):
        given, info = env.reset(seed=seed) if number == 0 else env.reset()
        for _ in range(15):
            line.append(np.asarray(given).tobytes() + bytes([bare(env).learner]))
            given, _, terminated, truncated, info = env.step(int(np.argmax(info["action_mask"])))
            if terminated or truncated:
                break
    return line


@check("gym", kinds=(23,), clauses=("C-1",))
def check_gym_opponents(make: Make, *, games: int, seed: int) -> None:
    """Opponents sit clockwise from the learner; one stands for all; what is no agent is refused."""
    players = _players(make())
    for seat in (0, players - 1):
        met: dict[int, set[int]] = {}

        class Named(Foretold):
            def __init__(self, salt: int, met: dict[int, set[int]]) -> None:
                super().__init__(salt)
                self.met = met

            def act(
                self,
                observations: np.ndarray,
                masks: np.ndarray,
                *,
                states: np.ndarray,
                seats: np.ndarray,
                streams: np.ndarray,
            ) -> np.ndarray:
                self.met.setdefault(self.salt, set()).update(int(s) for s in seats)
                if not masks.any(-1).all():
                    fail(f"an opponent is given an empty mask, seed {seed}")
                return super().act(observations, masks, states=states, seats=seats, streams=streams)

        env = make(seat=seat, opponents=[Named(k, met) for k in range(1, players)])
        _line(env, seed)
        for k, seats in met.items():
            same(f"the seats that opponent {k} played", seats, {(seat + k) % players}, f"learner in seat {seat}")
        if not met:
            fail(f"learner in seat {seat}, seed {seed}: no opponent is ever asked")
    env = make(opponents=lambda observations, masks: [by_observation(o, m) for o, m in zip(observations, masks)])  # noqa: B905
    _line(env, seed)
    for wrong in ("nobody", 3, [], ["uniform"] * players, None):
        refused(f"opponents={wrong!r}", f"{players} players", OptionError, make, opponents=wrong)
    env = make(seat=players - 1, opponents=lambda observations, masks: [-1] * len(observations))
    refused("an opponent's illegal action", f"seed {seed}", ValueError, _line, env, seed)


@check("gym", points=(3,), kinds=(57,))
def check_gym_results_are_fresh(make: Make, *, games: int, seed: int) -> None:
    """Callers may overwrite what they are given."""
    for keywords in ({}, {"mask_in_observation": True}):
        learner = next(_learners(make, games, seed, **keywords))
        given, info = learner.env.reset(seed=seed)
        while not learner.frame.over:
            _expect(learner, given, info)
            for part in (*(given.values() if isinstance(given, dict) else (given,)), info["action_mask"]):
                part[...] = 1
            bare(learner.env).action_masks()[...] = True
            info.clear()
            given, _, _, _, info = learner.env.step(learner.action)
            learner.at += 1
        _expect(learner, given, info)


@check("gym", kinds=(50, 51), points=(9, 14))
def check_gym_copies(make: Make, *, games: int, seed: int) -> None:
    """A pickled or deep copy in mid-game goes on alike and leaves the original alone."""
    for name in ("pickle", "deepcopy"):
        copier = COPIERS[name]
        learner = next(_learners(make, games, seed))
        given, info = learner.env.reset(seed=seed)
        for _ in range(max(len(learner.turns) - 12, len(learner.turns) // 2)):
            given, _, _, _, info = learner.env.step(learner.action)
            learner.at += 1
        at, game, turns = learner.at, learner.game, learner.turns
        original = learner.env
        learner.env = copier(original)
        _play(learner, given, info)
        learner.next_game()
        _play(learner, *learner.env.reset())
        learner.env, learner.at, learner.game, learner.turns = original, at, game, turns
        same("action_masks() of the original", bare(original).action_masks(), learner.mask().astype(np.bool_), name)
        _play(learner, given, info)


@check("gym", clauses=("C-6", "C-13"), kinds=(17,))
def check_gym_reset_options(make: Make, *, games: int, seed: int) -> None:
    """`reset` begins at a position, ignores keys it doesn't know, and refuses nonsense unchanged."""
    learner = next(_learners(make, games, seed))
    env = learner.env
    for options in (None, {}, {"unknown": 1}, {"position": None}):
        _expect(learner, *env.reset(seed=seed, options=options))
    k = (len(learner.turns) - 1) // 2
    frame = learner.turns[k]
    at = next(i for i, other in enumerate(learner.game.frames) if other is frame)
    position = learner.game.walk_at(at).position()
    learner.at = k
    given, info = env.reset(seed=seed, options={"position": position})
    _expect(learner, given, info)
    same("position()", bare(env).position(), position, learner.where)
    for broken in ({}, position | {"game": "chess"}, position | {"phase": "nonsense"}, 7):
        refused(
            f"position {str(broken)[:40]}", "reset", (ValueError, TypeError), env.reset, options={"position": broken}
        )
        same("position() after a refusal", bare(env).position(), position, learner.where)


@check("gym", "gym_vector", kinds=(22, 38), points=(1,))
def check_gym_before_reset(make: Make, *, games: int, seed: int) -> None:
    """Before the first reset nothing is to be seen, and no empty mask is given for the truth."""
    env = make()
    for name in ("position", "action_masks"):
        if hasattr(bare(env), name):
            refused_before_reset(f"{name}()", getattr(bare(env), name))


@check("gym", kinds=(62, 54), points=(10, 14))
def check_gym_members(make: Make, *, games: int, seed: int) -> None:
    """Public helpers are reached through Gymnasium's wrappers; memory stays flat over many games."""
    import gymnasium

    info: dict[str, Any] = {}
    env: Any = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.wrappers.TimeLimit(make(), 7))
    env.reset(seed=seed)
    for name in ("action_masks", "position", "learner", "observation_layout", "game", "options"):
        env.get_wrapper_attr(name)
    same("action_masks()", env.get_wrapper_attr("action_masks")(), env.unwrapped.action_masks(), "under wrappers")
    for _ in range(7):
        _, _, terminated, truncated, info = env.step(int(np.argmax(env.unwrapped.action_masks())))
        if terminated or truncated:
            break
    else:
        fail("TimeLimit(7): not truncated after 7 steps")
    if "episode" not in info:
        fail("RecordEpisodeStatistics: no info['episode'] at the end")
    bare_env = make()

    def turn(k: int) -> None:
        _line(bare_env, k)

    expect_flat_memory(turn, "games of one seat", rounds=4)


# ---- N of them ------------------------------------------------------------------------------------------------------
@check(
    "gym_vector",
    kinds=(1, 2, 9, 12, 13, 17, 22, 34, 36, 46, 47, 57),
    points=(1, 2, 6, 10, 13),
    clauses=("C-12", "C-14"),
)
def check_gym_rows_play_seeded_games(make: Make, *, games: int, seed: int) -> None:
    """Row i plays the games of seed + i, through ends, in every autoreset mode; final observations aren't lost."""
    probe = make(num_envs=1)
    players = _players(probe)
    _follow_gym_rows(make, AutoresetMode.SAME_STEP, seed, {})
    short: dict[str, Any] = {}
    if probe.game.spec(probe.options).max_turns is not None:
        try:
            make(num_envs=1, max_turns=4 * players)
            short = {"max_turns": 4 * players}
        except OptionError:  # the id says how many
            short = {}
    for mode in MODES:
        _follow_gym_rows(make, mode, seed, short)
    _follow_gym_rows(make, AutoresetMode.SAME_STEP, seed, {"mask_in_observation": True}, steps=20)


def _follow_gym_rows(make: Make, mode: AutoresetMode, seed: int, keywords: dict[str, Any], steps: int = 300) -> None:
    n, players = 3, _players(make(num_envs=1))
    seat = players - 1
    env = make(num_envs=n, seat=seat, opponents=foretold(players), autoreset_mode=mode, **keywords)
    if not isinstance(env, VectorEnv):
        fail(f"{type(env).__name__} is no gymnasium VectorEnv")
    same("metadata['autoreset_mode']", env.metadata["autoreset_mode"], mode, "a new batch")
    learners = [Learner(env, seed + row, seat) for row in range(n)]
    given, infos = env.reset(seed=seed)
    ended: Any = np.zeros(n, np.bool_)
    starting: Any = np.ones(n, np.bool_)
    steps = min(steps, max(len(learner.turns) for learner in learners) + 5)
    for k in range(steps):
        where = f"{mode.value}, step {k}"
        _expect_gym_rows(env, learners, given, infos, where)
        if mode == AutoresetMode.DISABLED and ended.any():
            for learner, over in zip(learners, ended, strict=True):
                if over:
                    learner.next_game()
            given, infos = env.reset(options={"reset_mask": ended})
            _expect_gym_rows(env, learners, given, infos, f"{where}, reset")
            ended = np.zeros(n, np.bool_)
        actions = np.array([0 if learner.frame.over else learner.action for learner in learners])
        given, rewards, terminated, truncated, infos = env.step(actions)
        starting = ended.copy() if mode == AutoresetMode.NEXT_STEP else np.zeros(n, np.bool_)
        for learner, begins in zip(learners, starting, strict=True):
            if begins:
                learner.next_game()
            else:
                learner.at += 1
        same("rewards", (rewards.dtype.name, rewards.shape), ("float64", (n,)), where)
        for row, learner in enumerate(learners):
            close(f"the reward of row {row}", rewards[row], 0.0 if starting[row] else learner.reward(), where)
            flags = (bool(terminated[row]), bool(truncated[row]))
            same(f"flags of row {row}", flags, learner.flags(), where)
        ended = terminated | truncated
        if mode == AutoresetMode.SAME_STEP:
            _expect_finals(env, learners, infos, ended, where)
            for learner, over in zip(learners, ended, strict=True):
                if over:
                    learner.next_game()
            ended = np.zeros(n, np.bool_)
    env.close()


def _expect_gym_rows(env: Any, learners: list[Learner], given: Any, infos: dict[str, Any], where: str) -> None:
    masks = env.action_masks()
    for row, learner in enumerate(learners):
        place = f"{where}, row {row}, {learner.where}"
        seen = given["observation"] if isinstance(given, dict) else given
        same("the observation", seen[row], learner.observation(), place)
        same("the mask in infos", infos["action_mask"][row], learner.mask(), place)
        same("action_masks()", masks[row], learner.mask().astype(np.bool_), place)
        if isinstance(given, dict):
            same("the mask in the observation", given["action_mask"][row], learner.mask(), place)
        for key, value in learner.info().items():
            if int(infos[key][row]) != value or not infos[f"_{key}"][row]:
                fail(f"{place}: infos[{key!r}]: expected {value}, found {infos[key][row]}")
    if not env.observation_space.contains(given):
        fail(f"{where}: the batch of observations is outside its space")


def _expect_finals(env: Any, learners: list[Learner], infos: dict[str, Any], ended: np.ndarray, where: str) -> None:
    if not ended.any():
        if "final_obs" in infos and np.asarray(infos.get("_final_obs", True)).any():
            fail(f"{where}: final_obs, but no row ended")
        return
    same("_final_obs", infos["_final_obs"], ended, where)
    same("_final_info", infos["_final_info"], ended, where)
    for row in np.flatnonzero(ended):
        learner, place = learners[row], f"{where}, row {row}"
        final = infos["final_obs"][row]
        same("final_obs", final["observation"] if isinstance(final, dict) else final, learner.observation(), place)
        for key, value in learner.info().items():
            if int(infos["final_info"][key][row]) != value or not infos["final_info"][f"_{key}"][row]:
                fail(f"{place}: final_info[{key!r}]: expected {value}, found {infos['final_info'][key][row]}")


@check("gym_vector", kinds=(27, 55, 58), points=(7,), clauses=("C-11",))
def check_gym_vector_refusals(make: Make, *, games: int, seed: int) -> None:
    """Actions of a wrong number or kind, and illegal ones by row, are refused at once and change nothing."""
    n = 4
    env = make(num_envs=n, illegal="raise")
    refused("a step before reset", "a new batch", REFUSALS, env.step, np.zeros(n, np.int64))
    _, infos = env.reset(seed=seed)
    for k in range(12):
        masks = env.action_masks()
        good = masks.argmax(1)
        if k % 4 == 0:
            wrong: list[Any] = [
                None,
                good[:-1],
                np.append(good, 0),
                good[None],
                good.astype(float),
                good.astype(bool),
                good.astype(object),
                0,
                [None] * n,
            ]
            for actions in wrong:
                refused(f"actions {str(actions)[:40]}", f"step {k}", (ValueError, TypeError), env.step, actions)
            for row in np.flatnonzero(infos["active"])[[-1, 0]] if infos["active"].any() else ():
                illegal = [] if masks[row].all() else [int(masks[row].argmin())]
                for action in (*illegal, -1, masks.shape[1], 2**40):
                    actions = good.copy()
                    actions[row] = action
                    message = refused(
                        f"action {action} in row {row}", f"step {k}", IllegalActionError, env.step, actions
                    )
                    for part in (f"row {row}", str(action)):
                        if part not in message:
                            fail(f"step {k}: the refusal of {action} in row {row} doesn't name {part!r}: {message}")
            same("action_masks() after refusals", env.action_masks(), masks, f"step {k}")
        _, _, _, _, infos = env.step(good.tolist() if k % 2 else good.astype(np.int32))


@check("gym_vector", kinds=(12, 55, 56, 57), points=(10,), clauses=("C-8",))
def check_gym_vector_limits(make: Make, *, games: int, seed: int) -> None:
    """Each row counts its own steps; `reset_mask` begins some rows only; ended rows wait under DISABLED."""
    n, limit = 3, 2
    some = np.array([True, False, True])
    for mode in MODES:
        env = make(num_envs=n, autoreset_mode=mode, max_episode_steps=limit)
        if mode == AutoresetMode.DISABLED:
            refused("a first reset of some rows", mode.value, ValueError, env.reset, options={"reset_mask": some})
        _, infos = env.reset(seed=seed)
        for k in range(1, limit + 1):
            _, rewards, terminated, truncated, infos = env.step(env.action_masks().argmax(1))
            where = f"{mode.value}, max_episode_steps={limit}, step {k}"
            if terminated.any() or infos["truncated_by_max_turns"].any():
                return  # a game of fewer turns
            same("truncated", truncated.tolist(), [k == limit] * n, where)
            if rewards.any():
                fail(f"{where}: no game ended, but rewards are {rewards.tolist()}")
        where = f"{mode.value}, max_episode_steps={limit}, after {limit} steps"
        if mode == AutoresetMode.SAME_STEP:
            same("_final_obs", infos["_final_obs"].tolist(), [True] * n, where)
        if mode == AutoresetMode.NEXT_STEP:
            _, rewards, terminated, truncated, _ = env.step(np.full(n, -5))
            same("flags of rows that begin anew", bool((terminated | truncated).any()), False, where)
        if mode == AutoresetMode.DISABLED:
            refused("a step of ended rows", where, REFUSALS, env.step, env.action_masks().argmax(1))
            before = env.action_masks()
            for bad in (some[:-1], some.astype(np.int64), [1, 0, 1], some[None], "x"):
                refused(
                    f"reset_mask {str(bad)[:30]}",
                    where,
                    (ValueError, TypeError),
                    env.reset,
                    options={"reset_mask": bad},
                )
            env.reset(seed=seed + 9, options={"reset_mask": some})
            same("the mask of a row that wasn't reset", env.action_masks()[1], before[1], where)
            refused("a step while row 1 has ended", where, REFUSALS, env.step, env.action_masks().argmax(1))
            env.reset(options={"reset_mask": ~some})
            env.step(env.action_masks().argmax(1))
    env = make(num_envs=n)
    for bad_seed in ([seed], [seed] * (n + 1), -1, 1.5, "1"):
        refused(f"reset(seed={bad_seed!r})", f"{n} rows", (ValueError, TypeError), env.reset, seed=bad_seed)


@check("gym_vector", kinds=(42, 47, 56), points=(10,))
def check_gym_vector_equals_sync(make: Make, *, games: int, seed: int) -> None:
    """The batch gives what Gymnasium's SyncVectorEnv gives of single environments."""
    import gymnasium
    from gymnasium.vector import SyncVectorEnv

    n = 3
    env = make(num_envs=n)
    env_id = bare(env).env_id
    single = f"hopenvs/{env_id}"
    if single not in gymnasium.registry:
        return
    own = changed_options(env.game, env.options)
    other = SyncVectorEnv([lambda: gymnasium.make(single, **own)] * n)
    given: Any = env.reset(seed=seed)
    expected: Any = other.reset(seed=seed)
    for k in range(60):
        where = f"step {k}, seed {seed}"
        same("observations", given[0], expected[0], where)
        for key in KEYS:
            same(f"infos[{key!r}]", np.asarray(given[-1][key]).tolist(), np.asarray(expected[-1][key]).tolist(), where)
        actions = env.action_masks().argmax(1)
        given, expected = env.step(actions), other.step(actions)
        for i, what in ((1, "rewards"), (2, "terminations"), (3, "truncations")):
            same(what, given[i].tolist(), expected[i].tolist(), where)
    other.close()
    env.close()


@check("gym_vector", kinds=(46, 50, 51, 54), points=(3, 9))
def check_gym_vector_copies(make: Make, *, games: int, seed: int) -> None:
    """A pickled batch goes on alike; arrays handed out are fresh; results don't depend on threads; memory is flat."""
    lines = []
    env: Any = None
    for keywords in ({}, {"threads": 2}, {"copied": True}, {"spoilt": True}, {"used": True}):
        flags = dict(keywords)
        copied, spoilt, used = (flags.pop(name, False) for name in ("copied", "spoilt", "used"))
        if not used:
            env = make(num_envs=3, max_episode_steps=9, autoreset_mode=AutoresetMode.SAME_STEP, **flags)
        given, infos = env.reset(seed=seed)
        line = []
        for k in range(25):
            line.append(np.asarray(given).tobytes() + infos["action_mask"].tobytes())
            masks = env.action_masks()
            if copied and k == 7:
                original, env = env, pickle.loads(pickle.dumps(env))
                original.step(masks.argmax(1))
            if spoilt:
                given[...] = 1
                infos["action_mask"][...] = 1
                env.action_masks()[...] = True
            given, rewards, *_, infos = env.step(masks.argmax(1))
            line.append(rewards.tobytes())
        lines.append(line)
    env.close()
    for line, what in zip(
        lines[1:], ("two threads", "a pickled copy", "overwritten results", "a used batch"), strict=True
    ):
        same(f"what {what} give", line, lines[0], f"seed {seed}")
    batch = make(num_envs=3)

    def turn(k: int) -> None:
        batch.reset(seed=k)
        for _ in range(8):
            batch.step(batch.action_masks().argmax(1))

    expect_flat_memory(turn, "resets and steps of a batch", rounds=6)


@check("gym_vector", kinds=(56,), points=(10,))
def check_gym_vector_wrappers(make: Make, *, games: int, seed: int) -> None:
    """Gymnasium's own vector wrappers count episodes on it."""
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        env: Any = RecordEpisodeStatistics(make(num_envs=2, max_episode_steps=3, autoreset_mode=mode))
        env.reset(seed=seed)
        counted = 0
        for _ in range(9):
            *_, infos = env.step(env.unwrapped.action_masks().argmax(1))
            counted += int(np.sum(infos.get("_episode", 0)))
        if counted < 4:
            fail(f"{mode.value}: RecordEpisodeStatistics counted {counted} episodes of 3 steps in 9")
