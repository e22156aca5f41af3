"""Attacks on a patch for a panel: their progress in the run folder, and words on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import ClassVar

from balance.panel.attackers import AttackingDeck
from experiments.experiment import Experiment
from experiments.runs.json_file import read_object
from experiments.runs.run import Run
from experiments.runs.run_folder import CHECKPOINT, ROUNDS
from experiments.screen import Shown, Table, percent, percent_between
from sim import StrictModel, validate


class AttackProgress(StrictModel):
    """Content of the file `ROUNDS` of a run folder.

    Attributes:
        attacks: built decks in the order of the attacks.
    """

    element: ClassVar[str] = "progress"

    attacks: tuple[AttackingDeck, ...] = ()


def read_attacks(run: Run) -> list[AttackingDeck]:
    """Return the attacks that a stopped run has made; none for a new run.

    Raises:
        InputError: the file is damaged.
    """
    path = run.folder.path / ROUNDS
    if not run.resume or not path.exists():
        return []
    return [*validate(AttackProgress, read_object(path), source=str(path)).attacks]


def write_attacks(run: Run, attacks: Sequence[AttackingDeck]) -> None:
    """Write the attacks so far, and delete the checkpoint of the search before the last one.

    The checkpoint goes first: a run that is stopped in between repeats the search and the attack.
    """
    (run.folder.path / CHECKPOINT).unlink(missing_ok=True)
    content = AttackProgress(attacks=tuple(attacks)).model_dump(mode="json")
    # Not `write_json`, which rounds numbers: a continued run must have the same result.
    run.folder.write(ROUNDS, json.dumps(content, indent=2, allow_nan=False) + "\n")


def attack_lines(attacks: Sequence[AttackingDeck], experiment: Experiment) -> list[Shown]:
    """Return a table of all built decks, and a line on the last one; none without attacks.

    Args:
        attacks: built decks in the order of the attacks; the last one attacked the found patch.
        experiment: experiment with the largest permitted win rate.
    """
    if not attacks:
        return []
    table = Table(
        "Decks built against the patches of the search, with their mean win rate against the "
        "decks (± half of the 95 % interval)",
        ("deck", "pilot", "wins, %", "games", "joins the demands"),
        [
            (
                one.name,
                one.pilot,
                percent((one.win_rate, one.low, one.high)),
                f"{one.n:,}",
                "yes" if one.joins else "no",
            )
            for one in attacks
        ],
    )
    last = attacks[-1]
    most = 100 * experiment.settings.robust.attacker_most
    rate = percent_between((last.win_rate, last.low, last.high))
    if not last.joins:
        verdict = f"at most the {most:g} % of robust.attacker_most"
    elif 100 * last.low > most:
        verdict = f"more than the {most:g} % of robust.attacker_most"
    else:
        verdict = f"not shown to be at most the {most:g} % of robust.attacker_most"
    return [table, f"The deck built against this patch wins {rate}: {verdict}"]
