"""Results know their tables and their entries of the summary, as the files of a run hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from balance import Attack, BalanceRun, BuiltDeck, FoundPatch, Metagame, Result, Substitution
from experiments.runs.json_file import to_json
from sim.files.row_file import Row, read_lines
from tests.command_line import THREE, TINY, command, read_json, run_folder, summary_of
from tests.experiments.test_big_two_commands import TABLE
from tests.experiments.test_build_command import SMALL
from tests.refusals import refusal_of

MISSING = ("--deck", "ember_rush", "--card", "cinder_imp", "--games", "20", "--shown", "3")
CASES: dict[str, tuple[type[Result], str, tuple[str, ...], str]] = {
    "balance": (BalanceRun, "balance", (), TINY.replace("band_pp = 40", "band_pp = 1")),
    "big two": (FoundPatch, "balance", ("--threads", "2"), TABLE),
    "metagame": (Metagame, "metagame", (), THREE),
    "build": (BuiltDeck, "build", (), SMALL),
    "improve": (BuiltDeck, "build", ("--improve", "ember_rush", "--swaps", "2"), SMALL),
    "substitute": (Substitution, "substitute", MISSING, TINY),
}
"""Class of the result, command, options and experiment of each case."""


class Recorder:
    """Record of the results from which a command reads rows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen = list[Result]()
        rows = Result.rows

        def record(result: Result, row_type: type[Row]) -> list[Row]:
            self.seen.append(result)
            return rows(result, row_type)

        monkeypatch.setattr(Result, "rows", record)

    def of(self, kind: type[Result]) -> Iterator[Any]:
        """Yield each recorded result of a class once."""
        yield from {id(result): result for result in self.seen if type(result) is kind}.values()


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    return Recorder(monkeypatch)


def entries_of(result: Result) -> dict[str, Any]:
    """Return the entries of a result, which must be plain data, with the digits of a summary."""
    entries = result.to_dict()
    json.dumps(entries)
    return dict(json.loads(to_json(entries)))


@pytest.mark.parametrize("case", CASES)
def test_a_run_holds_the_tables_and_entries_of_its_result(
    case: str, tmp_path: Path, recorder: Recorder
) -> None:
    kind, name, options, text = CASES[case]
    folder = run_folder(name, tmp_path, *options, text=text)
    *_, result = recorder.of(kind)
    for table in result.tables:
        frame = result.to_frame(table)
        path = folder / f"{table}.csv"
        header, *lines = read_lines(path) if path.exists() else [[*frame.columns]]
        assert ([*frame.columns], len(frame)) == (header, len(lines)), table
    assert {path.name for path in folder.glob("*.csv")} - {*result.files} <= {
        "matchups.csv", "second_opinion.csv",
    }  # fmt: skip
    entries = entries_of(result)
    assert entries == {key: summary_of(folder)[key] for key in entries}


def test_an_attack_holds_the_entries_of_its_phases(tmp_path: Path, recorder: Recorder) -> None:
    folder = run_folder("balance", tmp_path, text=SMALL)
    asked = command("build", "--attack", folder, "--rounds", "1", "--no-plots")
    assert asked.status == 0, asked.err
    attacks = [*recorder.of(Attack)]
    assert [*map(entries_of, attacks)] == read_json(folder / "attack.json")["phases"]
    header, *lines = read_lines(folder / "attack.csv")
    frames = [attack.to_frame("attack") for attack in attacks]
    assert [[*frame.columns] for frame in frames] == [header] * 2
    assert [line[0] for line in lines] == [phase for frame in frames for phase in frame["phase"]]


def test_a_notebook_shows_the_main_table_with_escaped_names(
    tmp_path: Path, recorder: Recorder
) -> None:
    run_folder("metagame", tmp_path, text=THREE)
    (metagame,) = recorder.of(Metagame)
    html = replace(metagame, names=("<b>a</b>", "b", "c"))._repr_html_()
    assert html.startswith("<p><code>Metagame(n_games=40, ")
    assert "&lt;b&gt;a&lt;/b&gt;" in html
    assert "<b>" not in html
    refusal = refusal_of(metagame.to_frame, "metagme")
    assert (refusal.place, refusal.value, refusal.limit) == ("Metagame", "metagme", ("metagame",))
