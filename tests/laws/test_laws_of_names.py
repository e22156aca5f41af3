"""An agent's name fixes its play: unreachable cards and shortcuts change no game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.registry import agent_named, compiled_agent_named
from balance.cards.card_contest import CardContest, Player
from experiments.loading import load_experiment
from sim import REAL_POOL, Card, Effect, Pool, load_deck, stream_seed
from sim.environments.episodes import Episodes, Lineup
from sim.play import Agent, CompiledAgent, Outcomes, deck_row, kept, pack_table, play
from tests.duels import AGENT_NAMES, CORE, DUEL, ROOT, assert_same, batch_of, every_pairing
from tests.legacy import needs_package
from tests.sim.test_engine_against_reference import plain_pools
from tests.sim.test_episodes import step_eagerly

SEED = 7
KEEP = ("winner", "cards", "actions")


def shipped() -> list[Any]:
    """Return all shipped experiments of cards that need no trained agent."""
    params = []
    for path in sorted((ROOT / "experiments" / "configs").glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        marks = needs_package if f'pool = "{REAL_POOL}"' in text else ()
        if 'agent = "dqn:' not in text and "\ngame =" not in text:
            params.append(pytest.param(path, marks=marks, id=path.stem))
    return params


def with_unused_cards(pool: Pool) -> Pool:
    """Return the pool with cards that no deck holds, in front and behind, so that numbers move."""
    guard = Card(id="x_guard", name="X", cost=0, attack=5, health=5, keywords=("taunt",))
    draws = Effect(on="turn_start", do="draw", amount=1)
    seer = Card(id="x_seer", name="X", cost=1, attack=1, health=1, effects=(draws,))
    bolt = Card(
        id="x_bolt",
        name="X",
        kind="spell",
        cost=1,
        target="characters",
        effects=(Effect(on="play", do="damage", to="target", amount=3),),
    )
    return pool.model_copy(update={"cards": (guard, bolt, *pool.cards, seer)})


STREAM = stream_seed(SEED, "laws/names")


def play_all(contest: CardContest, agents: Sequence[Agent], n_games: int) -> Outcomes:
    batch = every_pairing(contest.deck_rows, n_games, stream=STREAM)
    return play(batch, contest.table, agents, keep=KEEP)


@pytest.mark.thorough
@pytest.mark.parametrize("path", shipped())
def test_cards_that_no_deck_reaches_change_no_game(path: Path) -> None:
    experiment = load_experiment(str(path))
    contest = experiment.contest()
    table = pack_table(with_unused_cards(experiment.pool), experiment.ruleset)
    other = CardContest(table, contest.players)
    assert_same(play_all(contest, contest.agents, 6), play_all(other, other.agents, 6))
    for name, n_games in (("random", 6), ("rollout:2", 1)):
        agents = [agent_named(name)] * len(contest.players)
        assert_same(play_all(contest, agents, n_games), play_all(other, agents, n_games))


@pytest.mark.parametrize("path", shipped())
def test_cards_that_no_deck_reaches_change_nothing_that_a_learner_sees(path: Path) -> None:
    experiment = load_experiment(str(path))
    contest = experiment.contest()
    other = CardContest(
        pack_table(with_unused_cards(experiment.pool), experiment.ruleset), contest.players
    )
    assert other.view.size == contest.view.size
    traces = []
    for played in (contest, other):
        rows = played.deck_rows
        lineups = [Lineup(rows[0], rows[-1], opponent=0, seat=seat) for seat in (0, 1)]
        greedy = agent_named("greedy")
        episodes = Episodes(played.table, lineups, [greedy], 3, SEED, view=played.view)
        episodes.reset()
        traces.append(step_eagerly(episodes, 150))
    assert traces[0] == traces[1]


def test_a_deck_with_a_guard_changes_no_game_of_the_others() -> None:
    names = ("ember_rush", "tide_keep", "grove_march")
    players = tuple(Player(name, load_deck(name), agent_named("control")) for name in names)
    pool = with_unused_cards(CORE)
    guarded = players[0].deck.model_copy(
        update={"name": "guarded", "cards": {**players[0].deck.cards, "x_guard": 2}}
    )
    table = pack_table(pool, DUEL.model_copy(update={"deck_limit": 40}))
    alone = CardContest(table, players)
    joined = CardContest(table, (*players, Player("guarded", guarded, agent_named("control"))))
    for a, b in alone.matchups:
        seats = [[a, b], [b, a], [a, 3], [3, a]]
        together, apart = (
            play(
                batch_of(contest.deck_rows, pairs, 50, stream=STREAM),
                table,
                contest.agents,
                keep="winner",
            )
            for contest, pairs in ((joined, seats), (alone, seats[:2]))
        )
        np.testing.assert_array_equal(together.totals[:2], apart.totals)
        np.testing.assert_array_equal(kept(together.winners)[:100], kept(apart.winners))
    assert table.is_general(joined.deck_rows).tolist() == [False, False, False, True]


# --- shortcuts ---


@st.composite
def plain_games(draw: st.DrawFn) -> tuple[Pool, list[int], list[int]]:
    """Draw a pool of plain cards of any numbers, and two decks of it."""
    pool = draw(plain_pools())
    decks = st.lists(st.integers(0, len(pool.cards) - 1), min_size=6, max_size=24)
    return pool, draw(decks), draw(decks)


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(plain_games(), st.integers(4, 30), st.integers(1, 6))
def test_shortcuts_and_both_readings_of_the_rules_play_the_same_games(
    game: tuple[Pool, list[int], list[int]], life: int, board_limit: int
) -> None:
    pool, *slots = game
    limits = {"cost": (0, 1000), "attack": (0, 1000), "health": (1, 1000)}
    ruleset = DUEL.model_copy(
        update={
            "life": life,
            "board_limit": board_limit,
            "limits": type(DUEL.limits).model_validate(limits),
        }
    )
    plain, general = (pack_table(pool, ruleset, general=flag) for flag in (False, True))
    decks = np.stack([deck_row(cards) for cards in slots] * len(AGENT_NAMES))
    named = [compiled_agent_named(name) for name in AGENT_NAMES for _ in slots]
    whole = [CompiledAgent(agent.name, agent.policy) for agent in named]
    assert not plain.is_general(decks).any()
    batch = every_pairing(decks, 6, stream=stream_seed(SEED, "laws/shortcuts"))
    expected = play(batch, plain, named, keep=KEEP)
    for table in (plain, general):
        played = play(batch, table, whole, keep=KEEP)
        for name in ("totals", "turns", "winners", "seen"):
            np.testing.assert_array_equal(getattr(played, name), getattr(expected, name))
