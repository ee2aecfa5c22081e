"""Rendering: pictures that show the position, in every mode, without a display, and nobody waits but people."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np

from hopenvs.testing import processes
from hopenvs.testing.oracle import Trace, trace
from hopenvs.testing.side import Side, differences, snapshot
from hopenvs.testing.suite import Make, bare, check, fail, refused_before_reset, same

SECONDS_A_PICTURE = 2.0


def _moments(game: Trace) -> list[int]:
    """The first decision in every phase, one in the middle and the end."""
    return sorted({*game.phases().values(), game.decisions // 2, game.decisions})


@check("aec", "parallel", kinds=(69,))
def check_pictures(make: Make, *, games: int, seed: int) -> None:
    """rgb_array: uint8 [H, W, 3] of one size, never one colour, another picture for another position."""
    side = Side(make(render_mode="rgb_array"))
    game = trace(side.env, seed)
    shape: Any = None
    seen: dict[bytes, int] = {}
    moments = _moments(game)
    side.reset(seed=game.seed)
    for k, frame in side.follow(game):
        if k not in moments:
            continue
        where = f"rgb_array, {game.where(k)}"
        picture = side.env.render()
        if not isinstance(picture, np.ndarray) or picture.dtype != np.uint8 or picture.ndim != 3:
            fail(f"{where}: expected uint8 [H, W, 3], found {getattr(picture, 'dtype', type(picture))}")
        shape = shape or picture.shape
        same("the picture's shape", picture.shape, shape, where)
        same("its channels", picture.shape[2], 3, where)
        if min(shape[:2]) < 32 or len(np.unique(picture[::5, ::5].reshape(-1, 3), axis=0)) < 4:
            fail(f"{where}: an empty picture: {picture.shape}, {len(np.unique(picture[::5, ::5]))} values")
        if frame.body.tobytes() != game.frames[0].body.tobytes():
            other = seen.setdefault(picture.tobytes(), k)
            if other != k:
                fail(f"{where}: the same picture as at {game.where(other)}")
        picture[...] = 0
        if not side.env.render().any():
            fail(f"{where}: a picture that was overwritten comes back")


@check("aec", kinds=(69,))
def check_texts(make: Make, *, games: int, seed: int) -> None:
    """ansi: lines of text; svg: a well-formed document; both change with the position."""
    for mode in ("ansi", "svg"):
        side = Side(make(render_mode=mode))
        game = trace(side.env, seed)
        seen = set()
        moments = _moments(game)
        side.reset(seed=game.seed)
        for k, _ in side.follow(game):
            if k not in moments:
                continue
            where = f"{mode}, {game.where(k)}"
            text = side.env.render()
            if not isinstance(text, str) or len(text) < 20:
                fail(f"{where}: expected a text, found {str(text)[:40]!r}")
            if mode == "svg":
                root = ElementTree.fromstring(text)
                same("the root element", root.tag.rpartition("}")[2], "svg", where)
            elif "\n" not in text:
                fail(f"{where}: expected lines of text, found {text[:40]!r}")
            seen.add(text)
        if len(seen) < min(3, game.decisions):
            fail(f"{mode}: {len(moments)} moments of a game give only {len(seen)} different texts")


@check("aec", "parallel", kinds=(69, 70))
def check_rendering_changes_nothing(make: Make, *, games: int, seed: int) -> None:
    """Drawing leaves the game as it is; without a render mode nothing is drawn; `render(seat=k)` hides from k."""
    for mode in (None, "rgb_array", "ansi", "svg"):
        side = Side(make(render_mode=mode))
        same("render_mode", side.env.unwrapped.render_mode, mode, "a new environment")
        game = trace(side.env, seed)
        moments = _moments(game)
        side.reset(seed=game.seed)
        for k, frame in side.follow(game):
            same("state()", side.env.state(), frame.body, f"render_mode={mode!r}, {game.where(k)}")
            if k not in moments:
                continue
            where = f"render_mode={mode!r}, {game.where(k)}"
            before = snapshot(side.env)
            drawn = side.env.render()
            if mode is None:
                same("render()", drawn, None, where)
            if k in moments[1:3]:
                for seat in game.seats:
                    bare(side.env).render(seat=seat)
            if snapshot(side.env) != before:
                fail(f"{where}: drawing changed {differences(before, snapshot(side.env))}")


@check("aec", kinds=(73,))
def check_nobody_waits(make: Make, *, games: int, seed: int) -> None:
    """Outside human mode nothing sleeps, neither in steps nor in pictures."""
    slept: list[float] = []
    sleep = time.sleep

    def note(seconds: Any) -> None:
        slept.append(float(seconds))

    time.sleep = note
    try:
        side = Side(make(render_mode="rgb_array"))
        game = trace(side.env, seed)
        side.play(game, min(20, game.decisions))
        side.env.render()
        start = time.perf_counter()
        for _ in range(3):
            side.env.render()
        taken = (time.perf_counter() - start) / 3
    finally:
        time.sleep = sleep
    if slept:
        fail(f"seed {seed}: rgb_array slept {len(slept)} times, {sum(slept):.2f} s")
    if taken > SECONDS_A_PICTURE:
        fail(f"seed {seed}: a picture takes {taken:.2f} s")


@check("aec", "parallel", kinds=(50, 71))
def check_closing(make: Make, *, games: int, seed: int) -> None:
    """close() may be called twice, and before anything was drawn; another environment's pictures go on."""
    first, second = (make(render_mode="rgb_array") for _ in range(2))
    new = make(render_mode="rgb_array")
    refused_before_reset("render()", new.render)
    new.close()
    for env in (first, second):
        env.reset(seed=seed)
    expected = second.render()
    first.render()
    first.close()
    first.close()
    same("the picture after another environment closed", second.render(), expected, f"seed {seed}")
    same("the picture after close()", first.render(), expected, f"seed {seed}")
    second.close()


