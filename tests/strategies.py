"""Hypothesis strategies for data that a ruleset allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st

from sim.cards.action import all_actions
from sim.cards.card import Card, title_fault
from sim.cards.deck import Deck
from sim.cards.effect import Effect, Token, check_receivers
from sim.cards.fields import printed_fields
from sim.cards.notation import read_group, words
from sim.cards.pool import Hero, Pool
from sim.cards.vocabulary import BODY_KEYWORDS, PLAYABLE, Event, Keyword, Kind, Selector
from sim.ruleset import NUMBER_MAX, Ruleset

card_ids = st.from_regex(r"[a-z][a-z0-9_]{0,11}", fullmatch=True)
printable = st.characters(exclude_categories=["C", "Z"], include_characters=" ")


def _survives_workbook(text: str) -> bool:
    """Return whether a text remains after reading a workbook, which drops Excel's line ends."""
    return bool(text) and "_x000D_" not in text


names = st.text(printable, min_size=1, max_size=20).map(str.strip).filter(_survives_workbook)
note_titles = names.filter(
    lambda title: (
        not title_fault(title) and title.lower() not in Card.model_fields.keys() - {"notes"}
    )
)
_lines = (
    st.text(st.characters(exclude_categories=["C"]), min_size=1)
    .map(str.strip)
    .filter(_survives_workbook)
)
note_texts = st.lists(_lines, min_size=1, max_size=3).map("\n".join)
keywords = st.lists(st.sampled_from(words(Keyword)), unique=True).map(tuple)
_body_words = [str(keyword.name).lower() for keyword in BODY_KEYWORDS]
body_keywords = st.lists(st.sampled_from(_body_words), unique=True).map(tuple)
no_keywords = st.just(())
_KEYWORDS_OF = {"minion": body_keywords, "weapon": no_keywords | st.just(("blunt",))}
_ON_TARGETS = ("target", "target_neighbours", "target(frozen)")
characters = st.sampled_from(
    [*words(Selector)[: Selector.CHARACTERS + 1], "enemy_minions(attack<=3)", "own_minions(taunt)"]
)
"""Groups of characters that a player may choose from."""
groups = st.sampled_from(
    [
        *(word for word in words(Selector) if word not in {*_ON_TARGETS, "own_deck", "enemy_deck"}),
        "enemy_minions(attack<=3)",
        "own_minions(other, taunt)",
        "own_hand(minion, cost>=2)",
        "characters(bystander)",
        "subject(own, in_play)",
        "aim(hero)",
    ]
)
own_deck = st.sampled_from(["own_deck", "own_deck(minion)", "own_deck(spell, cost<=2)"])
decks_of_both = own_deck | st.sampled_from(["enemy_deck", "enemy_deck(secret)"])
measures = st.sampled_from(
    ["event", "cards_played", "count own_minions(damaged)", "attack of own_weapon"]
)
conditions = st.sampled_from(
    [
        "always",
        "combo",
        "coin_flip",
        "count own_minions >= 2",
        "health of own_player <= 12",
        "count own_deck(cost<=1) >= 1",
        "count aim(own, hero) >= 1 and count enemy_secrets = 0",
    ]
)

sure_conditions = conditions.filter(lambda condition: condition != "coin_flip")

NOTHING: Mapping[str, str] = {}
_STANDING = ("aura", "own_cost")


