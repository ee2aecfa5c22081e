"""Parallel environments with one fault each; what is wrong is the class's name."""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.envs.parallel import GameParallelEnv
from tests.mutants.mutant import mutant

Parallel: Any = GameParallelEnv  # mutants break its types on purpose


class _Changed(Parallel):
    """Changes what a step returns."""

    def changed(self, observations, rewards, terminations, truncations, infos):
        return observations, rewards, terminations, truncations, infos

    def step(self, actions):
        return self.changed(*super().step(actions))


@mutant(2)
class RewardsArePaidTwice(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        return observations, {a: 2 * r for a, r in rewards.items()}, terminations, truncations, infos


@mutant(5)
class OnlyWinnersArePaid(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        return observations, {a: max(r, 0.0) for a, r in rewards.items()}, terminations, truncations, infos


@mutant(9, 63)
class WhoActedLastIsAloneAtTheEnd(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        if not self.agents and rewards:
            keep = self.possible_agents[:1]
            return tuple(
                {a: v for a, v in part.items() if a in keep}
                for part in (observations, rewards, terminations, truncations, infos)
            )
        return observations, rewards, terminations, truncations, infos


@mutant(36)
class RewardsAreNumpyNumbers(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        return observations, {a: np.float32(r) for a, r in rewards.items()}, terminations, truncations, infos


@mutant(12)
class TruncationsAreTerminations(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        ends = {a: t or truncations[a] for a, t in terminations.items()}
        return observations, rewards, ends, dict.fromkeys(truncations, False), infos


@mutant(13)
class OneAgentEndsAlone(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        last = self.possible_agents[-1]
        return observations, rewards, {a: t and a != last for a, t in terminations.items()}, truncations, infos


@mutant(11)
class AgentsStayAfterTheEnd(Parallel):
    def step(self, actions):
        given = super().step(actions)
        self.agents = list(self.possible_agents)
        return given


@mutant(61)
class AStepAfterTheEndReturnsFourDicts(Parallel):
    def step(self, actions):
        return super().step(actions) if self.agents or not self._seeded else ({}, {}, {}, {})


@mutant(61)
class AStepAfterTheEndReturnsTheLastObservations(Parallel):
    def step(self, actions):
        if self.agents or not self._seeded:
            self.kept = super().step(actions)
        return self.kept


@mutant(8, crashes=True)
class AllAgentsMustBeSilentButOne(Parallel):
    def step(self, actions):
        if len(actions) > 1:
            raise ValueError("one action at a time")
        return super().step(actions)


@mutant(8)
class AMissingActionIsTheFirstLegalOne(Parallel):
    def step(self, actions):
        if self.agents:
            asked = self.possible_agents[self._asked]
            if asked not in actions:
                actions = {**actions, asked: int(np.argmax(self._mask[0]))}
        return super().step(actions)


@mutant(8)
class UnknownAgentsMayAct(Parallel):
    def step(self, actions):
        return super().step({a: x for a, x in actions.items() if a in self.possible_agents})


@mutant(8, crashes=True)
class IdleAgentsActionsAreJudged(Parallel):
    def step(self, actions):
        for agent, action in actions.items():
            if not 0 <= action < self.action_space(agent).n:
                raise ValueError(f"{agent}: {action}")
        return super().step(actions)


@mutant(8)
class TheFirstAgentsActionIsTaken(Parallel):
    def step(self, actions):
        if self.agents and len(actions) > 1:
            asked = self.possible_agents[self._asked]
            action = next(iter(actions.values()))
            if isinstance(action, int) and 0 <= action < self._spec.num_actions and self._mask[0][action]:
                actions = {asked: action}
        return super().step(actions)


@mutant(27)
class IllegalActionsAreReplaced(Parallel):
    def step(self, actions):
        if self.agents and self._illegal == "raise":
            asked = self.possible_agents[self._asked]
            action = actions.get(asked)
            if isinstance(action, int) and 0 <= action < self._spec.num_actions and not self._mask[0][action]:
                actions = {**actions, asked: int(np.argmax(self._mask[0]))}
        return super().step(actions)


@mutant(59)
class FloatsAreCast(Parallel):
    def step(self, actions):
        return super().step({a: int(x) if isinstance(x, (float, np.floating)) else x for a, x in actions.items()})


@mutant(22)
class IdleMasksAreEmpty(Parallel):
    def _filled_mask(self, seat):
        return self._mask_of(seat)


@mutant(22, 29)
class MasksAfterTheEndAreEmpty(Parallel):
    def _filled_mask(self, seat):
        return np.zeros(self._spec.num_actions, np.int8) if self.over else super()._filled_mask(seat)


@mutant(34, 32)
class IdleAgentsSeeWhatTheySawLast(Parallel):
    kept: Any = None

    def step(self, actions):
        mover = self.possible_agents[self._asked] if self.agents else None
        observations, *rest = super().step(actions)
        if self.kept is not None and observations:
            for agent in observations:
                if agent != mover and agent in self.kept and not self.over:
                    observations[agent]["observation"] = self.kept[agent].copy()
        self.kept = {a: o["observation"].copy() for a, o in observations.items()}
        return (observations, *rest)


@mutant(30)
class EverybodyIsActive(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        return observations, rewards, terminations, truncations, {a: {**i, "active": 1} for a, i in infos.items()}


@mutant(checks=["check_infos"])
class InfosAreEmptyAtTheEnd(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        return observations, rewards, terminations, truncations, infos if self.agents else {a: {} for a in infos}


@mutant(checks=["check_results_are_fresh"])
class DictsAreKept(_Changed):
    def __init__(self, *args, **keywords):
        super().__init__(*args, **keywords)
        self.flags = dict.fromkeys(self.possible_agents, False)

    def changed(self, observations, rewards, terminations, truncations, infos):
        if self.agents:
            return observations, rewards, terminations, self.flags, infos
        return observations, rewards, terminations, truncations, infos


@mutant(checks=["check_results_are_fresh"])
class ObservationAndInfoShareTheMaskWithTheGame(Parallel):
    def _filled_mask(self, seat):
        return self._mask[0] if self._asked == seat else super()._filled_mask(seat)


@mutant(46)
class TheSeedIsIgnoredOnAUsedEnvironment(Parallel):
    def reset(self, seed=None, options=None):
        return super().reset(None if self._seeded and options is None else seed, options)


@mutant(50)
class PicklesLoseTheGame(Parallel):
    def __setstate__(self, saved):
        super().__setstate__(saved)
        self.reset(seed=0)


@mutant(7)
class TheLimitIsOneTooEarly(Parallel):
    def __init__(self, *args, max_cycles=None, **keywords):
        super().__init__(*args, max_cycles=max_cycles and max(1, max_cycles - 1), **keywords)


@mutant(16, 26)
class AForfeitIsATruncation(_Changed):
    def changed(self, observations, rewards, terminations, truncations, infos):
        if self._record.forfeit:
            return observations, rewards, truncations, terminations, infos
        return observations, rewards, terminations, truncations, infos


@mutant(37)
class TheStateIsTheSeatsView(Parallel):
    def state(self):
        return self.observe(self.possible_agents[0])["observation"].view(np.uint8)
