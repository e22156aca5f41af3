"""Files of a game of a plug-in package, and its declaration, are checked; mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.game import game_named, named_experiment
from sim import InputError
from tests.command_line import command, refusal, write_experiment
from tests.messages import check_message
from tests.plugins.installed import describe, install
from tests.plugins.test_game_plugin import DICE, PACKAGE
from tests.refusals import refusal_of

MISTAKES = {
    "owner": ("ann.sides = [4, 9]", "ned.sides = [4, 9]"),
    "number": ("ann.sides = [4, 9]", "ann.size = [4, 9]"),
    "range": ("ann.sides = [4, 9]", "ann.sides = [7, 9]"),
    "value": ("seed = 3", "seed = 3\nnumbers = { ann.size = 4 }"),
    "games": ("matchups = 600", "matchups = 400"),
    "goal": ("search.rounds", "target.win_rate = { ned = 0.4 }\nsearch.rounds"),
    "field": ("search.rounds", "target.field = 0.5\nsearch.rounds"),
    "table": ("search.rounds", "narrow.by = 'power'\nsearch.rounds"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named_in_one_line(name: str, site: Path) -> None:
    install(PACKAGE, site)
    old, new = MISTAKES[name]
    path = write_experiment(site, DICE.replace(old, new), "dice.toml")
    check_message(refusal(command("matchups", path, "--results", site / "r")))
    assert not (site / "r").exists()


def test_numbers_of_a_file_replace_those_of_the_game(site: Path) -> None:
    install(PACKAGE, site)
    text = DICE + "numbers = { bob.sides = 6, cyd.bonus = 0 }\n"
    contest = named_experiment(str(write_experiment(site, text, "even.toml"))).load().contest()
    games = {"n_games": 600, "run_seed": 1, "purpose": "test"}
    readings = contest.play([[0]], contest.genes[:1], **games)
    assert readings.rates.sum() == pytest.approx(1)
    assert contest.play([[1]], contest.genes[:1], **games).rates[0, 0] > readings.rates[0, 0]


@pytest.mark.parametrize("option", [("--games", "400"), ("--agent", "light")])
def test_options_that_do_not_fit_are_refused(option: tuple[str, str], site: Path) -> None:
    install(PACKAGE, site)
    path = write_experiment(site, DICE, "dice.toml")
    check_message(refusal(command("matchups", path, *option)))


@pytest.mark.parametrize("place", ["nowhere:GAME", "evenhand_dice:SEATS", "evenhand_dice:GAME"])
def test_a_faulty_package_is_named_in_one_line(place: str, site: Path) -> None:
    install(PACKAGE, site)
    describe(site, "odd-games", {"evenhand.games": {"odd": place}})
    declared = f"game {'odd'!r} of package {'odd-games'!r}"
    assert refusal_of(game_named, "odd").place == declared


def test_a_shipped_game_cannot_be_replaced(site: Path) -> None:
    install(PACKAGE, site)
    describe(site, "odd-games", {"evenhand.games": {"big_two": "evenhand_dice:GAME"}})
    with pytest.raises(InputError) as caught:
        game_named("big_two")
    assert caught.value.value == "big_two"
