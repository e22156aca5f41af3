"""What a machine says of itself before it plays: its code, and how fast it is."""

from __future__ import annotations

import platform
from typing import Any, NamedTuple

from experiments.runs.run_folder import made_by
from sim.errors import InputError
from sim.play.workers.seam import n_cores


class Probe(NamedTuple):
    """A machine.

    Attributes:
        node: its name.
        cores: that it plays on.
        engine: hash of the code that results depend on.
        versions: of the libraries likewise.
        processor: its kind; learned agents are bit-equal on like ones only.
        games_per_s: of the experiment `quickstart_scripts`, on one core.
    """

    node: str
    cores: int
    engine: str
    versions: dict[str, str]
    processor: str
    games_per_s: float


def probe(node: str = "") -> Probe:
    """This machine; its engine is compiled by that.

    Args:
        node: what to call it; default its own name.
    """
    from llvmlite.binding import get_host_cpu_name  # noqa: PLC0415 (slow to load)

    from balance.game_time import time_games  # noqa: PLC0415 (compiles)
    from experiments.loading import load_experiment  # noqa: PLC0415

    contest = load_experiment("quickstart_scripts").contest()
    time_games(contest, 1, threads=1)
    _, game_s = time_games(contest, 1, threads=1)
    made: dict[str, Any] = made_by(has_networks=False)
    machine = f"{platform.system()} {platform.machine()} {get_host_cpu_name()}"
    return Probe(
        *(node or platform.node(), n_cores(), made["engine_hash"], made["versions"]),
        *(machine, 1 / game_s),
    )


def require_same(there: Probe) -> None:
    """Refuse a machine whose games would be others.

    Raises:
        InputError: names it, and what differs.
    """
    made = made_by(has_networks=False)
    for what, theirs, ours in (
        ("engine", there.engine, made["engine_hash"]),
        *((name, there.versions.get(name), ours) for name, ours in made["versions"].items()),
    ):
        if theirs != ours:
            raise InputError(
                f"node {there.node!r}: {what} {theirs}, here {ours}; "
                "install the same evenhand and libraries there"
            )
