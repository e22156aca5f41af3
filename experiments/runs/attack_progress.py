"""Progress of an unfinished attack, as a file in the run's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from balance.decks.double_oracle import AttackRound
from experiments.runs.json_file import read_object
from experiments.runs.run_folder import RunFolder, check_same_code, free_name
from sim import InputError, StrictModel, system_error_place, validate

PROGRESS = "attack_progress.json"


class AttackProgress(StrictModel):
    """Finished rounds of an attack, and everything else that its result depends on.

    Attributes:
        agent: name of the pilot of the built decks.
        seed: seed of the attack.
        rounds: most decks to build, with the unchanged and with the patched cards each.
        engine_hash: hash of the code.
        versions: versions of the libraries.
        before: rounds with the unchanged cards.
        after: rounds with the patched cards.
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
    """Return the attack to continue; `None` if none was begun.

    Args:
        folder: folder of the balance run.
        made: current code and libraries (`experiments.runs.run_folder.made_by`).

    Raises:
        InputError: the file is damaged, or other code wrote it.
    """
    path = folder / PROGRESS
    if not path.exists():
        return None
    try:
        progress = validate(AttackProgress, read_object(path), source=str(path))
    except InputError as error:
        raise InputError(
            f"damaged, or of another version ({error})", place=path, remedy="run without --resume"
        ) from None
    check_same_code(path, progress.model_dump(), made)
    return progress


def write_progress(folder: RunFolder, progress: AttackProgress) -> None:
    """Write the finished rounds, numbers with all their digits."""
    text = json.dumps(progress.model_dump(mode="json"), indent=2, allow_nan=False)
    folder.write(PROGRESS, text + "\n")


def keep_earlier(folder: Path, names: Sequence[str]) -> Path | None:
    """Move files of an earlier attack into a new folder `attack.1`, or the next free number.

    Args:
        folder: folder of the balance run.
        names: names of the files; missing ones are skipped.

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
