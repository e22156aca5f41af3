"""A suite makes instances as promised, keeps finished runs, and scores them correctly."""

from __future__ import annotations

import json
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.contest.patch import apply_patch
from balance.contest.target import demands_of
from balance.space.tune import Weights
from experiments.commands.suite import run as suite_command
from experiments.methods import METHODS_FILE, load_methods
from experiments.results.grids import SuiteRow, score_rows
from experiments.suite import SUITES, Instance, Move, load_suite
from sim import Card
from sim.files.row_file import write_rows
from tests.command_line import (
    TINY,
    Outcome,
    command,
    contents,
    json_of,
    only_folder,
    summary_of,
    timeless,
    write_experiment,
)
from tests.experiments.command_goldens import check_refusal

pytestmark = pytest.mark.thorough

SUITE = """\
# Ours.
name = "ours"
seed = 5
experiment = "tiny.toml"
base = [{ card = "ember_whelp", field = "attack", steps = -1 }]

[make]
planted = 2
control = 1
steps = [2, 2]
games = 400
"""
INSTANCES = """
[[instance]]
kind = "planted"
half = "development"
hidden = [{ card = "ember_whelp", field = "attack", steps = 2 }]
win_rates = { "ember_rush vs tide_keep" = 0.7 }

[[instance]]
kind = "target"
half = "reported"
hidden = [{ card = "ember_whelp", field = "health", steps = -1 }]
win_rates = { "ember_rush vs tide_keep" = 0.6 }

[[instance]]
kind = "control"
half = "reported"
"""
WAYS = """\
[tiny.search]
method = "ga"

[tinier]
search = { method = "nsga2", population = 4 }
target = { band_pp = 45 }
"""


def write_suite(folder: Path, text: str = SUITE + INSTANCES) -> Path:
    write_experiment(folder, TINY.replace("generations = 6", "generations = 1"))
    (folder / "ways.toml").write_text(WAYS, encoding="utf-8")
    path = folder / "ours.toml"
    path.write_text(text, encoding="utf-8")
    return path


def run_outcome(suite: Path, results: Path, *options: str | Path, games: int = 8_000) -> Outcome:
    ways = ("--methods-file", suite.parent / "ways.toml")
    budget = ("--games", str(games), "--truth", "400", "--results", results)
    return command("suite", "run", suite, *ways, *budget, *options)


def run(suite: Path, results: Path, *options: str | Path) -> dict[str, Any]:
    outcome = run_outcome(suite, results, "--json", *options)
    return json_of(outcome, has_notes="--resume" in options)


def cells_of(results: Path) -> dict[str, dict[str, Any]]:
    """Return the finished runs of a folder by name, without their times."""
    return {path.stem: dict(timeless(path)) for path in results.glob("*/cells/*.json")}


def test_every_method_runs_on_every_instance_of_a_half(tmp_path: Path) -> None:
    suite = write_suite(tmp_path)
    assert run(suite, tmp_path / "all")["runs"] == 6
    assert [*sorted(cells_of(tmp_path / "all"))] == [
        f"{method}-00{k}-{k}000" for method in ("tinier", "tiny") for k in (1, 2, 3)
    ]
    run(suite, tmp_path / "some", "--half", "reported", "--methods", "tiny", "--seeds", "2")
    some = cells_of(tmp_path / "some")
    run(suite, tmp_path / "one", "--kind", "control", "--methods", "tiny")
    assert [*cells_of(tmp_path / "one")] == ["tiny-003-3000"]
    assert [*sorted(some)] == ["tiny-002-2000", "tiny-002-2001", "tiny-003-3000", "tiny-003-3001"]
    assert (
        some["tiny-002-2000"] == cells_of(tmp_path / "all")["tiny-002-2000"]
    )  # a cell does not depend on the other cells
    assert {(cell["kind"], cell["known"]) for cell in some.values()} == {
        ("target", 4), ("control", 0),
    }  # fmt: skip


def test_an_instance_is_a_question_of_its_kind(tmp_path: Path) -> None:
    suite = load_suite(str(write_suite(tmp_path)))
    assert suite.pool.card("ember_whelp").attack == 2  # 3 in the pool
    planted, target, control = (suite.asked(place) for place in (1, 2, 3))
    assert planted.pool.card("ember_whelp").attack == 4
    assert target.pool == control.pool == suite.pool
    assert [*target.settings.target.win_rate.values()] == [0.6]
    assert planted.settings.target == control.settings.target == suite.settings.target


