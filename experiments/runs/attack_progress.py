"""What an attack keeps in the run's folder while it is not finished, and what it finds there."""

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
    """The finished rounds of an attack, and what else its result depends on.

    Attributes:
        agent: the pilot of the built decks.
        seed: the attack's seed.
        rounds: most decks to build with either cards.
        engine_hash: the code.
        versions: of the libraries.
        before: rounds with today's cards.
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
        """The finished rounds of a phase."""
        return {"before": self.before, "after": self.after}[phase]


def read_progress(folder: Path, made: Mapping[str, Any]) -> AttackProgress | None:
    """The attack to continue; `None` where none was begun.

    Args:
        folder: of the balance run.
        made: code and libraries of now (`experiments.runs.run_folder.made_by`).

    Raises:
        InputError: the file is damaged, or other code wrote it.
    """
    path = folder / PROGRESS
    if not path.exists():
        return None
    try:
        found = validate(AttackProgress, read_object(path), source=str(path))
    except InputError as error:
        raise InputError(
            f"{path}: damaged, or of another version ({error}); run without --resume"
        ) from None
    check_same_code(path, found.model_dump(), made)
    return found


def write_progress(folder: RunFolder, progress: AttackProgress) -> None:
    """Keep the finished rounds, their numbers to the last digit."""
    text = json.dumps(progress.model_dump(mode="json"), indent=2, allow_nan=False)
    folder.write(PROGRESS, text + "\n")


def keep_earlier(folder: Path, names: Sequence[str]) -> Path | None:
    """Move what lies there under these names into a folder of its own, `attack.1` or so.

    Raises:
        InputError: something cannot be moved.
    """
    there = [folder / name for name in names if (folder / name).exists()]
    if not there:
        return None
    kept = free_name(folder / "attack")
    with system_error_place(kept, "made"):
        kept.mkdir()
        for path in there:
            path.rename(kept / path.name)
    return kept
