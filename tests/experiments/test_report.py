"""What the report says is what its run folder holds, in one file that loads nothing."""

from __future__ import annotations

import csv
import html
import json
import re
import shutil
from html.parser import HTMLParser
from importlib import util
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from experiments.commands import report as report_command
from experiments.runs.finished_run import open_finished_run
from sim.errors import InputError
from tests.command_line import balance, command, contents, write_experiment
from tests.experiments.reports import EVIL_CARD, EVIL_PLAYER, NARROW, THREE, attack_on, evil_run
from tests.experiments.test_bad_input import refusal

pytest.importorskip("jinja2")
plotly = pytest.importorskip("plotly.offline")

ADDRESSES = {"src", "href", "srcset", "data", "action", "formaction", "poster", "background"}
PAIR = 'win_rate = { "ember_rush vs tide_keep" = 0.6 }'
LARGEST = 6_000_000  # bytes


class Page(HTMLParser):
    """A page taken apart: its text, its addresses, its scripts, the rows of its tables."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.addresses, self.scripts, self.tags = "", [], {}, []
        self.rows: list[str] = []
        self._inside = None
        self._in_row = False
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ADDRESSES]
        if tag in {"script", "style"}:
            self._inside = dict(attrs).get("id") or f"{tag} {self.tags.count(tag)}"
            self.scripts[self._inside] = ""
        elif tag == "tr":
            self.rows.append("")
            self._in_row = True
        elif tag in {"td", "th"}:
            self.rows[-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style"}:
            self._inside = None
        elif tag == "tr":
            self._in_row = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[self._inside] += data
            return
        self.text += data
        if self._in_row:
            self.rows[-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.scripts["data"])

    def row_with(self, *cells: str) -> str:
        """The one row of a table in which all of `cells` stand."""
        (row,) = [row for row in self.shown_rows if all(cell in row for cell in cells)]
        return row

    @property
    def shown_rows(self) -> list[str]:
        return [" ".join(row.split()) for row in self.rows]


def report_on(folder: Path) -> str:
    """The page about the run in `folder`, which is left as it was."""
    from experiments.report.page import report_page

    return report_page(open_finished_run(str(folder), folder.parent, "balance"))


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def interval(*bounds: float) -> str:
    """Three rates as the page shows them."""
    estimate, low, high = (f"{100 * bound:.1f}" for bound in bounds)
    return f"{estimate} {low} to {high}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    return balance(write_experiment(folder, THREE), folder / "results")


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evil_run(tmp_path_factory.mktemp("evil"))


@pytest.fixture(scope="module")
def page(run: Path) -> Page:
    return Page(report_on(run))


@pytest.fixture
def copied(run: Path, tmp_path: Path) -> Path:
    """A copy of the run, to be tampered with."""
    return shutil.copytree(run, tmp_path / run.name)


def test_the_command_writes_one_small_file_and_says_where(copied: Path):
    before = contents(copied)
    outcome = command("report", copied)
    assert outcome.status == 0, outcome.err
    after = contents(copied)
    written = after.pop("report.html")
    assert after == before
    assert str(copied / "report.html") in outcome.out
    assert f"{len(written) / 1e6:.1f} MB" in outcome.out
    assert written.decode() == report_on(copied)
    assert len(written) < LARGEST


def test_an_experiments_name_stands_for_its_newest_run(copied: Path, tmp_path: Path):
    outcome = command("report", "tiny", "--results", tmp_path, "--output", tmp_path / "x.html")
    assert outcome.status == 0, outcome.err
    assert (tmp_path / "x.html").read_text(encoding="utf-8") == report_on(copied)


def test_the_same_folder_gives_the_same_bytes_also_when_its_report_lies_there(copied: Path):
    first = report_on(copied)
    (copied / "report.html").write_text(first, encoding="utf-8")
    assert report_on(copied) == first


def test_a_report_is_replaced_and_nothing_else_is(copied: Path, tmp_path: Path):
    assert command("report", copied).status == 0
    assert command("report", copied).status == 0
    precious = tmp_path / "precious.html"
    precious.write_text("my notes", encoding="utf-8")
    assert "is a file that is no report" in refusal(command("report", copied, "--output", precious))
    assert precious.read_text(encoding="utf-8") == "my notes"
    assert "is a folder" in refusal(command("report", copied, "--output", tmp_path))
    assert "No such file" in refusal(command("report", copied, "--output", tmp_path / "a" / "b"))


def test_nothing_on_the_page_has_an_address_outside_it(page: Page):
    assert page.addresses
    assert all(address.startswith(("#", "data:")) for address in page.addresses)
    anchors = {address[1:] for address in page.addresses if address.startswith("#")}
    assert anchors >= {"matchups", "front", "power", "search", "attack", "provenance", "words"}
    ours = page.scripts["style 1"]
    assert "color-scheme" in ours
    assert not re.search(r"url\(|@import|https?:", ours)
    assert not {"iframe", "object", "embed", "img"} & set(page.tags)


def test_plotly_is_there_once(run: Path):
    assert report_on(run).count(plotly.get_plotlyjs()) == 1


def test_before_and_after_stand_with_their_intervals(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    for matchup in summary["matchups"]:
        sides = (matchup["before"], matchup["after"])
        shown = [interval(side["win_rate"], side["low"], side["high"]) for side in sides]
        row = page.row_with(f"{matchup['a']} vs {matchup['b']}", *shown, "± 40")
        assert row.endswith(" inside") == matchup["inside"]
    assert f"n = {summary['matchups'][0]['after']['n']:,} games" in page.text
    assert "95 % for all matchups together" in page.text


def test_headline_notes_and_costs_are_those_of_the_summary(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    text = " ".join(page.text.split())
    assert "Certified" in text
    assert f"{sum(summary['games'].values()):,} in {summary['seconds']:.1f} s" in text
    for edit in summary["patch"]:
        assert f"{edit['field']} {edit['from']} → {edit['to']}" in text
    largest = [
        max(abs(m[side]["win_rate"] - m["target"]) for m in summary["matchups"])
        for side in ("before", "after")
    ]
    assert (" → ".join(f"{100 * distance:.1f}" for distance in largest) + " pp") in text.replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_stages_of_each_matchup_are_told_apart(run: Path, page: Page):
    for row in table(run, "stages.csv"):
        shown = [
            interval(*(float(row[f"{stage}{bound}"]) for bound in ("", "_low", "_high")))
            + f" {100 * float(row[f'{stage}_confidence']):.4g} %, n = {int(row[f'{stage}_n']):,}"
            for stage in ("today", "claimed", "selected", "certified")
        ]
        page.row_with(row["matchup"], " ".join(shown))


def test_guards_are_those_of_the_certificate(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    rows = {row["guard"]: row for row in table(run, "guards.csv")}
    assert rows.keys() == summary["guards"].keys()
    for name, guard in summary["guards"].items():
        row = rows[name]
        for column, key in {"before": "before", "after": "value", "least": "low"}.items():
            assert float(row[column]) == pytest.approx(guard[key], rel=1e-5)
        assert row["holds"] == str(guard["holds"])
        assert int(row["n"]) == 3 * 200
        if name != "median_turns":
            for side in ("before", "after"):
                bounds = [float(row[f"{side}_{end}"]) for end in ("low", "high")]
                assert bounds[0] <= float(row[side]) <= bounds[1]
                assert bounds[0] < bounds[1]
    first = rows["max_first_seat_pp"]
    shown = [f"{50 + float(first[column]):.1f}" for column in ("before", "after")]
    page.row_with("first seat wins", *shown)
    page.row_with("games drawn", "at most 100.00 %", "holds")


def test_every_patch_played_again_is_in_the_data(run: Path, page: Page):
    front = page.data["front"]
    rows, edits = table(run, "front.csv"), table(run, "front_edits.csv")
    matchups = table(run, "front_matchups.csv")
    assert len(front["points"]) == len(rows) > 3
    assert [int(row["point"]) for row in rows] == list(range(1, len(rows) + 1))
    for row, point in zip(rows, front["points"], strict=True):
        assert point["change"] == float(row["change"])
        notes = "; ".join(
            f"{note['name']}: {field} {before} -> {after}"
            for note in point["notes"]
            for field, before, after in note["changes"]
        )
        assert notes == row["patch"]
        assert len([edit for edit in edits if edit["point"] == row["point"]]) == sum(
            len(note["changes"]) for note in point["notes"]
        )
        mine = [matchup for matchup in matchups if matchup["point"] == row["point"]]
        for stage in ("claimed", "selected"):
            assert point["stages"][stage]["n"] == int(row[f"{stage}_n"])
            for matchup, shown in zip(mine, point["stages"][stage]["rates"], strict=True):
                assert shown[0] == pytest.approx(float(matchup[stage]), abs=1e-4)
                assert shown[1] < shown[0] < shown[2]
            distances = [abs(float(m[stage]) - float(m["target"])) for m in mine]
            estimate, low, high = point["imbalance"][stage]
            assert estimate == pytest.approx(100 * max(distances), abs=1e-3)
            assert low <= estimate <= high


def test_the_recommended_patch_is_the_summarys_and_alone_has_a_certificate(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    front = page.data["front"]
    (chosen,) = [point for point in front["points"] if point["recommended"]]
    assert [point for point in front["points"] if "certified" in point["stages"]] == [chosen]
    assert chosen["imbalance"]["certified"][0] == pytest.approx(summary["imbalance_pp"], rel=1e-5)
    assert chosen["change"] == summary["change"]
    changes = [tuple(change) for note in chosen["notes"] for change in note["changes"]]
    assert changes == [(edit["field"], edit["from"], edit["to"]) for edit in summary["patch"]]
    rates = [m["after"]["win_rate"] for m in summary["matchups"]]
    shown = [rate[0] for rate in chosen["stages"]["certified"]["rates"]]
    assert shown == pytest.approx(rates, abs=1e-4)


def test_each_point_has_one_square_and_one_claim_in_the_figure(page: Page):
    figure, points = page.data["figures"]["front"], page.data["front"]["points"]
    shown = {"selected": [], "claimed": [], "certified": []}
    places: dict[int, set[float]] = {}
    for trace in figure["data"]:
        if "customdata" not in trace:
            continue
        assert len(trace["customdata"]) == len(trace["x"]) == len(trace["y"]) == len(trace["text"])
        shown[trace["name"]] += trace["customdata"]
        for k, x, y in zip(trace["customdata"], trace["x"], trace["y"], strict=True):
            assert y == points[k]["imbalance"][trace["name"]][0]
            places.setdefault(k, set()).add(x)
    everyone = list(range(len(points)))
    assert sorted(shown["selected"]) == sorted(shown["claimed"]) == everyone
    assert shown["certified"] == [k for k in everyone if points[k]["recommended"]]
    columns = sorted(place for mine in places.values() for place in mine)
    assert len(set(columns)) == len(points) + 1  # the certificate stands beside its point
    assert min(b - a for a, b in pairwise(columns)) >= 1 - 1e-9
    by_place = sorted(everyone, key=lambda k: min(places[k]))
    assert [points[k]["change"] for k in by_place] == sorted(p["change"] for p in points)


def test_every_card_of_every_deck_has_its_power(run: Path, page: Page):
    kept = {row["card"]: row["kept"] for row in table(run, "narrowing.csv")}
    rows = table(run, "power.csv")
    for row in rows:
        bounds = [float(row[column]) for column in ("power_pp", "low_pp", "high_pp")]
        shown = "{:+.1f} {:+.1f} to {:+.1f}".format(*bounds).replace("-", "\N{MINUS SIGN}")
        name = row["card"].replace("_", " ").title().replace(" Of ", " of ")
        found = page.row_with(
            name, f" {row['player']} ", shown, f"n = {int(row['copies_drawn']):,}"
        )
        assert found.endswith("kept" if kept[row["card"]] == "True" else "dropped")


def test_settings_seed_versions_and_files_are_told(run: Path, page: Page):
    made = json.loads((run / "run.json").read_text(encoding="utf-8"))
    settings = {"seed": 7, "engine": made["engine_hash"], "select": 100, "band_pp": 40.0}
    for name, value in {**settings, **made["versions"]}.items():
        assert f"{name} {value}" in page.shown_rows
    assert "evenhand balance tiny --seed 7" in page.text
    files = [path for path in run.iterdir() if path.suffix != ".html"]
    for path in files:
        page.row_with(f"{path.name} ", f"{path.stat().st_size / 1e3:,.1f} kB")
    assert f"{len(files)} files in the run folder" in page.text


def test_evil_names_are_text_everywhere(evil: Path, run: Path):
    source = report_on(evil)
    page, harmless = Page(source), Page(report_on(run))
    assert page.tags.count("script") == harmless.tags.count("script")
    assert "img" not in page.tags
    assert EVIL_PLAYER in page.data["front"]["players"]
    assert EVIL_PLAYER in page.text
    assert EVIL_CARD in page.text
    assert EVIL_CARD in {n["name"] for p in page.data["front"]["points"] for n in p["notes"]}
    assert EVIL_CARD not in source
    assert EVIL_PLAYER not in source
    hovers = [text for trace in page.data["figures"]["front"]["data"]
              for text in trace.get("text", [])]  # fmt: skip
    assert any(html.escape(EVIL_CARD, quote=False) in text for text in hovers)
    assert all(set(re.findall(r"<[^>]*>", text)) <= {"<br>"} for text in hovers)


def test_a_run_without_a_certificate_says_why(evil: Path):
    summary = json.loads((evil / "summary.json").read_text(encoding="utf-8"))
    assert not summary["certified"]
    text = " ".join(Page(report_on(evil)).text.split())
    assert "Not certified" in text
    outside = [matchup for matchup in summary["matchups"] if not matchup["inside"]]
    assert outside
    for matchup in outside:
        after = matchup["after"]
        assert (
            f"{matchup['a']} vs {matchup['b']}: {100 * after['win_rate']:.1f} % "
            f"({100 * after['low']:.1f} to {100 * after['high']:.1f}), "
            "not wholly inside 42.0 to 58.0"
        ) in text


@pytest.mark.parametrize(
    ("text", "expected", "absent"),
    [
        (NARROW.replace('"power"', '"none"'), "Nothing was narrowed", "Card power"),
        (NARROW.replace('"power"', '"lever"'), "Narrowing by lever", "Card power"),
        (NARROW.replace('"power"', '"random"'), "Narrowing by random", "Card power"),
        (THREE.replace("band_pp = 40", "band_pp = 49"), "No changes.", "Not certified"),
        (THREE.replace('"nsga2"', '"ga"'), "ga, sparse start", "nsga2"),
        (THREE.replace("[target]", f"[target]\n{PAIR}"), "60 ± 40", "Not certified"),
    ],
)  # fmt: skip
def test_other_kinds_of_runs_have_their_page_too(
    text: str, expected: str, absent: str, tmp_path: Path
):
    folder = balance(write_experiment(tmp_path, text), tmp_path / "results")
    page = Page(report_on(folder))
    shown = " ".join(page.text.split())
    assert expected in shown
    assert absent not in shown


def test_an_attack_is_told_where_there_was_one(run: Path, copied: Path):
    assert f"evenhand build --attack {run.name}" in Page(report_on(run)).text
    attack = attack_on(copied)
    (copied / "attack.json").write_text(json.dumps(attack), encoding="utf-8")
    page = Page(report_on(copied))
    text = " ".join(page.text.split())
    assert "evenhand build --attack" not in text
    assert attack["conclusion"][0] in text
    for phase in attack["phases"]:
        for entry in phase["rounds"]:
            page.row_with(entry["name"], interval(entry["win_rate"], entry["low"], entry["high"]),
                          f"{entry['n']:,}", "yes" if entry["added"] else "no")  # fmt: skip
    assert "2 Cinder Imp" in text
    assert "75.0 70.0 to 80.0" in text
    lines = page.data["figures"]["rounds"]["data"]
    assert [line["y"] for line in lines] == [[63.0, 56.0], [51.0]]
    assert "<i>" not in json.dumps(lines)


def test_drift_is_told_where_agents_learned_on(copied: Path):
    summary = json.loads((copied / "summary.json").read_text(encoding="utf-8"))
    side = {"win_rate": 0.5, "low": 0.49, "high": 0.51, "n": 1234}
    moved = {"change_pp": 3.2, "change_low_pp": 2.1, "change_high_pp": 4.3, "inside": False}
    summary["drift"] = {
        "certified_after_retraining": False, "steps": 5000, "confidence": 0.975,
        "matchups": [{"a": "x", "b": "y", "before": side, "after": side, **moved}],
        "guards": {"median_turns": True}, "pilots": {},
    }  # fmt: skip
    (copied / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    page = Page(report_on(copied))
    page.row_with("x vs y", "+3.2 +2.1 to +4.3", "not inside")
    assert "no longer certified" in page.text
    assert "n = 1,234 games" in page.text


def _remove(name: str) -> Any:
    return lambda folder: (folder / name).unlink()


def _write(name: str, text: str) -> Any:
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (_remove("summary.json"), "is not finished"),
        (_remove("run.json"), "has no run.json"),
        (_remove("front_edits.csv"), "front_edits.csv: no such file"),
        (_remove("guards.csv"), "Run `evenhand balance` again"),
        (_write("front.csv", "point\n1,2\n"), "front.csv: damaged"),
        (_write("front.csv", "point,change\n1,2\n"), "damaged, or made by an earlier version"),
        (_write("convergence.csv", "generation,games\n"), "made by an earlier version"),
        (_write("summary.json", "{"), "summary.json: damaged"),
        (_write("summary.json", "{}"), "made by an earlier version"),
        (_write("resolved.json", "{}"), "made by an earlier version"),
        (_write("run.json", '{"command": "power"}'), "is a run of `power`"),
        (_write("attack.json", "{}"), "attack.json: damaged or of another version"),
        (_write("attack.json", "["), "attack.json: damaged or of another version"),
    ],
)
def test_a_folder_that_cannot_be_reported_on_is_one_clear_line(
    tamper: Any, says: str, copied: Path
):
    tamper(copied)
    before = contents(copied)
    assert says in refusal(command("report", copied))
    assert contents(copied) == before


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


def test_an_error_of_the_run_keeps_its_own_words(copied: Path):
    (copied / "power.csv").write_text("player\n", encoding="utf-8")
    (copied / "narrowing.csv").unlink()
    with pytest.raises(InputError, match=r"narrowing\.csv: no such file"):
        report_on(copied)
