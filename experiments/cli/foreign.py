"""Other people's packages that are called like ours, found before the first of them runs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_FIRST_WORDS = {"sim": '"""The games', "agents": '"""Agents, who', "balance": '"""The science'}
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
