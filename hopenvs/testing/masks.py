"""Masks and legality: the mask is the rules, always there, and nothing else is taken for an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from hopenvs.core.errors import IllegalActionError
from hopenvs.testing.oracle import LONGEST, Frame, Trace, trace, traces
from hopenvs.testing.side import Side, differences, snapshot
from hopenvs.testing.suite import Make, bare, check, fail, holding, refused, same

NO_ACTIONS: tuple[Any, ...] = (
    None,
    1.0,
    np.float32(1),
    np.array(1.0),
    "0",
    True,
    np.bool_(True),
    [1],
    (1,),
    np.array([1]),
    {},
    1 + 0j,
    float("nan"),
    b"1",
)

INTEGERS = (int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, np.array)


@check("aec", "parallel", kinds=(17, 18, 19, 20, 21, 22, 28, 29), points=(1,), clauses=("C-4", "C-12"))
def check_masks_follow_the_rules(make: Make, *, games: int, seed: int) -> None:
    """Every agent's mask, in observations and infos, from reset on and after the end, is the one the rules give."""
    side = Side(make())
    for game in traces(side.env, games, seed):
        side.reset(seed=game.seed)
        for k, frame in side.follow(game):
            where = game.where(k)
            for seat, agent in enumerate(side.agents):
                expected = frame.masks[seat] if seat in frame.asked else np.full_like(frame.masks[seat], side.filler)
                same(f"the mask {agent} observes", side.observations[agent]["action_mask"], expected, where)
                same(f"the mask in infos of {agent}", side.infos[agent]["action_mask"], expected, where)
                again = side.env.observe(agent)["action_mask"]
                same(f"the mask of observe({agent!r})", again, expected, where)
                if seat in frame.asked and not expected.any():
                    fail(f"{where}: nothing is legal for {agent}, which is asked")


@check("aec", kinds=(17, 20, 21), points=(1,))
def check_last_shows_the_mask(make: Make, *, games: int, seed: int) -> None:
    """`last()` gives the mask twice, as int8 [A] apart from each other; `legal_actions()` lists the same."""
    env = make()
    for game in traces(env, games, seed):
        env.reset(seed=game.seed)
        for k, frame in enumerate(game.frames[:-1]):
            for j, (seat, action) in enumerate(zip(frame.asked, frame.actions, strict=True)):
                where = game.where(k)
                agent = env.possible_agents[seat]
                same("agent_selection", env.agent_selection, agent, where)
                observation, _, _, _, info = env.last()
                expected = frame.masks[seat]
                same("the mask in the observation", observation["action_mask"], expected, where)
                same("the mask in the info", info["action_mask"], expected, where)
                if np.shares_memory(observation["action_mask"], info["action_mask"]):
                    fail(f"{where}: observation and info share one mask of {agent}")
                legal = [int(a) for a in np.flatnonzero(expected)]
                same("legal_actions()", bare(env).legal_actions(), legal, where)
                same(f"legal_actions({agent!r})", bare(env).legal_actions(agent), legal, where)
                for other in frame.asked[:j]:
                    name = env.possible_agents[other]
                    same(
                        f"the mask of {name}, which has chosen",
                        env.observe(name)["action_mask"].any(),
                        np.False_,
                        where,
                    )
                same("the last() without observation", env.last(observe=False)[0], None, where)
                env.step(action)


@check("aec", "parallel", kinds=(21, 23, 31), points=(1,))
def check_masks_can_be_sampled(make: Make, *, games: int, seed: int) -> None:
    """`Discrete.sample(mask)` plays whole games, in which every step counts as legal (the readers' usual recipe)."""
    env = make(illegal="raise")
    agents = list(env.possible_agents)
    for number in range(games):
        given = env.reset(seed=seed + number)
        for agent in agents:
            env.action_space(agent).seed(seed + number)
        if hasattr(env, "agent_selection"):
            for agent in env.agent_iter(LONGEST):
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                mask = observation["action_mask"] if number % 2 else info["action_mask"]
                env.step(env.action_space(agent).sample(mask))
        else:
            observations = given[0]
            for _ in range(LONGEST):
                if not env.agents:
                    break
                actions = {a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents}
                observations = env.step(actions)[0]
        same("the agents in the end", list(env.agents), [], f"seed {seed + number}, sampled play")


