"""The value of a position is the sum of its features, computed in plain Python."""

from __future__ import annotations

import pytest

from agents import agent_named
from agents.conformance.games import games_of, positions
from agents.search.turn.features import WON
from agents.search.turn.weights import ProspectWeights, SideWeights, Weights
from sim.cards.vocabulary import Keyword, Kind
from sim.engine import layout as at
from tests.agents.test_turn import EACH_SOURCE, RICH, worth_of
from tests.steps import Words16, block, items

ODD = RICH.model_copy(
    update={
        part: getattr(RICH, part).model_copy(
            update={
                name: 7 + 2 * k for k, name in enumerate(type(getattr(RICH, part)).model_fields)
            }
        )
        for part in ("own", "enemy", "prospects")
    }
)


def plain_worth(state: Words16, table: Words16, weights: Weights, seat: int) -> int:
    """Return the sum of the features, as docs/turn_search.md describes them."""
    total = 0
    for side, owner in ((weights.own, seat), (weights.enemy, 1 - seat)):
        leader = block(owner)
        life = int(state[leader + at.HEALTH] + state[leader + at.ARMOR])
        total += side.life * (2 * life + min(life, 20) + 3 * min(life, 10) + min(life, 5))
        total += side.points * life
        total += side.hand * int(state[leader + at.HAND])
        is_choosing = state[at.PHASE] == at.CHOICE_PHASE and state[at.ACTIVE] == owner
        total += side.hand * bool(is_choosing) + side.secret * int(state[leader + at.SECRETS])
        total += side.deck * min(int(state[leader + at.N_CARDS_LEFT]), 8)
        if weapon := int(state[leader + at.WEAPON]):
            total += side.weapon * int(state[weapon + at.ATTACK]) * int(state[weapon + at.HEALTH])
        total += sum(body_worth(state, minion, side) for minion in items(state, owner, at.BOARD))
    return total + plain_prospects(state, table, weights.prospects, seat)


def body_worth(state: Words16, minion: int, side: SideWeights) -> int:
    attack = max(int(state[minion + at.ATTACK]), 0)
    health = int(state[minion + at.HEALTH])
    keywords = Keyword(int(state[minion + at.KEYWORDS]))
    total = side.bodies + side.health * health
    if state[minion + at.STATUS] & at.IS_FROZEN:
        total += side.frozen * attack
    elif Keyword.CANNOT_ATTACK not in keywords:
        total += side.attack * attack
    total += side.guard * health * (Keyword.TAUNT in keywords)
    total += side.shield * (attack + 1) * (Keyword.DIVINE_SHIELD in keywords)
    helpful = Keyword.WINDFURY | Keyword.STEALTH | Keyword.POISONOUS | Keyword.FREEZING
    total += side.skill * (attack + 1) * bool(keywords & helpful)
    return total + side.text * (state[minion + at.HEARS] != 0)


def plain_attack(state: Words16, seat: int) -> int:
    """Return the damage that a side's characters can do to the enemy player in their next turn."""
    weapon = int(state[block(seat) + at.WEAPON])
    total = int(state[weapon + at.ATTACK]) if weapon else 0
    for minion in items(state, seat, at.BOARD):
        keywords = Keyword(int(state[minion + at.KEYWORDS]))
        if not (
            keywords & (Keyword.CANNOT_ATTACK | Keyword.MINIONS_ONLY)
            or state[minion + at.STATUS] & at.IS_FROZEN
        ):
            total += int(state[minion + at.ATTACK]) * (2 if Keyword.WINDFURY in keywords else 1)
    for minion in items(state, 1 - seat, at.BOARD):
        keywords = Keyword(int(state[minion + at.KEYWORDS]))
        if keywords & (Keyword.TAUNT | Keyword.STEALTH | Keyword.IMMUNE) == Keyword.TAUNT:
            total -= int(state[minion + at.HEALTH])
    return max(total, 0)


def plain_prospects(state: Words16, table: Words16, weights: ProspectWeights, seat: int) -> int:
    own = block(seat)
    enemy = block(1 - seat)
    owed = int(state[own + at.OVERLOAD_OWED])
    mana = min(int(state[own + at.MANA_CAP]) + 1, int(table[at.MANA_MAX])) - owed
    used = 0
    for cost in sorted(int(state[card + at.COST]) for card in items(state, seat, at.HAND)):
        used += cost if used + cost <= mana else 0
    kinds = [
        table[at.CARDS + at.CARD_SIZE * int(state[card + at.CARD]) + at.CARD_KIND]
        for card in items(state, seat, at.HAND)
    ]
    total = weights.crystals * int(state[own + at.MANA_CAP] - state[enemy + at.MANA_CAP])
    total += weights.unused * int(state[own + at.MANA]) + weights.overload * owed
    total += weights.playable * used
    total += weights.tricks * sum(kind in (Kind.SPELL, Kind.SECRET) for kind in kinds)
    for kills, halves, attacker in (
        (weights.danger, weights.threat, 1 - seat),
        (weights.finish, weights.pressure, seat),
    ):
        target = block(1 - attacker)
        life = int(state[target + at.HEALTH] + state[target + at.ARMOR])
        attack = plain_attack(state, attacker)
        total += kills if attack >= life else halves if 2 * attack >= life else 0
    is_master = state[own + at.BOARD] > 0 and state[enemy + at.BOARD] == 0
    return total + weights.mastery * bool(is_master)


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_worth_is_the_sum_of_its_features(source: str) -> None:
    games = games_of(source)
    parameters = ODD.parameters(1)
    for position in positions(agent_named("random"), games, 3):
        for seat in (0, 1):
            value = worth_of(position.state, games.numbers, parameters, seat)
            wanted = plain_worth(position.state, games.numbers, ODD, seat)
            assert value == max(min(wanted, WON // 2), -WON // 2)
