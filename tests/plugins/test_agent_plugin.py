"""Agents of a plug-in package play like built-in ones; a faulty package is named in one line."""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from pathlib import Path

import pytest

from agents import agent_named, plugins, register_agent, registry
from agents.conformance import AgentSuite, LearnedAgentSuite
from sim import InputError
from sim.engine import cache
from sim.play import Agent
from tests.command_line import write_experiment
from tests.plugins.installed import describe, evenhand, install
from tests.refusals import refusal_of

PACKAGE = "evenhand_eager"
EXPERIMENT = """
name = "outside"
seed = 3
ruleset = "{ruleset}"
pool = "{pool}"
games.matchups = 40

[[player]]
deck = "{first}"
agent = "eager"

[[player]]
deck = "{second}"
agent = "place:2"

[[player]]
deck = "{first}"
name = "third"
agent = "hasty"
"""
GAMES = {
    "duel": EXPERIMENT.format(ruleset="duel", pool="core", first="ember_rush", second="tide_keep"),
    "general": EXPERIMENT.format(
        ruleset="legacy", pool="saga", first="saga_ember", second="saga_tide"
    ),
}


class _Installed:
    """Fixture of an agent by the name that the package gives it."""

    @pytest.fixture
    def agent(self, site: Path, request: pytest.FixtureRequest) -> Agent:
        install(PACKAGE, site)
        return agent_named(request.param)


@pytest.mark.parametrize("agent", ["eager"], indirect=True)
class TestEager(_Installed, AgentSuite):
    """The suite for agents, without further tests."""


@pytest.mark.parametrize("agent", ["hasty"], indirect=True)
class TestHasty(_Installed, LearnedAgentSuite):
    """The suite for learned agents, without further tests."""


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_knows_it(game: str, tmp_path: Path) -> None:
    install(PACKAGE, tmp_path)
    experiment = write_experiment(tmp_path, GAMES[game])
    run = ("--json", "--no-plots", "--results", tmp_path / "results")
    played = json.loads(evenhand(tmp_path, "matchups", experiment, *run))
    rates = [matchup["win_rate"] for matchup in played["matchups"]]
    assert len(rates) == 3
    assert min(rates[1:]) > 0.5  # `hasty` does nothing


def test_its_cache_depends_on_its_sources(site: Path) -> None:
    install(PACKAGE, site)
    agent_named("eager")
    kept = cache._folders[PACKAGE]
    plugins._claim_cache(PACKAGE)
    assert cache._folders[PACKAGE] == kept
    source = site / f"{PACKAGE}.py"
    source.write_text(source.read_text().replace("listed(state, 0)", "listed(state, 1)"))
    plugins._claim_cache(PACKAGE)
    assert cache._folders.pop(PACKAGE) != kept
    source.write_text("import evenhand_hasty\n" + source.read_text())
    plugins._claim_cache(PACKAGE)
    assert PACKAGE not in cache._folders


MODULE = """
from sim.play.agent import CompiledAgent
from agents import AgentFamily

def policy(state, table):
    return 0

def one_armed(state):
    return 0

def speaks(state, table):
    return "end of turn"

class Learned:
    name = "other"
    def choose(self, observations, masks): ...

misnamed, whole, numbers = Learned(), AgentFamily("x:N", int), 7
renamed = CompiledAgent("another", policy)
"""
FAULTS = {  # name of the agent, and the object that the package declares for it
    "no module": ("x", "nowhere:x"),
    "breaks": ("x", "breaking_agents:x"),
    "not Python": ("x", "unfinished_agents:x"),
    "no such object": ("x", "unfit_agents:nobody"),
    "a number": ("x", "unfit_agents:numbers"),
    "a class": ("x", "unfit_agents:Learned"),
    "one argument": ("x", "unfit_agents:one_armed"),
    "another name": ("x", "unfit_agents:misnamed"),
    "another compiled name": ("x", "unfit_agents:renamed"),
    "bad parameters": ("x:two", "unfit_agents:whole"),
    "no parameters": ("x", "unfit_agents:whole"),
    "makes no agent": ("x:2", "unfit_agents:whole"),
    "a built-in name": ("aggro", "unfit_agents:policy"),
}


@pytest.fixture
def faulty(site: Path) -> Path:
    (site / "unfit_agents.py").write_text(MODULE)
    (site / "breaking_agents.py").write_text("raise RuntimeError('one\\ntwo')")
    (site / "unfinished_agents.py").write_text("def x(")
    return site


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_package_is_named_in_one_line(fault: str, faulty: Path) -> None:
    name, place = FAULTS[fault]
    describe(faulty, "odd-agents", {"evenhand.agents": {name.partition(":")[0]: place}})
    registry._loaded.pop("aggro", None)
    declared = f"agent '{name}' of package 'odd-agents'"
    assert refusal_of(agent_named, name).place.startswith(declared)


def test_a_policy_that_cannot_be_compiled_is_named(faulty: Path) -> None:
    describe(faulty, "odd-agents", {"evenhand.agents": {"x": "unfit_agents:speaks"}})
    for name in ("x", "rollout:4:x"):
        with pytest.raises(InputError) as caught:
            agent_named(name).address(general=False)
        assert caught.value.place.endswith("agent 'x'")


def test_two_packages_may_not_share_a_name(faulty: Path) -> None:
    for package in ("one", "two"):
        describe(faulty, package, {"evenhand.agents": {"x": "unfit_agents:policy"}})
    with pytest.raises(InputError) as caught:  # no golden: the order depends on the file system
        agent_named("x")
    assert {*caught.value.value} == {"one", "two"}


def test_a_package_s_name_or_an_unfit_agent_is_not_registered(faulty: Path) -> None:
    describe(faulty, "odd-agents", {"evenhand.agents": {"x": "unfit_agents:policy"}})
    policy = agent_named("x").policy
    for name, agent in (("x", policy), ("y:2", policy), ("y", 7)):
        refusal_of(register_agent, name, agent)
    assert register_agent("y", policy) is policy
    assert agent_named("y").policy is policy
    refusal_of(agent_named, "z")


def test_agents_of_packages_are_listed_with_their_docstrings(site: Path) -> None:
    install(PACKAGE, site)
    known = {agent.usage: agent for agent in registry.known_agents()}
    objects = {"eager": evenhand_object("eager"), "place:K": evenhand_object("place")}
    for name, declared in objects.items():
        assert known[name].line == inspect.getdoc(declared)
        assert known[name].package == PACKAGE
    hasty = import_module("evenhand_hasty").Hasty
    assert known["hasty"].line == inspect.getdoc(hasty)
    assert not known["eager"].is_fair


def evenhand_object(name: str) -> object:
    """Return an object of the package's module by its name."""
    return getattr(import_module(PACKAGE), name)
