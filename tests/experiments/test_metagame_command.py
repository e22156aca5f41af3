"""`evenhand metagame`: its files, its sentences and its figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance import CardContest, Interval, Player, metagame_of
from experiments.commands.metagame import cyclic_sentence, unplayed_sentence
from experiments.plots import figure_png, metagame_plot
from tests.balance.coins import coin_counts, players_named
from tests.command_line import (
    THREE,
    TINY,
    ask,
    contents,
    done,
    only_folder,
    rows_of,
    run_folder,
    summary_of,
)
from tests.experiments.command_goldens import check_refused, check_screen
from tests.messages import check_message


def coins(n, spread=0.05, seed=1):
    """Return the metagame of `n` coins with random bias."""
    payoff = np.triu(np.random.default_rng(seed).normal(scale=spread, size=(n, n)), 1)
    contest = players_named(*(f"deck_{k}" for k in range(n)))
    counts = coin_counts(payoff - payoff.T, n_seeds=200, seed=seed)
    return contest, metagame_of(contest, counts, counts, run_seed=1, n_resamples=40)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("metagame")
    outcome = done(ask("metagame", place, text=THREE))
    folder = only_folder(place / "results")
    (folder / "shown.txt").write_text(outcome.out)
    return folder


def test_the_run_folder_holds_tables_figures_and_summary(folder):
    files = set(contents(folder))
    assert files >= {"metagame.csv", "matchups.csv", "metagame.png", "matchups.png", "summary.json"}
    assert folder.name.startswith("tiny-metagame-")


def test_the_table_and_the_summary_agree(folder):
    summary = summary_of(folder)
    rows = rows_of(folder / "metagame.csv")
    assert [row["player"] for row in rows] == ["ember_rush", "tide_keep", "grove_march"]
    assert sum(float(row["share"]) for row in rows) == pytest.approx(1, abs=1e-5)
    for row, player in zip(rows, summary["players"], strict=True):
        assert row.keys() == player.keys()
        assert float(row["share"]) == pytest.approx(player["share"], rel=1e-5)
        assert player["share_low"] <= player["share"] <= player["share_high"]
        assert player["against_mix"] <= 0.5 + 1e-9
    n_played = sum(player["share"] > 0 for player in summary["players"])
    for player in summary["players"]:
        assert player["n"] == 40 * (n_played - (player["share"] > 0))
    assert summary["command"] == "metagame"
    assert summary["cyclic"].keys() == {"share", "low", "high"}
    assert len(summary["matchups"]) == 3
    assert summary["n"] == 120


def test_the_screen_shows_shares_and_the_decks_that_are_never_played(folder):
    shown = (folder / "shown.txt").read_text()
    check_screen(shown)
    for name in summary_of(folder)["never_played"]:
        assert f"{name} (" in shown


def test_the_games_are_those_of_matchups(tmp_path, folder):
    other = run_folder("matchups", tmp_path, text=THREE)
    judged = rows_of(other / "matchups.csv")  # with verdicts, which a metagame has not
    for row, judged_row in zip(rows_of(folder / "matchups.csv"), judged, strict=True):
        assert row == {column: judged_row[column] for column in row}


def test_one_deck_alone_is_refused(tmp_path):
    second = '[[player]]\ndeck = "tide_keep"\nagent = "control"\n'
    check_refused("metagame", tmp_path, text=TINY.replace(second, ""))


def test_the_sentences_of_all_cases():
    metagame = coins(3)[1]
    check_message(cyclic_sentence(metagame))
    all_played = replace(metagame, shares=Interval(*(np.full(3, 1 / 3),) * 3))
    check_message(unplayed_sentence(all_played))
    first = metagame.shares._replace(estimate=np.array([1.0, 0, 0]))
    check_message(unplayed_sentence(replace(metagame, shares=first)))
    _, pair = coins(2)
    check_message(cyclic_sentence(pair))


def test_decks_that_are_all_alike_can_be_drawn():
    player = players_named("x").players[0]
    contest = CardContest(
        players_named("x").table, tuple(Player(name, player.deck, player.agent) for name in "ab")
    )
    counts = coin_counts(np.zeros((2, 2)), n_seeds=4)
    even = replace(counts, winners=np.zeros_like(counts.winners), points=np.array([[4.0]]))
    metagame = metagame_of(contest, even, even, run_seed=1, n_resamples=5)
    assert metagame.shares.estimate.tolist() == [0.5, 0.5]
    assert figure_png(metagame_plot(["a", "b"], metagame, title="T")).startswith(b"\x89PNG")
