"""Value of a position for a seat: a weighted sum of features, in whole numbers.

Since the features describe the next turn of each side, a position may be valued at any point of a
turn: attacks made in this turn make no difference. `promise` adds a value for unused attack and
mana; it affects only the order of the search.
"""

from __future__ import annotations

from typing import Any

from agents.search.playable import playable_mana
from agents.search.pressure import coming_attack, concave, life_of
from agents.search.turn import parameters as param
from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of, is_spell
from sim.engine.zones import board, hand, item, player, secrets

TAUNT = int(Keyword.TAUNT)
DIVINE_SHIELD = int(Keyword.DIVINE_SHIELD)
WINDFURY = int(Keyword.WINDFURY)
CANNOT_ATTACK = int(Keyword.CANNOT_ATTACK)
MINIONS_ONLY = int(Keyword.MINIONS_ONLY)
SKILLS = int(Keyword.WINDFURY | Keyword.STEALTH | Keyword.POISONOUS | Keyword.FREEZING)

WON = 30_000  # value of a won game: fits a 16-bit word; running games have at most half of it
FAULTY = -4 * WON  # value of a game that ended by a fault: lower than every other result
DECK_SHORT = 8  # number of cards left in a deck above which more do not count; chosen by hand


# --- value of one side ---


@compiled(i64(Words, Words, i64, i64))
def _body_value(state: Any, parameters: Any, side: int, minion: int) -> int:
    """Return the value of a minion by the weights of its side.

    Args:
        state: state of the game.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
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
    """Return the value of a seat's life, hand, secrets, deck, weapon and minions.

    Args:
        state: state of the game.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        side: offset of the side's weights, `OWN` or `ENEMY`.
        seat: seat that is valued.
    """
    leader = player(seat)
    minions = board(seat)
    n_cards = state[hand(seat)]
    if state[at.PHASE] == at.CHOICE_PHASE and state[at.ACTIVE] == seat:
        n_cards += 1  # the card that is being chosen will be added to the hand
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


# --- features that depend on both sides ---


@compiled(i64(Words, Words, i64, i64, i64))
def _pressure_value(state: Any, parameters: Any, first: int, attack: int, seat: int) -> int:
    """Return the value of damage that would kill a player or take at least half of its life.

    The value is 0 for less damage.

    Args:
        state: state of the game.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        first: offset of the weight for lethal damage; the next word is the weight for half of the
            life.
        attack: damage in the next turn.
        seat: seat of the player that is attacked.
    """
    life = life_of(state, seat)
    if attack >= life:
        return parameters[first]
    return parameters[first + 1] if 2 * attack >= life else 0


@compiled(i64(Words, Words, i64))
def _next_mana(state: Any, table: Any, seat: int) -> int:
    """Return the mana of a seat's next turn: its next cap, within the rules, less owed overload."""
    leader = player(seat)
    cap = min(state[leader + at.MANA_CAP] + 1, table[at.MANA_MAX])
    return max(cap - state[leader + at.OVERLOAD_OWED], 0)


@compiled(i64(Words, Words, i64))
def _n_spells(state: Any, table: Any, seat: int) -> int:
    """Return the number of spells in a seat's hand."""
    total = 0
    cards = hand(seat)
    for position in range(state[cards]):
        total += is_spell(table, card_of(state, item(state, cards, position)))
    return total


@compiled(i64(Words, Words, Words, i64), apart=True)
def _prospects(state: Any, table: Any, parameters: Any, seat: int) -> int:
    """Return the value of a seat's mana, playable cards, and possible attacks of both sides."""
    leader = player(seat)
    enemy = player(1 - seat)
    total = parameters[param.CRYSTALS] * (state[leader + at.MANA_CAP] - state[enemy + at.MANA_CAP])
    total += parameters[param.OVERLOAD] * state[leader + at.OVERLOAD_OWED]
    total += parameters[param.UNUSED] * state[leader + at.MANA]
    # Weights for plain games, which have no spells, are 0, so that the hand need not be read.
    if parameters[param.TRICKS] != 0:
        total += parameters[param.TRICKS] * _n_spells(state, table, seat)
    total += parameters[param.PLAYABLE] * playable_mana(
        state, hand(seat), _next_mana(state, table, seat)
    )
    total += _pressure_value(state, parameters, param.DANGER, coming_attack(state, 1 - seat), seat)
    total += _pressure_value(state, parameters, param.FINISH, coming_attack(state, seat), 1 - seat)
    if state[board(1 - seat)] == 0 and state[board(seat)] > 0:
        total += parameters[param.MASTERY]
    return total


@compiled(i64(Words, i64))
def end_value(state: Any, seat: int) -> int:
    """Return the value of a finished game for a seat.

    A win counts `WON`, a loss -`WON`, a draw half a loss, and a fault `FAULTY`.
    """
    result = state[at.RESULT]
    if result == at.FAULTED:
        return FAULTY
    if result == at.DRAWN:
        return -WON // 2
    return WON if result == seat else -WON


@compiled(i64(Words, Words, Words, i64), apart=True)
def worth(state: Any, table: Any, parameters: Any, seat: int) -> int:
    """Return the value of a position for a seat.

    While the game is running, the value is clipped to between -`WON` / 2 and `WON` / 2.

    Args:
        state: state of the game, in the turn of either seat.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``
            (`agents.search.turn.parameters`).
        seat: seat for which the position is valued.
    """
    if state[at.RESULT] != at.RUNNING:
        return end_value(state, seat)
    own = _side_value(state, parameters, param.OWN, seat)
    enemy = _side_value(state, parameters, param.ENEMY, 1 - seat)
    total = own + enemy + _prospects(state, table, parameters, seat)
    return max(min(total, WON // 2), -WON // 2)


# --- unused attack and mana of this turn ---


@compiled(i64(Words, i64), apart=True)
def _fresh_attack(state: Any, seat: int) -> int:
    """Return the total attack that a seat's characters can still use in this turn."""
    leader = player(seat)
    minions = board(seat)
    total = max(state[leader + at.READY], 0) * state[leader + at.ATTACK]
    for position in range(state[minions]):
        minion = item(state, minions, position)
        total += max(state[minion + at.READY], 0) * state[minion + at.ATTACK]
    return total


@compiled(i64(Words, Words, i64))
def promise(state: Any, parameters: Any, seat: int) -> int:
    """Return the bonus of a seat's unused attack and mana in the rank of a position."""
    return parameters[param.FRESH] * (_fresh_attack(state, seat) + state[player(seat) + at.MANA])
