"""Inputs of the learned value: what a seat may see at the start of its turn, as words.

A *position row* has three parts: dense inputs, which are numbers such as lives, mana and sums over
minions; the number of listed cards; and the listed cards, each as one word of its zone and its
number in the card table. Cards that the seat cannot distinguish, those in the enemy's hand, deck
and secrets, are listed together, so that the row contains no hidden information.
"""

from __future__ import annotations

from typing import Any

from agents.search.playable import playable_mana
from agents.search.pressure import coming_attack, concave, guarding_health, life_of
from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, Words, compiled, i64, none
from sim.engine.general.groups import card_of, is_spell
from sim.engine.layout import numbered
from sim.engine.zones import board, hand, item, player, secrets
from sim.ruleset import BOARD_CAPACITY, DECK_CAPACITY, HAND_CAPACITY

# --- zones of listed cards ---
(
    OWN_HAND,
    OWN_DECK,
    ENEMY_UNSEEN,  # cards in the enemy's hand, deck and secrets
    OWN_BOARD,
    ENEMY_BOARD,
    OWN_WEAPON,
    ENEMY_WEAPON,
    OWN_POWER,  # hero power
    ENEMY_POWER,
    OWN_SECRETS,
    N_ZONES,
    *_,
) = numbered()
ZONE_STRIDE = 2_048  # a listed card's word is its zone times this number, plus the card's number

# --- dense inputs of one minion, of which the sums over each board are inputs ---
(
    MINIONS,  # 1
    ABLE_ATTACK,  # attack, if the minion can attack in its side's next turn
    HEALTH,
    FROZEN_ATTACK,  # attack of a frozen minion
    IDLE_ATTACK,  # attack of a minion that can never attack
    GUARD_HEALTH,  # health of a minion with taunt
    SHIELDED,  # attack + 1 of a minion with a shield
    WINDFURIOUS,  # attack + 1 of a minion with windfury
    STEALTHY,  # attack + 1 of a minion with stealth
    POISONOUS,  # attack + 1 of a minion with poison
    FREEZING,  # 1 for a minion that freezes
    HEARING,  # 1 for a minion with a text that reacts to events
    SHORTER,  # smaller of attack and health
    TOUGHNESS,  # health above attack
    SMALL_ATTACK,  # attack, at most 3
    SMALL_HEALTH,  # health, at most 3
    BODY_SIZE,
    *_,
) = numbered()

# --- dense inputs of the whole position; names with ENEMY_ are of the enemy's side ---
(
    CONCAVE_LIFE,  # life and armour, of which the last points count most
    ENEMY_CONCAVE_LIFE,
    LIFE,  # life and armour
    ENEMY_LIFE,
    CARDS,  # cards in the hand
    ENEMY_CARDS,
    DECK_SHORT,  # cards in the deck, at most 8
    ENEMY_DECK_SHORT,
    DECK,  # cards in the deck
    ENEMY_DECK,
    WEAPON_DAMAGE,  # attack times durability of the weapon
    ENEMY_WEAPON_DAMAGE,
    WEAPON_ATTACK,
    ENEMY_WEAPON_ATTACK,
    SECRETS,
    ENEMY_SECRETS,
    MANA_CAP,
    ENEMY_MANA_CAP,
    MANA,  # mana of this turn
    OWED,  # mana that overload takes from the enemy's next turn
    USABLE_MANA,  # mana that the hand can use if the cheapest cards are played first
    SPELLS,  # spells in the hand
    HAND_COST,  # sum of the costs of the hand
    UNUSABLE_COST,  # sum of the costs beyond the mana, at most 40
    IN_DANGER,  # 1 if the enemy's characters could kill the player in the enemy's next turn
    IS_THREATENED,  # 1 if they could take half of its life
    CAN_FINISH,  # 1 if the own characters could kill the enemy player in this turn
    IS_PRESSING,  # 1 if they could take half of its life
    RULES_ALONE,  # 1 if only the own side has minions
    ENEMY_RULES_ALONE,
    COMING,  # damage that the own characters can do, at most 30
    ENEMY_COMING,
    GUARDS,  # health of guards, at most 30
    ENEMY_GUARDS,
    SPELL_DAMAGE,
    ENEMY_SPELL_DAMAGE,
    FATIGUE,
    ENEMY_FATIGUE,
    TURN,  # number of the turn, at most 30
    LOW_LIFE,  # life and armour missing to 10
    ENEMY_LOW_LIFE,
    LIFE_LEFT,  # life after the damage that may come, at most 15
    ENEMY_LIFE_LEFT,
    IS_FULL,  # 1 if the own board is full
    MANA_MAX,  # maximum mana of the rules
    BODIES,  # first of the sums over the own minions
    *_,
) = numbered()
ENEMY_BODIES = BODIES + BODY_SIZE  # first of the sums over the enemy's minions
N_DENSE = ENEMY_BODIES + BODY_SIZE  # number of dense inputs
N_CARDS = N_DENSE  # offset of the number of listed cards, which follow
# Every place of both sides and the four single cards; more than `DECK_CAPACITY` cards left in both
# decks together are not listed, since no shipped rules permit so many.
CARDS_MAX = 2 * HAND_CAPACITY + 2 * BOARD_CAPACITY + DECK_CAPACITY + 14
ROW_SIZE = N_CARDS + 1 + CARDS_MAX

