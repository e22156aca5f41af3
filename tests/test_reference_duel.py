"""Hand-worked positions that pin the reference duel to the written rules, point by point."""

from __future__ import annotations

from itertools import islice
from typing import Literal

import pytest

from tests.reference_duel import (
    AGENTS,
    DRAW,
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
    pick,
    play_reference,
    random_numbers,
)

BODY = ReferenceCard(cost=1, attack=1, health=1)
TOKEN = ReferenceCard(cost=0, attack=1, health=1)
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


def card_with(*effects: Effect) -> ReferenceCard:
    return ReferenceCard(cost=1, attack=1, health=1, effects=effects)


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


def test_a_game_seed_wraps_at_64_bits() -> None:
    assert next(random_numbers(2**64 + 5, 1)) == next(random_numbers(5, 1))


def test_a_pick_splits_the_range_of_numbers_evenly() -> None:
    assert [pick(number, 4) for number in (0, 2**30 - 1, 2**30, 2**32 - 1)] == [0, 0, 1, 3]


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


def test_a_blank_leaves_the_later_draws_of_other_slots_in_place() -> None:
    deck = numbered(12)
    for blank in range(12):
        whole = game_of(deck=deck)
        edited = game_of(deck=[None if slot == blank else deck[slot] for slot in range(12)])
        whole.draw(whole.own, 9)
        edited.draw(edited.own, 8)
        expected = [card for card in whole.own.hand if card != deck[blank]]
        assert edited.own.hand == expected[:8]


def test_a_deck_of_blanks_is_empty_and_takes_no_number() -> None:
    game = game_of(deck=[None, None])
    game.own.draw_numbers = iter([])  # taking a number would raise
    game.draw(game.own, 1)
    assert game.winner == 1


def test_a_card_drawn_into_a_full_hand_is_destroyed() -> None:
    game = game_of(ReferenceRules(hand_limit=2), deck=numbered(3))
    game.draw(game.own, 3)
    assert len(game.own.hand) == 2
    assert game.own.slots == []
    assert game.winner is None


def test_drawing_from_an_empty_deck_loses_at_once() -> None:
    game = game_of(enemy_deck=[])
    game.draw(game.enemy, 1)
    assert game.winner == 0
    assert game.enemy.life == 20


def test_fatigue_grows_by_one_with_each_missing_card() -> None:
    game = game_of(ReferenceRules(deck_out="fatigue"), deck=[])
    game.draw(game.own, 3)
    assert game.own.life == 20 - 1 - 2 - 3
    assert game.winner is None


def test_fatigue_kills_and_stops_the_remaining_draws() -> None:
    game = game_of(ReferenceRules(deck_out="fatigue", life=3), deck=[])
    game.draw(game.own, 5)
    assert game.winner == 1
    assert game.own.life == 0


def test_seats_draw_from_streams_of_their_own() -> None:
    deck = numbered(30)
    game = game_of(deck=deck, enemy_deck=deck)
    game.draw(game.own, 9)
    alone = game_of(deck=deck, enemy_deck=deck)
    alone.draw(alone.enemy, 9)
    game.draw(game.enemy, 9)
    assert game.enemy.hand == alone.enemy.hand
    assert game.enemy.hand != game.own.hand


# Turns


def test_opening_hands_are_dealt_and_seat_0_skips_its_first_draw() -> None:
    game = game_of(ReferenceRules(opening_hand=(3, 4)))
    game.start()
    assert [len(player.hand) for player in game.players] == [3, 4]
    game.perform(EndTurn())
    assert [len(player.hand) for player in game.players] == [3, 5]
    game.perform(EndTurn())
    assert [len(player.hand) for player in game.players] == [4, 5]


def test_seat_0_draws_on_its_first_turn_when_the_rules_say_so() -> None:
    game = game_of(ReferenceRules(skip_first_draw=False))
    game.start()
    assert len(game.own.hand) == 6


def test_a_deck_too_small_for_the_opening_hand_loses_before_the_first_turn() -> None:
    rules = ReferenceRules()
    both_short: tuple[Deck, Deck] = ([BODY] * 4, [BODY] * 4)
    outcome = play_reference(rules, both_short, ("aggro", "aggro"), game_seed=3)
    assert outcome == ReferenceOutcome(winner=1, n_turns=0, n_actions=0, life=(20, 20))


def test_mana_starts_at_one_grows_each_own_turn_up_to_the_maximum_and_refills() -> None:
    game = game_of(ReferenceRules(mana_max=3))
    game.start()
    seen = []
    for _ in range(8):
        seen.append((game.own.seat, game.own.mana))
        game.own.mana = 0
        game.perform(EndTurn())
    assert seen == [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 3), (1, 3)]


