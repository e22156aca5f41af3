"""Attacks on a patch for a panel: their progress in the run folder, and words on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from typing import Any, ClassVar

from balance.contest.target import FIELD
from balance.decks.deck_search import DeckState
from balance.panel.attack import N_SEARCHING, Attack, attack_patch
from balance.panel.attackers import AttackingDeck
from balance.panel.panel_contest import Hand
from balance.panel.panel_run import PanelRun
from balance.panel.rounds import LAST, RoundsResult
from balance.settings.robust import Robust
from experiments.runs.json_file import read_object
from experiments.runs.run import Run
from experiments.runs.run_folder import CHECKPOINT, ROUNDS
from experiments.screen import Shown, Table, counted, percent, percent_between
from sim import StrictModel, validate

Attacked = tuple[AttackingDeck, ...]
"""Decks that an attack built, the strongest first."""


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


def attack_in(
    run: Run,
    hands: Sequence[Hand],
    result: PanelRun,
    attack: Attack,
    joined: Sequence[AttackingDeck],
) -> Attacked:
    """Build decks against a patch, and return them with their win rates.

    Args:
        run: run of the panel.
        hands: pilots of the panel, with the decks of the experiment.
        result: patch to attack.
        attack: settings of the attack.
        joined: decks with demands of their own.
    """
    settings = run.experiment.settings
    last = "attack on the unchanged decks" if attack.is_of_today else "last attack"
    run.folder.log(last if attack.number == LAST else f"attack {attack.number}")
    n_generations = attack.times * settings.build.generations + 1
    n_searching = len(hands[:N_SEARCHING])
    with run.screen.progress("attack", n_searching * n_generations) as advance:
        done = count(1)

        def on_generation(state: DeckState) -> None:
            advance(next(done), f"best deck {100 * float(state.history[-1, 2]):.1f} %")

        return attack_patch(hands, result.patch, settings, attack, joined, on_generation)


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
            *([_row("without a patch", rounds.today)] if rounds.today else []),
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
    if least := least_reached(rounds):
        lines.append(
            f"No patch was certified with demands on {counted(len(rounds.resists), 'more deck')}; "
            "this one was certified before they were built. The nearest patch leaves "
            f"{least['deck']} {100 * least['win_rate']:.1f} % with {least['pilot']}"
        )
    return lines


def least_reached(rounds: RoundsResult[Any]) -> dict[str, Any]:
    """Return the largest win rate of a built deck with the nearest patch that is not certified.

    It is the least that the search has reached, for the decks that were built so far.

    Args:
        rounds: the patch, with the decks that were built; `result` of a patch is its `PanelRun`.

    Returns:
        Entry of `summary.json`; empty if all demands on built decks were met.
    """
    if rounds.nearest is None:
        return {}
    names = {f"{deck.name} vs {FIELD}": deck.name for deck in rounds.attackers if deck.joins}
    rows = [row for row in rounds.nearest.result.panel if row.rate in names]
    worst = max(rows, key=lambda row: float(row.after.estimate))
    rate = worst.after.as_entry(n=worst.n)
    return {"deck": names[worst.rate], "pilot": worst.pilot, **rate}
