"""Progress of an unfinished attack, stored as a file in the folder of its balance run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from balance.decks.attack import AttackRound
from experiments.runs.json_file import UNFIT, read_object
from experiments.runs.run_folder import RunFolder, check_same_code, free_name
from sim import InputError, StrictModel, system_error_place, validate

PROGRESS = "attack_progress.json"


class AttackProgress(StrictModel):
    """Finished rounds of an attack, with all settings and versions that its result depends on.

    Attributes:
        agent: name of the pilot of the built decks.
        seed: run seed of the attack.
        rounds: maximum number of rounds with the unchanged cards, and again with the patched cards.
        engine_hash: hash of the code that the results depend on.
        versions: versions of the libraries that the results depend on, by name.
        before: finished rounds with the unchanged cards.
        after: finished rounds with the patched cards.
    """

    element: ClassVar[str] = "attack"

    agent: str
    seed: int
    rounds: int
    engine_hash: str
    versions: dict[str, str]
    before: tuple[AttackRound, ...] = ()
    after: tuple[AttackRound, ...] = ()

    def rounds_of(self, phase: str) -> tuple[AttackRound, ...]:
        """Return the finished rounds of a phase, `before` or `after`."""
        return {"before": self.before, "after": self.after}[phase]


def read_progress(folder: Path, made: Mapping[str, Any]) -> AttackProgress | None:
    """Return the progress of an unfinished attack; `None` if there is no file of it.

    Args:
        folder: folder of the balance run.
        made: hash of the current code and versions of its libraries
            (`experiments.runs.run_folder.made_by`).

    Raises:
        InputError: the file is damaged, or was written by other code or libraries.
    """
    path = folder / PROGRESS
    if not path.exists():
        return None
    remedy = "run without --resume"
    try:
        content = read_object(path)
    except InputError as error:
        raise error.with_fields(remedy=remedy) from None
    try:
        progress = validate(AttackProgress, content, source="")
    except InputError as error:
        raise InputError(f"{UNFIT}: {error}", place=path, remedy=remedy) from None
    check_same_code(path, progress.model_dump(), made)
    return progress


def write_progress(folder: RunFolder, progress: AttackProgress) -> None:
    """Write the progress of an attack to a run folder, with unrounded numbers."""
    # Not `write_json`, which rounds numbers: a continued attack must have the same result as an
    # uninterrupted one.
    text = json.dumps(progress.model_dump(mode="json"), indent=2, allow_nan=False)
    folder.write(PROGRESS, text + "\n")


def keep_earlier(folder: Path, names: Sequence[str]) -> Path | None:
    """Move the files of an earlier attack into a new folder `attack.N` with the first free number.

    Args:
        folder: folder of the balance run.
        names: names of the files to move; missing files are skipped.

    Returns:
        The new folder; `None` if no file exists.

    Raises:
        InputError: a file cannot be moved.
    """
    existing = [folder / name for name in names if (folder / name).exists()]
    if not existing:
        return None
    kept = free_name(folder / "attack")
    with system_error_place(kept, "made"):
        kept.mkdir()
        for path in existing:
            path.rename(kept / path.name)
    return kept
