"""What `evenhand balance` adds for trained pilots: how far a patch holds once they know it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents import Trainer, save_pilot
from balance import BalanceRun, learned_pilots
from balance.learning.drift import DriftRun, measure_drift
from experiments.experiment import Experiment
from experiments.files.output_file import retrained_file_name
from experiments.learning.places import rate_entry
from experiments.learning.side_by_side import Training, delete_states, train_all
from experiments.results.front import sides
from experiments.results.stages import DRIFT_COLUMNS, drift_rows
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, in_pp, level, mark_of, percent, points

REST_PP = 1.0  # that a placebo may surely move, as `rest_pp` of `[train.together]`


def run_drift(run: Run, found: BalanceRun) -> Findings:
    """Train the pilots on with the patched cards and certify the patch again.

    Writes the pilots; finds `drift.csv` and what goes into the summary.
    """
    experiment = run.experiment
    folder = run.folder
    rounds = list[dict[str, Training]]()

    def train_with_states(trainers: Mapping[str, Trainer]) -> None:
        rounds.append({})
        for name, trainer in trainers.items():
            path = folder.path / f"{len(rounds)}-{retrained_file_name(name)}"
            rounds[-1][f"retraining {name}"] = Training(trainer, path.with_suffix(".state.pt"))
        train_all(rounds[-1], run.screen, threads=run.threads)

    drift = measure_drift(
        found, experiment.settings, threads=run.threads, train_all=train_with_states
    )
    files = {}
    for player, pilot in learned_pilots(drift.contest):
        if pilot.provenance is not None:  # what came from a file has one
            files[player.name] = retrained_file_name(player.name)
            save_pilot(folder.path / files[player.name], pilot.network, pilot.provenance)
    folder.write_rows("drift.csv", DRIFT_COLUMNS, drift_rows(drift))
    for trainings in rounds:
        delete_states(trainings)
    folder.log(f"{'' if drift.certificate.certified else 'not '}certified after retraining")
    return Findings(
        summary={"drift": _summary(experiment, drift, files)}, shown=_shown(experiment, drift)
    )


def restlessness(drift: DriftRun) -> list[Shown]:
    """That the pilots were not at rest, if the placebo shows it, and what may help."""
    placebo = drift.placebo.times(100)
    moved_pp = np.maximum(placebo.low, -placebo.high)  # at least so much, whichever way
    if moved_pp.max() <= REST_PP:
        return []
    return [
        f"Not at rest: without a patch the same learning moves "
        f"{drift.certificate.demands.names[int(moved_pp.argmax())]} by more than {REST_PP:g} pp; "
        "rounds that meet nobody else (`[train.together]`, `latest = 1.0`) find more rest"
    ]


def _summary(experiment: Experiment, drift: DriftRun, files: Mapping[str, str]) -> dict[str, Any]:
    verdict = drift.certificate
    matchups = [
        {
            "a": a,
            "b": b,
            "before": rate_entry(drift.before.at(m), verdict.n_games),
            "after": rate_entry(verdict.after.at(m), verdict.n_games),
            **_changes(drift, m),
            "inside": bool(verdict.inside[m]),
            "verdict": verdict.verdicts[m],
        }
        for m, (a, b) in enumerate(sides(drift.contest, name) for name in verdict.demands.names)
    ]
    return {
        "certified_after_retraining": verdict.certified,
        "steps": experiment.settings.drift.steps,
        "rounds": experiment.settings.drift.rounds,
        "matchups": matchups,
        "guards": {guard.name: guard.holds for guard in verdict.guards},
        "confidence": verdict.confidence,
        "pilots": dict(files),
    }


def _changes(drift: DriftRun, m: int) -> dict[str, float]:
    """How far a win rate moved with the patch, without it, and how much farther with it."""
    told = {"change": drift.change, "placebo": drift.placebo, "beyond": drift.beyond}
    return {
        f"{name}{bound}_pp": value
        for name, change in told.items()
        for bound, value in zip(("", "_low", "_high"), in_pp(change.at(m)), strict=True)
    }


def _shown(experiment: Experiment, drift: DriftRun) -> list[Shown]:
    verdict = drift.certificate
    settings = experiment.settings.drift
    times = f"{settings.rounds} x " if settings.rounds > 1 else ""
    table = Table(
        f"Drift: win rate of the first-named with the patch, % (± half of the "
        f"{level(verdict.confidence)} interval, {verdict.n_games:,} games); how far it moved, "
        "how far today's moved by the same learning without a patch, and the difference, pp",
        (
            "matchup",
            "pilots as they were",
            f"{times}{settings.steps:,} steps later",
            "moved",
            "without",
            "beyond",
        ),
        [
            (
                name,
                percent(drift.before.at(m)),
                f"{percent(verdict.after.at(m))} {mark_of(verdict.verdicts[m])}".rstrip(),
                *(points(one.at(m)) for one in (drift.change, drift.placebo, drift.beyond)),
            )
            for m, name in enumerate(verdict.demands.names)
        ],
    )
    failed = [guard.name for guard in verdict.guards if not guard.holds]
    conclusion = (
        f"With its pilots as they have become the patch is "
        f"{'certified' if verdict.certified else 'NOT certified'}"
        + (f" (guards not shown to hold: {', '.join(failed)})" if failed else "")
    )
    return ["", table, *restlessness(drift), conclusion]
