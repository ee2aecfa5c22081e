"""Observations, spaces, infos and the state: in their spaces, fresh, pure, and blind to what is hidden."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces

from hopenvs.core import rng, state
from hopenvs.core.options import changed_options
from hopenvs.core.state import GENERATOR_BYTES, SIMULTANEOUS
from hopenvs.core.walk import Walk
from hopenvs.testing.oracle import Trace, standing, trace, traces
from hopenvs.testing.side import Side, differences, snapshot
from hopenvs.testing.suite import Make, bare, check, fail, refused, refused_before_reset, same

DTYPES = ("int8", "uint8", "int32", "int64", "float32")
# So many bytes of a state are spoilt, one by one: every byte of a small one.
SPOILT_BYTES = 600
INFO_KEYS = ("action_mask", "active", "rank", "score", "won", "truncated_by_max_turns")


# ---- observations ---------------------------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(32, 34, 38, 39), points=(1, 4), clauses=("C-10",))
def check_observations_follow_the_rules(make: Make, *, games: int, seed: int) -> None:
    """Every agent sees, at every moment and after the end, what the rules show its seat, within its space."""
    side = Side(make())
    for game in traces(side.env, games, seed):
        side.reset(seed=game.seed)
        for k, frame in side.follow(game):
            where = game.where(k)
            for seat, agent in enumerate(side.agents):
                for how, seen in (("given", side.observations[agent]), ("observe()", side.env.observe(agent))):
                    same(f"the keys that {agent} sees ({how})", sorted(seen), ["action_mask", "observation"], where)
                    same(f"what {agent} sees ({how})", seen["observation"], frame.observations[seat], where)
                    if not side.env.observation_space(agent).contains(seen):
                        fail(f"{where}: what {agent} sees ({how}) is outside its observation space")


@check("aec", "parallel", kinds=(34, 35, 39, 41, 43, 44, 49), points=(5, 8))
def check_spaces(make: Make, *, games: int, seed: int) -> None:
    """The same space object on each call, equal for all agents, of plain kinds, and no other after a game."""
    side = Side(make())
    env = side.env
    same("the agents' names", side.agents, [f"player_{seat}" for seat in range(len(side.agents))], "possible_agents")
    before: dict[str, tuple[Any, Any]] = {
        agent: (env.observation_space(agent), env.action_space(agent)) for agent in side.agents
    }
    for agent, (seen, done) in before.items():
        if not isinstance(seen, spaces.Dict) or sorted(seen.spaces) != ["action_mask", "observation"]:
            fail(f"{agent}: expected Dict(observation, action_mask), found {seen}")
        _expect_box(seen["observation"], f"{agent}, observation")
        _expect_box(seen["action_mask"], f"{agent}, action_mask")
        if type(done) is not spaces.Discrete or done.start != 0:
            fail(f"{agent}: expected Discrete(A) from 0, found {done}")
        same(f"the mask's shape of {agent}", seen["action_mask"].shape, (int(done.n),), "observation_space")
        same(f"the mask's dtype of {agent}", seen["action_mask"].dtype, np.dtype(np.int8), "observation_space")
        box: Any = seen["action_mask"]
        if (box.low != 0).any() or (box.high != 1).any():
            fail(f"{agent}: a mask holds 0 and 1, but its space is {box}")
        if seen != before[side.agents[0]][0] or done != before[side.agents[0]][1]:
            fail(f"the spaces of {agent} are not those of {side.agents[0]}")
    _expect_layout(bare(env), before[side.agents[0]][0]["observation"])
    side.play(trace(env, seed))
    side.reset()
    for agent, (seen, done) in before.items():
        if env.observation_space(agent) is not seen or env.action_space(agent) is not done:
            fail(f"{agent}: another space object than before the game")
        if env.observation_spaces[agent] is not seen or env.action_spaces[agent] is not done:
            fail(f"{agent}: observation_spaces, action_spaces hold other objects than the functions give")


def _expect_box(box: Any, where: str) -> None:
    if type(box) is not spaces.Box or len(box.shape) != 1:
        fail(f"{where}: expected a Box of one dimension, found {box}")
    if box.dtype.name not in DTYPES:
        fail(f"{where}: dtype {box.dtype}, expected one of {', '.join(DTYPES)}")
    if any(type(n) is not int for n in box.shape):
        fail(f"{where}: the shape {box.shape!r} isn't made of Python ints")


def _expect_layout(env: Any, box: spaces.Box) -> None:
    """Sections tile the observation in order, with Python ints, and their bounds are the space's."""
    end = 0
    sections = {section.name: section for section in env.game.spec(env.options).sections}
    same("the sections", list(env.observation_layout), list(sections), "observation_layout")
    for name, (part, shape) in env.observation_layout.items():
        where = f"observation_layout[{name!r}]"
        if any(type(n) is not int for n in (part.start, part.stop, *shape)):
            fail(f"{where}: {part}, {shape} aren't Python ints")
        same("the begin", part.start, end, where)
        end = part.stop
        same("the size", int(np.prod(shape)), part.stop - part.start, where)
        for bound, value in ((box.low, sections[name].low), (box.high, sections[name].high)):
            if (bound[part] != value).any():
                fail(f"{where}: the space's bounds aren't {sections[name].low} to {sections[name].high}")
    same("the end of the last section", end, box.shape[0], "observation_layout")


