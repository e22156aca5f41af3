"""Rows of tables: classes whose fields are the columns, as CSV files, as plain data, and back.

A row is a `NamedTuple`. A field holds text, a number, a truth value, or a tuple of those with names
of its own, such as an interval, which fills several columns: `share: Interval` fills `share`,
`share_low` and `share_high`, unless `Annotated[Interval, ("share", "low", "high")]` names them. An
underscore behind a field's name, as in `from_`, is not part of the column's.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from sim.errors import InputError
from sim.files.atomic_file import write_atomically
from sim.files.csv_file import csv_rows, csv_text

Row = TypeVar("Row", bound=tuple[Any, ...])

_TRUTH = {"True": True, "False": False}
_READERS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    str: ("text", str),
    int: ("a whole number", int),
    bool: ("True or False", lambda text: _TRUTH[text]),
}


class _Field(NamedTuple):
    """A field of a row: what it holds, whether that may be missing, and the columns it fills."""

    name: str
    kind: Any
    is_optional: bool
    columns: tuple[str, ...]


def columns(row_type: type[Row]) -> list[str]:
    """The columns that rows of this kind fill, in their order."""
    return [column for field in _fields(row_type) for column in field.columns]


def optional(row_type: type[Row]) -> dict[str, type[int] | type[float]]:
    """The columns of numbers that a row may lack, and of what kind those are."""
    return {
        column: int if kind is int else float
        for field in _fields(row_type)
        if field.is_optional
        for column, kind in zip(field.columns, _kinds(field.kind), strict=True)
    }


def cells(row: tuple[Any, ...]) -> list[Any]:
    """The values of a row, one for each column; `None` for those that it has not."""
    found = list[Any]()
    for field, value in zip(_fields(type(row)), row, strict=True):
        known = [None] * len(field.columns) if value is None else _flat(field.kind, value)
        found.extend(known)
    return found


def entry(row: tuple[Any, ...]) -> dict[str, Any]:
    """A row as plain data: its values by column."""
    return dict(zip(columns(type(row)), cells(row), strict=True))


def write_rows(path: Path, row_type: type[Row], rows: Iterable[Row]) -> None:
    """Write a table for people; numbers keep six significant digits, what is missing is empty."""
    lines = [[_shown(value) for value in cells(row)] for row in rows]
    write_atomically(path, csv_text([columns(row_type), *lines]))


def read_rows(path: Path, row_type: type[Row]) -> list[Row]:
    """The rows of a table.

    Other columns are passed over; those of fields with a default may be missing.

    Raises:
        InputError: the file cannot be read, is no table, lacks a column, or holds what is no value
            of one.
    """
    header, *lines = read_lines(path)
    at = {column: place for place, column in enumerate(header)}
    fields = _fields(row_type)
    defaults: Mapping[str, Any] = row_type._field_defaults  # type: ignore[attr-defined]
    lacking = [field for field in fields if not at.keys() >= set(field.columns)]
    for field in lacking:
        if field.name not in defaults:
            missing = next(column for column in field.columns if column not in at)
            raise InputError(
                f"{path}: has no column {missing!r}; made by another version, or damaged"
            )
    there = [field for field in fields if field not in lacking]
    return [
        row_type(**{field.name: _value(field, line, at, f"{path}: row {n}") for field in there})
        for n, line in enumerate(lines, start=2)
    ]


def read_lines(path: Path) -> list[list[str]]:
    """The lines of a table as text, the names of its columns first.

    Raises:
        InputError: the file cannot be read, or is no table.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = csv_rows(file.read())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: damaged: {error}") from error
    if not lines or len(set(lines[0])) < len(lines[0]):
        raise InputError(f"{path}: damaged: its first line must name the columns")
    for number, line in enumerate(lines, start=1):
        if len(line) != len(lines[0]):
            raise InputError(
                f"{path}: damaged: row {number} has {len(line)} values for {len(lines[0])} columns"
            )
    return lines


@cache
def _fields(row_type: type[tuple[Any, ...]]) -> tuple[_Field, ...]:
    hints = get_type_hints(row_type, include_extras=True)
    return tuple(_field(name, hints[name]) for name in row_type._fields)  # type: ignore[attr-defined]


def _field(name: str, hint: Any) -> _Field:
    is_optional = get_origin(hint) in {Union, UnionType}
    if is_optional:
        hint = get_args(hint)[0]
    kind, *named = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    column = name.rstrip("_")
    if named:
        return _Field(name, kind, is_optional, named[0])
    if not hasattr(kind, "_fields"):
        return _Field(name, kind, is_optional, (column,))
    _, *others = columns(kind)
    return _Field(name, kind, is_optional, (column, *(f"{column}_{other}" for other in others)))


def _kinds(kind: Any) -> list[Any]:
    """What each column holds that a value of this kind fills."""
    if not hasattr(kind, "_fields"):
        return [kind]
    return [one for field in _fields(kind) for one in _kinds(field.kind)]


def _flat(kind: Any, value: Any) -> list[Any]:
    if hasattr(kind, "_fields"):
        return [one for field, part in zip(_fields(kind), value, strict=True)
                for one in _flat(field.kind, part)]  # fmt: skip
    return [(kind if kind in _READERS else float)(value)]


def _shown(value: Any) -> Any:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def _value(field: _Field, line: Sequence[str], at: Mapping[str, int], place: str) -> Any:
    texts = [line[at[column]] for column in field.columns]
    if field.is_optional and not any(texts):
        return None
    found = []
    for column, text, kind in zip(field.columns, texts, _kinds(field.kind), strict=True):
        wanted, read = _READERS.get(kind, ("a number", float))
        try:
            found.append(read(text))
        except (ValueError, LookupError):
            raise InputError(
                f"{place}: {column} must be {wanted}, not {text!r}; made by another version, or "
                "damaged"
            ) from None
    return _built(field.kind, iter(found))


def _built(kind: Any, values: Iterator[Any]) -> Any:
    if not hasattr(kind, "_fields"):
        return next(values)
    return kind(*(_built(field.kind, values) for field in _fields(kind)))
