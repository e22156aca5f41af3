"""`--resume`: the runs that it continues, and its messages if there is nothing to continue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.loading import load_experiment
from experiments.runs.resumption import ChangedSetting, changed_settings, find_resumption
from sim import InputError
from tests.command_line import (
    ROOT,
    TINY,
    ask,
    assert_says,
    balance,
    contents,
    done,
    only_folder,
    refusal,
    run_folder,
    summary_of,
    unchanged,
    write_experiment,
)
from tests.experiments.stopping import stopped_after

BUILD = (
    TINY + "\n[build]\npopulation = 8\ngenerations = 4\nsearch = 10\nselect = 40\ncertify = 80\n"
)
STOPPABLE = {"balance": TINY, "build": BUILD, "outliers": TINY + "\n[outliers]\ngames = 4\n"}


@pytest.fixture(scope="module", params=STOPPABLE)
def stopped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `results` of a run that was stopped; its name is the command's."""
    name = str(request.param)
    place = Path(tmp_path_factory.mktemp("stopped")) / name
    place.mkdir()
    with stopped_after(2):
        assert ask(name, place, text=STOPPABLE[name]).status == 130
    return place


def test_settings_that_changed_are_named_and_nothing_begins(stopped: Path) -> None:
    text = STOPPABLE[stopped.name].replace("power = 20", "power = 24").replace("seed = 7", "seed=8")
    before = contents(stopped / "results")
    message = refusal(ask(stopped.name, stopped, "--resume", text=text))
    assert_says(
        message, str(only_folder(stopped / "results")), "games.power 20 -> 24", "seed 7 -> 8"
    )
    assert contents(stopped / "results") == before


def test_a_seed_of_the_command_line_is_such_a_setting(stopped: Path) -> None:
    text = STOPPABLE[stopped.name]
    message = refusal(ask(stopped.name, stopped, "--resume", "--seed", "3", text=text))
    assert "seed 7 -> 3" in message


def test_with_the_same_settings_again_it_goes_on(stopped: Path) -> None:
    experiment = load_experiment(str(write_experiment(stopped, STOPPABLE[stopped.name])))
    found = find_resumption(stopped / "results", experiment, stopped.name)
    assert found == (only_folder(stopped / "results"), True, False, False)
    assert not found.note


@pytest.mark.parametrize("command_name", ["balance", "build", "train", "study", "outliers"])
def test_where_nothing_was_begun_that_is_known(command_name: str, tmp_path: Path) -> None:
    experiment = load_experiment(str(write_experiment(tmp_path)))
    found = find_resumption(tmp_path / "results", experiment, command_name)
    assert (found.is_begun, found.is_finished, found.is_over) == (False, False, False)
    assert str(found.path) in found.note
    assert not (tmp_path / "results").exists()


def test_resuming_a_finished_run_changes_nothing_and_returns_its_result(tmp_path: Path) -> None:
    folder = run_folder("balance", tmp_path)
    status = 0 if summary_of(folder)["certified"] else 1
    with unchanged(contents, folder, logs=False):
        outcome = ask("balance", tmp_path, "--resume", "--json")
    assert outcome.status == status
    assert json.loads(outcome.out) == summary_of(folder)
    assert_says(outcome.err, "nothing to resume", str(folder))


def test_a_finished_run_with_other_settings_does_not_prevent_a_new_one(tmp_path: Path) -> None:
    run_folder("balance", tmp_path)
    text = TINY.replace("seed = 7", "seed = 8")
    outcome = ask("balance", tmp_path, "--no-plots", "--resume", text=text)
    assert outcome.status in {0, 1}
    assert_says(outcome.err, "nothing to resume", "begins anew")


def test_a_stopped_run_of_another_command_does_not_prevent_a_new_one(tmp_path: Path) -> None:
    with stopped_after(1):
        assert ask("balance", tmp_path).status == 130
    text = BUILD.replace("seed = 7", "seed = 8")
    done(ask("build", tmp_path, "--no-plots", "--resume", text=text))


def test_cards_that_changed_are_named(tmp_path: Path) -> None:
    core = (ROOT / "sim" / "data" / "pools" / "core.toml").read_text(encoding="utf-8")
    pool = tmp_path / "core.toml"
    pool.write_text(core, encoding="utf-8")
    text = TINY.replace("seed = 7", 'seed = 7\npool = "core.toml"')
    with stopped_after(1):
        assert ask("balance", tmp_path, text=text).status == 130
    pool.write_text(core.replace("attack = 1\n", "attack = 2\n", 1), encoding="utf-8")
    message = refusal(ask("balance", tmp_path, "--resume", text=text))
    assert "pool.card.cinder_imp.attack 1 -> 2" in message


@pytest.mark.parametrize(
    ("before", "now", "changes"),
    [
        ({"experiment": {"seed": 1}}, {"experiment": {"seed": 2}}, [("seed", 1, 2)]),
        ({"a": {"b": 1}}, {"a": {}}, [("a.b", 1, None)]),
        ({"a": [1, 2]}, {"a": [1]}, [("a", [1, 2], [1])]),
        (
            {"card": [{"id": "x", "cost": 1}, {"id": "y", "cost": 1}]},
            {"card": [{"id": "y", "cost": 2}, {"id": "x", "cost": 1}]},
            [("card.y.cost", 1, 2)],
        ),
        (
            {"player": [{"deck": "x", "agent": "a"}, {"deck": "x", "agent": "b"}]},
            {"player": [{"deck": "x", "agent": "a"}, {"deck": "x", "agent": "c"}]},
            [("player.2.agent", "b", "c")],
        ),
    ],
)
def test_changed_settings_are_found_by_their_keys(
    before: dict[str, Any], now: dict[str, Any], changes: list[tuple[str, Any, Any]]
) -> None:
    assert list(changed_settings(before, now)) == [ChangedSetting(*one) for one in changes]


def test_of_many_changes_only_some_are_listed(tmp_path: Path) -> None:
    with stopped_after(1):
        assert ask("balance", tmp_path).status == 130
    other = TINY.partition("[games]")[0]
    experiment = load_experiment(str(write_experiment(tmp_path, other)))
    with pytest.raises(InputError) as caught:
        find_resumption(tmp_path / "results", experiment, "balance")
    error = caught.value
    assert error.place == "--resume"
    n_listed = error.problem.count(" -> ")
    assert 0 < n_listed < len(error.value)
    assert error.problem.endswith(f" {len(error.value) - n_listed} more")
    assert balance(tmp_path / "tiny.toml", tmp_path / "other").is_dir()
