"""`evenhand report`: what it writes, and what it says where it cannot."""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import Any

import pytest

from experiments.commands import report as report_command
from tests.command_line import command, contents, done, refusal, unchanged
from tests.experiments.reports import report_on, table

pytest.importorskip("jinja2")
plotly = pytest.importorskip("plotly.offline")

WHY = "; made by another version, or damaged"
LAST = f"resolved.json{WHY}"


def test_the_command_writes_one_small_file_and_says_where(copied: Path):
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
    assert "is a file that is no report" in refusal(command("report", copied, "--output", precious))
    assert precious.read_text(encoding="utf-8") == "my notes"
    assert "is a folder" in refusal(command("report", copied, "--output", tmp_path))
    assert "no such folder" in refusal(command("report", copied, "--output", tmp_path / "a" / "b"))


def _remove(name: str) -> Any:
    return lambda folder: (folder / name).unlink()


def _write(name: str, text: str) -> Any:
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def _put(name: str, column: str, value: str) -> Any:
    """Write the same into every row of a table."""

    def tamper(folder: Path) -> None:
        rows = table(folder, name)
        lines = [",".join(rows[0]), *(",".join((row | {column: value}).values()) for row in rows)]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    return tamper


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (_remove("summary.json"), "is not finished"),
        (_remove("run.json"), "has no run.json"),
        (_remove("front_edits.csv"), "front_edits.csv: no such file"),
        (_remove("guards.csv"), "Run `evenhand balance` again"),
        (_write("front.csv", "point\n1,2\n"), "front.csv: damaged"),
        (
            _write("front.csv", "point,change\n1,2\n"),
            f"front.csv: has no column 'cards_touched'{WHY}",
        ),
        (
            _write("convergence.csv", "generation,games\n"),
            f"convergence.csv: has no column 'imbalance_pp'{WHY}",
        ),
        (_write("summary.json", "{"), "summary.json: damaged"),
        (_write("summary.json", "{}"), f"summary.json: has no 'patch'{WHY}"),
        (_write("resolved.json", "{}"), f"resolved.json: has no 'experiment'{WHY}"),
        (
            _write("resolved.json", '{"experiment": {}, "pool": {"card": [{}]}}'),
            f"resolved.json: pool, card, no. 1 has no 'id'{WHY}",
        ),
        (
            _write("resolved.json", '{"experiment": [], "pool": {"card": 3}}'),
            f"make sense of summary.json or resolved.json{WHY}",
        ),
        (_write("run.json", '{"command": "power"}'), "is a run of `power`"),
        (_write("run.json", '{"command": "balance"}'), f"run.json: has no 'evenhand'{WHY}"),
        (_write("attack.json", "{}"), f"attack.json: has no 'phases'{WHY}"),
        (
            _write("attack.json", '{"phases": [{}]}'),
            f"attack.json: phases, no. 1 has no 'rounds'{WHY}",
        ),
        (_write("attack.json", '{"phases": 3}'), f"make sense of attack.json{WHY}"),
        (
            _write("attack.json", '{\n  "phases": ]\n'),
            "attack.json: damaged: is no JSON (line 2, column 13)",
        ),
        (_write("attack.json", "[]"), "attack.json: damaged: it must hold a JSON object"),
        (
            _put("convergence.csv", "games", "many"),
            f"convergence.csv: row 2: games must be a number, not 'many'{WHY}",
        ),
        (
            _put("guards.csv", "guard", "luck"),
            f"make sense of guards.csv or summary.json or {LAST}",
        ),
        (
            _put("stages.csv", "today", "half"),
            f"stages.csv: row 2: today must be a number, not 'half'{WHY}",
        ),
        (
            _put("narrowing.csv", "kept", "perhaps"),
            "narrowing.csv: row 2: kept must be True or False",
        ),
        (
            _put("front.csv", "recommended", "False"),
            "make sense of front.csv or front_matchups.csv",
        ),
    ],
)
def test_a_folder_that_cannot_be_reported_on_is_one_clear_line(
    tamper: Any, says: str, copied: Path
):
    tamper(copied)
    with unchanged(contents, copied):
        said = refusal(command("report", copied))
    assert says in said
    assert "Error" not in said  # no exception speaks for itself


def test_a_missing_extra_is_named(copied: Path, monkeypatch: pytest.MonkeyPatch):
    def without_plotly(name: str) -> Any:
        return None if name == "plotly" else util.find_spec(name)

    monkeypatch.setattr(report_command, "find_spec", without_plotly)
    message = refusal(command("report", copied))
    assert message == 'evenhand: evenhand report needs the extra: pip install "evenhand[report]"\n'


def test_the_page_opens_in_the_browser_on_demand(copied: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []
    monkeypatch.setattr(report_command.webbrowser, "open", opened.append)
    assert command("report", copied).status == 0
    assert opened == []
    assert command("report", copied, "--open").status == 0
    assert opened == [(copied / "report.html").resolve().as_uri()]
