"""The report shows the results in its run folder, and its page loads no other file."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from balance.cards.printed_patch import PrintedPatch
from experiments.report import provenance
from experiments.report.attack import _attack_result
from experiments.screen import VERDICT_WORDS
from tests.command_line import assert_says, balance, write_experiment
from tests.experiments.reports import (
    EVIL_CARD,
    EVIL_PLAYER,
    NARROW,
    THREE,
    Page,
    attack_on,
    evil_run,
    interval,
    report_on,
    table,
)
from tests.messages import check_message

pytest.importorskip("jinja2")
pytest.importorskip("plotly")

PAIR = 'win_rate = { "ember_rush vs tide_keep" = 0.6 }'


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with markup in the names of a card and a player."""
    return evil_run(tmp_path_factory.mktemp("evil"))


@pytest.mark.thorough
def test_all_addresses_on_the_page_are_inside_it(page: Page):
    assert page.addresses
    assert all(address.startswith(("#", "data:")) for address in page.addresses)
    anchors = {address[1:] for address in page.addresses if address.startswith("#")}
    assert anchors >= {"matchups", "front", "power", "search", "attack", "provenance", "words"}
    ours = page.scripts["style 1"]
    assert "color-scheme" in ours
    assert not [word for word in ("url(", "@import", "http:", "https:") if word in ours]
    assert not {"iframe", "object", "embed", "img"} & set(page.tags)


def test_the_second_opinion_is_shown_with_all_rates(run: Path, page: Page):
    opinion = json.loads((run / "summary.json").read_text(encoding="utf-8"))["second_opinion"]
    assert page.text.count(opinion["sentence"]) == 2  # in the headline and above the table
    for pilot in opinion["pilots"]:
        for cell in pilot["matchups"]:
            sides = (cell["before"], cell["after"])
            shown = [interval(side["win_rate"], side["low"], side["high"]) for side in sides]
            row = page.row_with(f"{cell['a']} vs {cell['b']}", pilot["agent"], *shown)
            n_games = f"{cell['after']['n']} today {cell['before']['n']}"
            assert row.endswith(f"{n_games} {cell['verdict']}")


