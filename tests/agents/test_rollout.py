"""Rollout agents imagine fair worlds, and choose what a plain flat search chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from agents import agent_named
from agents.conformance.games import (
    SOURCES,
    Games,
    Position,
    drawn_records,
    exchange_hidden,
    games_of,
    positions,
)
from agents.search.worlds import deal_hidden, forget_hidden
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, compiled, none, u64
from sim.engine.stepping import ask_agent, legal_actions, perform
from sim.game_log.snapshot import take_snapshot
from sim.play import CompiledAgent, pack_table
from tests.duels import CORE, DECKS, DUEL, TABLE, row_of
from tests.reference_duel import GAMMA, mix64
from tests.steps import Words16, begin

Pilots = dict[int, CompiledAgent]
NUMBERS = TABLE.words[0]
PRINTED = {
    at.COST: at.CARD_COST,
    at.ATTACK: at.CARD_ATTACK,
    at.HEALTH: at.CARD_HEALTH,
    at.MAX_HEALTH: at.CARD_HEALTH,
    at.KEYWORDS: at.CARD_KEYWORDS,
}


def number(seed: int, n: int) -> int:
    return mix64(seed + n * GAMMA)


@compiled(none(Block, Block, u64), from_python=True)
def deal_world(state, table, world_seed):
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    forget_hidden(words, numbers)
    deal_hidden(words, numbers, world_seed)


def world_of(state: Words16, numbers: Words16, index: int) -> Words16:
    """Return the imagined world of a number, as searches deal it for the current decision."""
    block = at.SEATS + at.SEAT_SIZE * int(state[at.ACTIVE])
    agent_stream = int(state[block + at.AGENT_STREAM :][:4].copy().view("<u8")[0])
    stream = number(agent_stream, int(state[block + at.N_DECISIONS]) + 1)
    world = state.copy()
    deal_world(world, numbers, number(stream, index + 1))
    return world


def points_of_game(state: Words16, games: Games, action: int, pilots: Pilots, seat: int) -> int:
    """Return the points of `seat`, 2 for a win, after an action if `pilots` play on."""
    game = state.copy()
    perform(game, games.numbers, action)
    while game[at.RESULT] == at.RUNNING:
        perform(game, games.numbers, games.ask(pilots[game[at.ACTIVE]], game))
    return 1 if game[at.RESULT] == at.DRAWN else 2 * (game[at.RESULT] == seat)


def plain_search(
    games: Games,
    state: Words16,
    n_worlds: int,
    own: CompiledAgent,
    enemy: CompiledAgent,
    halvings: Sequence[int] = (),
) -> int:
    """Return the choice of a plain flat Monte-Carlo search.

    Of equals it is the choice of `own`, then the action listed first. The worse half of the actions
    is dropped before each world in `halvings`.
    """
    seat = int(state[at.ACTIVE])
    favourite = games.ask(own, state.copy())
    legal = legal_actions(state.copy(), games.numbers)
    left = list(range(len(legal)))
    points = [0] * len(legal)

    def rank(k: int) -> tuple[int, bool, int]:
        return points[k], legal[k] == favourite, -k

    for index in range(n_worlds):
        if index in halvings:
            left = sorted(left, key=rank)[len(left) // 2 :]
        world = world_of(state, games.numbers, index)
        for k in left:
            points[k] += points_of_game(world, games, legal[k], {seat: own, 1 - seat: enemy}, seat)
    return legal[max(left, key=rank)]


@cache
def close_positions(n_games: int) -> list[Words16]:
    """Return moments with a choice in even games, which chance and choices decide."""
    control = agent_named("control").address(general=False)
    states = []
    for seed in range(n_games):
        state = begin(TABLE, DECKS[[seed % 4, seed % 4]], seed)
        while state[at.RESULT] == at.RUNNING:
            if len(legal_actions(state, NUMBERS)) > 1:
                states.append(state.copy())
            perform(state, NUMBERS, ask_agent(state, NUMBERS, control))
    return states


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("n_worlds", "opponent", "turn_cap"),
    [(3, "control", 100), (6, "aggro", 14), (8, "random", 100)],  # a game at the cap is drawn
)
def test_it_chooses_as_a_plain_flat_search(n_worlds: int, opponent: str, turn_cap: int) -> None:
    table = pack_table(CORE, DUEL.model_copy(update={"turn_cap": turn_cap}))
    games = replace(games_of("duel"), table=table)
    agent = agent_named(f"rollout:{n_worlds}:{opponent}")
    pilots = agent_named("control"), agent_named(opponent)
    n_preferred = 0
    for state in close_positions(n_games=4)[::2]:
        chosen = games.ask(agent, state)
        assert chosen == plain_search(games, state, n_worlds, *pilots)
        n_preferred += chosen != legal_actions(state, NUMBERS)[0]
    assert n_preferred > 10


def test_a_world_has_the_extras_of_the_second_player() -> None:
    rules = DUEL.with_numbers({"extra_life_second": 6, "extra_mana_second": 2})
    table = pack_table(CORE, rules)
    numbers = table.words[0]
    second = at.SEATS + at.SEAT_SIZE
    world = world_of(begin(table, DECKS[:2], seed=3), numbers, index=0)
    assert (world[second + at.HEALTH], world[second + at.MAX_HEALTH]) == (26, 26)
    perform(world, numbers, at.END_TURN)
    assert (world[second + at.MANA], world[second + at.MANA_CAP]) == (3, 1)
    later = world_of(world, numbers, index=1)  # now the second player imagines
    assert later[second + at.MANA] == 3
    for _ in range(2):
        perform(later, numbers, at.END_TURN)
    assert later[second + at.MANA] == 2


@cache
def decisions(source: str) -> tuple[Games, list[Position]]:
    games = games_of(source)
    return games, list(positions(agent_named("greedy"), games, 3))


@pytest.mark.parametrize("source", SOURCES[:2])
def test_a_world_shows_the_seat_what_it_sees(source: str) -> None:
    games, moments = decisions(source)
    n_changed = n_given = 0
    for index, decision in enumerate(moments):
        world = decision.state.copy()
        deal_world(world, games.numbers, index)
        before = take_snapshot(decision.state)
        after = take_snapshot(world)
        own = after.seats[after.active]
        enemy = after.seats[1 - after.active]
        old_own = before.seats[after.active]
        old_enemy = before.seats[1 - after.active]
        hidden = {"hand": (), "n_draws": 0, "drawn_slots": frozenset(), "deck": frozenset()}
        assert replace(after, seats=before.seats) == before
        assert replace(own, n_draws=0) == replace(old_own, n_draws=0)
        assert replace(enemy, **hidden) == replace(old_enemy, **hidden)
        drawn = drawn_records(decision.state, 1 - before.active).tolist()
        for card, old in zip(enemy.hand, old_enemy.hand, strict=True):
            assert (card.at, card.cost_change) == (old.at, old.cost_change)
            assert card.at in drawn or card == old
            n_given += card.at not in drawn
        for seat in (0, 1):
            assert sorted(slots_in(world, seat)) == sorted(slots_in(decision.state, seat))
        n_changed += [card.card for card in enemy.hand] != [card.card for card in old_enemy.hand]
    assert n_changed > 50
    assert n_given > 0 or source == "duel"


def test_worlds_deal_whole_cards() -> None:
    for index, decision in enumerate(decisions("duel")[1]):
        world = decision.state.copy()
        deal_world(world, NUMBERS, index)
        enemy = at.SEATS + at.SEAT_SIZE * (1 - world[at.ACTIVE])
        for record in world[enemy + at.HAND + 1 :][: world[enemy + at.HAND]]:
            card = world[record + at.CARD]
            assert card == world[enemy + at.CARD_OF_SLOT + world[record + at.SLOT]]
            for field, printed in PRINTED.items():
                assert world[record + field] == NUMBERS[at.CARDS + at.CARD_SIZE * card + printed]


def slots_in(state: Words16, seat: int) -> list[int]:
    """Return the slots of a seat's deck and hand."""
    block = at.SEATS + at.SEAT_SIZE * seat
    records = state[block + at.HAND + 1 :][: state[block + at.HAND]]
    deck = state[block + at.DECK + 1 :][: state[block + at.DECK]]
    return [*state[records + at.SLOT].tolist(), *deck.tolist()]


