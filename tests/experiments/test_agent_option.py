"""`--agent` and `--games` let one agent pilot all decks, in other numbers of games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import (
    TINY,
    ask,
    assert_refused,
    command,
    done,
    only_folder,
    read_json,
    refusal,
    rows_of,
    run_folder,
    summary_of,
)
from tests.experiments.test_matchups_command import crowd
from tests.messages import check_message

PLAYED = {"matchups": (), "metagame": (), "whatif": ("ember_whelp.attack=1",)}
GREEDY = TINY.replace('"aggro"', '"greedy"').replace('"control"', '"greedy"')


@pytest.mark.parametrize("name", PLAYED)
def test_an_agent_option_is_as_if_the_file_named_the_agent(name: str, tmp_path: Path) -> None:
    by_option = run_folder(name, tmp_path, *PLAYED[name], "--agent", "greedy", "--games", "60")
    text = GREEDY.replace("matchups = 40", "matchups = 60")
    by_file = run_folder(name, tmp_path, *PLAYED[name], text=text, results="other")
    assert by_option.name == by_file.name
    assert summary_of(by_option) == summary_of(by_file)
    assert [pilot["agent"] for pilot in summary_of(by_option)["pilots"]] == ["greedy", "greedy"]
    own = run_folder(name, tmp_path, *PLAYED[name], results="own")
    assert own.name != by_option.name
    assert [pilot["agent"] for pilot in summary_of(own)["pilots"]] == ["aggro", "control"]


def test_power_is_measured_by_the_agent_of_the_option_alone(tmp_path: Path) -> None:
    text = TINY.replace('by = "power"', 'by = "power"\nagent = "random"')
    folder = run_folder("power", tmp_path, "--agent", "greedy", "--games", "8", text=text)
    rows = rows_of(folder / "power_skip.csv")
    assert {(row["agent"], row["n"]) for row in rows} == {("greedy", "8")}
    assert not (folder / "power_skip_own.csv").exists()


def test_compare_puts_the_decks_of_a_run_into_other_hands(tmp_path: Path) -> None:
    edited = run_folder("whatif", tmp_path, "ember_whelp.attack=1")
    options = ("--agent", "greedy", "--games", "60", "--no-plots")
    done(command("compare", edited, "--results", tmp_path / "compared", *options))
    compared = only_folder(tmp_path / "compared")
    again = run_folder("whatif", tmp_path, "ember_whelp.attack=1", *options[:4], results="again")
    (patch,) = summary_of(compared)["patches"]
    assert patch["rates"] == summary_of(again)["rates"]
    assert [pilot["agent"] for pilot in summary_of(compared)["pilots"]] == ["greedy", "greedy"]


def test_players_of_one_deck_become_one_player_and_their_goals_go(tmp_path: Path) -> None:
    goals = (
        "[target.win_rate]\nember_rush_with_greedy = 0.6\n"
        '"tide_keep_with_aggro vs ember_rush_with_aggro" = 0.4\n'
    )
    outcome = done(
        ask("matchups", tmp_path, "--no-plots", "--agent", "light", text=crowd(6) + goals)
    )
    assert outcome.err.count("is left out") == 4
    folder = only_folder(tmp_path / "results")
    names = ["ember_rush_with_aggro", "tide_keep_with_aggro"]
    assert [pilot["player"] for pilot in summary_of(folder)["pilots"]] == names
    (demand,) = summary_of(folder)["demands"]
    assert (demand["least"], demand["most"]) == (0.55, 0.65)
    assert len(read_json(folder / "resolved.json")["decks"]) == 2


def test_what_cannot_pilot_is_refused_in_one_line(tmp_path: Path) -> None:
    one_deck = TINY.replace('"tide_keep"', '"ember_rush"\nname = "slow"')
    for name, text, value, *options in (
        ("matchups", TINY, "'lite'", "--agent", "lite"),
        ("power", TINY, "5", "--games", "5"),
        ("matchups", TINY, "2", "--games", "2"),
        ("metagame", TINY, "'dqn:tiny/x'", "--agent", "dqn:tiny/x"),
        ("matchups", one_deck, "'ember_rush'", "--agent", "light"),
    ):
        check_message(assert_refused(name, tmp_path, value, *options, text=text))


@pytest.mark.parametrize("option", [("--agent", "greedy"), ("--games", "8")])
def test_another_game_refuses_the_options(option: tuple[str, str], tmp_path: Path) -> None:
    message = refusal(command("matchups", "big_two", "--results", tmp_path / "results", *option))
    assert message.startswith(f"evenhand: {option[0]}: ")
    assert f"(value: {option[1]})" in message
    assert not (tmp_path / "results").exists()
