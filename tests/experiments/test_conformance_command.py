"""`evenhand conformance` counts scenarios, prints differences, and sets its exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.command_line import ROOT, Outcome, command
from tests.experiments.command_goldens import check_refusal, check_screen
from tests.messages import check_message

POOL = """\
name = "sparring"

[[hero]]
id = "mage"
name = "Mage"
power = "ping"

[[card]]
id = "ox"
name = "Ox"
cost = 4
attack = 4
health = 5

[[card]]
id = "gamble"
name = "Gamble"
kind = "spell"
cost = 0
effects = [{ on = "play", do = "damage", to = "enemy_player", amount = 1, amount_to = 2 }]

[[token]]
id = "ping"
name = "Ping"
kind = "power"
cost = 2
target = "characters"
effects = [{ on = "play", do = "damage", to = "target", amount = 1 }]
"""
SIDE: dict[str, Any] = {"class": "MAGE", "mana": {"available": 10, "max": 10}, "deck": ["OX"]}


def scenario(name: str, health: object, *, card: str = "ox", topic: str = "hit") -> dict[str, Any]:
    """Return a scenario in which the hero power hits the enemy hero, with `health` expected."""
    return {
        "id": name,
        "topic": topic,
        "focus": card,
        "cards": [card],
        "setup": {"active": "p1", "p1": {**SIDE, "hand": [{"card": card, "as": "x"}]}, "p2": SIDE},
        "actions": [{"hero_power": "p2.hero"}],
        "expect": [{"path": "p2.hero.health", "value": health}],
    }


def gamble(health: list[int]) -> dict[str, Any]:
    bet = scenario("gamble", 0, card="gamble", topic="luck")
    return {**bet, "actions": [{"play": "x"}], "expect": [{"path": "p2.hero.health", "in": health}]}


@pytest.fixture
def run(tmp_path: Path):
    pool = tmp_path / "sparring.toml"
    pool.write_text(POOL, encoding="utf-8")
    rules = tmp_path / "rules.toml"
    legacy = (ROOT / "sim" / "data" / "rulesets" / "legacy.toml").read_text(encoding="utf-8")
    rules.write_text(legacy.replace("coin = true", "coin = false"), encoding="utf-8")

    def run(*lines: object, options: tuple[str, ...] = ()) -> Outcome:
        path = tmp_path / "scenarios.jsonl"
        texts = [text if isinstance(text, str) else json.dumps(text) for text in lines]
        path.write_text("\n".join(texts), encoding="utf-8")
        with_cards = ("--pool", str(pool), "--ruleset", str(rules))
        return command("conformance", path, *with_cards, *options)

    return run


def test_all_that_can_be_run_passes(run) -> None:
    outcome = run(scenario("a", 29), scenario("b", 29, card="wolf"), options=("--json",))
    assert outcome.err == ""
    assert json.loads(outcome.out) == {"total": 2, "runnable": 1, "passed": 1, "failed": []}
    assert outcome.status == 0


def test_failures_are_listed_and_end_with_status_1(run) -> None:
    outcome = run(scenario("a", 29), scenario("b", 30), options=("--json",))
    assert json.loads(outcome.out) == {
        "total": 2,
        "runnable": 2,
        "passed": 1,
        "failed": [
            {
                "id": "b",
                "topic": "hit",
                "focus": "ox",
                "game": 0,
                "difference": mock.ANY,
            }
        ],
    }
    check_message(json.loads(outcome.out)["failed"][0]["difference"])
    assert outcome.status == 1


def test_people_get_counts_by_topic_and_the_first_differences(run) -> None:
    lines = [scenario("a", 29), scenario("b", 30), scenario("c", 1, card="wolf", topic="cold")]
    outcome = run(*lines)
    _, _, table = outcome.out.partition("topic ")  # after the title, a path of any length
    check_screen(table)
    assert outcome.status == 1


def test_a_random_outcome_must_hold_with_every_seed(run) -> None:
    assert run(gamble([28, 29])).status == 0
    (failed,) = json.loads(run(gamble([29]), options=("--json",)).out)["failed"]
    check_message(failed["difference"])
    few = run(gamble([29]), options=("--json", "--seeds", str(failed["game"] or 1)))
    assert few.status == (0 if failed["game"] else 1)


def test_the_run_seed_decides_the_games(run) -> None:
    def games(seed: int) -> list[bool]:
        options = ("--seeds", "1", "--seed", str(seed))
        return [run(gamble([health]), options=options).status == 0 for health in (28, 29)]

    assert all(sum(games(seed)) == 1 for seed in range(5))
    assert len({tuple(games(seed)) for seed in range(12)}) == 2


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (["{"], ()),
        ([{**scenario("a", 1), "colour": 1}], ()),
        ([scenario("a", 1)], ("--pool", "nowhere")),
        ([scenario("a", 1)], ("--ruleset", "nowhere")),
        ([scenario("a", 1)], ("--seeds", "0")),
    ],
)
def test_bad_input_ends_with_status_2(run, lines, options) -> None:
    check_refusal(run(*lines, options=options))
