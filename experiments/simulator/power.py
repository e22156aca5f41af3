"""Work of `evenhand power` on the games of a simulator."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from balance import Interval
from balance.contest.moved import MovedContest
from balance.simulator.group_power import GroupPower, measure_group_power, require_leave_out
from balance.simulator.simulated_contest import SimulatedContest
from experiments.runs.run import Findings, RunOf
from experiments.screen import Table, points
from experiments.simulator.simulator_experiment import SimulatorExperiment
from sim import entry


class GroupPowerRow(NamedTuple):
    """Row of `power.csv`: leave-one-out power of a group of parameters for a player.

    Attributes:
        player: name of the player.
        group: name of the group.
        power_pp: rate with the group minus rate without it, in percentage points.
        n: number of games with the group, and as many without it.
    """

    player: str
    group: str
    power_pp: Annotated[Interval, ("power_pp", "low_pp", "high_pp")]
    n: int


def check_power(experiment: SimulatorExperiment) -> None:
    """Refuse a simulator that cannot leave out a group.

    Raises:
        InputError: the simulator cannot.
    """
    require_leave_out(experiment.code)


def run_power(run: RunOf[SimulatorExperiment]) -> Findings:
    """Measure the power of every group for every player, and return a table of it."""
    experiment = run.experiment
    contest = experiment.code
    settings = experiment.settings
    moved = experiment.contest()
    run.screen.stage("measuring power")
    powers = measure_group_power(
        contest,
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        steps=moved.moved if isinstance(moved, MovedContest) else None,
    )
    rows = [_row(contest, power) for power in powers]
    return Findings(
        summary={
            "command": "power",
            "seed": settings.seed,
            "power": [entry(row) for row in rows],
        },
        tables={"power.csv": (GroupPowerRow, rows)},
        shown=[
            Table(
                "What a player loses without a group, against all other players, in percentage "
                "points (± half of the 95 % interval; paired games on equal seeds)",
                ("player", "group", "power, pp", "games"),
                [
                    (row.player, row.group, points(row.power_pp.times(0.01)), f"{row.n:,}")
                    for row in sorted(rows, key=lambda row: (row.player, -row.power_pp.estimate))
                ],
            )
        ],
    )


def _row(contest: SimulatedContest, power: GroupPower) -> GroupPowerRow:
    """Return the row of a measured power."""
    name = contest.player_names[power.player]
    return GroupPowerRow(name, power.group, power.power.times(100), power.n_games)
