"""Gymnasium faces with one fault each, alone and as a batch; what is wrong is the class's name."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from hopenvs.core import rng
from hopenvs.envs.gym import SeatEnv, SeatVectorEnv
from tests.mutants.mutant import mutant

Gym: Any = SeatEnv  # mutants break its types on purpose
Batch: Any = SeatVectorEnv


# ---- one environment ------------------------------------------------------------------------------------------------
class _Changed(Gym):
    """Changes what a step returns."""

    def changed(self, observation, reward, terminated, truncated, info):
        return observation, reward, terminated, truncated, info

    def step(self, action):
        return self.changed(*super().step(action))


@mutant(2, 9)
class LossesByAnothersMoveAreLost(Gym):
    def step(self, action):
        plies = int(self._games.batch.states["plies"][0])
        observation, reward, *rest = super().step(action)
        ended_by_own_move = int(self._games.batch.states["plies"][0]) == plies + 1
        return (observation, reward if ended_by_own_move else 0.0, *rest)


@mutant(9)
class TheRewardIsSeatZeros(Gym):
    def step(self, action):
        observation, _, *rest = super().step(action)
        return (observation, float(self._games.batch.states["rewards"][0, 0]), *rest)


@mutant(15)
class ScorePayoffsAreHalved(_Changed):
    def __init__(self, *args, reward="win", **keywords):
        super().__init__(*args, reward=reward, **keywords)
        self.factor = 0.5 if reward == "score" else 1.0

    def changed(self, observation, reward, terminated, truncated, info):
        return observation, reward * self.factor, terminated, truncated, info


@mutant(12)
class TruncationIsTermination(_Changed):
    def changed(self, observation, reward, terminated, truncated, info):
        return observation, reward, terminated or truncated, False, info


@mutant(11)
class StepsAfterTheEndAreTaken(_Changed):
    kept: Any = None

    def step(self, action):
        if self._over:
            return self.kept
        self.kept = super().step(action)
        return self.kept


@mutant(12)
class TheLimitIsForgottenAfterOneGame(Gym):
    def reset(self, *, seed=None, options=None):
        if self._seeded:
            self._limit = 0
        return super().reset(seed=seed, options=options)


@mutant(13, crashes=True)
class TerminatedAfterTheFirstStep(_Changed):
    def changed(self, observation, reward, terminated, truncated, info):
        return observation, reward, terminated or self._steps == 1, truncated, info


@mutant(17, 20)
class MasksAreThoseBeforeTheOpponentsMoved(Gym):
    late: Any = None

    def step(self, action):
        before = super().action_masks()
        given = super().step(action)
        self.late = before
        return given

    def action_masks(self):
        return super().action_masks() if self.late is None or self._over else self.late


@mutant(17)
class TheInfosMaskIsAllOnesAtReset(Gym):
    def reset(self, *, seed=None, options=None):
        observation, info = super().reset(seed=seed, options=options)
        return observation, {**info, "action_mask": np.ones_like(info["action_mask"])}


@mutant(19)
class TheLastMaskIsEmpty(_Changed):
    def changed(self, observation, reward, terminated, truncated, info):
        if terminated:
            info["action_mask"] = np.zeros_like(info["action_mask"])
        return observation, reward, terminated, truncated, info


@mutant(34)
class ObservationsAreFloats(_Changed):
    def changed(self, observation, reward, terminated, truncated, info):
        return observation.astype(np.float32), reward, terminated, truncated, info


@mutant(57)
class TheLastObservationIsTheFirst(_Changed):
    first: Any = None

    def reset(self, *, seed=None, options=None):
        given = super().reset(seed=seed, options=options)
        self.first = given[0].copy() if isinstance(given[0], np.ndarray) else None
        return given

    def changed(self, observation, reward, terminated, truncated, info):
        if terminated and self.first is not None:
            observation = self.first
        return observation, reward, terminated, truncated, info


@mutant(34)
class TheLastObservationIsTheMoversView(_Changed):
    def changed(self, observation, reward, terminated, truncated, info):
        if terminated and isinstance(observation, np.ndarray):
            observation = self._games.batch.observation[0, 0].copy()
        return observation, reward, terminated, truncated, info


@mutant(checks=["check_gym_plays_the_game"])
class AnInfoIsMissingAtTheEnd(_Changed):
    def changed(self, observation, reward, terminated, truncated, info):
        if terminated:
            del info["action_mask"]
        return observation, reward, terminated, truncated, info


@mutant(27)
class IllegalActionsAreReplaced(Gym):
    def step(self, action):
        if isinstance(action, (int, np.integer)) and self._seeded and not self._over:
            masks = self.action_masks()
            if 0 <= action < len(masks) and not masks[action] and not self._games.batch.settings[4]:
                action = int(masks.argmax())
        return super().step(action)


@mutant(59)
class FloatsAreCast(Gym):
    def step(self, action):
        return super().step(int(action) if isinstance(action, float) else action)


@mutant(58)
class RefusalsSayNothing(Gym):
    def step(self, action):
        try:
            return super().step(action)
        except ValueError as error:
            raise type(error)("illegal action") from None


@mutant(46)
class OpponentsAreNotSeeded(Gym):
    def reset(self, *, seed=None, options=None):
        given = super().reset(seed=seed, options=options)
        self._games.streams[0] = rng.generator(rng.fresh_seed(), rng.OPPONENTS)
        return given


@mutant(46)
class OpponentsDrawFromTheGamesGenerator(Gym):
    def step(self, action):
        self._games.streams[0] = self._games.batch.states["rng"][0]
        given = super().step(action)
        self._games.batch.states["rng"][0] = self._games.streams[0]
        return given


@mutant(46)
class TheSeedIsIgnoredOnAUsedEnvironment(Gym):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if self._seeded else seed, options=options)


@mutant(46)
class TheRandomSeatIsAlwaysTheFirst(Gym):
    def __init__(self, *args, seat=0, **keywords):
        super().__init__(*args, seat=0 if seat == "random" else seat, **keywords)


@mutant(23)
class OpponentsAreToldAnotherSeat(Gym):
    def __init__(self, *args, opponents="uniform", **keywords):
        given = opponents
        if isinstance(opponents, (list, tuple)) and len(opponents) == 1:
            given = [_Blindfolded(opponents[0])]
        super().__init__(*args, opponents=given, **keywords)


class _Blindfolded:
    """An opponent that is told it sits in seat 0."""

    def __init__(self, inner):
        self.inner = inner

    def act(self, observations, masks, *, seats, **keywords):
        return self.inner.act(observations, masks, seats=np.zeros_like(seats), **keywords)


@mutant(23)
class OpponentsGetNoMask(Gym):
    def __init__(self, *args, opponents="uniform", **keywords):
        given = opponents
        if isinstance(opponents, (list, tuple)):
            given = [_Unmasked(one) if hasattr(one, "act") else one for one in opponents]
        super().__init__(*args, opponents=given, **keywords)


class _Unmasked:
    def __init__(self, inner):
        self.inner = inner

    def act(self, observations, masks, **keywords):
        self.inner.act(observations, np.zeros_like(masks), **keywords)
        return masks.argmax(1).astype(np.int32)


@mutant(50)
class PicklesLoseTheGame(Gym):
    def __setstate__(self, saved):
        self.__dict__.update(saved)
        self.reset(seed=0)


@mutant(51)
class DeepCopiesAreTheSame(Gym):
    def __deepcopy__(self, memo):
        return self


@mutant(54)
class HistoryIsKeptForEver(Gym):
    def step(self, action):
        given = super().step(action)
        self.__dict__.setdefault("history", []).append(self._games.batch.states.copy())
        return given


@mutant(43)
class TheBoxIsFloat16(Gym):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        self.observation_space = spaces.Box(0, 100, (self._spec_of_game.observation_size,), np.float16)


@mutant(checks=["check_gym_results_are_fresh"])
class ObservationsAreBuffers(Gym):
    buffer: Any = None

    def step(self, action):
        observation, *rest = super().step(action)
        if isinstance(observation, np.ndarray):
            self.buffer = observation if self.buffer is None else self.buffer
            changed = self.buffer != observation
            self.buffer[changed & (self.buffer == 0)] = observation[changed & (self.buffer == 0)]
            observation = self.buffer
        return (observation, *rest)


@mutant(17)
class PositionsAreIgnored(Gym):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)


@mutant(16, 26)
class AForfeitPaysNothing(_Changed):
    def changed(self, observation, reward, terminated, truncated, info):
        if self._games.batch.states["forfeit"][0]:
            reward = 0.0
        return observation, reward, terminated, truncated, info


# ---- N of them ------------------------------------------------------------------------------------------------------
class _ChangedRows(Batch):
    """Changes what a step returns."""

    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards, terminated, truncated, infos

    def step(self, actions):
        return self.changed(*super().step(actions))


@mutant(57)
class FinalObservationsAreMissing(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        infos = {k: v for k, v in infos.items() if "final" not in k}
        if (terminated | truncated).any() and self._mode == AutoresetMode.SAME_STEP:
            present = np.zeros(self.num_envs, np.bool_)
            infos |= {"_final_obs": present, "_final_info": present}
        return observations, rewards, terminated, truncated, infos


@mutant(57)
class FinalObservationsAreTheNextGames(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        if "final_obs" in infos and isinstance(observations, np.ndarray):
            for row in np.flatnonzero(infos["_final_obs"]):
                infos["final_obs"][row] = observations[row].copy()
        return observations, rewards, terminated, truncated, infos


@mutant(57)
class FinalInfosAreTheNextGames(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        if "final_info" in infos:
            infos["final_info"]["rank"] = np.zeros(self.num_envs, np.int64)
        return observations, rewards, terminated, truncated, infos


@mutant(57)
class RewardsOfEndedRowsAreLost(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        rewards[terminated] = 0
        return observations, rewards, terminated, truncated, infos


@mutant(47)
class AllRowsHaveOneSeed(Batch):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=[seed] * self.num_envs if isinstance(seed, int) else seed, options=options)


@mutant(46)
class TheSeedIsIgnoredOnAUsedBatch(Batch):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if self._seeded else seed, options=options)


@mutant(12)
class TruncationOfARowIsTermination(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards, terminated | truncated, truncated & False, infos


@mutant(55)
class TooFewActionsAreFilledUp(Batch):
    def step(self, actions):
        chosen = np.asarray(actions)
        if chosen.ndim == 1 and chosen.dtype.kind == "i" and 0 < len(chosen) < self.num_envs and self._seeded:
            chosen = np.append(chosen, self.action_masks()[len(chosen) :].argmax(1))
            return super().step(chosen)
        return super().step(actions)


@mutant(58)
class RefusalsDoNotNameTheRow(Batch):
    def step(self, actions):
        try:
            return super().step(actions)
        except ValueError as error:
            raise type(error)(str(error).replace("row ", "")) from None


@mutant(56)
class TheLimitIsIgnored(Batch):
    def __init__(self, *args, max_episode_steps=None, **keywords):
        super().__init__(*args, **keywords)


@mutant(22)
class MasksOfEndedRowsAreEmpty(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        infos["action_mask"][self._games.batch.seat < 0] = 0
        return observations, rewards, terminated, truncated, infos


@mutant(17, 9)
class RowsAreShifted(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        if isinstance(observations, np.ndarray):
            observations = np.roll(observations, 1, 0)
        return observations, rewards, terminated, truncated, infos


@mutant(57)
class ResetMasksAreIgnored(Batch):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed, options={k: v for k, v in (options or {}).items() if k != "reset_mask"})


@mutant(46)
class ThreadsChangeResults(Batch):
    def step(self, actions):
        if self._games.batch.pool.threads > 1:
            self._games.batch.states["rng"][-1, 3] += 1
        return super().step(actions)


@mutant(50)
class PicklesLoseTheGames(Batch):
    def __setstate__(self, saved):
        self.__dict__.update(saved)
        self.reset(seed=77)


@mutant(36)
class RewardsAreSingles(_ChangedRows):
    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards.astype(np.float32), terminated, truncated, infos