_LONG = 8  # cards in a deck above which more do not count in `DECK_SHORT`
_MUCH = 30  # damage, health or turns above which more do not count; about a whole life
_COST_MUCH = 40  # cost above which more does not count: four turns of mana
_LIFE_MUCH = 15  # life left above which more does not count; half of a whole life
_LIFE_LOW = 10  # life below which the missing points are counted
TAUNT = int(Keyword.TAUNT)
SHIELD = int(Keyword.DIVINE_SHIELD)
WINDFURY = int(Keyword.WINDFURY)
STEALTH = int(Keyword.STEALTH)
POISON = int(Keyword.POISONOUS)
FREEZES = int(Keyword.FREEZING)
CANNOT_ATTACK = int(Keyword.CANNOT_ATTACK)


# --- listed cards ---


@compiled(none(Words, i64, i64))
def _list_card(row: Any, zone: int, card: int) -> None:
    """Add a card to the list of a row, unless it is a blank or the list is full."""
    n_cards = row[N_CARDS]
    if card >= 0 and n_cards < CARDS_MAX:
        row[N_CARDS + 1 + n_cards] = zone * ZONE_STRIDE + card
        row[N_CARDS] = n_cards + 1


@compiled(none(Words, Words, i64, i64), apart=True)
def _list_records(state: Any, row: Any, zone: int, cards: int) -> None:
    """Add the cards of a hand, a board or a seat's secrets to the list of a row.

    Args:
        state: state of the game.
        row: position row.
        zone: zone under which the cards are listed.
        cards: offset of the hand, board or secrets.
    """
    for position in range(state[cards]):
        record = item(state, cards, position)
        is_plain = zone == OWN_HAND or state[record + at.STATUS] & at.IS_SILENCED == 0
        _list_card(row, zone, state[record + at.CARD] if is_plain else at.BLANK)


@compiled(none(Words, Words, i64, i64), apart=True)
def _list_deck(state: Any, row: Any, zone: int, drawer: int) -> None:
    """Add the cards of a deck to the list of a row.

    Args:
        state: state of the game.
        row: position row.
        zone: zone under which the cards are listed.
        drawer: offset of the owner's player block.
    """
    for position in range(state[drawer + at.DECK]):
        slot = item(state, drawer + at.DECK, position)
        _list_card(row, zone, state[drawer + at.CARD_OF_SLOT + slot])


@compiled(none(Words, Words, i64, i64, i64))
def _list_leader(state: Any, row: Any, leader: int, weapon_zone: int, power_zone: int) -> None:
    """Add a player's weapon and hero power to the list of a row.

    Args:
        state: state of the game.
        row: position row.
        leader: offset of the player's block.
        weapon_zone: zone under which the weapon is listed.
        power_zone: zone under which the hero power is listed.
    """
    weapon = state[leader + at.WEAPON]
    _list_card(row, weapon_zone, state[weapon + at.CARD] if weapon != 0 else at.BLANK)
    _list_card(row, power_zone, state[leader + at.CARD])


