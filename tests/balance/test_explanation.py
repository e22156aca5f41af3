"""Explanations: what cannot hold is named, and the setting that binds comes first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance import BalanceSettings, Evaluator, build_space, prepare
from balance.cards.relaxations import relaxed_spaces
from balance.contest.target import demands_of
from balance.run.explanation import Explanation, explain
from tests.balance.contests import THREE, Floats, own_contest
from tests.duels import CORE

pytestmark = pytest.mark.thorough

KINDS = [[*player.deck.cards][:5] for player in THREE.players]
CONTEST = own_contest(
    CORE.cards, [dict.fromkeys(kinds, 6) for kinds in KINDS], agents=["aggro", "control", "greedy"]
)  # of few numbers, so that searches are short
A, B, C = CONTEST.player_names
A_B = f"{A} vs {B}"
A_C = f"{A} vs {C}"
LOCKED = tuple(KINDS[0][1:])
GAMES = {"matchups": 4_000, "search": 200}
NOWHERE = {"decks": (C,), "fields": ("health",), "max_steps": 1}


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the searches that try relaxed settings."""
    for name, value in (("_ROUNDS", 2), ("_LEAST_SEARCH", 200)):
        monkeypatch.setattr(f"balance.run.explanation.{name}", value)


def explained(tune: dict[str, Any], *, played: Floats | None = None, **target: Any) -> Explanation:
    data = {"seed": 1, "games": GAMES, "tune": tune, "target": target}
    settings = BalanceSettings.model_validate(data)
    demands = demands_of(CONTEST, settings.target)
    space = build_space(CONTEST, settings.tune)
    today = prepare(CONTEST, settings).play_today()
    evaluator = Evaluator(CONTEST, space, demands, settings.guards, 1, today=today)
    rates = demands.rates(today) if played is None else played
    outcome = explain(evaluator, settings, relaxed_spaces(CONTEST, settings, space), rates)
    assert outcome is not None
    return outcome


def test_demands_that_no_number_reaches_are_impossible() -> None:
    outcome = explained(NOWHERE, win_rate={A_B: 0.5, "others": "free"})
    assert (outcome.impossible, outcome.contradicting) == ((A_B,), ())
    assert outcome.imbalance_pp == pytest.approx(12, abs=1)
    assert outcome.relaxations[0].setting == "no tune.decks"
    assert outcome.n_games > 0


def test_rates_that_a_patch_reached_are_not_impossible() -> None:
    outcome = explained(NOWHERE, played=np.array([[0.5, 0.5, 0.58]]))
    assert outcome.impossible == ()
    assert outcome.imbalance_pp == pytest.approx(8.0)


def test_each_of_several_that_contradict_is_needed() -> None:
    # Of two who beat all others neither can win 80 % of all games, since they meet each other.
    for players, together in (((A, B), (f"{A} vs the field", f"{B} vs the field")), ((A,), ())):
        bounds = dict.fromkeys(players, (0.8, 1.0))
        outcome = explained({"max_steps": 5}, win_rate="free", field=bounds)
        assert (outcome.impossible, outcome.contradicting) == ((), together)


@pytest.mark.parametrize(
    ("binding", "setting"),
    [
        ({"max_steps": 1, "fields": ("health",)}, "tune.fields with 'attack'"),
        ({"max_cards": 1, "fields": ("attack",)}, "no tune.max_cards"),
        ({"max_change": 1.0}, "no tune.max_change"),
        ({"decks": (A,), "direction": {A: "buffs"}}, "no tune.direction"),
        ({"decks": (A,), "fields": ("attack",), "lock": LOCKED}, "no tune.lock"),
    ],
)
def test_the_binding_setting_is_among_the_best_relaxations(
    binding: dict[str, Any], setting: str
) -> None:
    outcome = explained(binding, win_rate={A: 0.2, "others": "free"})
    assert outcome.impossible == (A_B, A_C)
    assert setting in [one.setting for one in outcome.relaxations[:2]]


def test_a_binding_limit_on_the_change_of_a_card_is_named() -> None:
    binding = {"max_card_change": 1, "fields": ("health",), "max_steps": 4}
    outcome = explained(binding, win_rate={A: 0.2, "others": "free"})
    settings = [one.setting for one in outcome.relaxations]
    assert "no tune.max_card_change" in settings
    assert "tune.max_steps = 8" not in settings  # which alone lets nothing move farther


def test_opening_hands_are_offered_where_the_first_seat_is_asked_about() -> None:
    outcome = explained(NOWHERE, win_rate="free", first_seat=(0.4, 0.5))
    assert outcome.impossible == ("first seat vs second seat",)
    assert {f"tune.rules.opening_hand_{seat} = [3, 7]" for seat in ("first", "second")} <= {
        one.setting for one in outcome.relaxations
    }
