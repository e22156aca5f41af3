"""Learners that go on in turn: who is met, from where they go on, and when they are at rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from agents.dqn.pilot import DQNPilot, PastSelf
from agents.dqn.settings import Together, TrainSettings
from balance.learning.league import League, moved
from balance.learning.learner import Learner
from balance.learning.training import restless
from sim.errors import InputError
from tests.balance.contests import RUSH_KEEP, THREE
from tests.balance.pilots import rush_keep_piloted, weights

pytestmark = pytest.mark.thorough

RUSH = Learner(name="rush", decks=("ember_rush",), opponents=("self", "tide_keep"))
KEEP = Learner(name="keep", decks=("tide_keep",), opponents=("ember_rush",))
TOGETHER = Together(steps=1_000, games=400, past=2)


def pilots() -> list[DQNPilot]:
    return [player.agent for player in rush_keep_piloted().players]


def league(learners: Sequence[Learner] = (RUSH, KEEP)) -> League:
    return League(RUSH_KEEP, tuple(learners), TOGETHER, run_seed=3)


def test_a_turn_goes_on_against_scripts_itself_and_the_latest_of_the_others() -> None:
    rush, keep = pilots()
    older = DQNPilot("older", rush.network)
    trainer = league().begin_turn(0, [[rush], [older, rush, keep]])
    assert np.array_equal(weights(rush), weights(DQNPilot("now", trainer.learner.averaged)))
    *scripts, past, late, latest = trainer.episodes.opponents
    assert scripts == [player.agent for player in RUSH_KEEP.players]
    assert isinstance(past, PastSelf)
    assert np.array_equal(weights(past), weights(rush))
    assert np.array_equal(weights(late), weights(rush))
    assert np.array_equal(weights(latest), weights(keep))
    *_, seats, opponents = trainer.episodes._rows.T
    assert {*opponents.tolist()} == {1, 2, 3, 4}  # tide_keep's script, itself, two states
    assert {*seats.tolist()} == {0, 1}


def test_the_latest_are_met_in_the_share_of_games_that_is_told() -> None:
    rush, keep = pilots()
    told = League(RUSH_KEEP, (RUSH, KEEP), TOGETHER.model_copy(update={"latest": 0.7}), run_seed=3)
    trainer = told.begin_turn(0, [[rush], [rush, keep]])
    *_, opponents = trainer.episodes._rows.T
    shares = np.diff(trainer.episodes._shares, prepend=0)
    by_opponent = np.bincount(opponents, shares)
    assert by_opponent[1:] == pytest.approx([0.06, 0.18, 0.06, 0.7])  # script, itself, two states


def test_turns_are_of_the_learners_in_order_with_games_of_their_own() -> None:
    past = [[one] for one in pilots()]
    first, second, third = (league().begin_turn(turn, past) for turn in range(3))
    assert not np.array_equal(first.episodes.observations, third.episodes.observations)
    assert [type(one) for one in second.episodes.opponents].count(PastSelf) == 0
    again = league().begin_turn(0, past)
    for trainer in (first, again):
        trainer.run(1_000)
    became = [league().end_turn(0, past[0][0], one) for one in (first, again)]
    assert np.array_equal(*map(weights, became))
    assert became[0].provenance.steps == past[0][0].provenance.steps + first.n_steps
    assert became[0].provenance.settings.together == TOGETHER


def test_what_a_round_moves_is_the_difference_of_win_rates() -> None:
    rush, keep = pilots()
    before, after = (league().play(some) for some in ([rush, keep], [keep, keep]))
    rates = [one.win_rate().estimate[0, 0] for one in (before, after)]
    change = moved(before, after)
    assert change.estimate[0] == pytest.approx(rates[1] - rates[0])
    assert not moved(before, before).high.any()


def test_only_matchups_with_a_learner_are_watched() -> None:
    found = League(THREE, (RUSH, KEEP), TOGETHER, run_seed=3)
    third = next(
        k for k, p in enumerate(THREE.players) if p.name not in ("ember_rush", "tide_keep")
    )
    assert len(found.matchups) == 3
    assert sum(third in matchup for matchup in found.matchups) == 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seat": "second"}, "learner 'keep': seat = 'second' must be 'either'"),
        ({"decks": ("ember_rush",)}, "learner 'keep': learner 'rush' pilots 'ember_rush' too"),
        ({"opponents": ("self",)}, "learner 'keep': train.together needs an opponent"),
    ],
)
def test_learners_that_cannot_meet_are_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        league([RUSH, KEEP.model_copy(update=changed)])


def test_one_word_means_the_usual_rounds_or_none() -> None:
    assert TrainSettings.model_validate({"together": True}).together == Together()
    assert TrainSettings.model_validate({"together": False}).together is None
    assert TrainSettings.model_validate({"together": {"rounds": 2}}).together == Together(rounds=2)


def test_who_is_not_at_rest_is_named() -> None:
    contest = rush_keep_piloted()
    apart = restless(contest)
    assert len(apart) == 2
    assert "ember_rush: pilot of ember_rush learned without the others" in apart[0]
    told = {}
    for player, moved_pp in zip(contest.players, (0.4, 3.2), strict=True):
        pilot = DQNPilot(player.agent.name, player.agent.network)
        known = player.agent.provenance
        settings = known.settings.model_copy(update={"together": TOGETHER})
        pilot.provenance = known.model_copy(update={"settings": settings, "moved_pp": moved_pp})
        told[player.name] = pilot
    (sentence,) = restless(contest.with_agents(told))
    assert "moved a matchup by 3.2 pp in its last round with the others" in sentence
    assert restless(RUSH_KEEP) == []
