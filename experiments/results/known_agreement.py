"""Measured agreement of agents with people's results, by ruleset (docs/people.md)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import ClassVar

from sim import StrictModel, read_toml, validate

_FILE = Path(str(resources.files("experiments.results").joinpath("known_agreement.toml")))
N_PAIRS = 86
"""Number of pairs of archetypes behind each measured agreement."""

Estimate = tuple[float, float, float]
"""Estimate with its lower and its upper 95 % bound."""


class KnownAgreement(StrictModel):
    """Agreement of one agent with people's results under one ruleset.

    Attributes:
        ruleset: name of the ruleset.
        agent: name of the agent that played all decks.
        error_pp: mean absolute error of the win rates of pairs, in percentage points.
        rank_cells: Spearman's rank correlation of the win rates of pairs.
    """

    ruleset: str
    agent: str
    error_pp: Estimate
    rank_cells: Estimate


class _File(StrictModel):
    """Content of the file with all measured agreements."""

    element: ClassVar[str] = "agreement"

    agreement: tuple[KnownAgreement, ...]


@cache
def known_agreements() -> tuple[KnownAgreement, ...]:
    """Return all measured agreements."""
    return validate(_File, read_toml(_FILE), source=str(_FILE)).agreement


def known_agreement(ruleset: str, agents: Iterable[str]) -> KnownAgreement | None:
    """Return the measured agreement of the agent that plays all decks, if there is one.

    Args:
        ruleset: name of the ruleset.
        agents: name of each player's agent.
    """
    names = {*agents}
    return next(
        (one for one in known_agreements() if one.ruleset == ruleset and names == {one.agent}),
        None,
    )