@check("aec", kinds=(32, 34), clauses=("C-9",))
def check_observations_tell_positions_apart(make: Make, *, games: int, seed: int) -> None:
    """A seat that sees the same knows the same: in games of perfect information equal observations are equal keys."""
    env = make()
    inner = bare(env)
    spec = inner.game.spec(inner.options)
    if not spec.perfect_information:
        return
    seen: dict[tuple[int, bytes], tuple[bytes, str]] = {}
    for game in traces(env, 2 * games, seed):
        batch = game.batch()
        for k, key in enumerate(batch.keys()):
            frame = game.frames[k]
            if frame.over:
                continue
            for seat in game.seats:
                found = seen.setdefault((seat, frame.observations[seat].tobytes()), (key, game.where(k)))
                if found[0] != key:
                    fail(f"seat {seat} sees the same in two positions: {found[1]} and {game.where(k)}")


@check("aec", kinds=(34, 37), clauses=("C-9",))
def check_equal_keys_are_one_position(make: Make, *, games: int, seed: int) -> None:
    """Positions of one key look alike to every seat, which may do the same in them."""
    seen: dict[bytes, tuple[bytes, bytes, str]] = {}
    for game in traces(make(), 2 * games, seed):
        for k, (key, frame) in enumerate(zip(game.batch().keys(), game.frames, strict=True)):
            if frame.over:
                continue
            views = (frame.observations.tobytes(), frame.masks.tobytes(), game.where(k))
            found = seen.setdefault(key, views)
            if found[:2] != views[:2]:
                what = "observations" if found[0] != views[0] else "masks"
                fail(f"two positions of one key have different {what}: {found[2]} and {game.where(k)}")


@check("aec", "parallel", kinds=(33,), clauses=("C-9",))
def check_hidden_things_stay_hidden(make: Make, *, games: int, seed: int) -> None:
    """What a seat can't know changes neither what it sees, nor its mask, nor its info; and there is such a thing."""
    side = Side(make())
    inner = bare(side.env)
    spec = inner.game.spec(inner.options)
    redrawn = 0
    for game in traces(side.env, games, seed):
        batch = game.batch()
        rows = list(range(game.decisions))
        for seat, agent in enumerate(side.agents):
            twin = batch.copy()
            streams = np.stack([rng.generator(k, rng.PLAYOUT) for k in range(batch.num_rows)])
            twin.resample_hidden(np.full(batch.num_rows, seat, np.int32), streams)
            masks, observations = twin.view(rows, [seat] * len(rows))
            for k in rows:
                same(
                    f"what {agent} sees",
                    observations[k],
                    game.frames[k].observations[seat],
                    f"{game.where(k)}, hidden things redrawn",
                )
                same(f"the mask of {agent}", masks[k], game.frames[k].masks[seat], f"{game.where(k)}, redrawn")
            redrawn += sum(a != b for a, b in zip(batch.keys(), twin.keys(), strict=True))
            if spec.perfect_information:
                continue
            k = game.decisions // 2
            seen = []
            for states in (batch.states, twin.states):
                side.reset(seed=seed)
                inner.set_state(state.body(states)[k])
                seen.append({key: np.asarray(side.env.observe(agent)[key]).tolist() for key in ("observation",)})
                if hasattr(side.env, "infos"):
                    seen[-1] |= {key: np.asarray(v).tolist() for key, v in side.env.infos[agent].items()}
            same(f"observation and info of {agent}", seen[1], seen[0], f"{game.where(k)}, hidden things redrawn")
    if spec.perfect_information and redrawn:
        fail(f"resample_hidden changes {redrawn} positions of a game of perfect information")
    if not spec.perfect_information and not redrawn:
        fail("resample_hidden changes nothing, but the game says that some seats know more than others")


