"""The workbench: what its page is told, and that it is what other commands tell."""

from __future__ import annotations

import json
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import takewhile
from pathlib import Path

import pytest

from experiments.loading import load_experiment
from experiments.runs.ledger import read_ledger
from experiments.workbench import controller, refinement, worker
from experiments.workbench.refinement import EFFECTS, LADDER
from sim import InputError
from tests.command_line import THREE, TINY, command, json_of, summary_of, unchanged
from tests.experiments.benches import Browser, bench, echoing

SETTLED = LADDER[-1]


def settled(browser: Browser, revision: int) -> dict:
    """The last rates of a revision."""
    return browser.until("rates", lambda rates: rates["settled"] and rates["revision"] >= revision)


def rates_of(browser: Browser, revision: int) -> dict:
    """The first rates of a revision."""
    return browser.until("rates", lambda rates: rates["revision"] == revision)


def saved_by(browser: Browser) -> Path:
    browser.done("/save")
    return Path(browser.state()["saved"]["folder"])


def test_the_page_is_told_what_lies_before_the_designer(tmp_path: Path) -> None:
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
              "locked": False}  # fmt: skip
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
        browser.done("/edit", card="ember_whelp", field="attack", to=1)
        browser.done("/edit", card="shell_warden", field="cost", to=5)
        browser.done("/undo")
        told = settled(browser, browser.done("/edit", card="shell_warden", field="cost", to=2))
        folder = saved_by(browser)
    assert told["n_games"] == SETTLED
    given = (tmp_path / "tiny.toml", "--games", str(SETTLED), "--no-plots", "--json")
    given += ("--results", tmp_path / "w")
    by_pool, by_edits = (
        json_of(command("whatif", *given, *edits))["rates"]
        for edits in (
            ("--pool", folder / "patched_pool.toml"),
            ("ember_whelp.attack=1", "shell_warden.cost=2"),
        )
    )
    assert summary_of(folder)["rates"] == by_pool == by_edits
    for rate, other in zip(told["rates"], by_pool, strict=True):
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
        with closing(browser.events()) as heard:
            next(heard)
            revision = browser.done("/edit", card="ember_whelp", field="attack", to=1)
            rates = (data for name, data in heard if name == "rates")
            mine = (told for told in rates if told["revision"] == revision)
            unsettled = takewhile(lambda told: not told["settled"], mine)
            n_games = [told["n_games"] for told in unsettled]
        assert n_games == sorted(n_games)
        assert {*LADDER[1:-1]} <= {*n_games}  # the first may be over before anybody is told
        revision = browser.done("/undo")
        first = rates_of(browser, revision)
        assert first["settled"]
        assert {rate["change_pp"] for rate in first["rates"]} == {0.0}


def test_effects_are_what_a_step_does_to_the_worst_demand(tmp_path: Path) -> None:
    with bench(tmp_path, THREE.replace("band_pp = 40", "band_pp = 5")) as browser:
        told = browser.until("effects", lambda effects: effects["n_games"] == EFFECTS[-1])
        rates = {rate["demand"]: rate for rate in settled(browser, 0)["rates"]}
        worst = max([*rates][:3], key=lambda name: abs(rates[name]["rate"] - 0.5))  # matchups
        assert told["worst"] == worst
        effects = {(one["card"], one["field"]): one for one in told["effects"]}
        assert (
            effects["ember_whelp", "attack"]["up_pp"]
            > 0
            > (effects["ember_whelp", "attack"]["down_pp"])
        )
        assert effects["cinder_imp", "cost"]["down_pp"] is None  # it is 0
        moved = settled(browser, browser.done("/edit", card="ember_whelp", field="attack", to=2))
        after = {rate["demand"]: rate["rate"] for rate in moved["rates"]}[worst]
        truth_pp = 100 * (abs(after - 0.5) - abs(rates[worst]["rate"] - 0.5))
        assert effects["ember_whelp", "attack"]["down_pp"] == pytest.approx(truth_pp, abs=3)
        locked = browser.done("/lock", card="ember_whelp", field=None, locked=True)
        told = browser.until("effects", lambda effects: effects["revision"] == locked)
        (own,) = (one for one in told["effects"]
                  if (one["card"], one["field"]) == ("ember_whelp", "attack"))  # fmt: skip
        assert (own["up_pp"], own["down_pp"]) == (None, None)


