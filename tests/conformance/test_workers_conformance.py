"""Outcomes are those of one thread, bit for bit, with workers of all kinds."""

from __future__ import annotations

import os
import pickle
import random
import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from agents import DQNPilot, agent_named
from agents.dqn.network import Architecture, QNetwork
from sim.errors import InputError
from sim.play import Agent, CompiledAgent, play
from sim.play.workers.current import current_workers, working_with
from sim.play.workers.processes import Processes
from sim.play.workers.seam import Effort, Threads, Workers, pickle_job
from tests.conformance.backend_suite import (
    ALL,
    BATCH,
    COMPILED,
    GENERAL,
    VARIED,
    legacy_batch,
)
from tests.conformance.mortal_job import MortalJob
from tests.duels import TABLE, assert_same
from tests.legacy import legacy_table, needs_package
from tests.messages import check_message
from tests.refusals import refusal_of, refused
from tests.view_agents import Eager, Greedy


@contextmanager
def begun(kind: str) -> Iterator[Workers]:
    """Yield workers that receive every chunk beyond the first ones, however small."""
    if kind == "threads":
        yield Threads(2)
    elif kind == "processes":
        yield Processes(3, least_s=0)
    else:
        with ray_workers(n_nodes=2 if "nodes" in kind else 1) as (workers, _):
            yield workers


@contextmanager
def ray_workers(n_nodes: int) -> Iterator[tuple[Any, Any]]:
    """Yield workers of a Ray cluster with two cores, and the cluster if its nodes are simulated."""
    pytest.importorskip("ray")
    from experiments.workers.ray_workers import RayWorkers

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ray's own
        patch.delenv("RAY_ADDRESS", raising=False)
        patch.setenv("RAY_raylet_start_wait_time_s", "120")
        if n_nodes == 1:
            patch.setattr("experiments.workers.ray_workers.n_cores", lambda: 2)
            yield replace(RayWorkers.connect(lambda _: None), least_s=0), None
            return
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        try:
            cluster.add_node(num_cpus=1)
            patch.setenv("RAY_ADDRESS", cluster.address)
            yield replace(RayWorkers.connect(lambda _: None), least_s=0), cluster
        finally:
            cluster.shutdown()


