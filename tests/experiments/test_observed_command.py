"""`evenhand matchups RESULTS.csv` and its report: files, summary, screen, options and bad input."""

from __future__ import annotations

import csv
import json
import re
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from balance.observed.observed_matchups import FEW_GAMES
from experiments.commands.observed_matchups import chosen_columns
from experiments.observed.deck_lists import read_deck_lists
from experiments.results.observed import (
    ObservedCardRow,
    ObservedChangeRow,
    ObservedMatchupRow,
    ObservedPlayerRow,
)
from experiments.runs.finished_run import open_finished_run
from sim import InputError
from tests.command_line import (
    ROOT,
    command,
    done,
    only_folder,
    refusal,
    rows_of,
    summary_of,
    write_experiment,
)
from tests.experiments.result_tables import table
from tests.experiments.test_run_contract import assert_shape, assert_unit
from tests.messages import check_message

TITLES = "Deck,Opponent,Wins,Losses,Draws,First,Patch,Rank,Date,Turns"
ROWS = [
    f"{a},{b},{w},{n},{d},{first},{patch},{rank},2026-0{1 + (patch == '1.10')}-0{1 + k},{7 + k}"
    for patch, gain in (("1.9", 0), ("1.10", 40))
    for k, (a, b, w, n, d, first) in enumerate(
        [
            ("Zoo", "Mage", 50 + gain, 40, 2, "Zoo"),
            ("Zoo", "Mage", 30 + gain, 45, 0, "Mage"),
            ("Zoo", "Hunter", 20, 10, 0, "Hunter"),
            ("Mage", "Hunter", 5, 9, 1, ""),
        ]
    )
    for rank in ("gold",)
]
INTERVAL = {"win_rate": float, "low": float, "high": float}
SUMMARY: dict[str, Any] = {
    "command": str, "game": str, "seed": int, "file": str, "source": str, "n": int,
    "mirrors": int, "rows": int, "assumed_games": type(None), "days": [str], "patches": [str],
    "brackets": [str], "missing": [{"a": str, "b": str}], "rated": [str],
    "equilibrium_of": [str], "cyclic": {"share": float, "low": float, "high": float},
    "first_seat": {**INTERVAL, "n": int},
    "draw_rate": {"rate": float, "low": float, "high": float},
    "changes": [{"by": str, "earlier": str, "later": str, "matchups": int, "differ": int,
                 "differ_alone": int}],
    "warnings": [{"kind": str, "names": [str], "n": int, "text": str}],
}  # fmt: skip


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return the path of a table of results."""
    path = tmp_path / "ladder.csv"
    path.write_text(table(TITLES, *ROWS), encoding="utf-8")
    return path


def ask(path: Path, *options: str | Path) -> Any:
    """Run the command on a table, with its results next to it."""
    return command("matchups", path, "--results", path.parent / "results", *options)


def test_the_run_folder_holds_tables_a_figure_and_the_summary_that_json_prints(
    results: Path,
) -> None:
    outcome = done(ask(results, "--json", "--source", "ladder, May"))
    folder = only_folder(results.parent / "results")
    assert re.fullmatch(r"ladder-matchups-[0-9a-f]{8}", folder.name)
    assert {path.name for path in folder.iterdir()} == {
        "run.json", "resolved.json", "summary.json", "log.txt", "matchups.csv", "players.csv",
        "changes.csv", "matchups.png",
    }  # fmt: skip
    summary = summary_of(folder)
    assert outcome.out == (folder / "summary.json").read_text(encoding="utf-8")
    plain = {key: value for key, value in summary.items() if key in SUMMARY}
    assert_shape(plain, SUMMARY)
    assert {*summary} - {*SUMMARY} == {"columns", "matchups", "players"}
    assert summary["source"] == "ladder, May"
    assert summary["n"] == sum(row["n"] for row in summary["matchups"])
    run = open_finished_run(str(folder), results.parent / "results")
    rows = run.rows("matchups.csv", ObservedMatchupRow)
    assert [(row.a, row.b, row.n) for row in rows] == [
        ("Hunter", "Mage", 30), ("Hunter", "Zoo", 60), ("Mage", "Zoo", 414),
    ]  # fmt: skip
    assert [row.few_games for row in rows] == [row.n < FEW_GAMES for row in rows]
    (hunter, *_) = run.rows("players.csv", ObservedPlayerRow)
    assert (hunter.player, hunter.n) == ("Hunter", 90)
    changes = run.rows("changes.csv", ObservedChangeRow)
    assert {(row.by, row.earlier, row.later) for row in changes} == {("patch", "1.9", "1.10")}
    assert [(row.a, row.b) for row in changes if row.differs] == [("Mage", "Zoo")]


def test_another_seed_or_content_makes_another_folder_and_the_same_none(results: Path) -> None:
    for options in ((), ("--seed", "5"), ("--source", "x")):
        done(ask(results, "--no-plots", *options))
    results.write_text(table(TITLES, *ROWS[1:]), encoding="utf-8")
    done(ask(results, "--no-plots"))
    folders = [path for path in (results.parent / "results").iterdir() if path.is_dir()]
    assert len(folders) == 4


def test_the_screen_says_what_the_games_are_and_what_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text(table("deck,opponent,win rate", "A,B,60", "A,C,50", "A,a,50"))
    outcome = done(ask(path, "--no-plots", "--games", "20"))
    check_message(outcome.out)
    summary = summary_of(only_folder(tmp_path / "results"))
    assert summary["assumed_games"] == 20
    assert summary["missing"] == [{"a": "B", "b": "C"}]
    assert summary["cyclic"] is summary["first_seat"] is summary["draw_rate"] is None
    assert "certified" not in outcome.out
    assert "balanced" not in outcome.out


def test_many_players_are_a_matrix(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    names = "ABCDEFG"
    rows = [f"{a},{b},3,4" for a in names for b in names if a < b]
    path.write_text(table("deck,opponent,wins,losses", *rows))
    outcome = done(ask(path, "--no-plots"))
    line = next(line for line in outcome.out.splitlines() if line.startswith("1 A"))
    assert line.split()[2:] == ["-", *["43*"] * 6, "42.9"]


LISTS = table(
    "player,card,copies,archetype",
    *(f"{deck},{card},{n},{kind}" for deck, kind, cards in (
        ("zoo", "aggro", {"Imp": 2, "Bolt": 1, "Coin": 1}),
        ("Mage", "spells", {"Bolt": 2, "Wisp": 1, "Coin": 1}),
        ("Hunter", "aggro", {"Imp": 1, "Coin": 1, "Trap": 2, "Bow": 2}),
        ("Priest", "spells", {"Wisp": 2, "Coin": 1}),
        ("Other", "spells", {"Wisp": 2}),
    ) for card, n in cards.items()),
)  # fmt: skip


def test_deck_lists_give_effects_of_cards_with_what_confounds_them(results: Path) -> None:
    lists = results.parent / "lists.csv"
    lists.write_text(LISTS)
    results.write_text(table(TITLES, *ROWS, "Priest,Zoo,9,30,0,,1.9,gold,2026-01-09,9"))
    done(ask(results, "--no-plots", "--decks", lists))
    folder = only_folder(results.parent / "results")
    found = summary_of(folder)["card_effects"]
    assert found["decks"] == 4
    assert found["in_all"] == ["Coin"]
    assert found["unknown"] == ["Other"]
    assert found["knows_archetypes"] is True
    rows = open_finished_run(str(folder), results.parent / "results").rows(
        "card_effects.csv", ObservedCardRow
    )
    for name in folder.glob("*.csv"):
        header, *cells = csv.reader(name.read_text(encoding="utf-8").splitlines())
        for k, column in enumerate(header):
            assert_unit(column, [row[k] for row in cells if row[k] != ""], f"{name}: {column}")
    by_card = {row.card: row for row in rows}
    assert {*by_card} == {"Imp", "Bolt", "Wisp", "Trap", "Bow"}
    assert by_card["Trap"].always_with == "Bow"
    assert by_card["Bolt"].n_archetypes == 2
    assert found["together"] == 2
    assert found["of_one_archetype"] == 4
    done(command("report", folder))
    assert "Always with" in (folder / "report.html").read_text(encoding="utf-8")


def test_lists_in_a_folder_are_deck_files_or_lines_of_copies(tmp_path: Path) -> None:
    (tmp_path / "face_hunter.txt").write_text("# my deck\n2 Imp\n\n1x Bolt\n")
    (tmp_path / "mine.toml").write_text(
        'name = "Zoo"\npool = "core"\nruleset = "duel"\n[cards]\nimp = 1\n'
    )
    lists = read_deck_lists(tmp_path, ("Face Hunter", "Zoo", "Mage"))
    assert lists.cards == ("Bolt", "Imp")
    assert lists.copies.tolist() == [[1, 2], [0, 1], [0, 0]]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", {}),
        ("player,card\nZoo,Imp\n", {"limit": ("deck", "card", "copies")}),
        ("player,card,copies\nZoo,Imp,two\n", {"value": "two"}),
        ("player,card,copies\nZoo,Imp,1\nZoo,imp,1\n", {}),
        ("player,card,copies\nOther,Imp,1\n", {"value": ("Other",), "limit": ("Zoo", "Mage")}),
        ("player,card,copies\nZoo,Imp,1\nzoo,Imp,1\n", {"value": "zoo"}),
    ],
)
def test_bad_lists_are_refused(text: str, fields: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_deck_lists(path, ("Zoo", "Mage"))
    assert str(path) in refused.value.place
    for name, value in fields.items():
        assert getattr(refused.value, name) == value


def test_a_folder_without_lists_and_a_bad_line_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read_deck_lists(tmp_path, ("Zoo",))
    assert refused.value.limit == (".toml", ".txt", ".cod", ".dck")
    (tmp_path / "zoo.txt").write_text("2 Imp\nImp\n")
    with pytest.raises(InputError) as refused:
        read_deck_lists(tmp_path, ("Zoo",))
    assert refused.value.value == "Imp"


def test_the_report_shows_every_matchup_and_the_figure(results: Path) -> None:
    done(ask(results, "--source", "<b>ladder</b>"))
    folder = only_folder(results.parent / "results")
    outcome = done(command("report", results, "--results", results.parent / "results"))
    assert str(folder / "report.html") in outcome.out
    page = (folder / "report.html").read_text(encoding="utf-8")
    for row in rows_of(folder / "matchups.csv"):
        assert f"{row['a']} vs {row['b']}" in page
        assert f"{100 * float(row['win_rate_a']):.1f}" in page
    assert 'src="data:image/png;base64,' in page
    assert "<script" not in page
    assert "<b>ladder</b>" not in page
    assert 'content="evenhand report"' in page
    done(command("report", folder))
    assert (folder / "report.html").read_text(encoding="utf-8") == page


def test_a_table_without_a_run_and_a_run_of_cards_have_no_such_report(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    done(command("matchups", tmp_path / "tiny.toml", "--results", tmp_path / "r", "--no-plots"))
    for name in ("tiny.csv", "other.csv"):
        check_message(refusal(command("report", name, "--results", tmp_path / "r")))


def test_a_damaged_run_is_refused(results: Path) -> None:
    done(ask(results, "--no-plots"))
    folder = only_folder(results.parent / "results")
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    del summary["players"]
    (folder / "summary.json").write_text(json.dumps(summary))
    check_message(refusal(command("report", folder)))


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (("--agent", "aggro"), "--agent"),
        (("--games", "20"), "--games"),
        (("--columns", "player_a"), "--columns"),
        (("--columns", "playr_a=Deck"), "--columns"),
        (("--columns", "wins=Wins,wins=Losses"), "--columns"),
        (("--decks", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_options_that_do_not_fit_a_table_are_refused(
    options: tuple[str, ...], place: str, results: Path
) -> None:
    assert place in refusal(ask(results, *options))
    assert not (results.parent / "results").exists()


@pytest.mark.parametrize("option", ["columns", "decks", "source"])
def test_options_of_tables_are_refused_for_experiments(option: str, tmp_path: Path) -> None:
    outcome = command("matchups", "quickstart", "--results", tmp_path, f"--{option}", "a=b")
    assert f"--{option}" in refusal(outcome)


@pytest.mark.parametrize(
    "text", ["", "name,cost\nX,1\n", "a,b,wins,games\nX,Y,3,2\n", "a,b,winner\nX,X,a\n"]
)
def test_bad_tables_end_with_status_2_and_no_folder(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    check_message(refusal(ask(path)))
    assert not (tmp_path / "results").exists()


def test_columns_may_be_named_in_either_order() -> None:
    expected = {"player_a": "My deck", "winner": "Won"}
    assert chosen_columns(["player_a=My deck,winner=Won"]) == expected
    assert chosen_columns(["My deck=player_a", "Won=winner"]) == expected


def test_the_example_of_the_documentation_is_current(tmp_path: Path) -> None:
    lines = (ROOT / "docs" / "observed_results.md").read_text(encoding="utf-8").splitlines()
    begin = lines.index("The example `ladder.csv`:") + 2
    content = list(takewhile(bool, lines[begin:]))
    path = tmp_path / "ladder.csv"
    path.write_text("\n".join(line.strip() for line in content) + "\n")
    outcome = done(ask(path, "--no-plots", "--source", "ladder, May"))
    shown = list(takewhile(bool, lines[begin + len(content) + 3 :]))
    assert len(shown) > 10
    printed = [line.rstrip() for line in outcome.out.splitlines()]
    for line in shown:
        start = line.strip().removesuffix("...")
        assert [row for row in printed if row.startswith(start)], line
