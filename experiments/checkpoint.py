"""Search states as files: arrays only, so that opening one runs nothing."""

from __future__ import annotations

import io
import zipfile
from dataclasses import fields
from pathlib import Path

import numpy as np

from balance.evaluation import Scores
from balance.search import SearchState
from experiments.run_folder import RunFolder
from sim.errors import InputError

FILE = "checkpoint.npz"

_DAMAGE = (OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile)


def save_checkpoint(folder: RunFolder, state: SearchState) -> None:
    """Write `state` to the run folder."""
    arrays = {
        field.name: getattr(state, field.name)
        for field in fields(state)
        if field.name not in {"generation", "scores"}
    }
    scores = {f"scores_{field.name}": getattr(state.scores, field.name) for field in fields(Scores)}
    content = io.BytesIO()
    np.savez(content, generation=np.array(state.generation), **arrays, **scores)
    folder.write_bytes(FILE, content.getvalue())


def load_checkpoint(folder: RunFolder) -> SearchState | None:
    """The state to continue from, or `None` when there is none.

    Raises:
        InputError: the file is damaged.
    """
    path = folder.path / FILE
    if not path.exists():
        return None
    try:
        # From memory: `np.load` leaves a damaged file open.
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            scores = Scores(**{f.name: arrays[f"scores_{f.name}"] for f in fields(Scores)})
            rest = {
                field.name: arrays[field.name]
                for field in fields(SearchState)
                if field.name not in {"generation", "scores"}
            }
            return SearchState(generation=int(arrays["generation"]), scores=scores, **rest)
    except _DAMAGE as error:
        raise InputError(f"{path}: damaged ({error}); delete it or run without --resume") from error


def remove_checkpoint(path: Path) -> None:
    """Delete the checkpoint of a finished run."""
    (path / FILE).unlink(missing_ok=True)
