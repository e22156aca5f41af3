"""Sentences on a run's search for patches smaller than the recommended patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.screen.price_words import next_price_words, part_of
from experiments.screen.wording import between, counted

# Distance of a lower bound from the patch up to which it is shown, in cards or steps: a bound of 7
# says nothing about a patch of 24 steps. Chosen by hand.
_NEAR = 2


def smaller_words(summary: Mapping[str, Any]) -> str:
    """Return sentences on the clean-up, a smaller patch without margin, and the lower bounds.

    The clean-up is the backward elimination: it tries the patch without each of its edits. A lower
    bound holds for certified patches only, and is shown if it is near the patch.

    Args:
        summary: summary of a run; the entry `smaller` of earlier versions has fewer keys.
    """
    smaller = summary["smaller"]
    part = part_of(summary)
    beyond = _without_margin_words(smaller.get("without_margin"), part)
    sentences = [_clean_up_words(smaller), beyond]
    sentences.append(next_price_words(summary))
    if summary["certified"]:
        sentences.append(_least_words(summary))
    return " ".join(filter(None, sentences))


def _least_words(summary: Mapping[str, Any]) -> str:
    """Return a sentence on the lower bounds by the model; empty without a bound near the patch."""
    least_cards = summary["smaller"].get("least_cards", 0)  # runs of earlier versions have none
    least_change = summary["smaller"]["least_change"]
    bounds = []
    if least_cards > 0 and summary["cards_touched"] <= least_cards + _NEAR:
        bounds.append(f"on fewer than {counted(least_cards, part_of(summary))}")
    if least_change > 0 and summary["change"] <= least_change + _NEAR:
        bounds.append(f"with a change below {least_change:g}")
    if not bounds:
        return ""
    return f"By the slopes of the model, no patch {' or '.join(bounds)} can be enough."


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


def _without_margin_words(patch: Mapping[str, Any] | None, part: str) -> str:
    """Return a sentence on the smallest patch that is inside every limit by its estimates only.

    The sentence is empty if there is no such patch.

    Args:
        patch: entry of the patch; `None` without one.
        part: word for an edited part of the game.
    """
    if not patch:
        return ""
    reading = between((patch["imbalance_pp"], patch["low"], patch["high"]), " pp")
    factor = patch["times_games"]
    games = f"about {factor:,} times the games" if factor else "more games"
    n_cards = patch.get("cards_touched")
    cards = f" on {counted(n_cards, part)}" if n_cards else ""
    return (
        f"A smaller patch, of change {patch['change']:g}{cards}, also reads inside every limit, at "
        f"{reading}, n = {patch['n']:,}, but without the margin that makes a certificate likely; "
        f"{games} for selection and certificate may certify it."
    )
