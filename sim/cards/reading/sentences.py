"""Sentences of card texts as they are read, before their references are resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sim.cards.notation import Group
from sim.cards.reading.meanings import Condition, Quantity, Reference

Row = frozenset[tuple[str, Any]]
"""Keys of an effect row, with references and quantities in place of groups and measures."""

Conditions = tuple[Condition, ...]


@dataclass(frozen=True)
class Sentence:
    """Clauses with a common condition.

    Attributes:
        clauses: the rows of each clause, in order.
        when: conditions of the sentence.
        each: quantity after `for each` at the beginning of the sentence; `None` for none.
        mode: `instead` if the sentence replaces the one before it when its condition holds,
            `otherwise` if it happens when the condition before it does not hold; else `""`.
    """

    clauses: tuple[tuple[Row, ...], ...]
    when: Conditions = ()
    each: Quantity | None = None
    mode: str = ""


@dataclass(frozen=True)
class Occurrence:
    """Event of an ability: its word, and the group that its subject belongs to.

    Attributes:
        on: word of the event.
        of: group of the subject; `None` for events without a subject.
        article: article of the subject's phrase, such as `a`, `any` or `another`.
        when: condition that the phrase implies, in the notation of card files.
        is_of_it: whether the subject is the card that was mentioned before: "whenever it attacks".
        is_of_aim: whether pronouns stand for what is attacked or targeted: "whenever your hero is
            attacked".
    """

    on: str
    of: Group | None = None
    article: str = ""
    when: str = ""
    is_of_it: bool = False
    is_of_aim: bool = False


@dataclass(frozen=True)
class Ability:
    """Sentence that happens on an event; without an event it goes on with the one before it.

    Attributes:
        sentence: what happens.
        event: the event; `None` for a sentence of its own.
        is_secret: whether the sentence begins with `Secret:`.
        is_combo: whether the sentence begins with `Combo:`.
        when: further conditions, said before the event.
        is_both: whether the sentence begins with `Battlecry and Deathrattle:`.
    """

    sentence: Sentence
    event: Occurrence | None = None
    is_secret: bool = False
    is_combo: bool = False
    when: Conditions = ()
    is_both: bool = False


@dataclass(frozen=True)
class Standing:
    """Text that holds all the time: rows of an aura, or of the card's own cost.

    Attributes:
        rows: the rows.
        when: conditions while which they hold.
        on: word of the event, `aura` or `own_cost`.
    """

    rows: tuple[Row, ...]
    when: Conditions = ()
    on: str = "aura"


@dataclass(frozen=True)
class Marks:
    """Keywords, spell damage and overload of the card itself."""

    keywords: tuple[str, ...] = ()
    spell_damage: int = 0
    overload: int = 0


@dataclass(frozen=True)
class Chosen:
    """Sentence that only names the target, such as `Choose an enemy minion.`."""

    reference: Reference
    when: Conditions = ()


@dataclass(frozen=True)
class Playable:
    """Condition under which the card can be played."""

    when: Conditions


@dataclass(frozen=True)
class Options:
    """Choice of two: names of option cards, or the texts of both."""

    names: tuple[tuple[str, ...], ...] = ()
    texts: tuple[Sentence, ...] = ()
