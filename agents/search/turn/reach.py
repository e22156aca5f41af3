"""How far the enemy player is from dying in this turn, at the best that the turn could bring.

The *slack* is what ready attackers and the cards that the mana pays for could do beyond what is
needed: the life, and the health of guards that nothing removes. Below 0 no search for a win is
worth its while.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import work as of
from agents.search.turn.card_harm import (
    MINIONS_ONLY,
    attacks_of,
    gain_of,
    mana_of,
    weigh_card,
    weigh_listener,
)
from agents.search.turn.features import guarding_health, life_of
from agents.search.turn.work import add
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.groups import card_of
from sim.engine.general.legality import is_guard
from sim.engine.zones import board, hand, item, player

IS_HOPELESS = -1_000_000
# Of a position's rank. Damage that cards may do counts less than that of attackers, so that a line
# in which a card has done what was hoped for goes on first; and what is gone of life counts most.
# On 609 wins of real cards and of saga they needed 24 positions in the median, 146 in 99 of 100
# for real cards; 2, 2 and 3 needed 58 and 1,554.
PER_ATTACK = 3
PER_CARD = 2
PER_LIFE = 4
POWER_BIT = 1 << 14  # of `USEFUL`, the hero power; below it the first places of the hand
N_PLACES = 14
EVERY_CARD = POWER_BIT - 1

# --- what is there ---


@compiled(none(Words, Words, i64))
def _note_minion(state: Any, work: Any, minion: int) -> None:
    """Add what an own minion can still do in this turn."""
    attack = max(state[minion + at.ATTACK], 0)
    ready = max(state[minion + at.READY], 0)
    status = state[minion + at.STATUS]
    if ready == 0 and attack == 0 and status & (at.IS_NEW | at.IS_FROZEN) == 0:
        ready = 1  # as soon as something gives it attack
    add(work, of.MARCH, ready * attack)
    if state[minion + at.KEYWORDS] & MINIONS_ONLY:
        return
    add(work, of.FRESH, ready * attack)
    add(work, of.N_ATTACKS, ready)
    work[of.MOST_ATTACKS] = max(work[of.MOST_ATTACKS], ready)
    tallest = of.TALLEST_ASLEEP if status & at.IS_NEW else of.TALLEST
    work[tallest] = max(work[tallest], attack)


@compiled(none(Words, Words, i64))
def _note_player(state: Any, work: Any, leader: int) -> None:
    """Add what the own player can still do by itself."""
    damage = max(state[leader + at.READY], 0) * max(state[leader + at.ATTACK], 0)
    add(work, of.FRESH, damage)
    add(work, of.MARCH, damage)
    if state[leader + at.STATUS] & at.IS_FROZEN == 0:
        work[of.HERO_ATTACKS] = max(1 - state[leader + at.N_MADE], state[leader + at.READY], 0)
    work[of.MAGIC] = state[leader + at.SPELL_DAMAGE]
    weapon = state[leader + at.WEAPON]
    work[of.WIELDED] = state[weapon + at.ATTACK] if weapon != 0 else 0


@compiled(none(Words, Words, Words, i64))
def _note_hand(state: Any, table: Any, work: Any, seat: int) -> None:
    """Add hasty bodies of the hand to the attacks, and the mana that its cards give."""
    cards = hand(seat)
    mana = state[player(seat) + at.MANA]
    work[of.MANA] = mana
    for position in range(state[cards]):
        record = item(state, cards, position)
        card = card_of(state, record)
        work[of.TALLEST_ASLEEP] = max(work[of.TALLEST_ASLEEP], table[card + at.CARD_ATTACK])
        n_attacks = attacks_of(table, card)
        add(work, of.N_ATTACKS, n_attacks)
        if n_attacks > 0:
            work[of.MOST_ATTACKS] = max(work[of.MOST_ATTACKS], 2)
        if state[record + at.COST] <= mana:
            add(work, of.MANA, mana_of(table, card))


@compiled(i64(Words, Words, Words, i64), apart=True)
def _weigh_listeners(state: Any, table: Any, work: Any, seat: int) -> int:
    """The harm that texts on the own board can do as they hear of what `DEEDS` bring about."""
    minions = board(seat)
    weapon = state[player(seat) + at.WEAPON]
    total = weigh_listener(work, state, table, weapon) if weapon != 0 else 0
    for position in range(state[minions]):
        total += weigh_listener(work, state, table, item(state, minions, position))
    return total


@compiled(none(Words, Words, Words, i64), apart=True)
def _note_turn(state: Any, table: Any, work: Any, seat: int) -> None:
    """Write down what the own characters can do, and what listeners wait for."""
    for word in range(of.WORK_SIZE):
        work[word] = 0
    work[of.MOST_ATTACKS] = 1
    minions = board(seat)
    work[of.OFTEN] = state[minions] + 1
    for position in range(state[minions]):
        minion = item(state, minions, position)
        _note_minion(state, work, minion)
        card = card_of(state, minion)
        if table[card + at.CARD_AURAS] & at.AURAS_CHANGE:
            add(work, of.GAIN, gain_of(table, card))
    _note_player(state, work, player(seat))
    _note_hand(state, table, work, seat)
    work[of.DEEDS] = of.ANYTHING
    if state[at.GENERAL]:
        add(work, of.AURAS, _weigh_listeners(state, table, work, seat))
    work[of.DEEDS] = of.BY_ATTACK


# --- what the cards add ---


@compiled(none(Words, i64, i64, i64))
def _pay(work: Any, most: int, cost: int, harm: int) -> None:
    """Let a card's harm be some of what so much mana can pay for, each card once."""
    for mana in range(most, cost - 1, -1):
        paid = work[of.BEST + mana - cost] + harm
        work[of.BEST + mana] = max(work[of.BEST + mana], min(paid, of.MOST))


