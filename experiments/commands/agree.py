"""`evenhand agree`: simulated win rates next to those of games that others played."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from balance.observed.agreement import MeasureRow, agreement_of
from balance.observed.list_agreement import list_agreement_of
from experiments import plots
from experiments.agents import check_contest
from experiments.cli.options import ExperimentName, integer
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.matchups import play_current_matchups
from experiments.commands.observed_matchups import chosen_columns, warning_lines
from experiments.commands.pilots import pilot_entries, pilots_of, pilots_sentence
from experiments.experiment import Experiment
from experiments.files.option_errors import option_error
from experiments.observed.agreement_experiment import AgreementExperiment, agreement_experiment
from experiments.observed.list_experiment import ListExperiment, list_experiment
from experiments.observed.list_results import LIST_COLUMNS, read_list_results
from experiments.observed.observed_experiment import file_digest, load_observed
from experiments.results.agreement import (
    AgreementCellRow,
    AgreementListRow,
    AgreementPlayerRow,
    cell_rows,
    list_rows,
    player_rows,
)
from experiments.results.observed_summary import warning_entries
from experiments.runs.run import Findings, RunOf
from experiments.screen.agreement_words import (
    cell_table,
    conclusions,
    list_conclusions,
    list_measure_table,
    measure_table,
    player_table,
)
from sim import entry

_OBSERVED_GAMES_MAX = 10**9  # far above any table of results
OBSERVED_HELP = "Table with results of games between the same players: .csv, .tsv or .xlsx."
ObservedColumns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MEANING=TITLE",
        help="Titles of the table's columns, such as player_a=Deck,player_b=Opponent.",
    ),
]
ObservedGames = Annotated[
    int | None,
    integer(1, _OBSERVED_GAMES_MAX, "Games behind each rate of a table without a column of games."),
]
ObservedSource = Annotated[
    str | None, typer.Option(help='Who played the observed games, such as "ladder, May".')
]
_NAMES_MAX = 8  # names in a sentence; summary.json has all


@session_command(*MEASURING, "agent", "games")
def agree(
    session: Session,
    experiment: ExperimentName,
    *,
    observed: Annotated[
        Path | None,
        typer.Option(help=OBSERVED_HELP),
    ] = None,
    lists: Annotated[
        Path | None,
        typer.Option(
            help="Instead, a table with the win rate of each deck list: deck, archetype, games, "
            "win_rate."
        ),
    ] = None,
    columns: ObservedColumns = None,
    observed_games: ObservedGames = None,
    source: ObservedSource = None,
) -> Work:
    """Compare simulated with observed win rates.

    The command measures how well the order and the size of the simulated win rates agree with those
    of people or of another program.
    """
    if (observed is None) == (lists is None):
        raise option_error(
            "observed",
            "either --observed or --lists must name a table",
            value=observed,
            remedy="give one of the two options",
        )

    read = partial(
        with_observed, observed=observed, columns=columns, n_games=observed_games, source=source
    )

    def check_lists(loaded: Experiment) -> ListExperiment:
        check_contest(loaded)
        if observed_games is not None:
            raise option_error(
                "observed-games",
                "applies only to --observed; a table of lists has a column of games",
                value=observed_games,
                remedy="leave the option out",
            )
        table = Path(str(lists))
        results = read_list_results(table, chosen_columns(columns or (), LIST_COLUMNS))
        return list_experiment(loaded, results, digest=file_digest(table), source=source or "")

    check, work = (read, run_agree) if lists is None else (check_lists, run_agree_lists)
    return partial(session.run, "agree", experiment, check, work)


def with_observed(
    loaded: Experiment,
    *,
    observed: Path | None,
    columns: Sequence[str] | None,
    n_games: int | None,
    source: str | None,
) -> AgreementExperiment:
    """Return an experiment with the observed results that the command line names.

    Args:
        loaded: experiment with the players.
        observed: value of `--observed`.
        columns: values of `--columns`.
        n_games: value of `--observed-games`.
        source: value of `--source`.

    Raises:
        InputError: the table cannot be read, or does not fit the experiment.
    """
    check_contest(loaded)
    table = load_observed(
        str(observed),
        columns=chosen_columns(columns or ()),
        n_games=n_games,
        source=source or "",
    )
    return agreement_experiment(loaded, table)


def run_agree(run: RunOf[Any]) -> Findings:
    """Play the pairs that were observed; return the agreement, its tables and its figure."""
    experiment: AgreementExperiment = run.experiment
    contest = experiment.contest()
    agents = pilots_of(experiment)
    counts = play_current_matchups(run, contest)
    pairs = experiment.rate_pairs(contest, counts.points[0], counts.n_games)
    run.screen.stage("resampling players and games")
    measures = agreement_of(pairs, run_seed=experiment.settings.seed)
    cells = cell_rows(pairs)
    players = player_rows(pairs)
    results = experiment.observed.results
    source = experiment.observed.settings.source or experiment.observed.path.name
    slope = next(float(row.value.estimate) for row in measures if row.measure == "slope")
    return Findings(
        summary={
            "command": "agree",
            "seed": experiment.settings.seed,
            "file": experiment.observed.path.name,
            "source": experiment.observed.settings.source,
            "measures": [entry(row) for row in measures],
            "players": [entry(row) for row in players],
            "cells": [entry(row) for row in cells],
            "not_simulated": [*experiment.not_simulated],
            "pilots": pilot_entries(agents),
            "warnings": warning_entries(results),
            "assumed_games": results.assumed_games,
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
            *warning_lines(results),
            player_table(players),
            cell_table(cells),
            measure_table(measures, source),
            *conclusions(measures),
            *_left_out(experiment.not_simulated),
            pilots_sentence(agents),
        ],
    )


def run_agree_lists(run: RunOf[Any]) -> Findings:
    """Play the lists against the field; return the agreement, its table and its figure."""
    experiment: ListExperiment = run.experiment
    contest = experiment.contest()
    agents = pilots_of(experiment)
    counts = play_current_matchups(run, contest)
    lists = experiment.list_rates(contest, counts.points[0], counts.n_games)
    run.screen.stage("resampling archetypes and games")
    measures = list_agreement_of(lists, run_seed=experiment.settings.seed)
    rows = list_rows(lists)
    field = [experiment.player_names[k] for k in experiment.field]
    return Findings(
        summary={
            "command": "agree",
            "seed": experiment.settings.seed,
            "file": experiment.results.path.name,
            "source": experiment.source,
            "measures": [entry(row) for row in measures],
            "lists": [entry(row) for row in rows],
            "field": field,
            "not_simulated": [*experiment.not_simulated],
            "pilots": pilot_entries(agents),
            "n": counts.n_games * len(contest.matchups),
        },
        tables={"agreement.csv": (MeasureRow, measures), "lists.csv": (AgreementListRow, rows)},
        figures={
            "agreement.png": lambda: plots.list_agreement_plot(
                rows, title=f"{experiment.settings.name}: simulated and observed win rates of lists"
            )
        },
        shown=[
            list_measure_table(measures, experiment.source or experiment.results.path.name),
            *list_conclusions(measures),
            f"The field, weighted by its games: {_listed(field)}",
            *_left_out(experiment.not_simulated),
            pilots_sentence(agents),
        ],
    )


def _left_out(names: Sequence[str]) -> list[str]:
    """Return a sentence on observed players or lists that the experiment lacks, if any."""
    return [f"Observed, but not in the experiment: {_listed(names)}"] if names else []


def _listed(names: Sequence[str]) -> str:
    """Return names as text, at most `_NAMES_MAX` of them."""
    shown = ", ".join(names[:_NAMES_MAX])
    more = f" and {len(names) - _NAMES_MAX} more" if len(names) > _NAMES_MAX else ""
    return f"{shown}{more}"


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
