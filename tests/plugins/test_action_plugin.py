"""An action of a plug-in package is played, tuned and printed like a built-in one."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from sim import find_data_file
from sim.cards.action import all_actions
from sim.engine.handlers import BUILT_IN
from tests.command_line import TINY, write_experiment
from tests.plugins.installed import describe, evenhand, install
from tests.refusals import refusal_of

PACKAGE = "evenhand_leech"
GAMES = {  # rules, pool, decks, the card that leeches
    "duel": ("duel", "core", ("ember_rush", "tide_keep"), "kindling_thrower"),
    "general": ("legacy", "saga", ("saga_ember", "saga_tide"), "flick_of_cinder"),
}


def write_games(folder: Path, game: str) -> tuple[Path, Path]:
    """Write a pool in which one card leeches, and an experiment that may change only its amount."""
    rules, pool, decks, leech = GAMES[game]
    cards = find_data_file("pools", pool, None).read_text("utf-8")
    at = cards.index('do = "damage"', cards.index(f'id = "{leech}"'))
    end = cards.index("\n\n", at)
    leeching = cards[at:end].replace('do = "damage"', 'do = "leech"', 1)
    tunable = "\ntunable = { amount = [1, 4] }"
    path = folder / "leeching.toml"
    path.write_text(cards[:at] + leeching + tunable + cards[end:], "utf-8")
    text = TINY.replace("seed = 7", f'seed = 7\nruleset = "{rules}"\npool = "leeching.toml"')
    locked = set()
    for old_deck, new_deck in zip(("ember_rush", "tide_keep"), decks, strict=True):
        deck = find_data_file("decks", new_deck, None).read_text("utf-8")
        deck = deck.replace(f'pool = "{pool}"', 'pool = "leeching.toml"')
        locked |= set(tomllib.loads(deck)["cards"]) - {leech}
        write_experiment(folder, deck, f"{new_deck}.toml")
        text = text.replace(f'deck = "{old_deck}"', f'deck = "{new_deck}.toml"')
    tune = f'fields = ["amount"]\nlock = {sorted(locked)}\nmax_steps'
    return path, write_experiment(folder, text.replace("max_steps", tune))


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["duel", "general"])
def test_the_command_line_plays_tunes_and_prints_it(game: str, tmp_path: Path) -> None:
    install(PACKAGE, tmp_path)
    pool, experiment = write_games(tmp_path, game)
    shown = evenhand(tmp_path, "cards", "show", GAMES[game][3], "--pool", pool)
    assert re.search(r"eech 2 life from (the target|the enemy hero)\.", shown)
    assert "amount (leech)" in shown
    text = "Battlecry: Leech 2 life from the enemy hero."
    (meaning,) = json.loads(evenhand(tmp_path, "cards", "read", text, "--json"))["meanings"]
    assert [row["do"] for row in meaning["card"]["effects"]] == ["leech"]
    run = ("--json", "--no-plots", "--results", tmp_path / "results")
    played = json.loads(evenhand(tmp_path, "matchups", experiment, *run))
    assert 0 < played["matchups"][0]["win_rate"] < 1
    tuned = json.loads(evenhand(tmp_path, "balance", experiment, *run))
    assert tuned["narrowing"]["genes_before"] == 1


MODULE = """
from dataclasses import replace
from evenhand_leech import LEECH

number = 7
freeze = replace(LEECH, word="freeze")
wordless = replace(LEECH, word="x", phrase="leech {who}")
"""
FAULTS = {  # word of the action, and the object that the package declares for it
    "no module": ("x", "nowhere:x"),
    "breaks": ("x", "breaks:x"),
    "a number": ("x", "odd:number"),
    "another word": ("x", "odd:LEECH"),
    "a built-in word": ("freeze", "odd:freeze"),
    "a wrong phrase": ("x", "odd:wordless"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_package_is_named_in_one_line(fault: str, site: Path) -> None:
    word, place = FAULTS[fault]
    install(PACKAGE, site)
    (site / "odd.py").write_text(MODULE, "utf-8")
    (site / "breaks.py").write_text("raise RuntimeError('one\\ntwo')", "utf-8")
    describe(site, "odd-actions", {"evenhand.actions": {word: place}})
    declared = f"action {word!r} of package 'odd-actions'"
    assert refusal_of(all_actions.__wrapped__).place.startswith(declared)


def test_its_number_follows_the_built_in_ones(site: Path) -> None:
    install(PACKAGE, site)
    actions = all_actions.__wrapped__()
    assert list(actions) == [*BUILT_IN, "leech"]
    assert actions["leech"].number == len(BUILT_IN)
