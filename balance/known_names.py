"""Settings with the names that there are, for those that people spell in their own way.

Files and options may spell a card, a deck, a player or a column as they like (`sim.names`); what is
computed, written and hashed knows ids alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from balance.card_tags import TAG_MARK, CardTags
from balance.settings import BalanceSettings, Build, Substitute
from balance.target import RESERVED, Target
from balance.tune import ALL, TUNABLE, Tune, Way
from sim import Card, InputError, Pool, error_place
from sim.cards.names import card_names, field_titles, hero_names
from sim.files.validation import NAME_LENGTH_MAX
from sim.names import Names

SettingsT = TypeVar("SettingsT", bound=BalanceSettings)
ValueT = TypeVar("ValueT")

_MATCHUP_MAX = 4 * NAME_LENGTH_MAX  # two names, with spaces and accents of their own
_VERSUS = re.compile(r"\s+vs\.?\s+", re.IGNORECASE)  # between the players of a matchup


class Seated(NamedTuple):
    """What a player is called: by name, by deck, and by the file of the deck."""

    name: str
    deck: str
    file: str = ""


def player_names(players: Iterable[Seated]) -> Names:
    """The players, also by their decks: those of two players name neither."""
    return Names("player", {one.name: tuple(filter(None, one[1:])) for one in players})


def with_known_names(
    settings: SettingsT, pool: Pool, players: Sequence[Seated]
) -> tuple[SettingsT, Pool]:
    """Settings that name cards, decks and players by their ids, and the cards with their tags.

    Args:
        settings: as they were written.
        pool: the cards.
        players: who plays.

    Raises:
        InputError: a name stands for nothing or for several things; names the setting.
    """
    seated = player_names(players)
    tags = CardTags(pool.cards)
    decks = dict[str, list[str]]()
    for one in players:
        decks.setdefault(one.deck, []).extend(filter(None, (one.name, one.file)))
    changes: dict[str, Any] = {
        "tune": known_tune(settings.tune, tags, decks),
        "target": _known_target(settings.target, seated),
        "substitute": _known_substitute(settings.substitute, pool, seated, tags),
        "build": _known_build(settings.build, pool, seated, tags),
    }
    weights = _renamed(settings.field.weights, seated, "field.weights")
    changes["field"] = settings.field.model_copy(update={"weights": weights})
    if settings.collection is not None:
        changes["collection"] = _renamed(settings.collection, card_names(pool), "collection")
    if tags.cards != pool.cards:
        pool = pool.model_copy(update={"cards": tags.cards})
    return settings.model_copy(update=changes), pool


def known_tune(tune: Tune, tags: CardTags, decks: Mapping[str, Iterable[str]]) -> Tune:
    """`[tune]` with ids of cards, names of decks and tags; `tags` takes those that are made.

    Args:
        tune: as it was written.
        tags: of the pool's cards.
        decks: the players' decks, each with other names.

    Raises:
        InputError: a name stands for nothing or for several things.
    """
    cards = _cards(tags.cards)
    with error_place("tune.lock"):
        lock = tuple(_card_or_tag(text, cards, tags) for text in tune.lock)
    wanted = None
    if tune.decks is not None:
        known = Names("deck", decks, "no player has deck")
        with error_place("tune.decks"):
            wanted = tuple(dict.fromkeys(map(known.find, tune.decks)))
    direction = dict[str, Way]()
    moved = _moved(tags.cards, decks)
    for text, way in tune.direction.items():
        with error_place("tune.direction"):
            _add(direction, _card_or_tag(text, moved, tags), way)
    weights = tune.weights.model_copy(update={"tags": _known_weights(tune, tags), "columns": None})
    return tune.model_copy(
        update={"lock": lock, "decks": wanted, "direction": direction, "weights": weights}
    )


def _cards(cards: Iterable[Card]) -> Names:
    return Names("card", {card.id: (card.name,) for card in cards}, "no card")


def _moved(cards: Iterable[Card], decks: Mapping[str, Iterable[str]]) -> Names:
    """All that `tune.direction` may name but tags."""
    known: dict[str, tuple[str, ...]] = {ALL: ()}
    named = [(field, field_titles(field)) for field in TUNABLE]
    named += [(deck, tuple(others)) for deck, others in decks.items()]
    named += [(card.id, (card.name,)) for card in cards]
    for one, others in named:
        known[one] = (*known.get(one, ()), *others)
    return Names("field, deck, card or tag", known)


def _card_or_tag(text: str, names: Names, tags: CardTags) -> str:
    """The id of a card, or what else is among `names`; or the tag that a label means."""
    exact = names.exactly(text)
    found = exact or tags.known(text) or names.get(text)
    if found is None:
        raise tags.refused(text, names)
    return found


def _known_weights(tune: Tune, tags: CardTags) -> dict[str, float]:
    """Weights by tag, of all columns."""
    weights = dict[str, float]()
    columns = {"tags": tune.weights.tags, **(tune.weights.columns or {})}
    for column, told in columns.items():
        for value, weight in told.items():
            with error_place(f"tune.weights.{column}"):
                tag = tags.of_value("tag" if column == "tags" else column, value)
                _add(weights, tag.removeprefix(TAG_MARK), weight)
    return weights


def _known_target(target: Target, players: Names) -> Target:
    """The goals by players and matchups as they are called."""
    tables = {"win_rate": target.win_rate, "field": target.field}
    changed = {}
    for key, told in tables.items():
        if isinstance(told, dict):
            goals: dict[str, Any] = {}
            with error_place(f"target.{key}"):
                for name, goal in told.items():
                    _add(goals, _player_or_matchup(name, players), goal)
            changed[key] = goals
    return target.model_copy(update=changed) if changed else target


def _player_or_matchup(text: str, players: Names) -> str:
    """What a table of goals names; as it is where that is nobody, which others refuse."""
    if text in RESERVED or len(text) > _MATCHUP_MAX:
        return text
    for between in _VERSUS.finditer(text):
        both = [players.get(text[: between.start()]), players.get(text[between.end() :])]
        if None not in both:
            return " vs ".join(map(str, both))
    return players.get(text) or text


def _known_substitute(told: Substitute, pool: Pool, players: Names, tags: CardTags) -> Substitute:
    with error_place("substitute.deck"):
        deck = told.deck and players.find(told.deck)
    with error_place("substitute.cards"):
        cards = tuple(dict.fromkeys(map(card_names(pool).find, told.cards)))
    return told.model_copy(
        update={"deck": deck, "cards": cards, **_known_kinds(told, tags, "substitute")}
    )


def _known_build(told: Build, pool: Pool, players: Names, tags: CardTags) -> Build:
    with error_place("build.improve"):
        improve = told.improve and players.find(told.improve)
    with error_place("build.hero"):
        hero = told.hero and hero_names(pool).find(told.hero)
    quotas: dict[str, tuple[int, int]] = {}
    for label, bounds in (told.quotas or {}).items():
        with error_place("build.quotas"):
            _add(quotas, tags.find(label), bounds)
    return told.model_copy(
        update={
            "improve": improve,
            "hero": hero,
            "limits": _by_card(told.limits, pool, tags, "build.limits"),
            "prices": _by_card(told.prices, pool, tags, "build.prices"),
            "quotas": quotas if told.quotas is not None else None,
            **_known_kinds(told, tags, "build"),
        }
    )


def _known_kinds(told: Build | Substitute, tags: CardTags, place: str) -> dict[str, Any]:
    """Which cards may be used, by tags: those of `only`, and of one tag of `within`."""
    changes: dict[str, Any] = {}
    if told.only is not None:
        with error_place(f"{place}.only"):
            changes["only"] = tuple(dict.fromkeys(map(tags.find, told.only)))
    if told.within is not None:
        with error_place(f"{place}.within"):
            changes["within"] = (
                tags.of_column(told.within)
                if isinstance(told.within, str)
                else tuple(dict.fromkeys(map(tags.find, told.within)))
            )
    return changes


def _by_card(
    told: Mapping[str, ValueT], pool: Pool, tags: CardTags, place: str
) -> dict[str, ValueT]:
    """A table by card, whose labels stand for all cards that have them and no line of their own."""
    names = _cards(pool.cards)
    of_cards = dict[str, ValueT]()
    of_labels = dict[str, ValueT]()
    for text, value in told.items():
        with error_place(f"{place}: pool {pool.name!r}"):
            found = _card_or_tag(text, names, tags)
            if found in names.ids:
                _add(of_cards, found, value)
                continue
            for card in tags.holders(found):
                if of_labels.setdefault(card, value) != value:
                    raise InputError(f"card {card!r} has two of the columns; give its own")
    return of_labels | of_cards


def _renamed(told: Mapping[str, ValueT], names: Names, place: str) -> dict[str, ValueT]:
    table = dict[str, ValueT]()
    for text, value in told.items():
        with error_place(place):
            _add(table, names.find(text), value)
    return table


def _add(table: dict[str, Any], name: str, value: object) -> None:
    """Add a line to a table, once."""
    if name in table:
        raise InputError(f"{name!r} is given twice; keep one")
    table[name] = value
