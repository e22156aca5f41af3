"""Sentence on the measured agreement of an agent with people."""

from __future__ import annotations

from experiments.results.known_agreement import N_PAIRS, KnownAgreement


def people_words(known: KnownAgreement | None) -> str:
    """Return a sentence on the measured agreement of an agent with people; `""` for `None`."""
    if known is None:
        return ""
    error, *bounds = known.error_pp
    rank, *rank_bounds = known.rank_cells
    return (
        f"Next to people: on {N_PAIRS} pairs of real decks, win rates with {known.agent} are "
        f"{error:.1f} points off in the mean ({bounds[0]:.1f} to {bounds[1]:.1f}), with a rank "
        f"correlation of {rank:.2f} ({rank_bounds[0]:.2f} to {rank_bounds[1]:.2f})"
    )
