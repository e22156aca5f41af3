"""JSON files of run folders: readable text, and clear errors for damaged or incomplete files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from sim.errors import InputError
from sim.files.json_text import parse_json
from sim.files.whole_file import read_bytes


def to_json(data: Any) -> str:
    """Return plain data as indented JSON text.

    Floats are rounded to ten decimals. Numpy numbers and arrays become numbers and lists, NaN and
    infinities become null.
    """
    return json.dumps(_to_plain(data), indent=2, sort_keys=False, allow_nan=False) + "\n"


def digest(data: Any, n_letters: int = 8) -> str:
    """Return a SHA-256 hash of plain data that does not depend on the order of keys.

    Args:
        data: data that JSON can represent.
        n_letters: number of hexadecimal digits to return.
    """
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:n_letters]


def _to_plain(data: Any) -> Any:
    """Return data as JSON types: numpy values converted, floats rounded, keys as text."""
    if isinstance(data, Mapping):
        return {str(key): _to_plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_to_plain(value) for value in data]
    if hasattr(data, "tolist"):
        return _to_plain(data.tolist())
    if isinstance(data, float):
        # 10 decimals are easier to read, and hide last bits that differ between processors.
        return round(data, 10) if isfinite(data) else None
    return data


WHY = "the file is damaged or was written by another version of evenhand; repeat the run"
"""Usual reason for a missing key in a file of a run, with the fix, as the end of a message."""

UNFIT = "damaged, or written by another version of evenhand"
"""Beginning of a message on a file of a run with unexpected content."""

_REPEAT = "repeat the run that wrote it"


class _Part(dict[str, Any]):
    """Dictionary from a JSON file that raises an `InputError` for a missing key."""

    def __init__(self, content: dict[str, Any], path: Path, element: str) -> None:
        """Copy the content of an object.

        Args:
            content: content of the object.
            path: file that contains the object, for messages.
            element: place of the object in the file, for messages; `""` for the whole content.
        """
        super().__init__(content)
        self._path = path
        self._element = element

    def __missing__(self, key: str) -> Any:
        element = f"{self._element}: " if self._element else ""
        raise InputError(f"{element}missing key {key!r}", place=self._path, value=key, remedy=WHY)


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file.

    Access to a missing key of the object, or of an object in it, raises an `InputError`.

    Args:
        path: JSON file to read.

    Raises:
        InputError: the file cannot be read, is not valid JSON, is too large or too deeply nested,
            or its content is not an object.
    """
    data = read_bytes(path)
    try:
        content = parse_json(_decode(data))
    except InputError as error:
        # A program wrote the file, so the parser's phrase helps less than the position.
        problem = f"not valid JSON at {error.place}" if error.place else error.problem
        raise InputError(f"damaged: {problem}", place=path, remedy=_REPEAT) from None
    if not isinstance(content, dict):
        raise InputError("damaged: it is not a JSON object", place=path, remedy=_REPEAT)
    whole: dict[str, Any] = _with_missing_errors(content, path)
    return whole


def _decode(data: bytes) -> str:
    """Return the text of UTF-8 bytes.

    Raises:
        InputError: the bytes are not valid UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text at byte {error.start}") from None


def _with_missing_errors(content: Any, path: Path, place: str = "") -> Any:
    """Return JSON content with all objects replaced by ones that raise errors for missing keys.

    Args:
        content: content of a file, or a part of it.
        path: file with the content, for messages.
        place: place of the part in the file, for messages; `""` for the whole content.
    """
    if isinstance(content, list):
        before = f"{place} #" if place else "#"
        return [
            _with_missing_errors(item, path, f"{before}{k}")
            for k, item in enumerate(content, start=1)
        ]
    if not isinstance(content, dict):
        return content
    parts = {
        key: _with_missing_errors(item, path, f"{place}.{key}" if place else key)
        for key, item in content.items()
    }
    return _Part(parts, path, place)
