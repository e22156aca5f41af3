"""Hand-worked positions that pin the reference duel to the written rules.

That each point of them is kept, the comparison of whole games with the engine tells.
"""

from __future__ import annotations

from itertools import islice
from typing import Literal

import pytest

from tests.reference_duel import (
    AGENTS,
    GAMMA,
    Action,
    Attack,
    Deck,
    Effect,
    EndTurn,
    Game,
    Play,
    ReferenceCard,
    ReferenceOutcome,
    ReferenceRules,
    Unit,
    mix64,
    play_reference,
    random_numbers,
)

UNPLAYABLE = ReferenceCard(cost=9, attack=0, health=1)
OWN: Literal["own_player"] = "own_player"
ENEMY: Literal["enemy_player"] = "enemy_player"


def game_of(
    rules: ReferenceRules | None = None,
    deck: Deck = (UNPLAYABLE,) * 30,
    enemy_deck: Deck = (UNPLAYABLE,) * 30,
) -> Game:
    """Make a game with nothing dealt, to be arranged by hand."""
    return Game(rules or ReferenceRules(), (deck, enemy_deck), game_seed=1)


def board(*numbers: tuple[int, int], ready: bool = True) -> list[Unit]:
    """Make units from (attack, health) pairs, oldest first."""
    return [Unit(attack, health, ready) for attack, health in numbers]


def numbers_of(units: list[Unit]) -> list[tuple[int, int]]:
    return [(unit.attack, unit.health) for unit in units]


def play(game: Game, card: ReferenceCard, mana: int = 5) -> None:
    """Give the card to the player whose turn it is, and play it."""
    game.own.mana = mana
    game.own.hand.append(card)
    game.perform(Play(len(game.own.hand) - 1))


def choice_of(agent: str, game: Game) -> Action:
    return AGENTS[agent](game, 0)


def numbered(n_cards: int) -> list[ReferenceCard]:
    """Make cards that cannot be paid for and that tell their slot by their attack."""
    return [ReferenceCard(cost=9, attack=slot, health=1) for slot in range(n_cards)]


# Random numbers


def test_the_stream_is_splitmix64_as_published() -> None:
    assert mix64(GAMMA) == 0xE220A8397B1DCDAF  # the first number of seed 0
    assert mix64(2 * GAMMA) == 0x6E789E6AA1B965F4
    assert mix64(1234567 + GAMMA) == 6457827717110365317


def test_a_stream_yields_high_halves_and_starts_at_its_first_number() -> None:
    seed = mix64(77 + 18 * GAMMA)
    expected = [mix64(seed + n * GAMMA) >> 32 for n in (1, 2, 3)]
    assert list(islice(random_numbers(77, key=18), 3)) == expected


# Drawing


def test_a_draw_takes_the_kth_remaining_slot_and_keeps_the_rest_in_order() -> None:
    deck = numbered(10)
    game = game_of(deck=deck)
    game.own.draw_numbers = iter([2**31, 2**31, 0])  # 10 // 2, then 9 // 2, then the first
    game.draw(game.own, 3)
    assert game.own.hand == [deck[5], deck[4], deck[0]]
    assert game.own.slots == [deck[slot] for slot in (1, 2, 3, 6, 7, 8, 9)]


def test_a_blank_is_removed_and_the_next_number_draws_again() -> None:
    first, last = numbered(2)
    game = game_of(deck=[first, None, None, last])
    game.own.draw_numbers = iter([2**31, 2**31, 2**31])  # slot 2 of 4, slot 1 of 3, slot 1 of 2
    game.draw(game.own, 1)
    assert game.own.hand == [last]
    assert game.own.slots == [first]


def test_fatigue_grows_by_one_with_each_missing_card() -> None:
    game = game_of(ReferenceRules(deck_out="fatigue"), deck=[])
    game.draw(game.own, 3)
    assert game.own.life == 20 - 1 - 2 - 3
    assert game.winner is None


# Turns


def test_opening_hands_are_dealt_and_seat_0_skips_its_first_draw() -> None:
    game = game_of(ReferenceRules(opening_hand=(3, 4)))
    game.start()
    assert [len(player.hand) for player in game.players] == [3, 4]
    game.perform(EndTurn())
    assert [len(player.hand) for player in game.players] == [3, 5]
    game.perform(EndTurn())
    assert [len(player.hand) for player in game.players] == [4, 5]


def test_mana_starts_at_one_grows_each_own_turn_up_to_the_maximum_and_refills() -> None:
    game = game_of(ReferenceRules(mana_max=3))
    game.start()
    seen = []
    for _ in range(8):
        seen.append((game.own.seat, game.own.mana))
        game.own.mana = 0
        game.perform(EndTurn())
    assert seen == [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 3), (1, 3)]


# Legal actions


