"""Names of agents: families are loaded when named, and bad names say what is wrong."""

from __future__ import annotations

import pytest

from agents import agent_named, agent_names, register_agent
from sim import InputError
from sim.engine import cache
from tests.scripts import loaded_by


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("rollout", "the number of worlds is ''; it must be a whole number from 1 to 10000"),
        ("rollout:", "the number of worlds is ''"),
        ("rollout:0", "the number of worlds is '0'; it must be a whole number from 1 to 10000"),
        ("rollout:x", "the number of worlds is 'x'"),
        ("rollout:-3", "the number of worlds is '-3'"),
        ("rollout:10001", "the number of worlds is '10001'; .* to 10000"),
        (
            "rollout:50:nobody",
            "'rollout:50:nobody': no agent 'nobody'; known: aggro, control",
        ),
        ("rollout:50:", "'rollout:50:': no agent ''"),
        ("rollout:50:agro", "no agent 'agro'.*did you mean 'aggro'"),
        ("rollout:50:rollout:3", "the opponent 'rollout:3' may take no parameters"),
        ("rolout:50", "no agent 'rolout:50'; .*rollout:WORLDS.*did you mean 'rollout'"),
        ("rollout:0:dqn:x.pt", "'rollout:0:dqn:x.pt': the number of worlds is '0'"),
        ("rollout:4:nobody:dqn:x.pt", "'rollout:4:nobody:dqn:x.pt': no agent 'nobody'"),
        ("rollout:4:dqn:x.pt", "x.pt: cannot be read: No such file"),
        ("turn", "the number of nodes is ''; it must be a whole number from 1 to 8000"),
        ("turn:0", "the number of nodes is '0'"),
        ("turn:9000", "the number of nodes is '9000'; it must be a whole number from 1 to 8000"),
        ("turn:20:rihc", "agent 'turn:20:rihc': no weights 'rihc'; known: .*did you mean 'rich'"),
        ("turn:20:no.toml", "agent 'turn:20:no.toml': no.toml: no such file"),
        (
            "turn:20:leaves=0",
            "the number of leaves is '0'; it must be a whole number from 1 to 100",
        ),
        ("turn:20:worlds=21", "the number of worlds is '21'; .* from 1 to 20"),
        ("turn:20:leafs=4", "unknown word 'leafs'; did you mean 'leaves'"),
        ("turn:20:leaves=4:leaves=5", "leaves is given twice"),
        ("turn:20:leaves=4:rihc", "no weights 'rihc'; known: .*did you mean 'rich'"),
        ("light:20", "no agent 'light:20'"),
    ],
)
def test_a_bad_name_is_refused(name: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        agent_named(name)


def test_a_name_is_one_agent_and_not_listed() -> None:
    assert agent_named("rollout:7") is agent_named("rollout:7")
    assert agent_named("rollout:10000:greedy").name == "rollout:10000:greedy"
    assert not [name for name in agent_names() if name.startswith("rollout")]


def test_nobody_takes_the_name_of_a_family() -> None:
    with pytest.raises(InputError, match="'rollout:50' is already registered"):
        register_agent("rollout:50", agent_named("control").policy)


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
