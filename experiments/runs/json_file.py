"""JSON files of run folders: written readably; read with a word for what is damaged or lacks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.errors import InputError, error_place
from sim.files.json_text import parse_json
from sim.files.whole_file import read_bytes


def to_json(data: Any) -> str:
    """Plain data as readable JSON; numpy numbers and arrays become lists, NaN becomes null."""
    return json.dumps(_plain(data), indent=2, sort_keys=False, allow_nan=False) + "\n"


def digest(data: Any, n_letters: int = 8) -> str:
    """Letters that tell plain data from other data, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:n_letters]


def _plain(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if hasattr(data, "tolist"):
        return _plain(data.tolist())
    if isinstance(data, float):
        return round(data, 10) if data == data and abs(data) != float("inf") else None  # noqa: PLR0124
    return data


WHY = "made by another version, or damaged"


class _Part(dict[str, Any]):
    """An object of a file, with what to say of a key that it has not."""

    def __init__(self, content: dict[str, Any], lacks: str) -> None:
        super().__init__(content)
        self._lacks = lacks

    def __missing__(self, key: str) -> Any:
        raise InputError(f"{self._lacks} {key!r}; {WHY}")


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file; what is looked up in it and lacks is an `InputError`.

    Raises:
        InputError: the file cannot be read, is too deep or large, or holds something else.
    """
    data = read_bytes(path)
    with error_place(f"{path}: damaged"):
        content = parse_json(_decoded(data))
    if not isinstance(content, dict):
        raise InputError(f"{path}: damaged: it must hold a JSON object")
    whole: dict[str, Any] = _parts(content, path)
    return whole


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is no UTF-8") from None


def _parts(content: Any, path: Path, place: str = "") -> Any:
    """Content of a file with all of its objects made to tell what they lack."""
    if isinstance(content, list):
        before = f"{place}, no. " if place else "no. "
        return [_parts(item, path, f"{before}{k}") for k, item in enumerate(content, start=1)]
    if not isinstance(content, dict):
        return content
    parts = {
        key: _parts(item, path, f"{place}, {key}" if place else key)
        for key, item in content.items()
    }
    return _Part(parts, f"{path}: {place + ' ' if place else ''}has no")
