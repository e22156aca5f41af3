"""Events that set effect rows off, with all that phrases and checks need to know of each."""

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
    """A word of card files: its number in compiled code, and its properties in `about`.

    Numbers are positions in arrays, so new words go at the end.
    """

    about: Any

    def __new__(cls, number: int, about: object) -> Self:
        """Make the member with a number and its properties."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.about = about
        return member


HAPPENED = "the card or player of the event"
"""The phrase for the subject of an event, unless the event's `wording` has a better one."""

GOING_ON = "the attack or the spell"
"""The phrase for the owner of an `aim`, unless the event's `wording` decides between the two."""

_EVERY = tuple(Kind)
_NOT_SECRETS = tuple(kind for kind in Kind if kind is not Kind.SECRET)
_CARDS = tuple(kind for kind in _NOT_SECRETS if kind is not Kind.ATTACHMENT)
_SECRETS = (Kind.SECRET,)


class Occasion(NamedTuple):
    """The properties of an event.

    Attributes:
        phrase: when the event happens, with parts in braces: `{subject}` is the card or player it
            happens to (`{spell}` or `{secret}` for cards of those kinds), `{turns}` the turns
            meant; `{played}` and `{dies}` are phrases for the card's kind.
        of: the group that a row listens to when it has no key `of`.
        finds: the receivers that its subject can be.
        wording: replacements in the phrases of its rows: a general phrase by the event's own.
        heard_by: kinds of the cards that may have a row with the event.
        holds: whether its rows hold all the time, so without chance and for a whole group.
    """

    phrase: str
    of: str = "self"
    finds: Receiver = NOTHING
    wording: Mapping[str, str] = MappingProxyType({})
    heard_by: tuple[Kind, ...] = _EVERY
    holds: bool = False


def _it_is(subject: str, going_on: str = GOING_ON) -> Mapping[str, str]:
    """Return the wording of an event: phrases for its subject and for the owner of an `aim`."""
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
        Occasion("Whenever {subject} is played", "own_cards(other)", BODY, _it_is("that card")),
    )
    # Somebody casts a spell, before it does anything.
    CAST = (
        7,
        Occasion("Whenever {spell} is cast", "own_cards", CARD, _it_is("that spell", "that spell")),
    )
    # All effects of a spell have happened.
    AFTER_CAST = (
        8,
        Occasion("After {spell} has been cast", "own_cards", CARD, _it_is("that spell")),
    )
    # A minion arrives, before it does anything.
    SUMMON = (
        9,
        Occasion("Whenever {subject} arrives", "own_minions(other)", MINION, _it_is("that minion")),
    )
    # A minion has arrived, and its effects have happened.
    AFTER_SUMMON = (
        10,
        Occasion(
            "After {subject} has arrived", "own_minions(other)", MINION, _it_is("that minion")
        ),
    )
    # A minion dies.
    DEATH = 11, Occasion("Whenever {subject} dies", "minions(other)", MINION, _it_is("that minion"))
    # A character has taken damage.
    DAMAGE = (
        12,
        Occasion("Whenever {subject} takes damage", "self", CHARACTER, _it_is("that character")),
    )
    # A character has been healed.
    HEAL = (
        13,
        Occasion("Whenever {subject} is healed", "characters", CHARACTER, _it_is("that character")),
    )
    # A character attacks, before any damage.
    ATTACK = (
        14,
        Occasion(
            "Whenever {subject} attacks", "self", CHARACTER, _it_is("the attacker", "the attack")
        ),
    )
    # A secret was revealed.
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
            "When {subject} would die, it takes no damage",
            "own_player",
            PLAYER,
            _it_is("that player"),
            _SECRETS,
        ),
    )
    # A minion that was played has arrived, and its effects have happened.
    ARRIVAL = (
        18,
        Occasion(
            "After {subject} has been played",
            "enemy_minions",
            MINION,
            _it_is("that minion"),
            _SECRETS,
        ),
    )
