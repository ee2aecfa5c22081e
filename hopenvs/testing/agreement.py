"""The faces agree: AEC, parallel, vector and gym play the same seeded game move for move."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from hopenvs.core import state
from hopenvs.core.state import SIMULTANEOUS
from hopenvs.testing.oracle import trace
from hopenvs.testing.suite import check, close, same
from hopenvs.testing.vector import SLOW


@check("id", kinds=(4, 46, 47), clauses=("C-2", "C-12", "C-14"))
def check_faces_agree(make: str, *, games: int, seed: int) -> None:
    """One seeded game on every face at once, each step compared with the AEC environment's, threads or none."""
    import hopenvs

    env_id = make
    for number in range(games):
        _play_on_all_faces(hopenvs, env_id, seed + number, row=3)


def _play_on_all_faces(hopenvs: Any, env_id: str, seed: int, row: int) -> None:
    n = 8 if SLOW else 257
    aec, parallel = hopenvs.make(env_id), hopenvs.make(env_id, "parallel")
    alone = hopenvs.make_vec(env_id, 1, autoreset_mode=AutoresetMode.DISABLED)
    batch = hopenvs.make_vec(env_id, n, threads=2, autoreset_mode=AutoresetMode.NEXT_STEP)
    game = trace(aec, seed)
    agents = list(aec.possible_agents)
    aec.reset(seed=seed)
    seen, infos = parallel.reset(seed=seed)
    one, _ = alone.reset(seed=seed)
    many, _ = batch.reset(seed=seed - row if seed >= row else [seed] * n)
    row = row if seed >= row else n - 1
    for k, frame in enumerate(game.frames):
        where = game.where(k)
        for seat, agent in enumerate(agents):
            expected = aec.observe(agent)
            same(f"what {agent} sees in parallel", seen[agent]["observation"], expected["observation"], where)
            for name, face, at in (("vector(1)", alone, 0), (f"row {row} of vector({n})", batch, row)):
                found = face.observe(at, seat)
                same(f"what seat {seat} sees in {name}", found["observation"], expected["observation"], where)
            if seat in frame.asked:
                same(f"the mask of {agent} in parallel", seen[agent]["action_mask"], expected["action_mask"], where)
                cell: Any = seat if frame.current == SIMULTANEOUS else ...
                for name, given, at in (("vector(1)", one, 0), (f"row {row} of vector({n})", many, row)):
                    same(
                        f"the mask of seat {seat} in {name}",
                        given["action_mask"][at][cell],
                        expected["action_mask"],
                        where,
                    )
        same("state() in parallel", parallel.state(), aec.state(), where)
        for name, face, at in (("vector(1)", alone, 0), (f"row {row} of vector({n})", batch, row)):
            found_body = state.body(np.ascontiguousarray(face.states[at : at + 1]))[0]
            same(f"the record of {name}", found_body, aec.state(), where)
        if frame.over:
            break
        for action in frame.actions:
            aec.step(action)
        moves = {agents[seat]: a for seat, a in zip(frame.asked, frame.actions, strict=True)}
        seen, rewards, terminated, truncated, infos = parallel.step(moves)
        joint: Any = frame.actions if frame.current == SIMULTANEOUS else frame.actions[0]
        one, paid, ended, cut, _ = alone.step(np.array([joint]))
        masks = many["action_mask"]
        actions = masks.argmax(-1)
        actions[row] = joint
        many, paid_many, ended_many, cut_many, _ = batch.step(actions)
        for seat, agent in enumerate(agents):
            for name, found_reward in (
                ("parallel", rewards[agent]),
                ("vector(1)", paid[0, seat]),
                (f"row {row} of vector({n})", paid_many[row, seat]),
            ):
                close(f"the reward of {agent} in {name}", found_reward, aec.rewards[agent], where)
            flags = aec.terminations[agent], aec.truncations[agent]
            same(f"flags of {agent} in parallel", (terminated[agent], truncated[agent]), flags, where)
            same("flags in vector(1)", (bool(ended[0]), bool(cut[0])), flags, where)
            same(f"flags in row {row} of vector({n})", (bool(ended_many[row]), bool(cut_many[row])), flags, where)
            for key in ("active", "rank", "score", "won", "truncated_by_max_turns"):
                same(f"infos[{agent!r}][{key!r}]", infos[agent][key], aec.infos[agent][key], where)
    for face in (aec, parallel, alone, batch):
        face.close()