def test_units_become_ready_when_their_own_turn_begins() -> None:
    game = game_of()
    game.start()
    game.own.board = board((1, 1), ready=False)
    (unit,) = game.own.board
    game.perform(EndTurn())
    assert not unit.ready
    game.perform(EndTurn())
    assert unit.ready


def test_the_end_of_the_last_turn_allowed_is_a_draw() -> None:
    decks: tuple[Deck, Deck] = ([UNPLAYABLE] * 30, [UNPLAYABLE] * 30)
    outcome = play_reference(ReferenceRules(turn_cap=4), decks, ("aggro", "aggro"), game_seed=3)
    assert outcome == ReferenceOutcome(winner=DRAW, n_turns=4, n_actions=4, life=(20, 20))


def test_a_game_decided_within_the_last_turn_allowed_is_no_draw() -> None:
    game = game_of(ReferenceRules(turn_cap=1, life=1))
    game.start()
    game.own.board = board((1, 1))
    game.perform(Attack(game.own.board[0], None))
    assert game.winner == 0


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


def test_playing_onto_a_full_board_is_legal() -> None:
    game = game_of(ReferenceRules(board_limit=1))
    game.own.mana = 1
    game.own.hand = [BODY]
    game.own.board = board((1, 1), ready=False)
    assert game.legal_actions() == [Play(0), EndTurn()]


# Playing cards


def test_a_played_card_is_paid_leaves_the_hand_and_waits_at_the_right_end() -> None:
    game = game_of()
    game.own.board = board((5, 5))
    game.own.hand = numbered(2)
    play(game, ReferenceCard(cost=2, attack=3, health=4), mana=3)
    assert game.own.mana == 1
    assert game.own.hand == numbered(2)
    assert numbers_of(game.own.board) == [(5, 5), (3, 4)]
    assert [unit.ready for unit in game.own.board] == [True, False]


def test_haste_is_ready_at_once() -> None:
    game = game_of()
    play(game, ReferenceCard(cost=1, attack=2, health=1, haste=True))
    assert game.own.board[0].ready


def test_a_body_played_onto_a_full_board_is_destroyed_but_its_effect_happens() -> None:
    game = game_of(ReferenceRules(board_limit=1))
    game.own.board = board((5, 5))
    play(game, card_with(Effect("damage", ENEMY, 2)))
    assert numbers_of(game.own.board) == [(5, 5)]
    assert game.own.mana == 4
    assert game.enemy.life == 18


def test_damage_hits_the_player_it_names() -> None:
    game = game_of()
    play(game, card_with(Effect("damage", ENEMY, 2), Effect("damage", OWN, 3)))
    assert (game.own.life, game.enemy.life) == (17, 18)


@pytest.mark.parametrize(("before", "after"), [(15, 17), (19, 20), (20, 20), (23, 23)])
def test_healing_stops_at_the_starting_life_and_never_takes_any(before: int, after: int) -> None:
    game = game_of()
    game.own.life = before
    play(game, card_with(Effect("heal", OWN, 2)))
    assert game.own.life == after


def test_healing_can_go_to_the_enemy() -> None:
    game = game_of()
    game.own.life = game.enemy.life = 10
    play(game, card_with(Effect("heal", ENEMY, 2)))
    assert (game.own.life, game.enemy.life) == (10, 12)


def test_a_draw_effect_draws_its_amount_for_the_player_it_names() -> None:
    game = game_of()
    play(game, card_with(Effect("draw", OWN, 2), Effect("draw", ENEMY, 1)))
    assert (len(game.own.hand), len(game.enemy.hand)) == (2, 1)


def test_summoned_units_come_after_their_card_and_are_lost_when_the_board_is_full() -> None:
    game = game_of(ReferenceRules(board_limit=3))
    hasty = ReferenceCard(cost=0, attack=2, health=1, haste=True)
    card = ReferenceCard(1, 4, 4, effects=(Effect("summon", OWN, 5, hasty),))
    play(game, card)
    assert numbers_of(game.own.board) == [(4, 4), (2, 1), (2, 1)]
    assert [unit.ready for unit in game.own.board] == [False, True, True]


def test_a_unit_can_be_summoned_for_the_enemy() -> None:
    game = game_of()
    play(game, card_with(Effect("summon", ENEMY, 1, TOKEN)))
    assert (len(game.own.board), len(game.enemy.board)) == (1, 1)


