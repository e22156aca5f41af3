"""Value of a position for a seat: a weighted sum of features, in whole numbers.

A position may be valued at any point of a turn, since the features describe the next turn of each
side: whether a minion has already attacked makes no difference. `promise` adds what can still be
done in this turn; it only guides the order of the search.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import parameters as param
from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, u64
from sim.engine.general.groups import card_of, is_spell
from sim.engine.general.legality import is_guard
from sim.engine.zones import board, hand, item, player, secrets

TAUNT = int(Keyword.TAUNT)
DIVINE_SHIELD = int(Keyword.DIVINE_SHIELD)
WINDFURY = int(Keyword.WINDFURY)
CANNOT_ATTACK = int(Keyword.CANNOT_ATTACK)
MINIONS_ONLY = int(Keyword.MINIONS_ONLY)
SKILLS = int(Keyword.WINDFURY | Keyword.STEALTH | Keyword.POISONOUS | Keyword.FREEZING)

WON = 30_000  # value of a won game: fits a 16-bit word; running games stay within half of it
FAULTY = -4 * WON  # value of a game that a card's texts have stopped: below every other end
DECK_SHORT = 8  # cards left in a deck from which more make no difference; chosen by hand
_DEAREST = 11  # cost up to which cards are counted: 12 counts of 5 bits fit a 64-bit word


@compiled(i64(i64))
def concave(life: int) -> int:
    """Return life on a concave scale: 7 per point up to 5, 6 up to 10, 3 up to 20, then 2."""
    return 2 * life + min(life, 20) + 3 * min(life, 10) + min(life, 5)


@compiled(i64(Words, i64))
def life_of(state: Any, seat: int) -> int:
    """Return life plus armour of a player."""
    return state[player(seat) + at.HEALTH] + state[player(seat) + at.ARMOR]


# --- one side ---


@compiled(i64(Words, Words, i64, i64))
def _body_value(state: Any, parameters: Any, side: int, minion: int) -> int:
    """Return the value of a minion for its side.

    Args:
        state: the game.
        parameters: settings and weights.
        side: offset of the side's weights, `OWN` or `ENEMY`.
        minion: offset of the minion's record.
    """
    attack = max(state[minion + at.ATTACK], 0)
    health = state[minion + at.HEALTH]
    keywords = state[minion + at.KEYWORDS]
    total = parameters[side + param.BODIES] + parameters[side + param.HEALTH] * health
    if state[minion + at.STATUS] & at.IS_FROZEN:
        total += parameters[side + param.FROZEN] * attack
    elif keywords & CANNOT_ATTACK == 0:
        total += parameters[side + param.ATTACK] * attack
    if keywords & TAUNT:
        total += parameters[side + param.GUARD] * health
    if keywords & DIVINE_SHIELD:
        total += parameters[side + param.SHIELD] * (attack + 1)
    if keywords & SKILLS:
        total += parameters[side + param.SKILL] * (attack + 1)
    if state[minion + at.HEARS] != 0:
        total += parameters[side + param.TEXT]
    return total


@compiled(i64(Words, Words, i64, i64), apart=True)
def _side_value(state: Any, parameters: Any, side: int, seat: int) -> int:
    """Return the value of everything that a seat has.

    Args:
        state: the game.
        parameters: settings and weights.
        side: offset of the side's weights, `OWN` or `ENEMY`.
        seat: the seat.
    """
    leader = player(seat)
    minions = board(seat)
    n_cards = state[hand(seat)]
    if state[at.PHASE] == at.CHOICE_PHASE and state[at.ACTIVE] == seat:
        n_cards += 1  # the chosen card will join the hand
    life = life_of(state, seat)
    total = parameters[side + param.LIFE] * concave(life) + parameters[side + param.POINTS] * life
    total += parameters[side + param.HAND] * n_cards
    total += parameters[side + param.SECRET] * state[secrets(seat)]
    total += parameters[side + param.DECK] * min(state[leader + at.N_CARDS_LEFT], DECK_SHORT)
    weapon = state[leader + at.WEAPON]
    if weapon != 0:
        total += (
            parameters[side + param.WEAPON] * state[weapon + at.ATTACK] * state[weapon + at.HEALTH]
        )
    for position in range(state[minions]):
        total += _body_value(state, parameters, side, item(state, minions, position))
    return total


# --- both sides ---


@compiled(i64(Words, i64), apart=True)
def guarding_health(state: Any, seat: int) -> int:
    """Return the total health of the guards that protect the player of a seat."""
    total = 0
    minions = board(seat)
    for position in range(state[minions]):
        guard = item(state, minions, position)
        if is_guard(state, guard):
            total += state[guard + at.HEALTH]
    return total


@compiled(i64(Words, i64), apart=True)
def coming_attack(state: Any, seat: int) -> int:
    """Return the damage that a seat's characters can do to the enemy player in their next turn.

    The health of guards is subtracted, as if attackers could be combined to match it exactly.
    """
    weapon = state[player(seat) + at.WEAPON]
    own = board(seat)
    total = state[weapon + at.ATTACK] if weapon != 0 else 0
    for position in range(state[own]):
        minion = item(state, own, position)
        keywords = state[minion + at.KEYWORDS]
        if keywords & (CANNOT_ATTACK | MINIONS_ONLY) or state[minion + at.STATUS] & at.IS_FROZEN:
            continue
        total += state[minion + at.ATTACK] * (1 + (keywords & WINDFURY != 0))
    return max(total - guarding_health(state, 1 - seat), 0)


@compiled(i64(Words, Words, i64, i64, i64))
def _pressure_value(state: Any, parameters: Any, first: int, attack: int, seat: int) -> int:
    """Return the value of a coming attack that would kill a player or take half of its life.

    Args:
        state: the game.
        parameters: settings and weights.
        first: offset of the weight for an attack that kills; the next weight is for half the life.
        attack: the coming damage.
        seat: the seat that is attacked.
    """
    life = life_of(state, seat)
    if attack >= life:
        return parameters[first]
    return parameters[first + 1] if 2 * attack >= life else 0


@compiled(i64(Words, Words, i64))
def _next_mana(state: Any, table: Any, seat: int) -> int:
    """Return the mana of a seat's next turn."""
    leader = player(seat)
    cap = min(state[leader + at.MANA_CAP] + 1, table[at.MANA_MAX])
    return max(cap - state[leader + at.OVERLOAD_OWED], 0)


