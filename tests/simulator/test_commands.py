"""Every command that asks nothing of cards, on a game of a Python function and of a program."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from experiments.game import named_experiment
from experiments.simulator.trust import trusting
from tests.command_line import command, done, refusal, rows_of, summary_of
from tests.simulator.blocks import SKIRMISH
from tests.simulator.tug_of_war import declared

GAME = """
from random import Random

def play(numbers, players, seed, without=(None, None)):
    rng = Random(seed)
    pulls = [
        0 if group else numbers[f"{player}.strength"] * rng.random()
        for player, group in zip(players, without or (None, None))
    ]
    return 0 if pulls[0] > pulls[1] else 1
"""
FILE = """
name = "tug"
seed = 4
players = ["ann", "bob", "cyd"]
simulator.python = "tug.py:play"
parameters.ann.strength = { value = 1.0, low = 0.5, high = 2.0, step = 0.1, players = ["ann"] }
parameters.bob.strength = { value = 1.2, low = 0.5, high = 2.0, step = 0.1, players = ["bob"] }
parameters.cyd.strength = { value = 1.0, low = 0.5, high = 2.0, step = 0.1, players = ["cyd"] }
games = { total = 60000, matchups = 400, lever = 40 }
search.rounds = 3
"""


@pytest.fixture(autouse=True)
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "cache"))
    with trusting(is_given=True):
        yield


@pytest.fixture
def tug(tmp_path: Path) -> Path:
    (tmp_path / "tug.py").write_text(GAME)
    path = tmp_path / "tug.toml"
    path.write_text(FILE)
    return path


def run(tug: Path, *arguments: str | Path) -> Path:
    """Return the folder of a trusted run of a command, below a folder of its name."""
    results = tug.parent / "runs" / str(arguments[0])
    done(command(*arguments, "--results", results, "--trust", "--no-plots"))
    (folder,) = (path for path in results.iterdir() if (path / "run.json").is_file())
    return folder


def test_code_runs_only_if_the_file_is_trusted(tug: Path) -> None:
    words = ("matchups", tug, "--results", tug.parent / "runs", "--no-plots")
    assert "--trust" in refusal(command(*words))
    done(command(*words, "--trust"))
    done(command(*words))


def test_a_patch_of_real_numbers_is_certified_and_its_file_is_balanced(tug: Path) -> None:
    folder = run(tug, "balance", tug)
    summary = summary_of(folder)
    assert summary["certified"]
    assert sum(summary["games"].values()) <= 60_000
    (edit,) = (step for step in summary["patch"] if step["card"] == "bob")
    assert edit["from"] == 1.2
    assert edit["to"] in {0.9, 1.0, 1.1}
    edits = rows_of(folder / "front_edits.csv")
    assert {"0.9", "1.1"} & {row["to"] for row in edits}
    assert {row["from"] for row in edits if row["card"] == "bob"} == {"1.2"}
    patched = named_experiment(str(folder / "patched_experiment.toml")).load().contest()
    numbers = [patched.parameter(gene) for gene in patched.genes]
    assert numbers[1].scale.value(numbers[1].value) == edit["to"]
    compared = summary_of(run(tug, "compare", folder))["patches"]
    assert [step["to"] for step in compared[0]["patch"] if step["card"] == "bob"] == [edit["to"]]
    pytest.importorskip("plotly")
    done(command("report", folder))


def test_edits_are_written_in_the_units_of_the_game(tug: Path) -> None:
    summary = summary_of(run(tug, "whatif", tug, "bob.strength=1", "ann.strength+0.1"))
    assert [step["to"] for step in summary["patch"]] == [1.1, 1.0]
    assert summary["change"] == 3


@pytest.mark.parametrize(
    "edit",
    ["bob.strength=1.05", "bob.strength=strong", "bob.strength+a", "bob.strength=1.2", "bob=1",
     "bob.strength", "eve.strength=1", "bob.strength+9999999"],
)  # fmt: skip
def test_an_edit_that_cannot_be_is_refused(tug: Path, edit: str) -> None:
    refusal(command("whatif", tug, edit, "--trust", "--results", tug.parent / "runs"))


def test_sensitivity_power_metagame_and_study_measure_it(tug: Path) -> None:
    numbers = summary_of(run(tug, "sensitivity", tug))["numbers"]
    own = [row for row in numbers if row["owner"] == "bob" and "bob" not in row["matchup"]]
    assert [row["pp_per_step"] for row in own] == [0.0]
    power = summary_of(run(tug, "power", tug))["power"]
    assert {row["group"] for row in power if row["player"] == "ann"} == {"ann"}
    assert summary_of(run(tug, "metagame", tug))["players"]
    study = summary_of(run(tug, "study", tug, "--seeds", "2", "--methods", "model"))
    assert all(row["certified"] for row in study["runs"])


def test_games_are_kept_until_the_code_changes(tug: Path) -> None:
    first = summary_of(run(tug, "matchups", tug))
    results = tug.parent / "runs" / "matchups"
    kept = [*(results / "simulated_games").iterdir()]
    done(command("matchups", tug, "--results", results, "--no-plots"))
    assert [*(results / "simulated_games").iterdir()] == kept
    (tug.parent / "tug.py").write_text(GAME + "\n")
    done(command("matchups", tug, "--results", results, "--no-plots"))
    assert len([*(results / "simulated_games").iterdir()]) == len(kept) + 1
    assert first["matchups"]


def test_the_workbench_shows_and_certifies_real_numbers(tug: Path) -> None:
    pytest.importorskip("starlette")
    from tests.experiments.benches import bench

    with bench(tug.parent, FILE) as page:
        card = next(card for card in page.state()["cards"] if card["card"] == "bob")
        (number,) = card["numbers"]
        assert number["scale"]["step"] == 0.1
        page.submit("/edit", card="bob", field="strength", to=-2)
        assert page.state()["edits"][0]["to"] == 1.0


def test_a_program_is_balanced_by_its_own_declarations(tmp_path: Path) -> None:
    words = json.dumps([sys.executable, str(SKIRMISH)])
    path = tmp_path / "skirmish.toml"
    path.write_text(f"""
        name = "skirmish"
        seed = 1
        simulator.command = {words}
        games = {{ total = 6000, matchups = 40 }}
        """)
    folder = run(path, "matchups", path)
    rates = [row["rate"] for row in summary_of(folder)["matchups"]]
    assert rates == [f"{a} vs {b}" for a, b in combinations(("rush", "keep", "swarm"), 2)]
    assert summary_of(folder)["n"] == 120


@pytest.mark.parametrize(
    "change",
    [
        ('simulator.python = "tug.py:play"', 'simulator.python = "tug.py:pley"'),
        ('simulator.python = "tug.py:play"', 'simulator.python = "gut.py:play"'),
        ('simulator.python = "tug.py:play"', "simulator.command = []"),
        ('simulator.python = "tug.py:play"', 'simulator = { python = "a.py:b", command = ["c"] }'),
        ('players = ["ann", "bob", "cyd"]', 'players = ["ann"]'),
        ('players = ["ann", "bob", "cyd"]', 'player = ["ann", "bob"]'),
        ("value = 1.2", "valeu = 1.2"),
        ("step = 0.1", "stpe = 0.1"),
        ("total = 60000", "total = 60"),
        ("matchups = 400", "matchups = 401"),
        (
            'simulator.python = "tug.py:play"',
            'simulator.python = "tug.py:play"\nsimulator.seats = 9',
        ),
    ],
)
def test_a_file_that_cannot_be_is_refused_in_one_line(tug: Path, change: tuple[str, str]) -> None:
    text = tug.read_text()
    assert change[0] in text
    tug.write_text(text.replace(*change))
    refusal(command("balance", tug, "--trust", "--results", tug.parent / "runs"))


def test_declarations_may_stand_beside_the_function(tug: Path) -> None:
    (tug.parent / "tug.py").write_text(
        GAME + f"\ndef parameters():\n    return {declared(['ann', 'bob'])}\n"
    )
    kept = [line for line in FILE.splitlines() if not line.startswith("parameters")]
    tug.write_text("\n".join(kept).replace(', "cyd"', ""))
    summary = summary_of(run(tug, "whatif", tug, "ann.mood=wild", "bob.luck-0.05"))
    assert [step["to"] for step in summary["patch"]] == ["wild", 0.45]


def test_what_needs_cards_is_refused(tug: Path) -> None:
    for words in (("replay", tug), ("play", tug), ("build", tug), ("train", tug)):
        assert "'simulator'" in refusal(command(*words))
