"""What the shipped experiment files promise."""

from __future__ import annotations

import re
from importlib import util
from pathlib import Path

import numpy as np
import pytest

from balance import BalanceRun, build_space, play_matchups, run_balance
from experiments.agents import load_fitting_pilot
from experiments.experiment import Experiment
from experiments.files.pilots import find_pilot
from experiments.game import GAMES, game_of
from experiments.learning.power_pilots import learners_of
from experiments.loading import load_experiment
from sim import REAL_POOL, read_toml
from tests.experiments.learners import write_run, write_untrained

FILES = sorted((Path(__file__).parents[2] / "experiments" / "configs").glob("*.toml"))
CONFIGS = [path for path in FILES if game_of(str(path))[1] is None]
LARGEST_CHANGE = 10
MOST_CARDS = 6


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_experiments_load_and_are_named_after_their_file(path, tmp_path):
    needs_extra = f'pool = "{REAL_POOL}"' in path.read_text()
    if needs_extra and util.find_spec("hearthstone_data") is None:
        pytest.skip("needs the extra [hearthstone]")
    for name in _pilots_of(path):
        run = write_run(tmp_path, f"{name}-train-00000000", experiment=name)
        trained = load_experiment(name)
        for learner in trained.settings.learners:
            write_untrained(run / f"{learner.name}.pt", trained, learner)
    assert load_experiment(str(path), tmp_path).settings.name == path.stem


def test_shipped_experiments_of_other_games_load_and_are_named_after_their_file():
    others = {path: game_of(str(path))[1] for path in FILES if path not in CONFIGS}
    assert [game.name for game in others.values()] == [*GAMES]
    for path, game in others.items():
        assert game.load(path).settings.name == path.stem
        check, _ = game.command("balance")
        check(game.load(path))


def _pilots_of(path: Path) -> set[str]:
    """The experiments whose learners a file's players name."""
    return set(re.findall(r'"dqn:(\w+)/\w+"', path.read_text()))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_pilots_are_trained_for_the_decks_that_they_play(path):
    for entry in read_toml(path)["player"]:
        if entry["agent"].startswith("dqn:"):
            experiment, learner = entry["agent"].removeprefix("dqn:").split("/")
            trained = load_experiment(experiment).settings.learners
            assert Path(entry["deck"]).stem in next(
                one.decks for one in trained if one.name == learner
            )


def test_the_reference_is_a_pilot_of_all_that_thesis_dqn_measures():
    pytest.importorskip("torch")
    from agents import load_pilot

    measured, trained = load_experiment("thesis_dqn"), load_experiment("duel_reference")
    name = measured.settings.evaluate.reference
    file = find_pilot(name, near=measured.path, results=Path("results"))
    assert file.path.stat().st_size < 100_000
    assert load_pilot(file.path).provenance.settings == trained.settings.train
    load_fitting_pilot(name, file, measured, measured.decks)


def test_the_learners_of_power_have_met_what_power_asks_of_them():
    experiment = load_experiment("thesis_power_dqn")
    assert set(learners_of(experiment)) == {player.name for player in experiment.contest().players}
    for learner in experiment.settings.learners:
        assert learner.meets_itself
        assert learner.seat == "either"
        assert learner.leave_out > 0


def test_the_quickstart_starts_with_two_matchups_at_least_15_points_off():
    contest = load_experiment("quickstart").contest()
    counts = play_matchups(contest, contest.table, n_games=20_000, run_seed=5, purpose="test")
    rates = counts.win_rate()
    surely_off = (rates.low[0] >= 0.65) | (rates.high[0] <= 0.35)
    assert surely_off.sum() >= 2


@pytest.mark.thorough
def test_no_single_step_of_one_number_brings_the_quickstart_into_its_band():
    experiment = load_experiment("quickstart")
    contest = experiment.contest()
    space = build_space(contest, experiment.settings.tune)
    up = np.diag(np.where(space.high > 0, 1, 0))
    down = np.diag(np.where(space.low < 0, -1, 0))
    table = contest.table.vary(space.genes, np.concatenate([up, down]))
    counts = play_matchups(contest, table, n_games=1_000, run_seed=5, purpose="test")
    distance_pp = 100 * np.abs(counts.win_rate().estimate - 0.5).max(axis=1)
    assert distance_pp.min() > experiment.settings.target.band_pp


def _run(experiment: Experiment) -> BalanceRun:
    return run_balance(experiment.contest(), experiment.settings)


def _meets_the_promise(run: BalanceRun) -> bool:
    chosen = run.selection.recommended
    small = run.selection.scores.change[chosen] <= LARGEST_CHANGE
    few = run.selection.scores.cards_touched[chosen] <= MOST_CARDS
    return bool(run.certificate.certified and small and few)


@pytest.mark.thorough
def test_the_quickstart_is_certified_with_a_short_patch():
    assert _meets_the_promise(_run(load_experiment("quickstart")))


@pytest.mark.slow
def test_the_quickstart_is_certified_in_nine_of_ten_run_seeds():
    experiment = load_experiment("quickstart")
    assert sum(_meets_the_promise(_run(experiment.with_seed(seed))) for seed in range(1, 11)) >= 9


@pytest.mark.slow
@pytest.mark.skipif(
    util.find_spec("hearthstone_data") is None, reason="needs the extra [hearthstone]"
)
def test_the_starters_are_certified():
    run = _run(load_experiment("legacy_starters"))
    assert run.certificate.certified
    assert all(guard.holds for guard in run.certificate.guards)
    fields = {gene.field for gene in run.measurement.narrowing.full.genes}
    assert fields >= {"cost", "attack", "health", "durability", "amount"}
