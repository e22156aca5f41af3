"""Actions that change a minion's text, card, side or zone, or end it."""

from __future__ import annotations

from functools import partial
from typing import Any

from sim.cards.action import Action
from sim.cards.phrase import Say
from sim.cards.vocabulary import Lasting, receivers
from sim.engine import layout as at
from sim.engine.general.changes import attach, silence
from sim.engine.general.events import forget_reactions
from sim.engine.general.groups import is_alive, is_in_play, is_minion, is_player
from sim.engine.general.listeners import forget_foreign_reactions
from sim.engine.general.moves import become, change_sides, return_to_hand, transform
from sim.engine.general.secrets import remove_secret
from sim.engine.handlers.picking import pick_card


@partial(
    Action,
    "silence",
    phrase="silence {receivers}",
    number=16,
    acts_on=receivers.MINION,
    has_amount=False,
)
def _silence(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target) and is_in_play(state, target):
        silence(state, table, target)
        if target != source:  # a minion that silences itself completes its effects
            forget_reactions(state, target)
        if state[target + at.STATUS] & at.IS_BORROWED:
            state[target + at.STATUS] &= ~at.IS_BORROWED
            change_sides(state, table, target)


@partial(
    Action,
    "destroy",
    phrase="destroy {receivers}",
    number=6,
    acts_on=receivers.MINION | receivers.WEAPON | receivers.SECRET,
    has_amount=False,
)
def _destroy(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Destroy the target: a minion dies, a weapon breaks, a secret is removed.

    Players, and minions and weapons that are no longer in play, are left unchanged.
    """
    if is_player(target):
        return
    if state[target + at.ZONE] == at.IN_SECRET:
        remove_secret(state, table, target)
    elif not is_in_play(state, target):
        return
    elif is_minion(state, table, target):
        state[target + at.STATUS] |= at.IS_DOOMED
    else:
        state[target + at.HEALTH] = 0


@partial(
    Action,
    "transform",
    phrase="transform {receivers} into {cards}",
    reads=(
        "turn {receivers} into {cards}",
        Say("transform into {cards}", {"to": "self"}),
    ),
    number=9,
    acts_on=receivers.MINION,
    has_amount=False,
    takes=("cards",),
    brings=("minion",),
)
def _transform(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target) and is_in_play(state, target):
        transform(state, table, target, pick_card(state, table, row, source))
        if target != source:  # a minion that transforms itself completes its effects
            forget_reactions(state, target)


@partial(
    Action,
    "become",
    phrase="become a copy of {receivers}",
    number=26,
    acts_on=receivers.MINION | receivers.CARD,
    has_amount=False,
)
def _become(state: Any, table: Any, row: int, source: int, target: int) -> None:
    both = is_minion(state, table, source) and is_minion(state, table, target)
    if both and is_in_play(state, source):
        become(state, table, source, target)


@partial(
    Action,
    "attach",
    phrase="attach {cards} to {receivers}{turn_of_player}",
    reads=('give {receivers} "{card as quoted}"',),
    number=23,
    acts_on=receivers.CHARACTER,
    has_amount=False,
    takes=("cards",),
    brings=("attachment",),
)
def _attach(state: Any, table: Any, row: int, source: int, target: int) -> None:
    is_body = is_player(target) or is_minion(state, table, target)
    if is_body and is_in_play(state, target):
        attach(state, table, target, pick_card(state, table, row, source))


@partial(
    Action,
    "return",
    phrase="return {receivers} to the owner's hand",
    reads=(
        "return {receivers} [from the battlefield] to "
        "<its owner's|their owner's|their owners'> <hand|hands>",
        Say("return {receivers} [from the battlefield] to your hand", {"hand_of": "own"}),
        Say(
            "return {receivers} [from the battlefield] to your opponent's hand",
            {"hand_of": "enemy"},
        ),
    ),
    number=14,
    acts_on=receivers.MINION,
    has_amount=False,
)
def _return(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Return a minion to its owner's hand, unless it has died."""
    state[at.PREVIOUS] = 0
    if is_minion(state, table, target) and is_alive(state, target):
        return_to_hand(state, table, target)


@partial(
    Action,
    "steal",
    phrase="take control of {receivers}{loan}",
    reads=(
        "<take|gain> control of {receivers} [permanently]",
        "gain control of {receivers}{loan}",
        "steal {receivers}{loan}",
    ),
    number=18,
    acts_on=receivers.MINION,
    has_amount=False,
    lasts=("always", "turn"),
    kept="leave it out to keep the stolen minion for good, or write 'turn'",
)
def _steal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Take control of a living enemy minion, permanently or until the end of the turn.

    If the own board is full, the minion dies instead.
    """
    is_enemy = state[target + at.OWNER] != state[source + at.OWNER]
    if is_enemy and is_minion(state, table, target) and is_alive(state, target):
        change_sides(state, table, target)
        forget_foreign_reactions(state, table, target)
        # The owner is still the enemy if the own board was full.
        if (
            table[row + at.ROW_LASTS] == Lasting.TURN
            and state[target + at.OWNER] == state[source + at.OWNER]
        ):
            state[target + at.STATUS] |= at.IS_BORROWED
