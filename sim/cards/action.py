"""Declarations of actions: the verbs of effect rows, such as `damage` or `summon`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sim.cards.phrase import Say
from sim.cards.supplied import supplied
from sim.cards.vocabulary.receivers import WITH_RECORDS, Receiver

WORD = re.compile(r"[a-z][a-z0-9_]*")
"""Pattern of the words of actions and of the tribes in filters of groups."""

Handler = Callable[[Any, Any, int, int, int], None]


@dataclass(frozen=True)
class Action:
    """Declaration of an action, a verb that effect rows in card files name by `do`.

    Attributes:
        word: the action's word in files (`do = "..."`).
        handler: plain function of (state, table, row, source, target) that carries the action out.
            The arguments are the state vector, the table vector, the effect row's offset in the
            table, the entity record that acts and the entity record acted on. The handler is
            compiled when a card first uses the word. It reads the row's numbers, after
            multiplication and random draws, from the state at `NOW_AMOUNT`, `NOW_ATTACK` and
            `NOW_HEALTH` of `sim.engine.layout`.
        phrase: the action in words: a template with parts of `RowPhrases`
            (`sim.cards.text.row_phrases`), such as `deal {amount:damage} to {receivers}`, or
            several, of which the first that can express a row prints it. Texts of cards are read
            by the same templates. A function of the parts prints rows, but cannot be read.
        reads: further templates that texts of cards may use; the parts are the rules of
            `sim.cards.reading.row_rules`.
        standing_reads: further templates of rows that hold all the time.
        standing: like `phrase`, for rows that hold all the time; `()` to use `phrase`.
        number: the action's number in compiled code; -1 until the action is added to
            `sim.actions`, which gives it the next free number.
        acts_on: kinds of receivers that the handler can act on; a row is refused if its group
            cannot hold any of them.
        default_to: group that a row without the key `to` acts on.
        has_amount: whether the action uses the row's amount.
        tunable: the keys among `amount`, `attack` and `health` that balancing may change.
        may_be_negative: whether the row's amount may be below 1.
        takes: keys of `sim.cards.effect.GIFTS` that a row must have.
        may_take: further keys of `GIFTS` that a row may have.
        brings: permitted kinds of the cards in the row's key `cards`; `()` permits every kind.
        needs: events that may trigger a row with this action; `()` permits every event.
        lasts: permitted durations of a row's result, see `sim.cards.vocabulary.Lasting`.
        kept: reason in the error for a row with another duration; `""` if the action has no
            lasting result.
        aura: the action's AURAS_* bits of `sim.engine.layout`; 0 if auras cannot use the action.
        is_plain: whether the kernel of the `duel` rules can play the action, which then neither
            reads nor changes anything that only the general kernel has.
        check: function that raises `InputError` for an invalid row (`sim.cards.effect.Effect`);
            `None` if the common checks are sufficient.
    """

    word: str
    handler: Handler
    phrase: str | tuple[Say | str, ...] | Callable[[Any], str]
    number: int = -1
    acts_on: Receiver = WITH_RECORDS
    default_to: str = "own_player"
    reads: tuple[Say | str, ...] = ()
    standing_reads: tuple[Say | str, ...] = ()
    standing: str | tuple[Say | str, ...] = ()
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


@cache
def all_actions() -> dict[str, Action]:
    """Return the registry of all actions: declaration by word, in the order of action numbers.

    The registry is built at the first call, which imports compiled code and is slow; later calls
    return the same dict.

    Raises:
        InputError: an installed package declares a faulty action, see
            `sim.actions.declared_actions`.
    """
    actions: dict[str, Action] = supplied("declared_actions")()
    return actions
