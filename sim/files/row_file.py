"""Tables in CSV files, with rows as instances of `NamedTuple` classes.

A field of a row is a text, a number, a truth value, or a `NamedTuple` of these, like an interval.
The latter fills several columns: `share: Interval` fills `share`, `share_low` and `share_high`,
unless `Annotated[Interval, ("share", "low", "high")]` names the columns. A trailing underscore of a
field's name, as in `from_`, is not part of the column's name. Rows of tables that are only written
may be plain tuples, with separate names of the columns.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
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
_CAUSE = "the file is damaged or was written by another version of evenhand"

Kind: TypeAlias = type[Row] | tuple[str, ...]
"""Type of a table's rows: a `NamedTuple` class, or the column names of a write-only table."""


class _Field(NamedTuple):
    """Field of a row class, with the columns that it fills.

    Attributes:
        name: name of the field in the class.
        columns: names of the columns that the field fills.
        kinds: type of the values in each of the columns; `object` for a number or a word.
        whole: type of the field's value: a type in `kinds`, or a `NamedTuple` of several.
        is_optional: whether the value may be `None`, which is written as blank cells.
    """

    name: str
    columns: tuple[str, ...]
    kinds: tuple[type, ...]
    whole: Any
    is_optional: bool


def columns(kind: Kind[Row]) -> list[str]:
    """Return the names of a table's columns, in order.

    Args:
        kind: class of the table's rows, or the names themselves.
    """
    if isinstance(kind, tuple):
        return list(kind)
    return [column for field in _fields(kind) for column in field.columns]


def optional(row_type: type[Row]) -> dict[str, type]:
    """Return the type of the values in each column that may have blank cells, by column name."""
    return {
        column: kind
        for field in _fields(row_type)
        if field.is_optional
        for column, kind in zip(field.columns, field.kinds, strict=True)
    }


def cells(row: tuple[Any, ...]) -> list[Any]:
    """Return the values of a row, one for each column; `None` for each blank cell.

    Numbers of arrays are returned as numbers of Python.
    """
    if not hasattr(row, "_fields"):
        return [value.item() if hasattr(value, "item") else value for value in _flat(row)]
    values = list[Any]()
    for field, value in zip(_fields(type(row)), row, strict=True):
        if value is None:
            values += [None] * len(field.columns)
        else:
            parts = zip(field.kinds, _flat(value), strict=True)
            values += [_converted(kind, part) for kind, part in parts]
    return values


def entry(row: tuple[Any, ...]) -> dict[str, Any]:
    """Return the values of a row by column name; `None` for each blank cell.

    Raises:
        TypeError: `row` is not a `NamedTuple`.
    """
    if not hasattr(row, "_fields"):
        raise TypeError(f"{row!r} is no row of a table, such as balance.MatchupRow")
    return dict(zip(columns(type(row)), cells(row), strict=True))


def write_rows(path: Path, kind: Kind[Row], rows: Iterable[Row]) -> None:
    """Write a table to a CSV file, with six significant digits for fractional numbers.

    Args:
        path: path of the file.
        kind: class of the rows, or the names of the columns.
        rows: rows of the table; `None` in a field gives blank cells.

    Raises:
        InputError: `path` cannot be written.
    """
    lines = [
        [f"{value:.6g}" if isinstance(value, float) else value for value in cells(row)]
        for row in rows
    ]
    write_atomically(path, csv_text([columns(kind), *lines]))


def read_rows(path: Path, row_type: type[Row]) -> list[Row]:
    """Read a table from a CSV file.

    Columns that the class does not have are ignored. A field with a default value gets it if the
    file lacks any of its columns.

    Args:
        path: path of the file.
        row_type: class of the rows, a `NamedTuple`.

    Raises:
        InputError: the file cannot be read, is not a table, lacks a column, or has a value of a
            wrong type.
    """
    path = Path(path)
    header, *lines = read_lines(path)
    # Files of earlier versions may lack columns that were added later with a default.
    defaults = row_type._field_defaults  # type: ignore[attr-defined]
    fields = [
        field
        for field in _fields(row_type)
        if field.name not in defaults or {*field.columns} <= {*header}
    ]
    for column in (column for field in fields for column in field.columns):
        if column not in header:
            raise InputError(f"no column {column!r}; {_CAUSE}", place=path, limit=column)
    entries = (dict(zip(header, line, strict=True)) for line in lines)
    return [
        row_type(**{field.name: _value(field, texts, f"{path}: row {number}") for field in fields})
        for number, texts in enumerate(entries, start=2)
    ]