RAY = [pytest.mark.ray, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
KINDS = [
    "threads",
    pytest.param("processes", marks=pytest.mark.thorough),
    pytest.param("ray", marks=RAY),
    pytest.param("ray, two nodes", marks=RAY),
]


@pytest.fixture(scope="module", params=KINDS)
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    with begun(request.param) as workers, working_with(workers):
        yield workers


LONG = replace(BATCH, n_games=100 * BATCH.n_games)
SHORT = replace(BATCH, n_games=BATCH.n_games // 4)
PILOT = DQNPilot("pilot", QNetwork(Architecture(hidden=32, dueling=True, one_hot=True), seed=2))


def same_as_one_thread(batch, table, agents, keep=ALL) -> None:
    """Check that the current workers have the outcomes of one thread."""
    outcomes = play(batch, table, agents, keep=keep)
    wanted = play(batch, table, agents, threads=1, keep=keep)
    assert outcomes.wins.sum() > 0
    if keep == ALL:
        assert_same(outcomes, wanted)
    np.testing.assert_array_equal(outcomes.totals, wanted.totals)


SCRIPTS = [agent_named(name) for name in ("greedy", "aggro", "control", "random", "greedy")]


@pytest.mark.parametrize("keep", [ALL, ()])
def test_scripts(workers: Workers, keep) -> None:
    before = workers.effort.n_tasks
    same_as_one_thread(LONG, VARIED, [*SCRIPTS, SCRIPTS[0]], keep)
    assert (workers.effort.n_tasks - before > 3) == workers.are_remote


def test_searches(workers: Workers) -> None:
    turn = agent_named("turn:20")
    rollout = agent_named("rollout:2:aggro")
    same_as_one_thread(SHORT, VARIED, [turn, rollout, *SCRIPTS[:3], turn])


def test_learned_agents(workers: Workers) -> None:
    agents: list[Agent] = [PILOT, Greedy(), PILOT, SCRIPTS[1], Eager(), PILOT]
    same_as_one_thread(replace(BATCH, n_games=4 * BATCH.n_games), VARIED, agents)


def test_a_search_on_a_pilot(workers: Workers) -> None:
    from agents.roster.rollout import rollout_on

    same_as_one_thread(SHORT, VARIED, [rollout_on("rollout:1:dqn:pilot.pt", PILOT), *SCRIPTS])


@needs_package
def test_general_rules(workers: Workers) -> None:
    batch = replace(legacy_batch(), n_games=30 * legacy_batch().n_games)
    same_as_one_thread(batch, legacy_table(), GENERAL)


def test_tasks_that_end_in_another_order(workers: Workers) -> None:
    """Tallies are added in reverse order; the sums are the same."""

    @dataclass
    class Backwards:
        """Workers that return results in reverse order."""

        workers: Workers

        def __getattr__(self, name: str):
            return getattr(self.workers, name)

        def map(self, job, tasks):
            return reversed(list(self.workers.map(job, tasks[::-1])))

        def close(self) -> None:
            pass

    with working_with(Backwards(workers)):
        same_as_one_thread(LONG, VARIED, COMPILED[:1] * 6)


class Broken(Greedy):
    """An agent that raises an error when it is asked."""

    def choose(self, observations, masks):
        raise ArithmeticError("broken")


def test_an_error_in_a_worker_is_raised_here(workers: Workers) -> None:
    with pytest.raises(ArithmeticError, match="broken"):
        play(LONG, VARIED, [Broken()] * 6)
    same_as_one_thread(LONG, VARIED, SCRIPTS[:1] * 6)  # and the next batch is played


def test_agents_that_workers_cannot_import_are_refused_by_name() -> None:
    error = refusal_of(pickle_job, CompiledAgent("mine", lambda _state, _table: 0))
    assert error.place == "agent 'mine'"

    class Mine(Greedy):
        pass

    with pytest.raises(InputError, match="Mine"):  # the rest is Python's, and varies by version
        pickle_job(Mine())


def returned(thing: Any) -> Any:
    """Return an object as a worker receives it."""
    return pickle.loads(pickle_job(thing))  # noqa: S301 (our own bytes)


def test_a_pickled_table_has_the_same_words() -> None:
    for table in (TABLE, VARIED):
        np.testing.assert_array_equal(returned(table).words, table.words)


def test_a_pickled_agent_has_no_addresses() -> None:
    for agent in (*SCRIPTS, agent_named("turn:20"), agent_named("rollout:2")):
        agent.address(general=False)
        assert not {"_plain_address", "_general_address"} & vars(returned(agent)).keys()


def test_a_task_that_loses_its_worker_is_started_again(workers: Workers, tmp_path) -> None:
    if not workers.are_remote:
        pytest.skip("threads die with the whole process")
    reports = list[str]()
    before = workers.effort.n_retries
    workers.effort.report = reports.append
    tasks = [(1, 0), (2, 3), (3, 0), (4, 1)]
    results = dict(workers.map(MortalJob(tmp_path), tasks))
    assert results == {task: 2 * task[0] for task in tasks}
    assert workers.effort.n_retries - before == len(reports) == 4


def test_a_task_that_kills_all_workers_is_given_up(tmp_path) -> None:
    reports: list[str] = []
    with (
        working_with(Processes(2, least_s=0, effort=Effort(reports.append))) as workers,
        refused() as refusal,
    ):
        list(workers.map(MortalJob(tmp_path), [(1, 9)]))
    assert (refusal.error.value, refusal.error.limit) == (4, 3)
    assert len(reports) == 3
    check_message("\n".join(reports))


@pytest.mark.parametrize(
    "n_moments",
    [
        pytest.param(2, marks=pytest.mark.thorough),
        pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(3000)]),
    ],
)
def test_workers_killed_in_the_middle_of_a_generation_change_nothing(n_moments: int) -> None:
    batch = replace(BATCH, n_games=1_000 * BATCH.n_games)
    agents = SCRIPTS[:1] * 6
    draws = random.Random(5)
    wanted = play(batch, VARIED, agents, threads=1, keep=ALL)
    with working_with(Processes(2, least_s=0)) as workers:
        play(batch, VARIED, agents)
        while workers.effort.n_retries < n_moments:
            victim = draws.choice(workers._idle).process.pid
            timer = threading.Timer(draws.uniform(0, 0.5), kill, (victim,))
            timer.start()
            assert_same(play(batch, VARIED, agents, keep=ALL), wanted)
            timer.join()


def kill(pid: int) -> None:
    """Kill a process, unless it has died of an earlier try."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_a_machine_with_other_code_is_refused_by_its_name() -> None:
    from experiments.workers.probe import probe, require_same

    here = probe("attic")
    require_same(here)
    for other in (
        {"engine": "0123"},
        {"versions": {**here.versions, "numpy": "1.0"}},
    ):
        with pytest.raises(InputError, match="node 'attic'"):
            require_same(here._replace(**other))


@pytest.mark.thorough
def test_no_process_is_left_after_the_block() -> None:
    with working_with(Processes(2, least_s=0)) as workers:
        same_as_one_thread(LONG, VARIED, SCRIPTS[:1] * 6)
        first, second = (child.process.pid for child in workers._idle)
    for pid in (first, second):
        with pytest.raises(ProcessLookupError):
            os.kill(pid or 0, 0)


def test_workers_are_the_current_ones_inside_the_block_only() -> None:
    before = current_workers()
    with working_with(Threads(7)):
        assert current_workers() == Threads(7)
    assert current_workers() == before
