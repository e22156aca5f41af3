"""Words for the second opinion: for whom a patch holds, and what a pilot is.

All read the plain data of a summary (`experiments.results.opinion`), which terminal, patch notes,
report and workbench share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

VERDICTS = (
    "inside: the whole interval is within the target's band; OUTSIDE: all of it is beyond the "
    "band; not shown: the games leave it open"
)


def listed(words: Sequence[str], link: str = "and") -> str:
    """`greedy`, `greedy and light`, `greedy, light and turn:200`."""
    *others, last = words
    return f"{', '.join(others)} {link} {last}" if others else last


def about_pilots(own: Sequence[str], described: Mapping[str, str]) -> str:
    """What a pilot is, why others are asked, and what each of them is.

    Args:
        own: names of the pilots that the certificate is about.
        described: what each pilot is, by its name.
    """
    kinds = "; ".join(f"{name}: {line.rstrip('.')}" for name, line in described.items())
    return (
        f"A pilot is the program that plays the decks. The patch was chosen and certified by games "
        f"of {listed(own)} only; the other pilots show what becomes of it when the same decks are "
        f"played in another way. {kinds}."
    )


def opinion_sentence(told: Mapping[str, Any], *, certified: bool, subject: str) -> str:
    """For whom a patch holds, for whom it does not, and for whom that is not shown, in a sentence.

    Args:
        told: the pilots that a patch was certified with, or not (`own`), and the other `pilots`.
        certified: whether it was.
        subject: what holds.
    """
    holding = [one["agent"] for one in told["pilots"] if one["holds"]]
    failing = [_failing(one) for one in told["pilots"] if one["holds"] is False]
    open_ones = [one["agent"] for one in told["pilots"] if one["holds"] is None]
    parts = [_own_part(listed(told["own"]), certified=certified, subject=subject)]
    if holding:
        parts.append(f"holds as well in the hands of {listed(holding)}")
    if failing:
        parts.append(f"does NOT hold in the hands of {listed(failing, 'or')}")
    if open_ones:
        parts.append(f"not shown either way for {listed(open_ones)} (too few games to tell)")
    return "; ".join(parts) + "."


def _own_part(own: str, *, certified: bool, subject: str) -> str:
    if certified:
        return f"{subject} holds in the hands of {own} (certified)"
    return f"{subject} is NOT certified in the hands of {own}"


def _failing(pilot: Mapping[str, Any]) -> str:
    """A pilot in whose hands a patch does not hold, and where it is worst."""
    if pilot["fault"]:
        return f"{pilot['agent']} ({pilot['fault']})"
    rates = pilot["matchups"]
    n_outside = sum(rate["verdict"] == "outside" for rate in rates)
    return (
        f"{pilot['agent']} ({n_outside} of {len(rates)} rates outside their bands, the worst "
        f"{pilot['worst_matchup']}, {pilot['worst_pp']:.0f} points off target)"
    )
