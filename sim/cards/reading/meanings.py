"""Meanings of phrases before their sentence is known: references, quantities and conditions.

A phrase such as "a minion" means a chosen target when a card is played and a random minion
otherwise, and "it" means what was mentioned last. `assembly` resolves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from sim.cards.notation import NUMBER_HIGH, NUMBER_LOW, Group
from sim.cards.vocabulary import Selector, Stat

_SELF = Group(Selector.SELF)


class How(Enum):
    """Ways in which a phrase chooses from a group."""

    ALL = auto()  # every member, or the only one
    ONE = auto()  # "a minion": the player chooses it, or chance does
    RANDOM = auto()  # a number of members at random
    IT = auto()  # what was mentioned last
    THAT = auto()  # "that minion": what the event happened to, or what was mentioned last
    ANYONE = auto()  # a verb without an object: "Deal 2 damage."
    BEARER = auto()  # the one that gains: "Gain +1 attack."


@dataclass(frozen=True)
class Reference:
    """Members of a group as a phrase mentions them.

    Attributes:
        how: way in which the members are chosen.
        group: the group; for pronouns only its filters count.
        pick: number of members at random; 0 if the phrase does not say it.
        spare: number of members left out at random.
        word: `adjacent` for "adjacent minions", which are next to the target of a card that has
            one, and next to the card otherwise; `this` for "this", which is the wielded weapon in
            the text of a weapon; `them` for "them", which may be two groups; `""` for others.
    """

    how: How = How.ALL
    group: Group = _SELF
    pick: int = 0
    spare: int = 0
    word: str = ""


@dataclass(frozen=True)
class Quantity:
    """Measure in a phrase, such as "the attack of your weapon".

    Attributes:
        measure: word of the measure, `count` or `stat` or another one.
        reference: things that are counted or read.
        stat: the number that is read.
    """

    measure: str = "one"
    reference: Reference = Reference()
    stat: Stat = Stat.ATTACK


@dataclass(frozen=True)
class Condition:
    """Bounds of a quantity in a phrase; several conditions are joined by `and`."""

    quantity: Quantity = Quantity()
    low: int = NUMBER_LOW
    high: int = NUMBER_HIGH


@dataclass(frozen=True)
class Made:
    """Cards that a phrase creates: "two 2/2 Treants with taunt", "a random Mage spell".

    Attributes:
        amount: number of cards; 1 by default.
        amount_to: highest number of a random number; 0 for a fixed number.
        names: ids that the name may mean, one tuple for each name of a list; `()` without a name.
        body: attack and health; `None` if the phrase does not say them.
        keywords: words of keywords that the cards have.
        is_random: whether the phrase describes a random card.
        filters: properties of a random card, as pairs of key and value.
        absent: whether only cards that are not on the board are drawn.
        tribe: tribe of a body without a name; `""` if the phrase does not say it.
        title: name of a body that no card of the pool has; a token has no name.
        other: second phrase of "a 5/5 Devilsaur or a 1/1 Squirrel"; `None` for none.
    """

    amount: int = 1
    amount_to: int = 0
    names: tuple[tuple[str, ...], ...] = ()
    body: tuple[int, int] | None = None
    keywords: tuple[str, ...] = ()
    is_random: bool = False
    filters: tuple[tuple[str, object], ...] = ()
    absent: bool = False
    tribe: str = ""
    title: str = ""
    other: Made | None = None


THIS_CARD = Made(names=((),))
"""The card that has the text, as a card that a row creates."""