# --- dense inputs ---


@compiled(none(Words, i64, Words, i64))
def _add_body(state: Any, minion: int, row: Any, first: int) -> None:
    """Add the dense inputs of a minion to the sums over its board.

    Args:
        state: state of the game.
        minion: offset of the minion's record.
        row: position row.
        first: offset of the sums, `BODIES` or `ENEMY_BODIES`.
    """
    attack = max(state[minion + at.ATTACK], 0)
    health = state[minion + at.HEALTH]
    keywords = state[minion + at.KEYWORDS]
    row[first + MINIONS] += 1
    if keywords & CANNOT_ATTACK:
        row[first + IDLE_ATTACK] += attack
    elif state[minion + at.STATUS] & at.IS_FROZEN:
        row[first + FROZEN_ATTACK] += attack
    else:
        row[first + ABLE_ATTACK] += attack
    row[first + HEALTH] += health
    row[first + GUARD_HEALTH] += health if keywords & TAUNT else 0
    row[first + SHIELDED] += attack + 1 if keywords & SHIELD else 0
    row[first + WINDFURIOUS] += attack + 1 if keywords & WINDFURY else 0
    row[first + STEALTHY] += attack + 1 if keywords & STEALTH else 0
    row[first + POISONOUS] += attack + 1 if keywords & POISON else 0
    row[first + FREEZING] += 1 if keywords & FREEZES else 0
    row[first + HEARING] += state[minion + at.HEARS] != 0
    row[first + SHORTER] += min(attack, health)
    row[first + TOUGHNESS] += max(health - attack, 0)
    row[first + SMALL_ATTACK] += min(attack, 3)
    row[first + SMALL_HEALTH] += min(health, 3)


@compiled(none(Words, i64, Words, i64), apart=True)
def _add_bodies(state: Any, seat: int, row: Any, first: int) -> None:
    """Write the sums over the minions of a seat to a row from offset `first` on."""
    minions = board(seat)
    for position in range(state[minions]):
        _add_body(state, item(state, minions, position), row, first)


@compiled(none(Words, i64, Words, i64, i64, i64), apart=True)
def _write_side(
    state: Any, seat: int, row: Any, is_enemy: int, attack: int, attack_on_it: int
) -> None:
    """Write the dense inputs that describe one side.

    Args:
        state: state of the game.
        seat: seat of the side.
        row: position row; the inputs of both sides alternate.
        is_enemy: 1 if it is the enemy's side, else 0.
        attack: damage that the side's attacks can do to the other player in its next turn.
        attack_on_it: damage that the other side's attacks can do to its player.
    """
    leader = player(seat)
    life = life_of(state, seat)
    weapon = state[leader + at.WEAPON]
    row[CONCAVE_LIFE + is_enemy] = concave(life)
    row[LIFE + is_enemy] = life
    row[CARDS + is_enemy] = state[hand(seat)]
    row[DECK_SHORT + is_enemy] = min(state[leader + at.N_CARDS_LEFT], _LONG)
    row[DECK + is_enemy] = state[leader + at.N_CARDS_LEFT]
    if weapon != 0:
        row[WEAPON_DAMAGE + is_enemy] = state[weapon + at.ATTACK] * state[weapon + at.HEALTH]
        row[WEAPON_ATTACK + is_enemy] = state[weapon + at.ATTACK]
    row[SECRETS + is_enemy] = state[secrets(seat)]
    row[MANA_CAP + is_enemy] = state[leader + at.MANA_CAP]
    row[RULES_ALONE + is_enemy] = state[board(seat)] > 0 and state[board(1 - seat)] == 0
    row[COMING + is_enemy] = min(attack, _MUCH)
    row[GUARDS + is_enemy] = min(guarding_health(state, seat), _MUCH)
    row[SPELL_DAMAGE + is_enemy] = state[leader + at.SPELL_DAMAGE]
    row[FATIGUE + is_enemy] = state[leader + at.FATIGUE]
    row[LOW_LIFE + is_enemy] = max(_LIFE_LOW - life, 0)
    row[LIFE_LEFT + is_enemy] = min(max(life - attack_on_it, 0), _LIFE_MUCH)
    _add_bodies(state, seat, row, ENEMY_BODIES if is_enemy else BODIES)


