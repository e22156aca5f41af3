"""What a run folder lacks, said in words: which file, and what in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments.runs.finished_run import FinishedRun
from experiments.runs.json_file import read_object
from sim.errors import InputError

WHY = "made by another version, or damaged"


class _Part(dict[str, Any]):
    """An object of a file, with what to say of a key that it has not."""

    def __init__(self, content: dict[str, Any], lacks: str) -> None:
        super().__init__(content)
        self._lacks = lacks

    def __missing__(self, key: str) -> Any:
        raise InputError(f"{self._lacks} {key!r}; {WHY}")


def checked(run: FinishedRun) -> FinishedRun:
    """The same run; what it lacks will be told."""
    return FinishedRun(
        run.path,
        run.command,
        _parts(run.summary, run.path / "summary.json"),
        _parts(run.resolved, run.path / "resolved.json"),
        _parts(run.provenance, run.path / "run.json"),
    )


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file; what it lacks will be told.

    Raises:
        InputError: the file cannot be read, or holds no JSON object.
    """
    whole: dict[str, Any] = _parts(read_object(path), path)
    return whole


def _parts(content: Any, path: Path, place: str = "") -> Any:
    """Content of a file with all of its objects made to tell what they lack."""
    if isinstance(content, list):
        before = f"{place}, no. " if place else "no. "
        return [_parts(item, path, f"{before}{k}") for k, item in enumerate(content, start=1)]
    if not isinstance(content, dict):
        return content
    parts = {
        key: _parts(item, path, f"{place}, {key}" if place else key)
        for key, item in content.items()
    }
    return _Part(parts, f"{path}: {place + ' ' if place else ''}has no")
