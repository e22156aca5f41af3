"""Cards fill in what their rows leave out, and look words up when they are read."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from sim.card import Card
from sim.effect import Effect, Token
from sim.vocabulary import ACTIONS, ActionNames


@pytest.mark.parametrize(
    ("action", "selector"),
    [("damage", "enemy_player"), ("heal", "own_player"), ("draw", "own_player")],
)
def test_an_effect_knows_whom_it_usually_acts_on(action: str, selector: str) -> None:
    assert Effect(on="play", do=action).to == selector


def test_only_summon_takes_a_token() -> None:
    token = Token(attack=1, health=1)
    assert Effect(on="play", do="summon", token=token).token == token
    with pytest.raises(ValidationError, match="summon needs a token"):
        Effect(on="play", do="summon")
    with pytest.raises(ValidationError, match="heal takes no token"):
        Effect(on="play", do="heal", token=token)


def test_an_action_added_at_run_time_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValidationError, match="unknown action 'freeze'"):
        Effect(on="play", do="freeze")
    monkeypatch.setattr("sim.card.ACTIONS", ActionNames(*ACTIONS, "freeze"))
    assert Effect(on="play", do="freeze").do == "freeze"


def test_tunable_ranges_stand_in_the_order_of_the_fields() -> None:
    card = Card(
        id="a", name="A", cost=1, attack=2, health=3, tunable={"health": (1, 3), "cost": (1, 2)}
    )
    assert list(card.tunable or {}) == ["cost", "health"]


def test_no_tunable_table_and_an_empty_one_differ() -> None:
    card = Card(id="a", name="A", cost=1, attack=1, health=1)
    assert card != card.model_copy(update={"tunable": {}})
