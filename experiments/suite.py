"""Suites: instances with known answers, on which ways to search are tried."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from balance import apply_patch
from balance.planting import rates_alone
from balance.target import demands_of
from experiments.experiment import Experiment
from experiments.files.suite_file import Moves, SuiteFile
from experiments.loading import load_experiment, named_file
from sim import blaming, check_pool, read_toml, validate

SUITES = Path(str(resources.files("experiments").joinpath("suites")))
ExperimentT = TypeVar("ExperimentT", bound=Experiment)


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
            target = rates_alone(settings.target, instance.win_rates)
            demands_of(self.contest(), target)
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


def _edited(experiment: ExperimentT, moves: Moves) -> ExperimentT:
    """The experiment with other cards."""
    pool = apply_patch(experiment.pool, [move.edit(experiment.pool) for move in moves])
    check_pool(pool, experiment.ruleset)
    return replace(experiment, pool=pool)
