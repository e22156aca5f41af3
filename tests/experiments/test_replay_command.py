"""A replay is the log of a game of `matchups`; `--why` adds what the agents compared."""

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
from tests.messages import check_message

_MARGIN = "    | "


def replay(experiment: Path, *options: str) -> str:
    """Return the output of `evenhand replay`, which must succeed without warnings."""
    outcome = command("replay", experiment, *options)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def test_the_default_is_the_first_game_of_the_first_matchup(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path, THREE)
    text = replay(experiment)
    check_message("\n".join(text.splitlines()[:3]))
    named = ("--first", "ember_rush", "--second", "tide_keep", "--game", "0")
    assert text == replay(experiment, *named, "--purpose", "matchups", "--seed", "7")


def test_games_differ_by_number_seed_purpose_and_players(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path)
    ways = (
        *((), ("--game", "1"), ("--seed", "8"), ("--purpose", "certify")),
        ("--first", "tide_keep", "--second", "ember_rush"),
    )
    assert len({replay(experiment, *way) for way in ways}) == 5


@pytest.mark.parametrize(
    "options",
    [
        ("--first", "ember_rus"),
        ("--second", "Tide Kep"),
        ("--second", "x"),
        ("--game", "-1"),
        ("--game", "first"),
        ("--seed", "-1"),
        ("--json",),
        ("--turn", "99"),
        ("--turn", "-1"),
    ],
    ids="=".join,
)
def test_wrong_options_are_named_with_a_near_spelling(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    line = refusal(command("replay", write_experiment(tmp_path), *options))
    assert options[0] in line
    check_message(line)


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
def test_a_single_named_player_meets_the_first_other_player(
    options: tuple[str, ...], seats: tuple[str, str], tmp_path: Path
) -> None:
    lines = replay(write_experiment(tmp_path, THREE), *options).splitlines()
    assert tuple(line.split()[2] for line in lines[1:3]) == seats


def test_one_player_meets_itself(tmp_path: Path) -> None:
    alone = TINY.replace('[[player]]\ndeck = "tide_keep"\nagent = "control"\n', "")
    lines = replay(write_experiment(tmp_path, alone)).splitlines()
    assert [line.split()[2] for line in lines[1:3]] == ["ember_rush", "ember_rush"]
    for option in ("--first", "--second"):
        assert replay(write_experiment(tmp_path, alone), option, "ember_rush").splitlines() == lines


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    return write_experiment(
        tmp_path, TINY.replace('"aggro"', '"turn:12"').replace('"control"', '"rollout:2"')
    )


def test_reasons_precede_the_actions_of_an_unchanged_log(
    experiment: Path,
) -> None:
    plain = replay(experiment).splitlines()
    why = replay(experiment, "--why").splitlines()
    assert [line for line in why if not line.startswith(_MARGIN)] == plain
    heads = [k for k, line in enumerate(why) if "compared" in line or "points of 4 in 2" in line]
    values = [k for k, line in enumerate(why) if "after the enemy's answer" in line]
    assert len(heads) > 3
    assert len(values) > 3
    for k in values:
        first = re.match(r" *\| +-?[\d,]+  (.*)", why[k + 1])
        done_now = next(line for line in why[k:] if not line.startswith(_MARGIN)).strip()
        assert done_now.startswith(re.split(r"; |\.\.\.", first[1])[0].removesuffix("end turn"))
    assert any("first over " in line for line in why)
    assert max(map(len, why)) <= 100


def test_one_turn_is_logged_alone(experiment: Path) -> None:
    whole = replay(experiment).splitlines()
    turn = replay(experiment, "--turn", "5").splitlines()
    start, end = (
        next(k for k, line in enumerate(whole) if line.startswith(f"T0{n}")) for n in (5, 6)
    )
    assert [line for line in turn[3:] if line] == [line for line in whole[start:end] if line]
    assert turn[:3] == whole[:3]
    assert len(replay(experiment, "--turn", "5", "--why").splitlines()) > len(turn)
    assert "draws" in replay(experiment, "--turn", "0").splitlines()[4]


def test_scripts_are_reported_to_compare_nothing(tmp_path: Path) -> None:
    text = replay(write_experiment(tmp_path, TINY), "--why")
    note = [line for line in text.splitlines() if "follows fixed rules" in line]
    assert len(note) == 2
    check_message("\n".join(note))
    assert_in_order(text, [agent_line(agent)[1:] for agent in ("aggro", "control")])
    assert "--agent turn:200" in text
    compared = replay(
        write_experiment(tmp_path, TINY), "--why", "--turn", "3", "--agent", "turn:12"
    )
    assert "follows fixed rules" not in compared
    assert _MARGIN not in text


def test_json_holds_the_comparisons(experiment: Path) -> None:
    data = json.loads(replay(experiment, "--why", "--json"))
    assert [seat["agent"] for seat in data["seats"]] == ["turn:12", "rollout:2"]
    assert all(seat["explained"] for seat in data["seats"])
    assert {choice["by"] for choice in data["choices"]} >= {"worth", "points"}
    for choice in data["choices"]:
        assert choice["as_played"]
        assert [*choice["compared"][0]["line"], "end turn"][0] == choice["action"]
        if choice["by"] == "worth":
            best = choice["compared"][0]
            assert abs(sum(best["parts"].values()) - best["score"]) < 3
    only = json.loads(replay(experiment, "--why", "--json", "--turn", "4"))
    assert {choice["turn"] for choice in only["choices"]} == {4}
    assert only["choices"] == [choice for choice in data["choices"] if choice["turn"] == 4]


def test_a_played_game_is_explained_for_the_opponent(experiment: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    done(play(experiment, "1\n" * 60, "--agent", "turn:12", "--results", results))
    game = results / "tiny-play" / "game-0.toml"
    plain = replay(game).splitlines()
    why = replay(game, "--why").splitlines()
    assert [line for line in why if not line.startswith(_MARGIN)] == plain
    assert any(line.startswith(_MARGIN) for line in why)
    data = json.loads(replay(game, "--why", "--json"))
    assert {choice["seat"] for choice in data["choices"]} == {1}
    assert all(choice["as_played"] for choice in data["choices"])
    game.write_text(game.read_text().replace('agent = "turn:12"', 'agent = "turn:1:gsvb"'))
    assert "otherwise: " in replay(game, "--why")


def test_games_of_big_two_cannot_be_explained(tmp_path: Path) -> None:
    table = write_experiment(tmp_path, BIG_TWO)
    results = tmp_path / "results"
    check_message(refusal(command("replay", table, "--why")))
    done(play(table, "1\n", "--results", results))
    (game,) = results.glob("*/game-0.toml")
    check_message(refusal(command("replay", game, "--turn", "1")))
