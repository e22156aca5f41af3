"""Run folders: the files of a run, each complete or missing at every moment."""

from __future__ import annotations

import hashlib
import io
import platform
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from experiments.files.output_file import file_label
from experiments.game import AnyExperiment
from experiments.runs.folder_lock import FolderLock
from experiments.runs.json_file import read_object, to_json
from sim import InputError, __version__, system_error_place, write_atomically
from sim.engine.cache import source_hash
from sim.files.made_folder import made_folder
from sim.files.row_file import Kind, Row, write_rows

CHECKPOINT = "checkpoint.npz"  # state of an unfinished search
RESOLVED = "resolved.json"  # everything that the results depend on

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("numpy", "scipy", "numba", "deap", "pymoo")  # libraries that results depend on
_LEARNING = ("train", "evaluate", "exploit")  # commands that need torch, with any agents


@dataclass(frozen=True)
class RunFolder:
    """Folder of one run; its files appear complete or not at all.

    Attributes:
        path: the folder.
        earlier: new place of the folder that had this name; `None` if there was none.
        lock: lock that excludes other writers until the end of its block.
    """

    path: Path
    earlier: Path | None = None
    lock: AbstractContextManager[Any] = field(default_factory=nullcontext)

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file."""
        write_atomically(self.path / name, content)

    def write_json(self, name: str, data: Any) -> None:
        """Write plain data as JSON."""
        self.write(name, to_json(data))

    def write_arrays(self, name: str, /, **arrays: Any) -> None:
        """Write arrays by name, in the format of `numpy.load`."""
        content = io.BytesIO()
        np.savez(content, **arrays)
        self.write(name, content.getvalue())

    def write_rows(self, name: str, kind: Kind[Row], rows: Iterable[Row]) -> None:
        """Write a table as CSV."""
        write_rows(self.path / name, kind, rows)

    def log(self, line: str) -> None:
        """Append a line with the time to the run's log."""
        stamp = time.strftime("%Y-%m-%d %H:%M:%S")
        path = self.path / "log.txt"
        with system_error_place(path, "written"), path.open("a", encoding="utf-8") as file:
            file.write(f"{stamp}  {line}\n")


def open_run_folder(
    root: Path, experiment: AnyExperiment, command: str, *, resume: bool
) -> RunFolder:
    """Open the folder for a run, with its first files, locked until it is closed.

    An existing folder is continued with `resume`, and otherwise renamed, so that nothing is lost.

    Args:
        root: parent of all run folders.
        experiment: the experiment; its resolved form determines the folder's name.
        command: the command; folders of all but `balance` have it in their name.
        resume: whether to continue an existing folder.

    Raises:
        InputError: the folder cannot be made, another process is writing it, or `resume` finds one
            that other code made.
    """
    path = run_path(root, experiment, command)
    with made_folder(root):
        # Locked first: another process may be about to rename or continue the folder.
        lock = FolderLock(path)
        try:
            return _begin(path, experiment, command, lock, resume=resume)
        except BaseException:
            lock.release()
            raise


def _begin(
    path: Path, experiment: AnyExperiment, command: str, lock: FolderLock, *, resume: bool
) -> RunFolder:
    """Return the folder with its first files; if they cannot be written, nothing is changed."""
    provenance = _provenance(experiment, command)
    if resume and (path / "run.json").exists():
        check_same_code(path, _read_provenance(path), provenance)
    first = {"run.json": provenance, RESOLVED: resolved_settings(experiment, command)}
    with _moved_away(path, resume=resume) as earlier, made_folder(path, first):
        folder = RunFolder(path, earlier, lock)
        for name, data in first.items():
            folder.write_json(name, data)
    return folder


@contextmanager
def _moved_away(path: Path, *, resume: bool) -> Iterator[Path | None]:
    """Rename an existing folder for the block, unless it is continued.

    If the block fails, the folder gets its name back, unless another one has it by then.

    Yields:
        The new path; `None` if nothing was renamed.
    """
    earlier = free_name(path) if path.exists() and not resume else None
    if earlier is None:
        yield None
        return
    with system_error_place(path, "made"):
        path.rename(earlier)
    try:
        yield earlier
    except BaseException:
        if not path.exists():
            earlier.rename(path)
        raise


def run_path(root: Path, experiment: AnyExperiment, command: str) -> Path:
    """Return where a run of a command is, or would be, below a results folder.

    Args:
        root: parent of all run folders.
        experiment: the experiment.
        command: the command.
    """
    digest = hashlib.sha256(to_json(resolved_settings(experiment, command)).encode()).hexdigest()[
        :8
    ]
    label = file_label(experiment.settings.name)
    return root / (f"{label}-{digest}" if command == "balance" else f"{label}-{command}-{digest}")


def resolved_settings(experiment: AnyExperiment, command: str) -> dict[str, Any]:
    """Return everything that the results of a command depend on, as plain data."""
    return {"command": command, **experiment.resolved(command)}


def engine_hash() -> str:
    """Return a hash of the code that results depend on: rules, agents and balancing."""
    return source_hash(*(_ROOT / package for package in ("sim", "agents", "balance")))


def free_name(path: Path) -> Path:
    """Return a path with the first free number as suffix."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(1))
    return next(name for name in numbered if not name.exists())


def _read_provenance(path: Path) -> dict[str, Any]:
    """Return the provenance of an existing folder.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return read_object(path / "run.json")
    except InputError:
        raise InputError(
            "cannot be read", place=path / "run.json", remedy="run without --resume"
        ) from None


def check_same_code(path: Path, earlier: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """Check that a run was begun by the same code and libraries.

    Args:
        path: the folder or file, for the message.
        earlier: `engine_hash` and `versions` with which it was begun, as `made_by` returns them.
        current: the current ones.

    Raises:
        InputError: they differ.
    """
    remedy = "run without --resume, which keeps the existing results under another name"
    for key, problem in (
        ("engine_hash", "was begun by engine {before}, and this is engine {now}"),
        ("versions", "was begun with the libraries {before}, and these are {now}"),
    ):
        before = earlier.get(key)
        now = current[key]
        if before != now:
            raise InputError(
                problem.format(before=before, now=now),
                place=path,
                value=before,
                limit=now,
                remedy=remedy,
            )


def made_by(*, has_networks: bool) -> dict[str, Any]:
    """Return the hash of the code and the versions of the libraries that results depend on.

    Args:
        has_networks: whether torch is one of the libraries.
    """
    packages = (*_PACKAGES, "torch") if has_networks else _PACKAGES
    versions = {name: metadata.version(name) for name in packages}
    return {"engine_hash": engine_hash(), "versions": versions}


def _provenance(experiment: AnyExperiment, command: str) -> dict[str, Any]:
    """Return the content of `run.json`."""
    tunes = command in _LEARNING and getattr(experiment.settings, "tunes_weights", False)
    learns = command in _LEARNING and not tunes
    made = made_by(has_networks=learns or bool(experiment.pilots))
    if tunes:
        made["versions"]["cma"] = metadata.version("cma")
    return {
        "command": command,
        "experiment": experiment.settings.name,
        "seed": experiment.settings.seed,
        "engine_hash": made["engine_hash"],
        "commit": _commit(),
        "python": platform.python_version(),
        "evenhand": __version__,
        "versions": made["versions"],
    }


def _commit() -> str | None:
    """Return the checked-out commit; `None` if the code is no git checkout."""
    try:
        completed = subprocess.run(  # noqa: S603 (fixed arguments)
            ["git", "-C", str(_ROOT), "rev-parse", "HEAD"],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
            timeout=5,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return completed.stdout.strip()
