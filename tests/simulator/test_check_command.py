"""`evenhand simulator check`: what a program with and without faults is reported to do."""

from __future__ import annotations

import json
import sys

import pytest

from experiments.simulator.checked_game import CheckedGame
from experiments.simulator.trust import require_trust, trusting
from sim.errors import InputError
from sim.simulator.protocol import Hello
from tests.command_line import command, json_of, refusal
from tests.simulator.blocks import SKIRMISH, Skirmish
from tests.simulator.skirmish import HELLO, REASON


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder of the test, in which nothing is trusted."""
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "cache"))


def experiment(folder, *words):
    path = folder / "skirmish.toml"
    command = json.dumps([sys.executable, str(SKIRMISH), *words])
    path.write_text(f'name = "skirmish"\nseed = 1\n[simulator]\ncommand = {command}\n')
    return str(path)


@pytest.mark.usefixtures("cache")
def test_trust_is_given_once_for_each_table_and_folder(tmp_path):
    table = {"command": ["./game", "--fast"]}
    with pytest.raises(InputError) as raised:
        require_trust(table, tmp_path)
    assert raised.value.value == table
    assert "--trust" in raised.value.remedy
    with trusting(is_given=True):
        require_trust(table, tmp_path)
    require_trust(table, tmp_path)
    for other, folder in (({**table, "workers": 2}, tmp_path), (table, tmp_path.parent)):
        with pytest.raises(InputError):
            require_trust(other, folder)


def test_trust_that_cannot_be_remembered_holds_once(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "file"))
    with trusting(is_given=True):
        require_trust({"command": ["./game"]}, tmp_path)
    with pytest.raises(InputError):
        require_trust({"command": ["./game"]}, tmp_path)


def checked(simulator):
    """Return a game of the skirmish with few games in a pass."""
    hello = Hello.model_validate(HELLO)
    game = CheckedGame(simulator, hello.parameters, hello.players)
    vars(game)["games_per_s"] = 100.0
    return game


def test_a_repeatable_game_passes():
    game = checked(Skirmish())
    assert game.repeated().n_changed == 0
    assert game.reordered().n_changed == 0
    assert game.repeated().n_games == sum(block.n_games for block in game.blocks)
    edits = {edit.name: edit for edit in game.edits()}
    assert list(edits) == ["rush.power", "keep.power", "keep.wall"]
    assert [edit.edited for edit in edits.values()] == [6, 6, 0.6]
    # Only two of three pairs contain the player of this parameter.
    assert edits["rush.power"].games.n_games * 3 == edits["keep.power"].games.n_games * 2
    assert game.saving(list(edits.values())) > 1
    assert game.infeasible("low") == REASON
    assert game.infeasible("high") == ""
    assert 0 < game.first_seat().low < game.first_seat().high < 1


def test_a_game_with_a_memory_fails():
    class Forgetful(Skirmish):
        """The skirmish, in which the first seat wins all games after the first 100."""

        def play(self, blocks):
            for position, played in super().play(blocks):
                winners = played.winners * (self.n_played <= 100)
                yield position, played._replace(winners=winners, points=None)

    game = checked(Forgetful())
    assert game.reordered().n_changed > 0


@pytest.mark.usefixtures("cache")
def test_the_command_reports_a_program(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.simulator.checked_game._TIMED_MAX", 4)
    monkeypatch.setattr("experiments.simulator.checked_game._SEEDS_MAX", 20)
    path = experiment(tmp_path)
    assert str(SKIRMISH) in refusal(command("simulator", "check", path))
    summary = json_of(command("simulator", "check", path, "--trust", "--json"))
    assert summary["repeated"]["changed"] == summary["reordered"]["changed"] == 0
    assert summary["infeasible"] == {"lowest": REASON, "highest": ""}
    assert command("simulator", "check", path).status == 0


@pytest.mark.usefixtures("cache")
def test_the_command_needs_a_program(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text('name = "game"\n')
    refusal(command("simulator", "check", path, "--trust"))


def test_a_changed_game_is_named():
    game = checked(Skirmish())
    other = game.played[0]._replace(winners=1 - game.played[0].winners)
    compared = game._compared_with([other, *game.played[1:]])
    assert compared.n_changed == len(other.winners)
    assert ", ".join(game.blocks[0].players) in compared.example
    assert str(game.blocks[0].seeds[0]) in compared.example
