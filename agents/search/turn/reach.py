"""Upper estimate of the damage to the enemy player that is possible in the current turn.

The *slack* of a position is the damage that is possible at best minus the damage needed to win. The
first is the damage of ready attackers and affordable cards. The second is the enemy player's life
plus the health of guards that no card removes. A search for a win is useless if the slack is
negative.
"""

from __future__ import annotations

from typing import Any

from agents.search.pressure import guarding_health, life_of
from agents.search.turn import work as sums
from agents.search.turn.card_harm import (
    MINIONS_ONLY,
    attacks_of,
    gain_of,
    mana_of,
    weigh_card,
    weigh_listener,
)
from agents.search.turn.work import add
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.groups import card_of
from sim.engine.general.legality import is_guard
from sim.engine.zones import board, hand, item, player

IS_HOPELESS = -1_000_000  # rank of a position without a win: below all others
# Weights in the rank of a position in the search for a win. Possible damage of cards counts less
# than that of attackers, so that a line in which a card has already done its damage is continued
# first; life that is gone counts most. Measured on 609 wins of real cards and saga: a win of real
# cards took 24 positions in the median and 146 in the 99th percentile; with weights 2, 2 and 3 it
# took 58 and 1,554.
PER_ATTACK = 3  # per damage that attackers can still do
PER_CARD = 2  # per damage that cards can still do
PER_LIFE = 4  # per life and guarding health left, subtracted
POWER_BIT = 1 << 14  # bit of the hero power in `USEFUL`: the highest below the sign
N_PLACES = 14  # number of hand positions with a bit; cards at later positions count as useful
EVERY_CARD = POWER_BIT - 1  # the bits of all hand positions

# --- sums over the own characters and the hand ---


@compiled(none(Words, Words, i64))
def _note_minion(state: Any, work: Any, minion: int) -> None:
    """Add the attacks that an own minion can still make in this turn to the sums in `work`.

    A minion with an attack of 0 counts as ready unless it is new or frozen, since it could attack
    after an effect gives it attack.
    """
    attack = max(state[minion + at.ATTACK], 0)
    ready = max(state[minion + at.READY], 0)
    status = state[minion + at.STATUS]
    if ready == 0 and attack == 0 and status & (at.IS_NEW | at.IS_FROZEN) == 0:
        ready = 1  # it can attack as soon as something gives it attack
    add(work, sums.MARCH, ready * attack)
    if state[minion + at.KEYWORDS] & MINIONS_ONLY:
        return
    add(work, sums.FRESH, ready * attack)
    add(work, sums.N_ATTACKS, ready)
    work[sums.MOST_ATTACKS] = max(work[sums.MOST_ATTACKS], ready)
    tallest = sums.TALLEST_ASLEEP if status & at.IS_NEW else sums.TALLEST
    work[tallest] = max(work[tallest], attack)


@compiled(none(Words, Words, i64))
def _note_player(state: Any, work: Any, leader: int) -> None:
    """Add the attacks, the spell damage and the weapon of the own player to the sums in `work`."""
    damage = max(state[leader + at.READY], 0) * max(state[leader + at.ATTACK], 0)
    add(work, sums.FRESH, damage)
    add(work, sums.MARCH, damage)
    if state[leader + at.STATUS] & at.IS_FROZEN == 0:
        work[sums.HERO_ATTACKS] = max(1 - state[leader + at.N_MADE], state[leader + at.READY], 0)
    work[sums.MAGIC] = state[leader + at.SPELL_DAMAGE]
    weapon = state[leader + at.WEAPON]
    work[sums.WIELDED] = state[weapon + at.ATTACK] if weapon != 0 else 0


@compiled(none(Words, Words, Words, i64))
def _note_hand(state: Any, table: Any, work: Any, seat: int) -> None:
    """Add the attacks and the mana that the cards of a seat's hand give to the sums in `work`.

    Mana counts only from cards that are affordable with the current mana.
    """
    cards = hand(seat)
    mana = state[player(seat) + at.MANA]
    work[sums.MANA] = mana
    for position in range(state[cards]):
        record = item(state, cards, position)
        card = card_of(state, record)
        work[sums.TALLEST_ASLEEP] = max(work[sums.TALLEST_ASLEEP], table[card + at.CARD_ATTACK])
        n_attacks = attacks_of(table, card)
        add(work, sums.N_ATTACKS, n_attacks)
        if n_attacks > 0:
            work[sums.MOST_ATTACKS] = max(work[sums.MOST_ATTACKS], 2)
        if state[record + at.COST] <= mana:
            add(work, sums.MANA, mana_of(table, card))


