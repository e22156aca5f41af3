"""Suites: instances with known answers, and methods of searching that are tried on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from balance import apply_patch, register_optimiser
from balance.optimisers.random_search import random_search
from balance.optimisers.tree_parzen import tree_parzen
from balance.settings import Target
from balance.solving import Solve, solver_names
from experiments.experiment import Experiment, load_experiment, named_file
from experiments.files.experiment_file import ExperimentFile
from experiments.files.option_errors import blaming
from experiments.files.suite_file import Moves, SuiteFile
from sim import InputError, check_pool, read_toml, validate

SUITES = Path(str(resources.files("experiments").joinpath("suites")))
ExperimentT = TypeVar("ExperimentT", bound=Experiment)
BASELINES: dict[str, Solve] = {"random": random_search, "tpe": tree_parzen}
METHODS = SUITES.parent / "methods.toml"


@dataclass(frozen=True, kw_only=True)
class Suite(Experiment):
    """An experiment with balanced cards, and the instances that were made of them.

    Attributes:
        suite: what the suite's file says.
    """

    suite: SuiteFile

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of `command` depend on, as plain data."""
        suite = self.suite.model_dump(mode="json", by_alias=True)
        return super().resolved(command) | {"suite": suite}

    def asked(self, place: int) -> Experiment:
        """The question of the instance at a place, from 1 on, as an experiment of its own."""
        instance, settings = self.suite.instances[place - 1], self.settings
        with blaming(f"instance #{place}"):
            hidden = _edited(self, instance.hidden)
            if instance.kind != "target":
                return hidden
            self.contest().targets(instance.win_rates)
        target = Target(win_rate=instance.win_rates, band_pp=settings.target.band_pp)
        return self.with_settings(target=target)


def load_suite(name: str, results: Path = Path("results")) -> Suite:
    """Read a suite and the experiment that it names.

    Args:
        name: path of a file, or the name of a shipped suite such as `duel-3`.
        results: parent of the run folders, where trained agents are looked for.

    Raises:
        InputError: a file is missing or wrong; names the file, the field, the value, the limit.
    """
    path = named_file("suite", name, SUITES)
    suite = validate(SuiteFile, read_toml(path), source=str(path))
    place = suite.experiment
    with blaming(path):
        found = load_experiment(
            str(path.parent / place) if place.endswith(".toml") else place, results
        )
    settings = found.settings.model_copy(update={"name": suite.name, "seed": suite.seed})
    fields = vars(found) | {"path": path, "settings": settings}
    with blaming(path):
        return _edited(Suite(**fields, suite=suite), suite.base)


def load_methods(path: Path) -> dict[str, dict[str, Any]]:
    """Ways to search by name: what each sets otherwise than the experiment.

    From then on they may name the baselines `random` and `tpe` as their method.

    Raises:
        InputError: the file cannot be read, or holds something else.
    """
    for name, solve in BASELINES.items():
        if name not in solver_names():
            register_optimiser(name, solve)
    methods = read_toml(path)
    for name, settings in methods.items():
        if not isinstance(settings, dict):
            raise InputError(f"{path}: {name}: must be a table of settings, not {settings!r}")
    return methods


def with_overrides(experiment: Experiment, overrides: Mapping[str, Any], source: str) -> Experiment:
    """An experiment with some of the settings of its file given anew.

    Args:
        experiment: the experiment.
        overrides: tables and keys as in its file; a table's other keys stay as they are.
        source: where they are from; begins every message.

    Raises:
        InputError: they are no settings of an experiment.
    """
    data = _merged(experiment.settings.model_dump(by_alias=True, exclude_unset=True), overrides)
    return replace(experiment, settings=validate(ExperimentFile, data, source=source))


def _merged(data: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(data)
    for key, value in overrides.items():
        table = both.get(key)
        has_both = isinstance(table, dict) and isinstance(value, dict)
        both[key] = _merged(table, value) if has_both and table is not None else value
    return both


def _edited(experiment: ExperimentT, moves: Moves) -> ExperimentT:
    """The experiment with other cards."""
    pool = apply_patch(experiment.pool, [move.edit(experiment.pool) for move in moves])
    check_pool(pool, experiment.ruleset)
    return replace(experiment, pool=pool)