def test_a_suite_that_was_stopped_goes_on_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = write_suite(tmp_path)
    run(suite, tmp_path / "unbroken")
    run_balance = suite_command.run_balance
    played = list[int]()

    def interrupted_once(contest: Any, settings: Any, context: Any) -> Any:
        played.append(settings.seed)
        if len(played) == 3:
            raise KeyboardInterrupt
        return run_balance(contest, settings, context)

    monkeypatch.setattr(suite_command, "run_balance", interrupted_once)
    stopped = run_outcome(suite, tmp_path / "r")
    assert stopped.status == 130
    assert "--resume" in stopped.err
    finished = {name: data for name, data in contents(tmp_path / "r").items() if "/cells/" in name}
    assert len(finished) == 2
    run(suite, tmp_path / "r", "--resume")
    assert len(played) == 2 + 1 + 4
    assert cells_of(tmp_path / "r") == cells_of(tmp_path / "unbroken")
    now = contents(tmp_path / "r")
    assert all(now[name] == data for name, data in finished.items())


def test_a_folder_gathers_methods_and_refuses_cells_of_other_settings(tmp_path: Path) -> None:
    suite = write_suite(tmp_path)
    assert run(suite, tmp_path / "r", "--methods", "tiny")["runs"] == 3
    assert run(suite, tmp_path / "r", "--methods", "tinier", "--resume")["runs"] == 6
    scored = command("suite", "score", only_folder(tmp_path / "r"), "--json")
    summary = summary_of(only_folder(tmp_path / "r"))
    for score, other in zip(json.loads(scored.out)["scores"], summary["scores"], strict=True):
        floats = {name for name, value in other.items() if isinstance(value, float)}
        assert score == other | {name: pytest.approx(other[name], rel=1e-5) for name in floats}
    other = run_outcome(suite, tmp_path / "r", "--resume", games=30_000)
    assert other.status == 2
    assert str(tmp_path / "r") in other.err


def row(**more: Any) -> SuiteRow:
    usual = SuiteRow(1, "model", 1000, "", 400, "planted", "reported", 9, True, 3.0, 2, 9.0, 2.5,
                     900, 1.0, 2.0, 0.0, True)  # fmt: skip
    return usual._replace(**more)


def test_scores_of_known_runs(tmp_path: Path) -> None:
    unjudged = {"truth_pp": None, "truth_violation": None, "holds": None}
    runs = [
        row(),
        row(size=8.0, games=500, truth_pp=4.0),
        row(size=11.0, games=700, cpu_s=3.0, truth_pp=5.5, holds=False),
        row(size=7.0, certified=False, games=100, **unjudged),
        row(kind="control", known=0, size=0.0),
        row(method="ga", certified=False, **unjudged),
    ]
    write_rows(tmp_path / "runs.csv", SuiteRow, runs)
    planted, control, other = json_of(command("suite", "score", tmp_path, "--json"))["scores"]
    assert (planted["runs"], planted["judged"]) == (4, 3)
    assert (planted["certified"], planted["small"]) == (0.75, 0.5)
    # Wilson: (p + z²/2n ± z sqrt(p q / n + z²/4n²)) / (1 + z²/n) with p = 1/2, n = 4
    assert planted["small_low"] == pytest.approx(0.1500, abs=1e-4)
    assert planted["small_high"] == pytest.approx(0.8500, abs=1e-4)
    assert (planted["excess"], planted["games"], planted["cpu_s"]) == (0, 600, 1)
    assert planted["false"] == pytest.approx(1 / 3)
    assert [planted[f"truth_pp{end}"] for end in ("", "_least", "_most")] == [4.0, 2.0, 5.5]
    assert (control["kind"], control["small"]) == ("control", 1)
    assert (other["method"], other["certified"], other["false"], other["excess"]) == (
        "ga", 0, None, None,
    )  # fmt: skip
    assert [score.runs for score in score_rows(runs)] == [4, 1, 1]
    assert (tmp_path / "scores.csv").is_file()


def test_making_a_suite_is_repeatable_and_keeps_the_recipe(tmp_path: Path) -> None:
    recipe = SUITE.replace('base = [{ card = "ember_whelp", field = "attack", steps = -1 }]\n', "")
    suite = write_suite(tmp_path, recipe + INSTANCES)
    experiment = tmp_path / "tiny.toml"
    text = experiment.read_text().replace("band_pp = 40", "win_rate = 0.7\nband_pp = 8")
    experiment.write_text(text.replace("certify = 200", "certify = 2000"))
    for name, threads in (("one", "1"), ("other", "3")):
        made = command(
            "suite", "make", suite, "--out", tmp_path / f"{name}.toml", "--threads", threads
        )
        assert (made.status, made.err) == (0, "")
    made = (tmp_path / "one.toml").read_text()
    assert made == (tmp_path / "other.toml").read_text()
    assert made.startswith(recipe)
    instances = load_suite(str(tmp_path / "one.toml")).suite.instances
    kinds = [(made.kind, made.half, made.change(Weights())) for made in instances]
    assert kinds == [
        ("planted", "development", 2), ("planted", "reported", 2), ("control", "development", 0),
    ]  # fmt: skip
    check_refusal(command("suite", "make", suite, "--out", tmp_path / "one.toml"))


