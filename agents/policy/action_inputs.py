"""Inputs of the policy network: the card that acts, its target, and what follows.

An *action row* describes one legal action: the card that acts and the card that is its target, each
as a word of its role and its number in the card table, then dense inputs. The row complements the
position row of the seat (`agents.reading.position`), and like it contains nothing hidden.
"""

from __future__ import annotations

from typing import Any

from agents.scripted.scores import fight_score, kills
from agents.scripted.values import text_value
from agents.search.pressure import life_of
from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.groups import card_of, is_player
from sim.engine.general.legality import source_of, text_of
from sim.engine.layout import numbered
from sim.engine.listing import listed, listed_source, listed_target
from sim.engine.zones import board, hand, item, player

# --- roles of the cards that an action uses ---
(
    PLAYED,
    ATTACKING,
    POWER,
    REPLACED,  # in a mulligan
    CHOSEN,  # of the offered cards
    OWN_TARGET,
    ENEMY_TARGET,
    N_ROLES,
    *_,
) = numbered()
ROLE_STRIDE = 2_048  # a card's word is its role times this number, plus the card's number

# --- words of an action row ---
(
    SOURCE_CARD,  # role and number of the acting card, BLANK for none
    TARGET_CARD,  # the same of the target
    *_,
) = numbered()
(
    # kinds of actions
    IS_PLAY,
    IS_ATTACK,
    IS_POWER,
    IS_END,
    IS_REPLACE,
    IS_CHOICE,
    IS_SECOND_OPTION,
    # the acting card
    COST,
    ATTACK,
    HEALTH,
    IS_PLAYER,
    IS_SHIELDED,
    IS_POISONOUS,
    IS_GUARD,
    HAS_WINDFURY,
    IS_SILENT,  # printed text is silenced
    # the target
    AT_ENEMY_PLAYER,
    AT_OWN_PLAYER,
    AT_ENEMY_MINION,
    AT_OWN_MINION,
    TARGET_ATTACK,
    TARGET_HEALTH,
    TARGET_LIFE,  # life and armour of a player
    TARGET_WOUND,  # health missing
    TARGET_IS_SHIELDED,
    TARGET_IS_POISONOUS,
    TARGET_IS_GUARD,
    TARGET_IS_FROZEN,
    TARGET_IS_READY,
    # what follows at once
    KILLS,  # 1 if the attack kills a minion
    DIES,  # 1 if the attacking minion dies
    FIGHT,  # attack and health that a fight takes from the enemy, minus the own loss
    SURPLUS,  # attack beyond the health of the attacked minion
    WINS,  # 1 if the attack kills the enemy player
    GAIN,  # value of the card's text by the formulas of scripted agents
    MANA_LEFT,
    # the own turn so far
    READY_ATTACK,  # attack of own characters that can attack now
    N_READY,  # number of own characters that can attack now
    N_ATTACKS,  # attacks of this turn, at most 3
    N_PLAYED,  # cards played in this turn, at most 5
    POWER_USED,
    N_MARKED,  # cards of the hand to be replaced
    ACTION_SIZE,
    *_,
) = numbered(2)
DENSE = 2  # offset of the dense inputs
N_ACTION_DENSE = ACTION_SIZE - DENSE

_GAIN_MOST = 30  # absolute value above which a gain does not count more
_FACE_WEIGHT = 1  # value of a point of the enemy player's life, as for greedy
SHIELD = int(Keyword.DIVINE_SHIELD)
POISON = int(Keyword.POISONOUS)
TAUNT = int(Keyword.TAUNT)
WINDFURY = int(Keyword.WINDFURY)


@compiled(i64(Words, i64))
def _n_marked(state: Any, seat: int) -> int:
    """Return the number of cards that a seat has chosen to replace in a mulligan."""
    cards = hand(seat)
    n_marked = 0
    for position in range(state[cards]):
        n_marked += state[item(state, cards, position) + at.STATUS] & at.IS_MARKED != 0
    return n_marked


@compiled(i64(i64, i64))
def _in_role(role: int, card: int) -> int:
    """Return the word of a card in a role, or `BLANK` if there is no card."""
    return role * ROLE_STRIDE + card if card >= 0 else at.BLANK


@compiled(none(Words, Words), apart=True)
def write_turn(state: Any, turn: Any) -> None:
    """Write the inputs that describe the own turn so far, which all action rows share.

    Args:
        state: state of the game.
        turn: output, an action row of which only these inputs are written.
    """
    seat = state[at.ACTIVE]
    leader = player(seat)
    own = board(seat)
    ready_attack = state[leader + at.ATTACK] if state[leader + at.READY] > 0 else 0
    n_ready = state[leader + at.READY] > 0
    for position in range(state[own]):
        minion = item(state, own, position)
        if state[minion + at.READY] > 0:
            ready_attack += state[minion + at.ATTACK]
            n_ready += 1
    turn[READY_ATTACK] = ready_attack
    turn[N_READY] = n_ready
    turn[N_ATTACKS] = min(state[at.N_ATTACKS], 3)
    turn[N_PLAYED] = min(state[leader + at.N_PLAYED], 5)
    turn[POWER_USED] = state[leader + at.POWER_USED]
    turn[N_MARKED] = _n_marked(state, seat) if state[at.PHASE] == at.MULLIGAN_PHASE else 0


@compiled(none(Words, i64, Words))
def _write_source(state: Any, record: int, row: Any) -> None:
    """Write the dense inputs of the acting card."""
    keywords = state[record + at.KEYWORDS]
    row[ATTACK] = state[record + at.ATTACK]
    row[HEALTH] = min(state[record + at.HEALTH], _GAIN_MOST)
    row[IS_SHIELDED] = keywords & SHIELD != 0
    row[IS_POISONOUS] = keywords & POISON != 0
    row[IS_GUARD] = keywords & TAUNT != 0
    row[HAS_WINDFURY] = keywords & WINDFURY != 0
    row[IS_SILENT] = state[record + at.STATUS] & at.IS_SILENCED != 0
    row[IS_PLAYER] = is_player(record)


