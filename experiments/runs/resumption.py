"""Search for the run that `--resume` continues, and comparison of its settings."""

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

_KEYS = ("id", "name", "deck")  # keys that identify a table in a list; the first present one counts
_IN_PIECES = ("study", "suite", "train")  # commands that write each part of a result as it is ready
_LISTED = 6  # maximum number of changed keys in a message, about three lines of a terminal
_LETTERS = 40  # maximum length of a value in a message: enough for a path, but not a whole card


class ChangedSetting(NamedTuple):
    """Difference of a setting between an existing run and the current experiment.

    Attributes:
        key: dotted name of the setting.
        before: value in the existing run; `None` if the setting was not set.
        now: current value; `None` if the setting is not set.
    """

    key: str
    before: Any
    now: Any

    def __str__(self) -> str:
        return f"{self.key} {_short(self.before)} -> {_short(self.now)}"


class Resumption(NamedTuple):
    """Result of the search for a run to continue.

    Attributes:
        path: folder of the run, which need not exist.
        is_begun: whether the folder contains an earlier run.
        is_finished: whether the earlier run was finished.
        is_in_pieces: whether the command may add results to a finished run, such as further
            methods.
    """

    path: Path
    is_begun: bool
    is_finished: bool
    is_in_pieces: bool

    @property
    def is_over(self) -> bool:
        """Whether the run is finished and no results can be added to it."""
        return self.is_finished and not self.is_in_pieces

    @property
    def note(self) -> str:
        """Sentence for the user on the result of the search; `""` if a stopped run is continued."""
        if self.is_over:
            return (
                f"nothing to resume: {self.path} is finished; without --resume a new run is made, "
                "and the finished one is kept under another name"
            )
        if self.is_finished:
            return f"{self.path} is finished; only missing results are added"
        return "" if self.is_begun else f"nothing to resume: {self.path} begins anew"


def find_resumption(root: Path, experiment: AnyExperiment, command: str) -> Resumption:
    """Find the run that `--resume` continues.

    Args:
        root: parent of all run folders.
        experiment: experiment with the current settings.
        command: name of the command.

    Raises:
        InputError: there is no run with the current settings, but a stopped run of the same
            experiment with other settings; the message lists the differences.
    """
    path = run_path(root, experiment, command)
    is_begun = (path / PROVENANCE).exists()
    if not is_begun:
        _refuse_other_settings(root, experiment, command)
    return Resumption(path, is_begun, (path / FINISHED).is_file(), command in _IN_PIECES)


def _refuse_other_settings(root: Path, experiment: AnyExperiment, command: str) -> None:
    """Check that there is no stopped run of the same experiment with other settings.

    Args:
        root: parent of all run folders.
        experiment: experiment with the current settings.
        command: name of the command.

    Raises:
        InputError: there is such a run; the message lists the differences.
    """
    now = json.loads(to_json(resolved_settings(experiment, command)))
    stopped = [
        (changes, run.path)
        for run in kept_runs(root, experiment.settings.name, command)
        if not run.is_finished and (changes := _changes_since(run.path, now))
    ]
    if not stopped:
        return
    # The user most likely means the run with the fewest changes.
    changes, path = min(stopped, key=lambda run: (len(run[0]), run[1]))
    more = f" and {len(changes) - _LISTED} more" if len(changes) > _LISTED else ""
    raise InputError(
        f"{path} was begun with other settings: {', '.join(map(str, changes[:_LISTED]))}{more}",
        place="--resume",
        value=tuple(changes),
        remedy="restore them to continue it, or run without --resume to use the current ones",
    )


def _changes_since(folder: Path, now: Mapping[str, Any]) -> list[ChangedSetting]:
    """Return the settings in which a run folder differs from the current experiment.

    The list is empty if the settings of the run cannot be read.

    Args:
        folder: run folder.
        now: current resolved experiment.
    """
    try:
        return list(changed_settings(read_object(folder / RESOLVED), now))
    except InputError:
        return []


def changed_settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[ChangedSetting]:
    """Yield the settings that differ between two resolved experiments, by their dotted keys.

    Args:
        before: resolved experiment of an existing run.
        now: current resolved experiment.
    """
    old = dict(_flat(before))
    new = dict(_flat(now))
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield ChangedSetting(key.removeprefix("experiment."), old.get(key), new.get(key))


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all plain values in nested tables and lists of tables, with their dotted keys.

    Args:
        value: table, list of tables, or plain value.
        key: dotted key of the value; `""` for the whole content.
    """
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _flat(item, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        for label, item in zip(_labels(value), value, strict=True):
            yield from _flat(item, f"{key}.{label}")
    else:
        yield key, value


def _labels(tables: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a label for each table of a list: its id, name or deck.

    If a table has none of these, or two labels are equal, the labels are positions from 1.
    """
    labels = [str(next((table[name] for name in _KEYS if table.get(name)), "")) for table in tables]
    if all(labels) and len(set(labels)) == len(labels):
        return labels
    return [str(place) for place in range(1, len(tables) + 1)]


def _short(value: Any) -> str:
    """Return a value as text for a message, cut after 40 letters; `not set` for `None`."""
    if value is None:
        return "not set"
    text = str(value)
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]}..."
