"""An action: what an effect row does, declared once, beside the function that does it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.cards.vocabulary.receivers import WITH_RECORDS, Receiver

WORD = re.compile(r"[a-z][a-z0-9_]*")
"""What ids, tribes and the words of actions are made of."""

Handler = Callable[[Any, Any, int, int, int], None]


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
        phrase: what people read: text with parts of `sim.cards.text.row_phrases.RowPhrases`, such
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