def read_lines(path: Path) -> list[list[str]]:
    """Return the rows of a CSV table as texts, beginning with the names of the columns.

    Raises:
        InputError: the file cannot be read, is not UTF-8 or not CSV, has too many cells, repeats a
            column name, or has rows of different lengths.
    """
    data = read_bytes(path)
    try:
        text = data.decode()
        with error_place(path):
            check_cells(text, ",")
        lines = csv_rows(text)
    except UnicodeDecodeError as error:
        raise InputError("damaged: not UTF-8 text", place=path) from error
    except csv.Error as error:
        raise InputError(f"damaged: not valid CSV ({error})", place=path) from error
    if not lines or len(set(lines[0])) < len(lines[0]):
        raise InputError("damaged: its first line must name the columns", place=path)
    for number, line in enumerate(lines, start=1):
        if len(line) != len(lines[0]):
            raise InputError(
                f"damaged: row {number} has {len(line)} cells, the first row has {len(lines[0])}",
                place=path,
                value=len(line),
                limit=len(lines[0]),
            )
    return lines


@cache
def _fields(row_type: type[tuple[Any, ...]]) -> tuple[_Field, ...]:
    hints = get_type_hints(row_type, include_extras=True)
    return tuple(_field(name, hints[name]) for name in row_type._fields)  # type: ignore[attr-defined]


def _field(name: str, hint: Any) -> _Field:
    is_union = get_origin(hint) in {Union, UnionType}
    is_optional = is_union and type(None) in get_args(hint)
    if is_optional:
        hint = get_args(hint)[0]
    elif is_union:  # a number or a word, such as `sim.simulator.block.Value`
        return _Field(name, (name.rstrip("_"),), (object,), object, is_optional=False)
    whole, *named = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    column = name.rstrip("_")
    if not hasattr(whole, "_fields"):
        # Types of array elements, such as `np.float32`, are read as float.
        kind = whole if whole in _WANTED else float
        return _Field(name, (column,), (kind,), whole, is_optional)
    kinds = tuple(kind for field in _fields(whole) for kind in field.kinds)
    others = [f"{column}_{other}" for other in columns(whole)[1:]]
    return _Field(name, named[0] if named else (column, *others), kinds, whole, is_optional)


def _converted(kind: type, value: Any) -> Any:
    """Return a value as one of a kind; for `object`, a text as a number if it is one."""
    if kind is not object:
        return kind(value)
    if isinstance(value, str):
        for number in (int, float):
            with suppress(ValueError):
                return number(value)
    return value


def _flat(value: Any) -> list[Any]:
    if not isinstance(value, tuple):
        return [value]
    return [item for part in value for item in _flat(part)]


def _value(field: _Field, texts: Mapping[str, str], place: str) -> Any:
    if field.is_optional and not any(texts[column] for column in field.columns):
        return None
    values = []
    for column, kind in zip(field.columns, field.kinds, strict=True):
        text = texts[column]
        try:
            is_bool = kind is bool
            values.append(
                {"True": True, "False": False}[text] if is_bool else _converted(kind, text)
            )
        except (ValueError, LookupError):
            raise InputError(
                f"{column} must be {_WANTED[kind]}, not {text!r}; {_CAUSE}",
                place=place,
                value=text,
                limit=kind,
            ) from None
    return _build(field.whole, iter(values))


def _build(whole: Any, values: Iterator[Any]) -> Any:
    """Return an object of type `whole` that is built from the next values of an iterator.

    Args:
        whole: a `NamedTuple` class, built from the values of its fields, or any other type, for
            which the next value is returned.
        values: values of the columns in order.
    """
    if not hasattr(whole, "_fields"):
        return next(values)
    return whole(*(_build(field.whole, values) for field in _fields(whole)))
