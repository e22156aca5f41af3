"""Random cards: rows and keys that the pydantic models accept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from pydantic import ValidationError

from sim import Effect, StrictModel
from sim.cards.action import all_actions
from sim.cards.card import Card
from sim.cards.fields import printed_fields
from sim.cards.notation import words
from sim.cards.vocabulary import Event, Selector
from tests.fuzz.makers import HERO, TRIBE, Scope, maker_of

Data = dict[str, Any]

# Keys without which no row of an action is accepted; two at once are hardly ever drawn.
_REQUIRED_KEYS: dict[str, Data] = {
    "exchange": {"to": "own_hand(minion)", "pick": 1},
    "discount": {"kind": "spell", "amount": -1},
}
_TRIES = 12  # rows drawn in search of an accepted one; chosen by hand
_USUAL_GROUPS = (None, "minions")
_SHARE_UNCHECKED = 0.01  # share of keys that are not checked, so that refusals occur as well
_SHARES_OF_PLAY = {"minion": 0.35, "weapon": 0.35}  # shares of rows for `play`; else 0.9
_ROW_KEYS = [key for key in Effect.model_fields if key not in ("on", "do")]
_CARD_KEYS = ["keywords", "target_when", "needs", "spell_damage", "overload", "options"]
_COSTS = (0, 0, 0, 1, 1, 1, 2, 3, 5, 1000)


def fits(model: type[StrictModel], data: Mapping[str, Any]) -> bool:
    """Return whether a model accepts a table of a file."""
    try:
        model.model_validate(data, by_alias=True, by_name=False)
    except ValidationError:
        return False
    return True


@cache
def _needed_keys() -> dict[str, list[str]]:
    """Return for each action the keys of which its rows need one; none if they need none.

    Raises:
        LookupError: no accepted row of an action was found.
    """
    rng = Random(0)
    scope = Scope({"anything": "minion"})
    card = _bare_card(rng, scope, "one", "minion")
    needed: dict[str, list[str]] = {}
    for action in all_actions():
        bare = [
            {"on": event, "do": action, **to, **_REQUIRED_KEYS.get(action, {})}
            for to in ({}, *({"to": word} for word in words(Selector)))
            for event in words(Event)
        ]
        if any(fits(Card, {**card, "effects": [row]}) for row in bare):
            needed[action] = []
            continue
        on_play = [row for row in bare if row["on"] == "play" and row.get("to") in _USUAL_GROUPS]
        needed[action] = [
            key
            for key in _ROW_KEYS
            if any(
                fits(Card, {**card, "effects": [{**row, key: maker_of(Effect, key)(rng, scope)}]})
                for row in on_play
                for _ in range(_TRIES)
            )
        ]
        if not needed[action]:
            raise LookupError(f"no accepted row of {action!r}; add its keys to `_REQUIRED_KEYS`")
    return needed


@cache
def _actions_on(kind: str) -> dict[str, list[str]]:
    """Return the actions that may follow each event that cards of a kind may listen to."""
    rng = Random(0)
    scope = Scope({"anything": "minion"})
    card = _bare_card(rng, scope, "one", kind)
    by_event = {
        event: [action for action in all_actions() if _bare_row(rng, scope, card, event, action)]
        for event in words(Event)
    }
    return {event: actions for event, actions in by_event.items() if actions}


def _value(rng: Random, scope: Scope, key: str, action: str) -> Any:
    """Return a value for a key of a row; for cards mostly of the kind that the action takes."""
    if key == "cards":
        kinds = all_actions()[action].brings
        fitting = {card_id: kind for card_id, kind in scope.kinds.items() if kind in kinds}
        scope = Scope(fitting) if fitting else scope
    return maker_of(Effect, key)(rng, scope)


def _bare_row(rng: Random, scope: Scope, card: Data, event: str, action: str) -> Data | None:
    """Return a row with only the keys that it needs, or `None` if none was accepted."""
    keys = _needed_keys()[action]
    for number in range(_TRIES):
        row = {"on": event, "do": action, **_REQUIRED_KEYS.get(action, {})}
        if number % 3 and "to" not in row:
            row["to"] = rng.choice(words(Selector)) if number % 3 == 1 else "self"
        if keys:
            key = rng.choice(keys)
            row[key] = _value(rng, scope, key, action)
        if fits(Card, {**card, "effects": [row]}):
            return row
    return None


def _row(rng: Random, scope: Scope, card: Data) -> Data | None:
    """Return a row that the card may have, with further keys."""
    by_event = _actions_on(card["kind"])
    is_play = "play" in by_event and rng.random() < _SHARES_OF_PLAY.get(card["kind"], 0.9)
    event = "play" if is_play else rng.choice(list(by_event))
    row = _bare_row(rng, scope, card, event, rng.choice(by_event[event]))
    if row is None:
        return None
    keys = rng.sample(_ROW_KEYS, rng.choice((0, 1, 1, 2, 3)))
    for key in ("to", "amount", *keys):
        tried = {**row, key: _value(rng, scope, key, row["do"])}
        if rng.random() < _SHARE_UNCHECKED or fits(Card, {**card, "effects": [tried]}):
            row = tried
    return row


def _bare_card(rng: Random, scope: Scope, card_id: str, kind: str) -> Data:
    """Return a card with only the numbers that its kind requires."""
    data: Data = {"id": card_id, "name": card_id.replace("_", " ").title(), "kind": kind}
    for field in printed_fields(kind):
        data[field] = rng.choice(_COSTS) if field == "cost" else maker_of(Card, field)(rng, scope)
        if field in ("health", "durability"):
            data[field] = max(data[field], 1)
    return data | ({"hero": HERO} if kind == "power" else {})


def random_card(rng: Random, scope: Scope, card_id: str, kind: str) -> Data:
    """Return a random card as a file would hold it; it may name any card of the scope, also itself.

    Args:
        rng: source of randomness.
        scope: cards that it may name.
        card_id: its id.
        kind: its kind.
    """
    card = _bare_card(rng, scope, card_id, kind)
    if rng.random() < 0.5:
        card["tribe"] = TRIBE
    targets = [maker_of(Card, "target")(rng, scope) for _ in range(rng.choice((0, 0, 0, 8)))]
    accepted = (target for target in targets if fits(Card, {**card, "target": target}))
    card |= next(({"target": target} for target in accepted), {})
    for key in rng.sample(_CARD_KEYS, rng.choice((0, 0, 1, 2))):
        value = _options(rng, scope) if key == "options" else maker_of(Card, key)(rng, scope)
        if rng.random() < _SHARE_UNCHECKED or fits(Card, {**card, key: value}):
            card[key] = value
    rows = [_row(rng, scope, card) for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 4)))]
    return card | {"effects": [row for row in rows if row is not None]}


def _options(rng: Random, scope: Scope) -> list[str]:
    options = [card_id for card_id, kind in scope.kinds.items() if kind == "option"]
    return rng.choices(options, k=2) if options else []