@compiled(none(Words, Words, i64, Words), apart=True)
def _write_hand(state: Any, table: Any, seat: int, row: Any) -> None:
    """Write the dense inputs that describe the own mana and hand."""
    leader = player(seat)
    cards = hand(seat)
    mana = state[leader + at.MANA]
    total_cost = 0
    n_spells = 0
    for position in range(state[cards]):
        card = item(state, cards, position)
        total_cost += state[card + at.COST]
        n_spells += is_spell(table, card_of(state, card))
    row[MANA] = mana
    row[OWED] = state[player(1 - seat) + at.OVERLOAD_OWED]
    row[USABLE_MANA] = playable_mana(state, cards, mana)
    row[SPELLS] = n_spells
    row[HAND_COST] = total_cost
    row[UNUSABLE_COST] = min(max(total_cost - mana, 0), _COST_MUCH)


@compiled(none(Words, i64, i64, i64))
def _write_pressure(row: Any, first: int, attack: int, life: int) -> None:
    """Write whether an attack could kill a player, or take at least half of its life.

    Args:
        row: position row.
        first: offset of the first of the two inputs.
        attack: damage of the attack.
        life: life of the attacked player.
    """
    row[first] = attack >= life
    row[first + 1] = attack < life and 2 * attack >= life


@compiled(none(Words, Words, i64, Words), apart=True)
def gather(state: Any, table: Any, seat: int, row: Any) -> None:
    """Write the position row of a seat at the start of its turn.

    Args:
        state: state of the game.
        table: card table of the game's variant.
        seat: seat that is to move.
        row: output, shape ``[ROW_SIZE]``.
    """
    for word in range(N_CARDS + 1):
        row[word] = 0
    own = player(seat)
    enemy = player(1 - seat)
    attack = coming_attack(state, seat)
    enemy_attack = coming_attack(state, 1 - seat)
    _write_side(state, seat, row, 0, attack, enemy_attack)
    _write_side(state, 1 - seat, row, 1, enemy_attack, attack)
    _write_hand(state, table, seat, row)
    _write_pressure(row, IN_DANGER, enemy_attack, life_of(state, seat))
    _write_pressure(row, CAN_FINISH, attack, life_of(state, 1 - seat))
    row[TURN] = min(state[at.TURN], _MUCH)
    row[IS_FULL] = state[board(seat)] == table[at.BOARD_LIMIT]
    row[MANA_MAX] = table[at.MANA_MAX]
    _list_records(state, row, OWN_HAND, hand(seat))
    _list_records(state, row, OWN_BOARD, board(seat))
    _list_records(state, row, ENEMY_BOARD, board(1 - seat))
    _list_records(state, row, OWN_SECRETS, secrets(seat))
    _list_leader(state, row, own, OWN_WEAPON, OWN_POWER)
    _list_leader(state, row, enemy, ENEMY_WEAPON, ENEMY_POWER)
    _list_deck(state, row, OWN_DECK, own)
    _list_records(state, row, ENEMY_UNSEEN, hand(1 - seat))
    _list_records(state, row, ENEMY_UNSEEN, secrets(1 - seat))
    _list_deck(state, row, ENEMY_UNSEEN, enemy)


@compiled(none(Block, Block, i64, Block), from_python=True)
def gather_row(state: Any, table: Any, seat: int, row: Any) -> None:
    """Write a position row as `gather` does, for arrays that are passed from Python."""
    gather(words_at(state, 0), words_at(table, 0), seat, words_at(row, 0))
