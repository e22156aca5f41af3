"""The workbench's page in a real browser: actions are shown at once, and rates are correct."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from experiments.screen import VERDICT_WORDS
from tests.command_line import THREE, write_experiment
from tests.experiments.browsing import Watched, needs_chromium
from tests.experiments.reports import EVIL_CARD, EVIL_PLAYER, with_evil_names

for needed in ("jinja2", "starlette", "uvicorn", "playwright.sync_api"):
    pytest.importorskip(needed)

from experiments.workbench.answers import no_rates  # noqa: E402 (only with the extra)

pytestmark = [pytest.mark.thorough, needs_chromium]

EVIL = "cinder_imp"  # the card with the evil name
WHELP = "ember_whelp"
GUARD = "harbour_guard"


@contextmanager
def served(folder: Path) -> Iterator[Any]:
    """Serve a workbench of three decks, with names that contain markup, in a thread."""
    from experiments.commands.workbench import open_workbench
    from experiments.screen.console import Screen

    text = with_evil_names(folder, THREE.replace("band_pp = 40", "band_pp = 8"))
    name = str(write_experiment(folder, text))
    screen = Screen(json=True)
    opened = open_workbench(name, folder / "results", screen, seed=None, resume=False, port=0)
    thread = threading.Thread(target=opened.serve, kwargs={"open_page": False})
    thread.start()
    try:
        yield opened
    finally:
        opened.controller.broadcaster.close()
        opened.server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with served(tmp_path_factory.mktemp("workbench")) as opened:
        yield opened


@pytest.fixture(scope="module")
def context(browser: Any, workbench: Any) -> Any:
    """A browser that has opened the link, so that all its tabs have the cookie."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto(workbench.server.url)
    page.close()
    return context


class Tab(Watched):
    """A tab with the page of a workbench."""

    def __init__(self, context: Any, url: str) -> None:
        """Open the page, and wait for the first rates."""
        super().__init__(context)
        self.page.goto(url.split("?", maxsplit=1)[0])
        self.page.locator("#matrix[data-revision]").wait_for()

    def tile(self, card: str) -> Any:
        """Return the tile of a card."""
        return self.page.locator(f'.tile[data-card="{card}"]')

    def number(self, card: str, field: str) -> Any:
        """Return the element of a card's number."""
        return self.tile(card).locator(f'.number[data-field="{field}"]')

    def value(self, card: str, field: str) -> Any:
        """Return the element with the value of a card's number."""
        return self.number(card, field).locator(".value")

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def press_at(self, card: str, field: str, *keys: str) -> None:
        """Move the focus to a number, and press keys."""
        self.value(card, field).focus()
        self.press(*keys)

    def shows(self, card: str, field: str, value: int) -> None:
        """Wait until a number has a value."""
        self.value(card, field).and_(self.page.locator(f'[aria-valuenow="{value}"]')).wait_for()

    def wait(self, expression: str) -> None:
        """Wait until an expression is true, by polling: the page's security policy forbids more."""
        for _ in range(250):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(20)
        pytest.fail(f"still false: {expression}")

    def answered(self) -> None:
        """Wait until the rates belong to the present edits."""
        self.wait("!document.querySelector('#games').textContent.includes('updating')")

    def has_edits(self, n: int) -> None:
        """Wait until a number of edits is listed."""
        self.wait(f"document.querySelectorAll('#edits li').length === {n}")

    def notes(self) -> list[str]:
        """Return the lines of the patch notes."""
        return self.page.locator("#edits .plain").all_inner_texts()

    def reads(self, selector: str, text: str) -> None:
        """Wait until an element contains a text."""
        self.page.locator(selector).filter(has_text=text).first.wait_for()


@pytest.fixture(scope="module")
def shared(context: Any, workbench: Any) -> Iterator[Tab]:
    """A tab that all tests use."""
    tab = Tab(context, workbench.server.url)
    yield tab
    tab.page.close()


