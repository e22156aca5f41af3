"""Reading of cards from JSON files of other programs, as the rows of a sheet."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from sim.errors import InputError
from sim.files.csv_file import Row
from sim.files.json_text import json_reason
from sim.files.limits import check_json_text, too_many_error
from sim.files.whole_file import read_text

TITLES_ROW = 0  # number of the row of titles (the objects' keys); the first object is row 1
_TITLES_MAX = 500  # limits memory: each row has a cell for every distinct key of the file
_NAMES = ("cards", "card")  # keys of the list of cards in an object with several lists
_EXAMPLE = '[{"name": "Oak", "cost": 1, "attack": 2, "health": 3}, ...]'


def json_rows(path: Path) -> list[Row]:
    """Return a row of titles, and a row for each object with a filled value in a JSON file.

    The file contains a list of objects, an object with a single list of objects, such as
    `{"cards": [...]}`, or an object with the card objects by id. The titles are all keys of the
    objects. An empty list gives no rows.

    Args:
        path: path of the JSON file.

    Raises:
        InputError: the file cannot be read, is not valid JSON, does not contain such objects, or
            has other tables or too many distinct keys.
    """
    text = read_text(path)
    if not text.strip():
        raise InputError(
            "is empty", place=path, remedy=f"write a list of cards, such as {_EXAMPLE}"
        )
    try:
        check_json_text(text)
        # Numbers are kept as text, like cells of other sheets, so that the same code checks them.
        data = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=str,
            parse_float=str,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"not valid JSON ({json_reason(error)})",
            place=f"{path}: line {error.lineno}",
            remedy=_fix_of(text, error),
        ) from None
    except InputError as error:
        raise error.at(path) from None
    key = _key_of_cards(data) if isinstance(data, dict) else None
    if key is not None and (others := _other_tables(data, key)):
        raise InputError(
            f"key {others[0]!r} beside the cards cannot be imported",
            place=path,
            value=others[0],
            remedy='delete it, and write copies in a deck as a key of each card: "deck: Red": 2',
        )
    entries = _card_objects(data if key is None else data[key])
    if entries is None:
        raise InputError(f"must be a list of cards, such as {_EXAMPLE}", place=path)
    titles = list(dict.fromkeys(title for entry in entries for title in entry))
    if len(titles) > _TITLES_MAX:
        raise too_many_error(len(titles), "different keys", _TITLES_MAX).with_fields(place=path)
    rows = [[_cell(entry.get(title)) for title in titles] for entry in entries]
    filled = [(number, cells) for number, cells in enumerate(rows, start=1) if any(cells)]
    return [(TITLES_ROW, [title.strip() for title in titles]), *filled] if entries else []


def _fix_of(text: str, error: json.JSONDecodeError) -> str:
    """Return the remedy for a frequent mistake in JSON; `""` for other mistakes.

    Args:
        text: content of the file.
        error: error of the JSON parser, with the position of the mistake.
    """
    before = text[: error.pos].rstrip()
    at = text[error.pos : error.pos + 2].lstrip()
    if error.msg == "Extra data":
        return "put [ and ] around all cards, and a comma between two"
    if at.startswith(("//", "/*", "#")):
        return "delete the comment, since JSON permits none"
    if before.endswith(",") and at[:1] in ("]", "}"):
        return f"delete the comma before {at[0]}"
    return ""


def _refuse_constant(word: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, which Python accepts although they are not part of JSON.

    Raises:
        InputError: always.
    """
    raise InputError(f"{word} is not a number of JSON", value=word, remedy="write a number or null")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of a JSON object as a dictionary.

    Raises:
        InputError: a key occurs twice, so that a value would be lost.
    """
    data = dict(pairs)
    if len(data) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise InputError(
            f"key {twice!r} occurs twice in one object", value=twice, remedy="keep one"
        )
    return data


def _key_of_cards(data: Mapping[str, Any]) -> str | None:
    """Return the key of the cards in a JSON object.

    This is the only key with cards that is called `cards` or `card`, in upper or lower case, else
    the only key with a nonempty list. Return `None` if no key or several keys qualify.
    """
    named = [key for key, value in data.items() if key.lower() in _NAMES and _card_objects(value)]
    lists = [key for key, value in data.items() if isinstance(value, list) and value]
    keys = named or lists
    return keys[0] if len(keys) == 1 and _card_objects(data[keys[0]]) else None


def _other_tables(data: Mapping[str, Any], cards: str) -> list[str]:
    """Return the keys that have lists or objects as values, except the key of the cards."""
    return [key for key, value in data.items() if key != cards and isinstance(value, list | dict)]


def _card_objects(value: object) -> list[dict[str, Any]] | None:
    """Return the card objects in a JSON value; `None` if the value contains none.

    A list of objects is returned unchanged. A nonempty object of objects is returned as a list in
    which each object has its key as `id`, unless it has an `id` already.
    """
    if isinstance(value, list):
        return value if _are_objects(value) else None
    if isinstance(value, dict) and value and _are_objects(list(value.values())):
        return [{"id": key, **card} for key, card in value.items()]
    return None


def _are_objects(data: Sequence[object]) -> bool:
    return all(isinstance(item, dict) for item in data)


def _cell(value: object) -> str:
    """Return a JSON value as the text of a cell.

    `null` gives `""`, truth values give `TRUE` or `FALSE`, and items of a flat list are joined by
    `; `. Objects and nested lists are kept as JSON.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
        return "; ".join(map(_cell, value))
    return str(value).strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
