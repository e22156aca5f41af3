"""Which actions take which targets, and what groups can yield: checked when a card is read.

A row whose group can only yield what its action cannot act on is refused. Where a group may
yield several things, as `previous` may, the handlers pass over those that do not fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Flag, auto

from sim.cards.effect import Effect
from sim.cards.notation import Group, read_group
from sim.cards.vocabulary import Kind, Selector


class Receiver(Flag):
    """What an action may act on."""

    PLAYER = auto()
    MINION = auto()  # in play, or dying
    WEAPON = auto()  # wielded
    CARD = auto()  # in a hand, or being played
    SECRET = auto()  # that waits
    DECK = auto()  # a card in a deck


PLAYER, MINION, WEAPON = Receiver.PLAYER, Receiver.MINION, Receiver.WEAPON
CARD, SECRET, DECK = Receiver.CARD, Receiver.SECRET, Receiver.DECK
NOTHING, ANYTHING = Receiver(0), ~Receiver(0)
CHARACTER = PLAYER | MINION
WITH_RECORDS = ANYTHING & ~DECK
BODY = MINION | WEAPON | CARD  # what has an attack and a health or durability of its own

RECEIVERS = {
    "damage": CHARACTER,
    "heal": CHARACTER,
    "draw": PLAYER | DECK,
    "summon": PLAYER,
    "buff": PLAYER | BODY,
    "grant": PLAYER | BODY,
    "destroy": MINION | WEAPON | SECRET,
    "armor": PLAYER,
    "equip": PLAYER,
    "transform": MINION,
    "discard": PLAYER,
    "choose": PLAYER,
    "set": PLAYER | BODY,
    "freeze": CHARACTER,
    "return": MINION,
    "cost": PLAYER | MINION | CARD,  # of a player the hero power
    "silence": MINION,
    "give": PLAYER,
    "steal": MINION,
    "mana": PLAYER,
    "strip": PLAYER | BODY,
    "swap": BODY,
    "crystals": PLAYER,
    "attach": CHARACTER,
    "copy": BODY | SECRET | DECK,
    "clone": MINION | CARD | DECK,
    "become": MINION | CARD,
    "discount": PLAYER,
    "power": PLAYER,
    "exchange": CARD,
    "double": BODY,
    "voice": MINION | CARD,
    "aim": CHARACTER,
    "counter": ANYTHING,  # it is the spell that is cast, whatever `to` says
    "wound": CHARACTER,
    "embody": PLAYER,
}
"""Of each built-in action; one of a user's own may act on `WITH_RECORDS`."""

_NAMED = {
    PLAYER: "players",
    MINION: "minions",
    WEAPON: "weapons",
    CARD: "cards in hands",
    SECRET: "secrets",
    DECK: "cards in decks",
}
_BY_SELECTOR = {
    **dict.fromkeys((Selector.OWN_PLAYER, Selector.ENEMY_PLAYER, Selector.PLAYERS), PLAYER),
    **dict.fromkeys((Selector.OWN_MINIONS, Selector.ENEMY_MINIONS, Selector.MINIONS), MINION),
    Selector.OWN_CHARACTERS: CHARACTER,
    Selector.ENEMY_CHARACTERS: CHARACTER,
    Selector.CHARACTERS: CHARACTER,
    **dict.fromkeys((Selector.OWN_WEAPON, Selector.ENEMY_WEAPON), WEAPON),
    **dict.fromkeys((Selector.OWN_HAND, Selector.ENEMY_HAND, Selector.HANDS), CARD),
    **dict.fromkeys((Selector.OWN_CARDS, Selector.ENEMY_CARDS, Selector.CARDS), NOTHING),
    Selector.PREVIOUS: PLAYER | BODY,
    **dict.fromkeys((Selector.NEIGHBOURS, Selector.TARGET_NEIGHBOURS), MINION),
    **dict.fromkeys((Selector.OWN_SECRETS, Selector.ENEMY_SECRETS), SECRET),
    **dict.fromkeys((Selector.OWN_DECK, Selector.ENEMY_DECK), DECK),
    Selector.AIM: CHARACTER,
}
_SELF = {
    "minion": MINION,
    "spell": CARD,
    "weapon": WEAPON,
    "power": PLAYER,
    "secret": CARD | SECRET,
    "attachment": CHARACTER,
}  # an option is the card that it belongs to
_SUBJECTS = {
    "turn_start": PLAYER,
    "turn_end": PLAYER,
    "card_played": BODY,
    "cast": CARD,
    "after_cast": CARD,
    "summon": MINION,
    "after_summon": MINION,
    "death": MINION,
    "damage": CHARACTER,
    "heal": CHARACTER,
    "attack": CHARACTER,
    "reveal": CARD,
    "lethal": PLAYER,
    "arrival": MINION,
}
_IN_PLAY = PLAYER | MINION | WEAPON
_MEANINGLESS_IN_AURAS = (
    *(Selector.TARGET, Selector.TARGET_NEIGHBOURS, Selector.SUBJECT),
    *(Selector.PREVIOUS, Selector.AIM),
)


def check_receivers(effect: Effect, kind: str, target: str) -> None:
    """Refuse a row that acts on nothing that its action can act on.

    Args:
        effect: the row.
        kind: of the card that it stands on.
        target: whom that card may choose, a group, or `""`.

    Raises:
        ValueError: says what the action acts on, and what it would find.
    """
    group = read_group(effect.to)
    takes, finds = RECEIVERS.get(effect.do, WITH_RECORDS), _yields(effect, group, kind, target)
    if effect.on == "aura":
        takes &= CARD if effect.do == "cost" else _IN_PLAY
        if group.selector in _MEANINGLESS_IN_AURAS:
            raise ValueError(f"to = {effect.to!r}: an aura is about no event and no play")
    if not takes & finds:
        found = f"it finds {_words(finds)}" if finds else "nothing is found there"
        what = "an aura's " * (effect.on == "aura") + effect.do
        raise ValueError(f"to = {effect.to!r}: {what} acts on {_words(takes)}; {found}")


def _yields(effect: Effect, group: Group, kind: str, target: str) -> Receiver:
    """What a row's group can hold."""
    if group.selector == Selector.SELF:
        finds = _self(effect, kind)
    elif group.selector == Selector.SUBJECT:
        heard = _SUBJECTS.get(effect.on, NOTHING)
        of = read_group(effect.of)
        finds = heard & _in_group(of) if of.selector <= Selector.CHARACTERS else heard
    elif group.selector == Selector.TARGET:
        finds = _in_group(read_group(target)) if target else CHARACTER
    else:
        return _in_group(group)
    return finds & ~PLAYER if group.kind is not None or group.tribe else finds


def _self(effect: Effect, kind: str) -> Receiver:
    if effect.on == "game_start":
        return PLAYER  # whose deck holds the card
    return CARD if effect.on == "own_cost" else _SELF.get(kind, ANYTHING)


def _in_group(group: Group) -> Receiver:
    """What a group that names a place can hold; no player is of a kind or a tribe."""
    finds = _BY_SELECTOR[group.selector]
    if group.kind is not None or group.tribe:
        finds &= ~PLAYER
    if group.kind not in (None, Kind.MINION):
        finds &= ~MINION
    return finds


def receiver_words(action: str) -> str:
    """What an action acts on, in words."""
    return _words(RECEIVERS[action])


def _words(receivers: Receiver) -> str:
    if receivers == ANYTHING:
        return "anything"
    return _joined(word for receiver, word in _NAMED.items() if receiver in receivers)


def _joined(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
