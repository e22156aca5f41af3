"""`evenhand workers check`: check that all worker machines play the same games as this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from experiments.cli.session import Session, Work, session_command
from experiments.runs.run import Findings
from experiments.screen import Screen, Table
from experiments.workers.choice import WorkersChoice
from experiments.workers.probe import Probe, probe, require_same
from sim.play.workers.current import current_workers


@session_command("workers", "json")
def check(session: Session) -> Work:
    """Probe every machine that would play: its code, its cores, its speed."""
    return partial(session.measure, partial(check_workers, choice=session.workers))


@dataclass(frozen=True)
class _Probing:
    """Job with one task, which describes the machine that executes the task."""

    def do(self, _piece: int) -> Probe:
        """Return the description of the machine that executes this task."""
        return probe()

    def give_up(self) -> None:
        """Do nothing: the task ends by itself within seconds."""


def check_workers(_screen: Screen, choice: WorkersChoice | None) -> Findings:
    """Describe every machine that would play, and check that its games equal this machine's.

    Args:
        _screen: unused; the caller shows the findings.
        choice: value of `--workers`; `None` for threads of this machine.

    Raises:
        InputError: a machine would play other games than this machine.
    """
    workers = current_workers()
    nodes: Sequence[Probe]
    if choice is not None and choice.kind == "ray":
        from experiments.workers.ray_workers import probes  # noqa: PLC0415 (an extra)

        nodes = probes()
    else:
        # Threads and processes share one machine, so one probe describes all of them.
        nodes = [node for _, node in workers.map(_Probing(), [0])]
    for node in nodes:
        require_same(node)
    rows = [
        (node.node, str(node.cores), node.engine, node.processor, f"{node.games_per_s:,.0f}")
        for node in nodes
    ]
    return Findings(
        summary={
            "command": "workers check",
            "workers": workers.n_workers,
            "nodes": [node._asdict() for node in nodes],
        },
        shown=[
            Table(
                f"{workers.n_workers} workers; every node plays the same games",
                ("node", "cores", "engine", "processor", "games/s on one core"),
                rows,
            )
        ],
    )