def _seldom(value: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw the keys of `value` in a third of the cases, else none."""
    return st.sampled_from([False, False, True]).flatmap(
        lambda is_there: value if is_there else st.just({})
    )


@st.composite
def tokens(draw: st.DrawFn, ruleset: Ruleset) -> Token:
    """Draw a token within the ruleset's limits."""
    return Token(
        attack=draw(st.integers(*ruleset.limits.attack)),
        health=draw(st.integers(*ruleset.limits.health)),
        keywords=draw(body_keywords),
    )


@st.composite
def effects(
    draw: st.DrawFn, ruleset: Ruleset, named: Mapping[str, str] = NOTHING, kind: str = "minion"
) -> Effect:
    """Draw any row of a card of a kind; rows that bring cards bring some of `named` that fit."""
    actions = [
        word
        for word in all_actions()
        if "cards" not in all_actions()[word].takes or _fitting(word, named)
    ]
    action = draw(st.sampled_from(actions).filter(lambda word: _events(word, kind)))
    event = draw(st.sampled_from(_events(action, kind)))
    standing = event in _STANDING
    by_chance = {} if standing or action == "choose" else draw(_seldom(_chance_keys(action)))
    if action == "exchange":
        by_chance = {"pick": 1}
    allowed_conditions = sure_conditions if standing else conditions
    keys = {
        "to": draw(_receivers(action, event)),
        **draw(_seldom(st.fixed_dictionaries({"when": allowed_conditions, "times": measures}))),
        **draw(_action_keys(action, ruleset, named)),
        **by_chance,
    }
    if Event[event.upper()].about.finds:
        keys |= draw(_seldom(st.fixed_dictionaries({"of": groups.filter(_fits(event))})))
    return Effect(on=event, do=action, **_without_idle(action, keys))


def _fits(event: str) -> Callable[[str], bool]:
    """Return the condition that the subject of an event can belong to a group."""
    happens_to = Event[event.upper()].about.finds

    def can_be_subject(group: str) -> bool:
        selector = read_group(group).selector
        if (event, selector) == ("death", Selector.SELF):
            return False
        return not selector.about.finds or bool(selector.about.finds & happens_to)

    return can_be_subject


def _without_idle(action: str, keys: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of a row without those that would change nothing, which rows refuse."""
    to = read_group(keys["to"])
    takes = all_actions()[action]
    idle: set[str] = set()
    if to.is_of_deck or not takes.has_amount:
        idle |= {"amount", "amount_to"}
    if to.is_of_deck or not (takes.has_amount or "attack or health" in takes.takes):
        idle.add("times")
    if to.selector.is_single:
        idle |= {"pick", "spare"}
    if keys.get("pick"):
        idle.add("spare")
    return {key: value for key, value in keys.items() if key not in idle}


def _fitting(action: str, named: Mapping[str, str]) -> list[str]:
    """Return the ids of cards that an action may bring."""
    return [card_id for card_id, kind in named.items() if kind in all_actions()[action].brings]


def _events(action: str, kind: str) -> list[str]:
    """Return the events that may trigger an action of a card of a kind."""
    heard = [event for event in Event if Kind[kind.upper()] in event.about.heard_by]
    possible = [event.name.lower() for event in heard]
    if action == "choose":
        return [event for event in possible if event == "play"]
    holding = ["aura"] * bool(all_actions()[action].aura) + ["own_cost"] * (action == "cost")
    needed = all_actions()[action].needs or [*(set(words(Event)) - set(_STANDING)), *holding]
    return [event for event in possible if event in needed]


def _receivers(action: str, event: str) -> st.SearchStrategy[str]:
    """Return groups that a row may act on; rows without possible receivers are dropped later."""
    if event == "own_cost" or action == "choose":
        return st.just("self" if event == "own_cost" else "own_player")
    if action in _OWN_GROUPS:
        return _OWN_GROUPS[action]
    return groups | st.sampled_from(_ON_TARGETS) if event == "play" else groups


cards_in_play = st.sampled_from(["own_minions", "enemy_minions(damaged)", "own_hand", "self"])
_OWN_GROUPS = {
    "draw": groups | own_deck,
    "exchange": st.just("own_hand(minion)"),
    "copy": cards_in_play | decks_of_both,
    "clone": cards_in_play | decks_of_both,
    "become": cards_in_play,
}


def _chance_keys(action: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return the keys for chance, repetition and the acting record of a triggered row."""
    few = st.integers(0, 3)
    repeat = st.integers(1, 3)
    by = st.sampled_from(["self", "target"])
    keys: dict[str, st.SearchStrategy[Any]] = {
        "pick": few, "spare": few, "repeat": repeat, "by": by
    }  # fmt: skip
    if all_actions()[action].tunable == ("amount",):
        keys["amount_to"] = st.just(NUMBER_MAX)
    if action in ("grant", "steal"):
        keys["lasts"] = st.sampled_from(all_actions()[action].lasts)
    return st.fixed_dictionaries(keys)


def _action_keys(
    action: str, ruleset: Ruleset, named: Mapping[str, str]
) -> st.SearchStrategy[dict[str, Any]]:
    """Return the keys that an action requires or allows."""
    low, high = ruleset.limits.amount
    amount = st.integers(1, min(NUMBER_MAX, high))
    bonus = st.integers(max(-9, low), min(9, high))
    numbers = st.fixed_dictionaries({"attack": bonus, "health": st.none() | bonus})
    some_keywords = st.fixed_dictionaries({"keywords": keywords.filter(bool)})
    fitting = _fitting(action, named)
    some_cards = st.lists(st.sampled_from(fitting), min_size=1, max_size=3)
    bringing = st.fixed_dictionaries({"amount": amount, "cards": some_cards})
    making = st.fixed_dictionaries({"amount": amount, "token": tokens(ruleset)})
    cheaper = [("spell", "always"), ("secret", "always"), ("spell", "next_turn")]
    of_actions: dict[str, st.SearchStrategy[dict[str, Any]]] = {
        "buff": numbers,
        "set": numbers,
        "grant": some_keywords,
        "strip": some_keywords,
        "cost": st.fixed_dictionaries(
            {"amount": st.integers(-9, 9).filter(bool), "at_least": st.integers(0, 2)}
        ),
        "discount": st.builds(
            dict,
            st.sampled_from([{"kind": kind, "lasts": lasts} for kind, lasts in cheaper]),
            amount=st.integers(-9, -1),
        ),
        "copy": st.fixed_dictionaries({"receiver": st.sampled_from(["own", "enemy"])}),
        "give": st.fixed_dictionaries({"cards": some_cards, "of_enemy_hero": st.booleans()}),
        "summon": making | bringing if fitting else making,
    }
    brings = "cards" in all_actions()[action].takes
    usual = {"cards": some_cards} if brings else {"amount": amount}
    return of_actions.get(action, st.fixed_dictionaries(usual))


@st.composite
def cards(
    draw: st.DrawFn,
    ruleset: Ruleset,
    named: Mapping[str, str] = NOTHING,
    heroes: Sequence[str] = (),
    kinds: Sequence[str] = words(Kind),
) -> Card:
    """Draw a card that `check_pool` accepts, with any effects.

    Args:
        draw: see `hypothesis.strategies.composite`.
        ruleset: rules with the limits of numbers.
        named: ids of cards that it may bring into the game, with their kinds.
        heroes: heroes of which it may be one's.
        kinds: kinds that it may have.
    """
    kind = draw(st.sampled_from(kinds))
    limits = ruleset.limits
    data: dict[str, Any] = {
        "id": draw(card_ids),
        "name": draw(names),
        "kind": kind,
        "keywords": draw(_KEYWORDS_OF.get(kind, no_keywords)),
        "effects": draw(st.lists(effects(ruleset, named, kind), max_size=3)),
        **{field: draw(st.integers(*limits.of(field))) for field in printed_fields(kind)},
        **draw(_seldom(_further(named, heroes))),
    }
    if any(row.to.text in _ON_TARGETS for row in data["effects"]):
        data["target"] = draw(characters)
    if not data.get("target"):
        data.pop("target_when", None)
    data["effects"] = _rows_with_receivers(data["effects"], kind, data.get("target"))
    if kind not in ("minion", "spell", "weapon"):
        data.pop("options", None)
    card = Card(**data)
    if draw(st.booleans()):
        return card
    tunable = {}
    for field in draw(st.lists(st.sampled_from(card.fields), unique=True)):
        bounds = list(zip(card.possible(field), limits.of(field), strict=True))
        present = card.number(field)
        low = st.integers(max(bounds[0]), present)
        high = st.integers(present, min(bounds[1]))
        tunable[field] = (draw(low), draw(high))
    return Card(**data, tunable=tunable)


def _rows_with_receivers(rows: Sequence[Effect], kind: str, target: str | None) -> list[Effect]:
    """Return the rows with possible receivers of their actions."""
    fitting = []
    for row in rows:
        with suppress(ValueError):
            check_receivers(row, kind, read_group(target) if target else None)
            fitting.append(row)
    return fitting


def _further(named: Mapping[str, str], heroes: Sequence[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Return keys that only the cards of some games have."""
    number = st.integers(0, 3)
    options = [card_id for card_id, kind in named.items() if kind == "option"][:2]
    return st.fixed_dictionaries(
        {
            "hero": st.sampled_from(["", *heroes]),
            "tribe": st.sampled_from(["", "beast"]),
            "spell_damage": number,
            "overload": number,
            "target": st.just("") | characters,
            "target_when": sure_conditions,
            "needs": sure_conditions,
            "options": st.sampled_from([[], options] if len(options) == 2 else [[]]),
            "tags": st.lists(card_ids, max_size=2, unique=True),
            "notes": st.dictionaries(note_titles, note_texts, max_size=3),
        }
    )


@st.composite
def pools(draw: st.DrawFn, ruleset: Ruleset, max_cards: int = 4) -> Pool:
    """Draw a pool of 1 to `max_cards` cards that `check_pool` accepts, with and without tokens."""
    tokens_of_pool = [
        draw(cards(ruleset)).model_copy(update={"id": f"the_{k}_token", "options": ()})
        for k in range(draw(st.integers(0, 2)))
    ]
    named = {token.id: token.kind for token in tokens_of_pool}
    powers = [card_id for card_id, kind in named.items() if kind == "power"]
    heroes = [Hero(id="ember", name="Ember", power=power) for power in powers[:1]]
    tokens_of_pool = [
        token.model_copy(update={"hero": "ember"}) if token.id in powers else token
        for token in tokens_of_pool
    ]
    coins = [card_id for card_id, kind in named.items() if kind in PLAYABLE]
    drawn = st.lists(
        cards(ruleset, named, [hero.id for hero in heroes], PLAYABLE),
        min_size=1,
        max_size=max_cards,
        unique_by=lambda card: card.id,
    )
    return Pool(
        name=draw(names),
        cards=tuple(draw(drawn)),
        tokens=tuple(tokens_of_pool),
        heroes=tuple(heroes),
        coin=draw(st.sampled_from([None, *coins])),
    )


@st.composite
def decks(draw: st.DrawFn, pool: Pool, ruleset: Ruleset) -> Deck:
    """Draw a deck of cards of `pool` that `check_deck` accepts, of any size."""
    owner = draw(st.sampled_from(pool.cards)).hero or draw(
        st.sampled_from(["", *(hero.id for hero in pool.heroes)])
    )
    ids = [card.id for card in pool.cards if card.hero in ("", owner)]
    most = max(1, min(len(ids), ruleset.deck_limit // ruleset.copy_limit))
    chosen = draw(st.lists(st.sampled_from(ids), min_size=1, max_size=most, unique=True))
    copies = st.integers(1, ruleset.copy_limit)
    return Deck(
        name=draw(names),
        pool=pool.name,
        ruleset=ruleset.name,
        hero=owner,
        cards={card_id: draw(copies) for card_id in chosen},
    )
