"""The report in a real browser: no requests, no errors, and working controls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import command, done
from tests.experiments.browsing import Watched, needs_chromium
from tests.experiments.reports import EVIL_CARD, EVIL_PLAYER, attack_on, evil_run, interval, table

pytest.importorskip("jinja2")
pytest.importorskip("plotly")
pytest.importorskip("playwright.sync_api")

pytestmark = [pytest.mark.thorough, needs_chromium]

# Returns the position of a point's square on the screen.
PLACE = """k => {
  const figure = document.getElementById("front-figure");
  figure.scrollIntoView({ block: "center", behavior: "instant" });
  const trace = figure.data.find(
    ({ name, customdata }) => name?.startsWith("selected") && customdata.includes(k));
  const at = trace.customdata.indexOf(k);
  const { xaxis, yaxis } = figure._fullLayout;
  const box = figure.getBoundingClientRect();
  return [box.left + xaxis._offset + xaxis.c2p(trace.x[at]),
          box.top + yaxis._offset + yaxis.c2p(trace.y[at])];
}"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with an attack, a report, and markup in names."""
    folder = evil_run(tmp_path_factory.mktemp("browser"))
    (folder / "attack.json").write_text(json.dumps(attack_on(folder)), encoding="utf-8")
    done(command("report", folder))
    return folder


class Opened(Watched):
    """The report of a run, opened from disk."""

    def __init__(self, browser: Any, run: Path, width: int = 1100) -> None:
        """Open the report, and wait for its figures."""
        self.context = browser.new_context(viewport={"width": width, "height": 900})
        super().__init__(self.context)
        self.page.goto((run / "report.html").as_uri())
        self.page.wait_for_selector("#front-figure .main-svg")

    def texts(self, selector: str) -> list[str]:
        """Return the texts of the visible elements, with single spaces."""
        return [
            " ".join(node.inner_text().split())
            for node in self.page.query_selector_all(selector)
            if node.is_visible()
        ]

    def click_point(self, k: int) -> None:
        """Move the mouse to the square of a point, and click it."""
        x, y = self.page.evaluate(PLACE, k)
        self.page.mouse.move(x, y)
        self.page.mouse.click(x, y)

    def hover_point(self, k: int) -> str:
        """Return the text next to the mouse at a point, which may move until the page settles."""
        for _ in range(100):
            x, y = self.page.evaluate(PLACE, k)
            self.page.mouse.move(0, 0)
            self.page.mouse.move(x, y)
            self.page.wait_for_timeout(50)
            if text := self.page.query_selector("#front-figure .hoverlayer .hovertext"):
                return str(text.text_content())
        return ""


@pytest.fixture(scope="module")
def shared(browser: Any, run: Path) -> Iterator[Opened]:
    """The report of the run, in a page that all tests use."""
    opened = Opened(browser, run)
    yield opened
    opened.context.close()


@pytest.fixture
def opened(shared: Opened) -> Opened:
    """The shared page, reloaded so that it is in its first state."""
    shared.page.reload()
    shared.page.wait_for_selector("#front-figure .main-svg")
    return shared


def notes_of(run: Path, point: str) -> list[str]:
    """Return the patch notes of a point as the page shows them, one line per card."""
    lines: dict[str, str] = {}
    for edit in table(run, "front_edits.csv"):
        if edit["point"] == point:
            line = lines.setdefault(edit["card"], " ".join(edit["name"].split()))
            lines[edit["card"]] = f"{line} {edit['field']} {edit['from']} → {edit['to']}"
    return list(lines.values()) or ["No changes: today's cards."]


def matrix_of(run: Path, point: str, stage: str) -> set[str]:
    """Return the first lines of the cells above the diagonal, as the page shows them."""
    rows = [row for row in table(run, "front_matchups.csv") if row["point"] == point]
    return {cell_of(row, stage) for row in rows}


def cell_of(row: dict[str, str], stage: str) -> str:
    """Return the first lines of a cell, as the page shows them."""
    return interval(*(float(row[f"{stage}{end}"]) for end in ("", "_low", "_high")))


def without_marks(cells: list[str]) -> set[str]:
    """Return the texts of cells without their verdicts."""
    return {re.sub(" (OUT|not shown)$", "", cell) for cell in cells}


def recommended(run: Path) -> int:
    """Return the number of the recommended point."""
    return next(k for k, row in enumerate(table(run, "front.csv")) if row["recommended"] == "True")


def another(run: Path) -> int:
    """Return the number of a point with edits other than those of the recommended one."""
    front = table(run, "front.csv")
    best = front[recommended(run)]["patch"]
    return next(k for k, row in enumerate(front) if row["patch"] not in {"", best})


def test_the_page_opens_from_disk_without_requests_or_errors(browser: Any, run: Path):
    opened = Opened(browser, run)
    for colours in ("dark", "light"):
        opened.page.emulate_media(color_scheme=colours)
    opened.page.mouse.wheel(0, 20_000)
    opened.page.wait_for_timeout(300)
    assert opened.requests == [(run / "report.html").as_uri()]
    assert opened.complaints == []
    figures = opened.page.locator("#front-figure .main-svg:first-child, .figure > svg.wide")
    assert [figure.is_visible() for figure in figures.all()] == [True] * 4
    opened.context.close()


