"""What a position is worth to a seat: a sum of weighted features, in whole numbers.

It may be asked in any turn, since it asks what will count in the next one of each side: whether
a minion has attacked already makes no difference. Beside it stands what guides the order of the
search in this turn: what can still be done.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import parameters as of
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

WON = 30_000  # points: more than any position that goes on
FAULTY = -4 * WON  # a game that a card's texts have stopped: nobody wants to go there
DECK_SHORT = 8  # with more cards left nobody thinks of the deck's end
_DEAREST = 11  # cost up to which cards are counted: 12 counts of 5 bits fit one word of 64


@compiled(i64(i64))
def concave(life: int) -> int:
    """Life as it counts: 7 for each of the first 5 points, 6 up to 10, 3 up to 20, then 2."""
    return 2 * life + min(life, 20) + 3 * min(life, 10) + min(life, 5)


@compiled(i64(Words, i64))
def life_of(state: Any, seat: int) -> int:
    """Life and armour of a player."""
    return state[player(seat) + at.HEALTH] + state[player(seat) + at.ARMOR]


# --- one side ---


@compiled(i64(Words, Words, i64, i64))
def _body_worth(state: Any, parameters: Any, side: int, minion: int) -> int:
    """What a minion counts for its side."""
    attack = max(state[minion + at.ATTACK], 0)
    health = state[minion + at.HEALTH]
    keywords = state[minion + at.KEYWORDS]
    total = parameters[side + of.BODIES] + parameters[side + of.HEALTH] * health
    if state[minion + at.STATUS] & at.IS_FROZEN:
        total += parameters[side + of.FROZEN] * attack
    elif keywords & CANNOT_ATTACK == 0:
        total += parameters[side + of.ATTACK] * attack
    if keywords & TAUNT:
        total += parameters[side + of.GUARD] * health
    if keywords & DIVINE_SHIELD:
        total += parameters[side + of.SHIELD] * (attack + 1)
    if keywords & SKILLS:
        total += parameters[side + of.SKILL] * (attack + 1)
    if state[minion + at.HEARS] != 0:
        total += parameters[side + of.TEXT]
    return total


@compiled(i64(Words, Words, i64, i64), apart=True)
def _side_worth(state: Any, parameters: Any, side: int, seat: int) -> int:
    """What all that a seat has counts, by the weights from word `side` of the parameters on."""
    leader = player(seat)
    minions = board(seat)
    n_cards = state[hand(seat)]
    if state[at.PHASE] == at.CHOICE_PHASE and state[at.ACTIVE] == seat:
        n_cards += 1  # one of those to choose from will come
    life = life_of(state, seat)
    total = parameters[side + of.LIFE] * concave(life) + parameters[side + of.POINTS] * life
    total += parameters[side + of.HAND] * n_cards
    total += parameters[side + of.SECRET] * state[secrets(seat)]
    total += parameters[side + of.DECK] * min(state[leader + at.N_CARDS_LEFT], DECK_SHORT)
    weapon = state[leader + at.WEAPON]
    if weapon != 0:
        total += (
            parameters[side + of.WEAPON] * state[weapon + at.ATTACK] * state[weapon + at.HEALTH]
        )
    for position in range(state[minions]):
        total += _body_worth(state, parameters, side, item(state, minions, position))
    return total


# --- both sides ---


@compiled(i64(Words, i64), apart=True)
def guarding_health(state: Any, seat: int) -> int:
    """Health of the guards in the way to the player of a seat."""
    total = 0
    minions = board(seat)
    for position in range(state[minions]):
        guard = item(state, minions, position)
        if is_guard(state, guard):
            total += state[guard + at.HEALTH]
    return total


@compiled(i64(Words, i64), apart=True)
def coming_attack(state: Any, seat: int) -> int:
    """Damage that the characters of a seat can do to the enemy player in their next turn.

    Guards in the way take away their health, as if attackers met it exactly.
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
def _pressed(state: Any, parameters: Any, first: int, attack: int, seat: int) -> int:
    """What it counts that an attack is to be feared by a seat.

    Args:
        state: the game.
        parameters: the weights.
        first: which weight is for an attack that kills; that behind it is for half the life.
        attack: the damage to come.
        seat: who is to fear it.
    """
    life = life_of(state, seat)
    if attack >= life:
        return parameters[first]
    return parameters[first + 1] if 2 * attack >= life else 0


@compiled(i64(Words, Words, i64))
def _next_mana(state: Any, table: Any, seat: int) -> int:
    """Mana of a seat's next turn."""
    leader = player(seat)
    cap = min(state[leader + at.MANA_CAP] + 1, table[at.MANA_MAX])
    return max(cap - state[leader + at.OVERLOAD_OWED], 0)