@compiled(i64(Words, Words, Words, i64, i64, i64), apart=True)
def _add_card(state: Any, table: Any, work: Any, record: int, most: int, guarded: int) -> bool:
    """Add what a card of the hand, or the hero power, can do; whether that may help.

    Args:
        state: the game.
        table: the numbers.
        work: the sums.
        record: the card, or the player for the hero power.
        most: mana that there may be.
        guarded: health of the guards in the way.
    """
    cost = 0 if work[of.MANA] > of.MANA_MAX else max(state[record + at.COST], 0)
    if cost > most:
        return False
    card = card_of(state, record)
    weigh_card(work, state, table, record, card)
    harm = work[of.HARM]
    if harm > 0:
        _pay(work, most, cost, harm)
    add(work, of.ALL_CLEARING, work[of.CLEARING])
    add(work, of.ALL_REMOVES, work[of.REMOVES])
    clears = guarded > 0 and (work[of.CLEARING] > 0 or work[of.REMOVES] > 0)
    return harm > 0 or clears or work[of.DOES] & work[of.ASKED] != 0 or mana_of(table, card) > 0


@compiled(none(Words, Words, Words, i64, i64, i64), apart=True)
def _add_cards(state: Any, table: Any, work: Any, seat: int, most: int, guarded: int) -> None:
    """Add what the hand and the hero power can do, and note which of them may help."""
    leader = player(seat)
    cards = hand(seat)
    for position in range(state[cards]):
        record = item(state, cards, position)
        helps = _add_card(state, table, work, record, most, guarded)
        if helps and position < N_PLACES:
            work[of.USEFUL] |= 1 << position
    may_use = table[at.HERO_POWERS] != 0 and state[leader + at.POWER_USED] == 0
    is_there = state[at.GENERAL] and may_use and state[leader + at.CARD] != at.BLANK
    if is_there and _add_card(state, table, work, leader, most, guarded):
        work[of.USEFUL] |= POWER_BIT
    if work[of.COMBO] > 0:  # any card may come before one that asks for that
        work[of.USEFUL] |= EVERY_CARD


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def slack_of(state: Any, table: Any, work: Any, seat: int, guarded: int) -> int:
    """What the turn of `seat` could do beyond what kills the enemy player, at its best.

    Args:
        state: the game in the turn of `seat`.
        table: the numbers of its variant.
        work: ``[WORK_SIZE]`` words, overwritten (`agents.search.turn.card_harm`).
        seat: whose turn it is.
        guarded: health of the guards in the way.
    """
    _note_turn(state, table, work, seat)
    most = min(work[of.MANA], of.MANA_MAX)
    _add_cards(state, table, work, seat, most, guarded)
    work[of.BOUGHT] = work[of.BEST + most]
    heard = work[of.AURAS]
    if work[of.ASKED] & ~work[of.DEEDS] != 0:  # some text waits for what nothing brings about
        heard = _weigh_listeners(state, table, work, seat)
    life = life_of(state, 1 - seat)
    slack = work[of.FRESH] + work[of.BOUGHT] + heard - life
    if guarded > 0 and work[of.ALL_REMOVES] == 0:  # by cards alone, or once the guards are dead
        clearing = work[of.MARCH] + work[of.ALL_CLEARING] + heard
        slack = min(slack, max(work[of.BOUGHT] + heard, clearing - guarded) - life)
    return slack


# --- what a search asks ---


@compiled(i64(Words, Words, Words, i64), apart=True)
def win_rank(state: Any, table: Any, work: Any, seat: int) -> int:
    """The place of a position in a search for a win, `IS_HOPELESS` where there can be none."""
    guarded = guarding_health(state, 1 - seat)
    if slack_of(state, table, work, seat, guarded) < 0:
        return IS_HOPELESS
    ahead = PER_ATTACK * work[of.FRESH] + PER_CARD * work[of.BOUGHT]
    return ahead - PER_LIFE * (life_of(state, 1 - seat) + guarded)


@compiled(i64(Words, i64, i64), apart=True)
def _attack_helps(state: Any, asked: int, action: int) -> bool:
    """Whether an attack may have a part in a win: on the player, on a guard, or as it is heard."""
    target = action & at.POSITION_MASK
    if target == at.AT_PLAYER or asked & of.BY_ATTACK:
        return True
    return is_guard(state, item(state, board(1 - state[at.ACTIVE]), target))


@compiled(i64(Words, i64, i64, i64), apart=True)
def may_help(state: Any, useful: int, asked: int, action: int) -> bool:
    """Whether an action may have a part in a win, by what `slack_of` found in its position.

    Args:
        state: the position.
        useful: `USEFUL`: the cards that may help.
        asked: `ASKED`: the events that may help, since a text listens to them.
        action: one that is legal.
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
