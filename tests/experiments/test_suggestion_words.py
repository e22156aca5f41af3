"""A suggestion shows the verdict on its worst rate, by the rule for all rates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance import Evaluator
from balance.contest.band import band_verdict
from balance.run.suggestion import Suggested
from balance.statistics.intervals import wilson
from balance.verdict.clean_up_result import CleanUp, SmallerPatch
from experiments.loading import load_experiment
from experiments.screen import VERDICT_WORDS
from experiments.workbench.draft import Draft
from experiments.workbench.session import Proposal
from experiments.workbench.suggest import _DraftProblem
from experiments.workbench.view_model import ViewModel
from tests.command_line import TINY, write_experiment

FIVE = TINY.replace("band_pp = 40", "band_pp = 5")


def proposed(folder: Path, rate: float, n_games: int, cleanup: CleanUp | None = None) -> Proposal:
    """Return the proposal of a patch with a worst rate that reads `rate` in `n_games` games."""
    view = ViewModel.of(load_experiment(str(write_experiment(folder, FIVE))))
    question = _DraftProblem(view, Draft(), view.contest)
    evaluator = Evaluator.of(question.contest, question.space, question.settings)
    genome = np.zeros(len(question.space.genes), np.int16)
    rates = np.full((1, evaluator.demands.n_rates), rate)
    scores = evaluator.scores_of(genome[np.newaxis], rates, np.zeros(1))
    return question.proposal(evaluator, Suggested(genome, scores, n_games, False, cleanup))


@pytest.mark.parametrize(
    ("rate", "n_games", "verdict"),
    [
        (0.576, 4_000, "outside"),
        (0.576, 250, "not shown"),
        (0.54, 250, "not shown"),
        (0.53, 10_000, "inside"),
    ],
)
def test_a_suggestion_is_outside_where_its_rate_is(
    rate: float, n_games: int, verdict: str, tmp_path: Path
) -> None:
    proposal = proposed(tmp_path, rate, n_games)
    assert proposal.verdict == verdict
    assert band_verdict(wilson(rate * n_games, n_games), 0.45, 0.55) == verdict
    assert f" is {VERDICT_WORDS[verdict].phrase} (wanted: 50 ±5), " in proposal.text
    assert f"{100 * rate:.1f} %" in proposal.text
    assert proposal.clean_up == ""


def test_the_last_suggestion_reports_that_its_clean_up_ran_out_of_games(tmp_path: Path) -> None:
    genome = np.zeros(1, np.int16)
    smaller = tuple(SmallerPatch(genome, outcome) for outcome in ("broken", "not tried"))
    ended = CleanUp("out of games", 0, smaller, 900, 1_000, 100, 500)
    proposal = proposed(tmp_path, 0.5, 10_000, ended)
    assert proposal.clean_up == ended.state
    assert "1 of 2" in proposal.text
