"""Rules that read groups: descriptions such as "damaged enemy minions", and references to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from sim.cards.notation import NUMBER_HIGH, NUMBER_LOW, Group
from sim.cards.reading.matcher import Values
from sim.cards.reading.meanings import How, Reference
from sim.cards.text.group_phrases import stat_noun, word_of
from sim.cards.vocabulary import (
    KEYWORD_READS,
    STATE_PHRASES,
    Keyword,
    Kind,
    Selector,
    Side,
    Stat,
    State,
)

OWN = {"side": Side.OWN}
ENEMY = {"side": Side.ENEMY}

ADJECTIVES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("<friendly|own>", OWN),
    ("<enemy|opposing>", ENEMY),
    *(
        (phrase.before, {"states": state})
        for state, phrase in STATE_PHRASES.items()
        if phrase.before
    ),
    ("{keyword as keywords}", {}),
    ("stealthed", {"keywords": Keyword.STEALTH}),
    ("{tribe as tribe}", {}),
    ("{number as exact_cost}-cost", {}),
)

_MANY = {"is_plural": True}

NOUNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("<minion|unit|creature>", {"noun": "minion"}),
    ("<minions|units|creatures>", {"noun": "minion", **_MANY}),
    ("character", {"noun": "character"}),
    ("characters", {"noun": "character", **_MANY}),
    ("enemy", {"noun": "character", "side": Side.ENEMY}),
    ("enemies", {"noun": "character", "side": Side.ENEMY, **_MANY}),
    ("<hero|heroes|player|players>", {"noun": "player"}),
    ("card", {"noun": "card"}),
    ("cards", {"noun": "card", **_MANY}),
    ("<spell|spells> [card|cards]", {"noun": "card", "kind": Kind.SPELL}),
    ("<weapon|weapons>", {"noun": "weapon"}),
    ("<secret|secrets>", {"noun": "secret"}),
    ("{tribe as tribe}", {"noun": "tribe"}),
    ("{tribe as tribe} <card|cards>", {"noun": "card"}),
)

BOUNDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("{number as high} or <less|fewer|lower>", {"low": NUMBER_LOW}),
    ("{number as low} or <more|greater|higher>", {"high": NUMBER_HIGH}),
    ("{number as exactly}", {}),
    ("at least {number as low}", {"high": NUMBER_HIGH}),
    ("at most {number as high}", {"low": NUMBER_LOW}),
)

WHERE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("in your hand", {"where": Selector.OWN_HAND}),
    ("<in|from> [your] hand", {"where": Selector.OWN_HAND}),
    ("in your opponent's hand", {"where": Selector.ENEMY_HAND}),
    ("in both hands", {"where": Selector.HANDS}),
    ("<in|from> your deck", {"where": Selector.OWN_DECK}),
    ("<in|from> your opponent's deck", {"where": Selector.ENEMY_DECK}),
    ("<on|from> the <battlefield|board>", {"where": "board"}),
    ("next to this <card|minion|weapon|spell|secret>", {"where": Selector.NEIGHBOURS}),
    ("next to the target", {"where": Selector.TARGET_NEIGHBOURS}),
)

AFTER: tuple[tuple[str, dict[str, Any]], ...] = (
    *WHERE,
    *((phrase.after, {"states": state}) for state, phrase in STATE_PHRASES.items() if phrase.after),
    *((f"of kind {word_of(kind)}", {"only": kind}) for kind in Kind),
    ("<other than|except> {card_id as without}", {}),
    ("<you|that you> <control|have>", OWN),
    ("of yours", OWN),
    ("<your opponent|the enemy|an opponent|that your opponent> <controls|has>", ENEMY),
    ("with {keyword_set as keywords}", {}),
    ("<with|that has|that have> {bounds as limits} {stat as stat}", {}),
    ("<with|that has|that have> {stat as stat} {bounds as limits}", {}),
    ("that <costs|cost> ({number as least_cost}) or more", {}),
    ("that <costs|cost> ({number as most_cost}) or less", {}),
)

STATS: tuple[tuple[str, Stat], ...] = (
    *((stat_noun(stat), stat) for stat in Stat),
    ("armour", Stat.ARMOR),
    ("life", Stat.HEALTH),
    ("power", Stat.ATTACK),
    ("toughness", Stat.HEALTH),
)

KEYWORDS: tuple[tuple[str, Keyword], ...] = (
    *((word_of(keyword), keyword) for keyword in Keyword),
    *((name, keyword) for keyword, names in KEYWORD_READS.items() for name in names),
)

_IN_PLAY = {
    "minion": (Selector.OWN_MINIONS, Selector.ENEMY_MINIONS, Selector.MINIONS),
    "tribe": (Selector.OWN_MINIONS, Selector.ENEMY_MINIONS, Selector.MINIONS),
    "character": (Selector.OWN_CHARACTERS, Selector.ENEMY_CHARACTERS, Selector.CHARACTERS),
    "player": (Selector.OWN_PLAYER, Selector.ENEMY_PLAYER, Selector.PLAYERS),
    "secret": (Selector.OWN_SECRETS, Selector.ENEMY_SECRETS, None),
    "weapon": (Selector.OWN_WEAPON, Selector.ENEMY_WEAPON, None),
}
"""Selectors of things in play: by noun, for the own side, the enemy side and both."""

_PLAYED = (Selector.OWN_CARDS, Selector.ENEMY_CARDS, Selector.CARDS)
_KIND_OF_NOUN = {"minion": Kind.MINION, "weapon": Kind.WEAPON, "secret": Kind.SECRET}
_COSTS = (
    ("exact_cost", None, None),
    ("least_cost", None, NUMBER_HIGH),
    ("most_cost", NUMBER_LOW, None),
)
"""Keys for bounds of the cost, with the fixed lowest and highest value."""

_WITH_PLURAL = ("minion", "character", "card")
"""Nouns of which the singular cannot mean several things."""

_FILTERS = ("tribe", "keywords", "states", "stat", "without")

DETERMINED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("{description}", {"how": How.ALL, "is_bare": True}),
    ("<all|each|every|all of|both> {description}", {"how": How.ALL}),
    ("<your|all [of] your> {description}", {"how": How.ALL, "side": Side.OWN}),
    ("<your opponent's|all [of] your opponent's> {description}", {"how": How.ALL, **ENEMY}),
    ("<a|an|target|any> {description}", {"how": How.ONE}),
    ("another {description}", {"how": How.ONE, "states": State.OTHER}),
    ("<a|one> random {description}", {"how": How.RANDOM, "pick": 1}),
    ("another random {description}", {"how": How.RANDOM, "pick": 1, "states": State.OTHER}),
    ("one of your {description}", {"how": How.ONE, **OWN}),
    ("{number as pick} random {description}", {"how": How.RANDOM}),
    ("{number as pick} {description}", {"how": How.ONE}),
    ("all but {number as spare} random {description}", {"how": How.RANDOM}),
    ("all {description} except one [. chosen randomly]", {"how": How.RANDOM, "spare": 1}),
)
"""Phrases of several cards, or one of them, with the determiner that says how they are chosen."""


_ADJACENT = {"how": How.ALL, "selector": Selector.NEIGHBOURS, "word": "adjacent"}


def _single(selector: Selector, *phrases: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for phrase in (selector.about.one, *phrases):
        yield phrase, {"how": How.ALL, "selector": selector}


SINGLES: tuple[tuple[str, dict[str, Any]], ...] = (
    *_single(Selector.OWN_PLAYER, "<yourself|your player|the own hero|the own player>"),
    *_single(
        Selector.ENEMY_PLAYER,
        "<your opponent|the enemy player|the enemy|enemy hero>",
        "<each|the|your|target> <opponent|opposing player>",
        "your opponent's <hero|face>",
    ),
    *_single(
        Selector.SELF,
        "this <minion|weapon|spell|secret|creature|unit|character>",
        "<himself|herself|itself>",
    ),
    ("any target", {"how": How.ANYONE}),
    ("<everyone|everything>", {"how": How.ALL, "selector": Selector.CHARACTERS}),
    ("this", {"how": How.ALL, "selector": Selector.SELF, "word": "this"}),
    *_single(Selector.OWN_WEAPON),
    *_single(Selector.ENEMY_WEAPON),
    *_single(Selector.TARGET),
    *_single(Selector.PREVIOUS),
    *_single(Selector.SUBJECT),
    *_single(Selector.AIM),
    *(
        (f"the target of that {word}", {"how": How.ALL, "selector": Selector.AIM})
        for word in ("attack", "spell")
    ),
    ("<each|both> <player|players|hero|heroes>", {"how": How.ALL, "selector": Selector.PLAYERS}),
    ("adjacent <minions|ones>", _ADJACENT),
    ("<both adjacent minions|each adjacent minion>", _ADJACENT),
    ("<the minions|minions> next to it", _ADJACENT),
    ("it", {"how": How.IT}),
    ("<them|they>", {"how": How.IT, "word": "them"}),
    ("<that|the> <minion|character|card|spell|secret|player>", {"how": How.THAT}),
    ("the attacker", {"how": How.ALL, "selector": Selector.SUBJECT}),
    ("<one|a random one> at random", {"how": How.IT, "pick": 1}),
    (
        "a random one in your hand",
        {"how": How.RANDOM, "pick": 1, "selector": Selector.OWN_HAND, "kind": Kind.MINION},
    ),
)
"""Phrases of one thing, and pronouns."""


def described_group(values: Values, place: str) -> Group | None:
    """Return the group of a description; `None` if the description has no meaning there.

    Args:
        values: values of the rules of adjectives, nouns and what follows nouns.
        place: `receivers` for things in play, hands and decks; `played` for a card that is
            played; `hand` for cards that are in a hand though the phrase does not say so.
    """
    selector = _selector_at(values, place)
    if selector is None:
        return None
    filters = _filters(values)
    kind = values.get("only", values.get("kind"))
    if selector.about.one == "card":
        kind = kind if kind is not None else _KIND_OF_NOUN.get(values.get("noun", ""))
    elif kind is not None and "only" not in values:
        return None
    return Group(selector, kind=kind, **filters)


def _filters(values: Values) -> dict[str, Any]:
    """Return the filters of a description as arguments of a group."""
    for key, low, high in _COSTS:
        if key in values:
            cost = values[key]
            bounds = {"low": cost if low is None else low, "high": cost if high is None else high}
            values = {**values, "stat": Stat.COST, "limits": frozenset(bounds.items())}
    return {key: values[key] for key in _FILTERS if key in values} | limits(values.get("limits"))


def limits(pairs: Iterable[tuple[str, int]] | None) -> dict[str, int]:
    """Return the lowest and highest number of the rule `bounds`; `{}` without bounds."""
    values = dict(pairs or ())
    if "exactly" in values:
        return {"low": values["exactly"], "high": values["exactly"]}
    return values


def _selector_at(values: Values, place: str) -> Selector | None:
    side = values.get("side", Side.BOTH)
    noun = values["noun"]
    where = values.get("where")
    if place == "played":
        return None if where else _PLAYED[side]
    if place == "hand":
        hands = (Selector.OWN_HAND, Selector.ENEMY_HAND, Selector.HANDS)
        return None if where or noun in ("character", "player") else hands[side]
    if where in (Selector.NEIGHBOURS, Selector.TARGET_NEIGHBOURS):
        return where if noun in ("minion", "tribe") and side is Side.BOTH else None
    if isinstance(where, Selector):
        return where if noun not in ("character", "player") and side is Side.BOTH else None
    if noun == "card":
        return None
    return _IN_PLAY[noun][side]


def build_reference(values: Values) -> Iterable[Hashable]:
    """Yield the reference of a phrase to things in play, in a hand or in a deck."""
    if "selector" in values:
        group: Group | None = Group(values["selector"], kind=values.get("kind"))
    elif "noun" in values:
        group = described_group(values, "receivers")
    else:
        group = Group(Selector.SELF)
    if group is None or 0 in (values.get("pick"), values.get("spare")):
        return
    # "Destroy enemy minion" leaves out a word: it may mean one of them or all.
    is_clear = "is_bare" not in values or "is_plural" in values or group.selector.is_single
    if is_clear or values.get("noun") not in _WITH_PLURAL:
        yield Reference(
            values["how"],
            filtered(group, values.get("predicate")),
            values.get("pick", 0),
            values.get("spare", 0),
            values.get("word", ""),
        )


def build_in_hand(values: Values) -> Iterable[Hashable]:
    """Yield the reference of a phrase to all cards in a hand that does not mention the hand."""
    if group := described_group(values, "hand"):
        yield Reference(How.ALL, group)


def build_group(values: Values) -> Iterable[Hashable]:
    """Yield the reference of a phrase without a determiner, such as `friendly minions`."""
    if group := described_group(values, "receivers"):
        yield Reference(How.ALL, group)


def filtered(group: Group, predicate: Group | None) -> Group:
    """Return a group with the filters of a predicate added."""
    if predicate is None:
        return group
    return Group(
        group.selector,
        tribe=predicate.tribe or group.tribe,
        without=predicate.without or group.without,
        keywords=predicate.keywords | group.keywords,
        states=predicate.states | group.states,
        kind=predicate.kind if predicate.kind is not None else group.kind,
        stat=predicate.stat if predicate.stat is not None else group.stat,
        low=predicate.low if predicate.stat is not None else group.low,
        high=predicate.high if predicate.stat is not None else group.high,
    )


PREDICATES: tuple[tuple[str, dict[str, Any]], ...] = (
    *((f"is {phrase.predicate}", {"states": state}) for state, phrase in STATE_PHRASES.items()),
    ("is <a|an> {tribe as tribe}", {}),
    *((f"is a {word_of(kind)}", {"kind": kind}) for kind in Kind),
    ("has {keyword_set as keywords}", {}),
    ("is not {card_id as without}", {}),
    ("has {bounds as limits} {stat as stat}", {}),
)
"""Filters as predicates of one card; several are joined by `and`."""


def build_predicate(values: Values) -> Iterable[Hashable]:
    """Yield the filters of predicates, as a group with the selector `self`."""
    yield Group(Selector.SELF, kind=values.get("kind"), **_filters(values))
