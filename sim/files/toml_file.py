"""Search for TOML files of rulesets, pools and decks, and reading of TOML files."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

from sim.errors import InputError, error_place, known_help, known_word, listed
from sim.files.limits import check_depth, check_toml_text
from sim.files.toml_hints import toml_hint, toml_problem
from sim.files.whole_file import read_text
from sim.names import Names

DataKind = Literal["rulesets", "pools", "decks"]


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file: values by key.

    Raises:
        InputError: the file cannot be read (see `read_text`), exceeds the limits of
            `sim.files.limits`, or is not valid TOML (the message names the line).
    """
    path = Path(path)
    text = read_text(path)
    with error_place(path):
        return parse_toml(text)


def parse_toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text: values by key.

    Raises:
        InputError: the text exceeds the limits of `sim.files.limits`, or is not valid TOML (the
            message names the line).
    """
    check_toml_text(text)
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # `TOMLDecodeError`, or a number with thousands of digits
        end = f"at line {text.count(chr(10)) + 1}, at the end of the file"
        reason = str(error).replace("at end of document", end)
        raise InputError(
            f"not valid TOML{toml_problem(reason)}", remedy=toml_hint(text, reason)
        ) from None
    # The check of the text counts brackets and dots, but not the levels that headers of tables add.
    check_depth(data)
    return data


def find_data_file(kind: DataKind, name: str, near: Path | None = None) -> Path:
    """Return the path of the file of a ruleset, pool or deck.

    A name such as `core` is searched as `<near>/<name>.toml`, `<near>/<kind>/<name>.toml`, and
    among the files that the package contains. If no such file exists, files in these folders match
    if their file name, or the `name` inside the file, is another spelling of the name.

    Args:
        kind: kind of data, which is also the name of the folder of such files.
        name: name as above, or a path that ends in `.toml` and is relative to `near`.
        near: folder to search first, or a file in that folder; by default the current folder. A
            name never matches this file itself, so that an experiment may have the name of its
            ruleset.

    Raises:
        InputError: no file or several files match; the message lists the searched places or the
            matching files.
    """
    known_word("kind", kind, get_args(DataKind), "find_data_file()")
    if not isinstance(name, str):
        raise InputError(
            f"no {kind.removesuffix('s')} {name!r}: must be a name, or a path as text", value=name
        )
    folder = Path() if near is None else near.parent if _is_file(near) else near
    if name.endswith(".toml"):
        places = [folder / name]
    else:
        named = (root / f"{name}.toml" for root in _roots(kind, folder))
        places = [place for place in named if place != near]
    for place in places:
        if _is_file(place):
            return place
    is_path = name.endswith(".toml") or "/" in name or "\\" in name
    if not is_path and (file := _find_other_spelling(kind, name, folder, near)):
        return file
    searched = ", ".join(dict.fromkeys(map(str, places)))
    files = [path for root in _roots(kind, folder) if root.is_dir() for path in _files_in(root)]
    titles = {path: _own_name(kind, path) for path in files}
    stems = [path.stem for path, own in titles.items() if own is not None and not is_path]
    spelt = [*filter(None, titles.values()), *(path.stem for path in files)]
    remedy = known_help(name, spelt, stems)
    if kind == "pools" and name.lower().endswith((".csv", ".xlsx", ".json")):
        stem = name.rpartition(".")[0]
        remedy = (
            f"run `evenhand cards import {name}` to make {stem}.toml from that sheet, "
            f'then write pool = "{stem}"'
        )
    raise InputError(
        f"no {kind.removesuffix('s')} {name!r}: looked for {searched}",
        value=name,
        limit=tuple(stems),
        remedy=remedy,
    )


def _files_in(root: Path) -> list[Path]:
    return [path for path in sorted(root.glob("*.toml")) if _is_file(path)]


def _find_other_spelling(kind: DataKind, name: str, folder: Path, near: Path | None) -> Path | None:
    """Return the file that matches a name in any spelling; `None` if no file matches.

    Folders are searched in the order of `_roots`. In each folder, matching file names take
    precedence over a matching `name` inside a file.

    Args:
        kind: kind of data in the file.
        name: name of the ruleset, pool or deck.
        folder: folder to search first.
        near: file that never matches; `None` if all files may match.

    Raises:
        InputError: several files of the same folder match.
    """
    for root in _roots(kind, folder):
        if not root.is_dir():
            continue
        # The folder of an experiment has files of all kinds, which differ only by their keys.
        files = [path for path in _files_in(root) if path != near]
        by_stem = Names("file", {path.name: (path.stem,) for path in files}).matches(name)
        stems = [root / file for file in by_stem if _own_name(kind, root / file) is not None]
        titles = {path: _own_name(kind, path) for path in files} if not stems else {}
        by_title = Names("file", {str(p): (own,) for p, own in titles.items() if own is not None})
        matches = stems or [Path(file) for file in by_title.matches(name)]
        if len(matches) > 1:
            raise InputError(
                f"is the name of {listed(map(str, matches))}",
                place=f"{kind.removesuffix('s')} {name!r}",
                value=name,
                limit=tuple(map(str, matches)),
                remedy="give the path of the file",
            )
        if matches:
            return matches[0]
    return None


_MARKS: dict[DataKind, str] = {"rulesets": "deck_limit", "pools": "card", "decks": "cards"}
"""Key that only files of a kind have, for recognising the kind of a file."""


def _own_name(kind: DataKind, path: Path) -> str | None:
    """Return the `name` inside a file; `None` if the file is unreadable or of another kind."""
    try:
        data = read_toml(path)
    except InputError:
        return None
    own = data.get("name")
    return own if _MARKS[kind] in data and isinstance(own, str) else None


def _is_file(path: Path) -> bool:
    """Return whether a path is a file; `False` if the path is too long or not accessible."""
    try:
        return path.is_file()
    except OSError:
        return False


def _roots(kind: DataKind, folder: Path) -> list[Path]:
    return [folder, folder / kind, shipped_folder(kind)]


def shipped_folder(kind: DataKind) -> Path:
    """Return the package's own folder of data files of a kind."""
    return Path(str(resources.files("sim").joinpath("data"))) / kind
