"""The workbench: states and rates that its page receives, equal to those of other commands."""

from __future__ import annotations

import json
import multiprocessing
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import takewhile
from pathlib import Path

import pytest

from balance.contest.target import FIRST_SEAT
from experiments.loading import load_experiment
from experiments.runs.ledger import read_ledger
from experiments.workbench import controller, refinement, worker
from experiments.workbench.refinement import EFFECT_LEVELS, RATE_LEVELS
from sim import InputError
from tests.command_line import THREE, TINY, command, json_of, summary_of, unchanged
from tests.experiments.benches import Browser, bench, echoing
from tests.messages import check_message

SETTLED = RATE_LEVELS[-1]


def settled(browser: Browser, revision: int) -> dict:
    """Return the last rates of a revision."""
    return browser.until("rates", lambda rates: rates["settled"] and rates["revision"] >= revision)


def rates_of(browser: Browser, revision: int) -> dict:
    """Return the first rates of a revision."""
    return browser.until("rates", lambda rates: rates["revision"] == revision)


def saved_by(browser: Browser) -> Path:
    """Save the session; return its folder."""
    browser.submit("/save")
    return Path(browser.state()["saved"]["folder"])


def test_the_state_has_decks_cards_and_demands(tmp_path: Path) -> None:
    with bench(tmp_path, THREE.replace("[tune]", "[tune]\nrules = { life = [15, 25] }")) as browser:
        state = browser.state()
    assert (state["experiment"], state["seed"], state["revision"]) == ("tiny", 7, 0)
    assert [deck["name"] for deck in state["decks"]] == ["ember_rush", "tide_keep", "grove_march"]
    cards = {card["card"]: card for card in state["cards"]}
    assert {held["card"] for deck in state["decks"] for held in deck["cards"]} == {*cards} - {
        "(rules)"
    }
    assert cards["ember_whelp"]["decks"] == ["ember_rush"]
    attack = {"field": "attack", "label": "attack", "today": 3, "value": 3, "least": 0, "most": 5,
              "locked": False, "scale": None}  # fmt: skip
    assert attack in cards["ember_whelp"]["numbers"]
    assert [number["field"] for number in cards["(rules)"]["numbers"]] == ["life"]
    kinds = ["matchup"] * 3 + ["deck"] * 3 + ["first seat"]
    assert [demand["of"] for demand in state["demands"]] == kinds
    first = state["demands"][0]
    assert (first["a"], first["b"], first["aim"]) == ("ember_rush", "tide_keep", 0.5)
    assert (first["least"], first["most"]) == pytest.approx((0.1, 0.9))
    assert state["certificates"]["tries"] == 0
    assert state["certificates"]["error_left"] == pytest.approx(0.05)
    assert (state["busy"], state["saved"], state["suggestions"]) == (None, None, [])


def test_settled_rates_are_those_of_whatif_to_the_last_digit(tmp_path: Path) -> None:
    with bench(tmp_path) as browser:
        browser.submit("/edit", card="ember_whelp", field="attack", to=1)
        browser.submit("/edit", card="shell_warden", field="cost", to=5)
        browser.submit("/undo")
        rates = settled(browser, browser.submit("/edit", card="shell_warden", field="cost", to=2))
        folder = saved_by(browser)
    assert rates["n_games"] == SETTLED
    arguments = (tmp_path / "tiny.toml", "--games", str(SETTLED), "--no-plots", "--json")
    arguments += ("--results", tmp_path / "w")
    by_pool, by_edits = (
        json_of(command("whatif", *arguments, *edits))["rates"]
        for edits in (
            ("--pool", folder / "patched_pool.toml"),
            ("ember_whelp.attack=1", "shell_warden.cost=2"),
        )
    )
    assert summary_of(folder)["rates"] == by_pool == by_edits
    for rate, other in zip(rates["rates"], by_pool, strict=True):
        assert rate["demand"] == other["rate"]
        assert [round(end, 10) for end in [rate[key] for key in ("rate", "low", "high")]] == [
            other["patched"][key] for key in ("win_rate", "low", "high")
        ]
        change = [rate[key] for key in ("change_pp", "change_low_pp", "change_high_pp")]
        assert [round(end, 10) for end in change] == [
            other["change"][key] for key in ("pp", "low", "high")
        ]
        assert rate["can_change"] == other["can_change"]