def test_every_hand_not_seen_yet_is_equally_likely_and_holds_no_blank() -> None:
    deck = row_of([0, None, 1, 2, None, 3, 4, 5, 6, None])
    state = begin(TABLE, np.stack([DECKS[0], deck]), seed=1)
    block = at.SEATS + at.SEAT_SIZE
    unseen = [slot for slot in range(deck[0]) if deck[1 + slot] != at.BLANK]
    assert (state[at.ACTIVE], state[block + at.HAND], len(unseen)) == (0, 5, 7)
    counts = dict.fromkeys(combinations(unseen, 5), 0)
    n_worlds = 400 * len(counts)
    for seed in range(n_worlds):
        world = state.copy()
        deal_world(world, NUMBERS, seed)
        records = world[block + at.HAND + 1 :][:5]
        counts[tuple(sorted(world[records + at.SLOT].tolist()))] += 1
        assert world[block + at.N_CARDS_LEFT] == 2
    share = 1 / len(counts)
    deviation = (n_worlds * share * (1 - share)) ** 0.5
    for count in counts.values():
        assert abs(count - n_worlds * share) < 4.5 * deviation


def test_its_luck_is_that_of_seat_and_decision_alone() -> None:
    agent = agent_named("rollout:2")
    changed = dict.fromkeys([at.AGENT_STREAM, at.N_DECISIONS, at.DRAW_STREAM, at.N_DRAWS], 0)
    for state in close_positions(n_games=4):
        chosen = ask_agent(state, NUMBERS, agent.address(general=False))
        for field in changed:
            other = state.copy()
            other[at.SEATS + at.SEAT_SIZE * int(state[at.ACTIVE]) + field] ^= 1
            changed[field] += ask_agent(other, NUMBERS, agent.address(general=False)) != chosen
    assert changed.pop(at.AGENT_STREAM) > 10
    assert changed.pop(at.N_DECISIONS) > 10
    assert not any(changed.values())


