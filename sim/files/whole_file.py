"""Files that people write, read whole: their bytes or text, or one line that says why not."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Final

from sim.errors import InputError
from sim.files.limits import FILE_MIB_MAX

_SHOWN_MAX: Final = 5  # files of a folder; more would hide what was missed


def read_bytes(path: Path) -> bytes:
    """All that a file holds; also that of a pipe.

    Raises:
        InputError: the file is missing, not a file, not readable, or longer than `FILE_MIB_MAX`.
    """
    most = FILE_MIB_MAX * 2**20
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file{_what_is_there(path)}") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read: {reason}") from None
    if len(content) > most:
        raise InputError(
            f"{path}: longer than {FILE_MIB_MAX} MiB, or without end; name a smaller file"
        )
    return content


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, line ends as they are, without a byte order mark.

    Raises:
        InputError: the file is none for `read_bytes`, or not UTF-8 (with the line).
    """
    return text_in(read_bytes(path), path)


def text_in(content: bytes, path: Path) -> str:
    """What the bytes of the file at `path` say in UTF-8, without a byte order mark.

    Raises:
        InputError: they are not UTF-8 (with the line).
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A leading mark shifts `start` by its three bytes, which never hold a line end.
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{path}: line {line}: not UTF-8 text; save the file as UTF-8") from None


def _what_is_there(path: Path) -> str:
    """How to get at a link, else the files of the same kind that the folder has."""
    if path.parts and path.parts[0] in ("http:", "https:"):
        return (
            "; a link is not read: save the page as a file first (in Google Sheets by File > "
            "Download > Comma-separated values)"
        )
    if not path.parent.is_dir():
        return f": there is no folder {path.parent}"
    there = sorted(one.name for one in path.parent.glob(f"*{glob.escape(path.suffix)}"))
    shown = ", ".join(there[:_SHOWN_MAX])
    return f"; {path.parent.absolute()} has {shown}" if there and path.suffix else ""