@compiled(u64(Words, i64))
def _packed_costs(state: Any, cards: int) -> int:
    """How many cards of a hand have each cost from 0 to `_DEAREST`, five bits a cost."""
    packed = 0
    for position in range(state[cards]):
        cost = state[item(state, cards, position) + at.COST]
        if cost <= _DEAREST:
            packed += 1 << (5 * cost)
    return packed


@compiled(i64(u64, i64))
def _n_of_cost(packed: int, cost: int) -> int:
    """How many cards have this cost, of packed numbers."""
    return (packed >> (5 * cost)) & 31


@compiled(i64(Words, i64, i64, i64), apart=True)
def _use_the_dear(state: Any, cards: int, mana: int, used: int) -> int:
    """How much mana is used once cards above `_DEAREST` are played, too, the cheapest first.

    Args:
        state: the game.
        cards: the hand.
        mana: how much there is; few rulesets have as much as such a card costs.
        used: how much of it the cheaper cards use.
    """
    for cost in range(_DEAREST + 1, mana + 1):
        for position in range(state[cards]):
            if state[item(state, cards, position) + at.COST] == cost and used + cost <= mana:
                used += cost
    return used


@compiled(i64(Words, i64, i64))
def _playable(state: Any, seat: int, mana: int) -> int:
    """How much of so much mana the cards of a hand could use, the cheapest first.

    The hand is read once for the usual costs, since every position that is tried asks.
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
    return used if mana <= _DEAREST else _use_the_dear(state, hand(seat), mana, used)


@compiled(i64(Words, Words, i64))
def _tricks(state: Any, table: Any, seat: int) -> int:
    """How many spells a hand holds."""
    n_spells = 0
    cards = hand(seat)
    for position in range(state[cards]):
        n_spells += is_spell(table, card_of(state, item(state, cards, position)))
    return n_spells


@compiled(i64(Words, Words, Words, i64), apart=True)
def _prospects(state: Any, table: Any, parameters: Any, seat: int) -> int:
    """What counts beside what the sides have: mana, and who is about to kill whom."""
    leader = player(seat)
    enemy = player(1 - seat)
    total = parameters[of.CRYSTALS] * (state[leader + at.MANA_CAP] - state[enemy + at.MANA_CAP])
    total += parameters[of.OVERLOAD] * state[leader + at.OVERLOAD_OWED]
    total += parameters[of.UNUSED] * state[leader + at.MANA]
    if parameters[of.TRICKS] != 0:  # 0 in plain games, which have no spells
        total += parameters[of.TRICKS] * _tricks(state, table, seat)
    total += parameters[of.PLAYABLE] * _playable(state, seat, _next_mana(state, table, seat))
    total += _pressed(state, parameters, of.DANGER, coming_attack(state, 1 - seat), seat)
    total += _pressed(state, parameters, of.FINISH, coming_attack(state, seat), 1 - seat)
    if state[board(1 - seat)] == 0 and state[board(seat)] > 0:
        total += parameters[of.MASTERY]
    return total


@compiled(i64(Words, i64))
def end_worth(state: Any, seat: int) -> int:
    """What a finished game is worth."""
    result = state[at.RESULT]
    if result == at.FAULTED:
        return FAULTY
    if result == at.DRAWN:
        return -WON // 2
    return WON if result == seat else -WON


@compiled(i64(Words, Words, Words, i64), apart=True)
def worth(state: Any, table: Any, parameters: Any, seat: int) -> int:
    """What a position is worth to `seat`, far from `WON` while the game goes on.

    Args:
        state: the game, whoever is to move.
        table: the numbers of its variant.
        parameters: the weights (`agents.search.turn.parameters`).
        seat: whose worth is asked for.
    """
    if state[at.RESULT] != at.RUNNING:
        return end_worth(state, seat)
    own = _side_worth(state, parameters, of.OWN, seat)
    enemy = _side_worth(state, parameters, of.ENEMY, 1 - seat)
    total = own + enemy + _prospects(state, table, parameters, seat)
    return max(min(total, WON // 2), -WON // 2)


# --- what can still be done in this turn ---


@compiled(i64(Words, i64), apart=True)
def _fresh_attack(state: Any, seat: int) -> int:
    """Attack that a seat can still use in this turn."""
    leader = player(seat)
    minions = board(seat)
    total = max(state[leader + at.READY], 0) * state[leader + at.ATTACK]
    for position in range(state[minions]):
        minion = item(state, minions, position)
        total += max(state[minion + at.READY], 0) * state[minion + at.ATTACK]
    return total


@compiled(i64(Words, Words, i64))
def promise(state: Any, parameters: Any, seat: int) -> int:
    """What mana and attack that are left in the own turn add to a position's place in the order."""
    return parameters[of.FRESH] * (_fresh_attack(state, seat) + state[player(seat) + at.MANA])
