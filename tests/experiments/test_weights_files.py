"""Files of weights are looked for beside the experiment first, as pilots are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agents.search.turn import weights
from experiments.loading import load_experiment
from tests.command_line import TINY, command, refusal, write_experiment

SHIPPED = Path(weights.__file__).parent / "shipped"
NAME = "turn:5:mine.toml"


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    text = TINY.replace('"aggro"', f'"{NAME}"').replace('"power"', f'"power"\nagent = "{NAME}"')
    return write_experiment(tmp_path, text)


def test_the_folder_of_the_experiment_comes_first(
    experiment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    shutil.copy(SHIPPED / "coac.toml", elsewhere / "mine.toml")
    here = load_experiment(str(experiment))
    shutil.copy(SHIPPED / "gsvb.toml", tmp_path / "mine.toml")
    beside = load_experiment(str(experiment))
    assert here.agents[0].name == beside.agents[0].name == NAME
    assert here.agents[0] != beside.agents[0]
    told = beside.resolved("balance")
    assert told["experiment"]["narrow"]["agent"] == NAME
    monkeypatch.chdir(tmp_path)
    assert load_experiment(experiment.name).resolved("balance") == told


@pytest.mark.parametrize(
    ("old", "new"),
    [('"aggro"', f'"{NAME}"'), ('"power"', f'"power"\nagent = "{NAME}"')],
    ids=["of a player", "of no player"],
)
def test_weights_of_a_file_are_part_of_what_a_run_depends_on(
    old: str, new: str, tmp_path: Path
) -> None:
    experiment = write_experiment(tmp_path, TINY.replace(old, new))
    told = []
    for weights_of in ("coac", "gsvb"):
        shutil.copy(SHIPPED / f"{weights_of}.toml", tmp_path / "mine.toml")
        told.append(load_experiment(str(experiment)).resolved("balance")["pilots"])
    assert told[0].keys() == told[1].keys() == {NAME}
    assert told[0] != told[1]


def test_where_there_is_none_both_places_are_said(experiment: Path) -> None:
    message = refusal(command("matchups", experiment))
    assert f"narrow.agent: agent '{NAME}': no such file: looked for " in message
    assert f"{experiment.parent / 'mine.toml'}, mine.toml" in message


def test_an_unknown_opponent_is_blamed_before_a_missing_pilot(tmp_path: Path) -> None:
    text = TINY.replace('"aggro"', '"rollout:16:x:dqn:nope.pt"')
    message = refusal(command("matchups", write_experiment(tmp_path, text)))
    assert "agent 'rollout:16:x:dqn:nope.pt': no agent 'x'" in message