@check("gym", kinds=(69, 70, 71))
def check_gym_pictures(make: Make, *, games: int, seed: int) -> None:
    """The Gymnasium face draws what the other faces draw, and nothing without a render mode."""
    for mode, kind in (("rgb_array", np.ndarray), ("ansi", str), ("svg", str), (None, type(None))):
        env = make(render_mode=mode)
        if mode is not None:
            refused_before_reset("render()", env.render)
        env.reset(seed=seed)
        drawn = env.render()
        if not isinstance(drawn, kind):
            fail(f"render_mode={mode!r}: expected {kind.__name__}, found {type(drawn).__name__}")
        if mode is not None:
            if mode not in env.metadata["render_modes"]:
                fail(f"metadata['render_modes'] lacks {mode!r}")
            env.step(int(np.argmax(env.unwrapped.action_masks())))
            same(
                "the same picture after a step",
                bool(np.array_equal(np.asarray(env.render()), np.asarray(drawn))),
                False,
                f"render_mode={mode!r}",
            )
        env.close()
        env.close()


# ---- in processes of their own --------------------------------------------------------------------------------------
_HEADLESS = """
from hopenvs.testing.processes import known
import hopenvs
import numpy as np
env_id = known(*given[0])
env = hopenvs.make(env_id, render_mode="rgb_array")
env.reset(seed=given[1])
picture = env.render()
print(json.dumps({"shape": picture.shape, "values": int(len(np.unique(picture))), "pygame": "pygame" in sys.modules}))
"""

_SILENT = """
from hopenvs.testing.processes import known
import hopenvs
env_id = known(*given[0])
env = hopenvs.make(env_id)
env.reset(seed=given[1])
for _ in range(20):
    env.render()
    if not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
        env.reset(seed=given[1])
    env.step(env.legal_actions()[0])
env.close()
gym = hopenvs.make_gym(env_id)
gym.reset(seed=given[1])
gym.render()
gym.close()
print(json.dumps([m for m in ("pygame", "PIL", "pypdfium2", "tkinter", "matplotlib") if m in sys.modules]))
"""

_HUMAN = """
import pickle
from hopenvs.testing.processes import known
import hopenvs
from hopenvs.render import draw
shown = []
show = draw.show
def note(scene, mode, *rest):
    shown.append(mode)
    return show(scene, mode, *rest)
draw.show = note
env_id = known(*given[0])
a, b = (hopenvs.make(env_id, render_mode="human") for _ in range(2))
a.reset(seed=given[1])
b.reset(seed=given[1])
begun = len(shown)
seats = len(a.possible_agents) if a.game.spec(a.options).simultaneous else 1
for _ in range(2 * seats):
    a.step(a.legal_actions()[0])
stepped = len(shown) - begun
copied = pickle.loads(pickle.dumps(a))
a.close()
a.close()
b.step(b.legal_actions()[0])
closed = b._window.closed if b._window is not None else None
b.close()
copied.close()
print(json.dumps({"begun": begun, "stepped": stepped, "modes": sorted(set(shown)), "closed": closed}))
"""


@check("id", kinds=(68,), slow=True)
def check_pictures_need_no_display(make: str, *, games: int, seed: int) -> None:
    """A process without DISPLAY and SDL variables draws rgb_array, and loads no window library for it."""
    without = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_AUDIODRIVER"))
    found = processes.run_python(_HEADLESS, processes.wanted(make), seed, **without)
    if len(found["shape"]) != 3 or found["values"] < 4:
        fail(f"without a display: an empty picture {found['shape']} of {found['values']} values")
    same("whether the window library was loaded", found["pygame"], False, "rgb_array without a display")


@check("id", kinds=(70,), slow=True)
def check_no_mode_loads_nothing(make: str, *, games: int, seed: int) -> None:
    """Playing with `render_mode=None` never imports a library for pictures or windows."""
    found = processes.run_python(_SILENT, processes.wanted(make), seed)
    same("picture and window libraries that were loaded", found, [], "render_mode=None")


@check("id", kinds=(50, 70, 71), slow=True)
def check_human_mode(make: str, *, games: int, seed: int) -> None:
    """Human mode draws at reset and at every step; closing one window leaves another's open; copies have none."""
    found = processes.run_python(_HUMAN, processes.wanted(make), seed, SDL_VIDEODRIVER="dummy")
    same("pictures shown by two resets", found["begun"], 2, "human mode")
    same("pictures shown by two steps, or two ticks", found["stepped"], 2, "human mode")
    same("modes shown", found["modes"], ["human"], "human mode")
    same("whether b's window closed with a's", found["closed"], False, "human mode")
