"""Ways to search by name: what each sets otherwise than an experiment, for studies and suites."""

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
BASELINES: dict[str, Solve] = {"random": random_search, "tpe": tree_parzen}


def load_methods(path: Path) -> dict[str, dict[str, Any]]:
    """What each way to search sets, by name.

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


def chosen_methods(
    methods: Mapping[str, dict[str, Any]], names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Those that are named, which may be optimisers from outside; all of them if none is.

    Raises:
        InputError: there is no such method.
    """
    from_outside = {name: {"search": {"method": name, "assist": False}} for name in solver_names()}
    known = from_outside | dict(methods)
    chosen = [named_word("method", name, known) for name in names]
    return {name: known[name] for name in chosen or methods}


def with_overrides(experiment: Experiment, overrides: Mapping[str, Any], source: str) -> Experiment:
    """An experiment with some of the settings of its file given anew.

    Ways that are compared play what they were given: none widens by itself unless told to.

    Args:
        experiment: the experiment.
        overrides: tables and keys as in its file; a table's other keys stay as they are.
        source: where they are from; begins every message.

    Raises:
        InputError: they are no settings of an experiment, or need what is not installed.
    """
    told = experiment.settings.model_dump(by_alias=True, exclude_unset=True)
    data = _merged(_merged({"search": {"widen": False}}, told), overrides)
    settings = validate(ExperimentFile, data, source=source)
    if settings.search.method == "tpe":
        require_optuna()
    with error_place(source):
        named = replace(experiment, settings=settings).with_known_names()
    return named.within_total()


def _merged(data: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(data)
    for key, value in overrides.items():
        table = both.get(key)
        has_both = isinstance(table, dict) and isinstance(value, dict)
        both[key] = _merged(table, value) if has_both and table is not None else value
    return both
