"""The committed file of hashes: how it is read, written, and compared with what a run gives."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

FROZEN = Path(__file__).parent / "frozen.json"
SHOWN = 4  # differing columns of one file that are named; the rest are counted

Hashes = Mapping[str, Mapping[str, str]]
"""By file, then by column or key, a short hash."""


def differences(name: str, expected: Hashes, found: Hashes) -> list[str]:
    """Return one line for each file that differs.

    Args:
        name: of the task, which begins each line.
        expected: hashes of the committed file.
        found: hashes of the present code.
    """
    lines = [f"{name}: {file}: missing" for file in expected if file not in found]
    lines += [f"{name}: {file}: new" for file in found if file not in expected]
    for file in expected:
        parts = list(_parts(expected[file], found[file])) if file in found else []
        if parts:
            more = f", and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
            lines.append(f"{name}: {file}: {', '.join(parts[:SHOWN])}{more}")
    return lines


def _parts(expected: Mapping[str, str], found: Mapping[str, str]) -> Iterator[str]:
    yield from (f"column or key {key!r} is missing" for key in expected if key not in found)
    yield from (f"column or key {key!r} is new" for key in found if key not in expected)
    for key, value in expected.items():
        if found.get(key, value) != value:
            yield f"values of {key!r} differ"


def read_frozen(path: Path = FROZEN) -> dict[str, Hashes]:
    """Return the hashes of the committed file by the names of tasks."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return {
        task: {file: dict(_unpacked(packed, content["columns"])) for file, packed in files.items()}
        for task, files in content["tasks"].items()
    }


def write_frozen(tasks: Mapping[str, Hashes], path: Path = FROZEN) -> None:
    """Write hashes by the names of tasks; lists of column names are written once."""
    columns: dict[str, list[str]] = {}
    packed = {
        task: {file: _packed(tasks[task][file], columns) for file in sorted(tasks[task])}
        for task in sorted(tasks)
    }
    content = {"columns": dict(sorted(columns.items())), "tasks": packed}
    path.write_text(_compact(content), encoding="utf-8")


def _compact(content: Mapping[str, Mapping[str, object]]) -> str:
    """Return JSON with a line for each list of columns and for each file."""
    columns = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(names)}" for key, names in content["columns"].items()
    )
    tasks = ",\n".join(
        f" {json.dumps(task)}: " + json.dumps(files, indent=1).replace("\n}", "\n }")
        for task, files in content["tasks"].items()
    )
    return f'{{"columns": {{\n{columns}\n}}, "tasks": {{\n{tasks}\n}}}}\n'


def _packed(hashes: Mapping[str, str], columns: dict[str, list[str]]) -> str:
    names = list(hashes)
    key = hashlib.sha256("\n".join(names).encode()).hexdigest()[:6]
    columns[key] = names
    return " ".join([key, *hashes.values()])


def _unpacked(packed: str, columns: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    key, *values = packed.split(" ")
    yield from zip(columns[key], values, strict=True)