def test_a_run_without_a_second_opinion_has_none_on_its_page(copied: Path):
    summary = json.loads((copied / "summary.json").read_text(encoding="utf-8"))
    del summary["second_opinion"]
    (copied / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    assert "#opinion" not in Page(report_on(copied)).addresses


def test_matchups_before_and_after_are_shown_with_intervals(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    for matchup in summary["matchups"]:
        sides = (matchup["before"], matchup["after"])
        shown = [interval(side["win_rate"], side["low"], side["high"]) for side in sides]
        row = page.row_with(f"{matchup['a']} vs {matchup['b']}", *shown, "±40")
        assert row.endswith(" inside") == matchup["inside"]
    assert f"n = {summary['matchups'][0]['after']['n']:,} games" in page.text
    (caption,) = (line for line in page.paragraphs if "per matchup and side" in line)
    check_message(caption)


def test_headline_notes_and_games_are_those_of_the_summary(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    text = " ".join(page.text.split())
    assert_says(
        text, "Certified", f"{sum(summary['games'].values()):,} in {summary['seconds']:.1f} s"
    )
    for edit in summary["patch"]:
        assert f"{edit['field']} {edit['from']} → {edit['to']}" in text
    largest = [
        max(abs(m[side]["win_rate"] - (m["least"] + m["most"]) / 2) for m in summary["matchups"])
        for side in ("before", "after")
    ]
    assert (" → ".join(f"{100 * distance:.1f}" for distance in largest) + " pp") in text.replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_changed_cards_are_shown_before_and_after(evil: Path):
    summary = json.loads((evil / "summary.json").read_text(encoding="utf-8"))
    page = Page(report_on(evil))
    printed = PrintedPatch.in_summary(summary)
    assert [card.card for card in printed.cards] == [
        *dict.fromkeys(e["card"] for e in summary["patch"])
    ]
    assert printed.cards
    for card in printed.cards:
        row = page.row_with(" ".join(card.name.split()), str(card.before), str(card.after))
        assert card.after.text in row
    for minion in printed.largest:
        assert f"{minion}." in page.paragraphs
    assert PrintedPatch.in_summary(printed.as_entries()) == printed
    notes = (evil / "patch_notes.txt").read_text(encoding="utf-8").splitlines()
    assert {f"- {card}" for card in printed.cards} <= {*notes}


def test_each_matchup_is_shown_in_all_stages(run: Path, page: Page):
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
        columns = {"before": "before", "after": "value", "least": "low"}
        columns |= {same: same for same in ("estimate", "bound", "limit", "confidence", "n")}
        for column, key in columns.items():
            assert float(row[column]) == pytest.approx(guard[key], rel=1e-5)
        assert row["holds"] == str(guard["holds"])
        assert int(row["n"]) == 3 * 200
        for side in ("before", "after"):
            bounds = [float(row[f"{side}_{end}"]) for end in ("low", "high")]
            assert bounds[0] <= float(row[side]) <= bounds[1]
            assert bounds[0] < bounds[1]
    first = rows["max_first_seat_pp"]
    shown = [f"{50 + float(first[column]):.1f}" for column in ("before", "after")]
    page.row_with("first seat wins", *shown)
    most = 100 * float(rows["max_draw_rate"]["bound"])
    reach = f"at most {most:.2f} of the 100.00 % allowed, 95 %"
    page.row_with("draws", "at most 100.00 %", "holds", reach)


def test_settings_seed_versions_and_files_are_shown(run: Path, page: Page):
    provenance_data = json.loads((run / "run.json").read_text(encoding="utf-8"))
    settings = {"seed": 7, "engine": provenance_data["engine_hash"], "select": 100, "band_pp": 40.0}
    assert [row for row in page.shown_rows if row.startswith("finished 20")]
    for name, value in {**settings, **provenance_data["versions"]}.items():
        assert f"{name} {value}" in page.shown_rows
    (command,) = (line for line in page.paragraphs if line.startswith("The same command gives"))
    check_message(command)
    files = [path for path in run.iterdir() if path.suffix != ".html"]
    for path in files:
        page.row_with(f"{path.name} ", f"{path.stat().st_size / 1e3:,.1f} kB")
    assert f"{len(files)} files in" in page.text


def test_markup_in_names_is_text_everywhere(evil: Path, run: Path):
    source = report_on(evil)
    page = Page(source)
    harmless = Page(report_on(run))
    assert page.tags.count("script") == harmless.tags.count("script")
    assert "img" not in page.tags
    assert EVIL_PLAYER in page.data["front"]["players"]
    assert_says(page.text, EVIL_PLAYER, EVIL_CARD)
    assert EVIL_CARD in {n["name"] for p in page.data["front"]["points"] for n in p["notes"]}
    assert EVIL_CARD not in source
    assert EVIL_PLAYER not in source
    assert page.tags.count("style") == 2  # in the head; a style of a figure would apply to all


def test_the_headline_of_a_failed_certificate_lists_its_reasons(evil: Path):
    summary = json.loads((evil / "summary.json").read_text(encoding="utf-8"))
    assert not summary["certified"]
    text = " ".join(Page(report_on(evil)).text.split())
    assert "Not certified" in text
    failing = [matchup for matchup in summary["matchups"] if not matchup["inside"]]
    assert failing
    for matchup in failing:
        after = matchup["after"]
        is_outside = after["low"] > matchup["most"] or after["high"] < matchup["least"]
        assert matchup["verdict"] == ("outside" if is_outside else "not shown")
        assert (
            f"{matchup['a']} vs {matchup['b']}: {100 * after['win_rate']:.1f} % "
            f"({100 * after['low']:.1f} to {100 * after['high']:.1f}), "
            f"{VERDICT_WORDS[matchup['verdict']].phrase} (wanted: 50 ±8)"
        ) in text


def test_only_rates_outside_their_bands_are_marked_as_out(evil: Path):
    summary = json.loads((evil / "summary.json").read_text(encoding="utf-8"))
    verdicts = [matchup["verdict"] for matchup in summary["matchups"]]
    notes = (evil / "patch_notes.txt").read_text(encoding="utf-8")
    rates, _, _ = notes.partition("## In other hands")
    n_seats = summary["first_seat"]["verdict"] == "outside"
    assert rates.count(", outside\n") == verdicts.count("outside") + n_seats
    rows = Page(report_on(evil)).data["front"]
    certified = next(p for p in rows["points"] if "certified" in p["stages"])
    assert certified["stages"]["certified"]["verdicts"] == verdicts


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "expected", "absent"),
    [
        (NARROW.replace('"power"', '"none"'), "not narrowed", "Card power"),
        (NARROW.replace('"power"', '"lever"'), "Narrowing by lever", "Card power"),
        (NARROW.replace('"power"', '"random"'), "Narrowing by random", "Card power"),
        (THREE.replace("band_pp = 40", "band_pp = 49"), "No changes.", "Not certified"),
        (THREE.replace('"nsga2"', '"ga"'), "ga, sparse start", "nsga2"),
        (THREE.replace("[target]", f"[target]\n{PAIR}"), "at least 20", "Not certified"),
    ],
)  # fmt: skip
def test_pages_of_other_methods_and_settings(text: str, expected: str, absent: str, tmp_path: Path):
    folder = balance(write_experiment(tmp_path, text), tmp_path / "results")
    shown = " ".join(Page(report_on(folder)).text.split())
    assert expected in shown
    assert absent not in shown


def test_an_attack_is_shown_on_the_page(run: Path, copied: Path):
    before = Page(report_on(run))
    assert f"--attack {run.name}" in before.text
    assert not any(line.startswith("Attacked:") for line in before.paragraphs)
    attack = attack_on(copied)
    (copied / "attack.json").write_text(json.dumps(attack), encoding="utf-8")
    page = Page(report_on(copied))
    text = " ".join(page.text.split())
    assert "--attack" not in text
    assert attack["conclusion"][0] in text
    (line,) = [line for line in page.paragraphs if line.startswith("Attacked:")]
    check_message(line)
    assert page.addresses.count("#attack") == 2  # in the line and among the sections
    for phase in attack["phases"]:
        for entry in phase["rounds"]:
            page.row_with(entry["name"], interval(entry["win_rate"], entry["low"], entry["high"]),
                          f"{entry['n']:,}", "yes" if entry["added"] else "no")  # fmt: skip
    assert_says(text, "2 Cinder Imp", "75.0 70.0 to 80.0")
    assert len(page.drawings) == len(before.drawings) + 2  # for wide and for narrow screens
    shown = "".join(page.drawings[-1].itertext())
    assert_says(shown, "<i>intruder</i>", "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}8,000")
    assert page.tags.count("i") == before.tags.count("i")


@pytest.mark.parametrize(
    ("own", "built"),
    [
        ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        ((0.0, 0.0, 0.1), (1.0, 0.9, 1.0)),
        ((0.25, 0.2, 0.3), (0.75, 0.7, 0.8)),
        ((1.0, 0.9, 1.0), (0.0, 0.0, 0.1)),
        ((1.0, 1.0, 1.0), None),
    ],
)
def test_the_result_of_an_attack_is_a_clause(own, built):
    shares = [(own, True), *([(built, False)] if built else [])]
    equilibrium = [
        dict(zip(("share", "low", "high"), share, strict=True), original=original)
        for share, original in shares
    ]
    check_message(_attack_result({"equilibrium": equilibrium}))


def test_an_unfinished_attack_is_mentioned(copied: Path):
    (copied / "attack_progress.json").write_text("{}", encoding="utf-8")
    resumption = f"--attack {copied.name} --resume"
    page = Page(report_on(copied))
    (line,) = [line for line in page.paragraphs if "--attack" in line]
    assert resumption in line
    check_message(line.replace(copied.name, "RUN"))
    (copied / "attack.json").write_text(json.dumps(attack_on(copied)), encoding="utf-8")
    assert resumption in Page(report_on(copied)).text  # a new attack, next to the finished one


@pytest.mark.parametrize(
    ("log", "finished"),
    [
        ("1 balance, seed 7|2 search|3 certified|4 done", 4),
        ("1 balance, seed 7|4 done|5 attack by aggro, seed 7|6 attack after: x|7 done", 4),
        ("1 balance, seed 7|2 search|3 balance, seed 7|5 done|6 attack by aggro|8 done", 5),
        ("1 balance, seed 7|4 not done|5 well done", None),
        ("1 balance, seed 7|4 done|5 balance, seed 7|6 search", None),
        ("", None),
    ],
)
def test_a_run_was_finished_at_the_end_of_its_own_part_of_the_log(
    log: str, finished: int | None, tmp_path: Path
):
    lines = [line.partition(" ") for line in filter(None, log.split("|"))]
    text = "".join(f"2026-11-21 15:00:0{second}  {rest}\n" for second, _, rest in lines)
    (tmp_path / "log.txt").write_text(text, encoding="utf-8")
    end = provenance._finished(SimpleNamespace(path=tmp_path))
    assert end == (f"2026-11-21 15:00:0{finished}" if finished else None)


def test_a_card_that_two_decks_keep_is_counted_once(run: Path, page: Page):
    kept = [row for row in table(run, "narrowing.csv") if row["kept"] == "True"]
    keep = json.loads((run / "resolved.json").read_text())["experiment"]["narrow"]["keep"]
    (line,) = [line for line in page.paragraphs if line.startswith("Narrowing by")]
    assert (f"{keep} cards" in line, f"{len(kept)} different" in line) == (True, True)
    check_message(line)


def test_drift_is_shown_on_the_page(copied: Path):
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
    page.row_with("x vs y", "+3.2 +2.1 to +4.3", "not shown")
    check_message("\n".join(line for line in page.paragraphs if "further training" in line))
    assert "n = 1,234 games" in page.text
