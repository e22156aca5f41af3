"""Training for a contest, alone and in turn: opponents, results, and convergence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from agents import pilot_of
from agents.dqn.pilot import DQNPilot, PastSelf
from agents.dqn.provenance import Stamp, stamps_of_cards
from agents.dqn.settings import Together, TrainSettings
from balance.learning.league import League, rate_changes
from balance.learning.learner import Learner
from balance.learning.training import (
    begin_training,
    foreign_to_power,
    learned_pilots,
    provenance,
    settings_of,
    shortened_settings,
    unconverged_pilots,
)
from sim.play.agent import CompiledAgent
from tests.balance.contests import RUSH_KEEP, THREE
from tests.balance.pilots import TINY, rush_keep_piloted, weights
from tests.messages import check_message
from tests.refusals import refusal_of

pytestmark = pytest.mark.thorough

LEARNER = Learner(name="rush", decks=("ember_rush",), opponents=("self", "tide_keep"))
SHORT = TINY.model_copy(update={"steps": 1_500})


def test_opponents_are_the_players_and_past_selves_only_where_they_are_met():
    trainer = begin_training(THREE, LEARNER, SHORT, run_seed=1)
    *players, past = trainer.episodes.opponents
    assert players == [player.agent for player in THREE.players]
    assert isinstance(past, PastSelf)
    alone = Learner(name="rush", decks=("ember_rush",), opponents=("tide_keep",))
    trainer = begin_training(THREE, alone, SHORT, run_seed=1)
    assert [type(opponent) for opponent in trainer.episodes.opponents] == [CompiledAgent] * 3


def test_a_pilot_among_the_opponents_answers_as_it_does_at_the_table():
    contest = rush_keep_piloted()
    trainer = begin_training(contest, LEARNER, SHORT, run_seed=1)
    met = trainer.episodes.opponents[1]
    pilot = contest.players[1].agent
    assert isinstance(met, DQNPilot)
    trainer.run(200)
    observations = trainer.episodes.observations
    masks = trainer.episodes.masks
    assert np.array_equal(met.choose(observations, masks), pilot.choose(observations, masks))


def test_the_same_seed_gives_the_same_pilot_and_another_seed_another():
    trainers = [begin_training(THREE, LEARNER, SHORT, run_seed=seed) for seed in (1, 1, 2)]
    early = pilot_of(trainers[0], "rush")  # which stays as it is while its learner goes on
    for trainer in trainers:
        trainer.run(SHORT.steps)
    start, first, again, other = (
        weights(pilot) for pilot in (early, *(pilot_of(trainer, "rush") for trainer in trainers))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first, start)


def test_learners_of_one_run_have_games_of_their_own():
    learners = [LEARNER.model_copy(update={"name": name}) for name in ("one", "two")]
    begun = [begin_training(THREE, learner, SHORT, run_seed=1) for learner in learners]
    assert not np.array_equal(*(trainer.episodes.observations for trainer in begun))


def test_provenance_names_the_games_of_the_training():
    trainer = begin_training(THREE, LEARNER, SHORT, run_seed=9)
    trainer.run(SHORT.steps)
    found = provenance(THREE, LEARNER, trainer, run_seed=9)
    assert found.cards == stamps_of_cards(THREE.table.pool, THREE.reached)
    assert found.decks == (Stamp.of(THREE.players[0].deck),)
    assert (found.pool, found.opponents) == ("core", "self, tide_keep")
    assert (found.seed, found.steps, found.settings) == (9, trainer.n_steps, SHORT)
    assert set(found.versions) == {"evenhand", "numpy", "torch"}


@pytest.mark.parametrize("steps", [1_000, 2_500_000, 40_000_000])
def test_a_shortened_training_keeps_its_proportions(steps):
    settings = TrainSettings()
    fewer = shortened_settings(settings, steps)
    assert fewer.steps == steps
    assert fewer.epsilon_steps == pytest.approx(
        settings.epsilon_steps * steps / settings.steps, abs=1
    )
    assert fewer == TrainSettings.model_validate(fewer.model_dump())  # it is still valid
    assert shortened_settings(settings, settings.steps) == settings


def test_pilots_are_distinguished_from_scripts_and_know_their_training():
    assert learned_pilots(RUSH_KEEP) == []
    mixed = rush_keep_piloted().with_agents({"ember_rush": RUSH_KEEP.players[0].agent})
    ((player, pilot),) = learned_pilots(mixed)
    assert player.name == "tide_keep"
    assert settings_of(pilot) == TINY
    assert settings_of(DQNPilot("unknown", pilot.network)).hidden == TINY.hidden


def test_what_a_pilot_never_met_is_said_before_it_measures_power():
    contest = rush_keep_piloted()
    assert foreign_to_power(contest) == []
    (player, pilot), *_ = learned_pilots(contest)
    origin = pilot.provenance.model_copy(update={"seat": "second", "leave_out": 0.0})
    one_sided = DQNPilot(pilot.name, pilot.network, provenance=origin)
    (sentence,) = foreign_to_power(contest.with_agents({player.name: one_sided}))
    check_message(sentence)


# --- learners that go on in turn ---

KEEP = Learner(name="keep", decks=("tide_keep",), opponents=("ember_rush",))
TOGETHER = Together(steps=1_000, games=400, past=2)


def pilots() -> list[DQNPilot]:
    return [player.agent for player in rush_keep_piloted().players]


def league(learners: Sequence[Learner] = (LEARNER, KEEP)) -> League:
    return League(RUSH_KEEP, tuple(learners), TOGETHER, run_seed=3)


def test_a_turn_goes_on_against_scripts_itself_and_the_latest_of_the_others() -> None:
    rush, keep = pilots()
    older = DQNPilot("older", rush.network)
    trainer = league().begin_turn(0, [[rush], [older, rush, keep]])
    assert np.array_equal(weights(rush), weights(DQNPilot("now", trainer.learner.averaged)))
    *scripts, past, late, latest = trainer.episodes.opponents
    assert scripts == [player.agent for player in RUSH_KEEP.players]
    assert isinstance(past, PastSelf)
    for met, known in ((past, rush), (late, rush), (latest, keep)):
        assert np.array_equal(weights(met), weights(known))
    *_, seats, opponents = trainer.episodes._rows.T
    assert {*opponents.tolist()} == {1, 2, 3, 4}  # tide_keep's script, itself, two states
    assert {*seats.tolist()} == {0, 1}


def test_the_latest_are_met_in_their_share_of_games() -> None:
    rush, keep = pilots()
    with_latest = League(
        RUSH_KEEP, (LEARNER, KEEP), TOGETHER.model_copy(update={"latest": 0.7}), run_seed=3
    )
    trainer = with_latest.begin_turn(0, [[rush], [rush, keep]])
    *_, opponents = trainer.episodes._rows.T
    by_opponent = np.bincount(opponents, np.diff(trainer.episodes._shares, prepend=0))
    assert by_opponent[1:] == pytest.approx([0.06, 0.18, 0.06, 0.7])  # script, itself, two states


def test_turns_are_of_the_learners_in_order_with_games_of_their_own() -> None:
    past = [[pilot] for pilot in pilots()]
    first, second, third = (league().begin_turn(turn, past) for turn in range(3))
    assert not np.array_equal(first.episodes.observations, third.episodes.observations)
    assert [type(opponent) for opponent in second.episodes.opponents].count(PastSelf) == 0
    again = league().begin_turn(0, past)
    for trainer in (first, again):
        trainer.run(1_000)
    trained = [league().end_turn(0, past[0][0], trainer) for trainer in (first, again)]
    assert np.array_equal(*map(weights, trained))
    assert trained[0].provenance.steps == past[0][0].provenance.steps + first.n_steps
    assert trained[0].provenance.settings.together == TOGETHER


def test_what_a_round_moves_is_the_difference_of_win_rates() -> None:
    rush, keep = pilots()
    before, after = (league().play(states) for states in ([rush, keep], [keep, keep]))
    rates = [counts.win_rate().estimate[0, 0] for counts in (before, after)]
    assert rate_changes(before, after).estimate[0] == pytest.approx(rates[1] - rates[0])
    assert not rate_changes(before, before).high.any()


def test_only_matchups_with_a_learner_are_watched() -> None:
    rush, keep, _ = THREE.player_names
    found = League(THREE, (LEARNER, KEEP), TOGETHER, run_seed=3).matchups
    assert [*found] == [matchup for matchup in THREE.matchups if {0, 1} & {*matchup}]
    assert (rush, keep) == (LEARNER.decks[0], KEEP.decks[0])


@pytest.mark.parametrize(
    "changed",
    [{"seat": "second"}, {"decks": ("ember_rush",)}, {"opponents": ("self",)}],
    ids=str,
)
def test_learners_that_cannot_meet_are_refused(changed: dict[str, object]) -> None:
    error = refusal_of(league, [LEARNER, KEEP.model_copy(update=changed)])
    assert error.place.startswith("learner 'keep'")


def test_one_word_means_the_usual_rounds_or_none() -> None:
    expected = {True: Together(), False: None}
    read = {word: TrainSettings.model_validate({"together": word}).together for word in expected}
    assert read == expected


def test_pilots_that_have_not_converged_are_named() -> None:
    contest = rush_keep_piloted()
    apart = unconverged_pilots(contest)
    assert len(apart) == 2
    check_message(apart[0])
    pilots_by_player = {}
    for player, moved_pp in zip(contest.players, (0.4, 3.2), strict=True):
        known = player.agent.provenance
        settings = known.settings.model_copy(update={"together": TOGETHER})
        changed = known.model_copy(update={"settings": settings, "moved_pp": moved_pp})
        pilot = DQNPilot("any", player.agent.network, provenance=changed)
        pilots_by_player[player.name] = pilot
    (sentence,) = unconverged_pilots(contest.with_agents(pilots_by_player))
    check_message(sentence)
    assert unconverged_pilots(RUSH_KEEP) == []
