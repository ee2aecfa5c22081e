"""Compiled code on disk: what is edited runs in its new form, what is not comes from the cache."""

import enum
import errno
import importlib
import json
import math
import os
import pickle
import runpy
import shutil
import subprocess
import sys
import threading
import types
from collections import namedtuple
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hopenvs.core import cache, jit, kernels
from hopenvs.core.batch import Batch
from hopenvs.core.kernels import Kernels, kernel_name
from hopenvs.core.options import parse_options
from tests.core.conftest import GAMES, ROOT, finish, needs_numba, start_python
from tests.games_for_tests import tick_game

pytestmark = needs_numba

ONE = np.array([3])

# Two small kernels of the outside game: what a position is worth, and what the prizes weigh.
PROBE = """
import json
from hopenvs.core.batch import Batch
from hopenvs.core.options import parse_options
import outside_game
batch = Batch(outside_game, parse_options(outside_game, {}), 1)
batch.states["hand"][0, 0] = 1, 1, 0, 0
batch.states["points"][0] = 5, 3, 0
print(json.dumps([float(batch.evaluate([0], [0])[0]), batch.outcome_weights()]))
"""

# The smaller of them alone.
WEIGHTS = """
from hopenvs.core.batch import Batch
from hopenvs.core.options import parse_options
import outside_game
print(Batch(outside_game, parse_options(outside_game, {}), 1).outcome_weights())
"""


def start(folder: Path, code: str):
    """Run a probe of the outside game in `folder`, in a fresh process that caches there."""
    return start_python(code, path=f"{ROOT}{os.pathsep}{folder}", NUMBA_CACHE_DIR=str(folder / "cache"))


def probe(folder: Path):
    """What the outside game in `folder` gives now."""
    return json.loads(finish(start(folder, PROBE)))


