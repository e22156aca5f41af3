"""Hypothesis strategies for data that a ruleset allows."""

from __future__ import annotations

from hypothesis import strategies as st

from sim.card import FIELDS, Card
from sim.effect import Effect, Token, words
from sim.deck import Deck
from sim.pool import Pool
from sim.ruleset import NUMBER_MAX, Ruleset
from sim.vocabulary import ACTIONS, Condition, Event, Keyword, Kind, Selector

card_ids = st.from_regex(r"[a-z][a-z0-9_]{0,11}", fullmatch=True)
printable = st.characters(exclude_categories=["C", "Z"], include_characters=" ")
names = st.text(printable, min_size=1, max_size=20).map(str.strip).filter(bool)
keywords = st.lists(st.sampled_from(words(Keyword)), unique=True).map(tuple)


@st.composite
def tokens(draw: st.DrawFn, ruleset: Ruleset) -> Token:
    """A token within the ruleset's limits."""
    return Token(
        attack=draw(st.integers(*ruleset.limits.attack)),
        health=draw(st.integers(*ruleset.limits.health)),
        keywords=draw(keywords),
    )


@st.composite
def effects(draw: st.DrawFn, ruleset: Ruleset) -> Effect:
    """Any row of the vocabulary."""
    action = draw(st.sampled_from(list(ACTIONS)))
    return Effect(
        on=draw(st.sampled_from(words(Event))),
        when=draw(st.sampled_from(words(Condition))),
        do=action,
        to=draw(st.sampled_from(words(Selector))),
        amount=draw(st.integers(1, NUMBER_MAX)),
        token=draw(tokens(ruleset)) if action == "summon" else None,
    )


@st.composite
def cards(draw: st.DrawFn, ruleset: Ruleset) -> Card:
    """A card that `check_pool` lets through, with any effects."""
    numbers = {field: draw(st.integers(*ruleset.limits.of(field))) for field in FIELDS}
    tunable = {}
    for field in draw(st.lists(st.sampled_from(FIELDS), unique=True)):
        low, high = ruleset.limits.of(field)
        present = numbers[field]
        tunable[field] = (draw(st.integers(low, present)), draw(st.integers(present, high)))
    return Card(
        id=draw(card_ids),
        name=draw(names),
        kind=draw(st.sampled_from(words(Kind))),
        keywords=draw(keywords),
        effects=tuple(draw(st.lists(effects(ruleset), max_size=3))),
        tunable=draw(st.sampled_from([None, tunable])),
        **numbers,
    )


@st.composite
def pools(draw: st.DrawFn, ruleset: Ruleset, max_cards: int = 8) -> Pool:
    """A pool of 1 to `max_cards` cards that `check_pool` lets through."""
    drawn = st.lists(cards(ruleset), min_size=1, max_size=max_cards, unique_by=lambda card: card.id)
    return Pool(name=draw(names), cards=tuple(draw(drawn)))


@st.composite
def decks(draw: st.DrawFn, pool: Pool, ruleset: Ruleset) -> Deck:
    """A deck of cards of `pool` that `check_deck` lets through, however few its cards."""
    ids = st.sampled_from([card.id for card in pool.cards])
    n_kinds_max = min(len(pool.cards), ruleset.deck_limit // ruleset.copy_limit)
    chosen = draw(st.lists(ids, min_size=1, max_size=max(1, n_kinds_max), unique=True))
    copies = st.integers(1, ruleset.copy_limit)
    return Deck(
        name=draw(names),
        pool=pool.name,
        ruleset=ruleset.name,
        cards={card_id: draw(copies) for card_id in chosen},
    )
