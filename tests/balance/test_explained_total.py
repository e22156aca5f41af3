"""A failed run with a total number of games is explained by the games of its search."""

from __future__ import annotations

import pytest

from balance import run_balance
from balance.settings.tables import Games
from experiments.loading import load_experiment

TOTAL = 60_000


@pytest.mark.parametrize("method", ["model", "nsga2", "ga"])
def test_an_explanation_with_a_total_plays_no_game_and_names_the_limit(method: str) -> None:
    experiment = load_experiment("quickstart_scripts")
    settings = experiment.settings
    tune = settings.tune.model_copy(update={"max_cards": 1})
    games = Games(total=TOTAL)
    search = settings.search.model_copy(update={"method": method})
    asked = settings.model_copy(update={"tune": tune, "games": games, "search": search})
    balance_run = run_balance(experiment.contest(), asked)
    assert not balance_run.certificate.certified
    assert balance_run.explanation is not None
    assert balance_run.explanation.n_games == 0
    assert not any(one.is_tried for one in balance_run.explanation.relaxations)
    assert "no tune.max_cards" in [one.setting for one in balance_run.explanation.relaxations]
    played = balance_run.selection.scores.imbalance_pp.min()
    read = min(float(balance_run.certificate.after_pp.estimate), float(played))
    assert balance_run.explanation.low_pp <= balance_run.explanation.imbalance_pp <= read
    assert balance_run.bound is None  # nothing is said of how small a patch could be
