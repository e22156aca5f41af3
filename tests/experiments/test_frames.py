"""Results of runs as tables of pandas."""

from __future__ import annotations

import pytest

from balance import (
    BalanceRun,
    CardContest,
    build_deck,
    field_of,
    find_substitutes,
    find_vacancies,
    run_balance,
)
from balance.contest.whatif import Exploration
from balance.settings.tables import BalanceSettings, Build, Games, Search
from experiments.commands.init import GAME
from experiments.experiment import Experiment
from experiments.files.edits import read_edits
from experiments.loading import load_experiment
from experiments.notebook import (
    begin_game,
    change_frame,
    compared_rows,
)
from experiments.results.compared import change_rows, reported_rates
from tests.balance.contests import THREE


@pytest.fixture(scope="module")
def small() -> Experiment:
    """A shipped experiment with few games."""
    games = Games(matchups=40, power=40, search=40, select=200, certify=400)
    search = Search(method="nsga2", population=8, generations=2)
    return load_experiment("quickstart_scripts").with_settings(games=games, search=search)


@pytest.fixture(scope="module")
def contest(small: Experiment) -> CardContest:
    """The contest of the small experiment."""
    return small.contest()


@pytest.fixture(scope="module")
def run(small: Experiment, contest: CardContest) -> BalanceRun:
    """A balance run of the small experiment."""
    return run_balance(contest, small.settings)


def test_stages_have_a_row_for_each_matchup(run, contest):
    frame = run.to_frame("stages")
    assert frame["matchup"].tolist() == [*contest.matchup_names]
    after = run.certificate.after
    columns = ["certified", "certified_low", "certified_high"]
    assert frame[columns].to_numpy().T.tolist() == [bound.tolist() for bound in after]
    assert set(frame["certified_n"]) == {400}
    assert set(frame["selected_n"]) == {200}


def test_the_front_has_a_row_for_each_patch_evaluated_again(run):
    frame = run.to_frame("front")
    assert len(frame) == len(run.selection.genomes)
    assert frame["change"].tolist() == run.selection.scores.change.tolist()
    assert frame.index[frame["recommended"]].tolist() == [run.selection.recommended]
    bounds = [guard.bound for guard in run.certificate.guards]
    assert run.to_frame("guards")["bound"].tolist() == bounds


def test_changes_have_a_row_for_each_patch_and_rate(small, contest):
    exploration = Exploration(contest, small.settings.seed)
    today = exploration.explore({}, 20)
    shown = reported_rates(small.settings, contest)
    edited = exploration.explore(read_edits(["ember_whelp.attack-2"], contest), 20)
    rows = compared_rows(small, {"a": edited, "b": today}, today)
    assert rows == change_rows(["a", "b"], [edited, today], today, shown)
    frame = change_frame(rows)
    assert frame["patch"].tolist() == ["a"] * 7 + ["b"] * 7
    assert frame["rate"].tolist() == [*shown.demands.names] * 2
    assert frame["change_pp"].tolist() == pytest.approx(
        (100 * (frame["win_rate"] - frame["win_rate_today"])).tolist()
    )
    assert (frame["n"] == 20).all()


def test_begin_game_makes_the_files_of_the_command(tmp_path, capsys):
    begin_game(tmp_path / "shipped")
    printed = capsys.readouterr().out
    begin_game(tmp_path / "own", tmp_path / "shipped" / "cards.csv")
    assert f"balance {GAME}" in printed
    for folder in ("shipped", "own"):
        assert load_experiment(str(tmp_path / folder / GAME)).decks


def test_substitutes_that_were_not_measured_have_no_gain(small, contest):
    player = contest.players[0]
    vacancies = find_vacancies(player.deck, small.pool, small.ruleset, ["cinder_imp"])
    substitution = find_substitutes(
        player,
        field_of(contest, but=player.name),
        vacancies,
        race_games=4,
        n_games=20,
        shown=3,
        run_seed=1,
    )
    frame = substitution.to_frame("substitutes")
    assert len(frame) == len(substitution.candidates)
    measured = frame["gain_pp"].notna()
    has_gain = [candidate.gain is not None for candidate in substitution.candidates]
    assert measured.tolist() == has_gain
    assert 0 < measured.sum() < len(frame)
    assert set(frame["n"][measured]) == {20}
    assert frame["n"][~measured].isna().all()


def test_a_built_deck_has_a_row_for_each_opponent():
    tiny = Build(population=4, generations=1, search=4, select=10, certify=20)
    built = build_deck(THREE, BalanceSettings(seed=1, build=tiny))
    frame = built.to_frame("opponents")
    assert frame["player"].tolist() == ["ember_rush", "tide_keep", "grove_march"]
    assert frame["n"].tolist() == [20, 20, 20]
    assert built.score.estimate == pytest.approx(frame["win_rate"].mean())
