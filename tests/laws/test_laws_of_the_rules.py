"""The laws of the general rules hold in random games over random decks of whole pools."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from agents.registry import agent_named, compiled_agent_named
from sim import Effect, load_pool, load_ruleset, stream_seed
from sim.cards.notation import ALWAYS
from sim.play import CompiledAgent, Table, kept, pack_table, play
from tests.duels import AGENT_NAMES, CORE, DECKS, DUEL, assert_same, batch_of, every_pairing
from tests.laws.games import BUSY, N_KINDS, N_TURNS
from tests.laws.oracle import disagreements
from tests.laws.playing import Findings, Words16, check, random_decks, rich_table
from tests.legacy import needs_package

N_GAMES = 5_000  # per pool
SEED = 11
POOLS = ["saga", pytest.param("hearthstone", marks=needs_package)]
ACTIONS_BETWEEN_SAMPLES = 1_009


@cache
def checked(pool: str) -> Findings:
    table = rich_table(pool)
    decks = random_decks(table.pool, N_GAMES, SEED)
    settings = (101, 307, ACTIONS_BETWEEN_SAMPLES)
    return check(table, decks, SEED, settings=settings, n_samples=200)


def differences(table: Table, samples: Words16) -> list[str]:
    """Return a line for each number of positions that an independent computation contradicts."""
    return [line for state in samples for line in disagreements(table.pool, table.ruleset, state)]


@pytest.mark.parametrize("pool", POOLS)
def test_no_law_is_broken_in_any_game(pool: str) -> None:
    findings = checked(pool)
    assert not findings.violations, "\n".join(map(str, findings.violations[:5]))


@pytest.mark.parametrize("pool", POOLS)
def test_the_games_reach_nearly_every_card_and_end_well_before_the_cap(pool: str) -> None:
    findings = checked(pool)
    n_cards = len(rich_table(pool).pool.cards)
    turns = findings.outcomes[BUSY::N_KINDS, N_TURNS]
    assert 12 <= turns.mean() <= 30
    assert turns.max() < rich_table(pool).ruleset.turn_cap
    assert (findings.played[:n_cards] > 0).sum() >= 0.98 * n_cards
    assert min(findings.results[0], findings.results[1]) > N_GAMES // 3


@pytest.mark.parametrize("pool", POOLS)
def test_a_second_opinion_agrees_on_what_holds(pool: str) -> None:
    samples = checked(pool).samples
    assert len(samples) > 150
    assert differences(rich_table(pool), samples) == []


@pytest.mark.parametrize("pool", POOLS)
def test_every_clause_of_every_card_does_something(pool: str) -> None:
    clauses = checked(pool).clauses
    assert len(clauses) == sum(len(card.effects) for card in rich_table(pool).pool.everything)
    assert [str(clause) for clause in clauses if clause.n_fired == 0] == []


def always_acts(row: Effect) -> bool:
    """Whether a battlecry acts each time, whatever the position."""
    is_plain = row.when == ALWAYS and row.pick == 0 and row.repeat == 1
    return row.on == "play" and str(row.to) in ("own_player", "enemy_player", "self") and is_plain


@pytest.mark.parametrize("pool", POOLS)
def test_a_battlecry_is_counted_as_often_as_its_minion_is_played(pool: str) -> None:
    findings = checked(pool)
    cards = rich_table(pool).pool.cards
    fired = {clause.card: clause.n_fired for clause in findings.clauses}
    certain = [
        (findings.played[number], fired[card.id])
        for number, card in enumerate(cards)
        if card.kind == "minion" and len(card.effects) == 1 and always_acts(card.effects[0])
    ]
    played, counted = np.transpose(certain)
    assert played.sum() > 300
    assert (counted <= played).all()  # a reaction to playing a minion may end the game
    assert counted.sum() >= 0.995 * played.sum()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "changes",
    [
        {"deaths": "row", "full_board": "destroy"},
        {"deck_out": "lose", "mulligan": False},
        {"idle_attackers": True, "hero_powers": False, "mulligan": False, "skip_first_draw": True},
        {"hand_limit": 4, "board_limit": 3, "mana_max": 4},
        {"hand_limit": 16, "board_limit": 8, "mana_max": 20, "life": 200},
        {"extra_life_second": 7, "extra_mana_second": 3, "mana_max": 3},
    ],
    ids=["rows", "decking", "idle", "tight", "roomy", "second"],
)
@pytest.mark.parametrize("pool", POOLS)
def test_the_laws_hold_under_other_rules(pool: str, changes: dict[str, Any]) -> None:
    table = pack_table(load_pool(pool), load_ruleset("legacy").model_copy(update=changes))
    decks = random_decks(table.pool, 1_000, SEED)
    findings = check(table, decks, SEED, settings=(101, 307, 499), n_samples=300)
    assert not findings.violations, "\n".join(map(str, findings.violations[:5]))
    assert differences(table, findings.samples) == []


@pytest.mark.parametrize("agent", ["random", "greedy"])
@pytest.mark.parametrize("pool", POOLS)
def test_both_seatings_of_a_mirror_share_one_win(pool: str, agent: str) -> None:
    """Random numbers belong to seats, so exchanging the seats exchanges them."""
    table = rich_table(pool)
    decks = random_decks(table.pool, 20, SEED)[:20].repeat(2, axis=0)  # each deck twice
    firsts = np.arange(0, len(decks), 2)
    seats = [*zip(firsts, firsts + 1, strict=True), *zip(firsts + 1, firsts, strict=True)]
    batch = batch_of(decks, seats, 20, stream=stream_seed(SEED, "laws/mirrors"))
    played = play(batch, table, [agent_named(agent)] * len(decks), keep="winner")
    winners = kept(played.winners).reshape(2, len(firsts), 20)
    # player 0 sits in seat 0 of the first seating, in seat 1 of the second
    wins = (winners[0] == 0).astype(int) + (winners[1] == 1)
    draws = (winners[0] == 2).astype(int) + (winners[1] == 2)
    assert ((wins == 1) | (draws == 2)).all()
    assert 0 < (winners[0] == 0).sum() < winners[0].size


@pytest.mark.parametrize("extra", [{}, {"extra_life_second": 6, "extra_mana_second": 2}])
def test_the_general_rules_play_plain_games_as_the_plain_ones_do(extra: dict[str, Any]) -> None:
    rules = DUEL.model_copy(update=extra)
    decks = np.concatenate([DECKS] * len(AGENT_NAMES))
    agents = [
        CompiledAgent(name, compiled_agent_named(name).policy)
        for name in AGENT_NAMES
        for _ in DECKS
    ]
    batch = every_pairing(decks, 20, stream=stream_seed(SEED, "laws/plain"))
    plain, general = (
        play(batch, pack_table(CORE, rules, general=general), agents, keep=("winner", "cards"))
        for general in (False, True)
    )
    assert_same(plain, general)
