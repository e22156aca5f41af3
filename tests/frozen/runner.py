"""Runs of one case: reduced copies of the experiment files, its commands, and what they wrote."""

from __future__ import annotations

import shlex
import shutil
import time
import tomllib
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from tests.command_line import ROOT, command
from tests.frozen.cases import CASES, LEARNING, SMALL, TUNING, Case, Settings
from tests.frozen.numbers import hashes_below

CONFIGS = ROOT / "experiments" / "configs"
SUITES = ROOT / "experiments" / "suites"
RULINGS = ROOT / "tests" / "sim" / "published_rulings.jsonl"
ONE_THREAD = ("--threads", "1", "--no-plots")  # as many tasks run at once as there are cores
WITHOUT_THREADS = ("replay", "report", "init", "cards", "conformance")
WITHOUT_RESULTS = ("init", "cards", "conformance")
STATUS = "exit statuses"


@dataclass(frozen=True)
class Task:
    """A case at a run seed.

    Attributes:
        case: name of the case.
        seed: run seed, which replaces that of the experiment files.
        place: an empty folder to work in.
    """

    case: str
    seed: int
    place: Path

    @property
    def name(self) -> str:
        return f"{self.case}, seed {self.seed}"


@dataclass(frozen=True)
class Done:
    """What a task came out with.

    Attributes:
        name: of the task.
        hashes: by file, then by column or key.
        seconds: how long it took.
        faults: messages of commands that failed.
    """

    name: str
    hashes: dict[str, dict[str, str]]
    seconds: float
    faults: list[str]


def tasks(place: Path, only: str = "") -> list[Task]:
    """Return the tasks of all cases with `only` in their name, each with its own folder."""
    from tests.frozen.samples import SAMPLES

    seeds = {case.name: case.seeds for case in CASES} | dict.fromkeys(SAMPLES, (7,))
    return [
        Task(name, seed, place / f"{number}-{seed}")
        for number, name in enumerate(seeds)
        if only in name
        for seed in seeds[name]
    ]


def carry_out(task: Task) -> Done:
    """Run a task's commands; return the hashes of all they wrote."""
    from tests.frozen.samples import SAMPLES

    began = time.perf_counter()
    results = task.place / "results"
    results.mkdir(parents=True)
    statuses: dict[str, str] = {}
    faults: list[str] = []
    try:
        if task.case in SAMPLES:
            SAMPLES[task.case](task.place)
        else:
            (case,) = (one for one in CASES if one.name == task.case)
            run_commands(case, task, statuses, faults)
        hashes = {STATUS: statuses} | hashes_below(results)
    except Exception:  # noqa: BLE001 (the other tasks go on, and this one is reported)
        hashes = {}
        faults.append(traceback.format_exc())
    return Done(task.name, hashes, time.perf_counter() - began, faults)


def run_commands(case: Case, task: Task, statuses: dict[str, str], faults: list[str]) -> None:
    """Run a case's commands one after the other, on reduced copies of the experiments."""
    here, results = task.place / "here", task.place / "results"
    names = reduced_copies(here, case, task.seed) | {"here": here, "results": results}
    for line in case.commands:
        typed, _, printed = line.partition(" > ")
        arguments = [one.format_map(names) for one in shlex.split(typed)]
        options: tuple[str | Path, ...] = ()
        if arguments[0] not in WITHOUT_THREADS:
            options += ONE_THREAD
        if arguments[0] not in WITHOUT_RESULTS:
            options += ("--results", results)
        outcome = command(*arguments, *options)
        statuses[line] = str(outcome.status)
        if outcome.status not in {0, 1}:
            faults.append(f"{line}: {outcome.err}")
        elif printed:
            (results / printed).write_text(outcome.out, encoding="utf-8")


def reduced_copies(here: Path, case: Case, seed: int) -> dict[str, Path]:
    """Copy all shipped experiments, suites and what they name, with small budgets.

    Args:
        here: where to.
        case: the case with the settings that apply.
        seed: the run seed of all of them.

    Returns:
        The experiment files by their names.
    """
    shutil.copytree(CONFIGS, here)
    shutil.copy(RULINGS, here)
    for suite in SUITES.glob("*.toml"):
        shutil.copy(suite, here)
    found: dict[str, Path] = {}
    for shipped in CONFIGS.glob("*.toml"):
        path = here / shipped.name
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        document["seed"] = seed
        for settings in (*common_settings(document), case.settings.get(path.stem, {})):
            replace_settings(document, settings)
        path.write_text(tomlkit.dumps(document), encoding="utf-8")
        found[path.stem] = path
    return found


def common_settings(experiment: Mapping[str, Any]) -> list[Settings]:
    """Return the reductions for an experiment file of this kind."""
    if "game" in experiment:
        return []
    learners = experiment.get("learner", [])
    if not learners:
        return [SMALL]
    return [SMALL, TUNING if learners[0].get("kind") == "turn" else LEARNING]


def replace_settings(table: dict[str, Any], settings: Settings) -> None:
    """Put settings in place of a table's own, key by key; None deletes a key."""
    for key, value in settings.items():
        if value is None:
            table.pop(key, None)
        elif isinstance(value, dict):
            inner = table.get(key)
            table[key] = inner if isinstance(inner, dict) else {}
            replace_settings(table[key], value)
        else:
            table[key] = value
