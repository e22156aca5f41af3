"""How far pilots of a panel disagree about the decks, before any search for a patch."""

from __future__ import annotations

from itertools import combinations
from math import ceil
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.panel.panel_contest import Hand, PanelContest
from balance.statistics.arithmetic import logit
from balance.statistics.intervals import CONFIDENCE, Interval
from sim.files.row_file import entry

# Difference of one step's effects on two pilots, in log-odds, of the steps that a search would use
# to bring their rates nearer. Between a cheap and a dear search differences have a standard
# deviation of 0.02 in the quickstart; a search uses the largest of some 200.
STEP_APART = 0.05


class Disagreement(NamedTuple):
    """Difference of a rate in the hands of two pilots, and what their bands leave of it.

    Attributes:
        rate: name of the rate: a matchup, or a player against the field.
        a: name of the pilot with the lower rate.
        b: name of the pilot with the higher rate.
        rate_a: rate in the hands of `a`.
        rate_b: rate in the hands of `b`.
        beyond: distance in log-odds by which edits must bring both rates nearer to each other; 0 if
            both can lie inside their bands as far apart as they are.
        steps: about how many steps of edits that takes.
    """

    rate: str
    a: str
    b: str
    rate_a: Annotated[Interval, ("rate_a", "rate_a_low", "rate_a_high")]
    rate_b: Annotated[Interval, ("rate_b", "rate_b_low", "rate_b_high")]
    beyond: float
    steps: int

    def as_entry(self) -> dict[str, Any]:
        """Return the difference as data for `summary.json`."""
        return entry(self)


def disagreements(
    contest: PanelContest, demands: Demands, today: Readings
) -> tuple[Disagreement, ...]:
    """Return the largest difference of two pilots for each rate, the largest beyond bands first.

    Edits move a rate alike in the hands of all pilots, so only the small differences of their
    effects bring the rates of two pilots nearer to each other.

    Args:
        contest: contest of the panel.
        demands: demands on every pilot's rates, the same for each pilot.
        today: games of the baseline.
    """
    rates = demands.read(today, CONFIDENCE).at(0)
    n_rates = len(demands) // len(contest.hands)
    pairs = list(combinations(range(len(contest.hands)), 2))
    found = list[Disagreement]()
    for k in range(n_rates if pairs else 0):
        of_rate = [
            _difference(
                demands,
                rates,
                (a * n_rates + k, b * n_rates + k),
                (contest.hands[a], contest.hands[b]),
            )
            for a, b in pairs
        ]
        found.append(max(of_rate, key=_size))
    return tuple(sorted(found, key=_size, reverse=True))


def _size(difference: Disagreement) -> tuple[float, float]:
    """Return what orders differences: the part beyond the bands, then the whole difference."""
    return difference.beyond, float(difference.rate_b.estimate - difference.rate_a.estimate)


def _difference(
    demands: Demands, rates: Interval, positions: tuple[int, int], pilots: tuple[Hand, Hand]
) -> Disagreement:
    """Return the difference of one rate in the hands of two pilots.

    Args:
        demands: demands on every pilot's rates.
        rates: rates of all demands.
        positions: positions of both pilots' demands.
        pilots: both pilots.
    """
    order = sorted(
        zip(positions, pilots, strict=True), key=lambda one: float(rates.estimate[one[0]])
    )
    (low, a), (high, b) = order
    apart = _log_odds(rates.estimate[high]) - _log_odds(rates.estimate[low])
    # Both rates may be as far apart as the lower bound of one and the upper bound of the other.
    room = _log_odds(demands.high[high]) - _log_odds(demands.low[low])
    beyond = max(apart - room, 0.0)
    name = demands.names[low].removeprefix(a.named(""))
    return Disagreement(
        name, a.name, b.name, rates.at(low), rates.at(high), beyond, ceil(beyond / STEP_APART)
    )


def _log_odds(share: float) -> float:
    """Return the log-odds of a share, which is moved inside the range from 0.1 to 99.9 %."""
    return float(logit(np.clip(np.array(share), 0.001, 0.999)))
