"""What became of the patch when new decks were built against it."""

from __future__ import annotations

from typing import Any

from balance.statistics.intervals import wilson
from experiments.report.missing_data import read_json
from experiments.report.wording import cards_of
from experiments.runs.finished_run import FinishedRun

FILE = "attack.json"


def attack(run: FinishedRun) -> dict[str, Any] | None:
    """The phases of the attack with cards by name; `None` where there was none.

    Raises:
        InputError: the file is damaged.
    """
    path = run.path / FILE
    if not path.is_file():
        return None
    content = read_json(path)
    names = {card: values["name"] for card, values in cards_of(run).items()}
    phases = [_phase(phase, names) for phase in content["phases"]]
    said = {key: content[key] for key in ("agent", "seed", "rounds", "margin_pp", "conclusion")}
    return {**said, "phases": phases, "showed": _showed(phases[-1])}


def _showed(patched: dict[str, Any]) -> str:
    """In a few words, who is played in the end with the patched cards."""
    shares = patched["equilibrium"]
    built = [entry for entry in shares if not entry["original"]]
    own = [entry for entry in shares if entry["original"]]
    if not built:
        return "no built deck was found that wins enough to join the experiment's own decks"
    if all(entry["share"] == 0 for entry in built):
        return "built decks joined, and in the end only the experiment's own decks are played"
    if any(entry["share"] > 0 for entry in own):
        return "in the end built decks are played beside the experiment's own"
    if any(entry["high"] > 0 for entry in own):
        return "in the end built decks are played, and hardly any of the experiment's own"
    return "in the end only built decks are played"


def _phase(phase: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    rounds = [
        {**entry, "cards": [(n, names.get(card, card)) for card, n in entry["deck"].items()]}
        for entry in phase["rounds"]
    ]
    n_games = phase["n_games"]
    matrix = [  # the row's player against the column's, with 95 % intervals
        [[round(float(bound), 4) for bound in wilson(rate * n_games, n_games)] for rate in row]
        for row in phase["win_rates"]
    ]
    return {**phase, "rounds": rounds, "matrix": matrix}
