"""Agents of a package from outside play as ours do, and a faulty package is named in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agents import agent_named, plugins, register_agent, registry
from agents.conformance import AgentSuite, LearnedAgentSuite
from sim import InputError
from sim.engine import cache
from sim.play import Agent
from tests.command_line import write_experiment
from tests.plugins.installed import describe, evenhand, install
from tests.refusals import complaint_of

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
    """Agents by the name that the package gives them."""

    @pytest.fixture
    def agent(self, site: Path, request: pytest.FixtureRequest) -> Agent:
        install(PACKAGE, site)
        return agent_named(request.param)


@pytest.mark.parametrize("agent", ["eager"], indirect=True)
class TestEager(_Installed, AgentSuite):
    """Nothing to add."""


@pytest.mark.parametrize("agent", ["hasty"], indirect=True)
class TestHasty(_Installed, LearnedAgentSuite):
    """Nothing to add."""


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_knows_it(game: str, tmp_path: Path) -> None:
    install(PACKAGE, tmp_path)
    experiment = write_experiment(tmp_path, GAMES[game])
    run = ("--json", "--no-plots", "--results", tmp_path / "results")
    played = json.loads(evenhand(tmp_path, "matchups", experiment, *run))
    rates = [one["win_rate"] for one in played["matchups"]]
    assert len(rates) == 3
    assert min(rates[1:]) > 0.5  # `hasty` does nothing


def test_its_machine_code_is_kept_by_what_it_rests_on(site: Path) -> None:
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
FAULTS = {  # name asked, what the package declares for `x`, what is said
    "no module": ("x", "nowhere:x", "ModuleNotFoundError: No module named 'nowhere'"),
    "breaks": ("x", "breaking_agents:x", "RuntimeError: one two"),
    "not Python": ("x", "unfinished_agents:x", "SyntaxError: .*unfinished_agents.py"),
    "no such object": ("x", "unfit_agents:nobody", "AttributeError: .*'nobody'"),
    "a number": (
        "x",
        "unfit_agents:numbers",
        "the declaration is int, not an agent; declare a policy of",
    ),
    "a class": ("x", "unfit_agents:Learned", "the declaration is the class Learned, not an agent"),
    "one argument": (
        "x",
        "unfit_agents:one_armed",
        r"the policy takes \(state\); a policy must take \(state, table\)",
    ),
    "another name": ("x", "unfit_agents:misnamed", "the agent's attribute `name` is 'other'"),
    "another compiled name": (
        "x",
        "unfit_agents:renamed",
        "the agent's attribute `name` is 'another'",
    ),
    "bad parameters": ("x:two", "unfit_agents:whole", "ValueError: invalid literal .* 'two'"),
    "no parameters": ("x", "unfit_agents:whole", "ValueError: invalid literal .* ''"),
    "makes no agent": ("x:2", "unfit_agents:whole", "the declaration is int, not an agent"),
    "takes ours": ("aggro", "unfit_agents:policy", "the name is taken"),
}


@pytest.fixture
def faulty(site: Path) -> Path:
    (site / "unfit_agents.py").write_text(MODULE)
    (site / "breaking_agents.py").write_text("raise RuntimeError('one\\ntwo')")
    (site / "unfinished_agents.py").write_text("def x(")
    return site


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_package_is_named_in_one_line(fault: str, faulty: Path) -> None:
    asked, place, complaint = FAULTS[fault]
    describe(faulty, "odd-agents", {"evenhand.agents": {asked.partition(":")[0]: place}})
    registry._loaded.pop("aggro", None)
    said = complaint_of(agent_named, asked)
    assert re.search(f"^agent '{asked}' of package 'odd-agents': {complaint}", said)


def test_a_policy_that_cannot_be_compiled_is_named(faulty: Path) -> None:
    describe(faulty, "odd-agents", {"evenhand.agents": {"x": "unfit_agents:speaks"}})
    for name in ("x", "rollout:4:x"):
        with pytest.raises(InputError, match="agent 'x': cannot be compiled: "):
            agent_named(name).address(general=False)


def test_two_packages_may_not_share_a_name(faulty: Path) -> None:
    for package in ("one", "two"):
        describe(faulty, package, {"evenhand.agents": {"x": "unfit_agents:policy"}})
    with pytest.raises(InputError, match=r"agent .x. is declared by the packages .(one|two). and"):
        agent_named("x")


def test_nobody_registers_a_package_s_name_or_an_unfit_thing(faulty: Path) -> None:
    describe(faulty, "odd-agents", {"evenhand.agents": {"x": "unfit_agents:policy"}})
    policy = agent_named("x").policy
    for name, agent, complaint in (
        ("x", policy, "already registered"),
        ("y:2", policy, "no colon"),
        ("y", 7, "int, not an agent"),
    ):
        with pytest.raises(InputError, match=complaint):
            register_agent(name, agent)
    assert register_agent("y", policy) is policy
    assert agent_named("y").policy is policy
    with pytest.raises(InputError, match=r"no agent .z.; known: .*rollout:WORLDS.*, x"):
        agent_named("z")


def test_agents_of_packages_stand_in_the_list_with_what_is_written_of_them(site: Path) -> None:
    install(PACKAGE, site)
    told = {one.usage: one for one in registry.known_agents()}
    lines = {name: told[name].line for name in ("eager", "place:K", "hasty")}
    assert lines == {
        "eager": "Whatever is listed first; the end of the turn is listed last.",
        "place:K": "Whatever is listed at place `k`, or the end of the turn.",
        "hasty": "Answers batches of positions, whichever view shows them; "
        "the last action ends the turn.",
    }
    assert {told[name].package for name in ("eager", "place:K")} == {PACKAGE}
    assert not told["eager"].is_fair
