"""Kept games: no game is played twice, and results are those of the wrapped simulator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import InputError
from sim.simulator.block import Block, Played
from sim.simulator.kept_games import KeptGames
from tests.simulator.blocks import Skirmish, block_of, program, results

BLOCKS = [
    block_of(1500),
    block_of(40, ("keep", "rush"), rush_power=7),
    block_of(5, rush_power=0),
    block_of(40, first=30)._replace(without=("rush", None)),
]
N_GAMES = 1500 + 40 + 40


class _Failing(Skirmish):
    """The skirmish, which fails after some blocks."""

    def __init__(self, n_blocks: int) -> None:
        super().__init__()
        self._n_blocks = n_blocks

    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        for played in super().play(blocks):
            if not self._n_blocks:
                raise InputError("failed")
            self._n_blocks -= 1
            yield played


class _Plain(Skirmish):
    """The skirmish without turns and points."""

    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        for position, played in super().play(blocks):
            yield position, played._replace(turns=None, points=None)


def test_no_game_is_played_twice(tmp_path):
    first = Skirmish()
    kept = KeptGames(first, tmp_path)
    assert results(kept, BLOCKS) == results(Skirmish(), BLOCKS)
    assert results(kept, BLOCKS) == results(Skirmish(), BLOCKS)
    assert first.n_played == N_GAMES
    again = Skirmish()
    assert results(KeptGames(again, tmp_path), BLOCKS) == results(Skirmish(), BLOCKS)
    assert again.n_played == 0
    assert KeptGames(again, tmp_path).n_games == N_GAMES


def test_a_longer_block_plays_only_the_new_games(tmp_path):
    results(KeptGames(Skirmish(), tmp_path), [block_of(100)])
    again = Skirmish()
    longer = [block_of(160)]
    assert results(KeptGames(again, tmp_path), longer) == results(Skirmish(), longer)
    assert again.n_played == 60


@settings(max_examples=25, deadline=None)
@given(
    spans=st.lists(st.tuples(st.integers(0, 80), st.integers(0, 40)), min_size=1, max_size=5),
    powers=st.lists(st.integers(0, 2), min_size=5, max_size=5),
)
def test_any_order_of_any_blocks_gives_the_same_results(tmp_path_factory, spans, powers):
    folder = tmp_path_factory.mktemp("kept")
    blocks = [
        block_of(n_games, first=first, rush_power=power)
        for (first, n_games), power in zip(spans, powers, strict=False)
        if n_games
    ]
    for block in blocks:  # each by a store of its own
        results(KeptGames(Skirmish(), folder), [block])
    again = Skirmish()
    assert results(KeptGames(again, folder), blocks) == results(Skirmish(), blocks)
    assert again.n_played == 0


@pytest.mark.parametrize("n_blocks", [0, 1, 10])
def test_a_run_that_failed_keeps_the_games_before(tmp_path, n_blocks):
    with pytest.raises(InputError):
        results(KeptGames(_Failing(n_blocks), tmp_path), BLOCKS)
    again = Skirmish()
    kept = KeptGames(again, tmp_path)
    n_kept = kept.n_games
    assert (n_kept > 0) == (n_blocks > 0)
    assert results(kept, BLOCKS) == results(Skirmish(), BLOCKS)
    assert again.n_played == N_GAMES - n_kept


def test_results_without_turns_and_points_are_kept(tmp_path):
    results(KeptGames(_Plain(), tmp_path), BLOCKS)
    assert results(KeptGames(_Plain(), tmp_path), BLOCKS) == results(_Plain(), BLOCKS)


@pytest.mark.parametrize(("damage", "n_notes"), [("cut", 0), ("edit", 1), ("bytes", 1)])
def test_damaged_lines_are_ignored(tmp_path, damage, n_notes):
    results(KeptGames(Skirmish(), tmp_path), BLOCKS)
    (path,) = tmp_path.rglob("*.games")
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[:-3])
    elif damage == "edit":
        path.write_bytes(content.replace(b'"winners":"0', b'"winners":"1', 1))
    else:
        path.write_bytes(b"\xff\x00" + content)
    notes: list[str] = []
    again = Skirmish()
    kept = KeptGames(again, tmp_path, notes.append)
    assert results(kept, BLOCKS) == results(Skirmish(), BLOCKS)
    assert again.n_played > 0
    assert len(notes) == n_notes


def test_games_of_other_code_are_not_used(tmp_path):
    class Edited(Skirmish):
        identity = "edited"

    results(KeptGames(Skirmish(), tmp_path), BLOCKS)
    edited = Edited()
    results(KeptGames(edited, tmp_path), BLOCKS)
    assert edited.n_played == N_GAMES


def test_games_of_a_program_are_kept(tmp_path):
    kept = KeptGames(program(n_children=2), tmp_path)
    assert results(kept, BLOCKS) == results(Skirmish(), BLOCKS)
    assert (kept.n_seats, kept.can_leave_out) == (2, True)
    kept.close()
