"""Rewards, endings and bookkeeping: what is paid is paid once, and every game ends by flags that say how."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from hopenvs.core.errors import IllegalActionError, OptionError
from hopenvs.core.state import Payoff
from hopenvs.testing.oracle import LONGEST, Trace, payoff_in_fractions, trace, traces
from hopenvs.testing.side import Side, differences, snapshot
from hopenvs.testing.suite import Make, bare, check, close, fail, refused, same

# A decision or a step on an ended game may be refused with any of these.
REFUSALS = (ValueError, AssertionError, KeyError, IndexError, RuntimeError)


# ---- rewards --------------------------------------------------------------------------------------------------------
@check("aec", kinds=(1, 2, 4, 5), clauses=("C-7",))
def check_rewards_are_read_once(make: Make, *, games: int, seed: int) -> None:
    """What `rewards` shows over all steps is what `last()` hands out, once, and it sums to zero."""
    env = make()
    for game in traces(env, games, seed):
        env.reset(seed=game.seed)
        agents = list(env.possible_agents)
        paid: dict[str, float] = dict.fromkeys(agents, 0.0)
        read: dict[str, float] = dict.fromkeys(agents, 0.0)
        flagged: Counter[str] = Counter()
        moves = iter([action for frame in game.frames for action in frame.actions])
        for turn in range(LONGEST):
            if not env.agents:
                break
            agent, where = env.agent_selection, f"{game.where(turn)}, {env.agent_selection}"
            _, reward, terminated, truncated, _ = env.last()
            read[agent] += reward
            close("what last() gave so far, against the sum of rewards", read[agent], paid[agent], where)
            if terminated or truncated:
                flagged[agent] += 1
                env.step(None)
            else:
                env.step(next(moves))
            for other, part in env.rewards.items():
                if not isinstance(part, (float, np.floating)):
                    fail(f"{where}: rewards[{other!r}] is {type(part).__name__} {part!r}, expected a float")
                paid[other] += float(part)
        for seat, agent in enumerate(agents):
            where = f"{game.where(game.decisions)}, {agent}"
            same("turns with a flag", flagged[agent], 1, where)
            close("the sum of rewards", paid[agent], game.rewards[seat], where)
            close("the sum of what last() gave", read[agent], game.rewards[seat], where)
        _expect_zero_sum(list(paid.values()), game)


def _expect_zero_sum(paid: list[float], game: Trace) -> None:
    where = game.where(game.decisions)
    close("the sum over all agents", sum(paid), 0.0, where)
    if any(game.rewards) and not (max(paid) > 0 > min(paid)):
        fail(f"{where}: expected somebody to win and somebody to lose, found {paid}")


@check("aec", "parallel", kinds=(1, 2, 5, 9, 36), points=(6,))
def check_rewards_come_at_the_end(make: Make, *, games: int, seed: int) -> None:
    """Every step pays floats to all agents, all of it in the step that ends the game."""
    side = Side(make())
    for game in traces(side.env, games, seed):
        side.reset(seed=game.seed)
        total = dict.fromkeys(side.agents, 0.0)
        for k, frame in side.follow(game):
            where = game.where(k)
            same("the agents that are paid", list(side.rewards), side.agents, where)
            for seat, agent in enumerate(side.agents):
                expected = float(game.rewards[seat]) if frame.over else 0.0
                same(f"the reward of {agent}", side.rewards[agent], expected, where)
                total[agent] += side.rewards[agent]
        _expect_zero_sum(list(total.values()), game)
        side.reset(seed=game.seed)
        _expect_new_game(side, game, f"reset right after {game.where(game.decisions)}")


@check("aec", kinds=(15,), clauses=("C-7",))
def check_payoffs(make: Make, *, games: int, seed: int) -> None:
    """Each scheme pays by winners, ranks or scores as C-7 says, within the range the game states."""
    usual = bare(make())
    spec = usual.game.spec(usual.options)
    for payoff in Payoff:
        if payoff == Payoff.SCORE and spec.score_range is None:
            continue
        name = payoff.name.lower()
        side = Side(make(reward=name))
        low, high = spec.reward_range(payoff)
        for game in traces(side.env, games, seed):
            side.play(game)
            expected = payoff_in_fractions(game, payoff)
            for seat, agent in enumerate(side.agents):
                where = f"reward={name!r}, {game.where(game.decisions)}, {agent}"
                close("the reward", side.rewards[agent], float(expected[seat]), where)
                if not low - 1e-9 <= side.rewards[agent] <= high + 1e-9:
                    fail(f"{where}: {side.rewards[agent]} is out of the stated range [{low}, {high}]")


# ---- flags ----------------------------------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(7, 8, 11, 12, 13), points=(2, 6))
def check_flags_follow_the_rules(make: Make, *, games: int, seed: int) -> None:
    """No flag before the end; there all agents terminate together, and none is truncated."""
    side = Side(make())
    for game in traces(side.env, games, seed):
        side.reset(seed=game.seed)
        for k, frame in side.follow(game):
            _expect_flags(side, game.where(k), frame.over and not game.truncated, frame.over and game.truncated)
            if side.parallel and frame.over:
                same("the agents", list(side.env.agents), [], game.where(k))
            else:
                same("the agents", list(side.env.agents), side.agents, game.where(k))


def _expect_flags(side: Side, where: str, terminated: bool, truncated: bool) -> None:
    for name, flags, expected in (
        ("terminations", side.terminations, terminated),
        ("truncations", side.truncations, truncated),
    ):
        same(f"the agents in {name}", list(flags), side.agents, where)
        for agent, flag in flags.items():
            same(f"{name}[{agent!r}]", flag, expected, where)


@check("aec", "parallel", kinds=(7, 12), clauses=("C-8",))
def check_limits_truncate(make: Make, *, games: int, seed: int) -> None:
    """A limit cuts the game off at its decision: truncated, nobody paid, ranks as the game stands."""
    full = trace(make(), seed)
    for limit in sorted({1, 2, full.decisions // 2, full.decisions - 1, full.decisions, full.decisions + 1}):
        if limit < 1:
            continue
        side = Side(make(max_cycles=limit))
        for _ in range(2 if limit == 2 else 1):  # the count begins anew with each game
            side.reset(seed=full.seed)
            for k, frame in side.follow(full, min(limit, full.decisions) + 1):
                where = f"max_cycles={limit}, {full.where(k)}"
                cut = k == limit and not frame.over
                _expect_flags(side, where, frame.over and not full.truncated, cut or (frame.over and full.truncated))
                if cut:
                    _expect_cut_off(side, full, k, where)
                    if not side.parallel:
                        _leave_all(side)
                    break


def _expect_cut_off(side: Side, game: Trace, k: int, where: str) -> None:
    ranks, scores = game.standing(k)
    for seat, agent in enumerate(side.agents):
        same(f"the reward of {agent}", side.rewards[agent], 0.0, where)
        info = side.infos[agent]
        found = {key: int(info[key]) for key in ("active", "rank", "score", "won", "truncated_by_max_turns")}
        expected = {"active": 0, "rank": ranks[seat], "score": scores[seat], "won": 0, "truncated_by_max_turns": 0}
        same(f"infos[{agent!r}]", found, expected, where)
        if not side.env.observation_space(agent).contains(side.observations[agent]):
            fail(f"{where}: the last observation of {agent} is outside its space")


def _leave_all(side: Side) -> None:
    while side.env.agents:
        side.env.step(None)


@check("aec", "parallel", kinds=(7, 12, 14), clauses=("C-8",))
def check_the_cap_truncates(make: Make, *, games: int, seed: int) -> None:
    """The rules' own cap on turns truncates, and infos tell it from other limits."""
    inner = bare(make())
    if inner.game.spec(inner.options).max_turns is None:
        return
    for cap in (1, 3):
        env = _capped(make, cap)
        if env is None:
            return
        side = Side(env)
        game = trace(side.env, seed)
        where = f"max_turns={cap}, {game.where(game.decisions)}"
        if not game.truncated:
            turn = game.walk_at(game.decisions).position()["turn"]
            if turn > cap or not any(game.winners):
                fail(f"{where}: expected the game on the core to be truncated, but it ended in turn {turn}")
            continue  # it was over before
        side.play(game)
        _expect_flags(side, where, terminated=False, truncated=True)
        for seat, agent in enumerate(side.agents):
            same(f"the reward of {agent}", side.rewards[agent], 0.0, where)
            info = side.infos[agent]
            found = {key: int(info[key]) for key in ("rank", "score", "won", "truncated_by_max_turns")}
            expected = {"rank": game.ranks[seat], "score": game.scores[seat], "won": 0, "truncated_by_max_turns": 1}
            same(f"infos[{agent!r}]", found, expected, where)


