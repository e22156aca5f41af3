"""Files of experiments and suites that a command names, with help if there is none."""

from __future__ import annotations

import glob
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.errors import InputError, did_you_mean
from sim.files.sheet import SHEET_ENDINGS
from sim.names import Names

# Other kinds of files and the way to use them, by a table or key that only files of that kind have.
_KINDS = {
    "card": "a pool of cards; name it in an experiment file: pool = {stem!r}",
    "cards": "a deck; name it in an experiment file: deck = {stem!r}",
    "deck_limit": "a ruleset; name it in an experiment file: ruleset = {stem!r}",
    "mana_max": "a ruleset; name it in an experiment file: ruleset = {stem!r}",
}


def named_file(what: str, name: str, shipped: Path) -> Path:
    """Return the file of an experiment or suite, by its path or by a shipped name.

    Args:
        what: kind of file, `experiment` or `suite`.
        name: path of a file, or name of a shipped one.
        shipped: folder of the shipped files.

    Raises:
        InputError: there is none, or the path is a folder or a sheet; suggests another name.
    """
    path = Path(name)
    if _is_folder(path):
        raise InputError("is a folder", place=name, remedy=f"name a file in it{_files_in(path)}")
    if path.suffix.lower() in (*SHEET_ENDINGS, ".json"):
        raise InputError(
            f"is a sheet and no {what}",
            place=name,
            remedy=f"to make a game of it: evenhand init FOLDER --from {name}"
            f"{_or_game_in(path.parent)}",
        )
    if _exists(path):  # also a pipe
        return path
    if path.suffix == ".toml":
        raise InputError("no such file", place=name, remedy=_nearest_file(path))
    if _exists(shipped / f"{name}.toml"):
        return shipped / f"{name}.toml"
    if _exists(Path(f"{name}.toml")):
        raise InputError(
            f"no {what} file {name!r}", value=name, remedy=f"did you mean '{name}.toml'?"
        )
    names = sorted(file.stem for file in shipped.glob("*.toml"))
    if (known := Names(what, names).get(name)) is not None:
        return shipped / f"{known}.toml"
    raise InputError(
        f"no {what} file {name!r}, and no shipped {what} of that name ({', '.join(names)})",
        value=name,
        limit=tuple(names),
        remedy=did_you_mean(name, names),
    )


def check_is_experiment(path: Path, tables: Mapping[str, Any]) -> None:
    """Check that the tables of a file are not those of a pool, a deck or a ruleset.

    Args:
        path: the file.
        tables: its content.

    Raises:
        InputError: it has no player, and a table that only another kind of file has.
    """
    if "player" in tables:
        return
    for key, kind in _KINDS.items():
        if key in tables:
            problem, _, remedy = kind.format(stem=path.stem).partition("; ")
            raise InputError(
                f"is no experiment but {problem}",
                place=path,
                remedy=f"{remedy}{_or_game_in(path.parent)}",
            )


def _exists(path: Path) -> bool:
    """Return whether a path exists; `False` if it is too long or cannot be read."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder."""
    return _exists(path) and path.is_dir()


def _experiments_in(folder: Path) -> list[str]:
    """Return the TOML files of a folder that have players."""
    return [str(file) for file in _toml_files(folder) if _has_players(file)]


def _or_game_in(folder: Path) -> str:
    """Return the experiments of a folder as the end of a message, in case one of them was meant."""
    games = _experiments_in(folder)
    return f"; or name the experiment: {', '.join(games)}" if games else ""


def _files_in(folder: Path) -> str:
    """Return the experiments of a folder that was named itself, as the end of a message."""
    names = _experiments_in(folder)
    return f": {', '.join(names)}" if names else ", one that ends in .toml"


def _nearest_file(path: Path) -> str:
    """Return files with a similar name, else the folder's experiments, as a remedy."""
    experiments = _experiments_in(path.parent)
    with_more = [str(file) for file in path.parent.glob(f"{glob.escape(path.name)}.*")]
    below = [str(file) for file in sorted(path.parent.glob(f"*/{glob.escape(path.name)}"))[:3]]
    if with_more or below:
        return f"; did you mean {(with_more or below)[0]!r}?"
    nearest = did_you_mean(str(path), experiments)
    return nearest or (f"; there is {', '.join(experiments)}" if experiments else "")


def _toml_files(folder: Path) -> list[Path]:
    """Return the TOML files of a folder; none if it cannot be read."""
    try:
        return sorted(folder.glob("*.toml"))[:100]  # more would make a message slow
    except OSError:
        return []


def _has_players(file: Path) -> bool:
    """Return whether the head of a file looks like an experiment's, without parsing it."""
    try:
        with file.open("rb") as opened:
            return b"[[player]]" in opened.read(100_000)  # an experiment's head is far shorter
    except OSError:
        return False