@compiled(i64(Words, Words, Words, i64), apart=True)
def _weigh_listeners(state: Any, table: Any, work: Any, seat: int) -> int:
    """Return the harm that texts of a seat's minions and weapon do on the events `ALL_EVENTS`."""
    minions = board(seat)
    weapon = state[player(seat) + at.WEAPON]
    total = weigh_listener(work, state, table, weapon) if weapon != 0 else 0
    for position in range(state[minions]):
        total += weigh_listener(work, state, table, item(state, minions, position))
    return total


@compiled(none(Words, Words, Words, i64), apart=True)
def _note_turn(state: Any, table: Any, work: Any, seat: int) -> None:
    """Compute all sums in `work` that do not depend on single cards of the hand.

    These are attacks, mana, the harm of texts in play, and the events on which these texts do harm.
    """
    for word in range(sums.WORK_SIZE):
        work[word] = 0
    work[sums.MOST_ATTACKS] = 1
    minions = board(seat)
    work[sums.OFTEN] = state[minions] + 1
    for position in range(state[minions]):
        minion = item(state, minions, position)
        _note_minion(state, work, minion)
        card = card_of(state, minion)
        if table[card + at.CARD_AURAS] & at.AURAS_CHANGE:
            add(work, sums.GAIN, gain_of(table, card))
    _note_player(state, work, player(seat))
    _note_hand(state, table, work, seat)
    work[sums.ALL_EVENTS] = sums.ANYTHING
    if state[at.GENERAL]:
        add(work, sums.AURAS, _weigh_listeners(state, table, work, seat))
    work[sums.ALL_EVENTS] = sums.BY_ATTACK


# --- sums over the cards of the hand ---


@compiled(none(Words, i64, i64, i64))
def _pay(work: Any, most: int, cost: int, harm: int) -> None:
    """Add a card to the table of the maximum harm by mana, a 0-1 knapsack.

    Args:
        work: sums of the search for a win; the table begins at `BEST`.
        most: highest amount of mana in the table.
        cost: cost of the card.
        harm: harm of the card.
    """
    # From the highest mana down, so that the card is used only once.
    for mana in range(most, cost - 1, -1):
        paid = work[sums.BEST + mana - cost] + harm
        work[sums.BEST + mana] = max(work[sums.BEST + mana], min(paid, sums.MOST))


@compiled(i64(Words, Words, Words, i64, i64, i64), apart=True)
def _add_card(state: Any, table: Any, work: Any, record: int, most: int, guarded: int) -> bool:
    """Add the harm of a card or the hero power to the sums; return whether it may help to win.

    A card helps if it does harm, clears guards, causes an event in `ASKED` or gives mana. A card
    that costs more than `most` is ignored.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        work: sums of the search for a win.
        record: offset of the record of the card, or of the player for the hero power.
        most: maximum mana of the turn.
        guarded: total health of the guards that protect the enemy player.
    """
    cost = 0 if work[sums.MANA] > sums.MANA_MAX else max(state[record + at.COST], 0)
    if cost > most:
        return False
    card = card_of(state, record)
    weigh_card(work, state, table, record, card)
    harm = work[sums.HARM]
    if harm > 0:
        _pay(work, most, cost, harm)
    add(work, sums.ALL_CLEARING, work[sums.CLEARING])
    add(work, sums.ALL_REMOVES, work[sums.REMOVES])
    clears = guarded > 0 and (work[sums.CLEARING] > 0 or work[sums.REMOVES] > 0)
    return (
        harm > 0 or clears or work[sums.EVENTS] & work[sums.ASKED] != 0 or mana_of(table, card) > 0
    )