def _capped(make: Make, cap: int) -> Any:
    """An environment of games of so many turns at most; None if the id says how many."""
    try:
        return make(max_turns=cap)
    except OptionError:
        return None


@check("aec", kinds=(7, 14), clauses=("C-8",))
def check_stubborn_play_ends(make: Make, *, games: int, seed: int) -> None:
    """Play that goes round in circles ends too, by the cap on turns if there is one."""
    inner = bare(make())
    cap = 30 if inner.game.spec(inner.options).max_turns is not None else None
    env = _capped(make, cap) if cap else None
    bound = 200 * cap if cap and env is not None else LONGEST
    env = make() if env is None else env
    for name, choose in (("the first", _first), ("the last", _last), ("the most trodden", _most_trodden)):
        env.reset(seed=seed)
        trodden: Counter[bytes] = Counter()
        for taken in range(bound + 1):
            if all(env.terminations[a] or env.truncations[a] for a in env.agents):
                break
            if taken == bound:
                fail(f"seed {seed}, always {name} legal action: no end after {bound} decisions")
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(choose(env, legal, trodden))
        while env.agents:
            env.step(None)


def _first(env: Any, legal: np.ndarray, trodden: Counter[bytes]) -> int:
    return int(legal[0])


def _last(env: Any, legal: np.ndarray, trodden: Counter[bytes]) -> int:
    return int(legal[-1])


