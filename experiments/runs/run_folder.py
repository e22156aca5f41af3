"""Run folders: creation of a run's folder, and atomic writing of its files."""

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
ROUNDS = "rounds.json"  # built decks of an unfinished run for a panel of pilots
RESOLVED = "resolved.json"  # everything that the results depend on

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("numpy", "scipy", "numba", "deap", "pymoo")  # libraries that results depend on
_LEARNING = ("train", "evaluate", "exploit")  # commands that need torch even for scripted agents


@dataclass(frozen=True)
class RunFolder:
    """Folder of a run, in which files are written atomically.

    Attributes:
        path: path of the folder.
        earlier: new path of an earlier folder with this name; `None` if there was none.
        lock: lock that excludes other writers until it is released.
    """

    path: Path
    earlier: Path | None = None
    lock: AbstractContextManager[Any] = field(default_factory=nullcontext)

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file atomically; an existing file is replaced.

        Args:
            name: name of the file, relative to the folder.
            content: text or bytes of the file.
        """
        write_atomically(self.path / name, content)

    def write_json(self, name: str, data: Any) -> None:
        """Write plain data as a JSON file, by `to_json`."""
        self.write(name, to_json(data))

    def write_arrays(self, name: str, /, **arrays: Any) -> None:
        """Write named arrays as an archive that `numpy.load` reads."""
        content = io.BytesIO()
        np.savez(content, **arrays)
        self.write(name, content.getvalue())

    def write_rows(self, name: str, kind: Kind[Row], rows: Iterable[Row]) -> None:
        """Write a table as a CSV file.

        Args:
            name: name of the file, relative to the folder.
            kind: type of the rows.
            rows: rows of the table.
        """
        write_rows(self.path / name, kind, rows)

    def log(self, line: str) -> None:
        """Append a line with the current time to `log.txt`."""
        stamp = time.strftime("%Y-%m-%d %H:%M:%S")
        path = self.path / "log.txt"
        with system_error_place(path, "written"), path.open("a", encoding="utf-8") as file:
            file.write(f"{stamp}  {line}\n")


def open_run_folder(
    root: Path, experiment: AnyExperiment, command: str, *, resume: bool
) -> RunFolder:
    """Lock the folder of a run, and write its provenance and resolved settings.

    An existing folder is continued if `resume` is true. Otherwise it is renamed, so that its
    results are kept.

    Args:
        root: parent of all run folders, which is created if needed.
        experiment: experiment of the run; its resolved settings determine the folder's name.
        command: name of the command, which is part of the folder's name except for `balance`.
        resume: whether to continue an existing folder.

    Raises:
        InputError: the folder cannot be created, another process is writing it, or the folder to
            continue was made by other code or libraries.
    """
    path = run_path(root, experiment, command)
    with made_folder(root):
        # Locked first, because another process may be about to rename or continue the folder.
        lock = FolderLock(path)
        try:
            return _begin(path, experiment, command, lock, resume=resume)
        except BaseException:
            lock.release()
            raise


def _begin(
    path: Path, experiment: AnyExperiment, command: str, lock: FolderLock, *, resume: bool
) -> RunFolder:
    """Write the first files of a locked run folder, and return the folder.

    If a file cannot be written, all changes are undone.

    Args:
        path: path of the folder.
        experiment: experiment of the run.
        command: name of the command.
        lock: lock of the folder.
        resume: whether to continue an existing folder.
    """
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
    """Rename an existing folder before the block runs, unless it is continued.

    If the block raises an exception, the folder gets its old name again, unless a new folder has
    that name.

    Yields:
        The new path of the existing folder; `None` if nothing was renamed.
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
    """Return the path of the folder of a run, which need not exist.

    Its name consists of the experiment, the command unless it is `balance`, and a hash of the
    resolved settings.

    Args:
        root: parent of all run folders.
        experiment: experiment of the run.
        command: name of the command.
    """
    digest = hashlib.sha256(to_json(resolved_settings(experiment, command)).encode()).hexdigest()[
        :8
    ]
    label = file_label(experiment.settings.name)
    return root / (f"{label}-{digest}" if command == "balance" else f"{label}-{command}-{digest}")


def resolved_settings(experiment: AnyExperiment, command: str) -> dict[str, Any]:
    """Return all settings and inputs that the results of a command depend on, as plain data."""
    return {"command": command, **experiment.resolved(command)}


def engine_hash() -> str:
    """Return a hash of the source code on which results depend: `sim`, `agents` and `balance`."""
    return source_hash(*(_ROOT / package for package in ("sim", "agents", "balance")))


def free_name(path: Path) -> Path:
    """Return a path with the first of the suffixes `.1`, `.2`, ... for which no file exists."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(1))
    return next(name for name in numbered if not name.exists())


def _read_provenance(path: Path) -> dict[str, Any]:
    """Return the provenance (`run.json`) of an existing run folder.

    Raises:
        InputError: the file cannot be read.
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
        path: folder or file of the run, for the message.
        earlier: `engine_hash` and `versions` of the run, as returned by `made_by`.
        current: current `engine_hash` and `versions`.

    Raises:
        InputError: the code or a version of a library differs.
    """
    remedy = "run without --resume, which keeps the existing results under another name"
    for key, problem in (
        ("engine_hash", "was begun by engine {before}, but the current engine is {now}"),
        ("versions", "was begun with the libraries {before}, but the current ones are {now}"),
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
    """Return the content of `run.json`: command, seed, and versions of code and libraries."""
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
        **_folder_of_code(experiment),
    }


def _folder_of_code(experiment: AnyExperiment) -> dict[str, str]:
    """Return the folder of the code that an experiment's file names, if it names code.

    Commands that continue or compare the run load the code again.
    """
    folder: Path | None = getattr(experiment, "folder_of_code", None)
    return {} if folder is None else {"folder": str(folder.resolve())}


def _commit() -> str | None:
    """Return the hash of the checked-out commit; `None` if git cannot determine it."""
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