@pytest.fixture
def tab(shared: Tab, workbench: Any) -> Iterator[Tab]:
    """The shared tab without edits; after the test it is reset, and its console checked."""
    shared.complaints.clear()
    yield shared
    shared.page.unroute_all()
    while workbench.controller.state()["can_undo"]:
        workbench.controller.undo()
    for box in ("#search", "#deck", "#which"):
        shared.page.evaluate(f"document.querySelector('{box}').value = ''")
    shared.page.evaluate("document.activeElement.blur()")
    shared.page.locator("#undo:disabled").wait_for()
    revision = workbench.controller.revision
    shared.wait(f"Number(document.body.dataset.revision) === {revision}")
    shared.page.evaluate(
        "document.querySelector('#deck').dispatchEvent(new Event('change', {bubbles: true}))"
    )
    # Browsers log each refused request.
    assert [line for line in shared.complaints if "Failed to load resource" not in line] == []


def of(workbench: Any, card: str, field: str) -> dict[str, Any]:
    """Return the state of a card's number on the server."""
    cards = {entry["card"]: entry for entry in workbench.controller.state()["cards"]}
    (number,) = (entry for entry in cards[card]["numbers"] if entry["field"] == field)
    return number


def latest_rates(workbench: Any) -> dict[str, Any]:
    """Return the rates that a new tab would receive."""
    with workbench.controller.broadcaster._lock:
        return workbench.controller.broadcaster._latest["rates"]


def test_the_page_loads_only_its_own_origin_and_logs_nothing(context: Any, workbench: Any):
    tab = Tab(context, workbench.server.url)
    origin = workbench.server.url.split("?", maxsplit=1)[0]
    for colours in ("dark", "light"):
        tab.page.emulate_media(color_scheme=colours)
    tab.page.mouse.wheel(0, 20_000)
    tab.reads("#link", "connected")
    assert len(tab.requests) > 5
    assert all(url.startswith((origin, "data:,")) for url in tab.requests)
    assert tab.complaints == []
    tab.page.close()


def test_the_matrix_shows_the_rates_from_both_sides(tab: Tab, workbench: Any):
    tab.reads("#games", "settled")
    rates = latest_rates(workbench)
    decks = [deck["name"] for deck in workbench.controller.state()["decks"]]
    demands = {demand["name"]: demand for demand in workbench.controller.state()["demands"]}
    rows = tab.page.locator("#matrix tbody tr").all()
    assert len(rows) == len(decks) == 3
    for entry in rates["rates"]:
        if demands[entry["demand"]]["of"] != "matchup":
            continue
        a, b = (decks.index(demands[entry["demand"]][side]) for side in "ab")
        for row, column, rate in ((a, b, entry["rate"]), (b, a, 1 - entry["rate"])):
            cell = rows[row].locator("td").nth(column)
            symbol = VERDICT_WORDS[entry["state"]].symbol
            assert cell.locator("b").inner_text() == f"{symbol} {100 * rate:.1f}"
            half = f"± {50 * (entry['high'] - entry['low']):.1f}"
            assert cell.locator("small").first.inner_text() == half
    assert tab.page.locator(".stamp").first.inner_text().lower() == "explored"
    assert f"{rates['n_games']:,} games per matchup" in tab.page.inner_text("#games")


def test_a_click_steps_a_number_and_updates_the_rates(tab: Tab, workbench: Any):
    today = of(workbench, WHELP, "attack")["today"]
    before = workbench.controller.revision
    tab.number(WHELP, "attack").get_by_role("button", name="up").click()
    tab.shows(WHELP, "attack", today + 1)
    tab.wait(f"Number(document.querySelector('#matrix').dataset.revision) > {before}")
    assert of(workbench, WHELP, "attack")["value"] == today + 1
    assert tab.notes() == [f"Ember Whelp: attack {today} → {today + 1}"]
    assert tab.page.inner_text("#counts") == "Change 1, 1 card touched"
    assert f"was {today}" in tab.number(WHELP, "attack").inner_text()
    cells = tab.page.locator("#matrix tbody tr").nth(1).locator("td")  # of tide_keep, without it
    assert cells.nth(0).locator("small").last.inner_text()[0] in "▲▼±"
    assert cells.nth(2).locator("small").last.inner_text() == ""  # grove_march has it neither


