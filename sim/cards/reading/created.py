"""Cards that a text creates: ids of the cards that a phrase such as "two 2/2 Treants" means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.cards.action import all_actions
from sim.cards.card import Card
from sim.cards.effect import Token
from sim.cards.reading.lexicon import Lexicon
from sim.cards.reading.meanings import Made
from sim.cards.vocabulary import PLAYABLE, Keyword
from sim.errors import InputError, listed
from sim.files.validation import validate


def _kinds(action: str) -> tuple[str, ...]:
    """Return the kinds of the cards that an action creates; texts transform into minions only."""
    return ("minion",) if action == "transform" else all_actions()[action].brings


def created_keys(made: Made, action: str, lexicon: Lexicon, card_id: str) -> dict[str, Any]:
    """Return the keys of a row that creates the cards of a phrase.

    Args:
        made: the phrase.
        action: word of the row's action.
        lexicon: cards that the phrase may mean.
        card_id: id of the card with the row; of several cards that fit, those that
            `Lexicon.made_by` names for it have precedence.

    Returns:
        The keys. Instead of ids, a card that the pool does not have is under `token_card`, as keys
        of a card without an id.

    Raises:
        InputError: no card, or several different cards, fit the phrase.
    """
    keys: dict[str, Any] = {}
    if made.amount != 1:
        keys["amount"] = made.amount
    if made.amount_to:
        keys["amount_to"] = made.amount_to
    if made.absent:
        keys["absent"] = True
    if made.is_random:
        return keys | _random_cards(dict(made.filters), action, lexicon)
    if made.other is not None:
        either = (replace(made, other=None), made.other)
        each = [created_keys(one, action, lexicon, card_id) for one in either]
        ids = {card for one in each for card in one.get("cards", ())}
        return keys | {"cards": tuple(card for card in lexicon.cards if card in ids)}
    if not made.names:
        return keys | _nameless(made, action, lexicon, card_id)
    keys["cards"] = tuple(_one(ids, made, action, lexicon, card_id) for ids in made.names)
    return keys


def _one(ids: Sequence[str], made: Made, action: str, lexicon: Lexicon, card_id: str) -> str:
    """Return the id of the card with a name that fits the numbers and keywords of a phrase."""
    if not ids:
        return card_id
    named = [lexicon.cards[each] for each in ids]
    fitting = [card for card in named if _fits(card, made, action)]
    if not fitting:
        raise InputError(f"no card {named[0].name!r} has the numbers or keywords of the text")
    return _nearest([card.id for card in fitting], lexicon, card_id)[0]


def _nearest(ids: Sequence[str], lexicon: Lexicon, card_id: str) -> list[str]:
    """Return those of some ids that belong to a card, or all of them if none does."""
    own = lexicon.made_by.get(card_id, ())
    return [each for each in ids if each in own] or list(ids)


def _fits(card: Card, made: Made, action: str) -> bool:
    kinds = _kinds(action)
    is_kind = not kinds or card.kind in kinds
    second = card.durability if card.kind == "weapon" else card.health
    has_body = made.body is None or made.body == (card.attack, second)
    return is_kind and has_body and set(made.keywords) <= set(card.keywords)


def _nameless(made: Made, action: str, lexicon: Lexicon, card_id: str) -> dict[str, Any]:
    """Return the keys for a body without a known name: a token, or the only card with its numbers.

    A body of a tribe or with a name that the pool does not have is a new token.
    """
    attack, health = made.body or (0, 0)
    all_fitting = [card.id for card in lexicon.cards.values() if _fits(card, made, action)]
    fitting = _nearest(all_fitting, lexicon, card_id)
    if made.tribe:
        fitting = [each for each in fitting if lexicon.cards[each].tribe == made.tribe]
        if fitting:
            return {"cards": (fitting[0],)}
    if made.tribe or (made.title and action != "summon"):
        return {"token_card": _token_card(made, action)}
    if action == "summon" and not {*fitting} & {*lexicon.made_by.get(card_id, ())}:
        token = {"attack": attack, "health": health, "keywords": made.keywords}
        return {"token": validate(Token, token, source="a token of the text")}
    if len(fitting) != 1:
        what = f"{attack}/{health}"
        raise InputError(
            f"{listed(fitting) if fitting else 'no card'} could be the {what} of the text",
            remedy="name the card in the text",
        )
    return {"cards": (fitting[0],)}


def _token_card(made: Made, action: str) -> dict[str, Any]:
    """Return the keys of a card that the pool does not have, without its id.

    Raises:
        InputError: the card is given to a hand, where it needs a cost, which no text says.
    """
    name = made.title or made.tribe.replace("_", " ")
    kinds = _kinds(action)
    if len(kinds) != 1:
        raise InputError(
            f"no card of the pool is called {name!r}",
            value=name,
            remedy="add it to the pool: a card in a hand needs a cost",
        )
    (kind,) = kinds
    attack, second = made.body or (0, 0)
    return {
        "name": (name.removesuffix("s") if made.amount > 1 else name).title(),
        "kind": kind,
        "cost": 0,
        "attack": attack,
        "durability" if kind == "weapon" else "health": second,
        "keywords": made.keywords,
        "tribe": made.tribe,
    }


def _random_cards(filters: Mapping[str, Any], action: str, lexicon: Lexicon) -> dict[str, Any]:
    """Return the keys for a random card: the ids of all cards for decks that pass the filters."""
    if filters.get("enemy"):
        among = tuple(ids[0] for ids in filters.get("among", ()))
        return {"of_enemy_hero": True, "cards": among or lexicon.for_decks}
    wanted = dict(filters)
    kinds = _kinds(action) or PLAYABLE
    if "kind" in wanted:
        kind = wanted.pop("kind")
        kinds = ("spell", "secret") if kind == "spell" else (kind,)
    keyword = wanted.pop("keyword", None)
    cards = (lexicon.cards[card_id] for card_id in lexicon.for_decks)
    ids = tuple(
        card.id
        for card in cards
        if card.kind in kinds
        and (keyword is None or _has(card, keyword))
        and all(getattr(card, key) == value for key, value in wanted.items())
    )
    if not ids:
        raise InputError("no card of the pool fits the random card of the text")
    return {"cards": ids}


def _has(card: Card, keyword: Keyword) -> bool:
    return str(keyword.name).lower() in card.keywords
