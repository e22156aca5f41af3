"""Scores of actions: playing a card, using the hero power, attacking, answering a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents.scripted.harm import DIVINE_SHIELD, POISONOUS, worth
from agents.scripted.values import has_body, text_value
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.groups import card_of, is_minion, is_player
from sim.engine.general.legality import source_of, text_of
from sim.engine.listing import list_actions, listed, listed_source, listed_target
from sim.engine.zones import board, hand, item, player
from sim.play.agent import Policy

BY_COST = 0  # as `body_score`, means that the score of a minion or weapon is its cost
# One score for all minions and weapons, so that the oldest of several cards without effects is
# played first, as DESIGN section 5 specifies for aggro and control. The value was chosen by hand,
# not tuned.
BODY_SCORE = 6
NEVER = -1_000_000  # lower than the sum of any values, so that the card is not played


@compiled(i64(Words, i64, i64))
def kills(state: Any, attacker: int, minion: int) -> bool:
    """Return whether an attack destroys a minion.

    A divine shield prevents this, and an attack with poison destroys any minion without a shield.

    Args:
        state: state of the game.
        attacker: offset of the record of the attacking minion or player.
        minion: offset of the record of the attacked minion.
    """
    if state[minion + at.KEYWORDS] & DIVINE_SHIELD:
        return False
    is_poisoned = state[attacker + at.KEYWORDS] & POISONOUS and state[attacker + at.ATTACK] > 0
    return is_poisoned or state[minion + at.HEALTH] <= state[attacker + at.ATTACK]


@compiled(i64(Words, i64, i64))
def fight_score(state: Any, attacker: int, minion: int) -> int:
    """Return the value that an attack on a minion takes from the enemy, minus the own loss.

    A destroyed minion counts its attack plus health, a destroyed divine shield 1. The loss of an
    attacking player is the minion's attack; an attacking minion is lost only if it dies.

    Args:
        state: state of the game.
        attacker: offset of the record of the attacking minion or player.
        minion: offset of the record of the attacked minion.
    """
    gained = worth(state, minion) if kills(state, attacker, minion) else 0
    if state[minion + at.KEYWORDS] & DIVINE_SHIELD:
        gained = 1  # the shield is destroyed
    if is_player(attacker):
        return gained - state[minion + at.ATTACK]
    lost = worth(state, attacker) if kills(state, minion, attacker) else 0
    return gained - lost


@compiled(i64(Words, Words, i64, i64))
def _score_without_text(state: Any, table: Any, record: int, body_score: int) -> int:
    """Return the score of playing a card, without the effects of its text.

    A spell scores minus half its cost, rounded down, so that it is not spent on a small effect. The
    hero power scores 0, since it uses no card.

    Args:
        state: state of the game.
        table: numbers of the cards and rules.
        record: offset of the record of the card, or of the player for the hero power.
        body_score: score of a minion or weapon; `BY_COST` for its cost. A minion scores `NEVER`
            instead if `body_score` is not `BY_COST` and the board is full.
    """
    if is_player(record):
        return 0
    if not has_body(state, table, record):
        return -(state[record + at.COST] // 2)
    if body_score == BY_COST:
        return state[record + at.COST]
    is_lost = state[board(state[at.ACTIVE])] >= table[at.BOARD_LIMIT] and is_minion(
        state, table, record
    )
    return NEVER if is_lost else body_score


@compiled(i64(Words, Words, i64))
def _cost_of_choice(state: Any, table: Any, choice: int) -> int:
    """Return the printed cost of the card at position `choice` of the offered cards."""
    slot = state[at.CHOICES + 1 + choice]
    card = state[player(state[at.ACTIVE]) + at.CARD_OF_SLOT + slot]
    return table[at.CARDS + at.CARD_SIZE * card + at.CARD_COST]


@compiled(i64(i64, i64))
def ranked(score: int, k: int) -> int:
    """Return the rank of an action, a number by which actions can be compared.

    The rank combines the score with the position k in the list of actions: of two actions with
    equal scores, the action listed first has the higher rank. The rank is 0 if the score is not
    positive.
    """
    return score * at.MAX_LISTED + at.MAX_LISTED - 1 - k if score > 0 else 0


@compiled(i64(Words, Words, i64, i64))
def best_play(state: Any, table: Any, face_weight: int, body_score: int) -> int:
    """Return the rank of the best action that plays a card or uses the hero power.

    The rank is 0 if no such action has a positive score.

    Args:
        state: state of the game, with its actions listed.
        table: numbers of the cards and rules.
        face_weight: value of a point of the enemy player's life.
        body_score: score of a minion or weapon; `BY_COST` for its cost.
    """
    best_score = best_k = 0
    # Source and option of the previous action, its text, and its score without the text. They are
    # kept because the next action often differs only in its target.
    source_and_option = text = score_without_text = 0
    n_plays = state[at.N_LISTED_PLAYS]
    n_attacks = state[at.N_LISTED_ATTACKS]
    # The list contains plays, attacks, the hero power and the end of the turn, in this order.
    for place in range(state[at.N_LISTED] - 1 - n_attacks):
        k = place if place < n_plays else place + n_attacks
        action = listed(state, k)
        record = listed_source(state, k)
        if action >> at.SOURCE_SHIFT != source_and_option:
            source_and_option = action >> at.SOURCE_SHIFT
            text = text_of(
                table, card_of(state, record), (action >> at.OPTION_SHIFT) & at.OPTION_MASK
            )
            score_without_text = _score_without_text(state, table, record, body_score)
        target = listed_target(state, k)
        score = score_without_text + text_value(state, table, text, record, target, face_weight)
        if score > best_score:
            best_score = score
            best_k = k
    return ranked(best_score, best_k)


def best_attack_by(
    attack_score: Callable[[Any, int, int], int], *, oldest_only: bool = False
) -> Callable[[Any], int]:
    """Return a compiled function that returns the rank of the best attack in a state.

    The function needs a state with its actions listed, and returns 0 if no attack has a positive
    score.

    Args:
        attack_score: compiled function from (state, attacker, defender) to the score of an attack,
            where attacker and defender are offsets of records.
        oldest_only: whether to consider only the leftmost attacker that has an attack with a
            positive score.
    """

    @compiled(i64(Words))
    def best_attack(state: Any) -> int:
        best_score = best_k = 0
        first = state[at.N_LISTED_PLAYS]
        for k in range(first, first + state[at.N_LISTED_ATTACKS]):
            is_next = best_score > 0 and listed_source(state, k) != listed_source(state, best_k)
            if oldest_only and is_next:
                break
            score = attack_score(state, listed_source(state, k), listed_target(state, k))
            if score > best_score:
                best_score = score
                best_k = k
        return ranked(best_score, best_k)

    return best_attack


@compiled(i64(Words, i64, i64))
def would_fall(state: Any, attacker: int, defender: int) -> bool:
    """Return whether the attacker is a player who would die by attacking a minion.

    The player's armour counts as life. The result is `False` for an attacking minion.

    Args:
        state: state of the game.
        attacker: offset of the attacker's record.
        defender: offset of the defender's record.
    """
    life = state[attacker + at.HEALTH] + state[attacker + at.ARMOR]
    return is_player(attacker) and not is_player(defender) and life <= state[defender + at.ATTACK]


@compiled(i64(Words, i64))
def action_of_rank(state: Any, rank: int) -> int:
    """Return the listed action that has a rank (see `ranked`), or `END_TURN` for rank 0."""
    return listed(state, at.MAX_LISTED - 1 - rank % at.MAX_LISTED) if rank > 0 else at.END_TURN


@compiled(i64(Words, Words, i64, i64))
def best_answer(state: Any, table: Any, n_listed: int, dearest_kept: int) -> int:
    """Return the action that answers a mulligan or a choice of cards.

    In a choice, the card with the highest printed cost is taken. In a mulligan, the first card with
    a cost above `dearest_kept` is replaced; the mulligan ends if the hand contains no such card.

    Args:
        state: state of the game, with its actions listed.
        table: numbers of the cards and rules.
        n_listed: number of listed actions.
        dearest_kept: highest cost of a card that the mulligan keeps.
    """
    best = -1
    chosen = listed(state, n_listed - 1)
    for k in range(n_listed):
        action = listed(state, k)
        if state[at.PHASE] == at.CHOICE_PHASE:
            score = _cost_of_choice(state, table, source_of(action))
        elif action == at.END_TURN:
            score = 0
        else:
            cost = state[item(state, hand(state[at.ACTIVE]), source_of(action)) + at.COST]
            score = 1 if cost > dearest_kept else -1
        if score > best:
            best = score
            chosen = action
    return chosen


def turn_by(
    attack_score: Callable[[Any, int, int], int], *, face_weight: int, dearest_kept: int
) -> Policy:
    """Return a policy that first plays all cards with a positive score and then attacks.

    Cards without effects are played from the oldest to the newest, and attackers act from left to
    right.

    Args:
        attack_score: compiled function from (state, attacker, defender) to the score of an attack,
            where attacker and defender are offsets of records.
        face_weight: value of a point of the enemy player's life.
        dearest_kept: highest cost of a card that the mulligan keeps.
    """
    attack = best_attack_by(attack_score, oldest_only=True)

    @compiled(i64(Words, Words))
    def take_turn(state: Any, table: Any) -> int:
        n_listed = list_actions(state, table)
        if state[at.PHASE] != at.MAIN_PHASE:
            return best_answer(state, table, n_listed, dearest_kept)
        may_play = state[at.N_ATTACKS] == 0
        best = best_play(state, table, face_weight, BODY_SCORE) if may_play else 0
        return action_of_rank(state, best if best > 0 else attack(state))

    return take_turn
