"""Lookup of the experiment and suite files named on the command line, with helpful errors."""

from __future__ import annotations

import glob
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.spreadsheet.sheet_file import SHEET_ENDINGS
from sim.errors import InputError, did_you_mean, known_help
from sim.names import Names

# Other kinds of files, each with the key by which experiment files name it; by a table or key that
# only files of that kind have.
_KINDS = {
    "card": ("a pool of cards", "pool"),
    "cards": ("a deck", "deck"),
    "deck_limit": ("a ruleset", "ruleset"),
    "mana_max": ("a ruleset", "ruleset"),
}


def named_file(what: str, name: str, shipped: Path) -> Path:
    """Return the file of an experiment or suite, by its path or by the name of a shipped file.

    An existing path takes precedence over a shipped name.

    Args:
        what: kind of file, `experiment` or `suite`.
        name: path of the file, or name of a shipped file without its ending.
        shipped: folder of the shipped files.

    Raises:
        InputError: no such file exists, or the path is a folder or a sheet; the message suggests
            another name.
    """
    path = Path(name)
    if _is_folder(path):
        raise InputError("is a folder", place=name, remedy=f"name a file in it{_files_in(path)}")
    article = "an" if what[0] in "aeiou" else "a"
    if path.suffix.lower() in (*SHEET_ENDINGS, ".json"):
        is_json = path.suffix.lower() == ".json"
        of_games = "" if is_json else f"; to evaluate results of games: evenhand matchups {name}"
        raise InputError(
            f"is a sheet, not {article} {what}",
            place=name,
            remedy=f"to make a game of cards, run: evenhand init FOLDER --from {name}"
            f"{of_games}{_or_game_in(path.parent)}",
        )
    if _exists(path):  # not `is_file`, which is false for a pipe
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
        f"no file or shipped {what} is named {name!r}",
        value=name,
        limit=tuple(names),
        remedy=known_help(name, names, names),
    )


def check_is_experiment(path: Path, tables: Mapping[str, Any]) -> None:
    """Check that the content of a file is not that of a pool, a deck or a ruleset.

    Args:
        path: path of the file, for messages.
        tables: content of the file.

    Raises:
        InputError: the file has no player, and has a table or key of another kind of file.
    """
    if "player" in tables:
        return
    for mark, (kind, key) in _KINDS.items():
        if mark in tables:
            raise InputError(
                f"is not an experiment but {kind}",
                place=path,
                remedy=f"name it in an experiment file: {key} = {path.stem!r}"
                f"{_or_game_in(path.parent)}",
            )


def _exists(path: Path) -> bool:
    """Return whether a path exists; `False` if that cannot be determined."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder; `False` if that cannot be determined."""
    return _exists(path) and path.is_dir()


def _experiments_in(folder: Path) -> list[str]:
    """Return the paths of a folder's TOML files with players, sorted."""
    return [str(file) for file in _toml_files(folder) if _has_players(file)]


def _or_game_in(folder: Path) -> str:
    """Return an end of a message that suggests the experiments of a folder; `""` if it has none."""
    games = _experiments_in(folder)
    return f"; or name the experiment: {', '.join(games)}" if games else ""


def _files_in(folder: Path) -> str:
    """Return the end of a message about a folder: its experiments, or the required file ending."""
    names = _experiments_in(folder)
    return f": {', '.join(names)}" if names else " that ends in .toml"


def _nearest_file(path: Path) -> str:
    """Return a remedy for a missing file: a file with a similar name, or the folder's experiments.

    It is `""` if there are neither.
    """
    experiments = _experiments_in(path.parent)
    with_more = [str(file) for file in path.parent.glob(f"{glob.escape(path.name)}.*")]
    below = [str(file) for file in sorted(path.parent.glob(f"*/{glob.escape(path.name)}"))[:3]]
    if with_more or below:
        return f"; did you mean {(with_more or below)[0]!r}?"
    nearest = did_you_mean(str(path), experiments)
    return nearest or (f"; there is {', '.join(experiments)}" if experiments else "")


def _toml_files(folder: Path) -> list[Path]:
    """Return the first 100 TOML files of a folder, sorted; none if it cannot be read."""
    try:
        return sorted(folder.glob("*.toml"))[:100]  # reading more files would delay the message
    except OSError:
        return []


def _has_players(file: Path) -> bool:
    """Return whether the first 100 kB of a file contain `[[player]]`; `False` if unreadable."""
    try:
        with file.open("rb") as opened:
            return b"[[player]]" in opened.read(100_000)  # players come much earlier in a file
    except OSError:
        return False
