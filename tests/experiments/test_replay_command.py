"""A replay is one of the games that `matchups` plays, told move by move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import THREE, TINY, command, refusal, write_experiment


def told(experiment: Path, *options: str) -> str:
    outcome = command("replay", experiment, *options)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def test_by_default_it_is_the_first_game_of_the_first_matchup(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path, THREE)
    text = told(experiment)
    assert text.splitlines()[1:3] == ["seat 0: ember_rush (aggro)", "seat 1: tide_keep (control)"]
    named = ("--first", "ember_rush", "--second", "tide_keep", "--game", "0")
    assert text == told(experiment, *named, "--purpose", "matchups", "--seed", "7")


def test_other_games_other_seeds_other_purposes_are_other_games(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path)
    ways = (
        *((), ("--game", "1"), ("--seed", "8"), ("--purpose", "certify")),
        ("--first", "tide_keep", "--second", "ember_rush"),
    )
    assert len({told(experiment, *way) for way in ways}) == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--first", "ember_rus"), "--first: unknown player 'ember_rus'; did you mean 'ember_r"),
        (("--second", "Tide Keep"), "--second: unknown player 'Tide Keep'; did you mean 'tide_kee"),
        (("--second", "x"), "--second: unknown player 'x'; known: ember_rush, tide_keep"),
        (("--game", "-1"), "'--game': '-1' must be a whole number from 0 to"),
        (("--game", "first"), "'--game': 'first' must be a whole number from 0 to"),
        (("--seed", "-1"), "'--seed': '-1' must be a whole number from 0 to"),
    ],
)
def test_wrong_options_are_named_with_a_near_spelling(
    options: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in refusal(command("replay", write_experiment(tmp_path), *options))


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (("--first", "ember_rush"), ("ember_rush", "tide_keep")),
        (("--first", "tide_keep"), ("tide_keep", "ember_rush")),
        (("--first", "grove_march"), ("grove_march", "ember_rush")),
        (("--second", "ember_rush"), ("tide_keep", "ember_rush")),
        (("--second", "tide_keep"), ("ember_rush", "tide_keep")),
        (("--second", "grove_march"), ("ember_rush", "grove_march")),
        (("--first", "tide_keep", "--second", "tide_keep"), ("tide_keep", "tide_keep")),
    ],
)
def test_a_player_named_alone_meets_the_first_other_one(
    options: tuple[str, ...], seats: tuple[str, str], tmp_path: Path
) -> None:
    lines = told(write_experiment(tmp_path, THREE), *options).splitlines()
    assert tuple(line.split()[2] for line in lines[1:3]) == seats


def test_one_player_meets_itself(tmp_path: Path) -> None:
    alone = TINY.replace('[[player]]\ndeck = "tide_keep"\nagent = "control"\n', "")
    lines = told(write_experiment(tmp_path, alone)).splitlines()
    assert lines[1:3] == ["seat 0: ember_rush (aggro)", "seat 1: ember_rush (aggro)"]
    for option in ("--first", "--second"):
        assert told(write_experiment(tmp_path, alone), option, "ember_rush").splitlines() == lines
