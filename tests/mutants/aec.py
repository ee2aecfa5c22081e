"""AEC environments with one fault each; what is wrong is the class's name."""

# mypy: disable-error-code="has-type"

from __future__ import annotations

import time
from typing import Any

import numpy as np
from gymnasium import spaces

from hopenvs.core import state
from hopenvs.envs.aec import GameAECEnv
from tests.mutants.mutant import mutant

Aec: Any = GameAECEnv  # mutants break its types on purpose


def ended(env: Any) -> bool:
    """Whether the agents are flagged."""
    return any(env.terminations.values()) or any(env.truncations.values())


# ---- rewards, endings, bookkeeping ----------------------------------------------------------------------------------
@mutant(1)
class RewardsStayWhileAgentsLeave(Aec):
    def step(self, action):
        kept = dict(self.rewards) if ended(self) else {}
        super().step(action)
        self.rewards = {agent: kept.get(agent, reward) for agent, reward in self.rewards.items()}


@mutant(1)
class RewardsStayFromTheGameBefore(Aec):
    def reset(self, seed=None, options=None):
        kept = dict(self.rewards)
        super().reset(seed, options)
        self.rewards = self.rewards | kept


@mutant(2)
class OnlyTheMoverIsPaid(Aec):
    def step(self, action):
        mover = self.agent_selection
        super().step(action)
        for agent in self.agents:
            if agent != mover and action is not None:
                self.rewards[agent] = self._cumulative_rewards[agent] = 0.0


@mutant(2)
class TheLastRewardIsReadTwice(Aec):
    def step(self, action):
        before = self.agent_selection
        super().step(action)
        if action is None and self.agents:
            for agent in self.agents:
                if agent != before:
                    self._cumulative_rewards[agent] *= 2


@mutant(3, crashes=True)
class EndedAgentsCannotStep(Aec):
    def step(self, action):
        if action is None:
            raise TypeError("int() argument must not be None")
        super().step(action)


@mutant(4)
class RewardsAreOnlyAccumulated(Aec):
    def step(self, action):
        super().step(action)
        self.rewards = dict.fromkeys(self.rewards, 0.0)


@mutant(5)
class TheLoserIsNotDebited(Aec):
    def step(self, action):
        super().step(action)
        for kept in (self.rewards, self._cumulative_rewards):
            for agent, reward in kept.items():
                kept[agent] = max(reward, 0.0)


@mutant(6)
class TheSelectionStaysOnWhoLeft(Aec):
    def step(self, action):
        agent = self.agent_selection
        super().step(action)
        if action is None:
            self.agent_selection = agent


@mutant(7, crashes=True)
class AHiddenLimitEndsTheGame(Aec):
    taken = 0

    def reset(self, seed=None, options=None):
        self.taken = 0
        super().reset(seed, options)

    def step(self, action):
        self.taken += 1
        if self.taken > 12 and not ended(self):
            raise RuntimeError("the game is over")
        super().step(action)


@mutant(7)
class TheLimitIsOneTooLate(Aec):
    def __init__(self, *args, max_cycles=None, **keywords):
        super().__init__(*args, max_cycles=max_cycles and max_cycles + 1, **keywords)


@mutant(7)
class TheLimitCountsAllGames(Aec):
    def __init__(self, *args, max_cycles=None, **keywords):
        super().__init__(*args, **keywords)
        self.limit, self.taken = max_cycles, 0

    def step(self, action):
        super().step(action)
        self.taken += 1
        if self.limit and self.taken >= self.limit and not ended(self):
            self.truncations = dict.fromkeys(self.agents, True)


@mutant(11)
class AnAgentComesBack(Aec):
    def step(self, action):
        super().step(action)
        if action is None and len(self.agents) == 1 and not getattr(self, "revived", False):
            self.revived = True
            other = next(a for a in self.possible_agents if a not in self.agents)
            self.agents.append(other)
            self.rewards[other] = self._cumulative_rewards[other] = 0.0
            self.terminations[other], self.truncations[other] = True, False


@mutant(12)
class TruncationIsTermination(Aec):
    def step(self, action):
        super().step(action)
        for agent, cut in self.truncations.items():
            self.terminations[agent] = self.terminations[agent] or cut
            self.truncations[agent] = False