def test_rates_come_by_more_and_more_games_and_undo_costs_none(tmp_path: Path) -> None:
    with bench(tmp_path) as browser:
        settled(browser, 0)
        with closing(browser.events()) as events:
            next(events)
            revision = browser.submit("/edit", card="ember_whelp", field="attack", to=1)
            rates = (data for name, data in events if name == "rates")
            of_edit = (data for data in rates if data["revision"] == revision)
            unsettled = takewhile(lambda data: not data["settled"], of_edit)
            n_games = [data["n_games"] for data in unsettled]
        assert n_games == sorted(n_games)
        assert {*RATE_LEVELS[1:-1]} <= {*n_games}  # the first may end unsent
        revision = browser.submit("/undo")
        first = rates_of(browser, revision)
        assert first["settled"]
        assert {rate["change_pp"] for rate in first["rates"]} == {0.0}


def test_effects_are_changes_of_the_worst_demand(tmp_path: Path) -> None:
    with bench(tmp_path, THREE.replace("band_pp = 40", "band_pp = 5")) as browser:
        event = browser.until("effects", lambda effects: effects["n_games"] == EFFECT_LEVELS[-1])
        rates = {rate["demand"]: rate for rate in settled(browser, 0)["rates"]}
        worst = max([*rates][:3], key=lambda name: abs(rates[name]["rate"] - 0.5))  # matchups
        assert event["worst"] == worst
        effects = {(effect["card"], effect["field"]): effect for effect in event["effects"]}
        assert (
            effects["ember_whelp", "attack"]["up_pp"]
            > 0
            > (effects["ember_whelp", "attack"]["down_pp"])
        )
        assert effects["cinder_imp", "cost"]["down_pp"] is None  # it is 0
        moved = settled(browser, browser.submit("/edit", card="ember_whelp", field="attack", to=2))
        after = {rate["demand"]: rate["rate"] for rate in moved["rates"]}[worst]
        truth_pp = 100 * (abs(after - 0.5) - abs(rates[worst]["rate"] - 0.5))
        assert effects["ember_whelp", "attack"]["down_pp"] == pytest.approx(truth_pp, abs=3)
        locked = browser.submit("/lock", card="ember_whelp", field=None, locked=True)
        event = browser.until("effects", lambda effects: effects["revision"] == locked)
        (own,) = (effect for effect in event["effects"]
                  if (effect["card"], effect["field"]) == ("ember_whelp", "attack"))  # fmt: skip
        assert (own["up_pp"], own["down_pp"]) == (None, None)


@pytest.mark.parametrize(
    ("path", "data", "place"),
    [
        ("/edit", {"card": "ember_whelp", "field": "attack", "to": 9}, "ember_whelp.attack"),
        ("/edit", {"card": "ember_whelp", "field": "speed", "to": 1}, "ember_whelp.speed"),
        ("/edit", {"card": "nobody", "field": "cost", "to": 1}, None),  # the page has no such card
        ("/edit", {"card": "ember_whelp", "to": 1}, "ember_whelp"),
        ("/constraints", {"max_cards": 0, "max_change": None, "direction": "both", "max_steps": 2},
         "constraints.max_cards"),
        ("/constraints", {"max_steps": "2"}, "constraints.max_steps"),
        ("/constraints", {"max_steps": {"cots": 1}}, "constraints.max_steps"),
        ("/constraints", {"max_card_change": 0}, "constraints.max_card_change"),
        ("/constraints", {"stat_budget": -1}, "constraints.stat_budget"),
        ("/note", {"card": "ember_whelp", "text": "x" * 2_001}, "ember_whelp"),
        ("/undo", {}, None),
        ("/redo", {}, None),
        ("/apply", {"suggestion": 3}, None),
        ("/undo", {"twice": True}, None),
    ],
)  # fmt: skip
def test_a_refused_request_names_its_place_on_the_page(
    path: str, data: dict, place: str | None, waiting: Browser
) -> None:
    status, answer = waiting.post(path, **data)
    assert (status, answer["place"]) == (400, place)
    check_message(answer["error"])
    assert waiting.state()["revision"] == 0


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory):
    with bench(tmp_path_factory.mktemp("waiting"), TINY) as browser:
        yield browser