def test_actions_ascend_from_plays_over_attacks_with_the_player_last_to_the_end_of_turn() -> None:
    game = game_of()
    game.own.mana = 2
    game.own.hand = [ReferenceCard(cost, 1, 1) for cost in (2, 3, 0)]
    game.own.board = [*board((0, 1)), *board((3, 3), ready=False), *board((2, 2))]
    game.enemy.board = board((1, 1), (4, 4))
    weak, _, strong = game.own.board
    left, right = game.enemy.board
    assert game.legal_actions() == [
        Play(0),
        Play(2),
        *(Attack(weak, left), Attack(weak, right), Attack(weak, None)),
        *(Attack(strong, left), Attack(strong, right), Attack(strong, None)),
        EndTurn(),
    ]


# Playing cards


def test_a_body_played_onto_a_full_board_is_destroyed_but_its_effect_happens() -> None:
    game = game_of(ReferenceRules(board_limit=1))
    game.own.board = board((5, 5))
    play(game, ReferenceCard(1, 1, 1, effects=(Effect("damage", ENEMY, 2),)))
    assert numbers_of(game.own.board) == [(5, 5)]
    assert game.own.mana == 4
    assert game.enemy.life == 18


def test_summoned_units_come_after_their_card_and_are_lost_when_the_board_is_full() -> None:
    game = game_of(ReferenceRules(board_limit=3))
    hasty = ReferenceCard(cost=0, attack=2, health=1, haste=True)
    card = ReferenceCard(1, 4, 4, effects=(Effect("summon", OWN, 5, hasty),))
    play(game, card)
    assert numbers_of(game.own.board) == [(4, 4), (2, 1), (2, 1)]
    assert [unit.ready for unit in game.own.board] == [False, True, True]


# Attacks and the end


def test_both_units_of_a_fight_deal_their_damage_and_the_dead_leave() -> None:
    game = game_of()
    game.own.board = board((2, 3), (3, 2))
    game.enemy.board = board((2, 4), (5, 3))
    wounded, traded = game.own.board
    game.perform(Attack(wounded, game.enemy.board[0]))
    assert numbers_of(game.own.board) == [(2, 1), (3, 2)]
    assert numbers_of(game.enemy.board) == [(2, 2), (5, 3)]
    game.perform(Attack(traded, game.enemy.board[1]))
    assert game.own.board == [wounded]
    assert numbers_of(game.enemy.board) == [(2, 2)]
    assert (game.own.life, game.enemy.life) == (20, 20)


def test_a_small_game_worked_by_hand_ends_as_expected() -> None:
    # Turn 1: the runner is played and hits: 12 -> 10 (3 actions with the end of the turn).
    # Turn 2: the healer is played: 12 (2). Turn 3: two runners, three hits: 6 (6).
    # Turn 4: two healers: 10; the first healer races, 2 x 6 > 3, and hits for nothing (4).
    # Turn 5: there is room for one runner; four hits: 2 (6).
    # Turn 6: there is room for one healer: 4; three hits for nothing (5). Turn 7: two hits: 0 (2).
    runner = ReferenceCard(cost=1, attack=2, health=1, haste=True)
    healer = ReferenceCard(cost=1, attack=0, health=1, effects=(Effect("heal", OWN, 2),))
    decks: tuple[Deck, Deck] = ([runner] * 10, [healer] * 10)
    rules = ReferenceRules(life=12, board_limit=4)
    outcome = play_reference(rules, decks, ("aggro", "control"), game_seed=5)
    assert outcome == ReferenceOutcome(winner=0, n_turns=7, n_actions=28, life=(12, 0))


# Agents


def test_random_maps_its_number_to_the_legal_actions_in_order() -> None:
    game = game_of()
    game.own.board = board((1, 1))
    game.enemy.board = board((1, 1), (1, 1))
    actions = game.legal_actions()
    assert [AGENTS["random"](game, n << 30) for n in range(4)] == actions


def test_greedy_counts_attack_and_current_health_of_what_a_fight_destroys() -> None:
    game = game_of()
    game.own.board = board((3, 2))
    (unit,) = game.own.board
    game.enemy.board = board((1, 3), (5, 3), (1, 4))
    # first: gains 4, loses nothing; second: 8 - 5; third: nothing dies; player: 3
    assert choice_of("greedy", game) == Attack(unit, game.enemy.board[0])
    game.enemy.board = board((5, 3), (1, 4))
    assert choice_of("greedy", game) == Attack(unit, game.enemy.board[0])  # 3 ties with the player
    game.enemy.board = board((4, 3), (1, 4))
    assert choice_of("greedy", game) == Attack(unit, None)


READY, WAITS = True, False


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
    ],
)
def test_scripts_attack_whom_the_rules_of_their_trade_say(
    agent: str,
    life: int,
    own: list[tuple[int, int, bool]],
    enemies: list[tuple[int, int]],
    enemy_life: int,
    target: int | None,
) -> None:
    game = game_of()
    game.own.life, game.enemy.life = life, enemy_life
    game.own.board = [Unit(*unit) for unit in own]
    game.enemy.board = board(*enemies)
    victim = None if target is None else game.enemy.board[target]
    assert choice_of(agent, game) == Attack(game.own.board[0], victim)
