"""What rows do and count by: actions and measures, each declared beside its function; and all.

They are those of the engine, of installed packages and of a program's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint
from string import Formatter
from typing import Any

from sim.cards.vocabulary.receivers import WITH_RECORDS, Receiver
from sim.errors import InputError, blaming, known_word
from sim.plugins import blaming_package, installed


@dataclass(frozen=True)
class Action:
    """All there is to say about one action word of card files.

    Attributes:
        word: what files call it (`do = "..."`).
        handler: what it does: a plain function of (state, table, row, source, target), which are
            the vectors, the effect row's offset in the table, the record that acts and the one
            acted on. It is compiled when a card first uses the word. What the row comes to,
            multiplied and rolled, stands in the state: `NOW_AMOUNT`, `NOW_ATTACK` and
            `NOW_HEALTH` of `sim.engine.layout`.
        phrase: what people read: text with parts of `sim.cards.text.card_text.RowPhrases`, such
            as `deal {amount:damage} to {whom}`, or a function of these.
        number: what the engine knows it by; -1 for the next that is free.
        acts_on: what the handler is for; a row that finds nothing of the sort is refused.
        default_to: whom it acts on when a row does not say.
        has_amount: whether it makes a difference how much.
        tunable: which of `amount`, `attack` and `health` balancing may move.
        may_be_negative: whether its amount may be below 1.
        takes: the keys that it needs, of those that most actions refuse (`sim.cards.effect.GIFTS`).
        may_take: those of them that it may have as well.
        brings: the kinds of cards that it may name; `()` for any.
        needs: the events that can set it off; `()` for any.
        lasts: how long what it gives may be kept.
        kept: what to say of a row that would keep it longer; `""` if nothing is kept.
        aura: its AURAS_* bits of `sim.engine.layout`; 0 for what no aura can do.
        is_plain: whether the shorter rules of the duel can play it: it neither asks for nor
            changes anything that only the general rules know.
        check: raises `ValueError` for a row (`sim.cards.effect.Effect`) that makes no sense.
    """

    word: str
    handler: Callable[[Any, Any, int, int, int], None]
    phrase: str | Callable[[Any], str]
    number: int = -1
    acts_on: Receiver = WITH_RECORDS
    default_to: str = "own_player"
    has_amount: bool = True
    tunable: tuple[str, ...] = ()
    may_be_negative: bool = False
    takes: tuple[str, ...] = ()
    may_take: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    lasts: tuple[str, ...] = ("always",)
    kept: str = ""
    aura: int = 0
    is_plain: bool = False
    check: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class Measure:
    """What a row may count by (`times = "..."`) or ask about (`when = "..."`).

    Attributes:
        word: what files call it.
        number: what the engine knows it by.
        read: the compiled function of (state, table, condition, source, target, subject, amount)
            that looks it up.
        phrase: what people read.
        yes: the condition that it is something, as a phrase; `""` if its amount says it better.
        no: the condition that it is nothing.
        is_bare: whether its word alone names it.
        is_luck: whether chance decides what it is.
    """

    word: str
    number: int
    read: Callable[..., int]
    phrase: str = ""
    yes: str = ""
    no: str = ""
    is_bare: bool = True
    is_luck: bool = False


@cache
def measures() -> Mapping[str, Measure]:
    """All of them, by word; loaded when first asked for, since they are compiled code."""
    from sim.engine.general.measures import DECLARED  # noqa: PLC0415 (see above)

    return DECLARED


# --- the list of all actions ---

ENTRY_POINT_GROUP = "evenhand.actions"
WORD = re.compile(r"[a-z][a-z0-9_]*")
"""What ids, tribes and the words of actions are made of."""


@cache
def all_actions() -> dict[str, Action]:
    """The actions by word, in the order of their numbers.

    The engine's own come first, then those of installed packages (entry points of the group
    `evenhand.actions`, each named like its `Action`) by word, then those that a program
    registers. All are loaded when first asked for, since handlers stand on compiled code.

    Raises:
        InputError: a package declares what is no action or what no card could use.
    """
    from sim.engine.handlers import BUILT_IN  # noqa: PLC0415 (see above)

    actions = dict(BUILT_IN)
    for entries in installed(ENTRY_POINT_GROUP).values():
        for entry in entries:
            with blaming_package(f"action {entry.name!r}", entry):
                _add(actions, _loaded(entry))
    return actions


def register_action(action: Action) -> Action:
    """Make `action` what card files mean by its word; returns it with its number.

    Raises:
        InputError: the word is taken or no word, its phrase names an unknown part, or there is
            no number left.
    """
    with blaming(f"action {action.word!r}"):
        return _add(all_actions(), action)


def check_declaration(action: Action) -> None:
    """Refuse what no card could use.

    Raises:
        InputError: the word is none, or its phrase names what nobody can say of a row.
    """
    from sim.cards.text.card_text import PARTS  # noqa: PLC0415 (it reads rows, which name actions)

    if not WORD.fullmatch(action.word):
        raise InputError("the word must be lower-case letters, digits and _")
    if callable(action.phrase):
        return
    for _, part, _, _ in Formatter().parse(action.phrase):
        if part is not None and part.partition(".")[0] not in PARTS:
            known_word("part", part, PARTS, "phrase")


def _add(actions: dict[str, Action], action: Action) -> Action:
    from sim.engine.layout import MAX_OPCODES  # noqa: PLC0415 (see above)

    check_declaration(action)
    if action.word in actions:
        raise InputError("the word is taken")
    if len(actions) >= MAX_OPCODES:
        raise InputError(f"is one too many; the limit is {MAX_OPCODES}")
    actions[action.word] = replace(action, number=len(actions))
    return actions[action.word]


def _loaded(entry: EntryPoint) -> Action:
    action = entry.load()
    if not isinstance(action, Action):
        raise InputError(f"declared is no Action but {type(action).__name__}")
    if action.word != entry.name:
        raise InputError(f"it calls itself {action.word!r}")
    return action
