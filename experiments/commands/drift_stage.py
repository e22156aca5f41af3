"""Drift stage of `evenhand balance`: certify a patch again with retrained pilots.

Trained pilots continue to learn with the patched cards. A control arm of pilots is trained for as
many steps without the patch.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from agents import Trainer, save_pilot
from balance import BalanceRun, learned_pilots
from balance.learning.drift import DriftRun, measure_drift
from experiments.experiment import Experiment
from experiments.files.output_file import retrained_file_name
from experiments.learning.side_by_side import Training, delete_states, train_all
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, level, marked, percent, points

# Change of a win rate by the control arm, in percentage points, up to which pilots count as
# converged; equal to the default of `rest_pp` in `[train.together]`.
CONVERGED_PP = 1.0


def run_drift(run: Run, result: BalanceRun) -> Findings:
    """Retrain the pilots with the patched cards, and certify the patch again with them.

    The retrained pilots and `drift.csv` are written into the run folder.

    Args:
        run: the balance run.
        result: result of the search for a patch.

    Returns:
        Findings with the entry `drift` of the summary, and lines to show.
    """
    experiment = run.experiment
    folder = run.folder
    rounds = list[dict[str, Training]]()

    # Each training saves its state in a file, so that a stopped run can resume within a training.
    def train_with_states(trainers: Mapping[str, Trainer]) -> None:
        rounds.append({})
        for name, trainer in trainers.items():
            path = folder.path / f"{len(rounds)}-{retrained_file_name(name)}"
            rounds[-1][f"retraining {name}"] = Training(trainer, path.with_suffix(".state.pt"))
        train_all(rounds[-1], run.screen)

    drift = measure_drift(result, experiment.settings, train_all=train_with_states)
    files = {}
    for player, pilot in learned_pilots(drift.contest):
        if pilot.provenance is not None:  # true for all pilots that were read from a file
            files[player.name] = retrained_file_name(player.name)
            save_pilot(folder.path / files[player.name], pilot.network, pilot.provenance)
    for name, (kind, rows) in drift.files.items():
        folder.write_rows(name, kind, rows)
    for trainings in rounds:
        delete_states(trainings)
    folder.log(f"{'' if drift.certificate.certified else 'not '}certified after retraining")
    settings = experiment.settings.drift
    summary = drift.to_dict() | {
        "steps": settings.steps,
        "rounds": settings.rounds,
        "pilots": files,
    }
    return Findings(summary={"drift": summary}, shown=_shown(experiment, drift))


def convergence_warning(drift: DriftRun) -> list[Shown]:
    """Return a warning if the control arm shows that the pilots had not converged; else nothing.

    The pilots had not converged if the interval of a rate's change lies entirely beyond
    `CONVERGED_PP`, in either direction.
    """
    control = drift.placebo.times(100)
    # Bound of each interval that is nearest to 0, so that noise alone does not cause the warning.
    moved_pp = np.maximum(control.low, -control.high)
    if moved_pp.max() <= CONVERGED_PP:
        return []
    return [
        f"Not converged: without a patch, the same training moves "
        f"{drift.certificate.demands.names[int(moved_pp.argmax())]} by more than "
        f"{CONVERGED_PP:g} pp; training against the latest opponents only (`[train.together]`, "
        "`latest = 1.0`) converges better"
    ]


def _shown(experiment: Experiment, drift: DriftRun) -> list[Shown]:
    """Return a table of rates before and after training, a warning if needed, and the verdict."""
    verdict = drift.certificate
    settings = experiment.settings.drift
    times = f"{settings.rounds} x " if settings.rounds > 1 else ""
    table = Table(
        f"Drift: win rate of the first-named with the patch, % (± half of the "
        f"{level(verdict.confidence)} interval, {verdict.n_games:,} games); how far training moved "
        "it, how far the same training moved the rate without the patch, and the difference, pp",
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
                marked(percent(verdict.after.at(m)), verdict.verdicts[m]),
                *(points(change.at(m)) for change in (drift.change, drift.placebo, drift.beyond)),
            )
            for m, name in enumerate(verdict.demands.names)
        ],
    )
    failed = [guard.name for guard in verdict.guards if not guard.holds]
    conclusion = (
        f"With the retrained pilots, the patch is "
        f"{'certified' if verdict.certified else 'NOT certified'}"
        + (f" (guards not shown to hold: {', '.join(failed)})" if failed else "")
    )
    return ["", table, *convergence_warning(drift), conclusion]
