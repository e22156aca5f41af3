"""Demands of a panel: those of the decks, once for each pilot."""

from __future__ import annotations

from dataclasses import replace
from math import floor

import numpy as np

from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.panel.panel_contest import PanelContest
from balance.statistics.intervals import Floats, paired_mean

# Confidence of the first seat's rate today, from which limits of its growth follow: today's lead is
# overestimated with a probability of 0.1 % per pilot, which the risk of a certificate does not
# contain. Chosen by hand.
_CONFIDENCE_OF_TODAY = 0.998


def panel_demands(
    contest: PanelContest, demands: Demands, band_pp: float, n_limits: int = 0
) -> Demands:
    """Return demands on every pilot's rates that have the goals of demands on the decks' rates.

    A pilot with a wider or narrower band than the target's has all bounds moved by the difference,
    those of goals with explicit bounds, too.

    Args:
        contest: contest of the panel, with first seats if the demands concern them.
        demands: demands on the rates of the decks, with the bands of the target.
        band_pp: half-width of the bands of the target, in percentage points.
        n_limits: number of demands at the end that are the same for each pilot.
    """
    n_hands = len(contest.hands)
    is_moved = np.append(np.ones(len(demands) - n_limits), np.zeros(n_limits))
    wider_pp = [hand.band_pp - band_pp for hand in contest.hands]
    extra = np.kron(np.array(wider_pp) / 100, is_moved)
    names = tuple(hand.named(name) for hand in contest.hands for name in demands.names)
    return replace(
        demands,
        names=names,
        weights=np.asarray(np.kron(np.eye(n_hands), _with_first_seats(contest, demands))),
        low=np.tile(demands.low, n_hands) - extra,
        high=np.tile(demands.high, n_hands) + extra,
        band_pp=demands.band_pp + min(0.0, *wider_pp),
        with_first_seat=False,
        repeats=contest.repeats,
        spreads=contest.spreads,
    )


def with_first_seat_limits(
    contest: PanelContest, demands: Demands, today: Readings, growth_pp: float
) -> Demands:
    """Return demands that also limit the growth of every pilot's first-turn advantage.

    The rate of the first seat may be as far from 50 % as today, which is read at the lower end of
    its interval, plus the permitted growth. It may always be as far as the band of the demands. If
    the target has a goal for the first seat, the stricter bounds of both hold.

    Args:
        contest: contest of the panel with first seats.
        demands: demands of the panel.
        today: games of the baseline.
        growth_pp: permitted growth in percentage points.
    """
    everywhere = np.eye(len(contest.matchups))
    limited = demands
    for position, part in zip(contest.first_seat_rates, today.parts, strict=True):
        first = paired_mean(part.readings.first_seat_over_matchups()[0], _CONFIDENCE_OF_TODAY)
        lead = max(float(first.low) - 0.5, 0.5 - float(first.high), 0.0)
        # Rounded down to tenths of a point, so that reports show the very bound.
        limit = floor(1_000 * (lead + growth_pp / 100)) / 1_000
        reach = max(limit, demands.band_pp / 100)
        known = np.flatnonzero((demands.weights == everywhere[position]).all(axis=1))
        if len(known):
            low, high = limited.low.copy(), limited.high.copy()
            low[known] = np.maximum(low[known], 0.5 - reach)
            high[known] = np.minimum(high[known], 0.5 + reach)
            limited = replace(limited, low=low, high=high)
            continue
        limited = replace(
            limited,
            names=(*limited.names, contest.matchup_name(contest.matchups[position])),
            weights=np.concatenate([limited.weights, everywhere[[position]]]),
            low=np.append(limited.low, 0.5 - reach),
            high=np.append(limited.high, 0.5 + reach),
        )
    return limited


def _with_first_seats(contest: PanelContest, demands: Demands) -> Floats:
    """Return the weights of demands with a column for the first seat if the contest has one.

    Args:
        contest: contest of the panel.
        demands: demands on the rates of the decks.
    """
    if contest.with_first_seats and not demands.with_first_seat:
        return np.column_stack([demands.weights, np.zeros(len(demands))])
    return demands.weights
