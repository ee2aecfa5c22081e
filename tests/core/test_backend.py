"""The switch between compiled and plain Python, and what `import hopenvs` loads."""

import json

import pytest

from tests.core.conftest import needs_numba, start_python

HEAVY = ("numba", "llvmlite", "torch", "pygame", "typer", "rich", "click", "matplotlib", "PIL", "pypdfium2")

WHICH = "from hopenvs.core import jit; print(jit.BACKEND)"

PLAY = """
import json, sys, warnings
HIDDEN = sys.argv[1:]
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in HIDDEN:
            raise ImportError(f"No module named {name!r}")
sys.meta_path.insert(0, Hide())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import hopenvs
    early = [str(w.message) for w in caught]
    env = hopenvs.make("igel_aergern-2p-v0")
    env.reset(seed=1)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    hopenvs.make_vec("igel_aergern-2p-v0", 2).reset(seed=1)
    import hopenvs.core.jit
print(json.dumps({
    "backend": hopenvs.core.jit.BACKEND, "early": early, "numba": "numba" in sys.modules,
    "warnings": [[w.category.__name__, str(w.message)] for w in caught],
}))
"""


@pytest.mark.parametrize("settings", [{"HOPENVS_BACKEND": "plain"}, {"NUMBA_DISABLE_JIT": "1"}], ids=str)
def test_a_setting_chooses_plain_python_and_numba_is_not_even_imported(run_python, settings):
    found = json.loads(run_python(PLAY, **settings))
    assert found == {"backend": "plain", "early": [], "numba": False, "warnings": []}


@needs_numba
@pytest.mark.parametrize(
    "settings",
    [{}, {"HOPENVS_BACKEND": "numba", "NUMBA_DISABLE_JIT": "0"}],
    ids=str,
)
def test_numba_is_used_where_it_is_installed(run_python, settings):
    assert run_python(WHICH, **settings) == "numba"


def test_disabling_jit_wins_over_asking_for_numba(run_python):
    assert run_python(WHICH, HOPENVS_BACKEND="numba", NUMBA_DISABLE_JIT="1") == "plain"


@pytest.mark.parametrize("value", ["garbage", "Plain"])
def test_any_other_back_end_is_refused_by_name(value):
    process = start_python(WHICH, HOPENVS_BACKEND=value)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert f"HOPENVS_BACKEND={value!r}: expected one of numba, plain" in errors


def test_without_numba_everything_runs_plainly_with_one_warning(run_python):
    found = json.loads(run_python(PLAY, "numba", "llvmlite"))
    assert (found["backend"], found["numba"], found["early"]) == ("plain", False, [])
    [(category, message)] = found["warnings"]
    assert category == "RuntimeWarning"
    assert message.startswith("Numba is not installed: hopenvs runs in plain Python")


def test_asking_for_numba_where_there_is_none_is_an_error():
    process = start_python(PLAY, "numba", "llvmlite", HOPENVS_BACKEND="numba")
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "ImportError: No module named 'numba'" in errors


def test_importing_the_package_loads_nothing_heavy(run_python):
    code = "import hopenvs, json, sys; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(run_python(code))
    assert not [name for name in loaded if name.split(".")[0] in HEAVY]
    games = [name for name in loaded if name.startswith("hopenvs.games")]
    assert not games, "a game is imported when its first environment is made"
    inner = [name for name in loaded if name.startswith("hopenvs.")]
    assert not [name for name in inner if name.split(".")[1] in ("envs", "agents", "cli", "render", "testing", "train")]


def test_making_an_environment_loads_no_optional_extra(run_python):
    code = "import hopenvs, json, sys; hopenvs.make('igel_aergern-2p-v0'); print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(run_python(code, HOPENVS_BACKEND="plain"))
    assert not [name for name in loaded if name.split(".")[0] in HEAVY]


def test_listing_and_registering_ids_loads_no_numba(run_python):
    code = """
import gymnasium, hopenvs, sys
assert "igel_aergern-2p-v0" in hopenvs.list_envs()
gymnasium.spec("hopenvs/igel_aergern-2p-v0")
print("numba" in sys.modules)
"""
    assert run_python(code) == "False"


def test_an_unused_import_of_the_package_may_be_repeated_and_reloaded(run_python):
    """Registering twice must neither warn nor double the ids."""
    code = """
import importlib, hopenvs, hopenvs.registry
before = hopenvs.list_envs()
importlib.reload(hopenvs.registry)
importlib.reload(hopenvs)
print(hopenvs.list_envs() == before)
"""
    assert run_python(code) == "True"
