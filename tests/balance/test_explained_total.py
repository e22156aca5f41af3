"""A failed run with a total number of games is explained by the games of its search."""

from __future__ import annotations

import pytest

from balance.pipeline import run_balance
from balance.settings import Games
from experiments.loading import load_experiment

TOTAL = 60_000


@pytest.mark.parametrize("method", ["model", "nsga2", "ga"])
def test_an_explanation_with_a_total_plays_no_game_and_names_what_binds(method: str) -> None:
    experiment = load_experiment("quickstart_scripts")
    settings = experiment.settings
    tune = settings.tune.model_copy(update={"max_cards": 1})
    games = Games(total=TOTAL)
    search = settings.search.model_copy(update={"method": method})
    asked = settings.model_copy(update={"tune": tune, "games": games, "search": search})
    found = run_balance(experiment.contest(), asked)
    assert not found.certificate.certified
    assert found.explanation is not None
    assert found.explanation.n_games == 0
    assert not any(one.is_tried for one in found.explanation.relaxations)
    assert "no tune.max_cards" in [one.setting for one in found.explanation.relaxations]
    played = found.selection.scores.imbalance_pp.min()
    read = min(float(found.certificate.after_pp.estimate), float(played))
    assert found.explanation.low_pp <= found.explanation.imbalance_pp <= read
    assert found.bound is None  # nothing is said of how small a patch could be
