"""Demands of a panel: those of the decks, once for each pilot."""

from __future__ import annotations

from dataclasses import replace
from math import floor

import numpy as np

from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.panel.panel_contest import PanelContest
from balance.statistics.intervals import Floats, paired_mean


def panel_demands(contest: PanelContest, demands: Demands, n_limits: int = 0) -> Demands:
    """Return demands on every pilot's rates that have the goals of demands on the decks' rates.

    A pilot with a wider or narrower band than the others has its bounds moved by the difference.

    Args:
        contest: contest of the panel, with first seats if the demands concern them.
        demands: demands on the rates of the decks, with the bands of the target.
        n_limits: number of demands at the end that are the same for each pilot.
    """
    n_hands = len(contest.hands)
    own_pp = demands.band_pp
    is_moved = np.append(np.ones(len(demands) - n_limits), np.zeros(n_limits))
    extra = np.kron([(hand.band_pp - own_pp) / 100 for hand in contest.hands], is_moved)
    names = tuple(hand.named(name) for hand in contest.hands for name in demands.names)
    return replace(
        demands,
        names=names,
        weights=np.asarray(np.kron(np.eye(n_hands), _with_first_seats(contest, demands))),
        low=np.tile(demands.low, n_hands) - extra,
        high=np.tile(demands.high, n_hands) + extra,
        band_pp=min(own_pp, *(hand.band_pp for hand in contest.hands)),
        with_first_seat=False,
        repeats=contest.repeats,
    )


def with_first_seat_limits(
    contest: PanelContest, demands: Demands, today: Readings, growth_pp: float
) -> Demands:
    """Return demands that also limit the growth of every pilot's first-turn advantage.

    The rate of the first seat may be as far from 50 % as today, which is read at the lower end of
    its interval, plus the permitted growth. It may always be as far as the band of the demands.

    Args:
        contest: contest of the panel with first seats.
        demands: demands of the panel, none of which concerns a first seat.
        today: games of the baseline.
        growth_pp: permitted growth in percentage points.
    """
    names = list[str]()
    weights = list[Floats]()
    reach = list[float]()
    everywhere = np.eye(len(contest.matchups))
    for position, part in zip(contest.first_seat_rates, today.parts, strict=True):
        first = paired_mean(part.readings.first_seat_over_matchups()[0])
        lead = max(float(first.low) - 0.5, 0.5 - float(first.high), 0.0)
        names.append(contest.matchup_name(contest.matchups[position]))
        weights.append(everywhere[position])
        # Rounded down to tenths of a point, so that reports show the very bound.
        limit = floor(1_000 * (lead + growth_pp / 100)) / 1_000
        reach.append(max(limit, demands.band_pp / 100))
    return replace(
        demands,
        names=(*demands.names, *names),
        weights=np.concatenate([demands.weights, weights]),
        low=np.append(demands.low, 0.5 - np.array(reach)),
        high=np.append(demands.high, 0.5 + np.array(reach)),
    )


def _with_first_seats(contest: PanelContest, demands: Demands) -> Floats:
    """Return the weights of demands with a column for the first seat if the contest has one.

    Args:
        contest: contest of the panel.
        demands: demands on the rates of the decks.
    """
    if contest.with_first_seats and not demands.with_first_seat:
        return np.column_stack([demands.weights, np.zeros(len(demands))])
    return demands.weights