def test_a_token_that_is_summoned_has_no_play_effect() -> None:
    game = game_of()
    striker = card_with(Effect("damage", ENEMY, 2))
    play(game, card_with(Effect("summon", OWN, 1, striker)))
    assert game.enemy.life == 20


def test_no_effect_happens_once_an_earlier_one_ended_the_game() -> None:
    game = game_of()
    game.enemy.life = 1
    play(game, card_with(Effect("damage", ENEMY, 2), Effect("damage", OWN, 30)))
    assert game.winner == 0
    assert (game.own.life, game.enemy.life) == (20, -1)


def test_a_draw_effect_on_an_empty_deck_loses_before_the_next_effect() -> None:
    game = game_of(deck=[])
    game.enemy.life = 1
    play(game, card_with(Effect("draw", OWN, 1), Effect("damage", ENEMY, 2)))
    assert game.winner == 1
    assert game.enemy.life == 1


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


def test_a_unit_attacks_once_per_turn() -> None:
    game = game_of()
    game.own.board = board((2, 3))
    game.perform(Attack(game.own.board[0], None))
    assert game.enemy.life == 18
    assert game.legal_actions() == [EndTurn()]


def test_life_is_reported_below_zero_as_it_is() -> None:
    hitter = ReferenceCard(cost=1, attack=5, health=1, haste=True)
    decks: tuple[Deck, Deck] = ([hitter] * 10, [UNPLAYABLE] * 10)
    outcome = play_reference(ReferenceRules(life=3), decks, ("aggro", "aggro"), game_seed=8)
    assert outcome == ReferenceOutcome(winner=0, n_turns=1, n_actions=2, life=(3, -2))


def test_a_game_in_which_both_players_have_no_life_left_is_a_draw() -> None:
    game = game_of()
    game.own.life, game.enemy.life = 0, -1
    game.check_life()
    assert game.winner == DRAW


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


def test_the_nth_decision_of_a_seat_takes_the_nth_number_of_its_stream() -> None:
    # Only seat 1 can do more than end its turn: free cards, so n cards in hand make n + 1 actions.
    free = ReferenceCard(cost=0, attack=0, health=1)
    rules = ReferenceRules(opening_hand=(0, 2), turn_cap=2, board_limit=0)
    for game_seed in range(40):
        decks: tuple[Deck, Deck] = ([UNPLAYABLE] * 9, [free] * 9)
        outcome = play_reference(rules, decks, ("random", "random"), game_seed)
        n_hand, n_decisions = 3, 0
        numbers = random_numbers(game_seed, key=18)
        while True:
            n_decisions += 1
            if (next(numbers) * (n_hand + 1)) >> 32 == n_hand:
                break
            n_hand -= 1
        assert outcome.n_actions == 1 + n_decisions


def test_greedy_prefers_the_best_score_and_the_lowest_action_among_equals() -> None:
    game = game_of()
    game.own.mana = 3
    game.own.hand = [ReferenceCard(cost, 1, 1) for cost in (2, 3, 3)]
    assert choice_of("greedy", game) == Play(1)
    game.own.board = board((3, 1))
    assert choice_of("greedy", game) == Play(1)  # the attack on the player scores 3 too
    game.own.board = board((4, 1))
    assert choice_of("greedy", game) == Attack(game.own.board[0], None)


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


def test_greedy_ends_the_turn_when_no_score_is_positive() -> None:
    game = game_of()
    game.own.hand = [ReferenceCard(0, 5, 5)]
    game.own.board = board((0, 1))
    game.enemy.board = board((1, 1))
    assert choice_of("greedy", game) == EndTurn()


@pytest.mark.parametrize("agent", ["aggro", "control"])
def test_scripted_agents_play_the_oldest_affordable_card_before_they_attack(agent: str) -> None:
    game = game_of()
    game.own.board = board((1, 1))
    game.own.hand = [ReferenceCard(cost, 1, 1) for cost in (3, 2, 1)]
    game.own.mana = 2
    assert choice_of(agent, game) == Play(1)
    game.own.mana = 0
    assert choice_of(agent, game) == Attack(game.own.board[0], None)
    game.own.board[0].ready = False
    assert choice_of(agent, game) == EndTurn()


@pytest.mark.parametrize("agent", ["aggro", "control"])
def test_scripted_agents_never_play_onto_a_full_board_nor_after_an_attack(agent: str) -> None:
    game = game_of(ReferenceRules(board_limit=2))
    game.own.life = 11
    game.own.mana = 5
    game.own.hand = [BODY]
    game.own.board = board((1, 2), (1, 5))
    game.enemy.board = board((2, 1))
    first, second = game.own.board
    assert choice_of(agent, game) == Attack(first, game.enemy.board[0])
    game.perform(Attack(first, game.enemy.board[0]))
    assert game.own.board == [second]  # there is room again, but the play phase is over
    assert choice_of(agent, game) == Attack(second, None)


