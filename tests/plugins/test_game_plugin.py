"""A game of a plug-in package is used by the commands; a faulty package is named in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.game import game_named, named_experiment
from tests.command_line import command, done, only_folder, refusal, summary_of, write_experiment
from tests.plugins.installed import describe, install
from tests.refusals import refusal_of

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


def test_what_the_game_cannot_is_refused_in_one_line(dice: Path) -> None:
    for arguments in (("power", dice), ("replay", dice), ("play", dice), ("build", dice)):
        assert "'dice'" in refusal(command(*arguments))


@pytest.mark.parametrize("place", ["nowhere:GAME", "evenhand_dice:SEATS", "evenhand_dice:GAME"])
def test_a_faulty_package_is_named_in_one_line(place: str, site: Path) -> None:
    install(PACKAGE, site)
    describe(site, "odd-games", {"evenhand.games": {"odd": place}})
    declared = f"game {'odd'!r} of package {'odd-games'!r}"
    assert refusal_of(game_named, "odd").place == declared