@check("aec", "parallel", kinds=(28, 32), points=(4,))
def check_observe_is_pure(make: Make, *, games: int, seed: int) -> None:
    """Looking, as often as one likes and in any order, changes nothing, not even chance to come."""
    side = Side(make())
    env = side.env
    game = trace(env, seed)
    side.reset(seed=game.seed)
    for k, frame in side.follow(game):
        where = game.where(k)
        for seat, agent in enumerate(side.agents):
            same(f"what {agent} sees", side.observations[agent]["observation"], frame.observations[seat], where)
        if k % 5 == 0:
            before = snapshot(env)
            for agent in reversed(side.agents):
                env.observe(agent)
                env.observe(agent)
            env.state()
            if not side.parallel:
                env.last()
            bare(env).position()
            bare(env).legal_actions() if not side.parallel else None
            after = snapshot(env)
            if before != after:
                fail(f"{where}: looking changed {differences(before, after)}")


# ---- fresh ----------------------------------------------------------------------------------------------------------
def _spoil(value: Any) -> None:
    """Overwrite what was handed out, as deep as it goes."""
    if isinstance(value, np.ndarray):
        if value.flags.writeable:
            value[...] = np.where(value == 0, 1, 0).astype(value.dtype)
    elif isinstance(value, dict):
        for part in value.values():
            _spoil(part)
        value["__all__"] = "spoilt"
        for key in list(value):
            if key != "__all__":
                value[key] = None
    elif isinstance(value, list):
        for part in value:
            _spoil(part)
        value.clear()


@check("aec", "parallel", kinds=(1, 4), points=(3,))
def check_results_are_fresh(make: Make, *, games: int, seed: int) -> None:
    """Callers may overwrite all that they are given: neither the game nor what is given next notices."""
    side = Side(make(illegal="raise"))
    env = side.env
    game = trace(env, seed)
    side.reset(seed=game.seed)
    read: dict[str, float] = dict.fromkeys(side.agents, 0.0)
    for k, frame in side.follow(game):
        where = f"{game.where(k)}, after overwriting what was given before"
        for seat, agent in enumerate(side.agents):
            same(f"what {agent} sees", side.observations[agent]["observation"], frame.observations[seat], where)
            expected = frame.masks[seat] if seat in frame.asked else np.full_like(frame.masks[seat], side.filler)
            same(f"the mask of {agent}", side.observations[agent]["action_mask"], expected, where)
            same(f"the keys of infos[{agent!r}]", tuple(side.infos[agent]), INFO_KEYS, where)
            same(f"the mask in the info of {agent}", side.infos[agent]["action_mask"], expected, where)
            same(
                f"the flags of {agent}",
                (side.terminations[agent], side.truncations[agent]),
                (frame.over and not game.truncated, frame.over and game.truncated),
                where,
            )
            read[agent] += side.rewards[agent]
        for name in ("observations", "infos"):
            _spoil(getattr(side, name))
        if side.parallel:
            for name in ("rewards", "terminations", "truncations"):
                _spoil(getattr(side, name))
        else:
            observation, _, _, _, info = env.last()
            _spoil(observation)
            _spoil(info)
        _spoil(env.state())
        same("state()", env.state(), frame.body, where)
        _spoil(bare(env).position())
        for agent in side.agents:
            _spoil(env.observe(agent))
        for seat, agent in enumerate(side.agents):
            same(f"what observe({agent!r}) gives", env.observe(agent)["observation"], frame.observations[seat], where)
        if not side.parallel and not frame.over:
            illegal = np.flatnonzero(frame.masks[frame.asked[0]] == 0)
            legal = [int(a) for a in np.flatnonzero(frame.masks[frame.asked[0]])]
            same("legal_actions()", bare(env).legal_actions(), legal, where)
            if len(illegal) and k % 25 == 0:
                refused("an illegal action", where, ValueError, env.step, int(illegal[0]))
    for seat, agent in enumerate(side.agents):
        same(f"the sum of rewards of {agent}", read[agent], float(game.rewards[seat]), game.where(game.decisions))


