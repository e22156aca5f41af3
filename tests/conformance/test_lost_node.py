"""A Ray cluster that loses a node.

The test has a module of its own, since a process can join one cluster only.
"""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from sim.play import play
from sim.play.workers.current import working_with
from tests.conformance.backend_suite import ALL, VARIED
from tests.conformance.test_workers_conformance import LONG, SCRIPTS, ray_workers
from tests.duels import assert_same


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_node_that_is_removed_changes_nothing() -> None:
    with ray_workers(n_nodes=2) as (workers, cluster), working_with(workers):
        batch = replace(LONG, n_games=20 * LONG.n_games)
        wanted = play(batch, VARIED, SCRIPTS[:1] * 6, threads=1, keep=ALL)
        play(batch, VARIED, SCRIPTS[:1] * 6)
        victim = next(node for node in cluster.list_all_nodes() if node is not cluster.head_node)
        threading.Timer(0.2, cluster.remove_node, (victim,)).start()
        while workers.effort.n_retries == 0:
            assert_same(play(batch, VARIED, SCRIPTS[:1] * 6, keep=ALL), wanted)
