"""A game of a plug-in package is used by the commands, or refused with its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.game import named_experiment
from tests.command_line import command, done, only_folder, refusal, summary_of, write_experiment
from tests.plugins.installed import install

PACKAGE = "evenhand_dice"
DICE = """
name = "three dice"
game = "dice"
seed = 3
player = [{ name = "ann" }, { name = "bob", sides = 7 }, { name = "cyd", bonus = 1 }]
tune.numbers = { ann.sides = [4, 9], bob.sides = [4, 9], cyd.bonus = [-1, 2] }
games = { matchups = 600, search = 600, select = 3000, certify = 6000 }
search.rounds = 3
"""


@pytest.fixture
def dice(site: Path) -> Path:
    install(PACKAGE, site)
    return write_experiment(site, DICE, "dice.toml")


def run(dice: Path, *arguments: str | Path) -> Path:
    """Return the folder of a run of a command, below a folder of its name."""
    results = dice.parent / arguments[0]
    done(command(*arguments, "--results", results))
    return only_folder(results)


def test_a_patch_is_certified_and_its_file_is_balanced(dice: Path) -> None:
    today = summary_of(run(dice, "matchups", dice))
    assert [row["verdict"] for row in today["matchups"]] == ["outside", "inside", "outside"]
    folder = run(dice, "balance", dice)
    assert summary_of(folder)["certified"]
    patched = named_experiment(str(folder / "patched_experiment.toml")).load().contest()
    values = [patched.parameter(gene).value for gene in patched.genes]
    assert values == [6, 0, 6, 0, 6, 0]
    pytest.importorskip("plotly")
    done(command("report", folder))
    assert (folder / "report.html").is_file()


def test_edits_and_runs_are_compared_on_equal_seeds(dice: Path) -> None:
    edited = run(dice, "whatif", dice, "bob.sides=6", "cyd.bonus-1")
    balanced = run(dice, "balance", dice)
    patches = summary_of(run(dice, "compare", edited, balanced))["patches"]
    assert patches[0]["rates"][0]["patched"] == patches[1]["rates"][0]["patched"]
    assert patches[0]["change"] == patches[1]["change"] == 2


def test_a_study_and_a_metagame_measure_it(dice: Path) -> None:
    study = summary_of(run(dice, "study", dice, "--seeds", "2", "--truth", "600"))
    assert [(row["certified"], row["holds"]) for row in study["runs"]] == [(True, True)] * 2
    players = summary_of(run(dice, "metagame", dice))["players"]
    assert [row["share"] for row in players] == [0, 0, 1]


def test_the_workbench_suggests_a_patch_and_certifies_it(dice: Path) -> None:
    pytest.importorskip("starlette")
    from tests.experiments.benches import bench

    with bench(dice.parent, DICE) as page:
        page.submit("/suggest")
        number = page.when_idle()["suggestions"][-1]["number"]
        page.submit("/apply", suggestion=number)
        page.submit("/certify")
        assert page.when_idle()["certificates"]["last"]["certified"]
        page.submit("/save")
        assert page.state()["change"] == 2


def test_what_the_game_cannot_is_refused_in_one_line(dice: Path) -> None:
    for arguments in (("power", dice), ("replay", dice), ("play", dice), ("build", dice)):
        assert "'dice'" in refusal(command(*arguments))
