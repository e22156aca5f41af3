"""Tests that tie the reference duel to the written rules.

That every rule is kept is tested by comparing whole games with the engine.
"""

from __future__ import annotations

import pytest

from tests.reference_duel import (
    AGENTS,
    GAMMA,
    Attack,
    Deck,
    Effect,
    Game,
    ReferenceCard,
    ReferenceOutcome,
    ReferenceRules,
    Unit,
    mix64,
    play_reference,
)


def test_the_stream_is_splitmix64_as_published() -> None:
    assert mix64(GAMMA) == 0xE220A8397B1DCDAF  # the first number of seed 0
    assert mix64(2 * GAMMA) == 0x6E789E6AA1B965F4
    assert mix64(1234567 + GAMMA) == 6457827717110365317


def test_a_small_game_worked_by_hand_ends_as_expected() -> None:
    # Turn 1: the runner is played and hits: 12 -> 10 (3 actions with the end of the turn).
    # Turn 2: the healer is played: 12 (2). Turn 3: two runners, three hits: 6 (6).
    # Turn 4: two healers: 10; the first healer races, 2 x 6 > 3, and hits for nothing (4).
    # Turn 5: there is room for one runner; four hits: 2 (6).
    # Turn 6: there is room for one healer: 4; three hits for nothing (5). Turn 7: two hits: 0 (2).
    runner = ReferenceCard(cost=1, attack=2, health=1, haste=True)
    healer = ReferenceCard(1, 0, 1, effects=(Effect("heal", "own_player", 2),))
    decks: tuple[Deck, Deck] = ([runner] * 10, [healer] * 10)
    rules = ReferenceRules(life=12, board_limit=4)
    outcome = play_reference(rules, decks, ("aggro", "control"), game_seed=5)
    assert outcome == ReferenceOutcome(winner=0, n_turns=7, n_actions=28, life=(12, 0))


READY = True
WAITS = False


@pytest.mark.parametrize(
    ("agent", "life", "own", "enemies", "enemy_life", "target"),
    [
        # aggro trades only below twelve life, with the oldest that it can destroy
        ("aggro", 12, [(2, 2, READY)], [(1, 3), (1, 2), (5, 1)], 20, None),
        ("aggro", 11, [(2, 2, READY)], [(1, 3), (1, 2), (5, 1)], 20, 1),
        ("aggro", 1, [(2, 2, READY)], [(1, 3)], 20, None),
        # control kills the player when its ready units can do it together
        ("control", 20, [(2, 9, READY), (3, 9, READY)], [(1, 2)], 6, 0),
        ("control", 20, [(2, 9, READY), (3, 9, READY)], [(1, 2)], 5, None),
        ("control", 20, [(2, 9, READY), (3, 9, WAITS)], [(1, 2)], 5, 0),
        # it races when twice the enemy's attack exceeds the health of its units, ready or not
        ("control", 20, [(1, 20, READY), (1, 40, WAITS)], [(30, 1)], 20, 0),
        ("control", 20, [(1, 20, READY), (1, 39, WAITS)], [(30, 1)], 20, None),
        # else a trade that it survives, the oldest that it does not, the strongest, the frailest
        ("control", 20, [(3, 2, READY), (0, 20, WAITS)], [(2, 3), (1, 4), (1, 3), (0, 1)], 20, 2),
        ("control", 20, [(3, 2, READY), (0, 20, WAITS)], [(0, 4), (2, 3), (2, 1)], 20, 1),
        ("control", 6, [(1, 5, READY), (0, 20, WAITS)], [(1, 2), (3, 5), (3, 4)], 20, 1),
        ("control", 7, [(1, 5, READY), (0, 20, WAITS)], [(3, 5), (1, 2), (3, 2)], 20, 1),
        # greedy gains 4 by the first, 8 - 5 by the second, nothing by the third, 3 by the player
        ("greedy", 20, [(3, 2, READY)], [(1, 3), (5, 3), (1, 4)], 20, 0),
        ("greedy", 20, [(3, 2, READY)], [(5, 3), (1, 4)], 20, 0),  # 3 ties with the player
        ("greedy", 20, [(3, 2, READY)], [(4, 3), (1, 4)], 20, None),
    ],
)
def test_scripts_attack_the_targets_that_their_rules_name(
    agent: str,
    life: int,
    own: list[tuple[int, int, bool]],
    enemies: list[tuple[int, int]],
    enemy_life: int,
    target: int | None,
) -> None:
    game = Game(ReferenceRules(), ((), ()), game_seed=1)
    game.own.life = life
    game.enemy.life = enemy_life
    game.own.board = [Unit(*unit) for unit in own]
    game.enemy.board = [Unit(*unit, ready=True) for unit in enemies]
    victim = None if target is None else game.enemy.board[target]
    assert AGENTS[agent](game, 0) == Attack(game.own.board[0], victim)