@compiled(none(Words, Words, Words, i64, i64, i64), apart=True)
def _add_cards(state: Any, table: Any, work: Any, seat: int, most: int, guarded: int) -> None:
    """Add the harm of the hand and the hero power to the sums, and set the bits of `USEFUL`.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        work: sums of the search for a win.
        seat: seat to move.
        most: maximum mana of the turn.
        guarded: total health of the guards that protect the enemy player.
    """
    leader = player(seat)
    cards = hand(seat)
    for position in range(state[cards]):
        record = item(state, cards, position)
        helps = _add_card(state, table, work, record, most, guarded)
        if helps and position < N_PLACES:
            work[sums.USEFUL] |= 1 << position
    may_use = table[at.HERO_POWERS] != 0 and state[leader + at.POWER_USED] == 0
    is_there = state[at.GENERAL] and may_use and state[leader + at.CARD] != at.BLANK
    if is_there and _add_card(state, table, work, leader, most, guarded):
        work[sums.USEFUL] |= POWER_BIT
    if work[sums.COMBO] > 0:  # any card may enable a card that depends on cards played before
        work[sums.USEFUL] |= EVERY_CARD


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def slack_of(state: Any, table: Any, work: Any, seat: int, guarded: int) -> int:
    """Return the damage that is possible in this turn at best, minus the damage needed to win.

    Args:
        state: state of the game, in the turn of `seat`.
        table: numbers of the cards and rules.
        work: sums of the search for a win, overwritten, shape ``[WORK_SIZE]``
            (`agents.search.turn.work`).
        seat: seat to move.
        guarded: total health of the guards that protect the enemy player.
    """
    _note_turn(state, table, work, seat)
    most = min(work[sums.MANA], sums.MANA_MAX)
    _add_cards(state, table, work, seat, most, guarded)
    work[sums.BOUGHT] = work[sums.BEST + most]
    by_texts = work[sums.AURAS]
    if work[sums.ASKED] & ~work[sums.ALL_EVENTS] != 0:
        # Texts in play also react to events that no card causes, so these events are left out.
        by_texts = _weigh_listeners(state, table, work, seat)
    life = life_of(state, 1 - seat)
    slack = work[sums.FRESH] + work[sums.BOUGHT] + by_texts - life
    # If nothing removes the guards, cards alone must win, or the guards must be killed first.
    if guarded > 0 and work[sums.ALL_REMOVES] == 0:
        clearing = work[sums.MARCH] + work[sums.ALL_CLEARING] + by_texts
        slack = min(slack, max(work[sums.BOUGHT] + by_texts, clearing - guarded) - life)
    return slack


# --- rank of positions and choice of actions in a search for a win ---


@compiled(i64(Words, Words, Words, i64), apart=True)
def win_rank(state: Any, table: Any, work: Any, seat: int) -> int:
    """Return the rank of a position in a search for a win, higher if the win is closer.

    The rank is `IS_HOPELESS` if the slack is negative, so that no win is possible.

    Args:
        state: state of the game, in the turn of `seat`.
        table: numbers of the cards and rules.
        work: sums of the search for a win, overwritten, shape ``[WORK_SIZE]``.
        seat: seat to move.
    """
    guarded = guarding_health(state, 1 - seat)
    if slack_of(state, table, work, seat, guarded) < 0:
        return IS_HOPELESS
    ahead = PER_ATTACK * work[sums.FRESH] + PER_CARD * work[sums.BOUGHT]
    return ahead - PER_LIFE * (life_of(state, 1 - seat) + guarded)


@compiled(i64(Words, i64, i64), apart=True)
def _attack_helps(state: Any, asked: int, action: int) -> bool:
    """Return whether an attack may help to win.

    This is so if its target is the enemy player or a guard, or if an event of attacks is in
    `asked`.
    """
    target = action & at.POSITION_MASK
    if target == at.AT_PLAYER or asked & sums.BY_ATTACK:
        return True
    return is_guard(state, item(state, board(1 - state[at.ACTIVE]), target))


@compiled(i64(Words, i64, i64, i64), apart=True)
def may_help(state: Any, useful: int, asked: int, action: int) -> bool:
    """Return whether an action may help to win, by the results of `slack_of` for its position.

    The end of the turn never helps; an answer to a choice always counts as helpful.

    Args:
        state: state of the game.
        useful: bits of the cards that may help, the word `USEFUL` of the work.
        asked: bits of the events on which texts in play do harm, the word `ASKED` of the work.
        action: legal action.
    """
    if action == at.END_TURN:
        return False
    if state[at.PHASE] != at.MAIN_PHASE:
        return True
    if action >= at.USE_POWER:
        return useful & POWER_BIT != 0
    if action >= at.ATTACK_WITH:
        return _attack_helps(state, asked, action)
    position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    return position >= N_PLACES or (useful >> position) & 1 != 0
