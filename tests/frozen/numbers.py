"""The numbers in the data files of a results folder, as one short hash per column or key."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

LEFT_OUT = frozenset(
    {
        *("seconds", "cpu_seconds", "cpu_s", "turn_ms", "game_s", "least_s", "most_s"),  # clocks
        *("commit", "python", "evenhand", "versions", "engine_hash", "made_of"),  # the code
        *("key", "session"),  # drawn anew by every workbench
        *("text", "message", "note", "notes", "what_changes"),  # words for people
    }
)
"""Columns and keys that only have to exist: their values are not compared."""
DEPTH = {"resolved.json": 2}
"""Levels of keys that have hashes of their own; a run's resolved settings are long."""
DEPTH_OF_OTHERS = 4
HEX = re.compile(r"\b(?=[0-9]*[a-f])[0-9a-f]{8,64}\b")  # not a whole number
FOLDER_HEX = re.compile(r"(?<=-)[0-9a-f]{8}(?=[/.])")
CATEGORY = re.compile(r"\S+( vs \S+)?")  # an id, a word of a file format, a matchup
NUMBER = re.compile(r"\d+(?:\.\d+)?")
NUMBER_ALONE = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]\d+)?")

Columns = dict[str, list[str]]
"""All values of a column or key, in the order of the file, by its name."""


def hashes_below(results: Path) -> dict[str, dict[str, str]]:
    """Return the hashes of every data file below a folder.

    Args:
        results: parent of run folders.

    Returns:
        By the file's path, in which digests are left out, the hash of each column or key.
    """
    found: dict[str, list[dict[str, str]]] = {}
    for path in sorted(results.rglob("[!.]*")):
        columns = columns_of(path) if path.is_file() else None
        if columns is not None:
            name = FOLDER_HEX.sub("#", HEX.sub("#", path.relative_to(results).as_posix()))
            hashes = {key: _hash(values) for key, values in columns.items()}
            found.setdefault(name, []).append(hashes)
    # Several files may differ in the digest of their name alone: their order is that of the hashes.
    return {
        name if place == 0 else f"{name} ({place + 1})": hashes
        for name, files in found.items()
        for place, hashes in enumerate(sorted(files, key=lambda one: sorted(one.items())))
    }


def columns_of(path: Path) -> Columns | None:
    """Return the values in a file by column or key, or None if the file holds no data.

    Logs, pages and figures are no data: they repeat in words what the other files hold.
    """
    reader = READERS.get(path.suffix)
    return None if reader is None else reader(path)


def _of_csv(path: Path) -> Columns:
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    cells = [[row[place] for row in rows] for place in range(len(header))]
    return _kept(dict(zip(header, cells, strict=True)))


def _of_json(path: Path) -> Columns:
    return _by_key(json.loads(path.read_text(encoding="utf-8")), _depth(path))


def _of_toml(path: Path) -> Columns:
    return _by_key(tomllib.loads(path.read_text(encoding="utf-8")), _depth(path))


def _of_parquet(path: Path) -> Columns:
    table = pd.read_parquet(path)
    return _kept({str(name): table[name].tolist() for name in table.columns})


def _of_network(path: Path) -> Columns:
    """Return digests of the tensors: members of an archive that also holds a pickle."""
    with zipfile.ZipFile(path) as archive:
        tensors = sorted(one for one in archive.namelist() if "/data/" in one)
        return {"tensors": [hashlib.sha256(archive.read(one)).hexdigest() for one in tensors]}


def _of_printed(path: Path) -> Columns:
    """Return the numbers of a command's standard output; its words may be rewritten."""
    return {"numbers": NUMBER.findall(HEX.sub("#", path.read_text(encoding="utf-8")))}


READERS: dict[str, Callable[[Path], Columns]] = {
    ".csv": _of_csv,
    ".json": _of_json,
    ".toml": _of_toml,
    ".parquet": _of_parquet,
    ".pt": _of_network,
    ".printed": _of_printed,
}


def _depth(path: Path) -> int:
    return DEPTH.get(path.name, DEPTH_OF_OTHERS)


def _by_key(data: Any, depth: int) -> Columns:
    """Return all plain values by their dotted keys; below `depth` by the outer keys alone."""
    found: Columns = {}
    for keys, value in _leaves(data, ()):
        named = ".".join(keys[:depth])
        # A deeper key stays part of the value, so that a renamed one is still seen.
        deeper = ".".join(keys[depth:])
        is_left_out = any(key in LEFT_OUT for key in keys)
        text = _text(value, is_left_out=is_left_out)
        found.setdefault(named, []).append(f"{deeper}={text}" if deeper else text)
    return found


def _leaves(data: Any, keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(data, Mapping) and data:
        # Keys are sorted by name since their order in a file means nothing.
        for key in sorted(data):
            yield from _leaves(data[key], (*keys, HEX.sub("#", key)))
    elif isinstance(data, list) and data:
        for one in data:
            yield from _leaves(one, (*keys[:-1], f"{keys[-1]}[]") if keys else ("[]",))
    else:
        yield keys or ("(all)",), data


def _kept(columns: Mapping[str, list[Any]]) -> Columns:
    return {
        HEX.sub("#", key): [_text(value, is_left_out=key in LEFT_OUT) for value in values]
        for key, values in columns.items()
    }


def _text(value: Any, *, is_left_out: bool) -> str:
    """Return a number or category exactly, and "~" for free text, paths and what is left out."""
    if is_left_out:
        return "~"
    if not isinstance(value, str):
        return "" if value is None else repr(value)
    if NUMBER_ALONE.fullmatch(value):
        return value
    is_path = "/" in value and Path(value).is_absolute()
    if is_path or (value and not CATEGORY.fullmatch(value)):
        return "~"
    return HEX.sub("#", value)


def _hash(values: list[str]) -> str:
    return hashlib.sha256("\n".join(values).encode()).hexdigest()[:5]
