"""Sheets edited after a game was begun: no file is lost, and outdated cards are reported."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from experiments.files.stale_sheet import stale_sheet_note
from sim import load_deck
from tests.command_line import command, contents, done, refusal, unchanged
from tests.mistakes import write_sample_game

LATER_S = 10  # so that a file is newer for any file system


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Folder of a new game."""
    return write_sample_game(tmp_path / "game")


def edit(folder: Path, old: str, new: str) -> Path:
    """Replace a part of the sheet, with a time some seconds after the pool was made."""
    sheet = folder / "cards.csv"
    text = sheet.read_text(encoding="utf-8")
    assert old in text
    sheet.write_text(text.replace(old, new), encoding="utf-8")
    later = (folder / "cards.toml").stat().st_mtime + LATER_S
    os.utime(sheet, (later, later))
    return sheet


@pytest.mark.parametrize(
    ("old", "new", "is_noted"),
    [
        ("Deck Hand,1,2,1", "Deck Hand,1,3,1", True),
        ('yardstick for the others",2,', 'yardstick for the others",1,', True),
        ("a yardstick", "one yardstick", False),  # a note, which no game reads
        ("Deck Hand,1,2,1", "Deck Hand,1,2,1", False),
    ],
)
def test_an_edit_that_was_not_imported_is_noted(
    old: str, new: str, is_noted: bool, game: Path
) -> None:
    edit(game, old, new)
    assert bool(stale_sheet_note("cards", game / "game.toml")) is is_noted


def test_commands_note_it_and_an_import_ends_it(game: Path, tmp_path: Path) -> None:
    sheet = edit(game, "Deck Hand,1,2,1", "Deck Hand,1,3,1")
    asked = (
        *("matchups", game / "game.toml", "--games", "4", "--agent", "greedy"),
        *("--no-plots", "--results", tmp_path / "results"),
    )
    assert str(sheet) in done(command(*asked)).err
    done(command("cards", "import", sheet, "--force"))
    os.utime(sheet)
    assert str(sheet) not in done(command(*asked)).err


@pytest.mark.parametrize("name", ["cards", "game", "rules"])
def test_no_deck_takes_the_file_of_something_else(name: str, game: Path, tmp_path: Path) -> None:
    sheet = edit(game, "deck: night_tide", f"deck: {name}")
    with unchanged(contents, tmp_path):
        begun = refusal(command("init", tmp_path / "new", "--from", sheet))
        imported = refusal(command("cards", "import", sheet, "--force"))
    assert f"deck: {name}" in begun
    assert f"{name}.toml" in imported


def test_a_new_deck_has_the_rules_of_the_others(game: Path) -> None:
    sheet = edit(game, "deck: night_tide", "deck: pirates")
    lines = done(command("cards", "import", sheet, "--force")).out
    assert load_deck(str(game / "pirates.toml")).ruleset == "rules"
    assert "night_tide.toml" in lines  # which the sheet no longer has


def test_a_copy_of_a_sheet_takes_no_deck_of_another_pool(game: Path) -> None:
    copy = game / "copy of cards.csv"
    copy.write_bytes((game / "cards.csv").read_bytes())
    with unchanged(contents, game):
        outcome = command("cards", "import", copy, "--force")
    assert outcome.status == 2
    assert "--out cards.toml" in outcome.err


@pytest.mark.parametrize(("turn_cap", "is_said"), [(2, True), (100, False)])
def test_games_that_end_before_anybody_can_win_are_reported(
    turn_cap: int, is_said: bool, game: Path, tmp_path: Path
) -> None:
    rules = game / "rules.toml"
    rules.write_text(rules.read_text().replace("turn_cap = 100", f"turn_cap = {turn_cap}"))
    played = command(
        *("matchups", game / "game.toml", "--games", "40", "--agent", "greedy"),
        *("--no-plots", "--results", tmp_path / "results"),
    )
    assert (f"turn_cap = {turn_cap}" in done(played).out) is is_said
