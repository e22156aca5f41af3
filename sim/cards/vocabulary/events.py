"""Events that trigger effect rows, with their properties for phrases and checks."""

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
    """Base enum of words of card files; a member's value is its number in compiled code.

    Numbers are positions in arrays, so new words must be added at the end.

    Attributes:
        about: properties of the word: an `Occasion` for events, `Members` for selectors.
    """

    about: Any

    def __new__(cls, number: int, about: object) -> Self:
        """Create the member with a number in compiled code and with properties in `about`."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.about = about
        return member


HAPPENED = "the card or player of the event"
"""Default phrase for the subject of an event; the event's `wording` may replace it."""

GOING_ON = "the attack or the spell"
"""Default phrase for an attack or spell with a target; the event's `wording` may replace it."""

_EVERY = tuple(Kind)
_NOT_SECRETS = tuple(kind for kind in Kind if kind is not Kind.SECRET)
_CARDS = tuple(kind for kind in _NOT_SECRETS if kind is not Kind.ATTACHMENT)
_SECRETS = (Kind.SECRET,)


class Occasion(NamedTuple):
    """Properties of an event, for checks and phrases of effect rows.

    Attributes:
        phrase: description of the time of the event, with parts in braces. `{subject}` is the card
            or player that the event happens to (`{spell}` or `{secret}` for cards of those kinds),
            `{turns}` the turns of a player; `{played}` and `{dies}` depend on the card's kind.
        of: default of the row's key `of`: the group that the subject must belong to.
        finds: kinds of receivers that the subject of the event can be.
        wording: replacements in the row's sentence: the event's own phrase by the general phrase.
        heard_by: kinds of the cards that may have a row with the event.
        holds: whether the event is a permanent state rather than a moment, so that its rows may not
            use randomness or picks.
    """

    phrase: str
    of: str = "self"
    finds: Receiver = NOTHING
    wording: Mapping[str, str] = MappingProxyType({})
    heard_by: tuple[Kind, ...] = _EVERY
    holds: bool = False


def _it_is(subject: str, going_on: str = GOING_ON) -> Mapping[str, str]:
    """Return the `wording` of an event, from its own phrases for two general ones.

    Args:
        subject: phrase for the subject of the event.
        going_on: phrase for the attack or spell during the event.
    """
    return {HAPPENED: subject, GOING_ON: going_on}


class Event(Word):
    """Events that trigger effect rows (`on = "..."`), with their properties in `about`."""

    about: Occasion

    # The card that has the row is played, or used if it is a hero power; other cards do not react.
    PLAY = 0, Occasion("{played}", heard_by=_CARDS)
    # The minion that has the row has died; other cards react to `DEATH`.
    DEATHRATTLE = 1, Occasion("{dies}", heard_by=_NOT_SECRETS)
    # A state, not a moment: rows are applied anew after each change while the card is in play.
    AURA = 2, Occasion("While in play", heard_by=_CARDS, holds=True)
    # A state, not a moment: rows change the cost of their own card while it is in the hand.
    OWN_COST = 3, Occasion("While in the hand", heard_by=_CARDS, holds=True)
    # A player's turn begins, before the draw.
    TURN_START = 4, Occasion("At the start of {turns}", "own_player", PLAYER, _it_is("that player"))
    # The end of a player's turn, before temporary effects expire.
    TURN_END = 5, Occasion("At the end of {turns}", "own_player", PLAYER, _it_is("that player"))
    # A player plays a card, before the card's effects.
    CARD_PLAYED = (
        6,
        Occasion("Whenever {subject} is played", "own_cards(other)", BODY, _it_is("that card")),
    )
    # A player casts a spell, before the spell's effects.
    CAST = (
        7,
        Occasion("Whenever {spell} is cast", "own_cards", CARD, _it_is("that spell", "that spell")),
    )
    # All effects of a spell have happened.
    AFTER_CAST = (
        8,
        Occasion("After {spell} has been cast", "own_cards", CARD, _it_is("that spell")),
    )
    # A minion arrives, before its own effects.
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
    # A minion has died and left the board.
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
    # A secret was revealed, before its effects.
    REVEAL = (
        15,
        Occasion("Whenever {secret} comes to light", "own_cards", CARD, _it_is("that secret")),
    )
    # The game begins: triggers rows of cards in the deck, before the mulligan.
    GAME_START = (
        16,
        Occasion(
            "At the start of the game, from the deck",
            wording={"card left in": "card in"},
            heard_by=_CARDS,
        ),
    )
    # A player would lose its last health; the damage is prevented.
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