# ---- infos ----------------------------------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(30, 36), points=(6,), clauses=("C-12",))
def check_infos(make: Make, *, games: int, seed: int) -> None:
    """The same numeric keys from reset to end: who is asked, and at the end rank, score and who won."""
    side = Side(make())
    for game in traces(side.env, games, seed):
        side.reset(seed=game.seed)
        kinds: dict[str, type] = {}
        for k, frame in side.follow(game):
            where = game.where(k)
            same("the agents in infos", list(side.infos), side.agents, where)
            for seat, agent in enumerate(side.agents):
                info = side.infos[agent]
                same(f"the keys of infos[{agent!r}]", tuple(info), INFO_KEYS, where)
                expected = {
                    "active": int(seat in frame.asked),
                    "rank": game.ranks[seat] if frame.over else 0,
                    "score": game.scores[seat] if frame.over else 0,
                    "won": game.winners[seat] if frame.over else 0,
                    "truncated_by_max_turns": int(frame.over and game.truncated),
                }
                for key, value in expected.items():
                    if isinstance(info[key], (bool, np.bool_)) or not isinstance(info[key], (int, np.integer)):
                        fail(f"{where}: infos[{agent!r}][{key!r}] is {type(info[key]).__name__}, expected an integer")
                    if int(info[key]) != value:
                        fail(f"{where}: infos[{agent!r}][{key!r}]: expected {value}, found {info[key]}")
                    if kinds.setdefault(key, type(info[key])) is not type(info[key]):
                        fail(f"{where}: infos[{agent!r}][{key!r}] was {kinds[key]}, is {type(info[key])}")