def cached(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file of compiled code below `folder`, and what shows that it was written again."""
    files = [f for f in folder.rglob("*") if f.suffix in (".nbi", ".nbc")]
    return {f.name: (f.stat().st_ino, f.stat().st_mtime_ns) for f in files}


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.slow
def test_an_edited_rule_runs_and_an_edit_undone_comes_from_the_cache(outside):
    game = outside / "outside_game"
    original = outside / "original"
    shutil.copytree(game, original)
    assert probe(outside) == [2.5, [3, 2, 1]]
    first = cached(outside)
    assert len(first) == 4, "two kernels: an index and a binary each"

    edit(game / "rules.py", "return worth(s, seat) - best", "return 100 + worth(s, seat) - best")
    assert probe(outside) == [102.5, [3, 2, 1]], "an edited rule"
    second = cached(outside)
    assert len(second) == 6, "the kernel that doesn't reach the edit stays as it is"
    assert all(second[name] == stamp for name, stamp in first.items())

    edit(game / "worth.py", "return s.points[seat] +", "return 2 * s.points[seat] +")
    assert probe(outside) == [104.5, [3, 2, 1]], "an edited callee in another file"

    edit(game / "tables.py", "CARD_WORTH = 0.25", "CARD_WORTH = 1.5")
    edit(game / "prizes.json", "[3, 2, 1]", "[5, 5, 7]")
    assert probe(outside) == [107.0, [5, 5, 7]], "an edited constant, and a data file read at import"
    last = cached(outside)

    shutil.copytree(original, game, dirs_exist_ok=True)
    assert probe(outside) == [2.5, [3, 2, 1]], "all edits undone"
    assert cached(outside) == last, "nothing was compiled anew"


@pytest.mark.slow
def test_four_processes_that_start_cold_at_once_are_right_and_leave_an_intact_cache(outside):
    started = [start(outside, WEIGHTS) for _ in range(4)]
    assert [finish(process) for process in started] == ["[3, 2, 1]"] * 4
    before = cached(outside)
    assert len(before) == 2
    assert not list((outside / "cache").rglob("*.tmp*"))
    assert finish(start(outside, WEIGHTS)) == "[3, 2, 1]"
    assert cached(outside) == before, "the fifth finds everything"


# ---- where the cache lies -------------------------------------------------------------------------------------------
FOREIGN = """
import sys
import numba
before = numba.config.CACHE_DIR
import foreign_package, hopenvs
env = hopenvs.make("igel_aergern-2p-v0")
assert numba.config.CACHE_DIR == before == "", numba.config.CACHE_DIR
print(foreign_package.double(21), foreign_package.double.stats.cache_path)
"""


@pytest.mark.slow
def test_another_packages_cache_stays_where_it_is(tmp_path, run_python):
    (tmp_path / "foreign_package.py").write_text(
        "from numba import njit\n\n\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n"
    )
    said = run_python(FOREIGN, path=f"{ROOT}{os.pathsep}{tmp_path}")
    assert said == f"42 {tmp_path / '__pycache__'}"
    [index] = [name for name in cached(tmp_path) if name.endswith(".nbi")]
    assert index.startswith("foreign_package.double-")


@pytest.fixture
def package_that_cannot_be_written_to(tmp_path):
    """A copy of the package in whose core no file can be cached; a file where a folder should be stops even root."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "hopenvs", tmp_path / "hopenvs", ignore=ignored)
    shutil.copytree(Path(str(tick_game.__file__)).parent, tmp_path / "outside_game", ignore=ignored)
    (tmp_path / "hopenvs" / "core" / "__pycache__").write_text("not a folder")
    return tmp_path


# It says once that nothing can be kept, however many kernels there are.
WEIGHTS_AND_WARNINGS = f"""
import warnings
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("default")
    {WEIGHTS.strip().replace(chr(10), chr(10) + "    ")}
print(*(warning.message for warning in said))
"""


@pytest.mark.slow
@pytest.mark.parametrize("home", ["writable", "unwritable"])
def test_without_a_place_beside_the_package_the_cache_goes_home_or_there_is_none(
    package_that_cannot_be_written_to, home
):
    folder = package_that_cannot_be_written_to
    (folder / "file").write_text("not a folder")
    user = folder / "user" if home == "writable" else folder / "file"
    process = start_python(
        WEIGHTS_AND_WARNINGS,
        path=str(folder),
        HOME=str(user),
        XDG_CACHE_HOME=str(user),
        NUMBA_CACHE_DIR=str(folder / "file" / "cache"),
    )
    weights, _, warned = finish(process).partition("\n")
    assert weights == "[3, 2, 1]"
    if home == "writable":
        assert (len(cached(folder)), warned) == (2, "")
    else:
        assert (len(cached(folder)), warned.count("compiled code of hopenvs can't be kept")) == (0, 1)


# ---- what has happened to the files ---------------------------------------------------------------------------------
def doubled(numbers):
    return numbers[0] * 2


@pytest.fixture
def make(tmp_path, monkeypatch):
    """`make()`: a small kernel that is kept in `tmp_path`, made anew as in another process."""
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    return lambda: jit.instantiate(doubled, {}, "doubled", entry=True)


def use(kernel, numbers=ONE) -> tuple[float, str]:
    """What the kernel makes of the numbers, and where its code came from."""
    result = jit.entry_point(kernel, (numbers,))(numbers)
    [source] = [name for name in ("cache_hits", "cache_misses") if sum(getattr(kernel.stats, name).values())]
    return result, source


def test_loading_does_not_get_ready_to_compile(make, monkeypatch):
    """That takes longer than all else of a warm start."""
    kernel = make()
    assert use(kernel) == (6, "cache_misses")
    monkeypatch.setattr(type(kernel.targetctx), "refresh", lambda self: pytest.fail("got ready to compile"))
    assert use(make()) == (6, "cache_hits")


# ---- one compiles, others wait --------------------------------------------------------------------------------------
@pytest.fixture
def busy(make):
    """Locks as another process does that compiles the kernel of `make`; close it to have it done."""
    turn = make()._cache.turn
    turn.take()
    yield turn
    turn.end()


def test_what_another_process_compiles_is_waited_for(make, busy, tmp_path):
    kernel, found = make(), []
    busy.end()
    assert use(make()) == (6, "cache_misses")
    compiled = {file: file.read_bytes() for file in tmp_path.rglob("*.nb?")}
    for file in compiled:
        file.unlink()
    busy.take()
    waiting = threading.Thread(target=lambda: found.append(use(kernel)))
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive()
    for file, content in compiled.items():
        file.write_bytes(content)
    busy.end()
    waiting.join(60)
    assert found == [(6, "cache_hits")]
    assert not list(tmp_path.rglob("*.lock"))


def test_a_child_that_was_forked_meanwhile_does_not_keep_others_waiting(make, busy, monkeypatch):
    monkeypatch.setattr(cache.Turn, "PATIENCE", 10**9)
    found = []
    with subprocess.Popen(["sleep", "600"], pass_fds=(busy._file.fileno(),)) as child:
        busy.end()
        waiting = threading.Thread(target=lambda: found.append(use(make())), daemon=True)
        waiting.start()
        waiting.join(60)
        child.kill()
    assert found == [(6, "cache_misses")]


def test_a_folder_that_has_gone_is_no_reason_to_stop(make, busy, tmp_path):
    shutil.rmtree(tmp_path)
    busy.end()


def test_nobody_waits_for_ever(make, busy, monkeypatch):
    monkeypatch.setattr(cache.Turn, "PATIENCE", 0.1)
    assert use(make()) == (6, "cache_misses")


def test_nobody_waits_where_files_cannot_be_locked(make, busy, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(cache, "fcntl", None)
        assert use(make()) == (6, "cache_misses")


def test_who_cannot_compile_a_kernel_lets_the_next_one_try(make):
    first, second = make(), make()
    for kernel in (first, second):
        with pytest.raises(Exception, match="getitem"):
            jit.entry_point(kernel, (1.5,))
    assert use(second) == (6, "cache_misses")


# ---- what happens to files ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: bytes(len(data)),
        lambda data: data[: len(data) // 2] + bytes(64) + data[len(data) // 2 + 64 :],
        lambda data: pickle.dumps("no such thing") * 2,
        lambda data: pickle.dumps("0.1") + data[len(pickle.dumps(metadata.version("numba"), protocol=-1)) :],
        None,
    ],
    ids=["empty", "cut off", "zeros", "zeros inside", "something else", "another Numba's", "gone"],
)
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_damaged_file_is_not_used_and_is_mended(make, tmp_path, suffix, damage):
    assert use(make()) == (6, "cache_misses")
    [file] = tmp_path.rglob(f"*{suffix}")
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes()))
    assert use(make()) == (6, "cache_misses")
    assert use(make()) == (6, "cache_hits")