def _moments(game: Trace) -> list[int]:
    """The first decision in every phase, and some others."""
    return sorted({*game.phases().values(), game.decisions // 3, game.decisions - 1})


def _unasked(side: Side, frame: Frame, action: Any) -> Any:
    """A step in which the last seat asked does `action`."""
    if not side.parallel:
        return side.env.step(action)
    moves = dict(zip(frame.asked, frame.actions, strict=True)) | {frame.asked[-1]: action}
    return side.env.step({side.agents[seat]: a for seat, a in moves.items()})


@check("aec", "parallel", kinds=(27, 7), clauses=("C-11",))
def check_illegal_actions_are_refused(make: Make, *, games: int, seed: int) -> None:
    """Whatever the mask forbids is refused by index, name, agent and phase, and the game goes on as if unasked."""
    side = Side(make(illegal="raise"))
    inner = bare(side.env)
    game = trace(side.env, seed)
    name = game.game.action_name
    moments = _moments(game)
    side.reset(seed=game.seed)
    for k, frame in side.follow(game):
        where = game.where(k)
        _expect_frame(side, frame, where)
        if frame.over or k not in moments:
            continue
        before = snapshot(side.env)
        mask = frame.masks[frame.asked[-1] if side.parallel else frame.asked[0]]
        agent = side.agents[frame.asked[-1] if side.parallel else frame.asked[0]]
        illegal = np.flatnonzero(mask == 0)
        for action in map(int, illegal):
            message = refused(f"the illegal action {action}", where, IllegalActionError, _unasked, side, frame, action)
            phase = inner.position()["phase"]
            legal = int(np.flatnonzero(mask)[0])
            for part in (agent, str(action), name(game.options, action), phase, name(game.options, legal)):
                if part not in message:
                    fail(f"{where}: the refusal of {action} doesn't name {part!r}: {message}")
        for action in (-1, len(mask), len(mask) + 7, -len(mask), 2**31, -(2**63), 2**64):
            message = refused(
                f"action {action}, which isn't in the catalogue",
                where,
                IllegalActionError,
                _unasked,
                side,
                frame,
                action,
            )
            for part in (agent, str(action)):
                if part not in message:
                    fail(f"{where}: the refusal of {action} doesn't name {part!r}: {message}")
        if snapshot(side.env) != before:
            fail(f"{where}: refused actions changed {differences(before, snapshot(side.env))}")


def _expect_frame(side: Side, frame: Frame, where: str) -> None:
    for seat, agent in enumerate(side.agents):
        same(f"what {agent} sees", side.observations[agent]["observation"], frame.observations[seat], where)


@check("aec", "parallel", kinds=(27, 59), points=(7,), clauses=("C-11",))
def check_only_integers_are_actions(make: Make, *, games: int, seed: int) -> None:
    """Any kind of integer is an action, 0-d arrays too; floats, bools, None, text and sequences are refused."""
    for mode in ("raise", "forfeit"):
        side = Side(make(illegal=mode))
        game = trace(side.env, seed)
        side.reset(seed=game.seed)
        for k, frame in side.follow(game):
            if frame.over:
                break
            _expect_frame(side, frame, f"illegal={mode!r}, {game.where(k)}")
            if k % 40 == 1:
                before = snapshot(side.env)
                for action in NO_ACTIONS:
                    refused(
                        f"{action!r} as an action",
                        f"illegal={mode!r}, {game.where(k)}",
                        (IllegalActionError, ValueError, TypeError),
                        _unasked,
                        side,
                        frame,
                        action,
                    )
                if snapshot(side.env) != before:
                    fail(f"{game.where(k)}: refused actions changed {differences(before, snapshot(side.env))}")
    side = Side(make())
    game = trace(side.env, seed)
    side.reset(seed=game.seed)
    for k, frame in enumerate(game.frames[:-1]):
        kinds = holding(frame.masks.shape[1], INTEGERS)
        kind: Any = kinds[k % len(kinds)]
        _expect_frame(side, frame, f"after actions as {kinds[k % len(kinds) - 1].__name__}, {game.where(k)}")
        moves = tuple(kind(action) for action in frame.actions)
        side.step(Frame(frame.current, frame.asked, frame.masks, frame.observations, frame.body, moves))


@check("aec", "parallel", kinds=(28,), clauses=("C-11",))
def check_unknown_agents_are_refused(make: Make, *, games: int, seed: int) -> None:
    """Questions about an agent that doesn't exist are refused, not answered."""
    side = Side(make())
    side.reset(seed=seed)
    for call in ("observe", "observation_space", "action_space"):
        for agent in ("player_99", "", 0, None):
            refused(f"{call}({agent!r})", f"seed {seed}", (ValueError, KeyError), getattr(side.env, call), agent)


@check("aec", "parallel", kinds=(20, 24), points=(5,), clauses=("C-5",))
def check_the_catalogue(make: Make, *, games: int, seed: int) -> None:
    """One flat Discrete(A) from 0; every action has a name of its own, which is read back."""
    env = make()
    inner = bare(env)
    for agent in env.possible_agents:
        n = int(env.action_space(agent).n)
        names = [inner.action_name(a) for a in range(n)]
        if len(set(names)) != n:
            twice = sorted({name for name in names if names.count(name) > 1})
            fail(f"{agent}: names that occur twice: {twice[:5]}")
        same(f"{agent}: parse_action of the names", [inner.parse_action(name) for name in names], list(range(n)), "")
        for beyond in (-1, n):
            refused(f"action_name({beyond})", agent, ValueError, inner.action_name, beyond)
        refused("parse_action of no name", agent, ValueError, inner.parse_action, "no such action")
