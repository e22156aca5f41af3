"""Search states as files: arrays only, so that opening one runs nothing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

from experiments.runs.run_folder import RunFolder
from sim.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FILE = "checkpoint.npz"

_DAMAGE = (OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile)
_StateT = TypeVar("_StateT", bound="DataclassInstance")
_Array = npt.NDArray[Any]


def save_checkpoint(folder: RunFolder, state: DataclassInstance) -> None:
    """Write `state` to the run folder.

    Args:
        folder: where to.
        state: a dataclass whose fields are arrays, whole numbers, or such dataclasses.
    """
    content = io.BytesIO()
    arrays: dict[str, Any] = dict(_arrays_of(state))
    np.savez(content, **arrays)
    folder.write_bytes(FILE, content.getvalue())


def load_checkpoint(folder: RunFolder, kind: type[_StateT]) -> _StateT | None:
    """The state to continue from, a `kind`, or `None` when there is none.

    Raises:
        InputError: the file is damaged.
    """
    path = folder.path / FILE
    if not path.exists():
        return None
    try:
        # From memory: `np.load` leaves a damaged file open.
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            return _state_of(kind, arrays.__getitem__)
    except _DAMAGE as error:
        # Of what it refuses to run, numpy says how it could be run without a check.
        reason = "more than arrays" if "pickle" in str(error) else error
        raise InputError(
            f"{path}: damaged ({reason}); delete it or run without --resume"
        ) from error


def remove_checkpoint(path: Path) -> None:
    """Delete the checkpoint of a finished run."""
    (path / FILE).unlink(missing_ok=True)


def _arrays_of(state: DataclassInstance, prefix: str = "") -> Iterator[tuple[str, _Array]]:
    """All arrays of a state by their names; those of an inner one begin with its name."""
    for field in fields(state):
        value = getattr(state, field.name)
        if is_dataclass(value) and not isinstance(value, type):
            yield from _arrays_of(value, f"{prefix}{field.name}_")
        else:
            yield prefix + field.name, np.asarray(value)


def _state_of(kind: type[_StateT], array: Callable[[str], _Array], prefix: str = "") -> _StateT:
    """A state from its arrays by name."""
    values: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        if is_dataclass(hint) and isinstance(hint, type):
            values[name] = _state_of(hint, array, f"{prefix}{name}_")
        else:
            value = array(prefix + name)
            values[name] = int(value) if hint is int else value
    return kind(**values)
