"""The front of a finished balance run as tables: every genome that was played again."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.patch import Edit, patch_of
from balance.pipeline import BalanceRun
from balance.statistics.intervals import Interval, wilson
from balance.statistics.pareto import on_front
from experiments.runs.run_folder import RunFolder

_EDITS_HEADER = ("point", "card", "name", "field", "from", "to")


def write_front(run: BalanceRun, folder: RunFolder) -> None:
    """Write `front.csv`, `front_matchups.csv` and `front_edits.csv`, joined by `point`."""
    folder.write_csv("front.csv", *front_rows(run))
    folder.write_csv("front_matchups.csv", *_matchup_rows(run))
    folder.write_csv("front_edits.csv", _EDITS_HEADER, _edit_rows(run))


def front_rows(run: BalanceRun) -> tuple[list[str], list[list[Any]]]:
    """Every genome played again, by rising change: claimed, selected, certified.

    Intervals of imbalances are those of all matchups together, at the level 0.95.
    """
    selection, certificate = run.selection, run.certificate
    header = ["point", "change", "cards_touched"]
    for stage in ("claimed", "selected"):
        header += [f"{stage}_imbalance_pp", f"{stage}_low_pp", f"{stage}_high_pp", f"{stage}_n"]
    header += [
        "guards_hold", "has_room", "on_front", "recommended",
        "certified_imbalance_pp", "certified_low_pp", "certified_high_pp", "certified_n", "patch",
    ]  # fmt: skip
    demands = run.evaluator.demands
    claimed, selected = map(demands.imbalance_pp, _front_rates(run))
    certified = demands.imbalance_pp(certificate.after)
    scores = selection.scores
    front = np.flatnonzero(holds := scores.violation == 0)
    front = front[on_front(scores.change[holds], scores.imbalance_pp[holds])]
    rows = []
    for k in range(len(selection.genomes)):
        is_recommended = k == selection.recommended
        verdict = [*map(float, certified), certificate.n_games] if is_recommended else [""] * 4
        rows.append(
            [
                k + 1,
                float(scores.change[k]),
                int(scores.cards_touched[k]),
                *(float(bound[k]) for bound in claimed),
                int(selection.claimed_n[k]),
                *(float(bound[k]) for bound in selected),
                selection.n_games,
                bool(holds[k]),
                bool(selection.has_room[k]),
                k in front,
                is_recommended,
                *verdict,
                "; ".join(map(str, _patch(run, k))),
            ]
        )
    return header, rows


def _matchup_rows(run: BalanceRun) -> tuple[list[str], list[list[Any]]]:
    """Every matchup of every genome played again: its win rate as claimed and as selected."""
    header = ["point", "a", "b", "target"]
    for stage in ("claimed", "selected"):
        header += [stage, f"{stage}_low", f"{stage}_high", f"{stage}_n"]
    selection, names = run.selection, [player.name for player in run.contest.players]
    claimed, selected = _front_rates(run)
    rows = [
        [
            k + 1,
            names[a],
            names[b],
            float(run.evaluator.targets[m]),
            *(float(bound[k, m]) for bound in claimed),
            int(selection.claimed_n[k]),
            *(float(bound[k, m]) for bound in selected),
            selection.n_games,
            run.certificate.confidence,
        ]
        for k in range(len(selection.genomes))
        for m, (a, b) in enumerate(run.contest.matchups)
    ]
    return [*header, "confidence"], rows


def _edit_rows(run: BalanceRun) -> list[list[Any]]:
    """Every edit of every genome played again, in the columns of `_EDITS_HEADER`."""
    return [
        [k + 1, edit.card, edit.name, edit.field, edit.before, edit.after]
        for k in range(len(run.selection.genomes))
        for edit in _patch(run, k)
    ]


def _front_rates(run: BalanceRun) -> tuple[Interval, Interval]:
    """``[S, M]`` win rates of the genomes played again, as claimed and as selected.

    Their intervals hold for all matchups together, as the certificate's do.
    """
    selection, confidence = run.selection, run.certificate.confidence
    claimed_n = selection.claimed_n[:, np.newaxis]
    return (
        wilson(selection.claimed * claimed_n, claimed_n, confidence),
        wilson(selection.points, selection.n_games, confidence),
    )


def _patch(run: BalanceRun, position: int) -> tuple[Edit, ...]:
    """The edits of one of the genomes played again."""
    space = run.measurement.narrowing.space
    return patch_of(run.selection.genomes[position], space, run.contest)
