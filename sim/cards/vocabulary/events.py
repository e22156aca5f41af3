"""Events that trigger effect rows, with their properties for phrases and checks."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from sim.cards.phrase import Say
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
from sim.cards.vocabulary.sides import Side


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

GOING_ON = "the attack or spell"
"""Default phrase for an attack or spell with a target; the event's `wording` may replace it."""

_CARDS = tuple(kind for kind in Kind if kind not in (Kind.SECRET, Kind.ATTACHMENT))
_IN_PLAY = (Kind.MINION, Kind.WEAPON, Kind.POWER)
_REACTING = (*_IN_PLAY, Kind.SECRET, Kind.ATTACHMENT)
_SECRETS = (Kind.SECRET,)


class Occasion(NamedTuple):
    """Properties of an event, for checks and phrases of effect rows.

    Attributes:
        says: templates of the clause that names the event, the first that holds is printed. The
            parts are `{subject}`, the card or player that the event happens to, `{played}`, the
            same without its side, which the template's key `side` gives, and `{turns}`, the turns
            of a player. The key `kinds` restricts a template to cards of some kinds.
        reads: further templates that texts may use; their key `when` is a condition that the
            phrase implies, in the notation of card files, and their key `is_of_aim` says that
            "it" is what is attacked or targeted.
        of: default of the row's key `of`: the group that the subject must belong to.
        finds: kinds of receivers that the subject of the event can be.
        wording: replacements in the row's sentence: the event's own phrase by the general phrase.
        heard_by: kinds of the cards that may have a row with the event.
        holds: whether the event is a permanent state rather than a moment, so that its rows may not
            use randomness or picks.
        leaves_out_itself: whether "a minion" in texts of minions means another minion.
    """

    says: tuple[Say | str, ...]
    reads: tuple[Say | str, ...] = ()
    of: str = "self"
    finds: Receiver = NOTHING
    wording: Mapping[str, str] = MappingProxyType({})
    heard_by: tuple[Kind, ...] = _REACTING
    holds: bool = False
    leaves_out_itself: bool = False


_WHEN = "<whenever|when|after|each time>"
_OWN = {"side": Side.OWN}
_ENEMY = {"side": Side.ENEMY}
_ANY = {"side": Side.BOTH}


