"""A failed run with a total of games is explained by what its search has played."""

from __future__ import annotations

from balance.pipeline import run_balance
from balance.settings import Games
from experiments.loading import load_experiment

TOTAL = 60_000


def test_an_explanation_with_a_total_plays_no_game_and_names_what_binds() -> None:
    experiment = load_experiment("quickstart_scripts")
    settings = experiment.settings
    tune = settings.tune.model_copy(update={"max_cards": 1})
    games = Games(total=TOTAL)
    asked = settings.model_copy(update={"tune": tune, "games": games})
    found = run_balance(experiment.contest(), asked)
    assert not found.certificate.certified
    assert found.explanation is not None
    assert found.explanation.n_games == 0
    assert not any(one.is_tried for one in found.explanation.relaxations)
    assert "no tune.max_cards" in [one.setting for one in found.explanation.relaxations]