@mutant(12)
class TheCapTerminatesToo(Aec):
    def step(self, action):
        super().step(action)
        for agent, cut in self.truncations.items():
            self.terminations[agent] = self.terminations[agent] or cut


@mutant(13)
class TerminatedAfterTheFirstStep(Aec):
    def step(self, action):
        first = self._record.plies == 0
        super().step(action)
        if first and action is not None:
            self.terminations = dict.fromkeys(self.agents, True)


@mutant(12, 13)
class OnlyTheMoverIsFlagged(Aec):
    def step(self, action):
        mover = self.agent_selection
        super().step(action)
        if action is not None:
            for agent in self.agents:
                self.terminations[agent] = self.terminations[agent] and agent == mover


@mutant(15)
class RankPayoffsAreDoubled(Aec):
    def __init__(self, *args, reward="win", **keywords):
        super().__init__(*args, reward=reward, **keywords)
        self.factor = 2 if reward == "rank" else 1

    def step(self, action):
        super().step(action)
        for kept in (self.rewards, self._cumulative_rewards):
            for agent in kept:
                kept[agent] *= self.factor


@mutant(16)
class ForfeitsAreIgnoredInOnePhase(Aec):
    def step(self, action):
        if self._illegal == "forfeit" and action is not None and self.position()["phase"] == "forward":
            mask = super().observe(self.agent_selection)["action_mask"]
            if not (0 <= action < len(mask) and mask[action]):
                action = int(np.argmax(mask))
        super().step(action)


@mutant(16)
class TheOffenderWins(Aec):
    def step(self, action):
        super().step(action)
        if self._record.forfeit and action is not None:
            for kept in (self.rewards, self._cumulative_rewards):
                for agent in kept:
                    kept[agent] = -kept[agent]


@mutant(26)
class AForfeitSpoilsTheNextGame(Aec):
    guilty: Any = None

    def step(self, action):
        agent = self.agent_selection
        super().step(action)
        if self._record.forfeit and action is not None:
            self.guilty = agent

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        if self.guilty is not None:
            self.rewards[self.guilty] = self._cumulative_rewards[self.guilty] = -1.0


# ---- masks and legality ---------------------------------------------------------------------------------------------
class _Masks(Aec):
    """Changes the mask of an agent wherever it's shown; legality is judged by the true one."""

    def changed(self, agent, mask):
        return mask

    def observe(self, agent):
        seen = super().observe(agent)
        return {**seen, "action_mask": self.changed(agent, seen["action_mask"])}

    @property
    def infos(self):
        return {a: {**i, "action_mask": self.changed(a, i["action_mask"])} for a, i in super().infos.items()}

    def last(self, observe=True):
        seen, *rest, _ = super().last(observe)
        return (seen, *rest, self.infos[self.agent_selection])


@mutant(17)
class TheMaskAfterResetIsWrittenByHand(_Masks):
    def changed(self, agent, mask):
        return np.ones_like(mask) if self._record.plies == 0 and agent == self.agent_selection else mask


@mutant(18)
class OneActionIsMissingInARarePhase(_Masks):
    def changed(self, agent, mask):
        if self._record.phase == 3 and mask.sum() > 1 and self._record.turn > 4:
            mask = mask.copy()
            mask[np.flatnonzero(mask)[-1]] = 0
        return mask


@mutant(19)
class NothingIsLegalWhenOneActionIs(_Masks):
    def changed(self, agent, mask):
        return mask if mask.sum() > 1 else np.zeros_like(mask)


@mutant(20)
class TheMaskIsOneTooLong(_Masks):
    def changed(self, agent, mask):
        return np.append(mask, np.int8(0))


@mutant(20)
class LegalActionsDifferFromTheMask(Aec):
    def legal_actions(self, agent=None):
        return super().legal_actions(agent)[1:] or super().legal_actions(agent)


@mutant(21)
class MasksAreBools(_Masks):
    def changed(self, agent, mask):
        return mask.astype(np.bool_)


@mutant(21)
class MasksAreInt64(_Masks):
    def changed(self, agent, mask):
        return mask.astype(np.int64)


@mutant(21)
class MasksAreLists(_Masks):
    def changed(self, agent, mask):
        return mask.tolist()


