"""Sentences on a run's search for patches smaller than the recommended patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.screen.wording import between


def smaller_words(smaller: Mapping[str, Any], *, certified: bool) -> str:
    """Return sentences on the clean-up, a smaller patch without margin, and the minimum change.

    The clean-up is the backward elimination: it tries the patch without each of its edits.

    Args:
        smaller: entry `smaller` of a run's summary; runs of earlier versions have fewer keys.
        certified: whether the recommended patch is certified; the lower bound by the model holds
            only for a certified patch.
    """
    sentences = [_clean_up_words(smaller), _without_margin_words(smaller.get("without_margin"))]
    if certified and smaller["least_change"]:
        least = f"{smaller['least_change']:g}"
        sentences.append(
            f"By the slopes of the model, no patch with a change below {least} can be enough."
        )
    return " ".join(filter(None, sentences))


def _clean_up_words(smaller: Mapping[str, Any]) -> str:
    """Return a sentence on the patches with one edit less; empty if the clean-up is unknown."""
    state = smaller.get("clean_up", "complete" if smaller["without_room"] else "")
    if state == "not begun":
        return _NOT_BEGUN
    games = f"(n = {smaller['least_n']:,} to {smaller['most_n']:,} games per matchup each)"
    if state == "out of games":
        return (
            f"The clean-up ran out of games: it tried {smaller['tried']:,} of the "
            f"{smaller['of']:,} patches with one edit less {games} and spent "
            f"{smaller['games']:,} games; {smaller['games_left']:,} are left, too few for the "
            "next one. So the patch may contain edits that it does not need."
        )
    n_smaller = smaller["without_room"]
    if not n_smaller:
        return _ALL_BREAK_RULES if state and smaller.get("edits") else ""
    near = smaller.get("reads_inside", 0)
    if near:
        return (
            f"With these games, no edit can be left out: all {n_smaller:,} patches with one edit "
            f"less were tried {games}, and none has the margin that a certificate needs. "
            f"Nevertheless, {near:,} of them read inside every limit; more games may certify one."
        )
    return (
        f"No edit can be left out: all {n_smaller:,} patches with one edit less were tried "
        f"{games}, and each breaks a limit."
    )


_ALL_BREAK_RULES = (
    "No edit can be left out: every patch with one edit less breaks a rule of [tune]."
)
_NOT_BEGUN = (
    "Leaving out edits was not tried, since the patch itself lacked the margin that makes a "
    "certificate likely, in the games that chose it: it may contain edits that it does not need."
)


def _without_margin_words(patch: Mapping[str, Any] | None) -> str:
    """Return a sentence on the smallest patch that is inside every limit by its estimates only.

    The sentence is empty if there is no such patch.
    """
    if not patch:
        return ""
    reading = between((patch["imbalance_pp"], patch["low"], patch["high"]), " pp")
    factor = patch["times_games"]
    games = f"about {factor:,} times the games" if factor else "more games"
    return (
        f"A smaller patch, of change {patch['change']:g}, also reads inside every limit, at "
        f"{reading}, n = {patch['n']:,}, but without the margin that makes a certificate likely; "
        f"{games} for selection and certificate may certify it."
    )
