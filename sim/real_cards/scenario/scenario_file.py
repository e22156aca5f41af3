"""Scenario files: one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path

from sim.errors import InputError
from sim.files.strict_model import validate
from sim.files.toml_file import read_text
from sim.real_cards.scenario.scenario import Scenario


def read_scenarios(path: Path) -> list[Scenario]:
    """The scenarios in a file, in its order; empty lines are passed over.

    Raises:
        InputError: the file cannot be read, holds no scenario, or a line is no JSON object, does
            not fit `Scenario` or repeats an id; names the line.
    """
    scenarios: dict[str, Scenario] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        source = f"{path}: line {number}"
        scenario = validate(Scenario, _json_object(line, source), source=source)
        if scenario.id in scenarios:
            raise InputError(f"{source}: id {scenario.id!r} is used by more than one scenario")
        scenarios[scenario.id] = scenario
    if not scenarios:
        raise InputError(f"{path}: holds no scenario")
    return list(scenarios.values())


def _json_object(line: str, source: str) -> dict[str, object]:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise InputError(f"{source}: not valid JSON: {error}") from None
    except RecursionError:
        raise InputError(f"{source}: not valid JSON: nested too deeply") from None
    if not isinstance(data, dict):
        raise InputError(f"{source}: must be a JSON object")
    return data
