"""`evenhand agree`: simulated win rates next to those of games that others played."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from balance.observed.agreement import MeasureRow, agreement_of
from experiments import plots
from experiments.agents import check_contest
from experiments.cli.options import ExperimentName, integer
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.matchups import play_current_matchups
from experiments.commands.observed_matchups import chosen_columns
from experiments.commands.pilots import with_pilots_named
from experiments.experiment import Experiment
from experiments.observed.agreement_experiment import AgreementExperiment, agreement_experiment
from experiments.observed.observed_experiment import load_observed
from experiments.results.agreement import (
    AgreementCellRow,
    AgreementPlayerRow,
    cell_rows,
    player_rows,
)
from experiments.runs.run import Findings, RunOf
from experiments.screen.agreement_words import (
    cell_table,
    conclusions,
    measure_table,
    player_table,
)
from sim import entry

_OBSERVED_GAMES_MAX = 10**9  # far above any table of results


@session_command(*MEASURING, "agent", "games")
def agree(
    session: Session,
    experiment: ExperimentName,
    *,
    observed: Annotated[
        Path,
        typer.Option(
            help="Table with results of games between the same players: .csv, .tsv or .xlsx."
        ),
    ],
    columns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEANING=TITLE",
            help="Titles of the table's columns, such as player_a=Deck,player_b=Opponent.",
        ),
    ] = None,
    observed_games: Annotated[
        int | None,
        integer(
            1,
            _OBSERVED_GAMES_MAX,
            "Games behind each rate of a table without a column of games.",
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option(help='Who played the observed games, such as "ladder, May".')
    ] = None,
) -> Work:
    """Compare simulated with observed win rates.

    The command measures how well the order and the size of the simulated win rates agree with those
    of people or of another program.
    """

    def check(loaded: Experiment) -> AgreementExperiment:
        check_contest(loaded)
        table = load_observed(
            str(observed),
            columns=chosen_columns(columns or ()),
            n_games=observed_games,
            source=source or "",
        )
        return agreement_experiment(loaded, table)

    work = with_pilots_named(run_agree)
    return partial(session.run, "agree", experiment, check, work)


def run_agree(run: RunOf[Any]) -> Findings:
    """Play the pairs that were observed; return the agreement, its tables and its figure."""
    experiment: AgreementExperiment = run.experiment
    contest = experiment.contest()
    counts = play_current_matchups(run, contest)
    pairs = experiment.rate_pairs(contest, counts.points[0], counts.n_games)
    run.screen.stage("resampling players and games")
    measures = agreement_of(pairs, run_seed=experiment.settings.seed)
    cells = cell_rows(pairs)
    players = player_rows(pairs)
    source = experiment.observed.settings.source or experiment.observed.path.name
    slope = next(float(row.value.estimate) for row in measures if row.measure == "slope")
    missing = experiment.not_simulated
    left_out = [f"Observed players that are not in the experiment: {', '.join(missing)}"]
    return Findings(
        summary={
            "command": "agree",
            "seed": experiment.settings.seed,
            "file": experiment.observed.path.name,
            "source": experiment.observed.settings.source,
            "measures": [entry(row) for row in measures],
            "players": [entry(row) for row in players],
            "cells": [entry(row) for row in cells],
            "not_simulated": [*missing],
            "n": counts.n_games * len(contest.matchups),
        },
        tables=_tables(measures, players, cells),
        figures={
            "agreement.png": lambda: plots.agreement_plot(
                cells,
                players,
                title=f"{experiment.settings.name}: simulated and observed win rates",
                slope=slope,
            )
        },
        shown=[
            player_table(players),
            cell_table(cells),
            measure_table(measures, source),
            *conclusions(measures),
            *(left_out if missing else []),
        ],
    )


def _tables(
    measures: tuple[MeasureRow, ...],
    players: list[AgreementPlayerRow],
    cells: list[AgreementCellRow],
) -> dict[str, Any]:
    """Return the tables of the run folder by file name."""
    return {
        "agreement.csv": (MeasureRow, measures),
        "players.csv": (AgreementPlayerRow, players),
        "cells.csv": (AgreementCellRow, cells),
    }
