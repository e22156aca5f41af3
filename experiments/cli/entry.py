"""Entry point of the command line: handles failures before and while the commands are loaded."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path

from experiments.cli.exit_status import EXIT_BAD_INPUT, EXIT_INTERRUPTED


def main() -> None:
    """Run the command line; if it cannot be loaded, print one line and exit with a status."""
    try:
        replace_unprintable_characters()
        if problem := foreign_package():
            sys.stderr.write(f"evenhand: {problem}\n")
            sys.exit(EXIT_BAD_INPUT)
        from experiments.cli.app import main as run  # noqa: PLC0415 (imports `sim`)

        run()
    except KeyboardInterrupt:
        sys.stderr.write("evenhand: interrupted\n")
        sys.exit(EXIT_INTERRUPTED)


_PACKAGES = ("sim", "agents", "balance")
_OWN_MARK = "\non_demand(__name__)\n"  # a line of every `__init__.py` of evenhand
_HERE = Path(__file__).resolve().parents[2]


def foreign_package() -> str | None:
    """Return a message if `import` would load another file instead of a package of evenhand.

    Another file may come first in Python's search path, such as a `sim.py` in the current folder,
    or another distribution may have overwritten `agents/__init__.py`. The file is only read, never
    executed.

    Returns:
        The message on the first such package; `None` if all packages are evenhand's own.
    """
    for name in _PACKAGES:
        file, text = _source_of(name)
        if file != _HERE / name / "__init__.py" or _OWN_MARK not in text:
            return (
                f"Python finds {file or 'nothing'} where evenhand's package {name!r} should be; "
                "move or rename it, or install evenhand in a virtual environment of its own"
            )
    return None


def _source_of(name: str) -> tuple[Path | None, str]:
    """Return the file that `import name` would execute, and its text.

    If there is no such file, return the package's folder or `None`, and an empty text.
    """
    try:
        spec = find_spec(name)
    except ValueError:  # the module is loaded, but was created by hand, without a spec
        spec = None
    if spec is None or spec.origin is None:
        places = list(spec.submodule_search_locations or ()) if spec else []
        return (Path(places[0]) if places else None), ""
    file = Path(spec.origin).resolve()
    try:
        return file, file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return file, ""


_PLAIN = {
    "±": "+-", "→": "->", "─": "-", "│": "|", "≤": "<=", "≥": ">=",
    "\u00d7": "x", "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2019": "'",
}  # fmt: skip
"""Replacement of each character of messages that an output may be unable to print."""
_ERROR_HANDLER = "evenhand"  # name of the error handler in the registry of codecs


def replace_unprintable_characters() -> None:
    """Make standard output and error replace characters they cannot encode, such as ± by +-."""
    codecs.register_error(_ERROR_HANDLER, _replacement)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERROR_HANDLER)


def _replacement(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return the replacement of a character that cannot be encoded, and the position after it.

    Args:
        error: error of an encoder, at the position of the character.

    Raises:
        UnicodeError: `error` itself, if it is not the error of an encoder.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    # A surrogate in this range is a byte of a file name that is not UTF-8; print the byte as it is.
    if "\udc80" <= character <= "\udcff":
        return bytes([ord(character) - 0xDC00]), error.start + 1
    unmarked = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return _PLAIN.get(character) or unmarked or "?", error.start + 1
