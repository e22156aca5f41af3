"""Fonts: this machine's for scripts that the style's own lacks, and what none of them can write."""

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
"""What Linux, Windows and macOS have for what is neither Latin, Greek, Cyrillic nor Arabic."""

_LOGGER = logging.getLogger("matplotlib.font_manager")
_MISSING = re.compile(r"Glyph (\d+) .* missing from")


@cache
def font_families() -> list[str]:
    """The style's font, and those that are here for what it lacks."""
    here = set(font_manager.get_font_names())
    return [_OWN, *(name for name in _OF_OTHER_SCRIPTS if name in here)]


@contextmanager
def missing_characters() -> Iterator[set[str]]:
    """The characters that the block draws and no font here has, instead of a warning of each."""
    missing = set[str]()
    level = _LOGGER.level
    _LOGGER.setLevel(logging.ERROR)  # that another font is not bold is nobody's concern
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield missing
    finally:
        _LOGGER.setLevel(level)
    for warning in caught:
        if found := _MISSING.match(str(warning.message)):
            missing.add(chr(int(found[1])))
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )


def font_hint(missing: Iterable[str]) -> str:
    """What somebody can do about characters that no font here has."""
    listed = Path(matplotlib.get_cachedir()) / "fontlist*.json"
    return (
        f"no font here has {cut(''.join(sorted(missing)))}; install one, such as Noto Sans CJK, "
        f"and remove {listed}, where matplotlib keeps what it knows of fonts"
    )
