"""Result of an attack on the patch of a balance run, as data for the report."""

from __future__ import annotations

from typing import Any

from balance import wilson
from experiments.report.wording import cards_of
from experiments.runs.finished_run import FinishedRun
from experiments.runs.json_file import read_object

ATTACK = "attack.json"
"""Name of the file in a run folder with the result of an attack."""


def attack(run: FinishedRun) -> dict[str, Any] | None:
    """Return the attack on a run's patch, with names of cards; `None` if no attack has finished.

    Raises:
        InputError: `attack.json` is damaged.
    """
    path = run.path / ATTACK
    if not path.is_file():
        return None
    content = read_object(path)
    names = {card: values["name"] for card, values in cards_of(run).items()}
    phases = [_attack_phase(phase, names) for phase in content["phases"]]
    common = {key: content[key] for key in ("agent", "seed", "rounds", "margin_pp", "conclusion")}
    return {**common, "phases": phases, "showed": _attack_result(phases[-1])}


def _attack_result(patched: dict[str, Any]) -> str:
    """Return a clause that names the kinds of decks in the final mix with the patched cards.

    Args:
        patched: phase of the attack with the patched cards, as in `attack.json`.
    """
    shares = patched["equilibrium"]
    built = [entry for entry in shares if not entry["original"]]
    own = [entry for entry in shares if entry["original"]]
    if not built:
        return "no built deck was found that wins enough to join the experiment's own decks"
    if all(entry["share"] == 0 for entry in built):
        return "built decks joined, but the final mix contains only the experiment's own decks"
    if any(entry["share"] > 0 for entry in own):
        return "the final mix contains built decks and the experiment's own"
    if any(entry["high"] > 0 for entry in own):
        return "the final mix contains built decks, and hardly any of the experiment's own"
    return "the final mix contains only built decks"


def _attack_phase(phase: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Return a copy of an attack's phase with card names and a matrix of win rates.

    Args:
        phase: phase of the attack, as in `attack.json`.
        names: names of cards by id; a card without a name keeps its id.
    """
    rounds = [
        {**entry, "cards": [(n, names.get(card, card)) for card, n in entry["deck"].items()]}
        for entry in phase["rounds"]
    ]
    n_games = phase["n_games"]
    # Win rate of the row's player against the column's player, with its 95 % interval.
    matrix = [
        [[round(float(bound), 4) for bound in wilson(rate * n_games, n_games)] for rate in row]
        for row in phase["win_rates"]
    ]
    return {**phase, "rounds": rounds, "matrix": matrix}
