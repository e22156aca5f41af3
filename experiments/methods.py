"""Search methods of studies and suites: named settings that override those of an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, overload

from balance import register_optimiser
from balance.search.methods import Solve, solver_names
from balance.search.optimisers.baselines import random_search, require_optuna, tree_parzen
from experiments.contest_experiment import ContestExperiment
from experiments.experiment import Experiment
from sim import InputError, error_place, read_toml, validate
from sim.names import named_word

METHODS_FILE = Path(str(resources.files("experiments").joinpath("methods.toml")))
"""File with the settings of the shipped methods."""

BASELINES: dict[str, Solve] = {"random": random_search, "tpe": tree_parzen}
"""Optimisers that serve as baselines in studies, by name."""


def load_methods(path: Path) -> dict[str, dict[str, Any]]:
    """Return the settings of each method in a file, by the name of the method.

    The call also registers the baselines `random` and `tpe`, so that settings may name them.

    Raises:
        InputError: the file cannot be read, or a method in it is not a table of settings.
    """
    for name, solve in BASELINES.items():
        if name not in solver_names():
            register_optimiser(name, solve)
    methods = read_toml(path)
    for name, settings in methods.items():
        if not isinstance(settings, dict):
            raise InputError(
                f"must be a table of settings, not {settings!r}",
                place=f"{path}: {name}",
                value=settings,
            )
    return methods


def chosen_methods(
    methods: Mapping[str, dict[str, Any]], names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the settings of methods that are chosen by name.

    Args:
        methods: settings of the methods in a file, by name.
        names: names of methods or of external optimisers; if empty, all methods of the file are
            chosen.

    Returns:
        Settings by name, in the order of `names`.

    Raises:
        InputError: a name is unknown.
    """
    external = {name: {"search": {"method": name, "assist": False}} for name in solver_names()}
    known = external | dict(methods)
    chosen = [named_word("method", name, known) for name in names]
    return {name: known[name] for name in chosen or methods}


@overload
def with_overrides(
    experiment: Experiment, overrides: Mapping[str, Any], source: str
) -> Experiment: ...
@overload
def with_overrides(
    experiment: ContestExperiment, overrides: Mapping[str, Any], source: str
) -> ContestExperiment: ...
def with_overrides(
    experiment: Experiment | ContestExperiment, overrides: Mapping[str, Any], source: str
) -> Experiment | ContestExperiment:
    """Return an experiment with given settings overridden.

    Relaxations of the search are switched off unless the file or the overrides set `search.widen`,
    so that compared methods play the same number of games.

    Args:
        experiment: experiment to change.
        overrides: tables and keys as in an experiment file; keys that are not listed keep their
            values.
        source: origin of the overrides, for errors.

    Raises:
        InputError: the overrides are invalid, or require a package that is not installed.
    """
    explicit = experiment.settings.model_dump(by_alias=True, exclude_unset=True)
    # The relaxations are switched off first, so that the file and the overrides take precedence.
    data = _merge(_merge({"search": {"widen": False}}, explicit), overrides)
    settings: Any = validate(type(experiment.settings), data, source=source)
    if settings.search.method == "tpe":
        require_optuna()
    with error_place(source):
        if isinstance(experiment, ContestExperiment):
            return replace(experiment, settings=settings).checked()
        updated = replace(experiment, settings=settings).with_known_names()
    return updated.within_total()


def _merge(data: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a nested table with values replaced by those of another nested table.

    Args:
        data: table to copy.
        overrides: values that replace those of `data`; tables in both are merged recursively.
    """
    merged = dict(data)
    for key, value in overrides.items():
        table = merged.get(key)
        has_both = isinstance(table, dict) and isinstance(value, dict)
        merged[key] = _merge(table, value) if has_both and table is not None else value
    return merged
