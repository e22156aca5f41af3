"""Attacks on a patch for a panel: their progress in the run folder, and words on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from balance.panel.attackers import AttackingDeck
from balance.panel.rounds import LAST, RoundsResult
from balance.settings.robust import Robust
from experiments.runs.json_file import read_object
from experiments.runs.run import Run
from experiments.runs.run_folder import CHECKPOINT, ROUNDS
from experiments.screen import Shown, Table, counted, percent, percent_between
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


def attack_lines(rounds: RoundsResult[Any], robust: Robust) -> list[Shown]:
    """Return a table of the attacks, and lines on the last one; none without attacks.

    Args:
        rounds: the patch, with the decks that were built.
        robust: settings of the panel with the largest permitted win rate.
    """
    if not (rounds.attackers or rounds.last):
        return []
    table = Table(
        "Attacks on the patches of the search: the deck that wins most, with its mean win rate "
        "against the decks (± half of the 95 % interval)",
        ("attack", "pilot", "wins, %", "games", "decks that join"),
        [
            *(
                _row(str(number), [deck for deck in rounds.attackers if deck.attack == number])
                for number in sorted({deck.attack for deck in rounds.attackers})
            ),
            *([_row("last", rounds.last)] if rounds.last else []),
        ],
    )
    return [table, *_lines_on_last(rounds, 100 * robust.attacker_most)]


def _row(label: str, decks: Sequence[AttackingDeck]) -> tuple[str, ...]:
    """Return the row of one attack: its strongest deck, and how many decks join the demands.

    Args:
        label: name of the attack.
        decks: decks of the attack, the strongest first.
    """
    best = decks[0]
    n_joins = "" if best.attack == LAST else str(sum(deck.joins for deck in decks))
    rate = percent((best.win_rate, best.low, best.high))
    return label, best.pilot, rate, f"{best.n:,}", n_joins


def _lines_on_last(rounds: RoundsResult[Any], most: float) -> list[str]:
    """Return lines on the last attack, and on decks for which no patch was certified.

    Args:
        rounds: the patch, with the decks that were built.
        most: largest permitted win rate, in percent.
    """
    lines = list[str]()
    if rounds.last:
        best = rounds.last[0]
        if 100 * best.high <= most:
            verdict = f"at most the {most:g} % of robust.attacker_most"
        elif 100 * best.low > most:
            verdict = f"more than the {most:g} % of robust.attacker_most"
        else:
            verdict = f"not shown to be at most the {most:g} % of robust.attacker_most"
        rate = percent_between((best.win_rate, best.low, best.high))
        lines.append(f"The strongest deck of the last attack on this patch wins {rate}: {verdict}")
    if rounds.resists:
        lines.append(
            f"No patch was certified with demands on {counted(len(rounds.resists), 'more deck')}; "
            "this one was certified before they were built"
        )
    return lines
