"""Rows of tables: classes whose fields are the columns, as CSV files, as plain data, and back.

A row is a `NamedTuple`. A field holds text, a number, a truth value, or a tuple of those with names
of its own, such as an interval, which fills several columns: `share: Interval` fills `share`,
`share_low` and `share_high`, unless `Annotated[Interval, ("share", "low", "high")]` names them. An
underscore behind a field's name, as in `from_`, is not part of the column's. Rows that no code
reads back are plain tuples beside the names of their columns.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from sim.errors import InputError, error_place
from sim.files.atomic_file import write_atomically
from sim.files.csv_file import csv_rows, csv_text
from sim.files.limits import check_cells
from sim.files.whole_file import read_bytes

Row = TypeVar("Row", bound=tuple[Any, ...])

_WANTED = {str: "text", int: "a whole number", bool: "True or False", float: "a number"}
_WHY = "made by another version, or damaged"

Kind: TypeAlias = type[Row] | tuple[str, ...]
"""What the rows of a table are: a class, or just the columns where no code reads them back."""


class _Field(NamedTuple):
    """A field of a row: the columns that it fills, what each of them holds, and what it is."""

    name: str
    columns: tuple[str, ...]
    kinds: tuple[type, ...]
    whole: Any
    is_optional: bool


def columns(kind: Kind[Row]) -> list[str]:
    """The columns that rows of this kind fill, in their order."""
    if isinstance(kind, tuple):
        return list(kind)
    return [column for field in _fields(kind) for column in field.columns]


def optional(row_type: type[Row]) -> dict[str, type]:
    """The columns that a row may lack, and what they hold otherwise."""
    return {
        column: kind
        for field in _fields(row_type)
        if field.is_optional
        for column, kind in zip(field.columns, field.kinds, strict=True)
    }


def cells(row: tuple[Any, ...]) -> list[Any]:
    """The values of a row, one for each column; `None` for those that it has not."""
    if not hasattr(row, "_fields"):
        return [one.item() if hasattr(one, "item") else one for one in _flat(row)]
    found = list[Any]()
    for field, value in zip(_fields(type(row)), row, strict=True):
        if value is None:
            found += [None] * len(field.columns)
        else:
            found += [kind(one) for kind, one in zip(field.kinds, _flat(value), strict=True)]
    return found


def entry(row: tuple[Any, ...]) -> dict[str, Any]:
    """A row as plain data: its values by column.

    Raises:
        TypeError: it is no row of a table, a `NamedTuple`.
    """
    if not hasattr(row, "_fields"):
        raise TypeError(f"{row!r} is no row of a table, such as balance.MatchupRow")
    return dict(zip(columns(type(row)), cells(row), strict=True))


def write_rows(path: Path, kind: Kind[Row], rows: Iterable[Row]) -> None:
    """Write a table for people; numbers keep six significant digits, what is missing is empty."""
    lines = [
        [f"{value:.6g}" if isinstance(value, float) else value for value in cells(row)]
        for row in rows
    ]
    write_atomically(path, csv_text([columns(kind), *lines]))


def read_rows(path: Path, row_type: type[Row]) -> list[Row]:
    """The rows of a table.

    Other columns are passed over; those of fields with a default may be missing.

    Raises:
        InputError: the file cannot be read, is no table, lacks a column, or holds what is no value
            of one.
    """
    path = Path(path)
    header, *lines = read_lines(path)
    defaults = row_type._field_defaults  # type: ignore[attr-defined]
    fields = [
        field
        for field in _fields(row_type)
        if field.name not in defaults or {*field.columns} <= {*header}
    ]
    for column in (column for field in fields for column in field.columns):
        if column not in header:
            raise InputError(f"{path}: has no column {column!r}; {_WHY}")
    entries = (dict(zip(header, line, strict=True)) for line in lines)
    return [
        row_type(**{one.name: _value(one, texts, f"{path}: row {number}") for one in fields})
        for number, texts in enumerate(entries, start=2)
    ]


def read_lines(path: Path) -> list[list[str]]:
    """The lines of a table as text, the names of its columns first.

    Raises:
        InputError: the file cannot be read, or is no table.
    """
    data = read_bytes(path)
    try:
        text = data.decode()
        with error_place(path):
            check_cells(text, ",")
        lines = csv_rows(text)
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
    whole, *named = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    column = name.rstrip("_")
    if not hasattr(whole, "_fields"):
        kind = whole if whole in _WANTED else float  # numbers of arrays
        return _Field(name, (column,), (kind,), whole, is_optional)
    kinds = tuple(kind for field in _fields(whole) for kind in field.kinds)
    others = [f"{column}_{other}" for other in columns(whole)[1:]]
    return _Field(name, named[0] if named else (column, *others), kinds, whole, is_optional)


def _flat(value: Any) -> list[Any]:
    return [one for part in value for one in _flat(part)] if isinstance(value, tuple) else [value]


def _value(field: _Field, texts: Mapping[str, str], place: str) -> Any:
    if field.is_optional and not any(texts[column] for column in field.columns):
        return None
    found = []
    for column, kind in zip(field.columns, field.kinds, strict=True):
        text = texts[column]
        try:
            found.append({"True": True, "False": False}[text] if kind is bool else kind(text))
        except (ValueError, LookupError):
            raise InputError(
                f"{place}: {column} must be {_WANTED[kind]}, not {text!r}; {_WHY}"
            ) from None
    return _built(field.whole, iter(found))


def _built(whole: Any, values: Iterator[Any]) -> Any:
    if not hasattr(whole, "_fields"):
        return next(values)
    return whole(*(_built(field.whole, values) for field in _fields(whole)))