def test_a_step_is_shown_before_it_is_answered_and_taken_back_if_refused(tab: Tab, workbench: Any):
    today = of(workbench, WHELP, "health")["today"]
    held: list[Any] = []
    tab.page.route("**/edit", lambda route: held.append(route))  # noqa: PLW0108 (it gets marks)
    tab.press_at(WHELP, "health", "ArrowUp")
    tab.shows(WHELP, "health", today + 1)
    assert of(workbench, WHELP, "health")["value"] == today
    tab.wait("document.querySelector('#games').textContent.includes('updating')")
    while not held:  # the value is shown before the request is sent
        tab.page.wait_for_timeout(10)
    refusal = f'{{"error": "<b>no</b>", "place": "{WHELP}.health"}}'
    held[0].fulfill(status=400, content_type="application/json", body=refusal)
    tab.shows(WHELP, "health", today)
    assert tab.tile(WHELP).get_by_role("alert").inner_text() == "<b>no</b>"
    tab.page.unroute_all()
    tab.press("ArrowUp")
    tab.shows(WHELP, "health", today + 1)
    assert tab.tile(WHELP).get_by_role("alert").count() == 0  # it is empty, and not shown


def test_a_key_that_is_held_down_sends_only_its_last_value(tab: Tab, workbench: Any):
    number = of(workbench, WHELP, "attack")
    sent: list[Any] = []
    tab.page.on(
        "request", lambda request: sent.append(request) if request.url.endswith("/edit") else None
    )
    held: list[Any] = []
    tab.page.route("**/edit", lambda route: route.continue_() if held else held.append(route))
    tab.press_at(WHELP, "attack", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp")
    tab.shows(WHELP, "attack", number["today"] + 1)
    while not held:  # the value is shown before the request is sent
        tab.page.wait_for_timeout(10)
    held[0].continue_()
    tab.answered()
    assert [request.post_data_json["to"] for request in sent] == [number["today"] + 1] * 2
    assert of(workbench, WHELP, "attack")["value"] == number["today"] + 1


def test_keys_step_numbers_and_move_between_them(tab: Tab, workbench: Any):
    number = of(workbench, WHELP, "attack")
    least = number["least"]
    most = number["most"]
    today = number["today"]
    tab.value(WHELP, "attack").focus()
    for keys, value in (
        (["ArrowUp"], today + 1),
        (["ArrowDown", "ArrowDown"], today - 1),
        (["Home"], least),
        (["ArrowDown"], least),  # there is no less
        (["End"], most),
        (["Backspace"], today),
        ([str(least)], least),
    ):
        tab.press(*keys)
        tab.shows(WHELP, "attack", value)
        tab.answered()
        assert of(workbench, WHELP, "attack")["value"] == value
    tab.press("ArrowRight")
    focused = "document.activeElement.closest('.number').dataset.field"
    assert tab.page.evaluate(focused) == "health"
    tab.press("ArrowLeft")
    assert tab.page.evaluate(focused) == "attack"
    tab.page.wait_for_timeout(1000)  # a digit typed later is a new number
    tab.press("9")
    tab.tile(WHELP).get_by_role("alert").wait_for()
    assert f"from {least} to {most}" in tab.tile(WHELP).get_by_role("alert").inner_text()
    tab.shows(WHELP, "attack", least)


def test_undo_redo_and_revert(tab: Tab, workbench: Any):
    attack, cost = (of(workbench, WHELP, field)["today"] for field in ("attack", "cost"))
    tab.press_at(WHELP, "attack", "ArrowUp", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowUp")
    tab.shows(WHELP, "cost", cost + 1)
    tab.has_edits(2)
    tab.press("Control+z")
    tab.shows(WHELP, "cost", cost)
    tab.press("Control+Shift+Z")
    tab.shows(WHELP, "cost", cost + 1)
    tab.page.click("#undo")
    tab.shows(WHELP, "cost", cost)
    tab.page.click("#redo")
    tab.shows(WHELP, "cost", cost + 1)
    tab.page.get_by_role("button", name="Revert Ember Whelp: attack").click()
    tab.shows(WHELP, "attack", attack)
    assert tab.notes() == [f"Ember Whelp: cost {cost} → {cost + 1}"]
    assert "Revert" in tab.page.evaluate("document.activeElement.textContent")  # the next line's


def test_a_locked_number_or_card_does_not_step(tab: Tab, workbench: Any):
    today = of(workbench, WHELP, "attack")["today"]
    tab.press_at(WHELP, "attack", "l")
    tab.number(WHELP, "attack").and_(tab.page.locator("[data-held]")).wait_for()
    tab.press("ArrowUp", "ArrowRight", "ArrowUp")
    tab.shows(WHELP, "health", of(workbench, WHELP, "health")["today"] + 1)
    tab.shows(WHELP, "attack", today)
    tab.press("ArrowLeft", "l", "ArrowUp")
    tab.wait(f"!document.querySelector('[data-card={WHELP}] [data-field=attack][data-held]')")
    tab.tile(WHELP).get_by_role("button", name="Lock Ember Whelp", exact=True).click()
    tab.wait(f"document.querySelectorAll('[data-card={WHELP}] [data-held]').length === 3")
    assert tab.number(WHELP, "cost").get_by_role("button", name="up").is_disabled()
    tab.page.select_option("#which", "locked")
    assert tab.page.inner_text("#shown").startswith("1 of ")


def test_limits_are_edited_in_place_and_refused_at_their_place(tab: Tab, workbench: Any):
    tab.page.fill("#max_cards", "three")
    tab.press("Tab")
    wrong = tab.page.locator("[id='constraints.max_cards']")
    tab.wait("document.getElementById('constraints.max_cards').textContent !== ''")
    assert "three" in wrong.inner_text()
    assert wrong.get_attribute("role") == "alert"
    assert tab.page.get_attribute("#max_cards", "aria-invalid") == "true"
    assert tab.page.input_value("#max_cards") == "three"  # nothing that was written is lost
    tab.page.fill("#max_cards", "3")
    tab.press("Tab")
    tab.wait("document.querySelector('#counts').textContent.includes('of 3 touched')")
    assert wrong.inner_text() == ""
    assert tab.page.get_attribute("#max_cards", "aria-invalid") is None
    before = workbench.controller.revision
    tab.page.select_option("#direction", "nerfs")
    tab.wait(f"Number(document.body.dataset.revision) > {before}")
    constraints = workbench.controller.state()["constraints"]
    assert (constraints["max_cards"], constraints["direction"]) == (3, "nerfs")


def test_a_suggestion_is_applied_by_a_click_and_taken_back_by_undo(tab: Tab, workbench: Any):
    tab.press_at(WHELP, "cost", "l")
    tab.page.click("#suggest")
    tab.page.locator("#cancel").wait_for()
    assert tab.page.is_disabled("#certify")
    first = tab.page.locator("#suggestions > li").first
    first.wait_for(timeout=90_000)
    edits = first.locator("ul li").all_inner_texts()
    first.get_by_role("button", name="Apply").click()
    tab.has_edits(len(edits))
    assert sorted(tab.notes()) == sorted(edits)
    assert not any(edit.startswith("Ember Whelp: cost") for edit in edits)
    for edit in workbench.controller.state()["edits"]:
        tab.shows(edit["card"], edit["field"], edit["to"])
    if tab.page.is_visible("#cancel"):
        tab.page.click("#cancel")
    tab.page.locator("#cancel").wait_for(state="hidden", timeout=30_000)
    tab.press("Control+z")
    tab.has_edits(0)


def test_the_page_calls_only_a_certified_patch_certified(tab: Tab, workbench: Any):
    texts = [
        tab.page.inner_text(place).lower() for place in ("header", "#matchups", "#patch", "#cards")
    ]
    assert not any("certified" in text for text in texts)
    tab.page.click("#certify")
    tab.reads("#price-cost", "5 % is left; the next try uses 4.4 % and leaves 0.6")
    tab.press("Escape")
    tab.page.locator("#price").wait_for(state="hidden")
    tab.page.click("#certify")
    tab.page.click("#price-no")
    assert workbench.controller.state()["busy"] is None
    assert workbench.controller.state()["certificates"]["tries"] == 0
    tab.page.click("#certify")
    tab.page.click("#price-yes")
    tab.page.locator("#last .stamp").wait_for(timeout=90_000)
    last = workbench.controller.state()["certificates"]["last"]
    stamp = tab.page.inner_text("#last .stamp").lower()
    assert stamp == ("certified" if last["certified"] else "not certified")
    tab.reads("#ledger", "Tried 1 time")
    tab.page.click("#certify")
    tab.reads("#price-cost", "is left; the next try uses 0.44 % and leaves 0.19 %")
    tab.reads("#price-cost", "These numbers have been tried")
    tab.press("Escape")
    assert "another patch" not in tab.page.inner_text("#last")
    tab.press_at(WHELP, "attack", "ArrowUp")
    tab.reads("#last", "another patch")


def test_a_session_is_saved_and_the_page_says_where(tab: Tab, workbench: Any):
    tab.page.click("#save")
    tab.page.locator("#files li").first.wait_for()
    folder = Path(workbench.controller.state()["saved"]["folder"])
    assert str(folder) in tab.page.inner_text("#folder")
    files = tab.page.locator("#files li").all_inner_texts()
    assert len(files) > 2
    assert all((folder / name).is_file() for name in files)


def test_a_note_is_kept_and_marked(tab: Tab, workbench: Any):
    note = tab.tile(GUARD).locator("textarea")
    tab.tile(GUARD).locator("summary").click()
    note.fill("too stout")
    note.blur()
    tab.reads(f'[data-card="{GUARD}"] summary', "•")
    assert workbench.controller.state()["notes"] == {GUARD: "too stout"}
    workbench.controller.undo()
    tab.page.locator(f'[data-card="{GUARD}"] summary').filter(has_not_text="•").wait_for()


def test_markup_in_names_is_shown_as_text(tab: Tab, workbench: Any):
    assert tab.tile(EVIL).locator("h3").text_content() == EVIL_CARD
    assert EVIL_PLAYER in tab.page.locator("#matrix").text_content()
    tab.press_at(EVIL, "attack", "ArrowUp")
    tab.has_edits(1)
    assert EVIL_CARD in tab.page.locator("#edits").text_content()
    workbench.controller.broadcaster.publish("message", {"text": EVIL_CARD, "place": None})
    tab.page.locator("#alert").wait_for()
    assert tab.page.inner_text("#alert") == EVIL_CARD
    tab.press_at(EVIL, "attack", "ArrowDown")
    tab.page.locator("#alert").wait_for(state="hidden")
    assert tab.page.evaluate("window.evil") is None
    assert tab.page.query_selector("img, script:not([src])") is None


def test_rates_of_older_revisions_are_ignored(tab: Tab, workbench: Any):
    tab.value(WHELP, "attack").focus()
    old = latest_rates(workbench)
    tab.press("ArrowUp")
    tab.wait(f"Number(document.querySelector('#matrix').dataset.revision) > {old['revision']}")
    workbench.controller.broadcaster.publish("rates", {**old, "n_games": 123_456})
    workbench.controller.broadcaster.publish("message", {"text": "after it", "place": None})
    tab.reads("#alert", "after it")
    assert "123,456" not in tab.page.inner_text("#games")
    assert tab.page.get_attribute("#matrix", "data-revision") != str(old["revision"])


def test_a_fault_is_shown_at_its_card_until_it_is_undone(tab: Tab, workbench: Any):
    tab.press_at(WHELP, "attack", "ArrowUp")
    tab.has_edits(1)
    tab.reads("#games", "settled")
    fault = {"text": "No win rates with <this>", "place": WHELP}
    event = {**no_rates(fault), "revision": workbench.controller.revision}
    workbench.controller.broadcaster.publish("rates", event)
    alert = tab.tile(WHELP).get_by_role("alert")
    alert.wait_for()
    assert alert.inner_text() == "No win rates with <this>"
    tab.reads("#games", "no win rates")
    tab.reads("#worst", "No win rates")
    cells = tab.page.locator("#matrix .rate")
    assert not "".join(cells.all_inner_texts()).strip()
    workbench.controller.broadcaster.publish("rates", event)  # as after a note
    tab.press("Control+z")
    tab.wait("!document.querySelector('#games').textContent.includes('no win rates')")
    alert.wait_for(state="hidden")
    assert all(text.strip() for text in cells.all_inner_texts())


def test_a_tab_of_an_earlier_session_is_disabled(context: Any, workbench: Any):
    state = workbench.controller.state()
    rates = latest_rates(workbench)
    older = {**state, "session": "0"}
    first = "retry: 20\n" + event_text("state", older) + event_text("rates", rates)
    answers = [first, event_text("state", state)]
    page = context.new_page()
    page.route(
        "**/events",
        lambda route: route.fulfill(
            content_type="text/event-stream", body=answers.pop(0) if answers else ""
        ),
    )
    page.goto(workbench.server.url.split("?", maxsplit=1)[0])
    page.locator("#alert").filter(has_text="Another session").wait_for()
    assert page.evaluate("document.querySelector('main').inert")
    page.keyboard.press("Control+z")
    page.unroute_all()
    page.get_by_role("button", name="Reload the page").click()
    page.locator("#matrix[data-revision]").wait_for()
    assert page.locator("#alert").is_hidden()
    assert workbench.controller.state()["revision"] == state["revision"]
    page.route(
        "**/edit", lambda route: route.fulfill(status=409, json={"error": "", "place": None})
    )
    page.locator(f'.tile[data-card="{WHELP}"] .value').first.focus()
    page.keyboard.press("ArrowUp")
    page.locator("#alert").filter(has_text="Another session").wait_for()
    page.close()


def event_text(name: str, data: Any) -> str:
    """Return an event in the format of server-sent events."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def test_cards_are_filtered_by_text_deck_and_edits(tab: Tab, workbench: Any):
    state = workbench.controller.state()
    n_all = len(state["cards"])
    visible = tab.page.locator(".tile:visible")
    assert visible.count() == n_all
    tab.press("/")
    tab.page.keyboard.type("whelp")
    tab.wait("document.querySelector('#shown').textContent.startsWith('1 of')")
    assert visible.get_attribute("data-card") == WHELP
    tab.page.fill("#search", "no such card")
    tab.page.click("#all")
    assert visible.count() == n_all
    tab.page.locator("#matrix .deck").nth(1).click()
    of_deck = [card for card in state["cards"] if "tide_keep" in card["decks"]]
    assert visible.count() == len(of_deck) < n_all
    tab.page.select_option("#deck", "")
    tab.page.select_option("#which", "edited")
    assert visible.count() == 0
    tab.page.select_option("#which", "")
    tab.page.select_option("#order", "name")
    names = visible.locator("h3").all_text_contents()
    assert names == sorted(names, key=str.casefold)
    tab.page.select_option("#order", "file")


def test_a_lost_connection_is_shown_and_refused_steps_are_taken_back(tab: Tab, workbench: Any):
    broadcaster = workbench.controller.broadcaster
    today = of(workbench, WHELP, "attack")["today"]
    broadcaster.close()
    tab.reads("#link", "lost")
    tab.page.route("**/edit", lambda route: route.abort())
    tab.press_at(WHELP, "attack", "ArrowUp")
    tab.reads("#alert, .tile .error", "does not answer")
    tab.shows(WHELP, "attack", today)
    broadcaster._is_closed = False
    tab.wait("document.querySelector('#link').textContent === 'connected'")
    tab.page.unroute_all()
    tab.press("ArrowUp")
    tab.shows(WHELP, "attack", today + 1)


def test_the_tab_key_reaches_every_action_with_a_visible_focus(tab: Tab):
    tab.page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    wanted = tab.page.evaluate(
        """() => [...document.querySelectorAll("*")]
        .filter((node) => node.tabIndex >= 0 && !node.disabled && node.checkVisibility()).length"""
    )
    seen = """() => {
      const node = document.activeElement;
      const style = getComputedStyle(node);
      const isNew = !node.dataset.seen && node !== document.body;
      node.dataset.seen = 1;
      return [isNew, style.outlineStyle !== "none" || node.id === "cards", node.outerHTML];
    }"""
    n = 0
    for _ in range(wanted + 20):
        tab.press("Tab")
        is_new, has_ring, html = tab.page.evaluate(seen)
        assert has_ring or not is_new, html
        n += is_new
    assert n >= wanted - 1 > 150  # the region of the cards has a focus for the link to it


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_no_page_scrolls_sideways(width: int, context: Any, workbench: Any):
    tab = Tab(context, workbench.server.url)
    tab.page.set_viewport_size({"width": width, "height": 900})
    tab.press_at(EVIL, "attack", "ArrowUp")
    tab.has_edits(1)
    wide = """[...document.querySelectorAll("body *")]
      .filter((node) => node.checkVisibility({ contentVisibilityAuto: true }))
      .filter((node) => node.getBoundingClientRect().right > innerWidth)
      .filter((node) => !node.closest(".scroll, .unseen, .skip")).map((node) => node.outerHTML)"""
    assert tab.page.evaluate(wide) == []
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    tab.press("Control+z")
    tab.page.close()
