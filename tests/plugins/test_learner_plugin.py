"""A learner of a plug-in package is trained, stored and played; a faulty one is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from agents import agent_named
from balance import Learner
from balance.learning import learner_kinds
from balance.learning.learner_kinds import BUILT_IN
from balance.learning.learner_plugins import TrainedAgent, register_learner
from sim import InputError
from tests.command_line import ask, only_folder, refusal, run_folder, write_experiment
from tests.messages import check_message
from tests.plugins.installed import describe, evenhand, install

PACKAGE = "evenhand_coach"
TEXT = """\
name = "coaching"
seed = 7

[[player]]
deck = "ember_rush"
agent = "aggro"

[[player]]
deck = "tide_keep"
agent = "control"

[[learner]]
name = "pupil"
kind = "coach"
decks = ["ember_rush"]
opponents = ["tide_keep"]
settings = { tries = ["random", "control"] }
"""


@pytest.mark.thorough
def test_the_command_line_trains_stores_and_plays_it(tmp_path: Path) -> None:
    install(PACKAGE, tmp_path)
    experiment = write_experiment(tmp_path, TEXT)
    options = ("--json", "--no-plots", "--results", tmp_path / "results")
    (entry,) = json.loads(evenhand(tmp_path, "train", experiment, *options))["learners"]
    assert entry["file"] == "pupil.json"
    assert entry["kind"] == "coach"
    assert entry["script"] == "control"
    assert entry["trained"]["win_rate"] == entry["scripted"]["win_rate"]
    file = only_folder(tmp_path / "results") / entry["file"]
    assert json.loads(file.read_text())["agent"] == "control"
    agent = f"coached:{file}"
    playing = ("--agent", agent, "--games", "4", *options)
    counts = json.loads(evenhand(tmp_path, "matchups", experiment, *playing))
    assert {pilot["agent"] for pilot in counts["pilots"]} == {agent}


def test_a_learner_of_a_package_is_refused_without_the_package(tmp_path: Path) -> None:
    check_message(refusal(ask("train", tmp_path, text=TEXT)))
    assert learner_kinds.learner_kinds() == [*BUILT_IN]


@pytest.mark.parametrize(
    "change",
    [
        ('"coach"', '"dqn"'),
        ('"pupil"', '"greedy"'),
        ('kind = "coach"', 'kind = "coach"\nseat = "first"'),
        ("[[learner]]", "[net]\nrounds = 1\n\n[[learner]]"),
    ],
    ids=["settings of another kind", "name of a script", "keys of networks", "table of networks"],
)
def test_settings_of_other_kinds_are_refused(
    tmp_path: Path, site: Path, change: tuple[str, str]
) -> None:
    install(PACKAGE, site)
    learner_kinds.plugins.cache_clear()
    check_message(refusal(ask("train", tmp_path, text=TEXT.replace(*change))))


MODULE = """
from agents import agent_named
from balance.learning.learner_plugins import TrainedAgent

number = 7

def two(task, more): ...

def none(task): ...

def script(task):
    return TrainedAgent(agent_named("aggro"), b"", ".json")

def breaks(task):
    raise RuntimeError("one\\ntwo")

def replaces(task):
    return TrainedAgent(agent_named("light"), b"", ".json")
"""


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("x", "nowhere:x"), ("x", "odd:number"), ("x", "odd:two"), ("x", "odd:none"),
        ("x", "odd:script"), ("x", "odd:breaks"), ("net", "odd:none"),
    ],
)  # fmt: skip
def test_faulty_packages_are_named(tmp_path: Path, site: Path, kind: str, place: str) -> None:
    (site / "odd.py").write_text(MODULE)
    describe(site, "evenhand-odd", {learner_kinds.ENTRY_POINT_GROUP: {kind: place}})
    learner_kinds.plugins.cache_clear()
    text = TEXT.replace('"coach"', f'"{kind}"')
    check_message(refusal(ask("train", tmp_path, text=text)))


def test_a_file_of_the_run_is_not_replaced(tmp_path: Path, site: Path) -> None:
    (site / "odd.py").write_text(MODULE)
    describe(site, "evenhand-odd", {learner_kinds.ENTRY_POINT_GROUP: {"x": "odd:replaces"}})
    learner_kinds.plugins.cache_clear()
    text = TEXT.replace('"coach"', '"x"').replace('"pupil"', '"summary"')
    check_message(refusal(ask("train", tmp_path, text=text)))


def test_a_registered_learner_is_trained_like_one_of_a_package(tmp_path: Path) -> None:
    folders = list[Path]()

    def learn(task: Any) -> TrainedAgent:
        folders.append(task.folder)
        (task.folder / "state").write_text("half")
        return TrainedAgent(agent_named("light"), b"light", ".txt")

    with mock.patch.dict(learner_kinds.registered, clear=True):
        assert register_learner("own", learn) is learn
        with pytest.raises(InputError, match="already"):
            register_learner("own", learn)
        folder = run_folder("train", tmp_path, text=TEXT.replace('"coach"', '"own"'))
        assert (folder / "pupil.txt").read_bytes() == b"light"
        assert folders == [folder / "pupil_learner"]
        assert Learner(name="a", decks=("b",), opponents=("c",), kind="own").kind == "own"
    with pytest.raises(InputError):
        register_learner("net", learn)
