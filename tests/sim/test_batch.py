"""Outcomes of a batch depend on the games only, not on how they are divided and played."""

from __future__ import annotations

import gc
import signal
import threading
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.registry import agent_named, agent_names
from sim.engine import layout as at
from sim.engine.stepping import action_from_engine
from sim.observation.view import DuelView
from sim.play import Batch, CompiledAgent, Gene, Outcomes, deck_row, kept, play, slot_counts
from sim.play.backend import CompiledPlay, Work
from sim.seeds import game_seed, stream_seed
from tests.duels import (
    AGENT_NAMES,
    CORE,
    DECKS,
    DUEL,
    TABLE,
    assert_same,
    batch_of,
    rows_of,
    varied,
)
from tests.messages import check_message
from tests.steps import FinishedGame, finished_games

AGENTS = [agent_named(name) for name in AGENT_NAMES]
ALL = ("winner", "cards", "actions")
LIVES = [Gene(card, "health") for card in range(len(CORE.cards))]
VARIED = varied(TABLE, LIVES, np.repeat([[0], [3]], len(LIVES), axis=1))
PAIRS = np.array([[0, 1], [1, 0], [2, 3], [3, 2], [1, 1], [0, 3]])
MIXED = Batch(
    decks=DECKS,
    variant=np.array([0, 1, 0, 1, 1, 0]),
    seats=PAIRS,
    n_games=np.array([40, 0, 7, 300, 1, 52]),
    first_game=np.array([0, 3, 1000, 0, 2**40, 5]),
    stream=stream_seed(1, "test"),
)


def winners_by_row(batch: Batch, outcomes: Outcomes) -> list[list[int]]:
    return [
        part.tolist() for part in np.split(kept(outcomes.winners), np.cumsum(batch.n_games)[:-1])
    ]


EXPECTED = play(MIXED, VARIED, AGENTS, threads=1, keep=ALL)


@settings(max_examples=30)
@given(st.sampled_from([1, 2, 7]), st.integers(1, 450))
def test_threads_and_chunks_do_not_matter(threads: int, chunk_games: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CompiledPlay, "chunk_games", lambda *_: chunk_games)
        assert_same(play(MIXED, VARIED, AGENTS, threads=threads, keep=ALL), EXPECTED)


@given(st.permutations(range(len(PAIRS))))
def test_the_order_of_rows_does_not_matter(order: list[int]) -> None:
    shuffled = rows_of(MIXED, order)
    outcomes = play(shuffled, VARIED, AGENTS, threads=1, keep=ALL)
    for name in ("totals", "turns", "seen", "chosen"):
        np.testing.assert_array_equal(getattr(outcomes, name), getattr(EXPECTED, name)[order])
    expected = winners_by_row(MIXED, EXPECTED)
    assert winners_by_row(shuffled, outcomes) == [expected[row] for row in order]


@given(st.data())
def test_variants_in_one_batch_play_as_they_do_alone(data: st.DataObject) -> None:
    varied_cards = range(0, len(CORE.cards), 3)
    genes = [Gene(card, field) for card in varied_cards for field in CORE.cards[card].fields]
    steps = data.draw(
        st.lists(
            st.lists(st.integers(0, 3), min_size=len(genes), max_size=len(genes)),
            min_size=1,
            max_size=5,
        )
    )
    table = varied(TABLE, genes, steps)
    n_variants = len(steps)
    together = Batch(
        decks=DECKS,
        variant=np.arange(n_variants),
        seats=np.tile([0, 1], (n_variants, 1)),
        n_games=np.full(n_variants, 5),
        first_game=np.zeros(n_variants, dtype=np.int64),
        stream=3,
    )
    totals = play(together, table, AGENTS, threads=1).totals
    for variant in range(n_variants):
        alone = replace(table, words=table.words[[variant]])
        only = replace(rows_of(together, [variant]), variant=np.array([0]))
        np.testing.assert_array_equal(play(only, alone, AGENTS).totals, totals[[variant]])


