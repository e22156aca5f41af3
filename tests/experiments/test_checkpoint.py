"""Checkpoints are restored unchanged, and damaged ones are refused."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from balance.search.evolutionary_search import SearchState
from balance.verdict.evaluation import Scores
from experiments.runs.run import (
    load_checkpoint,
    save_checkpoint,
)
from experiments.runs.run_folder import CHECKPOINT, RunFolder
from sim.errors import InputError
from tests.command_line import ask, contents, refusal, unchanged


@pytest.fixture
def state() -> SearchState:
    rng = np.random.default_rng(3)
    scores = Scores(
        rng.random((8, 2)),
        rng.random(8),
        rng.random(8),
        rng.random(8),
        np.arange(8),
        rng.random(8),
        rng.random(8),
    )
    return SearchState(
        generation=4,
        population=rng.integers(-2, 3, (8, 6)).astype(np.int16),
        scores=scores,
        seen=rng.integers(-2, 3, (20, 6)).astype(np.int16),
        seen_points=rng.random((20, 2)),
        seen_violation=rng.random(20),
        seen_times=np.arange(20),
        history=rng.random((5, 4)),
    )


def same(one: SearchState, other: SearchState) -> bool:
    def arrays(state: SearchState) -> list[np.ndarray]:
        own = [getattr(state, field.name) for field in fields(state) if field.name != "scores"]
        return own + [getattr(state.scores, field.name) for field in fields(Scores)]

    return all(
        np.array_equal(a, b) and np.asarray(a).dtype == np.asarray(b).dtype
        for a, b in zip(arrays(one), arrays(other), strict=True)
    )


def test_a_state_comes_back_bit_by_bit(tmp_path: Path, state: SearchState) -> None:
    folder = RunFolder(tmp_path)
    save_checkpoint(folder, state)
    assert same(load_checkpoint(folder, SearchState), state)


@pytest.mark.thorough
def test_damage_is_refused_or_harmless(tmp_path: Path, state: SearchState) -> None:
    folder = RunFolder(tmp_path)
    save_checkpoint(folder, state)
    good = (tmp_path / CHECKPOINT).read_bytes()
    chance = random.Random(5)
    n_refused = 0
    for _ in range(600):
        damaged = bytearray(good)
        damaged[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
        (tmp_path / CHECKPOINT).write_bytes(damaged)
        try:
            loaded = load_checkpoint(folder, SearchState)
        except InputError:
            n_refused += 1
        else:
            assert same(loaded, state)
    assert n_refused > 300  # the rest hit bytes that mean nothing, such as dates


@pytest.mark.parametrize("kept", [0, 1, 3, 21, 22, 1000, -1000, -22, -1])
def test_a_truncated_checkpoint_is_refused(kept: int, tmp_path: Path, state: SearchState) -> None:
    folder = RunFolder(tmp_path)
    save_checkpoint(folder, state)
    (tmp_path / CHECKPOINT).write_bytes((tmp_path / CHECKPOINT).read_bytes()[:kept])
    with pytest.raises(InputError) as refusal:
        load_checkpoint(folder, SearchState)
    assert str(tmp_path / CHECKPOINT) in str(refusal.value)
    assert "--resume" in str(refusal.value)


def _one_array() -> bytes:
    content = io.BytesIO()
    np.save(content, np.zeros(3))
    return content.getvalue()


def _pickled() -> bytes:
    content = io.BytesIO()
    np.savez(content, generation=np.array([object()]))
    return content.getvalue()


@pytest.mark.parametrize("content", [b"text\n", _one_array(), _pickled(), b"PK\x03\x04"])
def test_resume_refuses_what_is_no_checkpoint_and_keeps_it(
    content: bytes, unfinished: Path, tmp_path: Path
) -> None:
    (unfinished / CHECKPOINT).write_bytes(content)
    with unchanged(contents, tmp_path, logs=False):
        message = refusal(ask("balance", tmp_path, "--no-plots", "--resume"))
    assert message.startswith(f"evenhand: {unfinished / CHECKPOINT}: damaged: ")


def _packed() -> bytes:
    content = io.BytesIO()
    np.savez_compressed(content, generation=np.zeros(10**8, dtype=np.int8))
    return content.getvalue()


def _large_by_its_header() -> bytes:
    """Return a file with an array; its header declares a trillion numbers."""
    content = io.BytesIO()
    np.savez(content, generation=np.zeros(7_777_777, dtype=np.int8)[:0].reshape(0))
    return content.getvalue().replace(b"(0,)", b"(9" + b"9" * 14 + b",)"[:2])


@pytest.mark.parametrize("made", [_packed, _large_by_its_header])
def test_an_array_larger_than_its_file_is_refused(
    made: Callable[[], bytes], tmp_path: Path
) -> None:
    (tmp_path / CHECKPOINT).write_bytes(made())
    with pytest.raises(InputError, match=f"{CHECKPOINT}: damaged"):
        load_checkpoint(RunFolder(tmp_path), SearchState)
