"""`evenhand outliers`: the table in a file and on the screen, and resumed runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.command_line import (
    TINY,
    ask,
    contents,
    done,
    json_of,
    only_folder,
    rows_of,
    summary_of,
)
from tests.duels import CORE
from tests.experiments.command_goldens import check_refusal, check_screen
from tests.experiments.stopping import stopped_after
from tests.messages import check_message

GAMES = "\n[outliers]\ngames = 20\n[build]\n"


outliers = partial(ask, "outliers", text=TINY + GAMES)


def test_cards_are_ranked_by_their_distance_from_what_is_usual_at_their_cost(tmp_path: Path):
    outcome = done(outliers(tmp_path))
    folder = only_folder(tmp_path / "results")
    assert set(contents(folder)) == {
        "outliers.csv", "summary.json", "resolved.json", "run.json", "log.txt",
    }  # fmt: skip
    rows = rows_of(folder / "outliers.csv")
    assert sorted(row["card"] for row in rows) == sorted(card.id for card in CORE.cards)
    excess = [float(row["excess_pp"]) for row in rows]
    assert [abs(number) for number in excess] == sorted(map(abs, excess), reverse=True)
    for row in rows:
        assert float(row["low_pp"]) < float(row["effect_pp"]) < float(row["high_pp"])
        of_parts = float(row["effect_pp"]) - float(row["usual_pp"])
        assert abs(of_parts - float(row["excess_pp"])) < 1e-3
        if row["verdict"]:
            assert float(row["margin_low_pp"]) > 0
            assert (row["verdict"] == "undercosted") == (float(row["excess_pp"]) > 0)
    summary = summary_of(folder)
    for verdict in ("undercosted", "overcosted"):
        assert summary[verdict] == [row["card"] for row in rows if row["verdict"] == verdict]
    assert summary["games"] >= 20 * len(CORE.cards)
    check_screen(outcome.out)
    assert json_of(outliers(tmp_path, "--json")) == summary


def test_all_decks_are_played_by_the_agent_of_the_option(tmp_path: Path):
    text = f'{TINY}{GAMES}improve = "tide_keep"\n'
    summary = json_of(outliers(tmp_path, "--json", "--agent", "control", text=text))
    assert summary["agent"] == "control"
    check_refusal(outliers(tmp_path, "--agent", "agro"))


def test_a_stopped_run_continues_to_the_same_result(tmp_path: Path):
    unbroken = json_of(outliers(tmp_path, "--json", results="unbroken"))
    with stopped_after(3):
        outcome = outliers(tmp_path)
    assert outcome.status == 130
    check_message(outcome.err.splitlines()[-1])
    done(outliers(tmp_path, "--resume"))
    assert summary_of(only_folder(tmp_path / "results")) == unbroken