@pytest.mark.parametrize("name", [name for name in agent_names() if name != "strong"])  # slow
@pytest.mark.parametrize("deck", range(len(DECKS)))
def test_a_full_mirror_is_exactly_even(name: str, deck: int) -> None:
    stream = stream_seed(5, "mirror")
    mirror = batch_of(DECKS[[deck, deck]], [[0, 1], [1, 0]], 101, stream=stream, first_game=17)
    points = play(mirror, TABLE, [agent_named(name)] * 2).points
    assert points[0, 0] + points[1, 1] == points[0, 1] + points[1, 0] == 101


def test_kept_winners_add_up_to_the_aggregates() -> None:
    for row, winners in enumerate(winners_by_row(MIXED, EXPECTED)):
        counts = np.bincount(np.array(winners, dtype=np.int64), minlength=3)
        assert counts.tolist() == [*EXPECTED.wins[row], EXPECTED.draws[row]]
    np.testing.assert_array_equal(EXPECTED.turns.sum(axis=1), MIXED.n_games)
    lengths = np.arange(EXPECTED.turns.shape[1])
    np.testing.assert_array_equal(EXPECTED.turns @ lengths, EXPECTED.totals[:, at.SUM_TURNS])


def test_keeping_more_changes_no_aggregate() -> None:
    plain = play(MIXED, VARIED, AGENTS, threads=1)
    assert plain.winners is plain.seen is plain.chosen is None
    np.testing.assert_array_equal(plain.totals, EXPECTED.totals)
    np.testing.assert_array_equal(plain.turns, EXPECTED.turns)


@cache
def stepped() -> list[FinishedGame]:
    """Return the games of the first row, stepped one by one."""
    seeds = [game_seed(1, "test", index) for index in range(40)]
    return list(finished_games(TABLE, DECKS[:2], AGENTS[:2], seeds))


@pytest.mark.parametrize("seat", [0, 1])
def test_kept_cards_are_those_of_the_games_stepped_one_by_one(seat: int) -> None:
    outcomes = play(rows_of(MIXED, [0]), TABLE, AGENTS, threads=1, keep="cards")
    counts = slot_counts(kept(outcomes.seen), seat)
    drawn_counts = (counts.drawn_opening + counts.drawn_later)[0].tolist()
    drawn = Counter(slot for game in stepped() for slot in game.end.seats[seat].drawn_slots)
    played = Counter(slot for game in stepped() for slot in game.played[seat])
    assert drawn_counts == [drawn[slot] for slot in range(len(drawn_counts))]
    assert counts.played[0].tolist() == [played[slot] for slot in range(len(drawn_counts))]


@pytest.mark.parametrize("seat", [0, 1])
def test_kept_actions_are_those_of_the_games_stepped_one_by_one(seat: int) -> None:
    outcomes = play(rows_of(MIXED, [0]), TABLE, AGENTS, threads=1, keep="actions")
    view = DuelView(TABLE).words
    actions = (action for game in stepped() for action in game.actions[seat])
    expected = Counter(action_from_engine(TABLE.words[0], view, action) for action in actions)
    chosen = kept(outcomes.chosen)[0, seat].tolist()
    assert chosen == [expected[action] for action in range(len(chosen))]


def _cheats_far_away(state, table):
    return at.ATTACK_WITH + (60 << at.SOURCE_SHIFT) + 50  # a number far beyond the 40


def test_an_illegal_action_is_counted_nowhere() -> None:
    cheats = CompiledAgent("cheats far away", _cheats_far_away)
    work = Work(
        tables=TABLE.words,
        decks=DECKS,
        rows=np.array([[0, 0, 0, 0], [0, 1, 1, 0]]),
        ends=np.array([1, 2]),
        addresses=np.repeat(
            [[agent.address(general=False)] for agent in (cheats, *[AGENTS[2]] * 3)], 2, 1
        ),
        stream=1,
        keep_cards=False,
        winners=np.zeros(0, dtype=np.int8),
        counting_view=DuelView(TABLE),
    )
    together = CompiledPlay(work).play(0, 2)
    alone = CompiledPlay(work).play(1, 2)
    assert together.chosen[0].sum() == 0
    np.testing.assert_array_equal(together.chosen[1], alone.chosen[0])


