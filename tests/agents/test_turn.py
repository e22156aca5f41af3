"""The turn search finds what a plain search of the whole turn finds, and wins if it can."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import pytest

from agents import agent_named
from agents.conformance.games import SOURCES, Games, games_of, positions
from agents.roster.turn import TurnAgent, turn_agent
from agents.search.turn import parameters as param
from agents.search.turn.features import worth
from agents.search.turn.tree import mark_of
from agents.search.turn.weights import load_weights
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, compiled, i64, u64
from sim.engine.stepping import legal_actions, perform
from tests.agents.test_rollout import world_of
from tests.legacy import needs_package
from tests.steps import Words16, block, items

RICH = load_weights("rich")
ENDLESS = 5_000  # life

EACH_SOURCE = [*SOURCES[:2], pytest.param(SOURCES[2], marks=needs_package)]


@compiled(i64(Block, Block, Block, i64), from_python=True)
def worth_of(state, table, parameters, seat):
    return worth(words_at(state, 0), words_at(table, 0), words_at(parameters, 0), seat)


@compiled(u64(Block, i64), from_python=True)
def mark_in(state, seat):
    return mark_of(words_at(state, 0), seat)


# --- positions as plain Python sees them ---


UNLIKE = {at.SLOT, at.ORDER, at.SERIAL, at.ZONE, at.N_MADE, at.SPELL_POWER, at.NEW_AURA_HEALTH}
RECORD = np.array([word for word in range(at.RECORD_SIZE) if word not in UNLIKE])
SEAT = np.array([word for word in range(at.RECORD_SIZE, at.DRAW_STREAM) if word != at.WEAPON])
PROMISED = np.arange(at.NEXT_SPELL, at.NEXT_SPELL + 4)
BOTH = np.array([[block(0)], [block(1)]])
LEADERS = BOTH + np.concatenate([RECORD, SEAT, PROMISED])
CHANCE = BOTH + np.array([at.N_DRAWS, at.SECRETS, *range(at.USES, at.SEAT_SIZE)])


def chance_in(state: Words16) -> bytes:
    """Return the words that change when something random or a secret is revealed."""
    return state[CHANCE].tobytes()


def key_of(state: Words16, seat: int) -> tuple[object, ...]:
    """Return a key that two positions of a turn share if they are the same."""

    def alike(cards: list[int]) -> list[bytes]:
        return [state[RECORD + card].tobytes() for card in cards]

    weapons = [int(state[block(s) + at.WEAPON]) for s in (0, 1)]
    armed = [bool(weapon) and state[RECORD + weapon].tobytes() for weapon in weapons]
    boards = [tuple(sorted(alike(items(state, s, at.BOARD)))) for s in (0, 1)]
    hand = tuple(sorted(alike(items(state, seat, at.HAND))))
    choices = state[at.CHOICES :][: 1 + at.CHOICE_CAPACITY].tobytes() if state[at.CHOICES] else b""
    return state[LEADERS].tobytes(), *armed, *boards, hand, choices, seat


def whole_turn(
    games: Games, state: Words16, limit: int
) -> dict[object, tuple[Words16, set[int]]] | None:
    """Return all positions of a turn by their keys, with the first actions that lead to each.

    Returns `None` if chance has an influence, or if there are more than `limit` positions.
    """
    seat = int(state[at.ACTIVE])
    root = world_of(state, games.numbers, 0)
    reached: dict[object, tuple[Words16, set[int]]] = {key_of(root, seat): (root, {at.END_TURN})}
    waiting = [(root, None)]
    while waiting:
        position, first = waiting.pop()
        for action in legal_actions(position.copy(), games.numbers):
            if action == at.END_TURN:
                continue
            child = position.copy()
            perform(child, games.numbers, action)
            if chance_in(child) != chance_in(root) or len(reached) > limit:
                return None
            first_action = action if first is None else first
            key = key_of(child, seat)
            if key not in reached:
                reached[key] = child, set()
            if first_action not in reached[key][1]:
                reached[key][1].add(first_action)
                if child[at.RESULT] == at.RUNNING:
                    waiting.append((child, first_action))
    return reached


@cache
def searched_turns(source: str) -> list[tuple[Games, Words16, dict]]:
    """Return the first moments with a choice in turns without chance that have few positions."""
    return list(islice(_searched_turns(games_of(source)), 16))


def _searched_turns(games: Games) -> Iterator[tuple[Games, Words16, dict]]:
    for position in positions(agent_named("greedy"), games, 6):
        state = position.state
        if state[at.PHASE] != at.MAIN_PHASE or len(legal_actions(state.copy(), games.numbers)) == 1:
            continue
        turn = whole_turn(games, state, 60)
        if turn is not None:
            yield games, state, turn


def turn_with(n_nodes: int, **changes: int) -> TurnAgent:
    """Return a search with the shipped weights and some changed parameters."""
    parameters = RICH.parameters(n_nodes)
    for name, value in changes.items():
        parameters[getattr(param, name)] = value
    return turn_agent("turn:changed", parameters)


# --- the search ---


@pytest.mark.thorough
@pytest.mark.parametrize("source", EACH_SOURCE)
def test_it_finds_the_best_end_of_the_whole_turn(source: str) -> None:
    agent = turn_with(8_000, REPLY=0, LEAVES=1)
    n_choices = 0
    for games, state, turn in searched_turns(source):
        seat = int(state[at.ACTIVE])
        parameters = agent.parameter_rows[1]
        worths = {
            key: worth_of(end, games.numbers, parameters, seat) for key, (end, _) in turn.items()
        }
        best = max(worths.values())
        wanted = set().union(*(turn[key][1] for key in turn if worths[key] == best))
        assert games.ask(agent, state.copy()) in wanted
        n_choices += len(wanted) < len(legal_actions(state.copy(), games.numbers))
    assert n_choices > 5


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_marks_differ_exactly_between_different_positions(source: str) -> None:
    n_met = 0
    for games, state, turn in searched_turns(source)[:12]:
        seat = int(state[at.ACTIVE])
        marks = [mark_in(end, seat) for end, _ in turn.values()]
        assert len(set(marks)) == len(turn)
        for end in (end for end, _ in turn.values() if end[at.RESULT] == at.RUNNING):
            for action in legal_actions(end.copy(), games.numbers):
                child = end.copy()
                perform(child, games.numbers, action)
                if action != at.END_TURN:
                    assert mark_in(child, seat) == mark_in(turn[key_of(child, seat)][0], seat)
                    n_met += 1
    assert n_met > 40


def test_marks_of_ready_units_and_of_units_with_more_attack_differ() -> None:
    games = games_of("duel")
    state = next(
        position.state.copy()
        for position in positions(agent_named("greedy"), games, 100)
        if len(items(position.state, int(position.state[at.ACTIVE]), at.BOARD)) > 0
    )
    seat = int(state[at.ACTIVE])
    unit = items(state, seat, at.BOARD)[0]
    marks = set()
    for attack in range(4):
        for ready in range(2):
            state[unit + at.ATTACK] = attack
            state[unit + at.READY] = ready
            marks.add(mark_in(state, seat))
    assert len(marks) == 4 * 2


# --- winning at once ---


def winnable_turns(source: str) -> Iterator[tuple[Games, Words16, dict]]:
    """Yield moments at which the enemy has exactly as much life as this turn can take."""
    games = games_of(source)
    for position in islice(positions(agent_named("greedy"), games, 100), 6, None, 3):
        state = position.state.copy()
        enemy = block(1 - int(state[at.ACTIVE]))
        state[enemy + at.HEALTH] = ENDLESS
        state[enemy + at.ARMOR] = 0
        if state[at.PHASE] != at.MAIN_PHASE:
            continue
        turn = whole_turn(games, state, 400)
        if turn is None:
            continue
        damage = max(ENDLESS - int(end[enemy + at.HEALTH]) for end, _ in turn.values())
        state[enemy + at.HEALTH] = damage
        won = whole_turn(games, state, 400) if damage > 3 else None
        if won is not None and any(e[at.RESULT] == state[at.ACTIVE] for e, _ in won.values()):
            yield games, state, won


def win_in(games: Games, state: Words16) -> int:
    """Return the action by which the agent surely wins in this turn, else the end of the turn."""
    why = turn_agent("turn:600", RICH.parameters(600)).explainer(games.numbers)(state)
    return why.action if why.by == "win" else at.END_TURN


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("source", "n_wins"),
    [("duel", 8), ("saga", 50), pytest.param("legacy", 50, marks=needs_package)],
)
def test_it_finds_the_win_of_a_turn_and_none_that_is_not_there(source: str, n_wins: int) -> None:
    n_found = n_turns = 0
    for games, state, turn in islice(winnable_turns(source), n_wins):
        seat = int(state[at.ACTIVE])
        chosen = win_in(games, state)
        winning = {
            action
            for end, first_actions in turn.values()
            if end[at.RESULT] == seat
            for action in first_actions
        }
        assert chosen in winning | {at.END_TURN}
        n_found += chosen != at.END_TURN
        n_turns += 1
        state[block(1 - seat) + at.HEALTH] += 1
        assert win_in(games, state) == at.END_TURN
    assert n_turns == n_wins
    assert n_found >= 0.95 * n_wins - 1