# --- games by the general rules ---


@compiled(none(Block, Block), from_python=True)
def forget(state, table):
    forget_hidden(words_at(state, 0), words_at(table, 0))


def test_states_that_a_seat_cannot_distinguish_become_equal() -> None:
    games, moments = decisions("saga")
    rng = np.random.default_rng(3)
    streams = [
        at.SEATS + at.SEAT_SIZE * seat + stream + word
        for seat in (0, 1)
        for stream in (at.DRAW_STREAM, at.AGENT_STREAM, at.EFFECT_STREAM)
        for word in range(4)
    ]
    for decision in moments:
        actual = decision.state.copy()
        other = exchange_hidden(decision.state, games.numbers, rng)
        assert (actual[: at.CLONE_SIZE] != other[: at.CLONE_SIZE]).any()
        for state in (actual, other):
            forget(state, games.numbers)
            state[streams] = state[at.N_GROUP] = 0  # the length of a group is scratch memory
        np.testing.assert_array_equal(actual[: at.CLONE_SIZE], other[: at.CLONE_SIZE])


def test_it_chooses_as_a_plain_flat_search_by_the_general_rules() -> None:
    games, moments = decisions("saga")
    agent = agent_named("rollout:3")
    control = agent_named("control")
    n_own = 0
    for decision in moments[::3]:
        state = decision.state
        chosen = games.ask(agent, state.copy())
        assert chosen == plain_search(games, state, 3, control, control)
        n_own += chosen != games.ask(control, state.copy())
    assert n_own > 2
