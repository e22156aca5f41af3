"""What sets rows off, and where they look for whom they act on: events and selectors."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from sim.cards.vocabulary.receivers import (
    BODY,
    CARD,
    CHARACTER,
    DECK,
    MINION,
    NOTHING,
    PLAYER,
    SECRET,
    WEAPON,
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
        member._value_, member.about = number, about
        return member


HAPPENED = "whom it happened to"
"""What phrases call the subject of an event, unless its `wording` knows better."""

GOING_ON = "the attack or the spell"
"""What an `aim` belongs to, unless the event's `wording` says which of the two it is."""

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
    heard_by: tuple[Kind, ...] = tuple(Kind)
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


# --- selectors: where rows look for whom they act on ---


class Side(IntEnum):
    """Whose the members of a group are."""

    OWN = 0
    ENEMY = 1
    BOTH = 2


class Body(IntEnum):
    """What the members of a group of characters are."""

    PLAYER = 0
    MINION = 1
    ANY = 2


class Members(NamedTuple):
    """What goes for a selector.

    Attributes:
        finds: what it may yield; of `self`, `subject` and `target` the row's card says.
        one: what one of them is called.
        many: what several are called; `""` for a selector that yields one at the most.
        whose: the word in front of that.
        where: the words behind it.
        power: what the hero power of such players is called.
        in_auras: whether it means anything to a row that holds all the time.
    """

    finds: Receiver
    one: str
    many: str = ""
    whose: str = ""
    where: str = ""
    power: str = ""
    in_auras: bool = True


class Selector(Word):
    """Whom a row acts on (`to = "..."`), seen from the card's owner."""

    about: Members

    OWN_PLAYER = 0, Members(PLAYER, "the own player", power="the own hero power")
    ENEMY_PLAYER = 1, Members(PLAYER, "the enemy player", power="the enemy hero power")
    PLAYERS = 2, Members(PLAYER, "player", "players", power="the hero power of all players")
    OWN_MINIONS = 3, Members(MINION, "minion", "minions", "own")
    ENEMY_MINIONS = 4, Members(MINION, "minion", "minions", "enemy")
    MINIONS = 5, Members(MINION, "minion", "minions")
    OWN_CHARACTERS = 6, Members(CHARACTER, "character", "characters", "own")
    ENEMY_CHARACTERS = 7, Members(CHARACTER, "character", "characters", "enemy")
    CHARACTERS = 8, Members(CHARACTER, "character", "characters")
    OWN_WEAPON = 9, Members(WEAPON, "the own weapon")
    ENEMY_WEAPON = 10, Members(WEAPON, "the enemy weapon")
    OWN_HAND = 11, Members(CARD, "card", "cards", where="in the own hand")
    ENEMY_HAND = 12, Members(CARD, "card", "cards", where="in the enemy hand")
    HANDS = 13, Members(CARD, "card", "cards", where="in the hands")
    # The subject of an event only: a card somebody plays.
    OWN_CARDS = 14, Members(NOTHING, "card", "cards", "own")
    ENEMY_CARDS = 15, Members(NOTHING, "card", "cards", "enemy")
    CARDS = 16, Members(NOTHING, "card", "cards")
    # What the player chose.
    TARGET = 17, Members(CHARACTER, "the target", in_auras=False)
    # The card whose row it is.
    SELF = 18, Members(NOTHING, "this card")
    # What the event happened to.
    SUBJECT = 19, Members(NOTHING, HAPPENED, in_auras=False)
    # What the row before this one made, drew or moved.
    PREVIOUS = 20, Members(PLAYER | BODY, "what the row before brought", in_auras=False)
    # The minions next to the card.
    NEIGHBOURS = 21, Members(MINION, "minion", "minions", where="next to it")
    # The minions next to the target.
    TARGET_NEIGHBOURS = (
        22,
        Members(MINION, "minion", "minions", where="next to the target", in_auras=False),
    )
    OWN_SECRETS = 23, Members(SECRET, "secret", "secrets", "own")
    ENEMY_SECRETS = 24, Members(SECRET, "secret", "secrets", "enemy")
    OWN_DECK = 25, Members(DECK, "card", "cards", where="in the own deck")
    ENEMY_DECK = 26, Members(DECK, "card", "cards", where="in the enemy deck")
    # Whom the attack or the spell that is going on is aimed at.
    AIM = 27, Members(CHARACTER, f"whom {GOING_ON} is aimed at", in_auras=False)

    @property
    def side(self) -> Side:
        """Whose they are, of a selector that names a set."""
        first = self.name.partition("_")[0]
        return Side[first] if first in Side.__members__ else Side.BOTH

    @property
    def body(self) -> Body:
        """What they are, of a selector that names characters."""
        last = self.name.rpartition("_")[2].rstrip("S")
        return Body[last] if last in Body.__members__ else Body.ANY

    @property
    def is_single(self) -> bool:
        """Whether it yields one at the most."""
        return not self.about.many
