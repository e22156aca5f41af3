"""Text of a deck list, from a file, from standard input, or from the command line."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path
from typing import Final, NamedTuple

from experiments.files.output_file import is_there
from sim.errors import InputError, system_error_place
from sim.files.csv_file import decoded
from sim.files.whole_file import missing_file_error, read_bytes

STANDARD_INPUT = "-"
_SOURCE_MAX: Final = 2**20  # bytes; a deck list with comments has a few thousand
_ENDINGS = (".txt", ".cod", ".dck", ".dec", ".deck", ".md", ".toml", ".csv", ".xml", ".json")
_CODE = "AAE"  # beginning of a deck code, which may contain slashes
_PATH_MAX = 1_000  # characters; a longer argument is a text
_NOT_TEXT = ("Cc", "Cs")  # Unicode categories of characters that no deck list has
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BINARY = frozenset(range(32)) - frozenset(b"\t\n\v\f\r")  # bytes that text has only in UTF-16
_ENDS = frozenset("\t\n\v\f\r")


_FORMATS = "give a deck code, a plain list, a .cod or a .dck file"


class DeckSource(NamedTuple):
    """Text of a deck list, with its origin.

    Attributes:
        text: the text.
        place: origin for messages: the path of a file, `standard input`, or `deck list`.
        stem: name of the file without its ending; `""` if there is no file.
        remark: remark on a guessed encoding; `""` if the encoding is certain.
    """

    text: str
    place: str
    stem: str = ""
    remark: str = ""


def read_source(argument: str) -> DeckSource:
    """Return the text that a command-line argument means.

    Args:
        argument: `-` for standard input; the path of an existing file; else the text itself.

    Raises:
        InputError: the file or the input cannot be read, is too long, or is not text; or the
            argument looks like the path of a file that does not exist.
    """
    if argument == STANDARD_INPUT:
        with system_error_place("standard input", "read"):
            content = sys.stdin.buffer.read(_SOURCE_MAX + 1)
        return _of_bytes(content, Path("standard input"), "")
    path = Path(argument)
    may_be_path = bool(argument.strip()) and len(argument) < _PATH_MAX and argument.isprintable()
    if may_be_path and is_there(path):
        return file_source(path)
    is_single_path = "/" in argument and " " not in argument and not argument.startswith(_CODE)
    if may_be_path and (is_single_path or path.suffix.lower() in _ENDINGS):
        raise missing_file_error(path)
    return DeckSource(_checked(argument, "deck list"), "deck list")


def file_source(path: Path) -> DeckSource:
    """Return the text of a deck list in a file.

    Raises:
        InputError: the file cannot be read, is too long, or is not text.
    """
    return _of_bytes(read_bytes(path), path, path.stem)


def _of_bytes(content: bytes, path: Path, stem: str) -> DeckSource:
    if len(content) > _SOURCE_MAX:
        raise InputError(
            f"larger than {_SOURCE_MAX // 2**20} MiB, the limit of a deck list",
            place=path,
            value=len(content),
            limit=_SOURCE_MAX,
        )
    if not content.startswith(_UTF_16_MARKS) and not _BINARY.isdisjoint(content):
        raise InputError("is not a text", place=path, remedy=_FORMATS)
    text, remark = decoded(content, path)
    return DeckSource(_checked(text, str(path)), str(path), stem, remark)


def _checked(text: str, place: str) -> str:
    """Return a text without a byte order mark.

    Raises:
        InputError: the text is blank, or has characters that no text has.
    """
    odd = next((sign for sign in text if sign not in _ENDS and _is_odd(sign)), None)
    if odd is not None:
        raise InputError(
            f"is not a deck list: it contains the character U+{ord(odd):04X}",
            place=place,
            value=odd,
            remedy=_FORMATS,
        )
    if not text.strip("\ufeff \t\r\n"):
        raise InputError(
            "is empty",
            place=place,
            remedy="give a deck code, or a line for each card, such as '2 Card Name'",
        )
    return text.removeprefix("\ufeff")


def _is_odd(sign: str) -> bool:
    return unicodedata.category(sign) in _NOT_TEXT
