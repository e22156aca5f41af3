"""Marks and words that state whether a rate's interval is inside its band."""

from __future__ import annotations

from balance.contest.band import BandVerdict

BAND_LEGEND = (
    "OUT: out of its band with the whole interval; open: not shown either way, since the interval "
    "crosses a bound"
)

_MARKS: dict[str, str] = {"inside": "", "outside": "OUT", "not shown": "open"}
_WORDS: dict[str, str] = {
    "inside": "",
    "outside": "OUT OF BAND",
    "not shown": "not shown to be inside its band",
}


def mark_of(verdict: BandVerdict | str) -> str:
    """Return the mark of a verdict for tables: `OUT`, `open`, or nothing if inside the band."""
    return _MARKS[verdict]


def band_words(verdict: BandVerdict | str) -> str:
    """Return the words of a verdict for lines: `OUT OF BAND`, `not shown ...`, or nothing."""
    return _WORDS[verdict]