# ---- the state ------------------------------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(37,), clauses=("C-14",))
def check_state(make: Make, *, games: int, seed: int) -> None:
    """`state()` lies in `state_space`, is the whole record but its generator, fresh, and changes with each decision."""
    side = Side(make())
    env = side.env
    game = trace(env, seed)
    if not callable(env.state):
        fail("state is no function")
    inner = bare(env)
    dtype = state.state_dtype(inner.game.spec(inner.options).record_seats, inner.game.fields(inner.options))
    same(
        "bytes of the record that belong to a field",
        _bytes_of_fields(dtype),
        dtype.itemsize,
        "NumPy's copies leave other bytes undefined",
    )
    same("the shape of state_space", env.state_space.shape, game.frames[0].body.shape, "state_space")
    side.reset(seed=game.seed)
    before = b""
    for k, frame in side.follow(game):
        where = game.where(k)
        found = env.state()
        same("state()", found, frame.body, where)
        if not env.state_space.contains(found):
            fail(f"{where}: state() is outside state_space")
        if found.tobytes() == before:
            fail(f"{where}: state() is as before the decision")
        before = found.tobytes()
    side.reset(seed=seed + 1)
    position = game.walk_at(game.decisions // 2).position()
    states = []
    for other in (seed + 2, seed + 3):
        side.reset(seed=other, options={"position": position})
        states.append(env.state())
    same("state() of one position under two seeds", states[1], states[0], "reset(seed, position)")


def _bytes_of_fields(dtype: np.dtype[Any]) -> int:
    fields: Any = dtype.fields
    return sum(int(fields[name][0].itemsize) for name in dtype.names or ())


@check("aec", "parallel", kinds=(37, 46), clauses=("C-14",))
def check_set_state(make: Make, *, games: int, seed: int) -> None:
    """`set_state` brings back all but the generator: what every agent sees, whom it asks, flags, rewards, infos."""
    side = Side(make())
    game = trace(side.env, seed)
    other = Side(make())
    other.reset(seed=seed + 1)
    side.reset(seed=game.seed)
    for k, frame in side.follow(game):
        if k % 3 and not frame.over and k < game.decisions - 3:
            continue
        where = f"{game.where(k)}, set by set_state"
        bare(other.env).set_state(side.env.state())
        same("state()", other.env.state(), frame.body, where)
        for seat, agent in enumerate(side.agents):
            seen = other.env.observe(agent)
            same(f"what {agent} sees", seen["observation"], frame.observations[seat], where)
            expected = frame.masks[seat] if seat in frame.asked else np.full_like(frame.masks[seat], side.filler)
            same(f"the mask of {agent}", seen["action_mask"], expected, where)
        if side.parallel:
            same("the agents", list(other.env.agents), [] if frame.over else side.agents, where)
            continue
        for name in ("agents", "rewards", "terminations", "truncations"):
            same(name, getattr(other.env, name), getattr(side.env, name), where)
        if not frame.over:
            same("agent_selection", other.env.agent_selection, side.env.agent_selection, where)
        found, expected_infos = (
            {a: {key: np.asarray(v).tolist() for key, v in info.items()} for a, info in e.infos.items()}
            for e in (other.env, side.env)
        )
        same("infos", found, expected_infos, where)


@check("aec", "parallel", kinds=(37, 27), clauses=("C-6", "C-11"))
def check_set_state_refuses_nonsense(make: Make, *, games: int, seed: int) -> None:
    """What is no state is refused and changes nothing; what is taken is the game that its position says."""
    env = make()
    side = Side(env)
    inner = bare(env)
    game = trace(env, seed)
    random = np.random.default_rng(seed)
    size = env.state_space.shape[0]
    k = game.decisions // 2
    side.play(game, k)
    where = game.where(k)
    before = snapshot(env)
    nonsense: list[tuple[str, Any]] = [
        ("zeros", np.zeros(size, np.uint8)),
        ("ones", np.full(size, 255, np.uint8)),
        ("noise", random.integers(0, 256, size, np.uint8)),
        ("a short state", env.state()[:-1]),
        ("a state with its generator", np.zeros(size + GENERATOR_BYTES, np.uint8)),
        ("floats", env.state().astype(np.float32)),
        ("int8", env.state().view(np.int8)),
        ("None", None),
        ("bytes", env.state().tobytes()),
    ]
    for what, given in nonsense:
        refused(f"set_state of {what}", where, (ValueError, TypeError), inner.set_state, given)
        if snapshot(env) != before:
            fail(f"{where}: refusing {what} changed {differences(before, snapshot(env))}")
    walk = Walk(inner.game, inner.options)
    walk.start(0)
    longer = -(-size // SPOILT_BYTES)  # in a large state every few bytes only, others each time
    for moment, stride in ((game.decisions // 8, 2 * longer), (k, longer), (game.decisions - 1, 5 * longer)):
        for at in range(int(random.integers(longer)) if longer > 1 else 0, size, stride):
            spoilt = game.frames[moment].body.copy()
            spoilt[at] ^= (1, 2, 4, 128, 255)[int(random.integers(5))]
            try:
                inner.set_state(spoilt)
            except ValueError:
                continue
            _expect_what_it_says(side, walk, f"{game.where(moment)}, byte {at} of the state spoilt and accepted")


def _expect_what_it_says(side: Side, walk: Walk, where: str) -> None:
    """Whom the environment asks, its masks and observations are those of its position, set up anew."""
    inner = bare(side.env)
    position = inner.position()
    if position["phase"] == "over":
        return
    walk.start_from(position)
    for seat, agent in enumerate(side.agents):
        mask, observation = walk.batch.view((0,), (seat,))
        seen = side.env.observe(agent)
        same(f"what {agent} sees", seen["observation"], observation[0], where)
        if mask[0].any():
            same(f"the mask of {agent}", seen["action_mask"], mask[0], where)
    if walk.current_player != SIMULTANEOUS and not side.parallel:
        same("the agent asked", inner.agent_selection, side.agents[walk.current_player], where)
    loaded = walk.states.copy()
    state.body(loaded)[0] = inner.state()
    expected = _key_and_standing(walk)
    walk.batch.load(loaded)
    same("key, scores and ranks", _key_and_standing(walk), expected, where)


def _key_and_standing(walk: Walk) -> tuple[Any, ...]:
    return (walk.batch.keys()[0], *standing(walk))


@check("aec", "parallel", kinds=(38,))
def check_before_reset(make: Make, *, games: int, seed: int) -> None:
    """Before the first reset there is nothing to look at, and whoever asks is told so."""
    env = make()
    inner = bare(env)
    same("the agents", list(env.agents), [], "before the first reset")
    refused_before_reset("observe()", inner.observe, env.possible_agents[0])
    refused_before_reset("position()", inner.position)


# ---- beginning anywhere ---------------------------------------------------------------------------------------------
@check("aec", "parallel", kinds=(17,), points=(7,), clauses=("C-6", "C-13"))
def check_reset_options(make: Make, *, games: int, seed: int) -> None:
    """`reset` begins at a position or a record, ignores keys it doesn't know, and refuses nonsense unchanged."""
    side = Side(make())
    env = side.env
    inner = bare(env)
    game = trace(env, seed)
    for options in (None, {}, {"options": 1}, {"position": None, "record": None}, {"unknown": object()}):
        side.reset(seed=game.seed, options=options)
        _expect_first_frames(side, game, f"options={options}")
    k = game.decisions // 2
    frame = game.frames[k]
    position = game.walk_at(k).position()
    side.reset(seed=seed, options={"position": json.loads(json.dumps(position))})
    where = f"reset to the position of {game.where(k)}"
    for seat, agent in enumerate(side.agents):
        same(f"what {agent} sees", side.observations[agent]["observation"], frame.observations[seat], where)
        if seat in frame.asked:
            same(f"the mask of {agent}", side.observations[agent]["action_mask"], frame.masks[seat], where)
    same("position()", inner.position(), position, where)
    record = _record_of(game, k)
    side.reset(seed=seed, options={"record": record})
    same("state() after a record", env.state(), frame.body, f"reset to the record up to {game.where(k)}")
    before = snapshot(env)
    broken: list[dict[str, Any]] = [
        {"position": {}},
        {"position": position | {"game": "chess"}},
        {"position": position | {"players": 99}},
        {"position": position | {"phase": "nonsense"}},
        {"position": {key: value for key, value in position.items() if key != "phase"}},
        {"position": position | {"extra": 1}},
        {"position": 7},
        {"record": record[1:]},
        {"record": [*record, {"seat": 99, "action": "nonsense"}]},
        {"position": position, "record": record},
    ]
    for options in broken:
        what = f"options={str(options)[:80]}"
        refused(what, where, (ValueError, TypeError), env.reset, seed=seed, options=options)
        if snapshot(env) != before:
            fail(f"{where}: refusing {what} changed {differences(before, snapshot(env))}")


def _expect_first_frames(side: Side, game: Trace, what: str) -> None:
    for k, frame in side.follow(game, min(5, game.decisions)):
        for seat, agent in enumerate(side.agents):
            same(
                f"what {agent} sees",
                side.observations[agent]["observation"],
                frame.observations[seat],
                f"{what}, {game.where(k)}",
            )


def _record_of(game: Trace, until: int) -> list[dict[str, Any]]:
    """The lines of a record (C-13) of a trace's first decisions."""
    walk = Walk(game.game, game.options)
    walk.start(game.seed)
    name = game.game.action_name
    changed = changed_options(game.game, game.options)
    header = {"env": game.game.ID, "options": changed, "players": len(game.rewards), "seed": game.seed}
    lines: list[dict[str, Any]] = [header]
    note: Callable[[dict[str, Any]], None] = lines.append
    for frame in game.frames[: until + 1]:
        while walk.is_chance:
            k = walk.draw()
            note({"chance": k, "of": len(walk.outcomes())})
            walk.happen(k)
        if len(lines) and frame is game.frames[until]:
            break
        if frame.current == SIMULTANEOUS:
            note({"joint": [name(walk.options, a) for a in frame.actions]})
        else:
            note({"seat": frame.current, "action": name(walk.options, frame.actions[0])})
        walk.play(*frame.actions)
    return lines


@check("aec", kinds=(33, 28), clauses=("C-12",))
def check_ticks_are_blind(make: Make, *, games: int, seed: int) -> None:
    """In a simultaneous game, agents that are asked later see nothing of what the others have chosen."""
    env = make()
    inner = bare(env)
    if not inner.game.spec(inner.options).simultaneous:
        return
    game = trace(env, seed)
    other = inner.clone()
    env.reset(seed=game.seed)
    for k, frame in enumerate(game.frames[:-1]):
        for j, action in enumerate(frame.actions):
            where = f"{game.where(k)}, {j} of {len(frame.actions)} have chosen"
            for seat, agent in enumerate(env.possible_agents):
                seen = env.observe(agent)
                same(f"what {agent} sees", seen["observation"], frame.observations[seat], where)
                expected = frame.masks[seat] if seat >= j else np.zeros_like(frame.masks[seat])
                same(f"the mask of {agent}", seen["action_mask"], expected, where)
                same(f"whether {agent} is asked", int(env.infos[agent]["active"]), int(seat >= j), where)
            other.set_state(env.state())
            for seat, agent in enumerate(env.possible_agents):
                seen = other.observe(agent)
                same(f"what {agent} sees, set by set_state", seen["observation"], frame.observations[seat], where)
                same(
                    f"the mask of {agent}, set by set_state",
                    seen["action_mask"],
                    env.observe(agent)["action_mask"],
                    where,
                )
            same("agent_selection, set by set_state", other.agent_selection, env.agent_selection, where)
            env.step(action)