def test_a_second_tab_follows_the_first(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        tabs = [browser.events() for _ in range(2)]
        for tab in tabs:
            assert next(tab)[0] == "state"
        revision = browser.submit("/note", card="ember_whelp", text="too fast")
        for tab in tabs:
            state = next(data for name, data in tab if name == "state")
            assert (state["revision"], state["notes"]) == (revision, {"ember_whelp": "too fast"})
            tab.close()


def test_suggestions_come_and_are_applied_certified_and_saved(tmp_path: Path) -> None:
    demanding = TINY.replace("band_pp = 40", "band_pp = 12").replace("search = 20", "search = 100")
    for stage, before, now in (("select", 100, 1_000), ("certify", 200, 4_000)):
        demanding = demanding.replace(f"{stage} = {before}", f"{stage} = {now}")
    with bench(tmp_path, demanding) as browser:
        browser.submit("/lock", card="ember_whelp", field="attack", locked=True)
        browser.submit("/suggest")
        status, answer = browser.post("/certify")
        assert status == 400
        check_message(answer["error"])
        suggestions = browser.when_idle()["suggestions"]
        best = suggestions[-1]
        assert best["likely"]
        assert best["verdict"] == "inside"
        assert best["clean_up"] in {"complete", "out of games"}
        assert all(earlier["clean_up"] == "" for earlier in suggestions[:-1])
        assert best["change"] == min(suggestion["change"] for suggestion in suggestions)
        assert ("ember_whelp", "attack") not in {
            (edit["card"], edit["field"]) for edit in best["edits"]
        }
        browser.submit("/apply", suggestion=best["number"])
        assert browser.state()["edits"] == best["edits"]
        browser.submit("/certify")
        certificates = browser.when_idle()["certificates"]
        assert certificates["tries"] == 1
        assert certificates["last"]["certified"]
        assert certificates["last"]["is_current"]
        assert certificates["error_left"] == pytest.approx(0.05 / 8)
        opinion = certificates["last"]["opinion"]
        assert [pilot["agent"] for pilot in opinion["pilots"]] == ["greedy"]
        folder = saved_by(browser)
        browser.submit("/undo")
        assert not browser.state()["certificates"]["last"]["is_current"]
    (question,) = read_ledger(tmp_path / "results").questions.values()
    assert [entry.number for entry in question.tries] == [1]
    notes = (folder / "patch_notes.txt").read_text()
    assert f"Certified. {certificates['last']['text']}" in notes
    assert opinion["sentence"].removesuffix(".") in notes
    assert opinion["about"] in (folder / "session.html").read_text()
    again = load_experiment(str(folder / "experiment.toml"))
    for edit in best["edits"]:
        assert again.pool.card(edit["card"]).number(edit["field"]) == edit["to"]
    arguments = (folder, folder / "patched_pool.toml", "--games", "40", "--no-plots", "--json")
    compared = json_of(command("compare", *arguments, "--results", tmp_path / "c"))["patches"]
    assert compared[0]["patch"] == compared[1]["patch"]


@pytest.mark.thorough  # a process of its own takes seconds to begin
def test_a_job_survives_the_death_of_its_process(tmp_path: Path) -> None:
    long = TINY.replace("certify = 200", "certify = 40_000_000")
    with bench(tmp_path, long, has_process=True) as browser:
        browser.submit("/suggest")
        assert browser.when_idle()["suggestions"]
        with closing(browser.events()) as events:
            next(events)
            browser.submit("/certify")
            while browser.state()["busy"]:  # a process that died idle is replaced
                for child in multiprocessing.active_children():
                    child.kill()
            text = next(data["text"] for name, data in events if name == "message")
        check_message(text)
        certificates = browser.when_idle()["certificates"]
        assert (certificates["tries"], certificates["last"]) == (0, None)
    assert not multiprocessing.active_children()


def test_a_search_with_all_cards_locked_is_refused(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        for card in browser.state()["cards"]:
            browser.submit("/lock", card=card["card"], field=None, locked=True)
        check_message(browser.message_after("/suggest"))


def test_one_deck_alone_has_numbers_and_no_rates(tmp_path: Path) -> None:
    alone = TINY[: TINY.index('[[player]]\ndeck = "tide_keep"')] + TINY[TINY.index("[tune]") :]
    with bench(tmp_path, alone) as browser:
        revision = browser.submit("/edit", card="ember_whelp", field="attack", to=1)
        rates = rates_of(browser, revision)
        assert (rates["rates"], rates["worst"], rates["settled"]) == ([], None, True)
        assert browser.state()["demands"] == []
        revision = browser.submit("/note", card="ember_whelp", text="alone")
        assert rates_of(browser, revision)["rates"] == []
        status, refused = browser.post("/suggest")
        assert status == 400
        check_message(refused["error"])
        folder = saved_by(browser)
    check_message((folder / "patch_notes.txt").read_text())


def test_rich_cards_have_texts_amounts_and_fewer_games_at_first(tmp_path: Path) -> None:
    text = TINY.replace("seed = 7", 'seed = 7\nruleset = "legacy"\npool = "saga"')
    text = text.replace('"ember_rush"', '"saga_ember"').replace('"tide_keep"', '"saga_tide"')
    text = text.replace("max_steps = 2", 'fields = ["cost", "attack", "health", "amount"]')
    with bench(tmp_path, text) as browser:
        cards = browser.state()["cards"]
        assert any(card["text"] for card in cards)
        (card, number) = next(
            (card["card"], number)
            for card in cards
            for number in card["numbers"]
            if number["label"] == "damage"
        )
        assert number["field"].startswith("amount")
        to = number["value"] + 1
        rates = rates_of(browser, browser.submit("/edit", card=card, field=number["field"], to=to))
        assert 4 <= rates["n_games"] <= SETTLED
        (edit,) = browser.state()["edits"]
        assert edit["text"].endswith(f": damage {number['value']} -> {to}")


def test_edited_rules_are_saved(tmp_path: Path) -> None:
    with bench(tmp_path, TINY.replace("[tune]", "[tune]\nrules = { life = [15, 25] }")) as browser:
        browser.submit("/edit", card="(rules)", field="life", to=22)
        folder = saved_by(browser)
        assert "patched_ruleset.toml" in browser.state()["saved"]["files"]
        assert load_experiment(str(folder / "experiment.toml")).ruleset.life == 22
        browser.submit("/undo")
        browser.submit("/save")
        assert "patched_ruleset.toml" not in browser.state()["saved"]["files"]
        assert not (folder / "patched_ruleset.toml").exists()
        assert load_experiment(str(folder / "experiment.toml")).ruleset.life == 20


def test_edits_with_endless_games_have_a_message_at_their_card_until_they_are_undone(
    tmp_path: Path,
) -> None:
    with bench(tmp_path, echoing(tmp_path)) as browser:
        browser.submit("/edit", card="ox1", field="attack", to=3)
        revision = browser.submit("/edit", card="echo", field="cost", to=0)
        rates = rates_of(browser, revision)
        assert (rates["rates"], rates["settled"], rates["n_games"]) == ([], True, 0)
        assert rates["fault"]["place"] == "echo"
        check_message(rates["fault"]["text"])
        revision = browser.submit("/note", card="echo", text="too cheap")
        assert rates_of(browser, revision)["fault"] == rates["fault"]
        browser.submit("/undo")
        revision = browser.submit("/undo")
        rates = settled(browser, revision)
        assert rates["rates"]
        assert rates["fault"] is None
        revision = browser.submit("/redo")
        assert rates_of(browser, revision)["fault"]["place"] == "echo"
        check_message((saved_by(browser) / "patch_notes.txt").read_text())


def test_an_unexpected_error_is_reported_and_the_session_goes_on(
    tmp_path: Path, monkeypatch
) -> None:
    with bench(tmp_path, TINY) as browser:
        settled(browser, 0)

        def broken(*_: object) -> None:
            raise TypeError("not a number")

        monkeypatch.setattr(refinement, "change_rows", broken)
        rates = rates_of(browser, browser.submit("/edit", card="ember_whelp", field="attack", to=1))
        assert rates["fault"]["place"] == "ember_whelp"
        check_message(without_lines(rates["fault"]["text"]))
        monkeypatch.undo()
        assert settled(browser, browser.submit("/undo"))["rates"]
        assert settled(browser, browser.submit("/redo"))["rates"]


def without_lines(text: str) -> str:
    """Replace line numbers of code, which change with every edit of this file."""
    return re.sub(r"line \d+", "line N", text)


def test_an_unexpected_error_of_a_job_is_reported_and_the_session_goes_on(
    tmp_path: Path, monkeypatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise TypeError("not a number")

    with bench(tmp_path, TINY) as browser:
        monkeypatch.setattr(worker, "certify", broken)
        check_message(without_lines(browser.message_after("/certify")))
        assert browser.when_idle()["certificates"]["tries"] == 0
        assert browser.submit("/edit", card="ember_whelp", field="attack", to=1)


def test_edits_are_accepted_while_files_are_written(tmp_path: Path, monkeypatch) -> None:
    is_saving = threading.Event()
    may_end = threading.Event()

    def slow(*arguments: object) -> tuple[str, ...]:
        is_saving.set()
        assert may_end.wait(30)
        return save(*arguments)

    save = controller.save
    monkeypatch.setattr(controller, "save", slow)
    with bench(tmp_path, TINY) as browser, ThreadPoolExecutor() as pool:
        browser.submit("/edit", card="ember_whelp", field="attack", to=1)
        saving = pool.submit(browser.submit, "/save")
        assert is_saving.wait(30)
        revision = browser.submit("/edit", card="ember_whelp", field="attack", to=2)
        assert browser.state()["saved"] is None
        may_end.set()
        assert saving.result() == revision + 1
        saved = browser.state()["saved"]
        assert [edit["to"] for edit in browser.state()["edits"]] == [2]
    assert {"summary.json", "session.html"} <= {*saved["files"]}
    assert [edit["to"] for edit in summary_of(Path(saved["folder"]))["patch"]] == [1]


def test_a_request_of_another_sessions_page_is_refused(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        key = browser.state()["session"]
        for sent_key, expected in ((key, 200), ("0123456789abcdef", 409)):
            headers = {**browser.headers, "X-Evenhand-Session": sent_key}
            body = json.dumps({"card": "ember_whelp", "text": sent_key}).encode()
            status, _, answer = browser.raw("POST", "/note", headers, body)
            assert status == expected
        check_message(json.loads(answer)["error"])
        assert browser.state()["notes"] == {"ember_whelp": key}
    with bench(tmp_path, TINY, resume=True) as browser:
        assert browser.state()["session"] == key
    with bench(tmp_path, TINY) as browser:
        assert browser.state()["session"] != key


def test_the_state_has_the_risk_of_the_next_certificate(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        for k in (1, 2):
            before = browser.state()["certificates"]
            assert before["next_risk"] == pytest.approx(0.05 * (1 / k**3 - 1 / (k + 1) ** 3))
            browser.submit("/edit", card="ember_whelp", field="attack", to=k)
            browser.submit("/certify")
            after = browser.when_idle()["certificates"]
            assert after["error_left"] == pytest.approx(before["error_left_after"])
            assert after["tries"] == k


@pytest.mark.parametrize("path", ["/edit", "/certify"])
def test_a_change_that_cannot_be_stored_is_undone(path: str, tmp_path: Path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise InputError("cannot be written: No space left on device", place="a/session.json")

    parameters = {"card": "ember_whelp", "field": "attack", "to": 1} if path == "/edit" else {}
    with bench(tmp_path, TINY) as browser:
        with unchanged(browser.state):
            monkeypatch.setattr(controller, "write_session", full)
            status, answer = browser.post(path, **parameters)
        assert (status, answer["place"]) == (400, None)
        check_message(answer["error"])
        monkeypatch.undo()
        assert browser.submit(path, **parameters) == 1


def test_a_resumed_session_is_unchanged(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        browser.submit("/edit", card="ember_whelp", field="attack", to=1)
        browser.submit("/note", card="ember_whelp", text="Tr\u00e8s \u201cvite\u201d")
        browser.submit("/lock", card="shell_warden", field="cost", locked=True)
        browser.submit("/undo")
        browser.submit("/save")
        before = browser.state()
    with bench(tmp_path, TINY, resume=True) as browser:
        assert browser.state() == before
        browser.submit("/redo")
    with bench(tmp_path, TINY) as browser:  # anew
        assert browser.state()["revision"] == 0
    assert len([*(tmp_path / "results").glob("tiny-workbench-*")]) == 2


def test_the_first_seat_is_marked_on_the_saved_page_and_demands_nothing(tmp_path: Path) -> None:
    with bench(tmp_path, THREE) as browser:
        rates = settled(browser, browser.submit("/edit", card="ember_whelp", field="attack", to=1))
        folder = saved_by(browser)
    seat = rates["rates"][-1]
    assert (seat["demand"], seat["state"]) == (FIRST_SEAT, "outside")
    assert rates["worst"] != seat["demand"]
    notes = (folder / "patch_notes.txt").read_text(encoding="utf-8")
    (line,) = (line for line in notes.splitlines() if line.startswith(f"{seat['demand']}: "))
    assert line.count("% OUT") == 2
    page = (folder / "session.html").read_text(encoding="utf-8")
    (cell,) = re.findall(rf"<td>(<b>{100 * seat['rate']:.1f}</b>.*?)</td>", page, re.DOTALL)
    assert ">OUT<" in cell