@compiled(none(Words, i64, Words))
def _write_target(state: Any, record: int, row: Any) -> None:
    """Write the inputs of the target."""
    seat = state[at.ACTIVE]
    owner = state[record + at.OWNER]
    row[TARGET_ATTACK] = state[record + at.ATTACK]
    if is_player(record):
        row[AT_OWN_PLAYER if owner == seat else AT_ENEMY_PLAYER] = 1
        row[TARGET_LIFE] = min(life_of(state, owner), _GAIN_MOST)
        return
    role = OWN_TARGET if owner == seat else ENEMY_TARGET
    row[AT_OWN_MINION if owner == seat else AT_ENEMY_MINION] = 1
    row[TARGET_CARD] = _in_role(role, state[record + at.CARD])
    keywords = state[record + at.KEYWORDS]
    row[TARGET_HEALTH] = min(state[record + at.HEALTH], _GAIN_MOST)
    row[TARGET_WOUND] = min(state[record + at.MAX_HEALTH] - state[record + at.HEALTH], _GAIN_MOST)
    row[TARGET_IS_SHIELDED] = keywords & SHIELD != 0
    row[TARGET_IS_POISONOUS] = keywords & POISON != 0
    row[TARGET_IS_GUARD] = keywords & TAUNT != 0
    row[TARGET_IS_FROZEN] = state[record + at.STATUS] & at.IS_FROZEN != 0
    row[TARGET_IS_READY] = state[record + at.READY] > 0


@compiled(none(Words, i64, i64, Words))
def _write_attack(state: Any, attacker: int, defender: int, row: Any) -> None:
    """Write what follows an attack at once."""
    row[IS_ATTACK] = 1
    bearer = state[attacker + at.WEAPON] if is_player(attacker) else attacker
    row[SOURCE_CARD] = _in_role(ATTACKING, state[bearer + at.CARD]) if bearer != 0 else at.BLANK
    if is_player(defender):
        owner = state[defender + at.OWNER]
        row[WINS] = state[attacker + at.ATTACK] >= life_of(state, owner)
        return
    row[KILLS] = kills(state, attacker, defender)
    row[DIES] = not is_player(attacker) and kills(state, defender, attacker)
    row[FIGHT] = fight_score(state, attacker, defender)
    surplus = state[attacker + at.ATTACK] - state[defender + at.HEALTH]
    row[SURPLUS] = min(max(surplus, 0), _GAIN_MOST)


@compiled(none(Words, Words, i64, i64, i64, Words), apart=True)
def _write_text(state: Any, table: Any, action: int, source: int, target: int, row: Any) -> None:
    """Write what follows at once when a card is played or the hero power is used.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        action: number of the action.
        source: record of the card, or of the player for the hero power.
        target: record of the target, 0 for none.
        row: action row.
    """
    card = card_of(state, source)
    option = (action >> at.OPTION_SHIFT) & at.OPTION_MASK
    is_power = is_player(source)
    cost = table[card + at.CARD_COST] if is_power else state[source + at.COST]
    row[IS_POWER if is_power else IS_PLAY] = 1
    row[IS_SECOND_OPTION] = option > 1
    row[COST] = cost
    row[SOURCE_CARD] = _in_role(POWER if is_power else PLAYED, state[source + at.CARD])
    row[MANA_LEFT] = state[player(state[at.ACTIVE]) + at.MANA] - cost
    gain = text_value(state, table, text_of(table, card, option), source, target, _FACE_WEIGHT)
    row[GAIN] = min(max(gain, -_GAIN_MOST), _GAIN_MOST)


@compiled(none(Words, i64, i64, Words))
def _write_answer(state: Any, action: int, source: int, row: Any) -> None:
    """Write the inputs of a replacement in a mulligan, or of a choice among offered cards."""
    leader = player(state[at.ACTIVE])
    if source == 0:
        slot = state[at.CHOICES + 1 + source_of(action)]
        card = state[leader + at.CARD_OF_SLOT + slot]
        row[IS_CHOICE] = 1
        row[SOURCE_CARD] = _in_role(CHOSEN, card)
        return
    row[IS_REPLACE] = 1
    row[COST] = state[source + at.COST]
    row[SOURCE_CARD] = _in_role(REPLACED, state[source + at.CARD])


@compiled(none(Words, Words, i64, Words, Words), apart=True)
def write_action(state: Any, table: Any, k: int, turn: Any, row: Any) -> None:
    """Write the action row of the k-th listed action.

    Args:
        state: state of the game, with its actions listed.
        table: numbers of the cards and rules.
        k: place of the action in the list.
        turn: action row with the inputs of `write_turn`.
        row: output, shape ``[ACTION_SIZE]``.
    """
    for word in range(ACTION_SIZE):
        row[word] = turn[word]
    row[SOURCE_CARD] = at.BLANK
    row[TARGET_CARD] = at.BLANK
    action = listed(state, k)
    source = listed_source(state, k)
    target = listed_target(state, k)
    row[MANA_LEFT] = state[player(state[at.ACTIVE]) + at.MANA]
    if action == at.END_TURN:
        row[IS_END] = 1
        return
    if state[at.PHASE] != at.MAIN_PHASE:
        _write_answer(state, action, source, row)
        return
    _write_source(state, source, row)
    if target != 0:
        _write_target(state, target, row)
    if action >= at.ATTACK_WITH and action < at.USE_POWER:
        _write_attack(state, source, target, row)
    else:
        _write_text(state, table, action, source, target, row)
