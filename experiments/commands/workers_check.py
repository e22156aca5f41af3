"""`evenhand workers check`: the machines that would play, and whether they play the same games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.runs.run import Findings
from experiments.screen import Screen, Table
from experiments.workers.probe import Probe, probe, require_same
from experiments.workers.wanted import Wanted
from sim.play.workers.current import current_workers


@dataclass(frozen=True)
class _Probing:
    """Probes whoever does it."""

    def do(self, _piece: int) -> Probe:
        return probe()

    def give_up(self) -> None:
        """It is soon done."""


def check_workers(_screen: Screen, wanted: Wanted | None) -> Findings:
    """Probe the machines.

    Args:
        _screen: where to report.
        wanted: who would play.

    Raises:
        InputError: one would play other games.
    """
    workers = current_workers()
    nodes: Sequence[Probe]
    if wanted is not None and wanted.kind == "ray":
        from experiments.workers.ray_workers import probes  # noqa: PLC0415 (an extra)

        nodes = probes()
    else:
        nodes = [found for _, found in workers.map(_Probing(), [0])]
    for node in nodes:
        require_same(node)
    rows = [
        (one.node, str(one.cores), one.engine, one.processor, f"{one.games_per_s:,.0f}")
        for one in nodes
    ]
    return Findings(
        summary={
            "command": "workers check",
            "workers": workers.n_workers,
            "nodes": [one._asdict() for one in nodes],
        },
        shown=[
            Table(
                f"{workers.n_workers} workers; every node plays the same games",
                ("node", "cores", "engine", "processor", "games/s of one core"),
                rows,
            )
        ],
    )
