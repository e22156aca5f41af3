"""The words in which a search for a win sums up what a turn can do: memory of the search's own."""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.layout import numbered

(
    FRESH,  # damage that the own characters can do to a player in their attacks
    MARCH,  # likewise to minions
    N_ATTACKS,  # attacks that they can still make, and those that the hand may bring
    MOST_ATTACKS,  # of one character
    TALLEST,  # attack of the strongest minion that is awake, whether it has attacked or not
    TALLEST_ASLEEP,  # and of the strongest that arrived in this turn, or lies in the hand
    HERO_ATTACKS,  # that the player could make with a weapon
    OFTEN,  # own minions that may die
    GAIN,  # attack that own auras give to a minion that arrives
    MAGIC,  # spell damage
    WIELDED,  # attack of the weapon that there is
    MANA,  # that the hand can raise the mana to
    HARM,  # of the card: damage to the enemy player
    CLEARING,  # damage to guards
    REMOVES,  # guards that it takes out of the way whatever their health
    DOES,  # bits of the events that it brings about
    ALL_CLEARING,  # the same of all cards
    ALL_REMOVES,
    DEEDS,
    AURAS,  # harm that listeners and auras could do at all
    ASKED,  # bits of the events that some text of the own board waits for, to do harm
    DRAWS,  # cards and powers that draw
    COMBO,  # whether some card asks whether another was played before
    BOUGHT,  # the most harm of the cards that the mana pays for
    USEFUL,  # bits: cards of the hand that may have a part in a win, by their position
    BEST,  # by mana, the most harm of the cards that it pays for
    *_,
) = numbered()
MANA_MAX = 31  # with more than that, every card is taken to be free
WORK_SIZE = BEST + MANA_MAX + 1
MOST = 20_000  # no sum grows beyond: it fits a word, and two lives are less


@compiled(none(Words, i64, i64))
def add(work: Any, word: int, amount: int) -> None:
    """Add to one of the sums, which stops at `MOST`."""
    work[word] = min(work[word] + min(amount, MOST), MOST)


# --- events that the own turn brings about, as bits ---


def _bits(*events: Event) -> int:
    """Bits of events that a turn brings about, in one word: `ARRIVAL` takes the place of `AURA`."""
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
