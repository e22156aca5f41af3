"""Offsets of the *work*: sums with which a search for a win bounds the damage of a turn."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.layout import numbered

(
    # --- sums over the own characters ---
    FRESH,  # damage that attacks can still do to a player
    MARCH,  # damage that attacks can still do to minions
    N_ATTACKS,  # number of attacks that can still be made, plus attacks that the hand may add
    MOST_ATTACKS,  # maximum number of attacks of one character
    TALLEST,  # highest attack of a minion that is awake, whether it has attacked or not
    TALLEST_ASLEEP,  # highest attack of a minion that arrived in this turn or is in the hand
    HERO_ATTACKS,  # number of attacks that the player could make with a weapon
    OFTEN,  # number of deaths of own minions that may happen in the turn
    GAIN,  # attack that own auras give to an arriving minion
    MAGIC,  # spell damage of the own side
    WIELDED,  # attack of the current weapon
    MANA,  # mana of the turn, including mana that cards of the hand give
    # --- sums for one card ---
    HARM,  # damage to the enemy player that the card adds
    CLEARING,  # damage to guards that the card adds
    REMOVES,  # number of guards that the card removes whatever their health
    EVENTS,  # bits of the events that the card causes
    # --- sums over all cards of the hand ---
    ALL_CLEARING,  # sum of `CLEARING` over the cards
    ALL_REMOVES,  # sum of `REMOVES` over the cards
    ALL_EVENTS,  # bits of the events that at least one card causes
    AURAS,  # maximum harm of event texts and auras in play
    ASKED,  # bits of the events on which texts on the own board do harm
    DRAWS,  # number of effects that draw or choose cards
    COMBO,  # whether the effect of a card depends on cards played before
    BOUGHT,  # maximum harm of cards that the mana pays for together
    USEFUL,  # bits of the cards that may contribute to a win, by position in the hand
    BEST,  # by mana from 0 to `MANA_MAX`: maximum harm of cards that this mana pays for together
    *_,
) = numbered()
MANA_MAX = 31  # highest mana in the table `BEST`; with more mana, every card counts as free
WORK_SIZE = BEST + MANA_MAX + 1  # number of words; `BEST` has one for each mana from 0
MOST = 20_000  # maximum of a sum: fits a 16-bit word and is far above the life of any player


@compiled(none(Words, i64, i64))
def add(work: Any, word: int, amount: int) -> None:
    """Add an amount to a sum, and limit the result to `MOST`.

    Args:
        work: sums of the search for a win, shape ``[WORK_SIZE]``.
        word: offset of the sum.
        amount: amount to be added.
    """
    work[word] = min(work[word] + min(amount, MOST), MOST)


# --- events that the own turn causes, as bits ---


def _bits(*events: Event) -> int:
    """Return a word with the bits of events, bit `event & 15` for each.

    `ARRIVAL` uses the bit of `AURA`, which the own turn cannot cause.
    """
    return sum(1 << (event & 15) for event in events)


CARD_PLAYED = _bits(Event.CARD_PLAYED)
HEAL = _bits(Event.HEAL)
CAST = _bits(Event.CAST, Event.AFTER_CAST)
SUMMONED = _bits(Event.SUMMON, Event.AFTER_SUMMON)
ARRIVAL = _bits(Event.ARRIVAL)
DEATH = _bits(Event.DEATH, Event.DEATHRATTLE)
HURT = _bits(Event.DAMAGE) | DEATH
BY_ATTACK = _bits(Event.ATTACK) | HURT
ANYTHING = BY_ATTACK | CARD_PLAYED | HEAL | CAST | SUMMONED | ARRIVAL
