"""What `--resume` finds: a run to continue, a finished one, none, or one with other settings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from experiments.game import AnyExperiment
from experiments.runs.finished_run import FINISHED, PROVENANCE, kept_runs
from experiments.runs.json_file import read_object, to_json
from experiments.runs.run_folder import RESOLVED, resolved_settings, run_path
from sim.errors import InputError

_KEYS = ("id", "name", "deck")  # what tells the tables of a list apart, the first that they have
_IN_PIECES = ("study", "suite", "train")  # commands that keep what they made piece by piece
_LISTED = 6  # changed keys in one message: a line of a terminal or three
_LETTERS = 40  # of a value in it: a path or a list fits, a hash or a card does not fill the line


class ChangedSetting(NamedTuple):
    """A setting that a run was begun with, and what it is now; `None` where it is not set."""

    key: str
    before: Any
    now: Any

    def __str__(self) -> str:
        return f"{self.key} {_short(self.before)} -> {_short(self.now)}"


class Resumption(NamedTuple):
    """What there is to continue.

    Attributes:
        path: the folder of the run.
        is_begun: whether an earlier run left anything in it.
        is_finished: whether that run came to its end.
        is_in_pieces: whether a finished run may still lack pieces, such as further methods.
    """

    path: Path
    is_begun: bool
    is_finished: bool
    is_in_pieces: bool

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return self.is_finished and not self.is_in_pieces

    @property
    def note(self) -> str:
        """What to tell a person; empty where a stopped run is continued."""
        if self.is_over:
            return (
                f"nothing to resume: {self.path} is finished; without --resume it is made anew, "
                "and what is there is kept under another name"
            )
        if self.is_finished:
            return f"{self.path} is finished; only what it lacks is made"
        return "" if self.is_begun else f"nothing to resume: {self.path} begins anew"


def find_resumption(root: Path, experiment: AnyExperiment, command: str) -> Resumption:
    """What `--resume` continues.

    Args:
        root: parent of all run folders.
        experiment: what is run.
        command: by which command.

    Raises:
        InputError: nothing was begun with these settings, but a run of the same experiment was
            stopped that was begun with others; names those that differ.
    """
    path = run_path(root, experiment, command)
    is_begun = (path / PROVENANCE).exists()
    if not is_begun:
        _refuse_other_settings(root, experiment, command)
    return Resumption(path, is_begun, (path / FINISHED).is_file(), command in _IN_PIECES)


def _refuse_other_settings(root: Path, experiment: AnyExperiment, command: str) -> None:
    now = json.loads(to_json(resolved_settings(experiment, command)))
    stopped = [
        (changes, run.path)
        for run in kept_runs(root, experiment.settings.name, command)
        if not run.is_finished and (changes := _changes_since(run.path, now))
    ]
    if not stopped:
        return
    changes, path = min(stopped, key=lambda one: (len(one[0]), one[1]))
    more = f" and {len(changes) - _LISTED} more" if len(changes) > _LISTED else ""
    raise InputError(
        f"--resume: {path} was begun with other settings: "
        f"{', '.join(map(str, changes[:_LISTED]))}{more}; set them back to continue it, or run "
        "without --resume to begin with those of now"
    )


def _changes_since(folder: Path, now: Mapping[str, Any]) -> list[ChangedSetting]:
    """What differs from the settings that a folder was begun with; nothing if it does not say."""
    try:
        return list(changed_settings(read_object(folder / RESOLVED), now))
    except InputError:
        return []


def changed_settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[ChangedSetting]:
    """The settings that differ between two resolved experiments, each by its dotted key."""
    old, new = (dict(_flat(settings)) for settings in (before, now))
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield ChangedSetting(key.removeprefix("experiment."), old.get(key), new.get(key))


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """All plain values inside tables and lists of tables, by their dotted keys."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _flat(one, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        for label, one in zip(_labels(value), value, strict=True):
            yield from _flat(one, f"{key}.{label}")
    else:
        yield key, value


def _labels(tables: Sequence[Mapping[str, Any]]) -> list[str]:
    """What to call the tables of a list: as they call themselves, else by their places."""
    labels = [str(next((one[name] for name in _KEYS if one.get(name)), "")) for one in tables]
    if all(labels) and len(set(labels)) == len(labels):
        return labels
    return [str(place) for place in range(1, len(tables) + 1)]


def _short(value: Any) -> str:
    if value is None:
        return "not set"
    text = str(value)
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]}..."