def _of_cards(own: str, enemy: str, every: str, passive: str) -> tuple[Say, ...]:
    """Return the phrases of an event of cards, by the side of the card and for other groups."""
    return Say(own, _OWN), Say(enemy, _ENEMY), Say(every, _ANY), Say(passive)


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
    PLAY = (
        0,
        Occasion(
            (
                Say("battlecry:", {"kinds": (Kind.MINION, Kind.WEAPON)}),
                Say("", {"kinds": (Kind.SPELL, Kind.POWER, Kind.OPTION)}),
                "when played:",
            ),
            (
                "<when|whenever> you play this [card|minion|weapon|creature|unit][,]",
                "<when|whenever> [this [card|minion|weapon|creature|unit] is] played <,|:>",
                "<when|whenever> this [card|minion|weapon|creature|unit] enters "
                "[play|the battlefield],",
                "<on play|on summon|enter|entry> :",
                "<when|whenever> <equipped|it is equipped> <:|,>",
            ),
            heard_by=_CARDS,
        ),
    )
    # The minion that has the row has died; other cards react to `DEATH`.
    DEATHRATTLE = (
        1,
        Occasion(
            ("deathrattle:",),
            (
                "<when|after|if> this [card|minion|weapon|creature|unit] "
                "<dies|breaks|is destroyed>[,]",
                "<on death|last words|last breath|when it dies|when killed|when destroyed> <:|,>",
            ),
            heard_by=(*_IN_PLAY, Kind.ATTACHMENT),
        ),
    )
    # A state, not a moment: rows are applied anew after each change while the card is in play.
    AURA = 2, Occasion(("while in play,",), heard_by=_IN_PLAY, holds=True)
    # A state, not a moment: rows change the cost of their own card while it is in the hand.
    OWN_COST = 3, Occasion(("while in hand,",), ("",), heard_by=_CARDS, holds=True)
    # A player's turn begins, before the draw.
    TURN_START = (
        4,
        Occasion(
            ("at the start of {turns},",),
            of="own_player",
            finds=PLAYER,
            wording=_it_is("that player"),
        ),
    )
    # The end of a player's turn, before temporary effects expire.
    TURN_END = (
        5,
        Occasion(
            ("at the end of {turns},",),
            of="own_player",
            finds=PLAYER,
            wording=_it_is("that player"),
        ),
    )
    # A player plays a card, before the card's effects.
    CARD_PLAYED = (
        6,
        Occasion(
            _of_cards(
                "whenever you play {played},",
                "whenever your opponent plays {played},",
                "whenever a player plays {played},",
                "whenever {subject} is played,",
            ),
            (
                Say("<when|each time> you play {played},", _OWN),
                Say("<whenever|when|each time> <your opponent|an enemy> plays {played},", _ENEMY),
                Say("<when|each time> a player plays {played},", _ANY),
                Say("<whenever|when|each time> {played} is played,", _ANY),
            ),
            of="own_cards(other)",
            finds=BODY,
            wording=_it_is("that card"),
            leaves_out_itself=True,
        ),
    )
    # A player casts a spell, before the spell's effects.
    CAST = (
        7,
        Occasion(
            _of_cards(
                "whenever you cast {spell},",
                "whenever your opponent casts {spell},",
                "whenever a player casts {spell},",
                "whenever {subject} is cast,",
            ),
            (
                Say("<when|each time> you cast {spell},", _OWN),
                Say("<whenever|when|each time> <your opponent|an enemy> casts {spell},", _ENEMY),
                Say("<when|each time> a player casts {spell},", _ANY),
                Say(
                    "<whenever|when|each time> <your opponent|an enemy> casts {spell} on a minion,",
                    {**_ENEMY, "when": "count aim(minion) >= 1", "is_of_aim": True},
                ),
                Say("<whenever|when|each time> {spell} is cast,", _ANY),
            ),
            of="own_cards",
            finds=CARD,
            wording=_it_is("that spell", "that spell"),
        ),
    )
    # All effects of a spell have happened.
    AFTER_CAST = (
        8,
        Occasion(
            _of_cards(
                "after you cast {spell},",
                "after your opponent casts {spell},",
                "after a player casts {spell},",
                "after {subject} is cast,",
            ),
            (
                Say("after an enemy casts {spell},", _ENEMY),
                Say("after {spell} is cast,", _ANY),
            ),
            of="own_cards",
            finds=CARD,
            wording=_it_is("that spell"),
        ),
    )
    # A minion arrives, before its own effects.
    SUMMON = (
        9,
        Occasion(
            ("whenever {subject} arrives,",),
            (
                Say("<whenever|when|each time> you summon {minion},", _OWN),
                Say("<whenever|when|each time> <your opponent|an enemy> summons {minion},", _ENEMY),
                Say("<whenever|when|each time> a player summons {minion},", _ANY),
                "<whenever|when|each time> {subject} <arrives|is summoned>,",
                "<whenever|when|each time> {other_subject} enters [play|the battlefield],",
            ),
            of="own_minions(other)",
            finds=MINION,
            wording=_it_is("that minion"),
            leaves_out_itself=True,
        ),
    )
    # A minion has arrived, and its effects have happened.
    AFTER_SUMMON = (
        10,
        Occasion(
            ("after {subject} arrives,",),
            (
                Say("after you summon {minion},", _OWN),
                Say("after <your opponent|an enemy> summons {minion},", _ENEMY),
                Say("after a player summons {minion},", _ANY),
                "after {subject} <has arrived|is summoned>,",
                "after {other_subject} enters [play|the battlefield],",
            ),
            of="own_minions(other)",
            finds=MINION,
            wording=_it_is("that minion"),
            leaves_out_itself=True,
        ),
    )
    # A minion has died and left the board.
    DEATH = (
        11,
        Occasion(
            ("whenever {subject} dies,",),
            (f"{_WHEN} {{other_subject}} <dies|is destroyed>,",),
            of="minions(other)",
            finds=MINION,
            wording=_it_is("that minion"),
            leaves_out_itself=True,
        ),
    )
    # A character has taken damage.
    DAMAGE = (
        12,
        Occasion(
            ("whenever {subject} takes damage,",),
            (f"{_WHEN} {{subject}} <takes damage|is damaged>,",),
            of="self",
            finds=CHARACTER,
            wording=_it_is("that character"),
        ),
    )
    # A character has been healed.
    HEAL = (
        13,
        Occasion(
            ("whenever {subject} is healed,",),
            (f"{_WHEN} {{subject}} is healed,",),
            of="characters",
            finds=CHARACTER,
            wording=_it_is("that character"),
        ),
    )
    # A character attacks, before any damage.
    ATTACK = (
        14,
        Occasion(
            ("whenever {subject} attacks,",),
            (
                "<whenever|when|each time> {subject} attacks,",
                Say(
                    "<whenever|when|each time> {subject} attacks your hero,",
                    {"when": "count aim(own, hero) >= 1"},
                ),
                Say(
                    "<whenever|when|each time> your hero is attacked,",
                    {
                        "of": "enemy_characters",
                        "when": "count aim(own, hero) >= 1",
                        "is_of_aim": True,
                    },
                ),
                Say(
                    "<whenever|when|each time> <one of your minions|a friendly minion> "
                    "is attacked,",
                    {
                        "of": "enemy_characters",
                        "when": "count aim(own, minion) >= 1",
                        "is_of_aim": True,
                    },
                ),
            ),
            of="self",
            finds=CHARACTER,
            wording=_it_is("the attacker", "that attack"),
        ),
    )
    # A secret was revealed, before its effects.
    REVEAL = (
        15,
        Occasion(
            _of_cards(
                "whenever your {secret} is revealed,",
                "whenever your opponent's {secret} is revealed,",
                "whenever any {secret} is revealed,",
                "whenever {subject} is revealed,",
            ),
            (
                Say(f"{_WHEN} a friendly {{secret}} is revealed,", _OWN),
                Say(f"{_WHEN} an enemy {{secret}} is revealed,", _ENEMY),
                Say(f"{_WHEN} a {{secret}} is revealed,", _ANY),
            ),
            of="own_cards",
            finds=CARD,
            wording=_it_is("that secret"),
        ),
    )
    # The game begins: triggers rows of cards in the deck, before the mulligan.
    GAME_START = (
        16,
        Occasion(
            ("start of game:",),
            ("at the start of the game,",),
            heard_by=_CARDS,
        ),
    )
    # A player would lose its last health; the damage is prevented.
    LETHAL = (
        17,
        Occasion(
            ("when {subject} takes fatal damage, prevent it and",),
            of="own_player",
            finds=PLAYER,
            wording=_it_is("that player"),
            heard_by=_SECRETS,
        ),
    )
    # A minion that was played has arrived, and its effects have happened.
    ARRIVAL = (
        18,
        Occasion(
            (
                Say("after you play {minion},", _OWN),
                Say("after your opponent plays {minion},", _ENEMY),
                Say("after a player plays {minion},", _ANY),
                "after {subject} is played,",
            ),
            of="enemy_minions",
            finds=MINION,
            wording=_it_is("that minion"),
            heard_by=_SECRETS,
        ),
    )