@mutant(21)
class MasksInInfosAreFloats(Aec):
    @property
    def infos(self):
        return {a: {**i, "action_mask": i["action_mask"].astype(np.float32)} for a, i in super().infos.items()}


@mutant(22, 29)
class EndedAgentsHaveLegalActions(_Masks):
    def changed(self, agent, mask):
        return np.ones_like(mask) if self.over else mask


@mutant(22, 28)
class IdleAgentsHaveTheMoversMask(_Masks):
    def changed(self, agent, mask):
        return self._mask[0].copy() if not self.over else mask


@mutant(27)
class IllegalActionsAreReplaced(Aec):
    def step(self, action):
        if action is not None and self._illegal == "raise" and isinstance(action, (int, np.integer)):
            mask = self._mask[0]
            if 0 <= action < len(mask) and not mask[action]:
                action = int(np.argmax(mask))
        super().step(action)


@mutant(27)
class MinusOneIsTheLastAction(Aec):
    def step(self, action):
        if isinstance(action, int) and action == -1 and self._illegal == "raise":
            action = int(np.flatnonzero(self._mask[0])[-1])
        super().step(action)


@mutant(59)
class FloatsAreCast(Aec):
    def step(self, action):
        super().step(int(action) if isinstance(action, (float, np.floating)) else action)


@mutant(59)
class BoolsAreActions(Aec):
    def step(self, action):
        super().step(int(action) if isinstance(action, (bool, np.bool_)) else action)


@mutant(59)
class OnlyPlainIntsAreActions(Aec):
    def step(self, action):
        if isinstance(action, np.ndarray):
            raise ValueError("an action is an int")
        super().step(action)


@mutant(28, crashes=True)
class IdleAgentsCannotBeObserved(Aec):
    def observe(self, agent):
        if agent != self.agent_selection:
            raise KeyError(agent)
        return super().observe(agent)


@mutant(27)
class RefusalsMoveTheSelection(Aec):
    def step(self, action):
        try:
            super().step(action)
        except ValueError:
            if self.agents and not ended(self):
                i = self.possible_agents.index(self.agent_selection)
                self.agent_selection = self.possible_agents[(i + 1) % len(self.possible_agents)]
            raise


@mutant(checks=["check_illegal_actions_are_refused"])
class RefusalsDoNotSayWhatIsLegal(Aec):
    def step(self, action):
        try:
            super().step(action)
        except ValueError as error:
            raise type(error)("illegal action") from None


@mutant(27)
class RefusalsDrawFromTheGenerator(Aec):
    def step(self, action):
        try:
            super().step(action)
        except ValueError:
            self._batch.states["rng"][0, 3] += 1
            raise


@mutant(11)
class StepsAfterTheEndAreTaken(Aec):
    def step(self, action):
        if self.agents or not self._seeded:
            super().step(action)


@mutant(2)
class EndedAgentsMayAct(Aec):
    def step(self, action):
        super().step(None if ended(self) else action)


# ---- observations, spaces, state ------------------------------------------------------------------------------------
@mutant(32)
class IdleAgentsSeeTheNextSeatsView(Aec):
    def observe(self, agent):
        seen = super().observe(agent)
        if agent != self.agent_selection and not self.over:
            i = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
            seen["observation"] = self._observation_of(i)
        return seen


@mutant(32)
class AllSeatsSeeSeatZerosView(Aec):
    def observe(self, agent):
        return {**super().observe(agent), "observation": self._observation_of(0)}


@mutant(34)
class TheLastObservationIsOfAnotherType(Aec):
    def observe(self, agent):
        seen = super().observe(agent)
        return {**seen, "observation": seen["observation"].astype(np.int16)} if self.over else seen


@mutant(34)
class OneCellIsOutOfBounds(Aec):
    def observe(self, agent):
        seen = super().observe(agent)
        seen["observation"][-1] = 100 if self.over else seen["observation"][-1]
        return seen


@mutant(35)
class ShapesAreNumpyIntegers(Aec):
    @property
    def observation_layout(self):
        return {name: (part, tuple(map(np.int64, shape))) for name, (part, shape) in super().observation_layout.items()}


@mutant(36)
class RewardsAreIntsBeforeTheEnd(Aec):
    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0)


