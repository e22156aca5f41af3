"""Names in any script: written out where a font is here, else told of once."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from matplotlib import font_manager

from experiments import plots
from experiments.plots import fonts
from experiments.plots.style import panels
from experiments.plots.text import text_width
from tests.command_line import TINY, ask, done

RARE = "\ua840\ua841"  # letters of Phags-pa, which no font has that figures ask for


def test_other_fonts_stand_behind_the_styles_own(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*font_manager.get_font_names(), "Noto Sans Thai", "Yu Gothic"]
    monkeypatch.setattr(font_manager, "get_font_names", lambda: names)
    fonts.font_families.cache_clear()
    found = fonts.font_families()
    fonts.font_families.cache_clear()
    assert found[0] == "DejaVu Sans"
    assert found.index("Yu Gothic") < found.index("Noto Sans Thai")


def drawn(text: str) -> set[str]:
    """What is missing of a text; warns of something else on the way."""
    with fonts.missing_characters() as missing:
        figure, _ = panels(4, 2)
        figure.text(0.5, 0.5, text)
        plots.figure_png(figure)
        text_width(text)
        warnings.warn("something else", UserWarning, stacklevel=1)
    return missing


def test_characters_without_a_font_are_told_and_other_warnings_go_on() -> None:
    with pytest.warns(UserWarning, match="something else") as others:
        missing = drawn(f"a {RARE}")
    assert len(others) == 1
    assert missing == set(RARE)
    assert fonts.font_hint(missing).startswith(f"no font here has {RARE}; install one")


def test_a_command_says_once_what_its_figures_lack(tmp_path: Path) -> None:
    text = TINY.replace("[[player]]", f'[[player]]\nname = "{RARE}"', 1)
    told = done(ask("matchups", tmp_path, text=text)).err
    assert told.count("no font here has") == told.count(RARE) == 1
    assert "Warning" not in told
