"""Where the command begins: what can go wrong before there is a command line."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command line; whatever happens on the way there is one line and a status."""
    try:
        plain_where_needed()
        if problem := foreign_package():
            sys.stderr.write(f"evenhand: {problem}\n")
            sys.exit(EXIT_BAD_INPUT)
        from experiments.cli.app import main as run  # noqa: PLC0415 (typer loads slowly)

        run()
    except KeyboardInterrupt:
        sys.stderr.write("evenhand: interrupted\n")
        sys.exit(EXIT_INTERRUPTED)


_FIRST_WORDS = {"sim": '"""The games', "agents": '"""Agents, who', "balance": '"""Balancing:'}
_HERE = Path(__file__).resolve().parents[2]


def foreign_package() -> str | None:
    """What to say of a file that Python would import instead of a package of ours, if there is one.

    It may come first in Python's search, as a `sim.py` in the current folder does, or another
    package's `agents/__init__.py` may have been installed over ours. Nothing of it is run.
    """
    for name, first_words in _FIRST_WORDS.items():
        file, text = _found(name)
        if file != _HERE / name / "__init__.py" or not text.startswith(first_words):
            return (
                f"{file or 'nothing'} is found where evenhand's package {name!r} should be; move "
                "or rename it, or install evenhand in a virtual environment of its own"
            )
    return None


def _found(name: str) -> tuple[Path | None, str]:
    """The file that `import name` runs, and its text."""
    try:
        spec = find_spec(name)
    except ValueError:  # a module that somebody made by hand
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
_PLAINLY = "evenhand"


def plain_where_needed() -> None:
    """Let a terminal or a pipe without UTF-8 show `+-` for `±`, where it would be an error."""
    codecs.register_error(_PLAINLY, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_PLAINLY)


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":  # a byte of a file's name that is no UTF-8
        return bytes([ord(character) - 0xDC00]), error.start + 1
    unmarked = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return _PLAIN.get(character) or unmarked or "?", error.start + 1
