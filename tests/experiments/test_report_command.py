"""`evenhand report`: the file that it writes, and its messages for damaged folders."""

from __future__ import annotations

import json
from importlib import util
from pathlib import Path
from typing import Any

import pytest

from experiments.commands import report as report_command
from tests.command_line import command, contents, done, refusal, unchanged
from tests.experiments.reports import attack_on, report_on, table
from tests.messages import check_message

pytest.importorskip("jinja2")
plotly = pytest.importorskip("plotly.offline")


def test_the_command_writes_one_small_file_and_prints_its_path(copied: Path):
    before = contents(copied)
    outcome = done(command("report", copied))
    after = contents(copied)
    written = after.pop("report.html")
    assert after == before
    page = written.decode()
    assert page.count(plotly.get_plotlyjs()) == 1
    assert page == report_on(copied)  # also when its report lies there
    assert str(copied / "report.html") in outcome.out
    assert f"{len(written) / 1e6:.1f} MB" in outcome.out
    assert len(written) < 6_000_000


def test_an_experiments_name_stands_for_its_newest_run(copied: Path, tmp_path: Path):
    done(command("report", "tiny", "--results", tmp_path, "--output", tmp_path / "x.html"))
    assert (tmp_path / "x.html").read_text(encoding="utf-8") == report_on(copied)


def test_a_report_is_replaced_and_nothing_else_is(copied: Path, tmp_path: Path):
    for _ in range(2):
        done(command("report", copied))
    precious = tmp_path / "precious.html"
    precious.write_text("my notes", encoding="utf-8")
    check_message(refusal(command("report", copied, "--output", precious)))
    assert precious.read_text(encoding="utf-8") == "my notes"
    check_message(refusal(command("report", copied, "--output", tmp_path)))
    check_message(refusal(command("report", copied, "--output", tmp_path / "a" / "b")))


def _remove(name: str) -> Any:
    """Return a function that removes a file of a run folder."""
    return lambda folder: (folder / name).unlink()


def _write(name: str, text: str) -> Any:
    """Return a function that replaces a file of a run folder."""
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def _put(name: str, column: str, value: str) -> Any:
    """Return a function that writes a value into a column of all rows of a table."""

    def tamper(folder: Path) -> None:
        rows = table(folder, name)
        lines = [",".join(rows[0]), *(",".join((row | {column: value}).values()) for row in rows)]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    return tamper


def _rename_deck(name: str) -> Any:
    """Return a function that writes an attack with another name of a deck."""

    def tamper(folder: Path) -> None:
        text = json.dumps(attack_on(folder)).replace("<i>intruder</i>", json.dumps(name)[1:-1])
        (folder / "attack.json").write_text(text, encoding="utf-8")

    return tamper


@pytest.mark.parametrize(
    "tamper",
    [
        _remove("summary.json"),
        _remove("run.json"),
        _remove("front_edits.csv"),
        _remove("guards.csv"),
        _write("front.csv", "point\n1,2\n"),
        _write("front.csv", "point,change\n1,2\n"),
        _write("convergence.csv", "generation,games\n"),
        _write("summary.json", "{"),
        _write("summary.json", "{}"),
        _write("resolved.json", "{}"),
        _write("resolved.json", '{"experiment": {}, "pool": {"card": [{}]}}'),
        _write("resolved.json", '{"experiment": [], "pool": {"card": 3}}'),
        _write("run.json", '{"command": "power"}'),
        _write("run.json", '{"command": "balance"}'),
        _write("attack.json", "{}"),
        _write("attack.json", '{"phases": [{}]}'),
        _write("attack.json", '{"phases": 3}'),
        _write("attack.json", '{\n  "phases": ]\n'),
        _write("attack.json", "[]"),
        _rename_deck("\u0007"),
        _put("convergence.csv", "games", "many"),
        _put("guards.csv", "guard", "luck"),
        _put("stages.csv", "today", "half"),
        _put("narrowing.csv", "kept", "perhaps"),
        _put("front.csv", "recommended", "False"),
    ],
    ids=[
        "no summary",
        "no run.json",
        "no edits of the front",
        "no guards",
        "torn row",
        "missing column",
        "missing columns",
        "cut summary",
        "empty summary",
        "no experiment",
        "card without id",
        "wrong types",
        "run of another command",
        "no version",
        "no phases",
        "phase without rounds",
        "phases are a number",
        "no JSON",
        "no object",
        "control character in a name",
        "no number",
        "unknown guard",
        "no rate",
        "no truth value",
        "no recommended patch",
    ],
)
def test_a_damaged_folder_is_refused_with_one_line(tamper: Any, copied: Path):
    tamper(copied)
    with unchanged(contents, copied):
        message = refusal(command("report", copied))
    check_message(message)
    assert "Error" not in message  # no name of an exception


def test_a_missing_extra_is_named(copied: Path, monkeypatch: pytest.MonkeyPatch):
    def without_plotly(name: str) -> Any:
        return None if name == "plotly" else util.find_spec(name)

    monkeypatch.setattr(report_command, "find_spec", without_plotly)
    check_message(refusal(command("report", copied)))


def test_the_page_opens_in_the_browser_on_demand(copied: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []
    monkeypatch.setattr(report_command.webbrowser, "open", opened.append)
    assert command("report", copied).status == 0
    assert opened == []
    assert command("report", copied, "--open").status == 0
    assert opened == [(copied / "report.html").resolve().as_uri()]
