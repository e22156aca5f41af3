"""Options that several commands share: which commands take them, and that none is ignored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.cli.lazy_group import command_of
from tests.command_line import (
    LISTED,
    TINY,
    ask,
    command,
    done,
    read_json,
    run_folder,
    summary_of,
)
from tests.experiments.command_goldens import check_refusal, check_refused

ALL = {"--results", "--threads", "--workers", "--json", "--plots", "--no-plots"}
GREEDY = TINY.replace('"aggro"', '"greedy"').replace('"control"', '"greedy"')


COMMANDS = {
    name: {
        option
        for parameter in command_of(listed).params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    for name, listed in LISTED.items()
}
"""Options of all commands."""
WITH_FOLDERS = {  # all that end with a run folder and its summary
    "matchups", "whatif", "compare", "metagame", "power", "substitute", "balance", "build",
    "outliers", "sensitivity", "study", "train", "evaluate", "exploit", "agents", "suite run",
    "agree", "calibrate", "retrodict",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(WITH_FOLDERS))
def test_commands_with_a_run_folder_take_the_options_of_runs(name: str) -> None:
    assert COMMANDS[name] >= ALL
    assert "--seed" in COMMANDS[name] or name == "suite run"  # instances have seeds of their own


def test_no_other_command_draws_figures() -> None:
    assert {name for name, options in COMMANDS.items() if "--no-plots" in options} == WITH_FOLDERS


def test_commands_that_play_with_the_agents_of_a_file_take_another_agent() -> None:
    learning = {"train", "evaluate", "exploit"}  # their files are about the agents themselves
    # These measure or fit agents, or methods on instances that are made.
    others = {"agents", "suite run", "calibrate"}
    expected = (WITH_FOLDERS | {"replay", "play", "workbench"}) - learning - others
    assert {name for name, options in COMMANDS.items() if "--agent" in options} == expected


@pytest.mark.parametrize("name", ["balance", "substitute", "study"])
def test_an_agent_option_is_as_if_the_file_named_the_agent(name: str, tmp_path: Path) -> None:
    options = {
        "balance": (),
        "substitute": ("--deck", "ember_rush", "--card", "ember_whelp", "--games", "8"),
        "study": ("--methods", "ga", "--seeds", "1", "--truth", "20"),
    }[name]
    by_option = run_folder(name, tmp_path, *options, "--agent", "greedy")
    by_file = run_folder(
        name, tmp_path, *options, results="other",
        text=GREEDY.replace("[narrow]", '[narrow]\nagent = "own"'),
    )  # fmt: skip
    assert by_option.name == by_file.name


def test_a_game_is_replayed_with_another_agent(tmp_path: Path) -> None:
    texts = [
        done(ask("replay", tmp_path, *options, text=text)).out
        for options, text in (((), TINY), (("--agent", "greedy"), TINY), ((), GREEDY))
    ]
    assert texts[0] != texts[1] == texts[2]


@pytest.mark.thorough
@pytest.mark.parametrize("n_games", [700, 2600])
def test_a_total_of_games_is_kept_however_small(n_games: int, tmp_path: Path) -> None:
    options = ("--games", str(n_games), "--no-plots", "--json")
    outcome = command("balance", "quickstart", "--results", tmp_path / "results", *options)
    assert outcome.status in {0, 1}, outcome.err
    (folder,) = (path for path in (tmp_path / "results").iterdir() if path.is_dir())
    played = summary_of(folder)["games"]
    assert 0 < sum(played.values()) <= n_games
    assert read_json(folder / "resolved.json")["experiment"]["games"]["total"] == n_games


@pytest.mark.parametrize("name", ["balance", "study"])
def test_too_few_games_are_refused_by_the_option(name: str, tmp_path: Path) -> None:
    check_refused(name, tmp_path, "--games", "60")


def test_an_estimate_is_of_the_run_that_is_asked_for(tmp_path: Path) -> None:
    options = ("--estimate", "--json", "--games", "2000")
    outcome = done(ask("balance", tmp_path, *options))
    assert json.loads(outcome.out)["most"] == 2000
    check_refusal(ask("balance", tmp_path, "--estimate", "--resume"))


@pytest.mark.parametrize(
    ("option", "value"),
    [("--workers", "threads:1"), ("--no-plots", ""), ("--results", "there"), ("--seed", "3")],
)
def test_a_list_of_agents_refuses_options_for_measuring_them(option: str, value: str) -> None:
    message = check_refusal(command("agents", option, *([value] if value else [])))
    assert message.startswith(f"evenhand: {option}")


@pytest.mark.parametrize("option", [("--game", "1"), ("--purpose", "x"), ("--agent", "greedy")])
def test_a_saved_game_is_replayed_as_it_was_played(option: tuple[str, str], tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    saved.write_text("{}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("experiments.commands.replay.saved_game_at", lambda _: object())
        message = check_refusal(command("replay", saved, *option))
    assert f"{option[0]}: " in message
