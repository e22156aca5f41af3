"""TOML files of rulesets, pools and decks: finding and reading them."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

from sim.errors import InputError, error_place, known_help, known_word, listed
from sim.files.limits import check_depth, check_toml_text
from sim.files.toml_hints import toml_hint
from sim.files.whole_file import read_text
from sim.names import Names

DataKind = Literal["rulesets", "pools", "decks"]


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of the TOML file at `path`.

    Raises:
        InputError: the file is none for `read_text`, too deep or large (see `sim.files.limits`), or
            not TOML (with the line).
    """
    path = Path(path)
    text = read_text(path)
    with error_place(path):
        return parse_toml(text)


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of TOML that was read from anywhere.

    Raises:
        InputError: it is too deep or large (see `sim.files.limits`), or not TOML (with the line).
    """
    check_toml_text(text)
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # `TOMLDecodeError`, or a number of thousands of digits
        end = f"at line {text.count(chr(10)) + 1}, the end of the file"
        reason = str(error).replace("at end of document", end)
        raise InputError(f"not valid TOML: {reason}{toml_hint(text, reason)}") from None
    check_depth(data)  # headers, dots and brackets add up
    return data


def find_data_file(kind: DataKind, name: str, near: Path | None = None) -> Path:
    """The file that `name` stands for.

    Args:
        kind: which folder of data the name belongs to.
        name: a name like `core`, looked up as `<near>/<name>.toml`, then
            `<near>/<kind>/<name>.toml`, then among the shipped files; then in any spelling as the
            name of a file there, or as the `name` that one gives itself. Or a path that ends in
            `.toml`, relative to `near`.
        near: a folder, or a file in it, which no name stands for (so that an experiment may be
            called like its ruleset); default the current folder.

    Raises:
        InputError: there is no such file, or several may be meant; the message lists the places
            and a near spelling, or those files.
    """
    known_word("kind", kind, get_args(DataKind), "find_data_file()")
    if not isinstance(name, str):
        raise InputError(f"no {kind.removesuffix('s')} {name!r}: must be a name, or a path as text")
    folder = Path() if near is None else near.parent if _is_file(near) else near
    if name.endswith(".toml"):
        places = [folder / name]
    else:
        named = (root / f"{name}.toml" for root in _roots(kind, folder))
        places = [place for place in named if place != near]  # no file means itself by a name
    for place in places:
        if _is_file(place):
            return place
    is_path = name.endswith(".toml") or "/" in name or "\\" in name
    if not is_path and (found := _spelt_otherwise(kind, name, folder, near)):
        return found
    looked = ", ".join(dict.fromkeys(map(str, places)))
    files = [path for root in _roots(kind, folder) if root.is_dir() for path in _files_in(root)]
    titles = {path: _own_name(kind, path) for path in files}
    stems = [path.stem for path, own in titles.items() if own is not None and not is_path]
    spelt = [*filter(None, titles.values()), *(path.stem for path in files)]
    is_sheet = kind == "pools" and name.lower().endswith((".csv", ".xlsx", ".json"))
    made = f"; evenhand cards import {name} makes {name.rpartition('.')[0]}.toml of that sheet"
    hint = f'{made}; write pool = "{name.rpartition(".")[0]}"' if is_sheet else ""
    raise InputError(
        f"no {kind.removesuffix('s')} {name!r}: looked for {looked}"
        f"{hint or known_help(name, spelt, stems)}"
    )


def _files_in(root: Path) -> list[Path]:
    return [path for path in sorted(root.glob("*.toml")) if _is_file(path)]


def _spelt_otherwise(kind: DataKind, name: str, folder: Path, near: Path | None) -> Path | None:
    """The file whose name, or whose own `name`, is spelt otherwise; in the first folder with one.

    Raises:
        InputError: several in one folder; names them.
    """
    for root in _roots(kind, folder):
        if not root.is_dir():
            continue
        # What lies beside an experiment may be anything: files there are of the kind by their keys.
        files = [path for path in _files_in(root) if path != near]
        by_stem = Names("file", {path.name: (path.stem,) for path in files}).matches(name)
        stems = [root / one for one in by_stem if _own_name(kind, root / one) is not None]
        titles = {path: _own_name(kind, path) for path in files} if not stems else {}
        by_title = Names("file", {str(p): (own,) for p, own in titles.items() if own is not None})
        found = stems or [Path(one) for one in by_title.matches(name)]
        if len(found) > 1:
            raise InputError(
                f"{kind.removesuffix('s')} {name!r}: may be {listed(map(str, found), 'or')}; give "
                "the file"
            )
        if found:
            return found[0]
    return None


_MARKS: dict[DataKind, str] = {"rulesets": "deck_limit", "pools": "card", "decks": "cards"}
"""A key that only files of a kind have."""


def _own_name(kind: DataKind, path: Path) -> str | None:
    """What a file calls itself; `None` if it is not of the kind."""
    try:
        told = read_toml(path)
    except InputError:
        return None
    own = told.get("name")
    return own if _MARKS[kind] in told and isinstance(own, str) else None


def _is_file(path: Path) -> bool:
    """`False` also for a path that is too long or leads through a closed folder."""
    try:
        return path.is_file()
    except OSError:
        return False


def _roots(kind: DataKind, folder: Path) -> list[Path]:
    return [folder, folder / kind, shipped_folder(kind)]


def shipped_folder(kind: DataKind) -> Path:
    """The folder of the data that comes with the package."""
    return Path(str(resources.files("sim").joinpath("data"))) / kind
