"""Reading of whole files that people write, with a size limit and one-line errors."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Final

from sim.errors import InputError
from sim.files.limits import FILE_MIB_MAX

_SHOWN_MAX: Final = 5  # maximum number of files listed in a message; more would hide the problem


def read_bytes(path: Path) -> bytes:
    """Return the content of a file or a pipe.

    Raises:
        InputError: the file is missing, not a file, not readable, or longer than `FILE_MIB_MAX`.
    """
    most = FILE_MIB_MAX * 2**20
    try:
        with path.open("rb") as file:
            # Reading one byte more than permitted shows whether the file is too long. The file
            # system's size is not sufficient, since devices and pipes have none.
            content = file.read(most + 1)
    except FileNotFoundError:
        raise missing_file_error(path) from None
    except IsADirectoryError:
        raise InputError("is a folder, not a file", place=path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", place=path) from None
    if len(content) > most:
        raise InputError(
            f"larger than {FILE_MIB_MAX} MiB, or endless",
            place=path,
            limit=most,
            remedy="name a smaller file",
        )
    return content


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file without a byte order mark, with unchanged line ends.

    Raises:
        InputError: the file cannot be read (see `read_bytes`), or is not UTF-8 (the message names
            the line).
    """
    return text_in(read_bytes(path), path)


def text_in(content: bytes, path: Path) -> str:
    """Return the text in the UTF-8 content of a file, without a byte order mark.

    Args:
        content: bytes of the file.
        path: path of the file, for messages.

    Raises:
        InputError: the content is not UTF-8 (the message names the line).
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The three bytes of a byte order mark shift `start`, but contain no line end.
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            "not UTF-8 text", place=f"{path}: line {line}", remedy="save the file as UTF-8"
        ) from None


def missing_file_error(path: Path) -> InputError:
    """Return the error for a missing file, with a remedy.

    For a link, the remedy is to save the page as a file. Otherwise it lists up to five files with
    the same ending in the folder, if any exist.
    """
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
