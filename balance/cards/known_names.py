"""Replacement of names in settings by the ids of cards, decks, players and columns.

Files and options may spell a name in several ways (`sim.names`). All later code uses ids only, and
so do written files and hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from balance.cards.card_tags import TAG_MARK, CardTags
from balance.contest.target import RESERVED, Target
from balance.settings.tables import BalanceSettings, Build, Substitute
from balance.space.tune import ALL, TUNABLE, Tune, Way
from sim import Card, InputError, Pool, error_place
from sim.cards.fields import field_titles
from sim.cards.names import card_names, hero_names
from sim.files.validation import NAME_LENGTH_MAX
from sim.names import Names

SettingsT = TypeVar("SettingsT", bound=BalanceSettings)
ValueT = TypeVar("ValueT")

# Maximum number of characters of a matchup: two names, each with spaces and combining accents.
_MATCHUP_MAX = 4 * NAME_LENGTH_MAX
_VERSUS = re.compile(r"\s+vs\.?\s+", re.IGNORECASE)
"""Separator of the two players of a matchup."""


class Seated(NamedTuple):
    """Names that identify a player in settings: those of the player, the deck and the deck's file.

    Attributes:
        name: name of the player.
        deck: name of the player's deck.
        file: name of the deck's file without its suffix; empty if the deck has no file.
    """

    name: str
    deck: str
    file: str = ""


def player_names(players: Iterable[Seated]) -> Names:
    """Return the names of players, with those of their decks and deck files as aliases.

    An alias that two players share identifies neither of them.
    """
    aliases = {player.name: (player.deck, player.file) for player in players}
    return Names("player", {name: tuple(filter(None, others)) for name, others in aliases.items()})


def with_known_names(
    settings: SettingsT, pool: Pool, players: Sequence[Seated]
) -> tuple[SettingsT, Pool]:
    """Return settings in which names are replaced by ids, and the pool with tags for labels.

    Args:
        settings: settings as written in a file.
        pool: pool with the cards that the settings name.
        players: players of the contest.

    Returns:
        The settings, and the pool, in which every label that the settings use has a tag.

    Raises:
        InputError: a name is unknown or ambiguous; the place of the error is the setting.
    """
    seated = player_names(players)
    tags = CardTags(pool.cards)
    decks = dict[str, list[str]]()
    for player in players:
        decks.setdefault(player.deck, []).extend(filter(None, (player.name, player.file)))
    changes: dict[str, Any] = {
        "tune": known_tune(settings.tune, tags, decks),
        "target": _known_target(settings.target, seated),
        "substitute": _known_substitute(settings.substitute, pool, seated, tags),
        "build": _known_build(settings.build, pool, seated, tags),
    }
    weights = _by_ids(settings.field.weights, seated, "field.weights")
    changes["field"] = settings.field.model_copy(update={"weights": weights})
    if settings.collection is not None:
        changes["collection"] = _by_ids(settings.collection, card_names(pool), "collection")
    if tags.cards != pool.cards:
        pool = pool.model_copy(update={"cards": tags.cards})
    return settings.model_copy(update=changes), pool


def known_tune(tune: Tune, tags: CardTags, decks: Mapping[str, Iterable[str]]) -> Tune:
    """Return the settings `[tune]` with card ids, deck names and tags in place of other spellings.

    Args:
        tune: settings as written in a file.
        tags: cards of the pool, to which tags for labels are added.
        decks: aliases of each player's deck, by the name of the deck.

    Raises:
        InputError: a name is unknown or ambiguous, or a setting names the same thing twice.
    """
    cards = _card_aliases(tags.cards)
    with error_place("tune.lock"):
        lock = tuple(_card_or_tag(text, cards, tags) for text in tune.lock)
    tuned_decks = None
    if tune.decks is not None:
        known = Names("deck", decks, "no player has deck")
        with error_place("tune.decks"):
            tuned_decks = tuple(dict.fromkeys(map(known.find, tune.decks)))
    direction = dict[str, Way]()
    known_names = _direction_names(tags.cards, decks)
    for text, way in tune.direction.items():
        with error_place("tune.direction"):
            _add_entry(direction, _card_or_tag(text, known_names, tags), way)
    weights = tune.weights.model_copy(update={"tags": _known_weights(tune, tags), "columns": None})
    return tune.model_copy(
        update={"lock": lock, "decks": tuned_decks, "direction": direction, "weights": weights}
    )


def _card_aliases(cards: Iterable[Card]) -> Names:
    """Return the ids of cards, with their display names as aliases."""
    return Names("card", {card.id: (card.name,) for card in cards}, "no card")


def _direction_names(cards: Iterable[Card], decks: Mapping[str, Iterable[str]]) -> Names:
    """Return all names that `tune.direction` may use, except tags.

    Args:
        cards: cards of the pool.
        decks: aliases of each player's deck, by the name of the deck.
    """
    known: dict[str, tuple[str, ...]] = {ALL: ()}
    aliases = [(field, field_titles(field)) for field in TUNABLE]
    aliases += [(deck, tuple(others)) for deck, others in decks.items()]
    aliases += [(card.id, (card.name,)) for card in cards]
    for name, others in aliases:
        known[name] = (*known.get(name, ()), *others)
    return Names("field, deck, card or tag", known)


def _card_or_tag(text: str, names: Names, tags: CardTags) -> str:
    """Return the permitted name, such as a card's id, or the tag that a text denotes.

    Args:
        text: text from a setting: a name in any spelling, or a label.
        names: permitted names.
        tags: cards of the pool, to which the tag of a label is added.

    Raises:
        InputError: the text is neither a permitted name nor a label.
    """
    # An exact id comes first, since it may look like a label; a label comes before other spellings,
    # which match loosely.
    exact = names.exactly(text)
    name = exact or tags.tag_of_label(text) or names.get(text)
    if name is None:
        raise tags.unknown_name_error(text, names)
    return name


def _known_weights(tune: Tune, tags: CardTags) -> dict[str, float]:
    """Return the weights of `tune.weights` from all columns, by tag without the prefix `tag:`.

    Raises:
        InputError: a column or value is unknown, or a tag gets two weights.
    """
    weights = dict[str, float]()
    columns = {"tags": tune.weights.tags, **(tune.weights.columns or {})}
    for column, table in columns.items():
        for value, weight in table.items():
            with error_place(f"tune.weights.{column}"):
                tag = tags.of_value("tag" if column == "tags" else column, value)
                _add_entry(weights, tag.removeprefix(TAG_MARK), weight)
    return weights


def _known_target(target: Target, players: Names) -> Target:
    """Return the settings `[target]` with the names of players and matchups as keys.

    Raises:
        InputError: a name is ambiguous, or two keys name the same player or matchup.
    """
    tables = {"win_rate": target.win_rate, "field": target.field}
    changed = {}
    for key, table in tables.items():
        if isinstance(table, dict):
            goals: dict[str, Any] = {}
            with error_place(f"target.{key}"):
                for name, goal in table.items():
                    _add_entry(goals, _player_or_matchup(name, players), goal)
            changed[key] = goals
    return target.model_copy(update=changed) if changed else target


def _player_or_matchup(text: str, players: Names) -> str:
    """Return the name of the player or matchup that a text in any spelling denotes.

    Unknown texts are returned unchanged; `balance.contest.target` refuses them and lists the known
    names.
    """
    if text in RESERVED or len(text) > _MATCHUP_MAX:
        return text
    # Names may contain "vs" themselves, so every occurrence is tried as the separator.
    for between in _VERSUS.finditer(text):
        pair = [players.get(text[: between.start()]), players.get(text[between.end() :])]
        if None not in pair:
            return " vs ".join(map(str, pair))
    return players.get(text) or text


def _known_substitute(
    settings: Substitute, pool: Pool, players: Names, tags: CardTags
) -> Substitute:
    """Return the settings `[substitute]` with ids in place of other spellings.

    Raises:
        InputError: a player, card or label is unknown or ambiguous.
    """
    with error_place("substitute.deck"):
        deck = settings.deck and players.find(settings.deck)
    with error_place("substitute.cards"):
        cards = tuple(dict.fromkeys(map(card_names(pool).find, settings.cards)))
    return settings.model_copy(
        update={"deck": deck, "cards": cards, **_known_kinds(settings, tags, "substitute")}
    )


def _known_build(settings: Build, pool: Pool, players: Names, tags: CardTags) -> Build:
    """Return the settings `[build]` with ids in place of other spellings.

    Raises:
        InputError: a player, hero, card or label is unknown or ambiguous.
    """
    with error_place("build.improve"):
        improve = settings.improve and players.find(settings.improve)
    with error_place("build.hero"):
        hero = settings.hero and hero_names(pool).find(settings.hero)
    quotas: dict[str, tuple[int, int]] = {}
    for label, bounds in (settings.quotas or {}).items():
        with error_place("build.quotas"):
            _add_entry(quotas, tags.find(label), bounds)
    return settings.model_copy(
        update={
            "improve": improve,
            "hero": hero,
            "limits": _by_card(settings.limits, pool, tags, "build.limits"),
            "prices": _by_card(settings.prices, pool, tags, "build.prices"),
            "quotas": quotas if settings.quotas is not None else None,
            **_known_kinds(settings, tags, "build"),
        }
    )


def _known_kinds(settings: Build | Substitute, tags: CardTags, place: str) -> dict[str, Any]:
    """Return the settings `only` and `within`, if set, with tags in place of labels.

    Args:
        settings: settings `[build]` or `[substitute]`.
        tags: cards of the pool, to which tags for labels are added.
        place: name of the table in the file, for errors.

    Returns:
        Changed settings by name; a column in `within` becomes the tags of all its values.

    Raises:
        InputError: a column or a value is unknown.
    """
    changes: dict[str, Any] = {}
    if settings.only is not None:
        with error_place(f"{place}.only"):
            changes["only"] = tuple(dict.fromkeys(map(tags.find, settings.only)))
    if settings.within is not None:
        with error_place(f"{place}.within"):
            changes["within"] = (
                tags.of_column(settings.within)
                if isinstance(settings.within, str)
                else tuple(dict.fromkeys(map(tags.find, settings.within)))
            )
    return changes


def _by_card(
    table: Mapping[str, ValueT], pool: Pool, tags: CardTags, place: str
) -> dict[str, ValueT]:
    """Return a table of card values with card ids as keys.

    A label gives its value to all cards with the label, except those that the table lists directly.

    Args:
        table: values by card or label, in any spelling.
        pool: pool with the cards.
        tags: cards of the pool, to which tags for labels are added.
        place: name of the setting, for errors.

    Raises:
        InputError: a name is unknown or occurs twice, or two labels give a card different values.
    """
    names = _card_aliases(pool.cards)
    of_cards = dict[str, ValueT]()
    of_labels = dict[str, ValueT]()
    for text, value in table.items():
        with error_place(f"{place}: pool {pool.name!r}"):
            name = _card_or_tag(text, names, tags)
            if name in names.ids:
                _add_entry(of_cards, name, value)
                continue
            for card in tags.holders(name):
                if of_labels.setdefault(card, value) != value:
                    raise InputError(
                        f"two of the labels give card {card!r} different values",
                        value=card,
                        remedy="give the card its own entry",
                    )
    return of_labels | of_cards


def _by_ids(table: Mapping[str, ValueT], names: Names, place: str) -> dict[str, ValueT]:
    """Return a table with ids as keys in place of other spellings.

    Args:
        table: values by name.
        names: permitted names.
        place: name of the setting, for errors.

    Raises:
        InputError: a name is unknown or ambiguous, or two names denote the same id.
    """
    renamed = dict[str, ValueT]()
    for text, value in table.items():
        with error_place(place):
            _add_entry(renamed, names.find(text), value)
    return renamed


def _add_entry(table: dict[str, Any], name: str, value: object) -> None:
    """Add an entry to a table.

    Raises:
        InputError: the table already has an entry with that name.
    """
    if name in table:
        raise InputError(f"{name!r} is given twice", value=name, remedy="keep one")
    table[name] = value
