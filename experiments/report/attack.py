"""What became of the patch when new decks were built against it."""

from __future__ import annotations

import json
from typing import Any

from balance.intervals import wilson
from experiments.report.names import cards_of
from experiments.runs.finished_run import FinishedRun
from sim.errors import InputError

FILE = "attack.json"


def attack(run: FinishedRun) -> dict[str, Any] | None:
    """The phases of the attack with cards by name; `None` where there was none.

    Raises:
        InputError: the file is damaged.
    """
    path = run.path / FILE
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        names = {card: values["name"] for card, values in cards_of(run).items()}
        return {**content, "phases": [_phase(phase, names) for phase in content["phases"]]}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: damaged or of another version: {error!r}") from error


def _phase(phase: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    rounds = [
        {**entry, "cards": [(n, names.get(card, card)) for card, n in entry["deck"].items()]}
        for entry in phase["rounds"]
    ]
    return {**phase, "rounds": rounds, "matrix": _matrix(phase)}


def _matrix(phase: dict[str, Any]) -> list[list[list[float]]]:
    """Win rates of the row's player against the column's, with 95 % intervals."""
    n_games = phase["n_games"]
    return [
        [[round(float(bound), 4) for bound in wilson(rate * n_games, n_games)] for rate in row]
        for row in phase["win_rates"]
    ]