def _most_trodden(env: Any, legal: np.ndarray, trodden: Counter[bytes]) -> int:
    """The action (of the first few) after which the mover sees what it has seen most often."""
    agent = env.agent_selection
    best, most = int(legal[0]), -1
    for action in legal[:4]:
        twin = bare(env).clone()
        twin.step(int(action))
        seen = trodden[twin.observe(agent)["observation"].tobytes()]
        if seen > most:
            best, most = int(action), seen
    trodden[env.observe(agent)["observation"].tobytes()] += 1
    return best


# ---- after the end --------------------------------------------------------------------------------------------------
@check("aec", kinds=(2, 3, 6, 11, 38), points=(2,))
def check_ended_agents_leave_one_by_one(make: Make, *, games: int, seed: int) -> None:
    """After the end every agent gets one turn, in which None is all it may do; then it's gone for good."""
    side = Side(make())
    env = side.env
    for game in traces(env, games, seed):
        side.play(game)
        last = game.frames[-1]
        where = game.where(game.decisions)
        gone: list[str] = []
        while env.agents:
            agent = env.agent_selection
            if agent not in env.agents or agent in gone:
                fail(f"{where}: agent_selection is {agent}, expected one of {env.agents}")
            before = snapshot(env)
            refused(f"an action of {agent}, which has ended", where, REFUSALS, env.step, 0)
            after = snapshot(env)
            if before != after:
                fail(f"{where}: refusing an action of {agent} changed {differences(before, after)}")
            observation, reward, terminated, truncated, info = env.last()
            seat = side.agents.index(agent)
            same(f"the last observation of {agent}", observation["observation"], last.observations[seat], where)
            close(f"the reward read by {agent}", reward, game.rewards[seat], where)
            same(f"the flags of {agent}", (terminated, truncated), (not game.truncated, game.truncated), where)
            same("infos hold its rank", int(info["rank"]), game.ranks[seat], where)
            env.step(None)
            gone.append(agent)
            same("the agents left", list(env.agents), [a for a in side.agents if a not in gone], where)
            for name in ("rewards", "terminations", "truncations", "infos"):
                same(f"the agents in {name}", list(getattr(env, name)), list(env.agents), where)
            same("rewards of those that are left", set(env.rewards.values()) - {0.0}, set(), where)
            for other in side.agents:
                seen = env.observe(other)["observation"]
                same(f"what {other} sees", seen, last.observations[side.agents.index(other)], where)
        same("everybody had a turn", sorted(gone), sorted(side.agents), where)


def _expect_new_game(side: Side, game: Trace, where: str) -> None:
    """Nothing is left of the game before."""
    same("the agents", list(side.env.agents), side.agents, where)
    _expect_flags(side, where, terminated=False, truncated=False)
    for agent in side.agents:
        same(f"the reward of {agent}", side.rewards[agent], 0.0, where)
    if not side.parallel:
        first = side.agents[game.frames[0].asked[0]]
        same("agent_selection", side.env.agent_selection, first, where)
        same("what last() collected", side.env.last()[1], 0.0, where)


