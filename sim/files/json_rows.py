"""Cards as a game's own data folder has them: a JSON list of objects, as the rows of a sheet."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.errors import InputError
from sim.files.csv_file import Row
from sim.files.limits import check_json_text
from sim.files.whole_file import read_text

TITLES_ROW = 0  # the keys, which stand in no entry; the first entry is row 1
_TITLES_MAX = 500  # distinct keys; a row has a cell for each, so that more would fill the memory
_NAMES = ("cards", "card")  # keys that hold the cards, where an object has several lists
_EXAMPLE = '[{"name": "Oak", "cost": 1, "attack": 2, "health": 3}, ...]'


def json_rows(path: Path) -> list[Row]:
    """The titles, then a row for each object of a JSON file.

    The objects may stand in a list, in the only list of an object (`{"cards": [...]}`), or by their
    ids in an object.

    Raises:
        InputError: the file cannot be read, is no JSON, or holds no such objects.
    """
    text = read_text(path)
    try:
        check_json_text(text)
        data = json.loads(text, object_pairs_hook=_object, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        fix = _fix_of(text, error)
        raise InputError(f"{path}: line {error.lineno}: not valid JSON: {error.msg}{fix}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    entries = _entries(data)
    if isinstance(data, dict) and (others := _other_tables(data, entries)):
        raise InputError(
            f"{path}: key {others[0]!r} next to the cards is not read; take it out (copies in a "
            'deck are a key of each card, such as "deck: Red": 2)'
        )
    if entries is None:
        raise InputError(f"{path}: must be a list of cards, such as {_EXAMPLE}")
    titles = list(dict.fromkeys(title for entry in entries for title in entry))
    if len(titles) > _TITLES_MAX:
        raise InputError(f"{path}: {len(titles):,} different keys, must be at most {_TITLES_MAX}")
    rows = [[_cell(entry.get(title)) for title in titles] for entry in entries]
    filled = [(number, cells) for number, cells in enumerate(rows, start=1) if any(cells)]
    return [(TITLES_ROW, [title.strip() for title in titles]), *filled] if entries else []


def _fix_of(text: str, error: json.JSONDecodeError) -> str:
    """What to write instead, for the mistakes that people make most often."""
    before = text[: error.pos].rstrip()
    at = text[error.pos : error.pos + 2].lstrip()
    if error.msg == "Extra data":
        return "; put [ and ] around all cards, and a comma between two"
    if at.startswith(("//", "/*", "#")):
        return "; JSON has no comments, take it out"
    if before.endswith(",") and at[:1] in ("]", "}"):
        return "; take out the comma before it"
    return ""


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that is there twice one value would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise InputError(f"key {twice!r} is there twice in one object")
    return found


def _entries(data: object) -> Sequence[Mapping[str, Any]] | None:
    """The objects that are cards, if they can be found among the rest."""
    if isinstance(data, list) and _are_objects(data):
        return data
    if not isinstance(data, dict):
        return None
    named = [value for key, value in data.items() if key.lower() in _NAMES and _is_many(value)]
    many = named or [value for value in data.values() if isinstance(value, list) and value]
    if len(many) == 1:
        return _listed(many[0])
    if data and all(isinstance(value, dict) for value in data.values()):
        return [{"id": key, **value} for key, value in data.items()]
    return None


def _other_tables(data: Mapping[str, Any], entries: object) -> list[str]:
    """Keys next to that of the cards that hold lists or objects, which would be lost."""
    is_wrapped = any(_is_many(value) and _listed(value) == entries for value in data.values())
    others = [key for key, value in data.items() if isinstance(value, list | dict)]
    return [key for key in others if _listed(data[key]) != entries] if is_wrapped else []


def _is_many(value: object) -> bool:
    """Whether these may be the cards: a list of objects, or objects by their ids."""
    if isinstance(value, dict):
        return bool(value) and _are_objects(list(value.values()))
    return isinstance(value, list) and bool(value) and _are_objects(value)


def _listed(value: Any) -> list[Any] | None:
    """A list as it is; objects by their ids with them."""
    if isinstance(value, dict):
        are_objects = _are_objects(list(value.values()))
        return [{"id": key, **one} for key, one in value.items()] if are_objects else None
    return value if isinstance(value, list) and _are_objects(value) else None


def _are_objects(data: Sequence[object]) -> bool:
    return all(isinstance(one, dict) for one in data)


def _cell(value: object) -> str:
    """A value as a spreadsheet would show it; nested ones stay JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, list) and not any(isinstance(one, list | dict) for one in value):
        return "; ".join(map(_cell, value))
    return str(value).strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
