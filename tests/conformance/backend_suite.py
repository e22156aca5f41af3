"""The requirement for every backend: the outcomes of the compiled one, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from agents import agent_named
from agents.scripted.board_view import legal_action
from sim.engine.layout import ACTIVE, BLANK
from sim.play import Agent, Batch, CompiledAgent, Gene, kept, lockstep, play
from sim.play.table import OF_RULES
from sim.seeds import stream_seed
from tests.duels import CORE, DECKS, TABLE, assert_same, rows_of, varied
from tests.general_view_agents import EAGER as GENERAL_EAGER
from tests.general_view_agents import VARYING
from tests.legacy import legacy_rows, legacy_table, needs_package

ALL = ("winner", "cards", "actions")


def _eager(state, table):
    return legal_action(state, state[ACTIVE], 0)


GREEDY = agent_named("greedy")
EAGER = CompiledAgent("eager", _eager)
COMPILED: list[Agent] = [GREEDY, EAGER, GREEDY, EAGER, GREEDY, GREEDY]
"""The compiled agents of `BATCH`; `tests.view_agents` has learned twins with the same choices."""

GENES = [
    Gene(position, field)
    for position, card in enumerate(CORE.cards)
    for field in card.fields
    if position % 2 == 0 and field != "cost"
]
GENES += [Gene(OF_RULES, "extra_life_second"), Gene(OF_RULES, "extra_mana_second")]
VARIED = varied(TABLE, GENES, np.random.default_rng(5).integers(0, 3, (4, len(GENES))))


PARTLY_BLANK = DECKS[1].copy()
PARTLY_BLANK[1:31:3] = BLANK
BATCH = Batch(
    decks=np.stack([*DECKS, PARTLY_BLANK, DECKS[0]]),
    variant=np.array([0, 1, 0, 2, 3, 0, 0, 1]),
    seats=np.array([[0, 1], [1, 0], [2, 3], [1, 1], [4, 3], [2, 4], [5, 5], [0, 2]]),
    n_games=np.array([31, 17, 1, 40, 22, 12, 0, 9]),
    first_game=np.array([0, 3, 1000, 0, 2**40, 5, 0, 0]),
    stream=stream_seed(1, "backends"),
)
"""A batch with rows of many kinds; player 5 has no games, so a learned agent may go unused."""


GENERAL: list[Agent] = [VARYING, GENERAL_EAGER, VARYING, agent_named("random")]
"""The compiled agents for mage, hunter, druid and a second mage under the general rules."""


def legacy_batch() -> Batch:
    """Return a batch with both seats, mirrors, and games with high indices."""
    return Batch(
        decks=legacy_rows("mage", "hunter", "druid", "mage"),
        variant=np.zeros(6, dtype=np.int64),
        seats=np.array([[0, 1], [1, 0], [2, 3], [3, 0], [2, 2], [1, 3]]),
        n_games=np.array([20, 1, 12, 9, 6, 7]),
        first_game=np.array([0, 3, 1000, 0, 2**40, 5]),
        stream=stream_seed(3, "backends"),
    )


class BackendSuite:
    """Tests of a combination of compiled and learned agents, for subclasses.

    A subclass has the fixtures `pilots`, twins of `COMPILED`, and `general_pilots`, twins of
    `GENERAL`.
    """

    @pytest.mark.parametrize("threads", [1, 2, 3])
    def test_every_game_has_the_same_outcome(self, pilots: Sequence[Agent], threads: int) -> None:
        outcomes = play(BATCH, VARIED, pilots, threads=threads, keep=ALL)
        assert_same(outcomes, play(BATCH, VARIED, COMPILED, threads=1, keep=ALL))

    def test_the_order_of_rows_does_not_matter(self, pilots: Sequence[Agent]) -> None:
        rng = np.random.default_rng(3)
        for _ in range(3):
            shuffled = rows_of(BATCH, rng.permutation(len(BATCH.variant)))
            outcomes = play(shuffled, VARIED, pilots, threads=2, keep=ALL)
            assert_same(outcomes, play(shuffled, VARIED, COMPILED, threads=1, keep=ALL))

    @pytest.mark.parametrize("places", [2, 13, 64])
    def test_how_many_games_run_at_once_does_not_matter(
        self, pilots: Sequence[Agent], places: int
    ) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lockstep, "PLACES", places)
            outcomes = play(BATCH, VARIED, pilots, threads=2, keep=ALL)
        assert_same(outcomes, play(BATCH, VARIED, COMPILED, threads=1, keep=ALL))

    def test_a_generation_of_variants_has_the_same_outcomes(self, pilots: Sequence[Agent]) -> None:
        steps = np.random.default_rng(6).integers(-1, 3, (60, len(GENES)))
        rows = np.arange(60)
        generation = Batch(
            decks=BATCH.decks,
            variant=rows,
            seats=BATCH.seats[rows % len(BATCH.seats)],
            n_games=0 * rows + 3,
            first_game=0 * rows,
            stream=stream_seed(2, "backends"),
        )
        table = varied(TABLE, GENES, np.abs(steps))
        outcomes = play(generation, table, pilots, threads=2, keep=ALL)
        assert_same(outcomes, play(generation, table, COMPILED, threads=1, keep=ALL))

    @needs_package
    @pytest.mark.parametrize("places", [3, 64])
    def test_games_by_the_general_rules_have_the_same_outcomes(
        self, general_pilots: Sequence[Agent], places: int
    ) -> None:
        batch = legacy_batch()
        table = legacy_table()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lockstep, "PLACES", places)
            outcomes = play(batch, table, general_pilots, threads=2, keep=ALL)
        wanted = play(batch, table, GENERAL, threads=1, keep=ALL)
        assert_same(outcomes, wanted)
        assert (kept(wanted.chosen).sum(axis=(0, 1)) > 0).sum() > 80  # all kinds of actions

    def test_a_part_of_a_row_has_the_same_outcomes(self, pilots: Sequence[Agent]) -> None:
        row = rows_of(BATCH, np.array([0]))
        whole = kept(play(row, VARIED, pilots, threads=1, keep="winner").winners)
        later = replace(row, first_game=row.first_game + 11, n_games=row.n_games - 11)
        part = kept(play(later, VARIED, pilots, threads=1, keep="winner").winners)
        assert part.tolist() == whole[11:].tolist()
