"""`evenhand calibrate`: fit an agent to observed win rates."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from agents.roster.light import N_LEAVES, N_NODES, N_WORLDS
from agents.roster.turn import turn_agent
from agents.search.turn.priorities import PRIORITIES, with_priorities
from agents.search.turn.weights import Weights, load_weights, weights_text
from balance import CardContest, Floats
from balance.cards.card_contest import play_pairs
from balance.observed.calibration import Calibration, Calibrator, ObservedRates
from balance.observed.rate_pairs import RatePairs
from experiments import plots
from experiments.cli.options import ExperimentName, integer
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.agree import (
    OBSERVED_HELP,
    ObservedColumns,
    ObservedGames,
    ObservedSource,
    with_observed,
)
from experiments.commands.observed_matchups import warning_lines
from experiments.experiment import Experiment
from experiments.observed.agreement_experiment import AgreementExperiment
from experiments.results.agreement import cell_rows, player_rows
from experiments.results.calibration import (
    CalibrationCellRow,
    PredictionRow,
    PriorityRow,
    calibration_cells,
    factor_interval,
    prediction_rows,
    priority_rows,
)
from experiments.runs.run import Findings, RunOf
from experiments.screen.calibration_words import (
    calibration_sentences,
    prediction_table,
    priority_table,
)
from sim import InputError, entry
from sim.seeds import stream_seed

WEIGHTS = "calibrated.toml"
N_PAIRS_MIN = 6
"""Minimum number of pairs: the fit has five numbers."""
_LIMITS = {"leaves": N_LEAVES, "worlds": N_WORLDS}  # those of `light`, for a million games
_N_POINTS = 60  # random points of the search; with fewer, planted truths were missed more often
_GAMES_OF_FIT = 61  # games of a usual fit, for the progress bar: 15 for the points, 46 for 4 steps
_GAMES_MAX = 1_000_000
_PURPOSE = "calibrate"


@session_command(*MEASURING)
def calibrate(
    session: Session,
    experiment: ExperimentName,
    *,
    observed: Annotated[
        Path,
        typer.Option(help=OBSERVED_HELP),
    ],
    columns: ObservedColumns = None,
    observed_games: ObservedGames = None,
    source: ObservedSource = None,
    games: Annotated[
        int, integer(16, _GAMES_MAX, "Games per matchup with each tried agent; an even number.")
    ] = 400,
) -> Work:
    """Fit an agent to observed win rates.

    Four priorities of a fast search are fitted, and the factor by which its win rates lie too far
    from 50 %.
    """

    def check(loaded: Experiment) -> AgreementExperiment:
        found = with_observed(
            loaded.with_games(games),
            observed=observed,
            columns=columns,
            n_games=observed_games,
            source=source,
        )
        n_pairs = _observed_pairs(found, found.contest(), games).n_pairs
        if n_pairs < N_PAIRS_MIN:
            raise InputError(
                f"{n_pairs} pairs with observed results, but at least {N_PAIRS_MIN} are needed for "
                f"{len(PRIORITIES) + 1} fitted numbers",
                place=observed,
                value=n_pairs,
                limit=N_PAIRS_MIN,
                remedy="add players with observed results to the experiment",
            )
        return found

    return partial(session.run, "calibrate", experiment, check, run_calibrate)


def run_calibrate(run: RunOf[Any]) -> Findings:
    """Fit an agent; return its priorities, the errors of its predictions, and its weights."""
    experiment: AgreementExperiment = run.experiment
    settings = experiment.settings
    n_games = settings.games.matchups
    contest = experiment.contest()
    start = _start(contest)
    pairs = _observed_pairs(experiment, contest, n_games)
    stage = f"fitting an agent to {pairs.n_pairs} pairs"
    n_expected = _GAMES_OF_FIT * n_games * len(contest.matchups)
    with run.watched(stage, contest, n_expected) as watched:
        simulate = partial(_rates, experiment, watched, start)
        calibrator = Calibrator(ObservedRates.of(pairs), simulate, len(PRIORITIES), n_games)
        found = calibrator.fit(n_points=_N_POINTS, run_seed=settings.seed)
    weights = with_priorities(start, found.point)
    run.folder.write(WEIGHTS, weights_text(_noted(weights, experiment)))
    return _findings(run, pairs, found)


def _start(contest: CardContest) -> Weights:
    """Return the weights of the unfitted agent: shipped ones, with the limits of a fast search."""
    is_plain = not contest.table.is_general(contest.deck_rows).any()
    weights = load_weights("plain" if is_plain else "rich")
    search = weights.search.model_copy(update=_LIMITS)
    return weights.model_copy(update={"search": search, "origin": None})


def _noted(weights: Weights, experiment: AgreementExperiment) -> Weights:
    """Return weights with a note on their origin, for the ruleset of the experiment."""
    note = f"priorities fitted to {experiment.observed.path.name} by {experiment.settings.name}"
    return weights.model_copy(update={"note": note, "ruleset": experiment.ruleset.name})


def _observed_pairs(
    experiment: AgreementExperiment, contest: CardContest, n_games: int
) -> RatePairs:
    """Return the pairs with observed rates, before any game: the simulated rates are 0."""
    return experiment.rate_pairs(contest, np.zeros(len(contest.matchups)), n_games)


def _rates(
    experiment: AgreementExperiment,
    contest: CardContest,
    start: Weights,
    points: Floats,
    n_games: int,
) -> Floats:
    """Return the win rates of the observed pairs at some points, on equal seeds, shape ``[P, K]``.

    All points are played as one batch.
    """
    n_players = len(contest.players)
    agents = [
        turn_agent(f"point {k}", with_priorities(start, point).parameters(N_NODES))
        for k, point in enumerate(points)
    ]
    counts = play_pairs(
        [
            (n_players * k + a, n_players * k + b)
            for k in range(len(points))
            for a, b in contest.matchups
        ],
        contest.table,
        np.concatenate([contest.deck_rows] * len(points)),
        [agent for agent in agents for _ in range(n_players)],
        n_games=n_games,
        stream=stream_seed(experiment.settings.seed, _PURPOSE),
        on_games=contest.on_games,
    )
    won = counts.points[0].reshape(len(points), len(contest.matchups))
    return np.stack([experiment.rate_pairs(contest, own, n_games).simulated for own in won])


def _findings(run: RunOf[Any], pairs: RatePairs, found: Calibration) -> Findings:
    """Return the findings of a fit."""
    experiment: AgreementExperiment = run.experiment
    settings = experiment.settings
    priorities = priority_rows(found)
    predictions = prediction_rows(pairs, found, run_seed=settings.seed)
    cells = calibration_cells(pairs, found)
    factor = factor_interval(found)
    agent = f"turn:{N_NODES}:{run.folder.path / WEIGHTS}"
    fitted = replace(pairs, simulated=found.simulated)
    return Findings(
        summary={
            "command": "calibrate",
            "seed": settings.seed,
            "file": experiment.observed.path.name,
            "source": experiment.observed.settings.source,
            "agent": agent,
            "priorities": [entry(row) for row in priorities],
            "factor": factor.as_entry("factor"),
            "predictions": [entry(row) for row in predictions],
            "cells": [entry(row) for row in cells],
            "misfit": found.misfit,
            "points": found.n_points,
            "not_simulated": [*experiment.not_simulated],
        },
        tables={
            "priorities.csv": (PriorityRow, priorities),
            "predictions.csv": (PredictionRow, predictions),
            "cells.csv": (CalibrationCellRow, cells),
        },
        figures={
            "agreement.png": lambda: plots.agreement_plot(
                cell_rows(fitted),
                player_rows(fitted),
                title=f"{settings.name}: observed win rates, and those of the fitted agent",
                slope=found.factor,
            )
        },
        shown=[
            *warning_lines(experiment.observed.results),
            priority_table(priorities),
            prediction_table(predictions),
            *calibration_sentences(found, factor, predictions),
            f"In experiment files: agent = {agent!r}",
        ],
    )
