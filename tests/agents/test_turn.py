"""The turn search finds what a plain search of the whole turn finds, and wins where it can."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from agents import agent_named
from agents.conformance.games import SOURCES, Games, games_of, positions
from agents.roster.turn import TurnAgent, turn_agent
from agents.search.turn import mind as of
from agents.search.turn.features import WON, worth
from agents.search.turn.marks import mark_of
from agents.search.turn.search import winning_action
from agents.search.turn.weights import (
    ProspectWeights,
    SideWeights,
    Weights,
    load_weights,
    shipped_weights,
)
from sim import CardFault, InputError, stream_seed
from sim.cards.vocabulary import Keyword, Kind
from sim.engine import layout as at
from sim.engine.addresses import address_of, bind
from sim.engine.compiled import SEARCH, Block, compiled, i64, u64
from sim.engine.pointers import words_at
from sim.engine.stepping import ask_agent, perform
from sim.play import Batch, play
from tests.agents.test_rollout import action_listed, count_actions, deal_world, mirrors, number
from tests.general_view_agents import EAGER
from tests.laws.test_overflow import games_of as games_of_storms
from tests.laws.test_overflow import listeners_and_storms, loud_table
from tests.legacy import needs_package

Words16 = npt.NDArray[np.int16]
RICH = load_weights("rich")
ENDLESS = 5_000  # life
PARTS = ("search", "mulligan", "own", "enemy", "prospects")
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

EACH_SOURCE = [*SOURCES[:2], pytest.param(SOURCES[2], marks=needs_package)]


@compiled(i64(Block, Block, Block, i64), from_python=True)
def worth_of(state, table, mind, seat):
    return worth(words_at(state, 0), words_at(table, 0), words_at(mind, 0), seat)


@compiled(u64(Block, i64), from_python=True)
def mark_in(state, seat):
    return mark_of(words_at(state, 0), seat)


# --- positions as plain Python sees them ---


def block_of(seat: int) -> int:
    return at.SEATS + at.SEAT_SIZE * seat


def items(state: Words16, seat: int, zone: int) -> list[int]:
    start = block_of(seat) + zone
    records: list[int] = state[start + 1 :][: state[start]].tolist()
    return records


def luck_in(state: Words16) -> list[int]:
    """What changes when luck or a secret shows."""
    counters = [block_of(seat) + word for seat in (0, 1) for word in (at.N_DRAWS, at.SECRETS)]
    uses = [state[block_of(seat) + at.USES :][: at.SEAT_SIZE - at.USES] for seat in (0, 1)]
    return [*state[counters].tolist(), *uses[0].tolist(), *uses[1].tolist()]


def key_of(state: Words16, seat: int) -> tuple[object, ...]:
    """What two positions of a turn share if they are the same."""
    unlike = {at.SLOT, at.ORDER, at.SERIAL, at.ZONE, at.N_MADE, at.HEARS, at.SPELL_POWER}
    kept = [word for word in range(at.RECORD_SIZE) if word not in unlike | {at.NEW_AURA_HEALTH}]

    def cards(owner: int, zone: int) -> list[tuple[int, ...]]:
        return sorted(tuple(state[np.array(kept) + card]) for card in items(state, owner, zone))

    own = [word for word in range(at.SEAT_SIZE) if at.RECORD_SIZE <= word < at.DRAW_STREAM]
    leaders = [
        tuple(state[block_of(s) + word] for word in [*kept, *own] if word != at.WEAPON)
        for s in (0, 1)
    ]
    promised = [tuple(state[block_of(s) + at.NEXT_SPELL :][:4]) for s in (0, 1)]
    weapons = [
        tuple(state[np.array(kept) + state[block_of(s) + at.WEAPON]])
        for s in (0, 1)
        if state[block_of(s) + at.WEAPON]
    ]
    choices = tuple(state[at.CHOICES :][: 1 + at.CHOICE_CAPACITY]) if state[at.CHOICES] else ()
    boards = [cards(s, at.BOARD) for s in (0, 1)]
    return (leaders, promised, weapons, boards, cards(seat, at.HAND), choices).__repr__(), seat


def listed_actions(games: Games, state: Words16) -> list[int]:
    n_actions = count_actions(state, games.numbers)
    return [action_listed(state, k) for k in range(n_actions)]


def world_of(games: Games, state: Words16, index: int = 0) -> Words16:
    """The imagined world of a number, as the search deals it."""
    block = block_of(int(state[at.ACTIVE]))
    agent_stream = int(state[block + at.AGENT_STREAM :][:4].copy().view("<u8")[0])
    stream = number(agent_stream, int(state[block + at.N_DECISIONS]) + 1)
    world = state.copy()
    deal_world(world, games.numbers, number(stream, index + 1))
    return world


def whole_turn(
    games: Games, state: Words16, limit: int
) -> dict[object, tuple[Words16, set[int]]] | None:
    """All positions of a turn by their keys, and the first actions that lead to each.

    `None` if luck is in it, or if there are more than `limit`.
    """
    seat = int(state[at.ACTIVE])
    root = world_of(games, state)
    found: dict[object, tuple[Words16, set[int]]] = {key_of(root, seat): (root, {at.END_TURN})}
    waiting = [(root, None)]
    while waiting:
        position, first = waiting.pop()
        for action in listed_actions(games, position.copy()):
            if action == at.END_TURN:
                continue
            child = position.copy()
            perform(child, games.numbers, action)
            if luck_in(child) != luck_in(root) or len(found) > limit:
                return None
            way = action if first is None else first
            key = key_of(child, seat)
            if key not in found:
                found[key] = child, set()
            if way not in found[key][1]:
                found[key][1].add(way)
                if child[at.RESULT] == at.RUNNING:
                    waiting.append((child, way))
    return found


def searched_turns(source: str, limit: int) -> Iterator[tuple[Games, Words16, dict]]:
    """Moments with a choice whose whole turn is small and sure."""
    games = games_of(source)
    for position in positions(agent_named("greedy"), games, 6):
        state = position.state
        if state[at.PHASE] != at.MAIN_PHASE or len(listed_actions(games, state.copy())) == 1:
            continue
        turn = whole_turn(games, state, limit)
        if turn is not None:
            yield games, state, turn


def alone(n_nodes: int, **told: int) -> TurnAgent:
    """A search by the shipped weights, told otherwise here and there."""
    mind = RICH.mind(n_nodes)
    for name, value in told.items():
        mind[getattr(of, name)] = value
    return turn_agent("turn:alone", mind)


# --- the search ---


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_it_finds_the_best_end_of_the_whole_turn(source: str) -> None:
    agent, n_choices = alone(8_000, REPLY=0, LEAVES=1), 0
    for games, state, turn in islice(searched_turns(source, 60), 25):
        seat, mind = int(state[at.ACTIVE]), agent.minds[1]
        worths = {key: worth_of(end, games.numbers, mind, seat) for key, (end, _) in turn.items()}
        best = max(worths.values())
        wanted = set().union(*(turn[key][1] for key in turn if worths[key] == best))
        assert games.ask(agent, state.copy()) in wanted
        n_choices += len(wanted) < len(listed_actions(games, state.copy()))
    assert n_choices > 5


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_marks_tell_positions_apart_and_nothing_else(source: str) -> None:
    n_met = 0
    for games, state, turn in islice(searched_turns(source, 60), 12):
        seat = int(state[at.ACTIVE])
        marks = [mark_in(end, seat) for end, _ in turn.values()]
        assert len(set(marks)) == len(turn)
        going_on = [end for end, _ in turn.values() if end[at.RESULT] == at.RUNNING]
        for end in going_on:
            for action in listed_actions(games, end.copy()):
                child = end.copy()
                perform(child, games.numbers, action)
                if action != at.END_TURN:
                    assert mark_in(child, seat) == mark_in(turn[key_of(child, seat)][0], seat)
                    n_met += 1
    assert n_met > 40


# --- winning at once ---


def planted(source: str, n_games: int) -> Iterator[tuple[Games, Words16, dict]]:
    """Moments at which the enemy has as much life as this turn can take, and not a point more."""
    games = games_of(source)
    for position in islice(positions(agent_named("greedy"), games, n_games), 6, None, 3):
        state = position.state.copy()
        enemy = block_of(1 - int(state[at.ACTIVE]))
        state[enemy + at.HEALTH], state[enemy + at.ARMOR] = ENDLESS, 0
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


def winner(n_nodes: int) -> tuple[int, Words16]:
    """The address of the search for lines that win, and the words that it reads."""
    mind = RICH.mind(n_nodes)
    return bind(address_of(winning_action, SEARCH), mind.ctypes.data, 0, 0), mind


def count_won(source: str, n_games: int, most: int | None = None) -> tuple[int, int]:
    """How many planted wins are found, of how many; none is found that is not there."""
    address, _mind = winner(600)
    n_found = n_planted = 0
    for games, state, turn in islice(planted(source, n_games), most):
        seat = int(state[at.ACTIVE])
        found = ask_agent(state.copy(), games.numbers, address)
        winning = {way for end, ways in turn.values() if end[at.RESULT] == seat for way in ways}
        assert found in winning | {at.END_TURN}
        n_found, n_planted = n_found + (found != at.END_TURN), n_planted + 1
        state[block_of(1 - seat) + at.HEALTH] += 1
        assert ask_agent(state, games.numbers, address) == at.END_TURN
    return n_found, n_planted


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_it_finds_a_win_in_this_turn(source: str) -> None:
    n_found, n_planted = count_won(source, 12, most=8)
    assert n_planted == 8
    assert n_found >= n_planted - 1


@needs_package
@pytest.mark.thorough
def test_it_finds_three_hundred_wins() -> None:
    counts = np.array([count_won(source, n) for source, n in (("saga", 60), ("legacy", 60))])
    n_found, n_planted = counts.sum(axis=0)
    assert n_planted >= 300
    assert n_found >= 0.95 * n_planted


# --- worth ---


def plain_worth(state: Words16, table: Words16, weights: Weights, seat: int) -> int:
    """The sum of features, as the documentation tells it."""
    total = 0
    for side, owner in ((weights.own, seat), (weights.enemy, 1 - seat)):
        leader = block_of(owner)
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
    attack, health = max(int(state[minion + at.ATTACK]), 0), int(state[minion + at.HEALTH])
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
    """What a side's characters can do to the enemy player in their next turn."""
    weapon = int(state[block_of(seat) + at.WEAPON])
    total = int(state[weapon + at.ATTACK]) if weapon else 0
    for minion in items(state, seat, at.BOARD):
        keywords = Keyword(int(state[minion + at.KEYWORDS]))
        if not (
            keywords & (Keyword.CANNOT_ATTACK | Keyword.MINIONS_ONLY)
            or state[minion + at.STATUS] & at.IS_FROZEN
        ):
            total += int(state[minion + at.ATTACK]) * (2 if Keyword.WINDFURY in keywords else 1)
    for minion in items(state, 1 - seat, at.BOARD):
        if Keyword.TAUNT in Keyword(int(state[minion + at.KEYWORDS])):
            total -= int(state[minion + at.HEALTH])
    return max(total, 0)


