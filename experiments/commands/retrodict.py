"""`evenhand retrodict`: simulated effects of past changes of cards."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from balance.observed.agreement import MeasureRow
from balance.observed.retrodiction import retrodiction_of
from experiments import plots
from experiments.agents import check_contest
from experiments.cli.options import ExperimentName
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.observed_matchups import chosen_columns
from experiments.commands.pilots import with_pilots_named
from experiments.experiment import Experiment
from experiments.observed.change_list import CHANGE_COLUMNS, read_changes
from experiments.observed.retrodiction_experiment import (
    RetrodictionExperiment,
    retrodiction_experiment,
)
from experiments.results.retrodiction import (
    RetrodictionRow,
    effects_of,
    responses_of,
    retrodiction_rows,
)
from experiments.runs.run import Findings, RunOf
from experiments.screen.retrodiction_words import (
    direction_sentence,
    effect_table,
    response_table,
)
from sim import entry


@session_command(*MEASURING, "agent", "games")
def retrodict(
    session: Session,
    experiment: ExperimentName,
    *,
    changes: Annotated[
        Path,
        typer.Option(
            help="Table of changed numbers: card, field, before, after, and where known date and "
            "response."
        ),
    ],
    columns: Annotated[
        list[str] | None,
        typer.Option(metavar="MEANING=TITLE", help="Titles of the table's columns."),
    ] = None,
) -> Work:
    """Measure the simulated effects of past changes of cards.

    Each change is played alone, before and after, in a deck that has the card.
    """

    def check(loaded: Experiment) -> RetrodictionExperiment:
        check_contest(loaded)
        chosen = chosen_columns(columns or (), CHANGE_COLUMNS)
        return retrodiction_experiment(loaded, changes, read_changes(changes, loaded.pool, chosen))

    work = with_pilots_named(run_retrodict)
    return partial(session.run, "retrodict", experiment, check, work)


def run_retrodict(run: RunOf[Any]) -> Findings:
    """Play all changes; return their effects, the agreement with responses, and a figure."""
    experiment: RetrodictionExperiment = run.experiment
    n_games = experiment.settings.games.matchups
    contest = experiment.contest()
    n_matchups = sum(len(trial.opponents) for trial in experiment.trials)
    stage = f"playing {len(experiment.trials)} changes"
    with run.watched(stage, contest, 2 * n_matchups * n_games) as watched:
        effects = [*experiment.effects(watched, n_games)]
    rows = retrodiction_rows(experiment, effects, n_games)
    measures = retrodiction_of(
        effects_of(rows),
        responses_of(rows),
        run_seed=experiment.settings.seed,
    )
    unplayed = [change.name for change in experiment.unplayed]
    has_responses = measures[0].n > 0
    return Findings(
        summary={
            "command": "retrodict",
            "seed": experiment.settings.seed,
            "file": experiment.table.name,
            "changes": [entry(row) for row in rows],
            "measures": [entry(row) for row in measures],
            "unplayed": unplayed,
            "n": 2 * n_matchups * n_games,
        },
        tables={
            "effects.csv": (RetrodictionRow, rows),
            "agreement.csv": (MeasureRow, measures),
        },
        figures={
            "effects.png": lambda: plots.retrodiction_plot(
                rows, title=f"{experiment.settings.name}: effects of past changes"
            )
        },
        shown=[
            effect_table(rows),
            direction_sentence(rows),
            *([response_table(measures)] if has_responses else []),
            *([f"In no deck: {', '.join(unplayed)}"] if unplayed else []),
        ],
    )
