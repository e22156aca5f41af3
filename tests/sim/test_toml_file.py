"""Data files are found by name, and files that cannot be read are refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.files.toml_file import find_data_file, read_toml, shipped_folder
from tests.refusals import refusal_of


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_name_is_found_near_then_in_the_folder_of_its_kind_then_shipped(tmp_path: Path) -> None:
    shipped = shipped_folder("pools") / "core.toml"
    assert find_data_file("pools", "core", tmp_path) == shipped
    in_folder = write(tmp_path / "pools" / "core.toml")
    assert find_data_file("pools", "core", tmp_path) == in_folder
    near = write(tmp_path / "core.toml")
    assert find_data_file("pools", "core", tmp_path) == near


@pytest.mark.parametrize(
    ("files", "name", "near", "path"),
    [
        (["experiment.toml", "decks/mine.toml"], "mine", "experiment.toml", "decks/mine.toml"),
        (["mine.toml"], "mine.toml", ".", "mine.toml"),
        (["mine.toml", "decks/other.toml"], "../mine.toml", "decks", "mine.toml"),
    ],
)
def test_a_name_or_a_path_is_looked_for_from_a_file_or_a_folder(
    files: list[str], name: str, near: str, path: str, tmp_path: Path
) -> None:
    for file in files:
        write(tmp_path / file)
    assert find_data_file("decks", name, tmp_path / near).samefile(tmp_path / path)


def test_a_whole_path_needs_no_near(tmp_path: Path) -> None:
    deck = write(tmp_path / "mine.toml")
    assert find_data_file("decks", str(deck)) == deck


def test_without_near_the_current_folder_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = write(tmp_path / "decks" / "mine.toml")
    monkeypatch.chdir(tmp_path)
    assert find_data_file("decks", "mine") == deck.relative_to(tmp_path)


def test_a_name_that_is_not_found_lists_places_and_the_nearest_spelling(tmp_path: Path) -> None:
    error = refusal_of(find_data_file, "decks", "ember_rash", tmp_path)
    assert error.value == "ember_rash"
    assert str(tmp_path / "decks" / "ember_rash.toml") in error.problem
    assert "'ember_rush'" in error.remedy


def test_a_path_that_is_not_found_names_that_one_place(tmp_path: Path) -> None:
    assert refusal_of(find_data_file, "pools", "a.toml", tmp_path).value == "a.toml"


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"], ids=["long", "null"])
def test_impossible_names_are_not_found(name: str, tmp_path: Path) -> None:
    assert refusal_of(find_data_file, "rulesets", name, tmp_path).value == name


@pytest.mark.parametrize(
    "text",
    ["a = 1\nb = = 2\n", "a = 1\nb = [", "a = 1\na = 2\n", "a = " + "9" * 5000],
    ids=["two signs", "end", "repeated key", "digits"],
)
def test_invalid_toml_is_named_with_its_line(text: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.toml", text)
    assert refusal_of(read_toml, path).place == str(path)


def test_a_file_may_be_called_like_the_data_that_it_names(tmp_path: Path) -> None:
    experiment = tmp_path / "duel.toml"
    experiment.touch()
    assert find_data_file("rulesets", "duel", experiment).parent.name == "rulesets"
    assert find_data_file("rulesets", "duel", tmp_path) == experiment