@mutant(36)
class InfosChangeTheirType(Aec):
    @property
    def infos(self):
        return {a: {**i, "won": bool(i["won"]) if self.over else i["won"]} for a, i in super().infos.items()}


@mutant(checks=["check_flags_follow_the_rules"])
class FlagsAreNumpyBools(Aec):
    def step(self, action):
        super().step(action)
        self.terminations = {agent: np.bool_(flag) for agent, flag in self.terminations.items()}


@mutant(37)
class TheStateIsOneStepOld(Aec):
    old: Any = None

    def step(self, action):
        if action is not None:
            self.old = super().state()
        super().step(action)

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.old = None

    def state(self):
        return super().state() if self.old is None else self.old.copy()


@mutant(37, crashes=True)
class TheStateIsHiddenByAnAttribute(Aec):
    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.state = state.body(self._batch.states)[0].copy()


@mutant(37)
class TheStateHoldsTheGenerator(Aec):
    def state(self):
        found = super().state()
        found[-4:] ^= self._batch.states["rng"][0].view(np.uint8)[:4]
        return found


@mutant(37)
class SetStateForgetsFlags(Aec):
    def set_state(self, saved):
        super().set_state(saved)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)


@mutant(37)
class SetStateForgetsTheMask(Aec):
    def set_state(self, saved):
        kept = self._batch.mask.copy()
        super().set_state(saved)
        self._batch.mask[...] = kept


@mutant(37)
class SetStateTakesAnything(Aec):
    def set_state(self, saved):
        try:
            super().set_state(saved)
        except (ValueError, TypeError):
            return


@mutant(37)
class SetStateTakesBrokenRecords(Aec):
    def set_state(self, saved):
        saved = np.asarray(saved)
        if saved.shape != self.state_space.shape or saved.dtype != np.uint8 or not 0 < saved.mean() < 120:
            raise ValueError("no state")
        twin = state.copy_states(self._batch.states)
        state.body(twin)[0] = saved
        if int(twin["current_player"][0]) != 0 or not 0 <= int(twin["phase"][0]) <= 3:
            raise ValueError("no state")
        self._batch.states["turn"][0] = twin["turn"][0]
        self._after_load()


@mutant(38, crashes=True)
class ObservingAfterTheEndCrashes(Aec):
    def observe(self, agent):
        if self.over:
            raise IndexError("no player to move")
        return super().observe(agent)


@mutant(39)
class TheMaskIsCalledOtherwise(Aec):
    def observe(self, agent):
        seen = super().observe(agent)
        return {"observation": seen["observation"], "legal": seen["action_mask"]}


@mutant(39)
class ObservationsHaveAnotherKey(Aec):
    def observe(self, agent):
        return {**super().observe(agent), "agent": np.int8(0)}