@pytest.mark.parametrize(
    ("path", "data", "place", "said"),
    [
        ("/edit", {"card": "ember_whelp", "field": "attack", "to": 9}, "ember_whelp.attack",
         "0 to 5"),
        ("/edit", {"card": "ember_whelp", "field": "speed", "to": 1}, "ember_whelp.speed", "speed"),
        ("/edit", {"card": "nobody", "field": "cost", "to": 1}, "nobody", "nobody"),
        ("/edit", {"card": "ember_whelp", "to": 1}, "ember_whelp", "field"),
        ("/constraints", {"max_cards": 0, "max_change": None, "direction": "both", "max_steps": 2},
         "constraints.max_cards", "at least 1"),
        ("/constraints", {"max_steps": "2"}, "constraints.max_steps", "whole number"),
        ("/constraints", {"max_steps": {"cots": 1}}, "constraints.max_steps", "'cost'"),
        ("/constraints", {"max_card_change": 0}, "constraints.max_card_change", "at least 1"),
        ("/constraints", {"stat_budget": -1}, "constraints.stat_budget", "at least 0"),
        ("/note", {"card": "ember_whelp", "text": "x" * 2_001}, "ember_whelp", "at most 2000"),
        ("/undo", {}, None, "nothing to undo"),
        ("/redo", {}, None, "nothing to redo"),
        ("/apply", {"suggestion": 3}, None, "no suggestion 3"),
        ("/undo", {"twice": True}, None, "unknown key 'twice'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_at_its_place(
    path: str, data: dict, place: str | None, said: str, waiting: Browser
) -> None:
    status, told = waiting.post(path, **data)
    assert (status, told["place"]) == (400, place)
    assert said in told["error"]
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
        revision = browser.done("/note", card="ember_whelp", text="too fast")
        for tab in tabs:
            state = next(data for name, data in tab if name == "state")
            assert (state["revision"], state["notes"]) == (revision, {"ember_whelp": "too fast"})
            tab.close()


def test_suggestions_come_and_are_applied_certified_and_saved(tmp_path: Path) -> None:
    demanding = TINY.replace("band_pp = 40", "band_pp = 12").replace("search = 20", "search = 100")
    for stage, before, now in (("select", 100, 1_000), ("certify", 200, 4_000)):
        demanding = demanding.replace(f"{stage} = {before}", f"{stage} = {now}")
    with bench(tmp_path, demanding) as browser:
        browser.done("/lock", card="ember_whelp", field="attack", locked=True)
        browser.done("/suggest")
        status, told = browser.post("/certify")
        assert (status, told["error"]) == (400, "`suggest` is at work; wait, or cancel it")
        suggestions = browser.when_idle()["suggestions"]
        best = suggestions[-1]
        assert best["likely"]
        assert best["verdict"] == "inside"
        assert best["clean_up"] in {"complete", "out of games"}
        assert all(one["clean_up"] == "" for one in suggestions[:-1])
        assert best["change"] == min(one["change"] for one in suggestions)
        assert ("ember_whelp", "attack") not in {
            (edit["card"], edit["field"]) for edit in best["edits"]
        }
        browser.done("/apply", suggestion=best["number"])
        assert browser.state()["edits"] == best["edits"]
        browser.done("/certify")
        told = browser.when_idle()["certificates"]
        assert told["tries"] == 1
        assert told["last"]["certified"]
        assert told["last"]["is_current"]
        assert told["error_left"] == pytest.approx(0.05 / 8)
        opinion = told["last"]["opinion"]
        assert [pilot["agent"] for pilot in opinion["pilots"]] == ["greedy"]
        folder = saved_by(browser)
        browser.done("/undo")
        assert not browser.state()["certificates"]["last"]["is_current"]
    (question,) = read_ledger(tmp_path / "results").questions.values()
    assert [one.number for one in question.tries] == [1]
    assert "Certified. Each rate is shown" in (folder / "patch_notes.txt").read_text()
    assert opinion["sentence"].removesuffix(".") in (folder / "patch_notes.txt").read_text()
    assert opinion["about"] in (folder / "session.html").read_text()
    again = load_experiment(str(folder / "experiment.toml"))
    for edit in best["edits"]:
        assert again.pool.card(edit["card"]).number(edit["field"]) == edit["to"]
    given = (folder, folder / "patched_pool.toml", "--games", "40", "--no-plots", "--json")
    found = json_of(command("compare", *given, "--results", tmp_path / "c"))
    assert found["patches"][0]["patch"] == found["patches"][1]["patch"]


@pytest.mark.thorough  # a process of its own takes seconds to begin
def test_long_work_is_done_by_a_process_that_may_die(tmp_path: Path) -> None:
    long = TINY.replace("certify = 200", "certify = 40_000_000")
    with bench(tmp_path, long, has_process=True) as browser:
        browser.done("/suggest")
        assert browser.when_idle()["suggestions"]
        with closing(browser.events()) as heard:
            next(heard)
            browser.done("/certify")
            while browser.state()["busy"]:  # one that died idle is replaced
                for child in multiprocessing.active_children():
                    child.kill()
            said = next(data["text"] for name, data in heard if name == "message")
        assert "has died; ask again" in said
        told = browser.when_idle()["certificates"]
        assert (told["tries"], told["last"]) == (0, None)
    assert not multiprocessing.active_children()


def test_with_all_locked_there_is_nothing_to_suggest(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        for card in browser.state()["cards"]:
            browser.done("/lock", card=card["card"], field=None, locked=True)
        assert "no number may move" in browser.message_after("/suggest")


def test_one_deck_alone_has_numbers_and_no_rates(tmp_path: Path) -> None:
    alone = TINY[: TINY.index('[[player]]\ndeck = "tide_keep"')] + TINY[TINY.index("[tune]") :]
    with bench(tmp_path, alone) as browser:
        revision = browser.done("/edit", card="ember_whelp", field="attack", to=1)
        told = rates_of(browser, revision)
        assert (told["rates"], told["worst"], told["settled"]) == ([], None, True)
        assert browser.state()["demands"] == []
        revision = browser.done("/note", card="ember_whelp", text="alone")
        assert rates_of(browser, revision)["rates"] == []
        status, refused = browser.post("/suggest")
        assert (status, refused["error"]) == (400, "there is only one deck, which meets nobody")
        folder = saved_by(browser)
    assert "Ember Whelp: attack 3 -> 1" in (folder / "patch_notes.txt").read_text()


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
        told = rates_of(browser, browser.done("/edit", card=card, field=number["field"], to=to))
        assert 4 <= told["n_games"] <= SETTLED
        (edit,) = browser.state()["edits"]
        assert edit["text"].endswith(f": damage {number['value']} -> {to}")


def test_rules_move_and_are_saved(tmp_path: Path) -> None:
    with bench(tmp_path, TINY.replace("[tune]", "[tune]\nrules = { life = [15, 25] }")) as browser:
        browser.done("/edit", card="(rules)", field="life", to=22)
        folder = saved_by(browser)
        assert "patched_ruleset.toml" in browser.state()["saved"]["files"]
        assert load_experiment(str(folder / "experiment.toml")).ruleset.life == 22
        browser.done("/undo")
        browser.done("/save")
        assert "patched_ruleset.toml" not in browser.state()["saved"]["files"]
        assert not (folder / "patched_ruleset.toml").exists()
        assert load_experiment(str(folder / "experiment.toml")).ruleset.life == 20


def test_edits_whose_games_never_end_are_told_at_their_place_until_they_are_undone(
    tmp_path: Path,
) -> None:
    with bench(tmp_path, echoing(tmp_path)) as browser:
        browser.done("/edit", card="ox1", field="attack", to=3)
        revision = browser.done("/edit", card="echo", field="cost", to=0)
        told = rates_of(browser, revision)
        assert (told["rates"], told["settled"], told["n_games"]) == ([], True, 0)
        assert told["fault"]["place"] == "echo"
        for said in ("Echo: cost 1 -> 0", "Ox 1: attack 2 -> 3", "its turn never ends", "Undo"):
            assert said in told["fault"]["text"]
        revision = browser.done("/note", card="echo", text="too cheap")  # and it is told again
        told = rates_of(browser, revision)
        assert told["fault"]
        browser.done("/undo")
        revision = browser.done("/undo")
        rates = settled(browser, revision)
        assert rates["rates"]
        assert rates["fault"] is None
        revision = browser.done("/redo")
        told = rates_of(browser, revision)
        assert told["fault"]["place"] == "echo"
        assert "Explored by no games" in (saved_by(browser) / "patch_notes.txt").read_text()


def test_a_fault_of_ours_is_told_and_the_session_goes_on(tmp_path: Path, monkeypatch) -> None:
    with bench(tmp_path, TINY) as browser:
        settled(browser, 0)

        def broken(*_: object) -> None:
            raise TypeError("not a number")

        monkeypatch.setattr(refinement, "change_rows", broken)
        told = rates_of(browser, browser.done("/edit", card="ember_whelp", field="attack", to=1))
        assert told["fault"]["place"] == "ember_whelp"
        for said in ("fault of evenhand", "TypeError: not a number", "Undo", "attack 3 -> 1"):
            assert said in told["fault"]["text"]
        monkeypatch.undo()
        assert settled(browser, browser.done("/undo"))["rates"]
        assert settled(browser, browser.done("/redo"))["rates"]


def test_a_fault_in_long_work_is_told_and_the_desk_goes_on(tmp_path: Path, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise TypeError("not a number")

    with bench(tmp_path, TINY) as browser:
        monkeypatch.setattr(worker, "certify", broken)
        assert "TypeError: not a number" in browser.message_after("/certify")
        assert browser.when_idle()["certificates"]["tries"] == 0
        assert browser.done("/edit", card="ember_whelp", field="attack", to=1)


def test_steps_are_taken_while_files_are_written(tmp_path: Path, monkeypatch) -> None:
    is_saving = threading.Event()
    may_end = threading.Event()

    def slow(*given: object) -> tuple[str, ...]:
        is_saving.set()
        assert may_end.wait(30)
        return save(*given)

    save = controller.save
    monkeypatch.setattr(controller, "save", slow)
    with bench(tmp_path, TINY) as browser, ThreadPoolExecutor() as pool:
        browser.done("/edit", card="ember_whelp", field="attack", to=1)
        saving = pool.submit(browser.done, "/save")
        assert is_saving.wait(30)
        revision = browser.done("/edit", card="ember_whelp", field="attack", to=2)
        assert browser.state()["saved"] is None
        may_end.set()
        assert saving.result() == revision + 1
        saved = browser.state()["saved"]
        assert [edit["to"] for edit in browser.state()["edits"]] == [2]
    assert {"summary.json", "session.html"} <= {*saved["files"]}
    assert [edit["to"] for edit in summary_of(Path(saved["folder"]))["patch"]] == [1]


def test_a_page_of_another_session_does_nothing_here(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        key = browser.state()["session"]
        for told, status in ((key, 200), ("0123456789abcdef", 409)):
            headers = {**browser.headers, "X-Evenhand-Session": told}
            body = json.dumps({"card": "ember_whelp", "text": told}).encode()
            answer, _, said = browser.raw("POST", "/note", headers, body)
            assert (answer, "another session" in said.decode()) == (status, status == 409)
        assert browser.state()["notes"] == {"ember_whelp": key}
    with bench(tmp_path, TINY, resume=True) as browser:
        assert browser.state()["session"] == key
    with bench(tmp_path, TINY) as browser:
        assert browser.state()["session"] != key


def test_what_a_certificate_takes_is_told_before_it_is_asked_for(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        for k in (1, 2):
            before = browser.state()["certificates"]
            assert before["next_risk"] == pytest.approx(0.05 * (1 / k**3 - 1 / (k + 1) ** 3))
            browser.done("/edit", card="ember_whelp", field="attack", to=k)
            browser.done("/certify")
            after = browser.when_idle()["certificates"]
            assert after["error_left"] == pytest.approx(before["error_left_after"])
            assert after["tries"] == k


@pytest.mark.parametrize("path", ["/edit", "/certify"])
def test_what_cannot_be_kept_has_never_been(path: str, tmp_path: Path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise InputError("session.json: cannot be written: No space left on device")

    asked = {"card": "ember_whelp", "field": "attack", "to": 1} if path == "/edit" else {}
    with bench(tmp_path, TINY) as browser:
        with unchanged(browser.state):
            monkeypatch.setattr(controller, "write_session", full)
            status, told = browser.post(path, **asked)
        assert (status, told["place"]) == (400, None)
        assert "No space left" in told["error"]
        monkeypatch.undo()
        assert browser.done(path, **asked) == 1


def test_a_session_that_is_continued_is_the_same(tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as browser:
        browser.done("/edit", card="ember_whelp", field="attack", to=1)
        browser.done("/note", card="ember_whelp", text="Tr\u00e8s \u201cvite\u201d")
        browser.done("/lock", card="shell_warden", field="cost", locked=True)
        browser.done("/undo")
        browser.done("/save")
        before = browser.state()
    with bench(tmp_path, TINY, resume=True) as browser:
        assert browser.state() == before
        browser.done("/redo")
    with bench(tmp_path, TINY) as browser:  # anew
        assert browser.state()["revision"] == 0
    assert len([*(tmp_path / "results").glob("tiny-workbench-*")]) == 2


def test_the_first_seat_is_marked_on_the_saved_page_and_demands_nothing(tmp_path: Path) -> None:
    with bench(tmp_path, THREE) as browser:
        told = settled(browser, browser.done("/edit", card="ember_whelp", field="attack", to=1))
        folder = saved_by(browser)
    seat = told["rates"][-1]
    assert (seat["demand"], seat["state"]) == ("first seat vs second seat", "outside")
    assert told["worst"] != seat["demand"]
    notes = (folder / "patch_notes.txt").read_text(encoding="utf-8")
    (line,) = (line for line in notes.splitlines() if line.startswith(f"{seat['demand']}: "))
    assert line.count("% OUT") == 2
    page = (folder / "session.html").read_text(encoding="utf-8")
    assert f"{100 * seat['rate']:.1f} OUT" in page