def test_a_batch_without_games_is_accepted() -> None:
    nothing = play(rows_of(MIXED, [1]), VARIED, AGENTS, keep=ALL)
    assert nothing.totals.sum() == 0
    assert kept(nothing.winners).size == 0
    assert play(rows_of(MIXED, []), VARIED, AGENTS).totals.shape[0] == 0


def test_blanks_are_never_counted_as_cards() -> None:
    blanked = np.stack([deck_row([*DECKS[0, 1:31].tolist()[:10], *[-1] * 20]), DECKS[1]])
    outcomes = play(replace(rows_of(MIXED, [0]), decks=blanked), TABLE, AGENTS[:2], keep="cards")
    counts = slot_counts(kept(outcomes.seen), 0)
    assert (counts.drawn_opening + counts.drawn_later)[0, 10:].sum() == 0
    assert counts.drawn_opening[0, :10].sum() == 40 * DUEL.opening_hand[0]


def _cheats_in_some_games(state, table):
    return at.PLAY + 15 * 64 if state[state[at.SEATS + at.HAND + 1] + at.SLOT] < 5 else at.END_TURN


def test_one_illegal_action_among_many_games_is_refused_with_the_agents_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cheats = CompiledAgent("cheats", _cheats_in_some_games)
    few = replace(rows_of(MIXED, [0]), n_games=np.array([20]))
    monkeypatch.setattr(CompiledPlay, "chunk_games", lambda *_: 1)
    with pytest.raises(RuntimeError) as caught:
        play(few, TABLE, [cheats, *AGENTS[1:]], threads=1)
    check_message(str(caught.value))


def test_an_unknown_word_of_keep_is_refused() -> None:
    with pytest.raises(ValueError, match="keep") as caught:
        play(MIXED, VARIED, AGENTS, keep="turns")
    check_message(str(caught.value))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("variant", np.array([1])),
        ("seats", np.array([[0, 2]])),
        ("seats", np.array([0, 1])),
        ("n_games", np.array([-1])),
        ("first_game", np.array([-5])),
        ("decks", np.full((2, at.DECK_ROW_SIZE), 999, dtype=np.int16)),
        ("decks", np.full((2, at.DECK_ROW_SIZE), 60, dtype=np.int16)),
        ("decks", np.stack([deck_row([0], 99)] * 2)),
        ("decks", np.zeros((2, 5), dtype=np.int16)),
        ("decks", np.zeros((3, at.DECK_ROW_SIZE), dtype=np.int16)),
    ],
)
def test_a_batch_that_points_outside_its_arrays_is_refused(name: str, values: np.ndarray) -> None:
    good = batch_of(DECKS[:2], [[0, 1]], 1, stream=1)
    with pytest.raises(ValueError, match=name) as caught:
        play(replace(good, **{name: values}), TABLE, [agent_named("aggro")] * 2)
    check_message(str(caught.value))


def test_play_can_be_interrupted() -> None:
    """A batch of a billion games ends on Ctrl-C.

    Garbage collection and compilation are avoided meanwhile: an interruption inside one of their
    callbacks would be lost.
    """
    play(replace(rows_of(MIXED, [3]), n_games=np.array([1])), VARIED, AGENTS, threads=1)
    main = threading.main_thread().ident
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    games = replace(rows_of(MIXED, [3]), n_games=np.array([10**9]))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored
    gc.disable()
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            play(games, VARIED, AGENTS, threads=1)
    finally:
        gc.enable()
        signal.signal(signal.SIGINT, before)