def test_cards_that_are_not_balanced_make_no_suite(tmp_path: Path) -> None:
    suite = write_suite(tmp_path)
    experiment = tmp_path / "tiny.toml"
    experiment.write_text(experiment.read_text().replace("band_pp = 40", "band_pp = 1"))
    out = tmp_path / "out.toml"
    check_refusal(command("suite", "make", suite, "--out", out))
    assert not out.exists()


def test_known_change_and_size_are_weighted_as_a_patch_is() -> None:
    moves = (Move(card="a", field="attack", steps=-2), Move(card="b", field="cost", steps=1),
             Move(card="a", field="health", steps=1))  # fmt: skip
    instance = Instance(kind="planted", half="reported", hidden=moves)
    assert instance.change(Weights()) == 4
    assert instance.change(Weights(attack=2.5)) == 2 * 2.5 + 1 + 1
    assert instance.size(Weights(card=0.5)) == 4 + 2 * 0.5
    tagged = Card(id="a", name="A", kind="minion", cost=1, attack=3, health=1, tags=("rare",))
    assert instance.change(Weights(tags={"rare": 3}), [tagged]) == (2 + 1) * 3 + 1


@pytest.mark.parametrize("name", sorted(path.stem for path in SUITES.glob("*.toml")))
def test_shipped_suites_have_the_instances_of_their_recipes(name: str) -> None:
    if name == "legacy-3" and util.find_spec("hearthstone_data") is None:
        pytest.skip("needs the extra [hearthstone]")
    suite = load_suite(name)
    assert suite.suite.name == name
    instances = suite.suite.instances
    made = suite.suite.make
    names = {suite.contest().matchup_name(pair) for pair in suite.contest().matchups}
    demands = demands_of(suite.contest(), suite.settings.target)
    for kind in ("planted", "target", "control"):
        of_kind = [instance for instance in instances if instance.kind == kind]
        assert len(of_kind) == getattr(made, kind)
        assert sum(instance.half == "reported" for instance in of_kind) == len(of_kind) // 2
    for place, instance in enumerate(instances, start=1):
        suite.asked(place).contest()
        if instance.kind != "control":
            assert made.steps[0] <= instance.change(Weights()) <= made.steps[1]
            assert names == {*instance.win_rates}
            demanded = demands.of(np.array([*instance.win_rates.values()]))
            assert 9.98 <= demands.distance_pp(demanded).max() <= 30.02


def test_hidden_edits_of_a_shipped_suite_are_those_of_its_cards() -> None:
    suite = load_suite("duel-3")
    question = suite.asked(1)
    hidden = suite.suite.instances[0].hidden
    assert hidden
    assert question.pool == apply_patch(suite.pool, [move.edit(suite.pool) for move in hidden])


def test_shipped_methods_are_settings_of_every_suite() -> None:
    suite = load_suite("duel-3")
    for name in sorted(load_methods(METHODS_FILE)):
        suite_command.check_trial(suite, suite_command.Trial((name,), METHODS_FILE))


@pytest.mark.parametrize(
    ("changed", "old", "new"),
    [
        ("ours", "hidden = [{ card = \"ember_whelp\"", "hidden = [{ card = \"ember_welp\""),
        ("ours", 'field = "health"', 'field = "wealth"'),
        ("ours", '"ember_rush vs tide_keep" = 0.6', '"ember_rush vs tide" = 0.6'),
        ("ours", 'kind = "control"', 'kind = "none"'),
        ("ours", "steps = [2, 2]", "steps = [3, 2]"),
        ("ours", 'experiment = "tiny.toml"', 'experiment = "tinny"'),
        ("ours", INSTANCES, ""),
        ("ways", '"ga"', '"gaa"'),
        ("ways", 'method = "ga"', 'methods = "ga"'),
        ("ways", WAYS, "x = 3\n"),
    ],
)  # fmt: skip
def test_bad_suites_and_methods_are_refused_in_one_line(
    changed: str, old: str, new: str, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path)
    file = tmp_path / f"{changed}.toml"
    file.write_text(file.read_text().replace(old, new))
    check_refusal(run_outcome(suite, tmp_path / "r"))
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--methods", "tyny"),
        ("--half", "both"),
        ("--kind", "plant"),
        ("--truth", "401"),
        ("--games", "100"),
        ("--most", "0"),
        ("--methods-file", "none.toml"),
    ],
)
def test_bad_options_are_refused_in_one_line(
    options: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a message lists the files of the current folder
    suite = write_suite(tmp_path)
    ways = () if options[0] == "--methods-file" else ("--methods-file", tmp_path / "ways.toml")
    check_refusal(command("suite", "run", suite, *ways, *options))


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    check_refusal(command("suite", "score", tmp_path))
