"""Run folders: everything a run leaves behind, whole at every moment."""

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

CHECKPOINT = "checkpoint.npz"  # of a search that is not finished
RESOLVED = "resolved.json"

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("numpy", "scipy", "numba", "deap", "pymoo")
_LEARNING = ("train", "evaluate", "exploit")  # commands that need torch, whoever plays


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run; files appear in it whole or not at all.

    Attributes:
        path: where it is.
        earlier: where the folder that had its name is now, if there was one.
        lock: keeps other writers out until the end of its block.
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
        """Write arrays by their names, as `numpy.load` reads them."""
        content = io.BytesIO()
        np.savez(content, **arrays)
        self.write(name, content.getvalue())

    def write_rows(self, name: str, kind: Kind[Row], rows: Iterable[Row]) -> None:
        """Write a table for people."""
        write_rows(self.path / name, kind, rows)

    def log(self, line: str) -> None:
        """Add a line to the run's log."""
        stamp = time.strftime("%Y-%m-%d %H:%M:%S")
        path = self.path / "log.txt"
        with system_error_place(path, "written"), path.open("a", encoding="utf-8") as file:
            file.write(f"{stamp}  {line}\n")


def open_run_folder(
    root: Path, experiment: AnyExperiment, command: str, *, resume: bool
) -> RunFolder:
    """The folder for a run of `command`, ready to be written to, and locked until it is closed.

    A folder that is already there is continued with `resume`, and otherwise kept under another
    name: nothing is lost.

    Args:
        root: parent of all run folders.
        experiment: what is run; its resolved form names the folder.
        command: the command; folders of all but `balance` carry it in their name.
        resume: continue what is there.

    Raises:
        InputError: the folder cannot be made, another process is writing it, or `resume` finds
            one made by other code.
    """
    path = run_path(root, experiment, command)
    with made_folder(root):
        lock = FolderLock(path)
        try:
            return _begun(path, experiment, command, lock, resume=resume)
        except BaseException:
            lock.release()
            raise


def _begun(
    path: Path, experiment: AnyExperiment, command: str, lock: FolderLock, *, resume: bool
) -> RunFolder:
    """The folder with its first files; where they cannot be written, all is as it was before."""
    provenance = _provenance(experiment, command)
    if resume and (path / "run.json").exists():
        check_same_code(path, _earlier(path), provenance)
    first = {"run.json": provenance, RESOLVED: resolved_settings(experiment, command)}
    with _out_of_the_way(path, resume=resume) as earlier, made_folder(path, first):
        folder = RunFolder(path, earlier, lock)
        for name, data in first.items():
            folder.write_json(name, data)
    return folder


@contextmanager
def _out_of_the_way(path: Path, *, resume: bool) -> Iterator[Path | None]:
    """Give the folder that is there another name, unless it is continued; tells which.

    Where the block fails it gets its name back, if nothing came in its place.
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
    """Where a run of `command` is, or would be, below `root`."""
    digest = hashlib.sha256(to_json(resolved_settings(experiment, command)).encode()).hexdigest()[
        :8
    ]
    label = file_label(experiment.settings.name)
    return root / (f"{label}-{digest}" if command == "balance" else f"{label}-{command}-{digest}")


def resolved_settings(experiment: AnyExperiment, command: str) -> dict[str, Any]:
    """All that the results of a command depend on; names the folder, and is kept in it."""
    return {"command": command, **experiment.resolved(command)}


def engine_hash() -> str:
    """Names the code that results depend on: rules, agents and science."""
    return source_hash(*(_ROOT / package for package in ("sim", "agents", "balance")))


def free_name(path: Path) -> Path:
    """`path` with the first free number behind it."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(1))
    return next(name for name in numbered if not name.exists())


def _earlier(path: Path) -> dict[str, Any]:
    """What made the folder that is there."""
    try:
        return read_object(path / "run.json")
    except InputError:
        raise InputError(f"{path / 'run.json'}: not readable; run without --resume") from None


def check_same_code(path: Path, earlier: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """Refuse to continue what this code would not have begun.

    Args:
        path: names it.
        earlier: `engine_hash` and `versions` that began it, as `made_by` gives them.
        current: those of now.
    """
    afresh = "Run without --resume (what is there is kept under another name)"
    if earlier.get("engine_hash") != current["engine_hash"]:
        raise InputError(
            f"{path}: made by engine {earlier.get('engine_hash')}, this is engine "
            f"{current['engine_hash']}; what continues it would be neither. {afresh}"
        )
    if earlier.get("versions") != current["versions"]:
        raise InputError(
            f"{path}: made with {earlier.get('versions')}, here are {current['versions']}. {afresh}"
        )


def made_by(*, has_networks: bool) -> dict[str, Any]:
    """The code, and the libraries, that results depend on."""
    packages = (*_PACKAGES, "torch") if has_networks else _PACKAGES
    versions = {name: metadata.version(name) for name in packages}
    return {"engine_hash": engine_hash(), "versions": versions}


def _provenance(experiment: AnyExperiment, command: str) -> dict[str, Any]:
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
    """The checked-out commit, where the code is a git checkout."""
    try:
        found = subprocess.run(  # noqa: S603 (fixed arguments)
            ["git", "-C", str(_ROOT), "rev-parse", "HEAD"],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
            timeout=5,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()
