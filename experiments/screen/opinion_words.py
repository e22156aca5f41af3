"""Sentences on the second opinion: each pilot's verdict on a patch, and the meaning of a pilot.

The functions use the plain data of a summary (`experiments.results.opinion`). The terminal, the
patch notes, the report and the workbench share them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.errors import listed


def about_pilots(own: Sequence[str], described: Mapping[str, str], people: str) -> str:
    """Return sentences on the meaning of a pilot, the reason for other pilots, and each pilot.

    Args:
        own: names of the pilots with which the patch was certified.
        described: description of each pilot, by the pilot's name.
        people: sentence on the agreement of the own pilots with people; `""` if it is not known.
    """
    kinds = "; ".join(f"{name}: {line.rstrip('.')}" for name, line in described.items())
    return (
        f"A pilot is the program that plays the decks. The patch was chosen and certified by games "
        f"of {listed(own)} only; the other pilots show how well it holds when the same decks are "
        f"played differently. {kinds}." + (f" {people}." if people else "")
    )


def opinion_sentence(opinion: Mapping[str, Any], *, certified: bool, subject: str) -> str:
    """Return a sentence on the pilots with which a patch holds, fails, or is not shown to hold.

    Args:
        opinion: names of the patch's own pilots (`own`), and entries of the other `pilots`.
        certified: whether the patch is certified with its own pilots.
        subject: subject of the sentence, such as `This patch`.
    """
    holding = [pilot["agent"] for pilot in opinion["pilots"] if pilot["holds"]]
    failing = [_failing(pilot) for pilot in opinion["pilots"] if pilot["holds"] is False]
    not_shown = [pilot["agent"] for pilot in opinion["pilots"] if pilot["holds"] is None]
    parts = [_own_part(listed(opinion["own"]), certified=certified, subject=subject)]
    if holding:
        parts.append(f"also holds with {listed(holding)}")
    if failing:
        parts.append(f"does NOT hold with {listed(failing, 'or')}")
    if not_shown:
        parts.append(f"is not shown to hold with {listed(not_shown)} (too few games)")
    return "; ".join(parts) + "."


def _own_part(own: str, *, certified: bool, subject: str) -> str:
    """Return the clause on whether the patch is certified with its own pilots."""
    if certified:
        return f"{subject} holds with {own} (certified)"
    return f"{subject} is NOT certified with {own}"


def _failing(pilot: Mapping[str, Any]) -> str:
    """Return the name of a pilot with which a patch fails, with the fault or the worst rate."""
    if pilot["fault"]:
        return f"{pilot['agent']} ({pilot['fault']})"
    rates = pilot["matchups"]
    n_outside = sum(rate["verdict"] == "outside" for rate in rates)
    return (
        f"{pilot['agent']} ({n_outside} of {len(rates)} rates outside their bands, the worst "
        f"{pilot['worst_matchup']}, {pilot['worst_pp']:.0f} points off target)"
    )
