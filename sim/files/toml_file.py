"""TOML files of rulesets, pools and decks: finding and reading them."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from sim.errors import InputError, blaming, did_you_mean
from sim.files.limits import check_depth, check_toml_text
from sim.files.whole_file import read_text

DataKind = Literal["rulesets", "pools", "decks"]


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of the TOML file at `path`.

    Raises:
        InputError: the file is none for `read_text`, too deep or large (see `sim.files.limits`), or
            not TOML (with the line).
    """
    text = read_text(path)
    with blaming(path):
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
        raise InputError(f"not valid TOML: {reason}") from None
    check_depth(data)  # headers, dots and brackets add up
    return data


def find_data_file(kind: DataKind, name: str, near: Path | None = None) -> Path:
    """The file that `name` stands for.

    Args:
        kind: which folder of data the name belongs to.
        name: a name like `core`, looked up as `<near>/<name>.toml`, then
            `<near>/<kind>/<name>.toml`, then among the shipped files; or a path that ends in
            `.toml`, relative to `near`.
        near: a folder, or a file in it, which no name stands for (so that an experiment may be
            called like its ruleset); default the current folder.

    Raises:
        InputError: there is no such file; the message lists the places and a near spelling.
    """
    folder = Path() if near is None else near.parent if _is_file(near) else near
    if name.endswith(".toml"):
        places = [folder / name]
    else:
        named = (root / f"{name}.toml" for root in _roots(kind, folder))
        places = [place for place in named if place != near]  # no file means itself by a name
    for place in places:
        if _is_file(place):
            return place
    looked = ", ".join(dict.fromkeys(map(str, places)))
    names = [
        stem
        for root in _roots(kind, folder)
        if root.is_dir()
        for stem in sorted(path.stem for path in root.glob("*.toml"))
    ]
    raise InputError(
        f"no {kind.removesuffix('s')} {name!r}: looked for {looked}{did_you_mean(name, names)}"
    )


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
