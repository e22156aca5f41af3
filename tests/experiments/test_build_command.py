"""`evenhand build`: the deck in files and sentences, resumed runs, and what it refuses."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from balance.decks.building import build_deck
from experiments.commands.build import swaps_in_words
from experiments.loading import load_experiment
from sim.cards.deck import Deck, check_deck, load_deck
from tests.command_line import (
    TINY,
    ask,
    contents,
    done,
    json_of,
    only_folder,
    rows_of,
    summary_of,
    timeless,
)
from tests.duels import CORE, DUEL
from tests.experiments.command_goldens import check_refused, check_screen
from tests.experiments.stopping import stopped_after
from tests.messages import check_message

BUILD = """
[build]
population = 8
generations = 4
search = 10
select = 40
certify = 80
"""
SMALL = TINY + BUILD
COPIES = "card,copies\n" + "".join(f"{card.name},1\n" for card in CORE.cards[:32])


build = partial(ask, "build", text=SMALL)


def test_the_deck_is_reported_and_kept(tmp_path: Path):
    outcome = done(build(tmp_path))
    folder = only_folder(tmp_path / "results")
    assert folder.name.startswith("tiny-build-")
    assert set(contents(folder)) == {
        "deck.toml", "deck_curve.png", "opponents.csv", "search.csv", "candidates.csv",
        "summary.json", "resolved.json", "run.json", "log.txt",
    }  # fmt: skip
    check_screen(outcome.out)
    assert [int(row["generation"]) for row in rows_of(folder / "search.csv")] == [0, 1, 2, 3, 4]
    candidates = rows_of(folder / "candidates.csv")
    rates = [float(row["win_rate"]) for row in candidates]
    assert rates == sorted(rates, reverse=True)
    assert float(candidates[0]["behind_pp"]) == 0
    assert sum(float(row["weight"]) for row in rows_of(folder / "opponents.csv")) == 1


def test_the_deck_file_says_what_it_is_worth_and_plays(tmp_path: Path):
    summary = json_of(build(tmp_path, "--json", "--no-plots"))
    assert summary == summary_of(only_folder(tmp_path / "results"))
    for rate in (summary, *summary["opponents"]):
        assert rate["low"] < rate["win_rate"] < rate["high"]
    assert [rate["n"] for rate in (summary, *summary["opponents"])] == [160, 80, 80]
    assert summary["games"]["certify"] == 160
    assert (summary["improved"], summary["swaps"], summary["agent"]) == (None, [], "aggro")
    file = only_folder(tmp_path / "results") / "deck.toml"
    assert file.read_text().startswith("# tiny wins ")
    deck = load_deck(str(file))
    check_deck(deck, CORE, DUEL)
    assert list(deck.cards.items()) == list(summary["deck"]["cards"].items())
    text = TINY.replace('"tide_keep"', json.dumps(str(file)))
    played = json_of(ask("matchups", tmp_path, "--no-plots", "--json", text=text))
    assert played["matchups"][0]["b"] == "tiny"


def test_a_goal_that_is_missed_is_exit_status_1(tmp_path: Path):
    outcome = build(tmp_path, "--goal", "1", "--no-plots")
    assert outcome.status == 1, outcome.err
    check_message(outcome.out.splitlines()[-2])
    assert summary_of(only_folder(tmp_path / "results"))["certified"] is False
    check_message(done(build(tmp_path, "--goal", "0.01", "--no-plots")).out.splitlines()[-2])


def test_an_improved_deck_is_reported_swap_by_swap(tmp_path: Path):
    outcome = done(build(tmp_path, "--improve", "tide_keep", "--swaps", "2"))
    folder = only_folder(tmp_path / "results")
    summary = summary_of(folder)
    assert (summary["improved"], summary["agent"]) == ("tide_keep", "control")
    assert [opponent["player"] for opponent in summary["opponents"]] == ["ember_rush"]
    assert [row["swaps"] for row in summary["swaps"]] == [1, 2]
    assert not summary["is_changed"]
    rows = rows_of(folder / "swaps.csv")
    assert [row["swaps"] for row in rows] == ["1", "2"]
    for row in rows:
        out, brought = (
            [int(part.split()[0]) for part in row[key].split("; ")] for key in ("out", "in")
        )
        assert sum(out) == sum(brought) == int(row["swaps"])
    assert {row["recommended"] for row in rows} == {"False"}
    assert load_deck(str(folder / "deck.toml")) == load_deck("tide_keep")
    check_screen(outcome.out)


def test_swaps_are_written_as_players_write_them():
    before = Deck(name="a", pool="p", ruleset="r", cards={"furnace_rat": 2, "puffball": 1})
    after = before.model_copy(update={"cards": {"puffball": 1, "spark_runner": 2}})
    assert swaps_in_words(before, after, CORE) == "- 2 Furnace Rat, + 2 Spark Runner"


@pytest.mark.thorough
def test_options_stand_for_the_file_and_have_folders_of_their_own(tmp_path: Path):
    owned = tmp_path / "mine.csv"
    owned.write_text(COPIES)
    options = [
        (), ("--agent", "control"), ("--goal", "0.1"), ("--improve", "ember_rush"),
        ("--improve", "ember_rush", "--swaps", "1"), ("--collection", owned),
        ("--collection", owned, "--budget", "3"), ("--seed", "8"),
    ]  # fmt: skip
    for arguments in options:
        done(build(tmp_path, "--no-plots", *arguments))
    assert len(list((tmp_path / "results").iterdir())) == len(options)
    build(tmp_path, "--no-plots", text=TINY + BUILD + 'agent = "control"\n')
    names = {folder.name for folder in (tmp_path / "results").iterdir()}
    assert len(names) == len(options) + 1  # the same deck, beside the older folder
    assert sum(name.endswith(".1") for name in names) == 1


def test_a_collection_is_what_it_says_not_where_it_is(tmp_path: Path):
    for name in ("one.csv", "other.csv"):
        (tmp_path / name).write_text(COPIES)
        outcome = build(tmp_path, "--no-plots", "--json", "--collection", tmp_path / name)
        cards = json.loads(outcome.out)["deck"]["cards"]
        assert set(cards) <= {card.id for card in CORE.cards[:32]}
        assert set(cards.values()) == {1}
    assert len({folder.name.split(".")[0] for folder in (tmp_path / "results").iterdir()}) == 1


@pytest.mark.parametrize("options", [(), ("--improve", "ember_rush")])
def test_a_stopped_run_continues_to_the_same_result(options: tuple[str, ...], tmp_path: Path):
    done(build(tmp_path, "--no-plots", *options, results="unbroken"))
    with stopped_after(3) as kept:
        outcome = build(tmp_path, "--no-plots", *options)
        assert outcome.status == 130
        assert "build" in outcome.err
        folder = only_folder(tmp_path / "results")
        assert (folder / "checkpoint.npz").exists()
        done(build(tmp_path, "--no-plots", "--resume", *options))
    assert kept == [0, 1, 2, 3, 4]
    assert timeless(folder) == timeless(only_folder(tmp_path / "unbroken"))


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ("", ("--agent", "agro")),
        ("", ("--agent", "dqn:mine.pt")),
        ("", ("--improve", "tide_kep")),
        ("", ("--improve", "tide_keep", "--agent", "aggro")),
        ("", ("--improve", "tide_keep", "--hero", "ember")),
        ("", ("--hero", "ember")),
        ('hero = "ember"\n', ()),
        ("", ("--swaps", "2")),
        ("", ("--swaps", "0", "--improve", "tide_keep")),
        ("", ("--goal", "1.5")),
        ("", ("--goal", "nan")),
        ("", ("--goal", "high")),
        ("", ("--budget", "-1")),
        ("", ("--budget", "5")),
        ("", ("--collection", "none.csv")),
        ("", ("--collection", "few.csv")),
        ("", ("--collection", "bad.csv")),
        ("size = 31\n", ()),
        ("copies = 3\n", ()),
        ("curve = { 1 = [20, 30], 2 = [20, 30] }\n", ()),
        ("curve = { 1 = [0, 1], x = [0, 1] }\n", ()),
        ("curve = { 1 = [3, 1] }\n", ()),
        ("prices = { pufball = 2 }\n", ()),
        ("[collection]\npufball = 2\n", ()),
        ("[field]\nweights = { tide_kep = 2 }\n", ()),
        ("[field]\nweights = { tide_keep = 0 }\n", ("--improve", "ember_rush")),
        ("populaton = 9\n", ()),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    more: str, options: tuple[str, ...], here: Path
):
    Path("few.csv").write_text("card,copies\npuffball,2\nash_urchin,1\n")
    Path("bad.csv").write_text("card,copies\npufball,2\n")
    check_refused("build", here, *options, text=SMALL + more)


def test_a_fraction_of_the_shipped_budget_reaches_the_shipped_goal():
    experiment = load_experiment("strong_deck")
    few = {"population": 16, "generations": 8, "select": 1_000, "certify": 4_000}
    build = experiment.settings.build.model_copy(update=few)
    built = build_deck(
        experiment.contest(), experiment.settings.model_copy(update={"build": build})
    )
    assert len(built.field.opponents) == 4
    assert build.goal == 0.6
    assert built.certified


@pytest.mark.slow
def test_the_shipped_deck_reaches_its_goal_in_nine_of_ten_run_seeds():
    experiment = load_experiment("strong_deck")
    runs = [experiment.with_seed(seed) for seed in range(1, 11)]
    assert sum(build_deck(run.contest(), run.settings).certified for run in runs) >= 9
