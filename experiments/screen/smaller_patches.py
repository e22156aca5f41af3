"""Words for what is known of patches smaller than the recommended one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def smaller_words(told: Mapping[str, Any], *, certified: bool) -> str:
    """How far the clean-up came, which smaller patch lacks only margin, and the model's bound.

    Args:
        told: `smaller` of a run's summary; runs of earlier versions tell less.
        certified: whether the recommended patch is: beside another one no bound is told.
    """
    sentences = [_clean_up_words(told), _without_margin_words(told.get("without_margin"))]
    if certified and told["least_change"]:
        least = f"{told['least_change']:g}"
        sentences.append(f"By the slopes of the model no patch of change below {least} can do it.")
    return " ".join(filter(None, sentences))


def _clean_up_words(told: Mapping[str, Any]) -> str:
    state = told.get("clean_up", "complete" if told["without_room"] else "")
    if state == "not begun":
        return _NOT_BEGUN
    games = f"(n = {told['least_n']:,} to {told['most_n']:,} games per matchup each)"
    if state == "out of games":
        return (
            f"The clean-up ran out of games: it tried {told['tried']:,} of the {told['of']:,} "
            f"patches with an edit less {games} and spent {told['games']:,} games; "
            f"{told['games_left']:,} are left, too few for the next. So the patch may hold "
            "edits that it could do without."
        )
    n_smaller = told["without_room"]
    if not n_smaller:
        return _ALL_BREAK_RULES if state and told.get("edits") else ""
    near = told.get("reads_inside", 0)
    if near:
        return (
            f"With these games no edit can be taken back: all {n_smaller:,} patches with an edit "
            f"less were tried {games}, and none has the margin that a certificate needs. "
            f"{near:,} of them read inside every limit all the same; more games may certify one."
        )
    return (
        f"No edit can be taken back: all {n_smaller:,} patches with an edit less were tried "
        f"{games}, and each breaks a limit."
    )


_ALL_BREAK_RULES = (
    "No edit can be taken back: every patch with an edit less breaks a rule of [tune]."
)
_NOT_BEGUN = (
    "No edit was tried to be taken back, since in the games that chose it the patch itself had not "
    "the margin that a certificate needs to be likely: it may hold edits that it could do without."
)


def _without_margin_words(told: Mapping[str, Any] | None) -> str:
    """The smallest patch that reads inside every limit, but by too little."""
    if not told:
        return ""
    reads = (
        f"{told['imbalance_pp']:.1f} pp ({told['low']:.1f} to {told['high']:.1f}; "
        f"n = {told['n']:,})"
    )
    times = told["times_games"]
    more = f"about {times:,} times the games" if times else "more games"
    return (
        f"A smaller patch, of change {told['change']:g}, reads inside every limit as well, at "
        f"{reads}, but without the margin that makes a certificate likely; {more} of selection "
        "and certificate may certify it."
    )
