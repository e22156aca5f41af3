"""Entry point of the command line: what can fail before the commands are loaded."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path

EXIT_BAD_INPUT = 2  # the status that click and most command lines use for wrong usage
EXIT_INTERRUPTED = 130  # as shells have it: 128 + 2, the number of SIGINT


def main() -> None:
    """Run the command line; a failure while it loads is one line and a status, too."""
    try:
        replace_unprintable_characters()
        if problem := foreign_package():
            sys.stderr.write(f"evenhand: {problem}\n")
            sys.exit(EXIT_BAD_INPUT)
        from experiments.cli.app import main as run  # noqa: PLC0415 (typer loads slowly)

        run()
    except KeyboardInterrupt:
        sys.stderr.write("evenhand: interrupted\n")
        sys.exit(EXIT_INTERRUPTED)


_PACKAGES = ("sim", "agents", "balance")
_OWN_MARK = "__getattr__ = on_demand(__name__)"  # a line of each of our `__init__.py` files
_HERE = Path(__file__).resolve().parents[2]


def foreign_package() -> str | None:
    """Return the problem if Python would import a foreign file instead of one of our packages.

    Another file may come first in Python's search path, such as a `sim.py` in the current folder.
    Another package's `agents/__init__.py` may also have been installed over ours. The file is only
    read, never run.

    Returns:
        The problem as a message, or `None` if all packages are ours.
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
    """Return the file that `import name` would run, and its text."""
    try:
        spec = find_spec(name)
    except ValueError:  # the module is loaded, and was made by hand, without a spec
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
"""Characters of our messages, and what stands for them where they cannot be printed."""
_ERROR_HANDLER = "evenhand"  # its name in the registry of codecs


def replace_unprintable_characters() -> None:
    """Print characters that a terminal or a pipe cannot encode as plain ones, such as +- for ±."""
    codecs.register_error(_ERROR_HANDLER, _replacement)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERROR_HANDLER)


def _replacement(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return what to print for a character that cannot be encoded, and where to go on after it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    # Python decodes a byte of a file name that is no UTF-8 into this range; it is printed as read.
    if "\udc80" <= character <= "\udcff":
        return bytes([ord(character) - 0xDC00]), error.start + 1
    unmarked = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return _PLAIN.get(character) or unmarked or "?", error.start + 1
