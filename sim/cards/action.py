"""The declaration of an action: its word, its function, its phrase and its rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.cards.vocabulary.receivers import WITH_RECORDS, Receiver

WORD = re.compile(r"[a-z][a-z0-9_]*")
"""The form of ids, tribes and words of actions."""

Handler = Callable[[Any, Any, int, int, int], None]


@dataclass(frozen=True)
class Action:
    """The declaration of one action word of card files.

    Attributes:
        word: the action's word in files (`do = "..."`).
        handler: plain function of (state, table, row, source, target) that carries the action out.
            Its arguments are the two vectors, the effect row's offset in the table, the entity
            record that acts and the one acted on. It is compiled when a card first uses the word.
            The row's numbers, multiplied and drawn, stand in the state: `NOW_AMOUNT`, `NOW_ATTACK`
            and `NOW_HEALTH` of `sim.engine.layout`.
        phrase: description for people: text with parts of `sim.cards.text.row_phrases.RowPhrases`,
            such as `deal {amount:damage} to {receivers}`, or a function of these parts.
        number: the action's number in compiled code; -1 for the next free one.
        acts_on: receivers that the handler can act on; a row is refused if its group holds none.
        default_to: group that a row without `to` acts on.
        has_amount: whether the action depends on the amount.
        tunable: those of `amount`, `attack` and `health` that balancing may change.
        may_be_negative: whether its amount may be below 1.
        takes: keys of `sim.cards.effect.GIFTS` that a row must have.
        may_take: further keys of `GIFTS` that a row may have.
        brings: kinds of the cards that it may name; `()` for any.
        needs: the events that can set it off; `()` for any.
        lasts: the durations that a row may ask for, see `sim.cards.vocabulary.Lasting`.
        kept: reason given when a row asks for another duration; `""` if nothing is kept.
        aura: its AURAS_* bits of `sim.engine.layout`; 0 if no aura can do it.
        is_plain: whether the kernel of the `duel` rules can play it: the action neither reads nor
            changes anything that only the general kernel has.
        check: raises `InputError` for a row (`sim.cards.effect.Effect`) that makes no sense.
    """

    word: str
    handler: Handler
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
