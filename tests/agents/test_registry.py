"""Families of agents are loaded when named, and bad names are refused with a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import agent_named, agent_names, register_agent
from sim.engine import cache
from tests.refusals import refusal_of
from tests.scripts import loaded_by

WORLDS = (1, 10_000)
NODES = (1, 8_000)
BAD_NAMES = [
    # name, value at fault, limit if it is a range
    ("rollout", "", WORLDS),
    ("rollout:", "", WORLDS),
    ("rollout:0", "0", WORLDS),
    ("rollout:x", "x", WORLDS),
    ("rollout:-3", "-3", WORLDS),
    ("rollout:10001", "10001", WORLDS),
    ("rollout:50:nobody", "nobody", None),
    ("rollout:50:", "", None),
    ("rollout:50:agro", "agro", None),
    ("rollout:50:rollout:3", "rollout:3", None),
    ("rolout:50", "rolout:50", None),
    ("rollout:0:dqn:x.pt", "0", WORLDS),
    ("rollout:4:nobody:dqn:x.pt", "nobody", None),
    ("rollout:4:dqn:x.pt", None, None),
    ("turn", "", NODES),
    ("turn:0", "0", NODES),
    ("turn:9000", "9000", NODES),
    ("turn:20:rihc", "rihc", None),
    ("turn:20:no.toml", None, None),
    ("turn:20:leaves=0", "0", (1, 100)),
    ("turn:20:worlds=21", "21", (1, 20)),
    ("turn:20:leafs=4", "leafs", None),
    ("turn:20:leaves=4:leaves=5", "leaves=5", None),
    ("turn:20:leaves=4:rihc", "rihc", None),
    ("light:20", "light:20", None),
]


@pytest.mark.parametrize(("name", "value", "limit"), BAD_NAMES)
def test_a_bad_name_is_refused(
    name: str,
    value: str | None,
    limit: object,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # the message about a missing file names the files of the folder
    error = refusal_of(agent_named, name)
    assert error.value == value
    assert limit in {None, error.limit}


def test_a_name_is_one_agent_and_not_listed() -> None:
    assert agent_named("rollout:7") is agent_named("rollout:7")
    assert agent_named("rollout:10000:greedy").name == "rollout:10000:greedy"
    assert not [name for name in agent_names() if name.startswith("rollout")]


def test_nobody_takes_the_name_of_a_family() -> None:
    error = refusal_of(register_agent, "rollout:50", agent_named("control").policy)
    assert error.place == "agent 'rollout:50'"


def test_the_registry_loads_no_family_before_it_is_named() -> None:
    assert "agents.search" not in loaded_by("agents.registry")


def test_parameters_leave_nothing_in_the_compile_cache() -> None:
    _ = agent_named("rollout:3").address(general=False)
    folder = cache._folders["agents.search"]
    before = sorted(folder.rglob("*.nb?"))
    _ = agent_named("rollout:6:greedy").address(general=False)
    assert before
    assert sorted(folder.rglob("*.nb?")) == before


@pytest.mark.parametrize(
    ("written", "name"), [("Greedy", "greedy"), ("LIGHT", "light"), ("Turn:20", "turn:20")]
)
def test_an_agent_in_any_letter_case_is_called_as_it_is_declared(written: str, name: str):
    assert agent_named(written).name == name