@check("aec", "parallel", kinds=(1, 11, 26, 61), clauses=("C-11",))
def check_after_the_end(make: Make, *, games: int, seed: int) -> None:
    """An ended game takes no step (parallel: gives five empty dicts); reset() begins a game like any other."""
    side = Side(make())
    env = side.env
    refused("a step before reset()", "a new environment", REFUSALS, env.step, {} if side.parallel else 0)
    for game in traces(env, games, seed):
        side.play(game)
        where = game.where(game.decisions)
        if side.parallel:
            before = snapshot(env)
            same("a step after the end", env.step({}), ({}, {}, {}, {}, {}), where)
            same("a step after the end", env.step(dict.fromkeys(side.agents, 0)), ({}, {}, {}, {}, {}), where)
        else:
            _leave_all(side)
            before = snapshot(env)
            for action in (None, 0):
                refused(f"step({action})", f"{where}, after the end", REFUSALS, env.step, action)
        if snapshot(env) != before:
            fail(f"{where}: a step after the end changed {differences(before, snapshot(env))}")
        side.reset(seed=game.seed)
        _expect_new_game(side, game, f"reset after {where}")
        for k, frame in side.follow(game, min(20, game.decisions)):
            for seat, agent in enumerate(side.agents):
                same(
                    f"what {agent} sees in the next game",
                    side.observations[agent]["observation"],
                    frame.observations[seat],
                    game.where(k),
                )


# ---- illegal actions that end the game ------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(16, 26), clauses=("C-11",))
def check_forfeits(make: Make, *, games: int, seed: int) -> None:
    """illegal='forfeit': in every phase an illegal action ends the game, by the stated payoff, and leaves no trace."""
    side = Side(make(illegal="forfeit"))
    env = side.env
    inner = bare(env)
    game = trace(env, seed)
    n = len(side.agents)
    for phase, k in game.phases().items():
        frame = game.frames[k]
        seat = frame.asked[-1]
        illegal = np.flatnonzero(frame.masks[seat] == 0)
        actions = [-1, frame.masks.shape[1], *(int(a) for a in illegal[:1])]
        for action in actions:
            where = f"phase {phase!r}, {game.where(k)}, illegal action {action}"
            side.play(game, k)
            position = inner.position()
            scores = game.standing(k)[1]
            moves = dict(zip(frame.asked, frame.actions, strict=True)) | {seat: action}
            _step_all(side, moves)
            _expect_flags(side, where, terminated=True, truncated=False)
            for other, agent in enumerate(side.agents):
                guilty = other == seat
                close(f"the reward of {agent}", side.rewards[agent], -1.0 if guilty else 1 / (n - 1), where)
                info = side.infos[agent]
                found = {key: int(info[key]) for key in ("active", "rank", "score", "won", "truncated_by_max_turns")}
                expected = {
                    "active": 0,
                    "rank": n if guilty else 1,
                    "score": scores[other],
                    "won": int(not guilty),
                    "truncated_by_max_turns": 0,
                }
                same(f"infos[{agent!r}]", found, expected, where)
                if not env.observation_space(agent).contains(side.observations[agent]):
                    fail(f"{where}: the last observation of {agent} is outside its space")
            _expect_standing_position(inner.position(), position, [s for s in range(n) if s != seat], where)
            if not side.parallel:
                _expect_drain(side, where)
            side.reset(seed=game.seed)
            _expect_new_game(side, game, f"reset after {where}")
            side.play(game)
            for other, agent in enumerate(side.agents):
                close(f"the reward of {agent} in the next game", side.rewards[agent], game.rewards[other], where)


def _step_all(side: Side, moves: dict[int, int]) -> None:
    """Moves by seat, whatever they are."""
    if side.parallel:
        given = side.env.step({side.agents[seat]: action for seat, action in moves.items()})
        side.observations, side.rewards, side.terminations, side.truncations, side.infos = given
        return
    for seat, action in moves.items():
        same("agent_selection", side.env.agent_selection, side.agents[seat], "before an illegal action")
        side.env.step(action)
    side.read()