@mutant(41)
class SpacesDiffer(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        last = self.possible_agents[-1]
        self.action_spaces[last] = spaces.Discrete(self.action_spaces[last].n + 1)


@mutant(34, 43)
class ObservationsAreFloat16(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        for agent in self.possible_agents:
            box = self.observation_spaces[agent]["observation"]
            self.observation_spaces[agent] = spaces.Dict(
                {
                    "observation": spaces.Box(0, 100, box.shape, np.float16),
                    "action_mask": self.observation_spaces[agent]["action_mask"],
                }
            )

    def observe(self, agent):
        seen = super().observe(agent)
        return {**seen, "observation": seen["observation"].astype(np.float16)}


@mutant(44)
class SpacesAreMadeAnewAtReset(Aec):
    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.action_spaces = {agent: spaces.Discrete(self._spec.num_actions) for agent in self.possible_agents}


@mutant(49)
class SpacesAreMadeOnEachCall(Aec):
    def action_space(self, agent):
        return spaces.Discrete(super().action_space(agent).n)


@mutant(41, 20)
class ActionsBeginAtOne(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        for agent in self.possible_agents:
            self.action_spaces[agent] = spaces.Discrete(self._spec.num_actions, start=1)


@mutant(30)
class NobodyIsActive(Aec):
    @property
    def infos(self):
        return {agent: {**info, "active": 1} for agent, info in super().infos.items()}


@mutant(checks=["check_infos"])
class AnInfoIsMissingAtTheEnd(Aec):
    @property
    def infos(self):
        found = super().infos
        if self.over:
            for info in found.values():
                info.pop("truncated_by_max_turns", None)
        return found


@mutant(checks=["check_infos"])
class RanksAreToldBeforeTheEnd(Aec):
    @property
    def infos(self):
        return {agent: {**info, "rank": info["rank"] or 1} for agent, info in super().infos.items()}


@mutant(checks=["check_results_are_fresh"])
class ObservationsAreBuffers(Aec):
    def observe(self, agent):
        seen = super().observe(agent)
        if agent == self.agent_selection and not self.over:
            seen["observation"] = self._observation[0]
        return seen


@mutant(checks=["check_results_are_fresh"])
class MasksAreBuffers(Aec):
    def observe(self, agent):
        seen = super().observe(agent)
        if agent == self.agent_selection and not self.over:
            seen["action_mask"] = self._mask[0]
        return seen


@mutant(checks=["check_results_are_fresh"])
class InfosAreKeptForTheWholeGame(Aec):
    kept: Any = None

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.kept = {agent: {} for agent in self.possible_agents}

    @property
    def infos(self):
        for agent, info in super().infos.items():
            for key, value in info.items():
                self.kept[agent].setdefault(key, value)
                if self.kept[agent][key] is not None:
                    self.kept[agent][key] = value
        return {agent: self.kept[agent] for agent in self.agents}


@mutant(checks=["check_results_are_fresh"])
class TheStateIsAView(Aec):
    def state(self):
        return state.body(self._batch.states)[0]


@mutant(checks=["check_observe_is_pure"])
class ObservingDrawsFromTheGenerator(Aec):
    def observe(self, agent):
        if self._seeded:
            self._batch.states["rng"][0, 3] += 1
        return super().observe(agent)


@mutant(checks=["check_observe_is_pure"])
class ObservingCounts(Aec):
    def observe(self, agent):
        self._batch.states["turn"][0] += 1
        return super().observe(agent)


# ---- seeding --------------------------------------------------------------------------------------------------------
@mutant(46)
class TheSeedIsIgnored(Aec):
    def reset(self, seed=None, options=None):
        super().reset(None, options)


@mutant(46)
class TheSeedIsIgnoredOnAUsedEnvironment(Aec):
    def reset(self, seed=None, options=None):
        super().reset(None if self._seeded and options is None else seed, options)


@mutant(46)
class ResetWithoutASeedRepeatsTheGame(Aec):
    kept = 0

    def reset(self, seed=None, options=None):
        self.kept = self.kept if seed is None else seed
        super().reset(self.kept, options)


@mutant(46)
class OnlyTheLowHalfOfTheSeedCounts(Aec):
    def reset(self, seed=None, options=None):
        super().reset(
            seed % 2**32 if isinstance(seed, int) and not isinstance(seed, bool) and seed > 0 else seed, options
        )


@mutant(46)
class BadSeedsAreReplaced(Aec):
    def reset(self, seed=None, options=None):
        good = seed is None or (isinstance(seed, (int, np.integer)) and seed >= 0)
        super().reset(seed if good else 0, options)


@mutant(46, 47)
class StatesSetOnNewEnvironmentsRollAlike(Aec):
    def set_state(self, saved):
        new = not self._seeded
        super().set_state(saved)
        if new:
            self._batch.states["rng"][0] = 0


@mutant(38)
class NothingIsSeenBeforeResetWithoutAWord(Aec):
    def observe(self, agent):
        if not self._seeded:
            return self.observation_space(agent).sample()
        return super().observe(agent)


@mutant(48)
class TheGlobalGeneratorIsUsed(Aec):
    def reset(self, seed=None, options=None):
        super().reset(int(np.random.randint(2**31)) if seed is None else seed, options)  # noqa: NPY002


@mutant(48)
class TheGlobalGeneratorIsSeeded(Aec):
    def reset(self, seed=None, options=None):
        np.random.seed(0 if seed is None else int(seed) % 2**32)  # noqa: NPY002
        super().reset(seed, options)


@mutant(46)
class ChanceIsAskedButNotHeard(Aec):
    def __init__(self, *args, chance=None, **keywords):
        def deaf(names, weights):
            chance(names, weights)
            return int(time.perf_counter_ns() // 1000 % len(names))

        super().__init__(*args, chance=deaf if chance else None, **keywords)


# ---- copies ---------------------------------------------------------------------------------------------------------
@mutant(50, crashes=True)
class ItCannotBePickled(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        self.key = lambda agent: agent


@mutant(50)
class PicklesLoseTheGame(Aec):
    def __setstate__(self, saved):
        super().__setstate__(saved)
        self.reset(seed=0)


@mutant(50, 51)
class PicklesLoseTheGenerator(Aec):
    def __setstate__(self, saved):
        super().__setstate__(saved)
        self._batch.states["rng"][0] = 1


@mutant(51)
class ClonesShareTheBatch(Aec):
    def clone(self):
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin


@mutant(51)
class ClonesShareTheFlags(Aec):
    def clone(self):
        twin = super().clone()
        twin.terminations = self.terminations
        return twin


@mutant(51)
class ClonesDrawOtherChance(Aec):
    def clone(self):
        twin = super().clone()
        twin._batch.states["rng"][0, 0] ^= 1
        return twin


@mutant(51)
class DeepCopiesAreTheSame(Aec):
    def __deepcopy__(self, memo):
        return self


@mutant(51)
class CopiesCarryTables(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        self.table = np.arange(300_000)


@mutant(50)
class CopiesForgetWhoLeft(Aec):
    def __setstate__(self, saved):
        super().__setstate__(saved)
        self.agents = list(self.possible_agents)


@mutant(54)
class HistoryIsKeptForEver(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        self.history = []

    def step(self, action):
        super().step(action)
        self.history.append(self.state())


@mutant(62)
class AHelperIsHidden(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        self.legal_actions = ()


@mutant(60)
class ItCallsItselfParallelizable(Aec):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        self.metadata["is_parallelizable"] = True


# ---- beginning anywhere ---------------------------------------------------------------------------------------------
@mutant(checks=["check_reset_options"], crashes=True)
class UnknownOptionsAreErrors(Aec):
    def reset(self, seed=None, options=None):
        unknown = set(options or {}) - {"position", "record"}
        if unknown:
            raise ValueError(f"unknown options {unknown}")
        super().reset(seed, options)


@mutant(checks=["check_reset_options"])
class PositionsAreIgnored(Aec):
    def reset(self, seed=None, options=None):
        super().reset(seed, None)


@mutant(checks=["check_reset_options"])
class BrokenPositionsBeginAGame(Aec):
    def reset(self, seed=None, options=None):
        try:
            super().reset(seed, options)
        except ValueError:
            super().reset(seed)
            raise


@mutant(checks=["check_starting_at_an_end"])
class EndsThatAreSetUpAreNotPaid(Aec):
    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)


# ---- rendering ------------------------------------------------------------------------------------------------------
@mutant(69)
class FramesAreBlack(Aec):
    def render(self, seat=None):
        picture = super().render(seat)
        return np.zeros_like(picture) if isinstance(picture, np.ndarray) else picture


@mutant(69)
class FramesAreAlwaysTheFirst(Aec):
    first: Any = None

    def render(self, seat=None):
        if self.first is None:
            self.first = super().render(seat)
        return self.first.copy() if isinstance(self.first, np.ndarray) else self.first


@mutant(70)
class ItDrawsWithoutAMode(Aec):
    def render(self, seat=None):
        return super().render(seat) if self.render_mode else str(self.position())


@mutant(checks=["check_rendering_changes_nothing"])
class DrawingChangesTheGame(Aec):
    def render(self, seat=None):
        self._batch.states["turn"][0] += 1
        return super().render(seat)


@mutant(71, crashes=True)
class ItCannotBeClosedTwice(Aec):
    closed = False

    def close(self):
        if self.closed:
            raise RuntimeError("closed already")
        self.closed = True


@mutant(73)
class DrawingSleeps(Aec):
    def render(self, seat=None):
        time.sleep(0.001)
        return super().render(seat)


@mutant(70)
class RenderModesAreIgnored(Aec):
    def __init__(self, *args, render_mode=None, **keywords):
        super().__init__(*args, render_mode="ansi" if render_mode else None, **keywords)