def test_the_recommended_patch_is_shown_at_first(opened: Opened, run: Path):
    best = recommended(run)
    point = str(best + 1)
    assert f"Patch {point} of " in opened.page.inner_text("#point-title")
    assert opened.texts("#point-notes p") == notes_of(run, point)
    assert opened.page.input_value("#points") == str(best)


def test_a_click_on_a_point_shows_its_notes_and_its_matchups(opened: Opened, run: Path):
    k = another(run)
    point = str(k + 1)
    assert opened.texts("#point-notes p") != notes_of(run, point)
    opened.click_point(k)
    assert f"Patch {point} of " in opened.page.inner_text("#point-title")
    assert opened.texts("#point-notes p") == notes_of(run, point)
    assert opened.page.input_value("#points") == str(k)
    assert without_marks(opened.texts("#matrix td")) > matrix_of(run, point, "selected")
    row = table(run, "front.csv")[k]
    for stage, shown in zip(
        ("claimed", "selected"), opened.texts("#point-numbers tr"), strict=True
    ):
        bounds = (row[f"{stage}_{end}_pp"] for end in ("imbalance", "low", "high"))
        estimate, low, high = (f"{float(bound):.1f}" for bound in bounds)
        assert shown == f"{stage} {estimate} {low} to {high} n = {int(row[f'{stage}_n']):,}"
    ring = opened.page.evaluate("document.getElementById('front-figure').data.at(-1)")
    assert ring["y"][0] == pytest.approx(float(row["selected_imbalance_pp"]))
    assert opened.complaints == []


def test_keys_do_what_a_click_does(opened: Opened, run: Path):
    best = recommended(run)
    n = len(table(run, "front.csv"))
    opened.page.focus("#points")
    opened.page.keyboard.press("End")
    assert f"Patch {n} of {n}" in opened.page.inner_text("#point-title")
    assert opened.page.is_disabled("#next")
    opened.page.keyboard.press("ArrowUp")
    assert f"Patch {n - 1} of {n}" in opened.page.inner_text("#point-title")
    opened.page.focus("#previous")
    opened.page.keyboard.press("Enter")
    assert f"Patch {n - 2} of {n}" in opened.page.inner_text("#point-title")
    assert opened.texts("#point-notes p") == notes_of(run, str(n - 2))
    assert best != n - 3


def test_the_games_of_each_stage_can_be_chosen(opened: Opened, run: Path):
    point = str(recommended(run) + 1)
    opened.page.check("input[value=claimed]")
    assert without_marks(opened.texts("#matrix td")) > matrix_of(run, point, "claimed")
    certified = {cell_of(row, "certified") for row in table(run, "stages.csv")}
    opened.page.check("input[value=certified]")
    cells = opened.texts("#matrix td")
    assert without_marks(cells) > certified
    outside = [row["inside"] == "False" for row in table(run, "stages.csv")]
    assert len(cells) - sum(cell in without_marks(cells) for cell in cells) == 2 * sum(outside) > 0
    assert "200 games per matchup" in opened.page.inner_text("#matrix-caption")
    opened.page.select_option("#points", str(another(run)))
    assert opened.page.is_checked("input[value=selected]")  # others were not certified


def test_the_table_sorts_both_ways_by_any_column(opened: Opened, run: Path):
    powers = table(run, "power.csv")
    heads = opened.page.query_selector_all("#power-table thead th")
    columns = {head.inner_text().split(" ↕")[0].strip(): k + 1 for k, head in enumerate(heads)}
    assert heads[columns["Power, pp"] - 1].get_attribute("aria-sort") == "descending"

    def shown(column: str) -> list[str]:
        return opened.page.eval_on_selector_all(
            f"#power-table tbody tr > :nth-child({columns[column]})",
            "cells => cells.map(cell => cell.dataset.sort)",
        )

    measured = [float(row["power_pp"]) for row in powers]
    assert [float(value) for value in shown("Power, pp")] == sorted(measured, reverse=True)
    for column, key, values in (
        ("Cost", float, [row["cost"] for row in powers]),
        ("Per copy, pp", float, [str(float(row["per_copy_pp"])) for row in powers]),
        ("Deck", str.casefold, [row["player"] for row in powers]),
    ):
        button = opened.page.locator("#power-table thead button").nth(columns[column] - 1)
        orders = []
        for _ in range(2):
            button.click()
            head = opened.page.locator("#power-table thead th").nth(columns[column] - 1)
            orders.append(head.get_attribute("aria-sort"))
            column_values = shown(column)
            assert sorted(column_values) == sorted(values)
            keyed = [key(value) for value in column_values]
            assert keyed == sorted(keyed, reverse=orders[-1] == "descending")
        assert sorted(orders) == ["ascending", "descending"]
        assert opened.page.locator("#power-table th[aria-sort]").count() == 1


