"""Rules, README and tests of a game name the same clauses; the conventions of all games are those that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GAMES = sorted(readme.parent for readme in (ROOT / "hopenvs" / "games").glob("*/README.md"))
CONVENTIONS = ROOT / "hopenvs" / "games" / "CONVENTIONS.md"
CLAUSE = re.compile(r"\b[A-Z]{1,2}-\d+\b")
DEFINITION = re.compile(r"^\*\*([A-Z]{1,2}-\d+)\*\* ", re.MULTILINE)

by_name = pytest.mark.parametrize("game", GAMES, ids=lambda folder: folder.name)


def defined(page):
    """The clauses a page defines, in order; a game's pages are its README and those of its families below."""
    return DEFINITION.findall(page.read_text(encoding="utf-8"))


def defined_by(game):
    """The clauses of a game, in order of their numbers."""
    pages = [defined(page) for page in game.rglob("README.md")]
    assert all(page == sorted(page, key=number) for page in pages), "clauses ascend on every page"
    return sorted((clause for page in pages for clause in page), key=number)


def number(clause):
    return int(clause.split("-")[1])


def cited(folders, prefix):
    """The clauses with a prefix that the Python files of some folders mention, with the files."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        for path in folder.rglob("*.py"):
            for clause in CLAUSE.findall(path.read_text(encoding="utf-8")):
                if clause.startswith(f"{prefix}-"):
                    found.setdefault(clause, set()).add(path.relative_to(ROOT).as_posix())
    return found


def marked(folder):
    """The clauses that tests are marked with, and those tests: `clause("IA-7", ...)`, however `clause` is reached."""
    found: dict[str, list[str]] = {}
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func).split(".")[-1] == "clause":
                    for argument in mark.args:
                        found.setdefault(ast.literal_eval(argument), []).append(node.name)
    return found


def test_there_is_a_game():
    assert GAMES


@by_name
def test_the_clauses_of_a_game_have_one_prefix_and_ascend(game):
    clauses = defined_by(game)
    prefixes = {clause.split("-")[0] for clause in clauses}
    numbers = [int(clause.split("-")[1]) for clause in clauses]
    assert len(prefixes) == 1
    assert prefixes != {"C"}
    assert numbers == sorted(set(numbers))


@by_name
def test_the_rules_cite_every_clause_and_no_other(game):
    clauses = defined_by(game)
    assert sorted(cited([game], clauses[0].split("-")[0])) == sorted(clauses)


@by_name
def test_every_clause_has_a_test_and_every_mark_is_a_clause(game):
    marks = marked(ROOT / "tests" / "games" / game.name)
    conventions = defined(CONVENTIONS)
    assert sorted(set(marks) - set(conventions)) == sorted(defined_by(game))


def test_every_convention_has_a_test_and_every_mark_is_one():
    marks = {clause for clause in marked(ROOT / "tests") if clause.startswith("C-")}
    assert sorted(marks) == sorted(defined(CONVENTIONS))


def test_no_file_cites_a_convention_that_does_not_exist():
    mentioned = cited([ROOT / "hopenvs", ROOT / "tests"], "C")
    wrong = {clause: files for clause, files in mentioned.items() if clause not in defined(CONVENTIONS)}
    assert not wrong