def _expect_standing_position(found: dict[str, Any], before: dict[str, Any], winners: list[int], where: str) -> None:
    """C-11: everything stands as it stood, but that the game is over and the others have won."""
    changed = {key for key in {**found, **before} if found.get(key) != before.get(key)}
    if not {"phase", "to_play"} <= changed | {"to_play"} or changed - {"phase", "to_play", "winners"}:
        fail(f"{where}: a forfeit changed {sorted(changed)} of the position, expected phase, to_play and winners")
    same("phase and to_play", (found["phase"], found.get("to_play")), ("over", None), where)
    same("winners", found["winners"], winners, where)


def _expect_drain(side: Side, where: str) -> None:
    gone = []
    while side.env.agents:
        gone.append(side.env.agent_selection)
        if gone.count(gone[-1]) > 1:
            fail(f"{where}: {gone[-1]} got a second last turn")
        side.env.step(None)
    same("everybody had a last turn", sorted(gone), sorted(side.agents), where)


# ---- parallel -------------------------------------------------------------------------------------------------------
@check("parallel", kinds=(8, 9, 63), points=(6,), clauses=("C-12",))
def check_parallel_dicts_hold_everybody(make: Make, *, games: int, seed: int) -> None:
    """Each of the five dicts holds exactly the agents that were there when the step began, the last step too."""
    side = Side(make())
    for game in traces(side.env, games, seed):
        side.reset(seed=game.seed)
        for k, _ in side.follow(game):
            for name in ("observations", "rewards", "terminations", "truncations", "infos"):
                same(f"the agents in {name}", list(getattr(side, name)), side.agents, game.where(k))


@check("parallel", kinds=(8, 66), clauses=("C-11", "C-12"))
def check_parallel_actions(make: Make, *, games: int, seed: int) -> None:
    """Idle agents' actions are ignored, whatever they are; a missing or unknown agent is refused."""
    side = Side(make())
    env = side.env
    game = trace(env, seed)
    side.reset(seed=game.seed)
    junk = [0, -5, 10**6, None, 1.5, "x", np.int64(3)]
    for k, frame in side.follow(game):
        if frame.over:
            break
        where = game.where(k)
        before = snapshot(env)
        asked = {side.agents[seat]: a for seat, a in zip(frame.asked, frame.actions, strict=True)}
        idle = [agent for agent in side.agents if agent not in asked]
        if k % 7 == 0:
            refused("no action of the agent asked", where, (IllegalActionError, ValueError), env.step, {})
            if idle:
                refused(
                    "actions of idle agents alone",
                    where,
                    (IllegalActionError, ValueError),
                    env.step,
                    dict.fromkeys(idle, 0),
                )
            refused(
                "an action of an unknown agent",
                where,
                (IllegalActionError, ValueError),
                env.step,
                {**asked, "player_99": 0},
            )
            if snapshot(env) != before:
                fail(f"{where}: a refused step changed {differences(before, snapshot(env))}")
        everybody = {agent: asked.get(agent, junk[(k + i) % len(junk)]) for i, agent in enumerate(side.agents)}
        twin = bare(env).clone()
        found = twin.step(everybody)
        for seat, agent in enumerate(side.agents):
            expected = game.frames[k + 1].observations[seat]
            same(f"what {agent} sees after a step of all agents", found[0][agent]["observation"], expected, where)


@check("aec", "parallel", kinds=(2, 12), clauses=("C-8", "C-12"))
def check_starting_at_an_end(make: Make, *, games: int, seed: int) -> None:
    """A game that is set up at its end has ended: flags, rewards and infos as if it had been played."""
    side = Side(make())
    game = trace(side.env, seed)
    walk = game.walk_at(game.decisions)
    side.reset(seed=seed, options={"position": walk.position()})
    where = f"set up at the end of {game.where(game.decisions)}"
    for seat, agent in enumerate(side.agents):
        same(f"the rank of {agent}", int(side.infos[agent]["rank"]), game.ranks[seat], where)
        same(f"what {agent} sees", side.observations[agent]["observation"], game.frames[-1].observations[seat], where)
    if side.parallel:
        same("the agents", list(side.env.agents), [], where)
        return
    _expect_flags(side, where, not game.truncated, game.truncated)
    for seat, agent in enumerate(side.agents):
        close(f"the reward of {agent}", side.rewards[agent], game.rewards[seat], where)
    _expect_drain(side, where)
