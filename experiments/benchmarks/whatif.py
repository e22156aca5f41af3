"""Response times of a what-if, and widths of its intervals for changes and for rates.

After the baseline games, up to 60 of the numbers that the experiment may change are edited, each
alone and by one step. The script prints the time of an edit with its games, intervals and changes.
It also prints the time of the same edit when it is repeated, which needs no games, and half the
width of the intervals in matchups that the edit affects.

    python -m experiments.benchmarks.whatif quickstart_scripts --games 1000
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Annotated

import numpy as np
import typer

from balance import build_space
from balance.contest.whatif import Edits, Exploration, Explored
from experiments.benchmarks.script import run_script
from experiments.loading import load_experiment
from sim.play import using_threads

_MOST = 60  # maximum number of edits: enough for a 95th percentile


def _lines(name: str, n_games: int) -> Iterator[str]:
    """Measure edits of an experiment's numbers, and yield the lines of the report.

    Args:
        name: name of the experiment.
        n_games: number of games per matchup.
    """
    experiment = load_experiment(name)
    contest = experiment.contest()
    space = build_space(contest, experiment.settings.tune)
    demands = experiment.settings.demands_in(contest).with_matchups(contest.matchup_names)
    exploration = Exploration(contest, experiment.settings.seed)
    baseline = exploration.explore({}, n_games)
    chosen = np.linspace(0, len(space.genes) - 1, min(_MOST, len(space.genes))).astype(int)
    edits: list[Edits] = [{space.genes[k]: 1 if space.high[k] > 0 else -1} for k in chosen]

    def explore_timed(edit: Edits) -> tuple[float, float, Explored]:
        began = time.perf_counter()
        began_cpu = time.process_time()
        explored = exploration.explore(edit, n_games)
        explored.rates(demands)
        explored.change_from(baseline, demands)
        return time.perf_counter() - began, time.process_time() - began_cpu, explored

    first, again = ([explore_timed(edit) for edit in edits] for _ in range(2))
    yield f"{name}: {len(contest.matchups)} matchups, {n_games:,} games each, {len(edits)} edits"
    for label, times in (("an edit", first), ("made again", again)):
        wall_ms, cpu_ms = (1000 * np.array([seconds[k] for seconds in times]) for k in (0, 1))
        yield (
            f"  {label}: median {np.median(wall_ms):.1f} ms, 95 % within "
            f"{np.quantile(wall_ms, 0.95):.1f} ms; CPU {np.median(cpu_ms):.1f} ms"
        )
    halves = list[tuple[float, float]]()
    for *_, explored in first:
        rates = explored.rates(demands)
        change = explored.change_from(baseline, demands)
        for n in np.flatnonzero(explored.can_differ(baseline)):
            widths = (float(interval.high[n] - interval.low[n]) for interval in (change, rates))
            halves.append((50 * next(widths), 50 * next(widths)))
    change_pp, rate_pp = np.median(halves, axis=0)
    yield f"  median interval of a change ± {change_pp:.2f} pp, of a rate ± {rate_pp:.2f} pp"


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    games: Annotated[int, typer.Option(min=4, help="Games per matchup.")] = 1_000,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Number of threads; default: all cores.")
    ] = None,
) -> None:
    """Measure response times and intervals of a what-if, and print them."""
    if games % 2:
        raise typer.BadParameter(
            f"{games} must be even: half of the games are played in each seating",
            param_hint="--games",
        )
    with using_threads(threads) if threads else nullcontext():
        for line in _lines(name, games):
            print(line, flush=True)


if __name__ == "__main__":
    run_script(main)