@compiled(u64(Words, i64))
def _packed_costs(state: Any, cards: int) -> int:
    """Return the number of cards of a hand by cost from 0 to `_DEAREST`, 5 bits per cost."""
    packed = 0
    for position in range(state[cards]):
        cost = state[item(state, cards, position) + at.COST]
        if cost <= _DEAREST:
            packed += 1 << (5 * cost)
    return packed


@compiled(i64(u64, i64))
def _n_of_cost(packed: int, cost: int) -> int:
    """Return the number of cards of a cost in the result of `_packed_costs`."""
    return (packed >> (5 * cost)) & 31


@compiled(i64(Words, i64, i64, i64), apart=True)
def _mana_used_by_dear(state: Any, cards: int, mana: int, used: int) -> int:
    """Return the mana used once cards above `_DEAREST` are played, too, the cheapest first.

    Args:
        state: the game.
        cards: offset of the hand.
        mana: available mana; few rulesets have enough for such a card.
        used: mana that cheaper cards use.
    """
    for cost in range(_DEAREST + 1, mana + 1):
        for position in range(state[cards]):
            if state[item(state, cards, position) + at.COST] == cost and used + cost <= mana:
                used += cost
    return used


@compiled(i64(Words, i64, i64))
def _playable_mana(state: Any, seat: int, mana: int) -> int:
    """Return how much of `mana` the cards of a hand can use, the cheapest first.

    The hand is read once for all usual costs, since every tried position needs this number.
    """
    packed = _packed_costs(state, hand(seat))
    used = 0
    cost = 1
    while cost <= _DEAREST and used + cost <= mana:
        n_cards = _n_of_cost(packed, cost)
        if used + n_cards * cost > mana:
            n_cards = (mana - used) // cost
        used += n_cards * cost
        cost += 1
    return used if mana <= _DEAREST else _mana_used_by_dear(state, hand(seat), mana, used)


