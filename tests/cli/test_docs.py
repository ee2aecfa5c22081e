"""What READMEs print from code is current, and is found and mended where it isn't."""

from pathlib import Path

import pytest

from hopenvs.cli import docs
from hopenvs.core.options import parse_options
from tests.cli.program import run

GAMES_FOLDER = Path(docs.__file__).parent.parent / "games"
DOCUMENTED = docs.documented_games()

by_game = pytest.mark.parametrize(("game", "readme"), DOCUMENTED, ids=[game.__name__ for game, _ in DOCUMENTED])


@by_game
def test_the_readme_and_the_pictures_of_a_game_are_current(game, readme):
    assert not list(docs.stale_files(game, readme)), "`hopenvs docs` makes them anew"


def test_every_readme_of_a_game_is_looked_at():
    pages = set(GAMES_FOLDER.glob("*/**/README.md"))
    generated = {page for page in pages if "<!-- generated:" in page.read_text(encoding="utf-8")}
    assert {path for _, path in DOCUMENTED} == generated
    assert pages - generated == {GAMES_FOLDER / "hedgehog_hop" / "README.md"}, "of what its two families have in common"


@by_game
def test_a_readme_that_says_something_else_is_mended(game, readme):
    text = readme.read_text(encoding="utf-8")
    for name, part in docs.generated_sections(game).items():
        assert part in text
        stale = text.replace(part, f"| {name} |\n", 1)
        assert stale != text
        assert docs.updated(stale, game) == text


@by_game
def test_a_part_without_its_marker_or_with_two_is_refused(game, readme):
    text = readme.read_text(encoding="utf-8")
    marker = "<!-- generated: options -->"
    for wrong in (
        text.replace(marker, ""),
        text.replace(marker, "<!-- generated: opinions -->"),
        text + f"{marker}\n<!-- end -->\n",
    ):
        with pytest.raises(ValueError, match="generated parts"):
            docs.updated(wrong, game)


@by_game
def test_the_tables_name_every_option_action_section_and_id(game, readme):
    parts = docs.generated_sections(game)
    assert all(f"`{option.name}`" in parts["options"] for option in game.OPTIONS)
    options = parse_options(game, {})
    spec = game.spec(options)
    assert f"{spec.num_actions} actions" in parts["actions"]
    assert f"`{game.action_name(options, spec.num_actions - 1)}`" in parts["actions"]
    assert all(f"`{section.name}`" in parts["observation"] for section in spec.sections)
    assert f" {spec.observation_size} ({spec.num_players})" in parts["observation"]
    assert f"`{game.ID}-" in parts["ids"]


def test_the_verb_says_that_all_is_current():
    result = run("docs", "--check")
    assert (result.exit_code, result.stdout) == (0, "")
