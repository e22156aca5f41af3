"""Events: what sets effect rows off, and all that goes for each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from sim.cards.vocabulary.receivers import (
    BODY,
    CARD,
    CHARACTER,
    MINION,
    NOTHING,
    PLAYER,
    Kind,
    Receiver,
)


class Word(IntEnum):
    """A member is declared as its number, for compiled code, and what goes for it.

    Numbers are positions, so new words go at the end.
    """

    about: Any

    def __new__(cls, number: int, about: object) -> Self:
        """The word of a number and of what goes for it."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.about = about
        return member


HAPPENED = "whom it happened to"
"""What phrases call the subject of an event, unless its `wording` knows better."""

GOING_ON = "the attack or the spell"
"""What an `aim` belongs to, unless the event's `wording` says which of the two it is."""

_EVERY = tuple(Kind)
_NOT_SECRETS = tuple(kind for kind in Kind if kind is not Kind.SECRET)
_CARDS = tuple(kind for kind in _NOT_SECRETS if kind is not Kind.ATTACHMENT)
_SECRETS = (Kind.SECRET,)


class Occasion(NamedTuple):
    """What goes for an event.

    Attributes:
        phrase: when that is, with `{whom}` it happens to (or which `{spell}`, `{secret}`), in
            whose `{turns}`; `{played}` and `{dies}` are the phrases of the card's kind.
        of: whose event a row listens to when it does not say.
        finds: what its subject can be.
        wording: what its phrases say instead of what.
        heard_by: the kinds of cards whose rows may listen to it.
        holds: its rows hold all the time, so without luck, and for a whole group.
    """

    phrase: str
    of: str = "self"
    finds: Receiver = NOTHING
    wording: Mapping[str, str] = MappingProxyType({})
    heard_by: tuple[Kind, ...] = _EVERY
    holds: bool = False


def _it_is(subject: str, going_on: str = GOING_ON) -> Mapping[str, str]:
    """What phrases call whom it happened to, and what an `aim` belongs to."""
    return {HAPPENED: subject, GOING_ON: going_on}


class Event(Word):
    """What sets an effect row off (`on = "..."`)."""

    about: Occasion

    # The card is played, the spell cast, the weapon wielded, the hero power used.
    PLAY = 0, Occasion("{played}", heard_by=_CARDS)
    # The minion has died.
    DEATHRATTLE = 1, Occasion("{dies}", heard_by=_NOT_SECRETS)
    # Holds as long as the card is in play.
    AURA = 2, Occasion("While in play", heard_by=_CARDS, holds=True)
    # Holds while the card is in the hand.
    OWN_COST = 3, Occasion("While in the hand", heard_by=_CARDS, holds=True)
    # Somebody's turn begins, before the draw.
    TURN_START = 4, Occasion("At the start of {turns}", "own_player", PLAYER, _it_is("that player"))
    # Somebody's turn ends.
    TURN_END = 5, Occasion("At the end of {turns}", "own_player", PLAYER, _it_is("that player"))
    # Somebody plays a card, before it does anything.
    CARD_PLAYED = (
        6,
        Occasion("Whenever {whom} is played", "own_cards(other)", BODY, _it_is("that card")),
    )
    # Somebody casts a spell, before it does anything.
    CAST = (
        7,
        Occasion("Whenever {spell} is cast", "own_cards", CARD, _it_is("that spell", "that spell")),
    )
    # A spell has done what it does.
    AFTER_CAST = (
        8,
        Occasion("After {spell} has been cast", "own_cards", CARD, _it_is("that spell")),
    )
    # A minion arrives, before it does anything.
    SUMMON = (
        9,
        Occasion("Whenever {whom} arrives", "own_minions(other)", MINION, _it_is("that minion")),
    )
    # A minion has arrived and done what it does.
    AFTER_SUMMON = (
        10,
        Occasion("After {whom} has arrived", "own_minions(other)", MINION, _it_is("that minion")),
    )
    # A minion dies.
    DEATH = 11, Occasion("Whenever {whom} dies", "minions(other)", MINION, _it_is("that minion"))
    # A character has taken damage.
    DAMAGE = (
        12,
        Occasion("Whenever {whom} takes damage", "self", CHARACTER, _it_is("that character")),
    )
    # A character has been healed.
    HEAL = (
        13,
        Occasion("Whenever {whom} is healed", "characters", CHARACTER, _it_is("that character")),
    )
    # A character attacks, before any damage.
    ATTACK = (
        14,
        Occasion(
            "Whenever {whom} attacks", "self", CHARACTER, _it_is("the attacker", "the attack")
        ),
    )
    # A secret has come to light.
    REVEAL = (
        15,
        Occasion("Whenever {secret} comes to light", "own_cards", CARD, _it_is("that secret")),
    )
    # The game begins; heard by cards in the deck, before the mulligan.
    GAME_START = (
        16,
        Occasion(
            "At the start of the game, from the deck",
            wording={"card left in": "card in"},
            heard_by=_CARDS,
        ),
    )
    # A player is about to lose its last life, and does not.
    LETHAL = (
        17,
        Occasion(
            "When {whom} would die, it takes no damage",
            "own_player",
            PLAYER,
            _it_is("that player"),
            _SECRETS,
        ),
    )
    # A minion that was played has arrived and done what it does.
    ARRIVAL = (
        18,
        Occasion(
            "After {whom} has been played",
            "enemy_minions",
            MINION,
            _it_is("that minion"),
            _SECRETS,
        ),
    )
