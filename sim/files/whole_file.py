"""Files that people write, read whole: their bytes or text, or a refusal in one line."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Final

from sim.errors import InputError
from sim.files.limits import FILE_MIB_MAX

_SHOWN_MAX: Final = 5  # files of a folder in a message; more would hide the problem


def read_bytes(path: Path) -> bytes:
    """Return the content of a file or a pipe.

    Raises:
        InputError: the file is missing, not a file, not readable, or longer than `FILE_MIB_MAX`.
    """
    most = FILE_MIB_MAX * 2**20
    try:
        with path.open("rb") as file:
            # One byte more than permitted shows whether a file is longer than the limit; the size
            # in the directory is no help, since devices and pipes have none.
            content = file.read(most + 1)
    except FileNotFoundError:
        raise _missing_file_error(path) from None
    except IsADirectoryError:
        raise InputError("is a folder, not a file", place=path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", place=path) from None
    if len(content) > most:
        raise InputError(
            f"longer than {FILE_MIB_MAX} MiB, or without end",
            place=path,
            limit=most,
            remedy="name a smaller file",
        )
    return content


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, line ends as they are, without a byte order mark.

    Raises:
        InputError: the file cannot be read (see `read_bytes`), or is not UTF-8 (with the line).
    """
    return text_in(read_bytes(path), path)


def text_in(content: bytes, path: Path) -> str:
    """Return the text of UTF-8 bytes, without a byte order mark.

    Args:
        content: the bytes.
        path: path of their file, for messages.

    Raises:
        InputError: they are not UTF-8 (with the line).
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A byte order mark shifts `start` by its three bytes, which never hold a line end.
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            "not UTF-8 text", place=f"{path}: line {line}", remedy="save the file as UTF-8"
        ) from None


def _missing_file_error(path: Path) -> InputError:
    """Return the error for a missing file: how to save a link, or files of the same ending."""
    if path.parts and path.parts[0] in ("http:", "https:"):
        return InputError(
            "a link cannot be read",
            place=path,
            remedy="save the page as a file first (in Google Sheets by File > Download > "
            "Comma-separated values)",
        )
    if not path.parent.is_dir():
        return InputError(f"no such file: there is no folder {path.parent}", place=path)
    files = sorted(file.name for file in path.parent.glob(f"*{glob.escape(path.suffix)}"))
    shown = ", ".join(files[:_SHOWN_MAX])
    remedy = f"{path.parent.absolute()} has {shown}" if files and path.suffix else ""
    return InputError("no such file", place=path, remedy=remedy)
