"""Words, marks and symbols that show whether a rate's interval is inside its band."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class VerdictWords(NamedTuple):
    """Texts that show a band verdict; the word of a verdict is the verdict itself.

    Style sheets select elements by the verdict in their attribute `data-state`.

    Attributes:
        phrase: verdict with a reference to the band, for sentences.
        mark: mark beside a rate in tables; empty inside the band.
        short_mark: mark of one character in the matrix of the screen; empty inside the band.
        symbol: symbol of one character on the page of the workbench.
        meaning: condition of the verdict, for legends.
    """

    phrase: str
    mark: str
    short_mark: str
    symbol: str
    meaning: str


VERDICT_WORDS = {
    "inside": VerdictWords(
        "inside its band", "", "", "✓", "the whole interval lies inside the band"
    ),
    "outside": VerdictWords(
        "outside its band", "OUT", "!", "✗", "the whole interval lies outside the band"
    ),
    "not shown": VerdictWords(
        "not shown to be inside its band", "not shown", "?", "?", "the interval crosses a bound"
    ),
}
"""Texts of each band verdict (`balance.contest.band.BandVerdict`)."""

BAND_LEGEND = "; ".join(
    f"{verdict}{f' ({words.mark})' if words.mark not in {'', verdict} else ''}: {words.meaning}"
    for verdict, words in VERDICT_WORDS.items()
)
"""Meaning of each verdict and of its mark in tables."""

SHORT_LEGEND = ", ".join(
    f"{words.short_mark}: {verdict}" for verdict, words in VERDICT_WORDS.items() if words.short_mark
)
"""Verdict of each mark in the matrix of the screen."""


def marked(text: str, verdict: str) -> str:
    """Return the text of a rate with the mark of its verdict, such as `58.1 ±1.2 OUT`."""
    return f"{text} {VERDICT_WORDS[verdict].mark}".rstrip()


def legend_of(verdicts: Iterable[str]) -> list[str]:
    """Return the legend of the marks as a line; no line if all verdicts are `inside`."""
    return [BAND_LEGEND] if any(VERDICT_WORDS[verdict].mark for verdict in verdicts) else []
