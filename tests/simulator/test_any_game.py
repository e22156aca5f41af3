"""Games of one's own, as docs/any_game.md describes them: its examples, and mistakes in files."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from balance.contest.contest_limits import ContestLimits
from balance.simulator.simulated_contest import SimulatedContest
from experiments.contest_experiment import ContestTune
from experiments.runs.json_file import read_object
from experiments.simulator.simulator_experiment import read_simulator
from experiments.simulator.simulator_file import TOTAL_GAMES
from experiments.simulator.trust import trusting
from sim.errors import InputError
from sim.files.toml_file import read_toml
from sim.simulator.function_source import FunctionSource
from sim.simulator.parameter_entry import ParameterEntry
from tests.command_line import ROOT, command, done, json_of, refusal

PAGE = (ROOT / "docs" / "any_game.md").read_text()
GAME, FILE, SCRIPT = re.findall(r"```(?:python|toml)\n(.*?)```", PAGE, re.DOTALL)

GUESSES = """
from random import Random
from sim import Result

def play(numbers, players, seed):
    rolls = [Random(f"{seed}/{k}").random() * numbers[p] for k, p in enumerate(players)]
    return RETURNED

def parameters():
    return {p: {"value": 5, "low": 3, "high": 8} for p in "abcdefg"}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with the game and the file of the page; nothing is trusted."""
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.py").write_text(GAME)
    (tmp_path / "race.toml").write_text(FILE)
    return tmp_path


def guesses(folder, returned="rolls.index(max(rolls))", players="ab", keys=""):
    """Return the contest of a game of dice, and its experiment."""
    (folder / "guesses.py").write_text(GUESSES.replace("RETURNED", returned))
    path = folder / "guesses.toml"
    path.write_text(
        f'name = "guesses"\nseed = 1\nplayers = {[*players]}\n'
        f'[simulator]\npython = "guesses.py:play"\n{keys}\n'
    )
    with trusting(is_given=True):
        return read_simulator(read_toml(path), path)


def balanced(file, *options):
    """Balance with few games, and return the run folder."""
    outcome = command("balance", file, "--trust", "--games", "6000", "--no-plots", *options)
    assert outcome.status in (0, 1)  # whether so few games certify a patch does not matter here
    return max(Path("results").glob("*/summary.json"), key=lambda path: path.stat().st_mtime).parent


def play(experiment, n_games=60):
    """Return the readings of the baseline."""
    return experiment.contest().play([[]], (), n_games=n_games, run_seed=1, purpose="test")


def test_the_page_has_a_short_game_and_a_short_file():
    assert len(GAME.splitlines()) <= 25
    assert len(FILE.splitlines()) <= 10
    assert len(SCRIPT.splitlines()) <= 10


def test_the_commands_of_the_page_play_its_game(folder):
    refusal(command("matchups", "race.toml"))
    summary = json_of(command("matchups", "race.toml", "--trust", "--games", "120", "--json"))
    assert len(summary["demands"]) == 3  # all pairs of three players
    done(command("sensitivity", "race.toml", "--games", "40"))
    edits = ["fox.pace-0.5", "hare.pace=4"]
    summary = json_of(command("whatif", "race.toml", *edits, "--games", "40", "--json"))
    assert [edit["to"] for edit in summary["patch"]] == [4, 2.0]


def test_a_run_is_reported_and_compared(folder):
    summary = read_object(balanced("race.toml") / "summary.json")
    compared = json_of(command("compare", "race.toml", "--games", "40", "--json"))
    assert compared["patches"][0]["patch"] == summary["patch"]
    done(command("report", "race.toml"))


def test_the_python_example_runs(folder, monkeypatch, capsys):
    monkeypatch.syspath_prepend(folder)
    small = SCRIPT.replace("60_000", "6_000")
    assert small != SCRIPT
    (folder / "example.py").write_text(small)
    found = runpy.run_path("example.py")["found"]
    assert isinstance(found.evaluator.contest, SimulatedContest)
    assert capsys.readouterr().out.startswith(str(found.certificate.certified))


def test_the_tables_of_the_page_are_complete():
    keys = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))))
    assert ParameterEntry.model_fields.keys() <= keys
    assert ContestTune.model_fields.keys() | ContestLimits.model_fields.keys() <= keys
    assert f"{TOTAL_GAMES:,} games" in PAGE


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 7])
def test_default_numbers_of_games_fit_the_seats(folder, seats):
    experiment = guesses(folder, players="abcdefg"[:seats], keys=f"seats = {seats}")
    contest = experiment.contest()
    for n_games in (experiment.settings.games.matchups, experiment.settings.games.lever):
        assert contest.checked_games(n_games) == n_games


def test_a_game_of_three_seats_is_balanced(folder):
    guesses(folder, players="abc", keys="seats = 3")
    summary = read_object(balanced("guesses.toml") / "summary.json")
    assert len(summary["matchups"]) == 3


def test_rates_of_points_need_points(folder):
    keys = 'rate = "points"'
    with pytest.raises(InputError) as raised:
        play(guesses(folder, keys=keys))
    assert (raised.value.place, raised.value.value) == ("simulator.rate", "points")
    readings = play(guesses(folder, "Result(0, points=(3, 1))", keys=keys))
    assert readings.rates[0].tolist() == [0.5]


@pytest.mark.parametrize("statement", ["__import__('sys').exit(3)", "1 / 0"])
def test_a_game_that_exits_or_fails_is_refused(folder, statement):
    with pytest.raises(InputError) as raised:
        play(guesses(folder, statement))
    assert raised.value.value in ("SystemExit", "ZeroDivisionError")
    assert raised.value.place.endswith("guesses.py:7")


def test_a_file_that_exits_is_refused(folder):
    (folder / "race.py").write_text("raise SystemExit(4)\n")
    refusal(command("matchups", "race.toml", "--trust"))


def test_modules_that_a_game_imports_are_part_of_it(folder):
    (folder / "rules.py").write_text("HITS = 1\n")
    (folder / "other.py").write_text("HITS = 1\n")
    (folder / "race.py").write_text("def play(*_):\n    import rules\n    return rules.HITS\n")
    identities = [FunctionSource(folder / "race.py", "play").identity]
    for changed in ("other.py", "rules.py"):
        (folder / changed).write_text("HITS = 0\n")
        identities.append(FunctionSource(folder / "race.py", "play").identity)
    assert identities[0] == identities[1] != identities[2]


def test_patches_are_compared_by_values_on_other_scales(folder):
    (folder / "fine.toml").write_text(FILE.replace("step = 0.5", "step = 0.25"))
    runs = [balanced("fine.toml", "--seed", "5"), balanced("race.toml", "--seed", "5")]
    patches = [read_object(run / "summary.json")["patch"] for run in runs]
    assert all({edit["card"] for edit in patch} - {"hare"} for patch in patches)
    compared = json_of(command("compare", *runs, "--games", "40", "--json"), has_notes=True)
    assert [entry["patch"] for entry in compared["patches"]] == patches
