"""A replay is a game that `matchups` plays, told move by move; `--why` tells reasons beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agents.registry import agent_line
from tests.command_line import (
    THREE,
    TINY,
    assert_in_order,
    command,
    done,
    refusal,
    write_experiment,
)
from tests.experiments.test_play_command import BIG_TWO, play

_MARGIN = "    | "


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
        (("--second", "Tide Kep"), "--second: unknown player 'Tide Kep'; did you mean 'tide_kee"),
        (("--second", "x"), "--second: unknown player 'x'; known: ember_rush, tide_keep"),
        (("--game", "-1"), "'--game': '-1' must be a whole number from 0 to"),
        (("--game", "first"), "'--game': 'first' must be a whole number from 0 to"),
        (("--seed", "-1"), "'--seed': '-1' must be a whole number from 0 to"),
        (("--json",), "--json: is for what agents compared: add --why"),
        (("--turn", "99"), "--turn: 99: the game has"),
        (("--turn", "-1"), "'--turn': '-1' must be a whole number from 0 to"),
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


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    return write_experiment(
        tmp_path, TINY.replace('"aggro"', '"turn:12"').replace('"control"', '"rollout:2"')
    )


def test_the_game_is_the_same_and_reasons_stand_before_what_they_are_for(
    experiment: Path,
) -> None:
    plain = told(experiment).splitlines()
    why = told(experiment, "--why").splitlines()
    assert [line for line in why if not line.startswith(_MARGIN)] == plain
    heads = [k for k, line in enumerate(why) if "compared" in line or "points of 4 in 2" in line]
    worths = [k for k, line in enumerate(why) if "after the enemy's answer" in line]
    assert len(heads) > 3
    assert len(worths) > 3
    for k in worths:
        first = re.match(r" *\| +-?[\d,]+  (.*)", why[k + 1])
        done_now = next(line for line in why[k:] if not line.startswith(_MARGIN)).strip()
        assert done_now.startswith(re.split(r"; |\.\.\.", first[1])[0].removesuffix("end turn"))
    assert any("first over second: " in line for line in why)
    assert max(map(len, why)) <= 100


def test_one_turn_is_told_at_length(experiment: Path) -> None:
    whole = told(experiment).splitlines()
    turn = told(experiment, "--turn", "5").splitlines()
    start, end = (next(k for k, x in enumerate(whole) if x.startswith(f"T0{n}")) for n in (5, 6))
    assert [line for line in turn[3:] if line] == [line for line in whole[start:end] if line]
    assert turn[:3] == whole[:3]
    assert len(told(experiment, "--turn", "5", "--why").splitlines()) > len(turn)
    assert "draws" in told(experiment, "--turn", "0").splitlines()[4]


def test_scripts_are_said_to_compare_nothing(tmp_path: Path) -> None:
    text = told(write_experiment(tmp_path, TINY), "--why")
    assert text.count("goes by rules, and compares nothing to be shown") == 2
    assert_in_order(text, [agent_line(agent)[1:] for agent in ("aggro", "control")])
    assert "--agent turn:200" in text
    compared = told(write_experiment(tmp_path, TINY), "--why", "--turn", "3", "--agent", "turn:12")
    assert "goes by rules" not in compared
    assert _MARGIN not in text


def test_as_data(experiment: Path) -> None:
    data = json.loads(told(experiment, "--why", "--json"))
    assert [seat["agent"] for seat in data["seats"]] == ["turn:12", "rollout:2"]
    assert all(seat["explained"] for seat in data["seats"])
    assert {choice["by"] for choice in data["choices"]} >= {"worth", "points"}
    for choice in data["choices"]:
        assert choice["as_played"]
        assert [*choice["compared"][0]["line"], "end turn"][0] == choice["action"]
        if choice["by"] == "worth":
            best = choice["compared"][0]
            assert abs(sum(best["parts"].values()) - best["score"]) < 3
    only = json.loads(told(experiment, "--why", "--json", "--turn", "4"))
    assert {choice["turn"] for choice in only["choices"]} == {4}
    assert only["choices"] == [one for one in data["choices"] if one["turn"] == 4]


def test_a_game_that_was_played_is_explained_from_the_opponent_s_side(
    experiment: Path, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    done(play(experiment, "1\n" * 60, "--agent", "turn:12", "--results", results))
    game = results / "tiny-play" / "game-0.toml"
    plain = told(game).splitlines()
    why = told(game, "--why").splitlines()
    assert [line for line in why if not line.startswith(_MARGIN)] == plain
    assert any("after the enemy's answer" in line for line in why)
    data = json.loads(told(game, "--why", "--json"))
    assert {choice["seat"] for choice in data["choices"]} == {1}
    assert all(choice["as_played"] for choice in data["choices"])
    game.write_text(game.read_text().replace('agent = "turn:12"', 'agent = "turn:1:gsvb"'))
    assert "the agent would now do otherwise: " in told(game, "--why")


def test_only_games_of_cards_are_explained(tmp_path: Path) -> None:
    table = write_experiment(tmp_path, BIG_TWO)
    results = tmp_path / "results"
    assert "--why: has no meaning in 'big_two'" in refusal(command("replay", table, "--why"))
    done(play(table, "1\n", "--results", results))
    (game,) = results.glob("*/game-0.toml")
    assert "--turn: has no meaning in 'big_two'" in refusal(command("replay", game, "--turn", "1"))