@pytest.mark.parametrize("agent", ["aggro", "control"])
def test_scripted_agents_play_again_on_their_next_turn(agent: str) -> None:
    game = game_of()
    game.start()
    game.own.board = board((1, 5))
    game.perform(Attack(game.own.board[0], None))
    game.perform(EndTurn())
    game.perform(EndTurn())
    game.own.hand = [BODY]
    assert choice_of(agent, game) == Play(0)


@pytest.mark.parametrize(("life", "victim"), [(12, None), (11, 1)])
def test_aggro_trades_only_below_twelve_life(life: int, victim: int | None) -> None:
    game = game_of()
    game.own.life = life
    game.own.board = board((2, 2))
    game.enemy.board = board((1, 3), (1, 2), (5, 1))
    target = None if victim is None else game.enemy.board[victim]  # the oldest it can destroy
    assert choice_of("aggro", game) == Attack(game.own.board[0], target)


def test_aggro_below_twelve_life_hits_the_player_when_it_can_destroy_nothing() -> None:
    game = game_of()
    game.own.life = 1
    game.own.board = board((2, 2))
    game.enemy.board = board((1, 3))
    assert choice_of("aggro", game) == Attack(game.own.board[0], None)


def control_target(game: Game) -> int | None:
    """Return which enemy unit control's oldest unit attacks, or None for the player."""
    action = choice_of("control", game)
    assert isinstance(action, Attack)
    assert action.attacker is game.own.board[0]
    return None if action.target is None else game.enemy.board.index(action.target)


def test_control_kills_the_player_when_its_ready_units_can_do_it_together() -> None:
    game = game_of()
    game.own.board = board((2, 9), (3, 9))
    game.enemy.board = board((1, 2))
    game.enemy.life = 6
    assert control_target(game) == 0
    game.enemy.life = 5
    assert control_target(game) is None
    game.own.board[1].ready = False  # now only 2 damage are at hand
    assert control_target(game) == 0


def test_control_races_when_twice_the_enemy_attack_exceeds_the_health_of_its_units() -> None:
    game = game_of()
    game.own.board = [*board((1, 20)), *board((1, 40), ready=False)]
    game.enemy.board = board((30, 1))
    assert control_target(game) == 0  # 60 does not exceed 20 + 40: the unit that waits counts
    game.own.board[1].health = 39
    assert control_target(game) is None


def test_control_prefers_a_trade_that_its_attacker_survives() -> None:
    game = game_of()
    game.own.board = [*board((3, 2)), *board((0, 20), ready=False)]
    game.enemy.board = board((2, 3), (1, 4), (1, 3), (0, 1))
    assert control_target(game) == 2


def test_control_otherwise_takes_the_oldest_trade_that_destroys_the_enemy_unit() -> None:
    game = game_of()
    game.own.board = [*board((3, 2)), *board((0, 20), ready=False)]
    game.enemy.board = board((0, 4), (2, 3), (2, 1))
    assert control_target(game) == 1


def test_control_weakens_the_strongest_unit_when_the_enemy_attack_exceeds_its_life() -> None:
    game = game_of()
    game.own.board = [*board((1, 5)), *board((0, 20), ready=False)]
    game.enemy.board = board((1, 2), (3, 5), (3, 4))
    game.own.life = 6
    assert control_target(game) == 1


def test_control_weakens_the_frailest_unit_when_nothing_presses() -> None:
    game = game_of()
    game.own.board = [*board((1, 5)), *board((0, 20), ready=False)]
    game.enemy.board = board((3, 5), (1, 2), (3, 2))
    game.own.life = 7
    assert control_target(game) == 1


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_agents_only_choose_legal_actions(agent: str) -> None:
    cards = [
        ReferenceCard(1, 2, 1, haste=True),
        ReferenceCard(2, 1, 3, effects=(Effect("summon", OWN, 1, TOKEN),)),
        ReferenceCard(3, 3, 3, effects=(Effect("draw", OWN, 1),)),
        ReferenceCard(4, 3, 5, effects=(Effect("damage", ENEMY, 2), Effect("heal", OWN, 2))),
    ]
    for game_seed in range(20):
        game = Game(ReferenceRules(), (cards * 7, cards * 7), game_seed)
        game.start()
        while game.winner is None:
            action = AGENTS[agent](game, next(game.own.choice_numbers))
            assert action in game.legal_actions()
            game.perform(action)
