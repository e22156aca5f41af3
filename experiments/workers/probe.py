"""Description of a machine that is to play games: its code, its libraries and its speed."""

from __future__ import annotations

import platform
from typing import Any, NamedTuple

from llvmlite.binding import get_host_cpu_name

from balance.cards.game_time import time_games
from experiments.loading import load_experiment
from experiments.runs.run_folder import made_by
from sim.errors import InputError
from sim.play import using_threads
from sim.play.workers.seam import n_cores


class Probe(NamedTuple):
    """Description of a machine that is to play games.

    Attributes:
        node: name of the machine.
        cores: number of processor cores available for games.
        engine: hash of the code that results depend on.
        versions: version of each library that results depend on, by the library's name.
        processor: system and processor type; trained agents are bit-equal only on equal types.
        games_per_s: games per second of the experiment `quickstart_scripts` on one core.
    """

    node: str
    cores: int
    engine: str
    versions: dict[str, str]
    processor: str
    games_per_s: float


def probe(node: str = "") -> Probe:
    """Measure and describe this machine; as a side effect, this compiles the engine.

    Args:
        node: name for the machine; empty for its host name.
    """
    contest = load_experiment("quickstart_scripts").contest()
    with using_threads(1):
        time_games(contest, 1)  # the first call compiles, so it must not be timed
        _, game_s = time_games(contest, 1)
    made: dict[str, Any] = made_by(has_networks=False)
    machine = f"{platform.system()} {platform.machine()} {get_host_cpu_name()}"
    return Probe(
        node=node or platform.node(),
        cores=n_cores(),
        engine=made["engine_hash"],
        versions=made["versions"],
        processor=machine,
        games_per_s=1 / game_s,
    )


def require_same(remote: Probe) -> None:
    """Check that a machine has the same code and libraries as this machine, so games are equal.

    Args:
        remote: description of the machine.

    Raises:
        InputError: the code or the version of a library differs.
    """
    made = made_by(has_networks=False)
    versions = made["versions"]
    for part, remote_version, local_version in (
        ("engine", remote.engine, made["engine_hash"]),
        *((name, remote.versions.get(name), version) for name, version in versions.items()),
    ):
        if remote_version != local_version:
            raise InputError(
                f"has {part} {remote_version}, but this machine has {local_version}",
                place=f"node {remote.node!r}",
                value=remote_version,
                limit=local_version,
                remedy="install the same versions of evenhand and its libraries on that node",
            )
