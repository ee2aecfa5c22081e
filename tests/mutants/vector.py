"""Batches of games with one fault each; what is wrong is the class's name."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from hopenvs.envs.vector import GameVectorEnv
from tests.mutants.mutant import mutant

Vector: Any = GameVectorEnv  # mutants break its types on purpose


class _Changed(Vector):
    """Changes what a step returns."""

    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards, terminated, truncated, infos

    def step(self, actions):
        return self.changed(*super().step(actions))


@mutant(47)
class AllRowsHaveOneSeed(Vector):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=[seed] * self.num_envs if isinstance(seed, int) else seed, options=options)


@mutant(46)
class TheSeedIsIgnoredOnAUsedBatch(Vector):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None if self._started and seed is not None else seed, options=options)


@mutant(15)
class RankPayoffsAreHalved(_Changed):
    def __init__(self, *args, reward="win", **keywords):
        super().__init__(*args, reward=reward, **keywords)
        self.factor = 0.5 if reward == "rank" else 1.0

    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards * np.float32(self.factor), terminated, truncated, infos


@mutant(47)
class RowsShareAGenerator(Vector):
    def step(self, actions):
        self._batch.states["rng"][1:] = self._batch.states["rng"][:1]
        return super().step(actions)


@mutant(47)
class SeedsBeginAtOne(Vector):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed + 1 if isinstance(seed, int) and seed < 2**63 else seed, options=options)


@mutant(47)
class NewGamesBeginFromTheSeed(Vector):
    def reset(self, *, seed=None, options=None):
        given = super().reset(seed=seed, options=options)
        if seed is not None:
            self.first = self._batch.states["rng"].copy()
        return given

    def step(self, actions):
        given = super().step(actions)
        ended = given[2] | given[3]
        self._batch.states["rng"][ended] = self.first[ended]
        return given


@mutant(57)
class TheFinalObservationIsTheNextGames(Vector):
    def final_observation(self, row, seat):
        super().final_observation(row, seat)
        return self.observe(row, seat)["observation"]


@mutant(57)
class FinalObservationsAreOfTheMover(Vector):
    def final_observation(self, row, seat):
        super().final_observation(row, seat)
        return super().final_observation(row, 0)


@mutant(57)
class RewardsAreLostAtAutoreset(_Changed):
    def changed(self, observations, rewards, terminated, truncated, infos):
        if self._mode == AutoresetMode.SAME_STEP:
            rewards[terminated] = 0
        return observations, rewards, terminated, truncated, infos


@mutant(57)
class FlagsComeOneStepLate(_Changed):
    late: Any = None

    def changed(self, observations, rewards, terminated, truncated, infos):
        now, self.late = self.late, terminated.copy()
        return observations, rewards, terminated if now is None else now, truncated, infos


@mutant(1)
class RewardsStayVisible(_Changed):
    late: Any = None

    def changed(self, observations, rewards, terminated, truncated, infos):
        if self.late is not None:
            rewards += self.late * ~rewards.any(1, keepdims=True)
        self.late = rewards.copy()
        return observations, rewards, terminated, truncated, infos


@mutant(2, 5)
class OnlySeatZeroIsPaid(_Changed):
    def changed(self, observations, rewards, terminated, truncated, infos):
        rewards[:, 1:] = 0
        return observations, rewards, terminated, truncated, infos


@mutant(12)
class TruncationIsTermination(_Changed):
    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards, terminated | truncated, truncated & False, infos


@mutant(12)
class FlagsAreSwapped(_Changed):
    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards, truncated, terminated, infos


@mutant(checks=["check_threads_change_nothing"])
class ThreadsChangeResults(Vector):
    def step(self, actions):
        if self._batch.pool.threads > 1:
            self._batch.states["rng"][-1, 3] += 1
        return super().step(actions)


@mutant(27)
class MinusOneLeavesARowAlone(Vector):
    def step(self, actions):
        chosen = np.asarray(actions)
        if chosen.shape == (self.num_envs,) and chosen.dtype.kind == "i" and self._started and (chosen == -1).any():
            chosen = np.where(chosen == -1, self._batch.mask[:, 0].argmax(1), chosen)
        return super().step(chosen if isinstance(actions, np.ndarray) else actions)


@mutant(27)
class IllegalActionsAreReplaced(Vector):
    def step(self, actions):
        chosen = np.asarray(actions)
        if chosen.shape == (self.num_envs,) and chosen.dtype.kind == "i" and self._started:
            inside = (chosen >= 0) & (chosen < self._spec.num_actions)
            legal = self._batch.mask[np.arange(self.num_envs), 0, np.where(inside, chosen, 0)] != 0
            chosen = np.where(inside & ~legal, self._batch.mask[:, 0].argmax(1), chosen)
            return super().step(chosen)
        return super().step(actions)


@mutant(58)
class RefusalsDoNotNameTheRow(Vector):
    def step(self, actions):
        try:
            return super().step(actions)
        except ValueError as error:
            raise type(error)(str(error).replace("row ", "")) from None


@mutant(58)
class EarlierRowsAreSteppedBeforeARefusal(Vector):
    def step(self, actions):
        try:
            return super().step(actions)
        except ValueError:
            if self._started:
                self._batch.states["turn"][0] += 1
            raise


@mutant(55)
class TooFewActionsAreFilledUp(Vector):
    def step(self, actions):
        chosen = np.asarray(actions)
        if chosen.ndim == 1 and chosen.dtype.kind == "i" and 0 < len(chosen) < self.num_envs:
            chosen = np.append(chosen, self._batch.mask[len(chosen) :, 0].argmax(1))
            return super().step(chosen)
        return super().step(actions)


@mutant(55)
class TooManyActionsAreCut(Vector):
    def step(self, actions):
        chosen = np.asarray(actions)
        return super().step(chosen[: self.num_envs] if chosen.ndim == 1 else actions)


@mutant(59)
class FloatsAreCast(Vector):
    def step(self, actions):
        chosen = np.asarray(actions)
        return super().step(chosen.astype(np.int64) if chosen.dtype.kind == "f" else actions)


@mutant(22)
class MasksOfEndedRowsAreEmpty(_Changed):
    def changed(self, observations, rewards, terminated, truncated, infos):
        observations["action_mask"][observations["current_seat"] < 0] = 0
        return observations, rewards, terminated, truncated, infos


@mutant(30)
class TheSeatIsTheLastMovers(_Changed):
    late: Any = None

    def changed(self, observations, rewards, terminated, truncated, infos):
        now = observations["current_seat"]
        if self.late is not None:
            observations["current_seat"] = self.late
        self.late = now.copy()
        return observations, rewards, terminated, truncated, infos


@mutant(36)
class RewardsAreDoubles(_Changed):
    def changed(self, observations, rewards, terminated, truncated, infos):
        return observations, rewards.astype(np.float64), terminated, truncated, infos


@mutant(checks=["check_rows_play_seeded_games"])
class RanksAreToldForEver(_Changed):
    kept: Any = None

    def changed(self, observations, rewards, terminated, truncated, infos):
        if self.kept is not None:
            infos["rank"] = np.where(infos["rank"].any(1, keepdims=True), infos["rank"], self.kept)
        self.kept = infos["rank"].copy()
        return observations, rewards, terminated, truncated, infos


@mutant(57, 64)
class ResetMasksAreIgnored(Vector):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed, options={k: v for k, v in (options or {}).items() if k != "reset_mask"})


@mutant(64)
class ResetMasksAreTruthValuesOfAnything(Vector):
    def reset(self, *, seed=None, options=None):
        options = dict(options or {})
        if options.get("reset_mask") is not None and not isinstance(options["reset_mask"], str):
            mask = np.asarray(options["reset_mask"]).reshape(-1).astype(bool)
            options["reset_mask"] = np.resize(mask, self.num_envs)
        return super().reset(seed=seed, options=options)


@mutant(checks=["check_partial_resets"])
class EndedRowsMayBeSteppedWhenDisabled(Vector):
    def step(self, actions):
        try:
            return super().step(actions)
        except ValueError as error:
            if "have ended" not in str(error):
                raise
            return self._shown()


@mutant(checks=["check_vector_results_are_fresh"])
class ResultsAreBuffers(Vector):
    def _shown(self):
        return self._views


@mutant(checks=["check_vector_results_are_fresh"])
class ViewsAreWriteable(Vector):
    def _read_only_views(self):
        seen, *results, infos = super()._read_only_views()
        for view in (*seen.values(), *results, *infos.values()):
            view.flags.writeable = True
        return seen, *results, infos


@mutant(28, crashes=True)
class IdleSeatsCannotBeObserved(Vector):
    def observe(self, row, seat):
        if self._batch.seat[row] != seat:
            raise KeyError(seat)
        return super().observe(row, seat)


@mutant(38)
class RowsAreSeenBeforeReset(Vector):
    def observe(self, row, seat):
        if not self._started:
            return {key: space.sample() for key, space in self.single_observation_space.items()}
        return super().observe(row, seat)


@mutant(28)
class RowsCountFromTheEndToo(Vector):
    def observe(self, row, seat):
        return super().observe(row % self.num_envs, seat)


@mutant(7)
class TheLimitCountsFromTheFirstReset(Vector):
    def __init__(self, *args, max_episode_steps=None, **keywords):
        super().__init__(*args, **keywords)
        self.limit, self.taken = max_episode_steps, 0

    def step(self, actions):
        given = super().step(actions)
        self.taken += 1
        if self.limit and self.taken >= self.limit:
            given[3][...] = True
        return given


@mutant(50)
class PicklesLoseTheGames(Vector):
    def __setstate__(self, saved):
        super().__setstate__(saved)
        self.reset(seed=0)


@mutant(51)
class DeepCopiesShareTheRecords(Vector):
    def __deepcopy__(self, memo):
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin


@mutant(54)
class HistoryIsKeptForEver(Vector):
    def step(self, actions):
        self.__dict__.setdefault("history", []).append(self._batch.states.copy())
        return super().step(actions)


@mutant(56)
class TheModeIsIgnored(Vector):
    def __init__(self, *args, autoreset_mode=None, **keywords):
        super().__init__(*args, **keywords)


@mutant(48)
class TheGlobalGeneratorIsUsed(Vector):
    def step(self, actions):
        np.random.random()  # noqa: NPY002
        return super().step(actions)


@mutant(17)
class PositionsAreIgnored(Vector):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed, options={k: v for k, v in (options or {}).items() if k == "reset_mask"})


@mutant(26, 16)
class AForfeitEndsAllRows(Vector):
    def step(self, actions):
        given = super().step(actions)
        if (self.final_states["forfeit"] != 0).any() and given[2].any():
            given[2][...] = True
        return given


@mutant(34)
class ObservationsAreOfSeatZero(Vector):
    def _shown(self):
        seen, *others = super()._shown()
        rows = list(range(self.num_envs))
        seen["observation"] = self._batch.view(rows, [0] * self.num_envs)[1]
        return seen, *others
