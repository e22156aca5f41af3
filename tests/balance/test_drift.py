"""Drift is measured by games of retrained pilots, with and without the patch."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agents.dqn.checkpoint import check_fits
from agents.dqn.provenance import stamps_of_cards
from agents.dqn.trainer import pilot_of
from balance import BalanceRun, Demands, play_matchups, run_balance
from balance.contest.patch import apply_patch, patch_of
from balance.learning.drift import (
    PURPOSE,
    WITHOUT,
    DriftRow,
    DriftRun,
    begin_retraining,
    measure_drift,
)
from balance.settings.tables import BalanceSettings, Drift
from sim.errors import InputError
from sim.files.row_file import columns
from sim.play.table import pack_table
from tests.balance.contests import RUSH_KEEP
from tests.balance.pilots import rush_keep_piloted, weights

pytestmark = pytest.mark.thorough

SETTINGS = BalanceSettings.model_validate(
    {
        "seed": 7,
        "target": {"band_pp": 45},
        "guards": {"max_draw_rate": 1, "max_first_seat_pp": 100, "median_turns": 100},
        "games": {"matchups": 20, "power": 20, "search": 40, "select": 100, "certify": 200},
        "narrow": {"by": "none"},
        "search": {"population": 6, "generations": 1, "start": "dense"},
        "drift": {"steps": 2000, "learning_rate": 1e-3},
    }
)


@pytest.fixture(scope="module")
def run() -> BalanceRun:
    result = run_balance(rush_keep_piloted(), SETTINGS)
    genomes = result.selection.genomes
    space = result.measurement.narrowing.space
    chosen = next(k for k in range(len(genomes)) if genomes[k].any())  # a patch that changes cards
    selection = replace(result.selection, recommended=chosen)
    patch = patch_of(genomes[chosen], space, result.contest)
    return replace(result, selection=selection, patch=patch)


@pytest.fixture(scope="module")
def drift(run: BalanceRun) -> DriftRun:
    """Return the drift of the run; tests must not change it."""
    return measure_drift(run, SETTINGS)


def test_a_drift_knows_its_table_and_its_entries(drift: DriftRun) -> None:
    frame = drift.to_frame("drift")
    assert [*frame.columns] == columns(DriftRow)
    assert frame["matchup"].tolist() == [*drift.certificate.demands.names]
    assert frame["change_pp"].tolist() == (100 * drift.change.estimate).tolist()
    assert frame["win_rate_after"].tolist() == drift.certificate.after.estimate.tolist()
    (matchup,) = json.loads(json.dumps(drift.to_dict()))["matchups"]
    assert (matchup["a"], matchup["b"]) == drift.contest.player_names
    for column in ("change_pp", "placebo_low_pp", "beyond_high_pp", "inside", "verdict"):
        assert matchup[column] == frame[column][0]


def test_what_moved_is_the_difference_of_the_games_that_were_played(
    run: BalanceRun, drift: DriftRun
) -> None:
    pool = apply_patch(run.contest.table.pool, run.patch)
    assert drift.contest.table.pool == pool
    options: dict[str, Any] = {"n_games": 200, "run_seed": 7, "purpose": PURPOSE}
    table = pack_table(pool, run.contest.table.ruleset)
    unpatched = measure_drift(replace(run, patch=()), SETTINGS).contest
    now = run.contest.table
    pairs = (run.contest, table), (drift.contest, table), (run.contest, now), (unpatched, now)
    before, after, baseline, control = (
        play_matchups(contest, table, **options).rates[0] for contest, table in pairs
    )
    change = after - before
    control_change = control - baseline
    for interval, expected in (
        (drift.before, before),
        (drift.certificate.after, after),
        (drift.certificate.before, baseline),
        (drift.placebo, control_change),
        (drift.change, change),
        (drift.beyond, change - control_change),
    ):
        assert interval.estimate == pytest.approx(expected)
    assert ((drift.change.low <= change) & (change <= drift.change.high)).all()
    assert drift.certificate.n_games == 200


def test_every_pilot_goes_on_from_where_it_stood_with_the_patched_cards(run: BalanceRun) -> None:
    met: dict[str, Any] = {}

    def look(trainers: Any) -> None:
        for name, trainer in trainers.items():
            met[name] = (weights(pilot_of(trainer, name)), trainer.settings, trainer.episodes)
            trainer.run(trainer.settings.steps)

    drift = measure_drift(run, SETTINGS, train_all=look)
    players = run.contest.players
    assert set(met) == {f"{player.name}{how}" for player in players for how in ("", WITHOUT)}
    for player, other in zip(players, players[::-1], strict=True):
        start, settings, episodes = met[player.name]
        assert np.array_equal(start, weights(player.agent))
        assert settings.epsilon_start == settings.epsilon_end == SETTINGS.drift.epsilon
        assert (settings.steps, settings.learning_rate) == (2000, 1e-3)
        *_, seats, opponents = episodes._rows.T
        assert {episodes.opponents[k].name for k in opponents} == {other.agent.name}
        assert set(seats.tolist()) == {0, 1}
    for old, new in zip(run.contest.players, drift.contest.players, strict=True):
        assert not np.array_equal(weights(old.agent), weights(new.agent))
        assert old.deck == new.deck


def test_pilots_that_went_on_are_those_of_the_patched_cards(
    run: BalanceRun, drift: DriftRun
) -> None:
    table = drift.contest.table
    for old, new in zip(run.contest.players, drift.contest.players, strict=True):
        origin = new.agent.provenance
        assert origin.cards == stamps_of_cards(table.pool, drift.contest.reached)
        assert origin.steps >= old.agent.provenance.steps + 2000
        assert origin.settings == old.agent.provenance.settings
        game = (new.agent, table.ruleset)
        check_fits(*game, table.pool, new.deck, drift.contest.reached)
        with pytest.raises(InputError) as refusal:
            check_fits(*game, run.contest.table.pool, new.deck, drift.contest.reached)
        assert str(refusal.value.limit).startswith("card ")


def test_every_round_begins_with_what_the_last_one_made(run: BalanceRun) -> None:
    twice = SETTINGS.model_copy(update={"drift": Drift(steps=1000, rounds=2)})
    states = list[dict[str, np.ndarray]]()
    met = list[np.ndarray]()

    def now(trainers: Any) -> dict[str, np.ndarray]:
        return {name: weights(pilot_of(trainer, name)) for name, trainer in trainers.items()}

    def look(trainers: Any) -> None:
        states.append(now(trainers))
        met.append(weights(trainers["ember_rush"].episodes.opponents[1]))
        for trainer in trainers.values():
            trainer.run(trainer.settings.steps)
        states.append(now(trainers))

    drift = measure_drift(run, twice, train_all=look)
    begun, between, begun_again, ended = states
    for name, start in begun_again.items():
        assert np.array_equal(start, between[name])
        assert not np.array_equal(start, begun[name])
    assert np.array_equal(met[1], between["tide_keep"])
    assert np.array_equal(weights(drift.contest.players[1].agent), ended["tide_keep"])


def test_the_patch_is_judged_again_by_as_many_games_as_it_was(run: BalanceRun) -> None:
    looks = run.evaluator.looks(400)  # as after a run that was given more games
    widened = replace(run, certificate=replace(run.certificate, looks=looks))
    drift = measure_drift(widened, SETTINGS, train_all=lambda _: None)
    assert drift.certificate.looks == looks
    assert not drift.change.high.any()  # as nothing new was learned


def test_scripts_stay_as_they_are(run: BalanceRun) -> None:
    script = RUSH_KEEP.players[1].agent
    contest = run.contest.with_agents({"tide_keep": script})
    mixed = replace(run, contest=contest, evaluator=replace(run.evaluator, contest=contest))
    drift = measure_drift(mixed, SETTINGS)
    assert drift.contest.players[1].agent is script
    assert drift.contest.players[0].agent is not contest.players[0].agent


def test_the_certificate_says_what_its_intervals_say(run: BalanceRun) -> None:
    for band_pp in (0.5, 50.0):
        demands = Demands.around(run.evaluator.demands.aims[0], band_pp)
        wanted = replace(run, evaluator=replace(run.evaluator, demands=demands))
        verdict = measure_drift(wanted, SETTINGS, train_all=lambda _: None).certificate
        assert verdict.certified == (band_pp == 50.0)


def test_trainings_of_one_run_have_games_of_their_own() -> None:
    contest = rush_keep_piloted()
    pilot = contest.players[0].agent
    first, second = (
        begin_retraining(contest, player, pilot, Drift(steps=100), run_seed=7)
        for player in contest.players
    )
    assert not np.array_equal(first.episodes.observations, second.episodes.observations)
