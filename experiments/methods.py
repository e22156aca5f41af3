"""Search methods by name: settings that override those of an experiment, for studies and suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from balance import register_optimiser
from balance.methods import Solve, solver_names
from balance.optimisers.baselines import random_search, require_optuna, tree_parzen
from experiments.experiment import Experiment
from experiments.files.experiment_file import ExperimentFile
from sim import InputError, error_place, read_toml, validate
from sim.names import named_word

METHODS_FILE = Path(str(resources.files("experiments").joinpath("methods.toml")))
"""File with the settings of the shipped methods."""

BASELINES: dict[str, Solve] = {"random": random_search, "tpe": tree_parzen}
"""Optimisers that studies compare with, by name."""


def load_methods(path: Path) -> dict[str, dict[str, Any]]:
    """Return the settings of each method in a file, by name.

    The call registers the baselines `random` and `tpe`, so that methods may name them.

    Raises:
        InputError: the file cannot be read or is not a table of settings.
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
    """Return the named methods, which may be external optimisers; all if none is named.

    Args:
        methods: settings of the methods of a file, by name.
        names: names to choose.

    Raises:
        InputError: there is no such method.
    """
    external = {name: {"search": {"method": name, "assist": False}} for name in solver_names()}
    known = external | dict(methods)
    chosen = [named_word("method", name, known) for name in names]
    return {name: known[name] for name in chosen or methods}


def with_overrides(experiment: Experiment, overrides: Mapping[str, Any], source: str) -> Experiment:
    """Return an experiment with some settings of its file overridden.

    Methods that are compared play the games that they are given, so no search is relaxed unless the
    file or the overrides ask for it.

    Args:
        experiment: the experiment.
        overrides: tables and keys as in its file; other keys of a table stay as they are.
        source: origin of the overrides, for errors.

    Raises:
        InputError: the overrides are invalid, or require a package that is not installed.
    """
    explicit = experiment.settings.model_dump(by_alias=True, exclude_unset=True)
    # The relaxations are switched off first, so that the file and the overrides take precedence.
    data = _merge(_merge({"search": {"widen": False}}, explicit), overrides)
    settings = validate(ExperimentFile, data, source=source)
    if settings.search.method == "tpe":
        require_optuna()
    with error_place(source):
        updated = replace(experiment, settings=settings).with_known_names()
    return updated.within_total()


def _merge(data: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with the values of another table put over its own, at every depth."""
    merged = dict(data)
    for key, value in overrides.items():
        table = merged.get(key)
        has_both = isinstance(table, dict) and isinstance(value, dict)
        merged[key] = _merge(table, value) if has_both and table is not None else value
    return merged