def test_code_for_other_arguments_is_not_used(make, tmp_path):
    """Of two processes that begin an index at once, each takes the first file for its own arguments."""
    floats = np.array([1.25])
    kernel = make()
    assert (use(kernel), use(kernel, floats)) == ((6, "cache_misses"), (2.5, "cache_misses"))
    first, second = sorted(tmp_path.rglob("*.nbc"))
    shutil.copy(first, second)
    assert use(make(), floats) == (2.5, "cache_misses")
    assert use(make(), floats) == (2.5, "cache_hits")


def test_code_that_cannot_be_kept_runs_and_a_warning_tells_why(make, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.warns(RuntimeWarning, match=r"compiled code of hopenvs can't be kept.*No space left on device"):
        assert use(make()) == (6, "cache_misses")


def refuse_to_write(*_, **__):
    raise PermissionError(errno.EACCES, "Permission denied")


@pytest.mark.parametrize("place", ["beside the source", "where the user says"])
def test_a_folder_that_can_only_be_read_serves_if_it_holds_the_kernel(place, tmp_path, monkeypatch):
    """Such as of an image in which somebody else has warmed the package up."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    (tmp_path / "source.py").write_text("def doubled(numbers):\n    return numbers[0] * 2\n")
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache") if place == "where the user says" else "")
    template = runpy.run_path(str(tmp_path / "source.py"))["doubled"]

    def make(label):
        return jit.instantiate(template, {}, label, entry=True)

    assert use(make("doubled")) == (6, "cache_misses")
    kept = cached(tmp_path)
    assert len(kept) == 2
    monkeypatch.setattr("tempfile.TemporaryFile", refuse_to_write)  # how Numba finds out where it may write
    assert use(make("doubled")) == (6, "cache_hits")
    with pytest.warns(RuntimeWarning, match="there is no folder"):
        assert use(make("twice"), ONE)[0] == 6
    assert cached(tmp_path) == kept


# ---- names ----------------------------------------------------------------------------------------------------------
NAMES = """
import json
from hopenvs.core.kernels import Kernels, kernel_name
from hopenvs.games import igel_aergern
from tests.games_for_tests import card_game, tick_game
print(json.dumps({
    game.ID: {name: kernel_name(kernel) for name, kernel in vars(Kernels(game)).items() if name.endswith("_range")}
    for game in (igel_aergern, card_game, tick_game)
}))
"""


def names_here():
    return {
        game.ID: {name: kernel_name(k) for name, k in vars(Kernels(game)).items() if name.endswith("_range")}
        for game in GAMES.values()
    }


def test_names_are_the_same_in_every_process(run_python):
    settings = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    assert json.loads(run_python(NAMES, PYTHONHASHSEED="4242", **settings)) == names_here(), "here it is another seed"


def test_every_kernel_has_a_name_of_its_own_that_holds_its_fingerprint():
    names = [name for of_game in names_here().values() for name in of_game.values()]
    assert len(set(names)) == len(names)
    assert not [name for name in names if name.endswith("uncached")]


@pytest.mark.parametrize(
    "setting", ["NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_DEBUGINFO", "NUMBA_ENABLE_AVX"]
)
def test_settings_that_change_the_code_lead_to_other_names(setting, monkeypatch):
    before = names_here()
    monkeypatch.setenv(setting, "7")
    after = names_here()
    for game_id, of_game in before.items():
        assert not set(of_game.values()) & set(after[game_id].values())


@pytest.mark.parametrize("setting", ["NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"])
def test_settings_that_do_not_change_the_code_change_no_name(setting, monkeypatch):
    before = names_here()
    monkeypatch.setenv(setting, "7")
    assert names_here() == before


# ---- functions without a source -------------------------------------------------------------------------------------
def game_with(name, source, **globals_):
    """The tick game under another name, its `evaluate` made from text that lies in no file."""
    module = types.ModuleType(name)
    vars(module).update({key: value for key, value in vars(tick_game).items() if not key.startswith("__")})
    scope = dict(globals_)
    exec(source, scope)
    module.evaluate = jit.rule(scope["evaluate"])  # type: ignore[attr-defined]
    return module


def worth_of(game):
    return float(Batch(game, parse_options(game, {}), 1).evaluate([0], [0])[0])


def test_a_rule_without_a_source_file_is_cached_by_what_it_does():
    one = game_with("without_source_1", "def evaluate(o, s, seat): return 1.5")
    two = game_with("without_source_2", "def evaluate(o, s, seat): return 2.5")
    again = game_with("without_source_3", "def evaluate(o, s, seat):\n    return 1.5\n")
    assert [worth_of(one), worth_of(two), worth_of(again)] == [1.5, 2.5, 1.5]
    names = [kernel_name(Kernels(game).evaluate_range) for game in (one, two, again)]
    assert names[0] == names[2] != names[1]


def test_what_has_no_stable_content_is_compiled_in_every_process():
    """A named tuple's class, say: its objects have no bytes that a later process could compare."""

    class Odd:
        """Cannot be hashed by content, and Numba never looks at it."""

    game = game_with("without_content", "def evaluate(o, s, seat):\n    if False: odd\n    return 3.5", odd=Odd())
    assert kernel_name(Kernels(game).evaluate_range).endswith("uncached")
    assert worth_of(game) == 3.5


# ---- fingerprints ---------------------------------------------------------------------------------------------------
def function(source, **globals_):
    scope = dict(globals_)
    exec(source, scope)
    return scope["f"]


def same(a, b):
    return jit.fingerprint(a) == jit.fingerprint(b)


CALLEE = "def g(x): return x + {}"
CALLER = "def f(x): return g(x)"


def callee(number):
    return jit.rule(function(CALLEE.format(number).replace("g(", "f(")))


def test_a_fingerprint_follows_calls():
    assert same(function(CALLER, g=callee(1)), function(CALLER, g=callee(1)))
    assert not same(function(CALLER, g=callee(1)), function(CALLER, g=callee(2)))


def test_a_fingerprint_follows_calls_of_calls_and_ends_in_circles():
    def chain(number):
        scope = {"g": callee(number)}
        exec("def h(x): return g(x) if x else k(x)\ndef k(x): return h(x)\ndef f(x): return h(x)", scope)
        return scope["f"]

    assert same(chain(1), chain(1))
    assert not same(chain(1), chain(2))


def test_a_fingerprint_tells_which_of_two_names_means_which_function():
    """Both functions are reached either way; only what a third name stands for differs."""
    one, two = callee(1), callee(2)
    source = "def f(x): return a(x) + b(x) + c(x)"
    assert not same(function(source, a=one, b=two, c=one), function(source, a=one, b=two, c=two))


make_tuple: Any = namedtuple
make_enum: Any = enum.IntEnum
SIZES_BY_ROW, SIZES_BY_COLUMN = make_tuple("Sizes", "rows columns"), make_tuple("Sizes", "columns rows")
PHASE_1, PHASE_2 = make_enum("Phase", {"A": 1}), make_enum("Phase", {"A": 2})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (3, 4),
        (3, 3.0),
        (0.0, -0.0),
        (True, 1),
        ((1, 2), (1, 3)),
        ((1, (2, 3)), (1, 2, 3)),
        ([1], (1,)),
        ("ab", "ac"),
        (np.int8(3), np.int16(3)),
        (np.arange(6), np.arange(6)[::-1]),
        (np.arange(6), np.arange(6).reshape(2, 3)),
        (np.zeros(4, np.int8), np.zeros(4, np.uint8)),
        (SIZES_BY_ROW(1, 2), SIZES_BY_COLUMN(1, 2)),
        (SIZES_BY_ROW, SIZES_BY_COLUMN),
        (PHASE_1, PHASE_2),
        (PHASE_1(1), PHASE_2(2)),
        (math.floor, math.ceil),
    ],
    ids=str,
)
def test_a_fingerprint_tells_values_apart(before, after):
    source = "def f(x): return VALUE"
    assert not same(function(source, VALUE=before), function(source, VALUE=after))
    assert same(function(source, VALUE=before), function(source, VALUE=before))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(x): return x + 1", "def f(x): return x + 2"),
        ("def f(x): return x + 1", "def f(x): return x - 1"),
        ("def f(x): return x < 1", "def f(x): return x <= 1"),
        ("def f(x, y=1): return x + y", "def f(x, y=2): return x + y"),
        ("def f(x, *, y=1): return x + y", "def f(x, *, y=2): return x + y"),
        ("def f(x): return (lambda: x + 1)()", "def f(x): return (lambda: x + 2)()"),
        ("def f(x): return x.a", "def f(x): return x.b"),
    ],
)
def test_a_fingerprint_tells_code_apart(before, after):
    assert not same(function(before), function(after))


