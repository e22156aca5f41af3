"""`evenhand agents` lists all agents, and measures them against each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents import agent_names, register_agent, registry
from agents.declaration import AgentFamily
from agents.registry import known_agents
from balance import Interval
from balance.metagame.round_robin import turn_time
from experiments.commands.agents import ask_agents, beaten_pilots
from experiments.loading import load_experiment
from experiments.results.agents import ALL_DECKS, PairRow
from tests.command_line import (
    ROOT,
    TINY,
    assert_says,
    command,
    done,
    json_of,
    only_folder,
    refusal,
    rows_of,
    summary_of,
    write_experiment,
)
from tests.experiments.learners import write_pilot
from tests.messages import check_message

NAMES = "greedy,random,aggro"


def test_everybody_is_named_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    register_agent("sleeper", AgentFamily("sleeper:HOURS", sleeper))
    text = done(command("agents")).out
    assert max(map(len, text.splitlines())) <= 80
    for agent in known_agents():
        assert agent.usage in text
        assert agent.line.split()[-1] in text
    summary = json_of(command("agents", "--json"))
    of_cards = {agent["agent"]: agent for agent in summary["agents"] if agent["game"] == "cards"}
    assert {*agent_names(), "sleeper:HOURS"} <= {*of_cards}
    assert of_cards["greedy"]["fair"] is True
    assert of_cards["sleeper:HOURS"]["fair"] is None
    assert of_cards["sleeper:HOURS"]["line"] == "It sleeps."
    in_big_two = {agent["agent"] for agent in summary["agents"] if agent["game"] == "big_two"}
    assert in_big_two == {"random", "lowest", "together", "dqn:PILOT.pt"}


def sleeper(hours: str) -> registry.Policy:
    """It sleeps.

    All day.
    """
    raise NotImplementedError(hours)


def test_what_is_measured_by_default_needs_no_file() -> None:
    names = [agent.example for agent in known_agents() if agent.example]
    assert {*agent_names(), "rollout:50"} <= {*names}
    assert not any("dqn" in name for name in names)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("agents")
    arguments = ("--measure", write_experiment(place), "--agents", NAMES, "--games", "80", "--json")
    summary = json_of(command("agents", *arguments, "--results", place / "results"))
    folder = only_folder(place / "results")
    assert summary_of(folder) == summary
    return folder


def test_a_measure_rates_them_with_intervals(measured: Path) -> None:
    summary = summary_of(measured)
    agents = summary["agents"]
    assert agents[-1]["agent"] == "random"
    assert [agent["rating_elo"] for agent in agents] == sorted(
        (agent["rating_elo"] for agent in agents), reverse=True
    )
    for agent in agents:
        assert agent["rating_low"] <= agent["rating_elo"] <= agent["rating_high"]
        assert agent["low"] <= agent["win_rate"] <= agent["high"]
        assert agent["n"] == 2 * 2 * 80
        assert agent["turn_ms"] > 0
    assert summary["n"] == 3 * 2 * 80
    assert np.mean([agent["win_rate"] for agent in agents]) == pytest.approx(0.5)
    assert [row["agent"] for row in rows_of(measured / "agents.csv")] == [
        agent["agent"] for agent in agents
    ]
    assert [
        (row["a"], row["b"], row["deck"]) for row in rows_of(measured / "agent_pairs.csv")[:4]
    ] == [
        ("greedy", "random", "(all)"),
        ("greedy", "random", "ember_rush"),
        ("greedy", "random", "tide_keep"),
        ("greedy", "aggro", "(all)"),
    ]


def pair(a: str, b: str, estimate: float, deck: str = ALL_DECKS) -> PairRow:
    bounds = (np.array(rate) for rate in (estimate, estimate - 0.02, estimate + 0.02))
    return PairRow(a, b, deck, Interval(*bounds), 100)


def test_beaten_pilots_are_reported_with_the_agent_that_beats_them_most() -> None:
    pairs = [
        pair("greedy", "aggro", 0.6),
        pair("aggro", "light", 0.2),
        pair("control", "aggro", 0.56),  # its interval overlaps the band
        pair("light", "control", 0.9, deck="ember_rush"),
    ]
    pilots = {"a": "aggro", "b": "control", "c": "light", "d": "random"}
    (found,) = beaten_pilots(pilots, pairs)
    assert found[:3] == ("a", "aggro", "light")
    assert [float(bound) for bound in found.win_rate] == pytest.approx([0.8, 0.78, 0.82])


def test_a_measure_says_what_follows_for_the_pilots_of_the_experiment(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path, TINY)  # by aggro and control
    options = ("--games", "200", "--results", tmp_path / "results")
    arguments = ("agents", "--measure", experiment, *options)
    text = done(command(*arguments, "--agents", "aggro,light")).out
    (beaten,) = summary_of(only_folder(tmp_path / "results"))["beaten_pilots"]
    assert (beaten["player"], beaten["against"]) == ("ember_rush", "light")
    assert_says(text, "--agent light", "control")


def test_no_mark_of_code_is_left_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    register_agent("sleeper", AgentFamily("sleeper:HOURS", sleeper_of_hours))
    text = done(command("agents")).out
    assert "`" not in text
    assert "sleeps for hours." in text


def sleeper_of_hours(hours: str) -> registry.Policy:
    """It sleeps for `hours`."""
    raise NotImplementedError(hours)


@pytest.mark.thorough
def test_a_measure_is_shown_as_tables(tmp_path: Path) -> None:
    options = ("--agents", NAMES, "--games", "20", "--results", tmp_path / "r", "--threads", "2")
    text = done(command("agents", "--measure", write_experiment(tmp_path), *options)).out
    assert_says(text, "rating, Elo", "greedy vs random")
    assert "(± half of the 95 % interval)" in " ".join(text.split())


@pytest.mark.parametrize(
    "options",
    [
        ("--agents", "greedy"),
        ("--agents", "greedy,greedy"),
        ("--agents", "greedy,gredy"),
        ("--games", "5"),
        ("--games", "2"),
        ("--agents", "greedy,dqn:no.pt"),
    ],
    ids=" ".join,
)
def test_wrong_options_are_named(options: tuple[str, str], tmp_path: Path) -> None:
    arguments = ("agents", "--measure", write_experiment(tmp_path), *options)
    message = refusal(command(*arguments, "--results", tmp_path / "results"))
    assert options[0] in message
    check_message(message)
    assert not (tmp_path / "results").exists()


@pytest.mark.thorough
def test_a_trained_agent_is_measured_only_where_it_knows_all_decks(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path)
    pilot = write_pilot(tmp_path / "ember.pt")
    names = f"greedy,dqn:{pilot}"
    assert "tide_keep" in refusal(command("agents", "--measure", experiment, "--agents", names))
    write_pilot(pilot, decks=("ember_rush", "tide_keep"))
    loaded = load_experiment(str(experiment))
    agents = ask_agents(loaded, names.split(","), 4, tmp_path).measured
    assert [agent.name for agent in agents] == names.split(",")
    assert turn_time(loaded.contest(), agents[1], run_seed=1) > 0


def test_options_of_a_measure_need_one() -> None:
    for options in (("--agents", "greedy,random"), ("--games", "40"), ("--seed", "3")):
        message = refusal(command("agents", *options))
        assert_says(message, *options)
        check_message(message)
    check_message(refusal(command("agents", "--measure", "big_two")))


def test_the_page_about_agents_knows_them_all() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    missing = [agent.usage for agent in known_agents() if f"`{agent.usage}`" not in page]
    assert not missing, "docs/agents.md must say of each when to use it"