def test_the_table_is_filtered_by_deck(opened: Opened, run: Path):
    powers = table(run, "power.csv")
    for player in (EVIL_PLAYER, "tide_keep"):
        opened.page.select_option("#deck", player)
        of_player = [row for row in powers if row["player"] == player]
        assert 0 < len(of_player) < len(powers)
        assert len(opened.texts("#power-table tbody tr")) == len(of_player)
    opened.page.select_option("#deck", "")
    assert len(opened.texts("#power-table tbody tr")) == len(powers)


def test_the_patch_notes_are_copied(browser: Any, run: Path):
    opened = Opened(browser, run)
    take = "navigator.clipboard.writeText = async text => { window.copied = text; }"
    opened.page.evaluate(f"void ({take})")
    opened.page.click("#point-copy")
    notes = table(run, "front.csv")[recommended(run)]["patch"].replace("; ", "\n") + "\n"
    assert opened.page.evaluate("window.copied") == notes
    assert opened.page.inner_text("#point-copy") == "Copied"
    refuse = "navigator.clipboard.writeText = async () => { throw new Error('not allowed'); }"
    opened.page.evaluate(f"void ({refuse})")
    record = "document.execCommand = () => { window.copied = getSelection().toString(); }"
    opened.page.evaluate(f"window.copied = null; void ({record})")
    opened.page.locator(".copy").first.click()
    assert opened.page.evaluate("window.copied").strip() == notes.strip()
    assert opened.complaints == []
    opened.context.close()


def test_markup_in_names_is_shown_as_text(opened: Opened, run: Path):
    touched = [edit["point"] for edit in table(run, "front_edits.csv") if edit["name"] == EVIL_CARD]
    k = int(touched[0]) - 1
    opened.page.select_option("#points", str(k))
    assert any(EVIL_CARD in text for text in opened.texts("#point-notes p"))
    assert EVIL_CARD.split()[0] in opened.hover_point(k)
    assert any(EVIL_PLAYER in text for text in opened.texts("#matrix th"))
    assert any("<i>intruder</i>" in text for text in opened.texts("#attack th"))
    assert opened.page.evaluate("window.evil") is None
    assert opened.page.query_selector("img") is None
    assert opened.complaints == []


@pytest.mark.parametrize("text", ["#front-figure .xtick text", "#search .wide text"])
def test_figures_follow_the_readers_colours_and_paper_is_white(text: str, opened: Opened):
    colour = f"getComputedStyle(document.querySelector('{text}')).fill"
    light = opened.page.evaluate(colour)
    opened.page.emulate_media(color_scheme="dark")
    for _ in range(100):  # the page gets the event a frame later
        dark = opened.page.evaluate(colour)
        if dark != light:
            break
        opened.page.wait_for_timeout(20)
    assert dark != light
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.evaluate(colour) == light
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.page.evaluate(colour) == dark
    opened.page.emulate_media(color_scheme="light")


def test_figures_are_shown_without_scripts(browser: Any, run: Path):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((run / "report.html").as_uri())
    figures = page.locator(".figure > svg.wide")
    assert [figure.is_visible() for figure in figures.all()] == [True] * 4
    assert not page.locator("#front-figure").is_visible()
    context.close()


@pytest.mark.parametrize("width", [360, 420, 1100, 1280])
def test_wide_tables_fade_at_their_edge_and_no_page_scrolls(width: int, browser: Any, run: Path):
    opened = Opened(browser, run, width)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.page.evaluate("document.querySelector('#front-figure .main-svg').clientWidth") > 0
    assert opened.page.locator("#search svg.narrow").is_visible() == (width < 640)
    fades = "box => getComputedStyle(box).maskImage !== 'none'"
    wide = 0
    for box in opened.page.locator(".scroll").all():
        if not box.is_visible():
            continue
        beyond = box.evaluate("box => box.scrollWidth - box.clientWidth")
        assert box.evaluate(fades) == (beyond > 0)
        assert (box.get_attribute("tabindex") == "0") == (beyond > 0)
        if beyond > 0:
            wide += 1
            assert "more-right" in box.get_attribute("class")
            box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
            box.and_(opened.page.locator(".more-left:not(.more-right)")).wait_for()
    assert wide or width > 500
    opened.context.close()


def test_the_verdict_of_a_guard_is_visible_on_a_narrow_screen(browser: Any, run: Path):
    page = browser.new_page(viewport={"width": 400, "height": 800})
    page.goto((run / "report.html").as_uri())
    verdicts = page.locator("#matchups .stacked .verdict")
    assert verdicts.count() >= 2
    for box in (verdicts.nth(k).bounding_box() for k in range(verdicts.count())):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 400
    page.close()


def test_reasons_of_edits_use_the_width_of_the_page(browser: Any, run: Path):
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto((run / "report.html").as_uri())
    cards = page.locator("section[aria-label='Patch notes'] > .card")
    notes, facts, why = (cards.nth(k).bounding_box() for k in range(3))
    assert notes["y"] == facts["y"]
    assert why["y"] >= notes["y"] + notes["height"]
    assert why["width"] > 1.9 * notes["width"]
    page.close()