def test_a_fingerprint_follows_names_through_modules():
    """`tables.PITS`, and `pkg.tables.PITS` after `import pkg.tables`."""

    def modules(number):
        package, tables = types.ModuleType("pkg"), types.ModuleType("pkg.tables")
        package.tables, tables.pkg = tables, package  # type: ignore[attr-defined]
        tables.PITS = number  # type: ignore[attr-defined]
        return package, tables

    for source in ("def f(x): return pkg.tables.PITS", "def f(x): return tables.PITS"):
        made = [modules(number) for number in (1, 1, 2)]
        one, also, two = [
            function(source, **({"pkg": package} if "pkg" in source else {"tables": tables}))
            for package, tables in made
        ]
        assert same(one, also), source
        assert not same(one, two), source


def test_a_fingerprint_follows_closures():
    def make(number):
        def f(x):
            return x + number

        return f

    assert same(make(1), make(1))
    assert not same(make(1), make(2))


def test_where_a_function_stands_and_what_is_said_about_it_do_not_matter_to_its_callers():
    assert same(function(CALLER, g=callee(1)), function("\n\n\n" + CALLER, g=callee(1)))


def test_a_fingerprint_tells_how_a_function_is_compiled():
    from numba import njit

    body = function("def f(x): return x / 3")
    exact, fast = njit(body), njit(body, fastmath=True)
    assert not same(function(CALLER, g=exact), function(CALLER, g=fast))


