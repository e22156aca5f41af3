"""What rows find, and whether their actions can act on that: checked when a card is read.

A row whose group can only yield what its action cannot act on is refused. Where a group may
yield several things, as `previous` may, the handlers pass over those that do not fit.
"""

from __future__ import annotations

from sim.cards.effect import Effect
from sim.cards.notation import Group
from sim.cards.vocabulary import Kind, Selector
from sim.cards.vocabulary.receivers import (
    ANYTHING,
    CARD,
    CHARACTER,
    MINION,
    PLAYER,
    SECRET,
    WEAPON,
    Receiver,
    receiver_words,
)
from sim.errors import InputError

_SELF = {
    "minion": MINION,
    "spell": CARD,
    "weapon": WEAPON,
    "power": PLAYER,
    "secret": CARD | SECRET,
    "attachment": CHARACTER,
}  # an option is the card that it belongs to


def check_receivers(effect: Effect, kind: str, target: Group | None) -> None:
    """Refuse a row that acts on nothing that its action can act on.

    Args:
        effect: the row.
        kind: of the card that it stands on.
        target: whom that card may choose, if anybody.

    Raises:
        InputError: says what the action acts on, and what it would find.
    """
    takes, finds = effect.action.acts_on, _yields(effect, kind, target)
    if effect.on == "aura":
        takes &= CARD if effect.do == "cost" else PLAYER | MINION | WEAPON
        if not effect.to.selector.about.in_auras:
            raise InputError(f"to = {effect.to!r}: an aura is about no event and no play")
    if not takes & finds:
        found = f"it finds {receiver_words(finds)}" if finds else "nothing is found there"
        what = "an aura's " * (effect.on == "aura") + effect.do
        raise InputError(f"to = {effect.to!r}: {what} acts on {receiver_words(takes)}; {found}")


def _yields(effect: Effect, kind: str, target: Group | None) -> Receiver:
    """What a row's group can hold."""
    group = effect.to
    if group.selector == Selector.SELF:
        finds = _self(effect, kind)
    elif group.selector == Selector.SUBJECT:
        finds = effect.event.about.finds
        if effect.of.selector <= Selector.CHARACTERS:
            finds &= _in_group(effect.of)
    elif group.selector == Selector.TARGET and target is not None:
        finds = _in_group(target)
    else:
        return _in_group(group)
    return _without_players(finds, group)


def _self(effect: Effect, kind: str) -> Receiver:
    if effect.on == "game_start":
        return PLAYER  # whose deck holds the card
    return CARD if effect.on == "own_cost" else _SELF.get(kind, ANYTHING)


def _in_group(group: Group) -> Receiver:
    """What a group that names a place can hold."""
    finds = _without_players(group.selector.about.finds, group)
    return finds if group.kind in (None, Kind.MINION) else finds & ~MINION


def _without_players(finds: Receiver, group: Group) -> Receiver:
    """No player is of a kind or a tribe."""
    return finds & ~PLAYER if group.kind is not None or group.tribe else finds