def plain_prospects(state: Words16, table: Words16, weights: ProspectWeights, seat: int) -> int:
    own, enemy = block_of(seat), block_of(1 - seat)
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
        target = block_of(1 - attacker)
        life = int(state[target + at.HEALTH] + state[target + at.ARMOR])
        attack = plain_attack(state, attacker)
        total += kills if attack >= life else halves if 2 * attack >= life else 0
    is_master = state[own + at.BOARD] > 0 and state[enemy + at.BOARD] == 0
    return total + weights.mastery * bool(is_master)


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_worth_is_the_sum_of_its_features(source: str) -> None:
    games, mind = games_of(source), ODD.mind(1)
    for position in positions(agent_named("random"), games, 3):
        for seat in (0, 1):
            told = worth_of(position.state, games.numbers, mind, seat)
            wanted = plain_worth(position.state, games.numbers, ODD, seat)
            assert told == max(min(wanted, WON // 2), -WON // 2)


# --- as a player ---


def test_candidates_that_differ_in_numbers_play_in_one_batch() -> None:
    careless = alone(30, REPLY=0, LEAVES=1)
    blind = turn_agent(
        "turn:blind", np.where(np.arange(of.MIND_SIZE) < of.CRYSTALS, careless.minds[0], 0)
    )
    games = games_of("duel")
    seats = np.array([[0, 1], [1, 0], [0, 2], [2, 0]])
    zeros = np.zeros(4, dtype=np.int64)
    rows = games.decks[[0, 0, 0]]
    batch = Batch(rows, zeros, seats, zeros + 40, zeros, stream_seed(1, "candidates"))
    totals = play(batch, games.table, [alone(30), careless, blind]).totals
    won = totals[::2, at.WINS_FIRST] + totals[1::2, at.WINS_SECOND]
    assert won[1] > 60  # of 80, by weights that are not all nothing
    assert won[0] < won[1]


def test_its_games_do_not_depend_on_threads() -> None:
    agent = agent_named("turn:10")
    one, two = (mirrors(agent, n_games=60, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_a_fault_in_an_imagined_game_is_no_way_to_go() -> None:
    table, decks = loud_table(3, 1), listeners_and_storms(2)
    agent = agent_named("turn:60")
    with pytest.raises(CardFault):
        play(games_of_storms(decks), table, [EAGER] * len(decks), threads=1)
    play(games_of_storms(decks), table, [agent] * len(decks), threads=1)


# --- files of weights ---


def test_weights_that_are_shipped_can_be_named() -> None:
    assert {"plain", "rich"} <= set(shipped_weights())
    assert agent_named("turn:20") is agent_named("turn:20")
    assert agent_named("turn:20:coac") != agent_named("turn:20:gsvb")


BAD_NAMES = [
    ("turn", "the number of nodes is ''; it must be a whole number from 1 to 8000"),
    ("turn:0", "the number of nodes is '0'"),
    ("turn:9000", "the number of nodes is '9000'; it must be a whole number from 1 to 8000"),
    ("turn:20:rihc", "agent 'turn:20:rihc': no weights 'rihc'; known: .*did you mean 'rich'"),
    ("turn:20:no.toml", "agent 'turn:20:no.toml': no.toml: no such file"),
]


@pytest.mark.parametrize(("name", "complaint"), BAD_NAMES)
def test_a_bad_name_is_refused(name: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        agent_named(name)


BAD_FILES = [
    ("own.life = 5", "own.life = 9000", "life"),
    ("own.life = 5", "own.live = 5", "live"),
    ("search.leaves = 4", "search.leaves = 0", "leaves"),
    ("search.leaves = 4", "search.leaves = ", "not valid TOML"),
]


@pytest.mark.parametrize(("before", "after", "complaint"), BAD_FILES)
def test_a_bad_file_is_refused(tmp_path: Path, before: str, after: str, complaint: str) -> None:
    told = {part: getattr(RICH, part).model_dump() for part in PARTS}
    told["own"]["life"], told["search"]["leaves"] = 5, 4
    lines = [f"{part}.{name} = {value}" for part in PARTS for name, value in told[part].items()]
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(lines))
    assert agent_named(f"turn:20:{path}").name == f"turn:20:{path}"
    path.write_text("\n".join(after if line == before else line for line in lines))
    with pytest.raises(InputError, match=complaint) as refused:
        agent_named(f"turn:20:{path}")
    assert "\n" not in str(refused.value)


def test_weights_for_other_rules_are_refused() -> None:
    games, agent = games_of("duel"), turn_agent("turn:9:mine", RICH.mind(9), ruleset="legacy")
    with pytest.raises(InputError, match="weights are for the ruleset 'legacy', not 'duel'"):
        play(games.batch(), games.table, [agent] * 4)
