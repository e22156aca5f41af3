"""Words for the place of a rate's interval in its band (`balance.band`)."""

from __future__ import annotations

from balance.band import BandVerdict

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
    """Return the mark that follows a rate in a table, `OUT`, `open` or nothing (`BAND_LEGEND`)."""
    return _MARKS[verdict]


def band_words(verdict: BandVerdict | str) -> str:
    """Return the words that follow a rate in a line: `OUT OF BAND`, `not shown ...` or nothing."""
    return _WORDS[verdict]
