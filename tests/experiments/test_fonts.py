"""Names in any script: drawn with installed fonts, or reported once per command."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest
from matplotlib import font_manager

from experiments import plots
from experiments.plots import fonts
from experiments.plots.style import panels
from experiments.plots.text import text_width
from tests.command_line import TINY, ask, done
from tests.messages import check_message

RARE = "\ua840\ua841"  # letters of Phags-pa, which no font of the figures has


def test_installed_fonts_follow_the_default_font(monkeypatch: pytest.MonkeyPatch) -> None:
    thai = "Noto Sans Thai"
    names = [*font_manager.get_font_names(), thai, "Yu Gothic"]
    monkeypatch.setattr(font_manager, "get_font_names", lambda: names)
    fonts.font_families.cache_clear()
    families = fonts.font_families()
    fonts.font_families.cache_clear()
    assert families[0] == "DejaVu Sans"
    assert families.index("Yu Gothic") < families.index(thai)


def drawn(text: str) -> set[str]:
    """Draw a text, with another warning; return the characters without a font."""
    with fonts.missing_characters() as missing:
        figure, _ = panels(4, 2)
        figure.text(0.5, 0.5, text)
        plots.figure_png(figure)
        text_width(text)
        warnings.warn("something else", UserWarning, stacklevel=1)
    return missing


def check_hint(message: str) -> None:
    """Check a message about missing characters, without the folder of the user's cache."""
    check_message(re.sub(r"\S+fontlist", "<cache>/fontlist", message))


def test_characters_without_a_font_are_collected_and_other_warnings_remain() -> None:
    with pytest.warns(UserWarning, match="something else") as others:
        missing = drawn(f"a {RARE}")
    assert len(others) == 1
    assert missing == set(RARE)
    check_hint(fonts.font_hint(missing))


def test_a_command_reports_missing_characters_once(tmp_path: Path) -> None:
    text = TINY.replace("[[player]]", f'[[player]]\nname = "{RARE}"', 1)
    printed = done(ask("matchups", tmp_path, text=text)).err
    assert printed.count(RARE) == 1
    check_hint(printed)
    assert "Warning" not in printed