def test_a_value_without_stable_content_has_no_fingerprint():
    with pytest.raises(TypeError, match="no stable content in <object"):
        jit.fingerprint(function("def f(x): return VALUE", VALUE=object()))
    with pytest.raises(TypeError, match="no stable content in <built-in method append"):
        jit.fingerprint(function("def f(x): return VALUE", VALUE=[].append))


def test_kernels_of_a_game_are_made_once():
    assert kernels.kernels_of(tick_game) is kernels.kernels_of(tick_game)


def test_a_game_that_is_edited_and_reloaded_runs_in_its_new_form(outside, monkeypatch):
    """As in a notebook, where the process stays."""
    monkeypatch.syspath_prepend(str(outside))
    game = importlib.import_module("outside_game")
    before = worth_of(game)
    edit(outside / "outside_game" / "rules.py", "return worth(s, seat) - best", "return 100 + worth(s, seat) - best")
    importlib.reload(sys.modules["outside_game.rules"])
    importlib.reload(game)
    assert worth_of(game) == before + 100
    for name in [name for name in sys.modules if name.startswith("outside_game")]:
        monkeypatch.delitem(sys.modules, name)


# ---- records of several layouts -------------------------------------------------------------------------------------
LAYOUTS = """
import sys
import numba
import numpy as np
import hopenvs.core.jit
for fields in sys.argv[1:]:
    record = numba.typeof(np.zeros(1, np.dtype([(name, np.int64) for name in fields]))).dtype
    print(fields, *record.mangling_args)
"""


def test_what_is_compiled_for_a_record_is_named_by_its_fields_in_every_process():
    """By Numba's own count the first of each process would have the same name: `ab` here and `ab` as second there."""
    processes = [start_python(LAYOUTS, *order) for order in (("abc", "ab"), ("ab", "abc"))]
    one, other = (dict(line.split(" ", 1) for line in finish(process).splitlines()) for process in processes)
    assert one == other
    assert one["ab"] != one["abc"]
