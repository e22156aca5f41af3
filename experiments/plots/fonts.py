"""Selection of installed fonts for characters that the default font of figures lacks."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import matplotlib
from matplotlib import font_manager

from sim.errors import cut

_OWN = "DejaVu Sans"
_OF_OTHER_SCRIPTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR",
    "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
    "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Leelawadee UI", "Nirmala UI",
    "Hiragino Sans GB", "Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS",
    "Noto Sans Thai", "Noto Sans Devanagari", "Noto Emoji",
)  # fmt: skip
"""Fonts of Linux, Windows and macOS for scripts other than Latin, Greek, Cyrillic and Arabic."""

_LOGGER = logging.getLogger("matplotlib.font_manager")
_MISSING = re.compile(r"Glyph (\d+) .* missing from")


@cache
def font_families() -> list[str]:
    """Return the names of the default font and of the installed fonts for other scripts."""
    installed = set(font_manager.get_font_names())
    return [_OWN, *(name for name in _OF_OTHER_SCRIPTS if name in installed)]


@contextmanager
def missing_characters() -> Iterator[set[str]]:
    """Collect the characters that the `with` block draws but no installed font contains.

    Warnings of matplotlib about these characters are suppressed; other warnings are repeated after
    the block.

    Yields:
        A set that is empty during the block and contains the missing characters after it.
    """
    missing = set[str]()
    level = _LOGGER.level
    # matplotlib also logs that a fallback font has no bold face, which is harmless.
    _LOGGER.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield missing
    finally:
        _LOGGER.setLevel(level)
    for warning in caught:
        # The code of the character is only in the text of matplotlib's warning.
        if match := _MISSING.match(str(warning.message)):
            missing.add(chr(int(match[1])))
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )


def font_hint(missing: Iterable[str]) -> str:
    """Return a message that names missing characters and explains how to install a font."""
    cache_file = Path(matplotlib.get_cachedir()) / "fontlist*.json"
    return (
        f"no installed font has {cut(''.join(sorted(missing)))}; install one, such as Noto Sans "
        f"CJK, and remove {cache_file}, matplotlib's list of fonts"
    )
