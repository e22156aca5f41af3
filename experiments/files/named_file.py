"""The file of an experiment or a suite that a command names, and what to name instead."""

from __future__ import annotations

import glob
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.errors import InputError, did_you_mean
from sim.files.sheet import SHEET_ENDINGS
from sim.names import Names

_KINDS = {  # by a table or key that files of that kind alone hold
    "card": "a pool of cards; name it in an experiment file: pool = {stem!r}",
    "cards": "a deck; name it in an experiment file: deck = {stem!r}",
    "deck_limit": "a ruleset; name it in an experiment file: ruleset = {stem!r}",
    "mana_max": "a ruleset; name it in an experiment file: ruleset = {stem!r}",
}


def named_file(what: str, name: str, shipped: Path) -> Path:
    """Find a file by its path, or a shipped one by its name.

    Args:
        what: kind of file that is wanted, `experiment` or `suite`.
        name: path of a file, or the name of a shipped one.
        shipped: folder of the shipped ones.

    Raises:
        InputError: there is none, or the path is a folder's or a sheet's; says what to give
            instead.
    """
    path = Path(name)
    if _is_folder(path):
        raise InputError(f"{name}: is a folder; name a file in it{_files_in(path)}")
    if path.suffix.lower() in (*SHEET_ENDINGS, ".json"):
        raise InputError(
            f"{name}: is no {what} but a sheet; to make a game of it: evenhand init FOLDER --from "
            f"{name}{_or_game_in(path.parent)}"
        )
    if _exists(path):  # also a pipe
        return path
    if path.suffix == ".toml":
        raise InputError(f"{name}: no such file{_nearest_file(path)}")
    if _exists(shipped / f"{name}.toml"):
        return shipped / f"{name}.toml"
    if _exists(Path(f"{name}.toml")):
        raise InputError(f"no {what} file {name!r}; did you mean '{name}.toml'?")
    names = sorted(file.stem for file in shipped.glob("*.toml"))
    if (known := Names(what, names).get(name)) is not None:
        return shipped / f"{known}.toml"
    raise InputError(
        f"no {what} file {name!r}, and no shipped {what} of that name "
        f"({', '.join(names)}){did_you_mean(name, names)}"
    )


def check_is_experiment(path: Path, tables: Mapping[str, Any]) -> None:
    """Refuse the tables of a pool, a deck or a ruleset where an experiment is wanted.

    Raises:
        InputError: the file holds no player, and something that another kind of file holds.
    """
    if "player" in tables:
        return
    for key, kind in _KINDS.items():
        if key in tables:
            raise InputError(
                f"{path}: is no experiment but {kind.format(stem=path.stem)}"
                f"{_or_game_in(path.parent)}"
            )


def _exists(path: Path) -> bool:
    """Whether there is such a path; `False` for one that is too long or cannot be read."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    return _exists(path) and path.is_dir()


def _experiments_in(folder: Path) -> list[str]:
    """The TOML files of a folder that have players."""
    return [str(file) for file in _toml_files(folder) if _has_players(file)]


def _or_game_in(folder: Path) -> str:
    """The experiments of a folder, where one of them may have been meant."""
    games = _experiments_in(folder)
    return f"; or name the experiment: {', '.join(games)}" if games else ""


def _files_in(folder: Path) -> str:
    """The experiments of a folder that was named itself, as the end of a message."""
    names = _experiments_in(folder)
    return f": {', '.join(names)}" if names else ", one that ends in .toml"


def _nearest_file(path: Path) -> str:
    """The near spellings of a missing file, else the experiments in its folder."""
    experiments = _experiments_in(path.parent)
    with_more = [str(file) for file in path.parent.glob(f"{glob.escape(path.name)}.*")]
    below = [str(file) for file in sorted(path.parent.glob(f"*/{glob.escape(path.name)}"))[:3]]
    if with_more or below:
        return f"; did you mean {(with_more or below)[0]!r}?"
    nearest = did_you_mean(str(path), experiments)
    return nearest or (f"; there is {', '.join(experiments)}" if experiments else "")


def _toml_files(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.toml"))[:100]  # more would make a message slow
    except OSError:
        return []


def _has_players(file: Path) -> bool:
    """Whether the head of a file looks like an experiment's; it is not parsed."""
    try:
        with file.open("rb") as opened:
            return b"[[player]]" in opened.read(100_000)  # an experiment's head is far shorter
    except OSError:
        return False
