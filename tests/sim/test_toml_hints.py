"""A line that is not TOML is refused with the remedy for its mistake, if it is a common one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.files.toml_file import read_toml
from tests.refusals import refusal_of


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("pool = cards", 'pool = "cards"'),
        ("pool = cards  # ours", 'pool = "cards"'),
        ("a = 1\nseed: 1", "key = value"),
        ("pool = \u201ccards\u201d", "straight"),
        ("band_pp = 2,5", "decimal point"),
        ("win_rate = 50%", "percent"),
        ("skip_first_draw = yes", "write true"),
        ("skip_first_draw = False", "write false"),
        ("total = 300,000", "300_000"),
        ("seed \uff1d 1", "full-width"),
        ("seed =\u30001", "full-width"),
        ("agent = \u300clight\u300d", "straight"),
        ("\u6df1\u6d77 = 2", '"\u6df1\u6d77" ='),
        ("Deck Hand = 2", '"Deck Hand" ='),
        ("cost = 1,", "the comma"),
        ('name = "Deck Hand', "closing quote"),
        ('pool = "C:\\games\\cards"', "with /"),
        ("[player]\na = 1\n[player]\na = 2", "[[player]]"),
        ("[player]\na = 1\n[[player]]\na = 2", "[[player]]"),
        ("[tune]\na = 1\n[games]\n[tune]\nb = 2", "[tune] occurs twice"),
        ("seed = 1\nseed = 2", "'seed' occurs twice"),
    ],
)
def test_the_fix_of_a_common_mistake_is_named(text: str, fix: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text(text, encoding="utf-8")
    assert fix in refusal_of(read_toml, path).remedy
