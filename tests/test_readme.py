"""What README.md shows is run, and the files beside it agree with pyproject.toml."""

import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import hopenvs

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


# as `.ci/run` finds them: name -> (kind, language, source)
BLOCKS = runpy.run_path(str(ROOT / ".ci" / "readme_command"))["blocks"](README)
EXAMPLES = {name: source for name, (kind, _, source) in BLOCKS.items() if kind == "example"}
COMMANDS = {name: source for name, (kind, _, source) in BLOCKS.items() if kind == "command"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # whatever it writes stays out of the checkout
    exec(compile(EXAMPLES[name], f"README.md: {name}", "exec"), {"__name__": "__main__"})


def test_every_python_block_is_a_marked_example():
    assert len(re.findall(r"^```python$", README, re.MULTILINE)) == len(EXAMPLES) > 0


def test_every_marker_has_its_block():
    markers = re.findall(r"^<!-- (?:command|example): (\S+) -->$", README, re.MULTILINE)
    assert markers == list(BLOCKS)


def test_the_commands_are_known_and_the_tests_are_one_of_them():
    assert "test" in COMMANDS
    assert set(COMMANDS) <= {"test", "train"}, "`.ci/run` runs no other"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_parses_and_sets_itself_up_in_a_virtual_environment(name):
    command = COMMANDS[name]
    subprocess.run(["bash", "-n", "-c", command], check=True)
    assert command.startswith("python3 -m venv .venv &&")
    assert "-c constraints.txt" in command
    assert "\n" not in command.rstrip().replace("&&\n", ""), "one failing line must stop the rest"


def _constraints(file="constraints.txt"):
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert len({canonicalize_name(pin.name) for pin in pins}) == len(pins)
    return {canonicalize_name(pin.name): str(pin.specifier) for pin in pins}


def _installed_by_ci():
    """What the package and the extras ask for that README.md and `.ci/run` install, each by its constraints."""
    shown = "".join(COMMANDS.values()) + (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    installs = re.findall(r'-c \S*\b(constraints[\w-]*\.txt).* -e "?\.\[([\w,]+)\]', shown)
    extras = {file: {extra for f, group in installs if f == file for extra in group.split(",")} for file, _ in installs}
    assert {"test", "dev"} <= extras["constraints.txt"]
    assert {"rllib", "openspiel"} <= extras["constraints-integrations.txt"]
    asked = {file: {*PROJECT["dependencies"]} for file in extras}
    for file, names in extras.items():
        asked[file].update(text for name in names for text in PROJECT["optional-dependencies"][name])
    found = [(file, Requirement(text)) for file, texts in asked.items() for text in sorted(texts)]
    return [
        pytest.param(file, requirement, id=f"{file}-{requirement.name}")
        for file, requirement in found
        if requirement.name != PROJECT["name"]  # an extra that brings another one
    ]


@pytest.mark.parametrize(("file", "requirement"), _installed_by_ci())
def test_a_dependency_is_pinned_to_a_version_that_pyproject_admits(file, requirement):
    pin = _constraints(file)[canonicalize_name(requirement.name)]
    assert pin.startswith("==")
    assert Version(pin.removeprefix("==")) in requirement.specifier


def test_the_readme_installs_the_pinned_torch():
    assert f"torch{_constraints()['torch']} " in COMMANDS["test"]


def test_the_version_is_written_once_and_the_changelog_has_it():
    assert PROJECT["dynamic"] == ["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased, *released = re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)
    planned = re.findall(r"^To be released as (\S+)\.$", changelog, re.MULTILINE)
    assert unreleased == "Unreleased"
    assert [hopenvs.__version__] == (planned or released[:1])
    assert not set(planned) & set(released)


def test_the_licence_is_the_one_that_pyproject_names():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith(f"{PROJECT['license']} License\n")
    assert "Copyright (c) 2026 the hopenvs authors" in text
    assert PROJECT["license-files"] == ["LICENSE"]
