"""Offsets of the sums by which a search for a win bounds what a turn can do, and their events."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.layout import numbered

(
    # --- the own characters ---
    FRESH,  # damage that they can still do to a player by attacks
    MARCH,  # damage that they can still do to minions by attacks
    N_ATTACKS,  # attacks that they can still make, and attacks that the hand may add
    MOST_ATTACKS,  # the most attacks of one character
    TALLEST,  # highest attack of a minion that is awake, whether it has attacked or not
    TALLEST_ASLEEP,  # highest attack of a minion that arrived in this turn or is in the hand
    HERO_ATTACKS,  # attacks that the player could make with a weapon
    OFTEN,  # own minions that may die
    GAIN,  # attack that own auras give to an arriving minion
    MAGIC,  # spell damage
    WIELDED,  # attack of the current weapon
    MANA,  # mana, with what the cards of the hand can add to it
    # --- the card that is weighed ---
    HARM,  # damage that it adds to the enemy player
    CLEARING,  # damage that it adds to guards
    REMOVES,  # guards that it removes whatever their health
    EVENTS,  # bits of the events that it causes
    # --- all cards ---
    ALL_CLEARING,  # sum of `CLEARING`
    ALL_REMOVES,  # sum of `REMOVES`
    ALL_EVENTS,  # bits of the events that any of them causes
    AURAS,  # the most harm that listeners and auras could do
    ASKED,  # bits of the events for which texts on the own board wait, to do harm
    DRAWS,  # number of cards and powers that draw
    COMBO,  # whether a card asks whether another card was played before
    BOUGHT,  # the most harm of cards that the mana pays for together
    USEFUL,  # bits of the cards that may have a part in a win, by position in the hand
    BEST,  # by mana from 0 to `MANA_MAX`: the most harm of cards that it pays for together
    *_,
) = numbered()
MANA_MAX = 31  # most mana of the table by mana; with more, every card counts as free
WORK_SIZE = BEST + MANA_MAX + 1  # words in all: `BEST` has one for each mana from 0
MOST = 20_000  # cap of the sums: they fit a 16-bit word, and no life comes near it


@compiled(none(Words, i64, i64))
def add(work: Any, word: int, amount: int) -> None:
    """Add an amount to one of the sums, which stays at `MOST` at most."""
    work[word] = min(work[word] + min(amount, MOST), MOST)


# --- events that the own turn causes, as bits ---


def _bits(*events: Event) -> int:
    """Return the bits of events in one word; `ARRIVAL` uses the bit that `AURA` would have."""
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
