"""`evenhand bench`: measure the speed of many tasks, and ratios of speeds, in one process."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from balance.cards.card_contest import CardContest
from experiments.benchmarks.duel import TITLE, Published, Task, game_tasks, load_duel
from experiments.benchmarks.legacy import legacy_tasks
from experiments.benchmarks.other_commit import compare_with_commit
from experiments.cli.session import Session, Work, session_command
from experiments.runs.run import Findings
from experiments.screen import Screen, Table

REPEATS = 7  # rounds over all tasks; an odd number, so that the median is a measured time
_ROOT = Path(__file__).parents[2]


@session_command("json")
def bench(
    session: Session,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="COMMIT", help="Also time the code of this commit, on the duel experiment."
        ),
    ] = None,
) -> Work:
    """Measure the speed of evenhand on this machine.

    The output contains the rates of tasks, and ratios between engines.
    """
    return partial(session.measure, partial(run_bench, against=against))


def run_bench(screen: Screen, *, against: str | None = None) -> Findings:
    """Measure the CPU time of every task that this installation can run; return rates and ratios.

    Args:
        screen: where to show the progress.
        against: commit of the repository; its speed on the duel is compared with this checkout's.

    Raises:
        InputError: the repository has no commit `against`.
    """
    screen.stage("Getting ready")
    earlier = {}
    if against is not None:
        per_s, ratio = compare_with_commit(against)
        earlier["duel"] = {"per_s": per_s, "ratio": ratio, "against": against}
    tasks = all_tasks(load_duel())
    summary = earlier | compare(tasks, measure(tasks, screen))
    units = {task.name: task.unit for task in tasks}
    table = Table(
        f"{TITLE}; CPU time, median of {REPEATS}",
        ("what", "per CPU-second", "of", "ratio", "against"),
        [
            (
                name,
                f"{entry['per_s']:,.0f}",
                units.get(name, "games"),
                "" if entry["ratio"] is None else f"{entry['ratio']:.3g}",
                entry["against"],
            )
            for name, entry in summary.items()
        ],
    )
    return Findings(summary=summary, shown=[table])


def all_tasks(contest: CardContest) -> list[Task]:
    """Return the tasks of every topic, except those that need a package that is not installed."""
    from experiments.benchmarks.environments import big_two_task, step_task  # noqa: PLC0415 (an extra)

    tasks = [
        *game_tasks(contest),
        *_tasks_of_a_checkout(contest),
        step_task(contest),
        big_two_task(),
        *legacy_tasks(),
    ]
    if find_spec("torch"):
        from experiments.benchmarks.learning import network_tasks  # noqa: PLC0415 (loads torch)

        tasks += network_tasks(contest)
    return tasks


def measure(tasks: Sequence[Task], screen: Screen) -> dict[str, float]:
    """Return the median CPU time of each task over `REPEATS` rounds in seconds, by task name.

    Every round runs all tasks once, so that a change of the machine's speed affects all alike.
    """
    times_s: dict[str, list[float]] = {task.name: [] for task in tasks}
    with screen.progress("bench", REPEATS * len(tasks)) as advance:
        for turn in range(REPEATS * len(tasks)):
            task = tasks[turn % len(tasks)]
            advance(turn, task.name)
            # CPU time, because other processes on the machine hardly affect it.
            began_s = time.process_time()
            task.run()
            times_s[task.name].append(time.process_time() - began_s)
    return {name: median(times) for name, times in times_s.items()}


def compare(tasks: Sequence[Task], seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return each task's rate per CPU-second and its ratio to another rate, by task name."""
    rates = {task.name: task.amount / seconds[task.name] for task in tasks}
    summary = {}
    for task in tasks:
        ratio = None
        label = ""
        if isinstance(task.against, Published):
            ratio = rates[task.name] / task.against.per_s
            label = task.against.label
        elif task.against and task.against.task in rates:
            ratio = rates[task.name] / rates[task.against.task]
            label = task.against.label
            ratio = 1 / ratio if task.against.of_time else ratio
        summary[task.name] = {"per_s": rates[task.name], "ratio": ratio, "against": label}
    return summary


def _tasks_of_a_checkout(contest: CardContest) -> list[Task]:
    """Return the tasks of the reference engine; empty without the folder `tests` of a checkout."""
    if not (_ROOT / "tests" / "bench_tasks.py").exists():
        return []
    # The folder `tests` is not an installed package, so its parent must be on the path.
    sys.path.insert(0, str(_ROOT))
    tasks: list[Task] = import_module("tests.bench_tasks").tasks(contest)
    return tasks
