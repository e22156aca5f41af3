"""Words for where a rate's interval lies (`balance.band`), the same wherever rates are shown."""

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
    """`OUT`, `open` or nothing: what stands beside a rate in a table, under `BAND_LEGEND`."""
    return _MARKS[verdict]


def band_words(verdict: BandVerdict | str) -> str:
    """`OUT OF BAND`, `not shown to be inside its band`, or nothing: behind a rate in a line."""
    return _WORDS[verdict]