@compiled(i64(Words, Words, i64))
def _n_spells(state: Any, table: Any, seat: int) -> int:
    """Return the number of spells in a hand."""
    total = 0
    cards = hand(seat)
    for position in range(state[cards]):
        total += is_spell(table, card_of(state, item(state, cards, position)))
    return total


@compiled(i64(Words, Words, Words, i64), apart=True)
def _prospects(state: Any, table: Any, parameters: Any, seat: int) -> int:
    """Return the value of mana and coming attacks, which depends on both sides."""
    leader = player(seat)
    enemy = player(1 - seat)
    total = parameters[param.CRYSTALS] * (state[leader + at.MANA_CAP] - state[enemy + at.MANA_CAP])
    total += parameters[param.OVERLOAD] * state[leader + at.OVERLOAD_OWED]
    total += parameters[param.UNUSED] * state[leader + at.MANA]
    if parameters[param.TRICKS] != 0:  # 0 in plain games, which have no spells
        total += parameters[param.TRICKS] * _n_spells(state, table, seat)
    total += parameters[param.PLAYABLE] * _playable_mana(
        state, seat, _next_mana(state, table, seat)
    )
    total += _pressure_value(state, parameters, param.DANGER, coming_attack(state, 1 - seat), seat)
    total += _pressure_value(state, parameters, param.FINISH, coming_attack(state, seat), 1 - seat)
    if state[board(1 - seat)] == 0 and state[board(seat)] > 0:
        total += parameters[param.MASTERY]
    return total


@compiled(i64(Words, i64))
def end_value(state: Any, seat: int) -> int:
    """Return the value of a finished game."""
    result = state[at.RESULT]
    if result == at.FAULTED:
        return FAULTY
    if result == at.DRAWN:
        return -WON // 2
    return WON if result == seat else -WON


@compiled(i64(Words, Words, Words, i64), apart=True)
def worth(state: Any, table: Any, parameters: Any, seat: int) -> int:
    """Return the value of a position for `seat`, at most half of `WON` while the game goes on.

    Args:
        state: the game, in the turn of either seat.
        table: the numbers of the game's variant.
        parameters: settings and weights (`agents.search.turn.parameters`).
        seat: the seat.
    """
    if state[at.RESULT] != at.RUNNING:
        return end_value(state, seat)
    own = _side_value(state, parameters, param.OWN, seat)
    enemy = _side_value(state, parameters, param.ENEMY, 1 - seat)
    total = own + enemy + _prospects(state, table, parameters, seat)
    return max(min(total, WON // 2), -WON // 2)


# --- what can still be done in this turn ---


@compiled(i64(Words, i64), apart=True)
def _fresh_attack(state: Any, seat: int) -> int:
    """Return the attack that a seat can still use in this turn."""
    leader = player(seat)
    minions = board(seat)
    total = max(state[leader + at.READY], 0) * state[leader + at.ATTACK]
    for position in range(state[minions]):
        minion = item(state, minions, position)
        total += max(state[minion + at.READY], 0) * state[minion + at.ATTACK]
    return total


@compiled(i64(Words, Words, i64))
def promise(state: Any, parameters: Any, seat: int) -> int:
    """Return what unused mana and attack in the own turn add to a position's rank in the search."""
    return parameters[param.FRESH] * (_fresh_attack(state, seat) + state[player(seat) + at.MANA])
