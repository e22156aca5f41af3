"""What actions are worth: playing a card, using the hero power, attacking, answering."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents.scripted.general.harm import worth
from agents.scripted.general.values import text_value
from sim.engine.compiled import Words, compiled, i64
from sim.engine.general.calls import listed, listed_source, listed_target
from sim.engine.general.groups import card_of, is_player
from sim.engine.general.legality import source_of, text_of
from sim.engine.layout import (
    ACTIVE,
    ATTACK,
    CARD_COST,
    CARD_KIND,
    CARD_OF_SLOT,
    CARD_SIZE,
    CARDS,
    CHOICE_PHASE,
    CHOICES,
    COST,
    END_TURN,
    HEALTH,
    KEYWORDS,
    MAX_LISTED,
    N_LISTED,
    N_LISTED_ATTACKS,
    N_LISTED_PLAYS,
    OPTION_MASK,
    OPTION_SHIFT,
    PHASE,
    SOURCE_SHIFT,
)
from sim.engine.zones import hand, item, player
from sim.vocabulary import Keyword, Kind

SPELL = int(Kind.SPELL)
DIVINE_SHIELD, POISONOUS = int(Keyword.DIVINE_SHIELD), int(Keyword.POISONOUS)


@compiled(i64(Words, i64, i64))
def kills(state: Any, attacker: int, minion: int) -> bool:
    """Whether an attack destroys a minion."""
    if state[minion + KEYWORDS] & DIVINE_SHIELD:
        return False
    is_poisoned = state[attacker + KEYWORDS] & POISONOUS and state[attacker + ATTACK] > 0
    return is_poisoned or state[minion + HEALTH] <= state[attacker + ATTACK]


@compiled(i64(Words, i64, i64))
def fight_score(state: Any, attacker: int, minion: int) -> int:
    """What a fight takes from the enemy, less what it takes from the own side."""
    gained = worth(state, minion) if kills(state, attacker, minion) else 0
    if state[minion + KEYWORDS] & DIVINE_SHIELD:
        gained = 1
    if is_player(attacker):
        return gained - state[minion + ATTACK]
    lost = worth(state, attacker) if kills(state, minion, attacker) else 0
    return gained - lost


@compiled(i64(Words, Words, i64, i64))
def _score_without_text(state: Any, table: Any, record: int, card: int) -> int:
    """A body is worth its cost; a spell is not spent on little; the hero power costs no card."""
    if is_player(record):
        return 0
    cost = state[record + COST]
    return -(cost // 2) if table[card + CARD_KIND] == SPELL else cost + 1


@compiled(i64(Words, Words, i64))
def _cost_of_choice(state: Any, table: Any, choice: int) -> int:
    slot = state[CHOICES + 1 + choice]
    card = state[player(state[ACTIVE]) + CARD_OF_SLOT + slot]
    return table[CARDS + CARD_SIZE * card + CARD_COST]


@compiled(i64(i64, i64))
def ranked(score: int, k: int) -> int:
    """A score and the place of its action in the list as one number: of equals the first wins.

    It is 0 where nothing has a score.
    """
    return score * MAX_LISTED + MAX_LISTED - 1 - k if score > 0 else 0


@compiled(i64(Words, Words, i64))
def best_play(state: Any, table: Any, face_weight: int) -> int:
    """The rank of the best way to play a card or use the hero power; 0 if none has a score.

    Args:
        state: a position whose actions are listed.
        table: the numbers.
        face_weight: how much a point of the enemy player's life counts.
    """
    best_score = best_k = 0
    way = text = bare = 0  # of the action before, which often differs in its target only
    n_plays, n_attacks = state[N_LISTED_PLAYS], state[N_LISTED_ATTACKS]
    for place in range(state[N_LISTED] - 1 - n_attacks):
        k = place if place < n_plays else place + n_attacks
        action, record = listed(state, k), listed_source(state, k)
        if action >> SOURCE_SHIFT != way:
            way = action >> SOURCE_SHIFT
            card = card_of(state, record)
            text = text_of(table, card, (action >> OPTION_SHIFT) & OPTION_MASK)
            bare = _score_without_text(state, table, record, card)
        target = listed_target(state, k)
        score = bare + text_value(state, table, text, record, target, face_weight)
        if score > best_score:
            best_score, best_k = score, k
    return ranked(best_score, best_k)


def attack_ranker(attack_score: Callable[[Any, int, int], int]) -> Callable[[Any], int]:
    """A function of a position whose actions are listed: the rank of its best attack, 0 if none.

    Args:
        attack_score: compiled function of (state, attacker, defender); an attack without a score
            is not made.
    """

    @compiled(i64(Words))
    def best_attack(state: Any) -> int:
        best_score = best_k = 0
        first = state[N_LISTED_PLAYS]
        for k in range(first, first + state[N_LISTED_ATTACKS]):
            score = attack_score(state, listed_source(state, k), listed_target(state, k))
            if score > best_score:
                best_score, best_k = score, k
        return ranked(best_score, best_k)

    return best_attack


@compiled(i64(Words, i64))
def action_of_rank(state: Any, rank: int) -> int:
    """The listed action of a rank; the end of the turn where nothing has a score."""
    return listed(state, MAX_LISTED - 1 - rank % MAX_LISTED) if rank > 0 else END_TURN


@compiled(i64(Words, Words, i64, i64))
def best_answer(state: Any, table: Any, n_listed: int, dearest_kept: int) -> int:
    """In a mulligan cards dearer than `dearest_kept` go; of a choice the dearest comes."""
    best, chosen = -1, listed(state, n_listed - 1)
    for k in range(n_listed):
        action = listed(state, k)
        if state[PHASE] == CHOICE_PHASE:
            score = _cost_of_choice(state, table, source_of(action))
        elif action == END_TURN:
            score = 0
        else:
            cost = state[item(state, hand(state[ACTIVE]), source_of(action)) + COST]
            score = 1 if cost > dearest_kept else -1
        if score > best:
            best, chosen = score, action
    return chosen
