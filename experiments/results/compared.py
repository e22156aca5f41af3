"""Rows that compare patches with the baseline: rates, paired changes, and edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import BalanceSettings, Contest, Demands, Floats, Interval
from balance.cards.pool_edits import SizedPatch
from balance.contest.band import band_verdict
from balance.contest.target import FIELD, FIRST_SEAT, with_players
from balance.contest.whatif import Explored

WATCHED_SEAT = "first seat"
"""Kind of the first seat's win rate if the target has no goal for it."""

Of = str
"""Kind of a rate.

`matchup` for a matchup, `deck` for a deck against all others, `first seat` for the first seat
without a goal, `else` for any other demand.
"""


class ShownRates(NamedTuple):
    """Rates that reports show, demanded or not.

    Attributes:
        demands: names and definitions of the `N` rates; a rate without a goal has infinite bounds.
        kinds: kind of each rate, shape ``[N]``.
        bounds: lower and upper bound of each rate, beyond which reports mark the rate, shape
            ``[2, N]``. They are the goal of the rate, or the band of the first seat.
    """

    demands: Demands
    kinds: list[Of]
    bounds: Floats


class ChangeRow(NamedTuple):
    """A rate at the baseline and with a patch, and the change on equal seeds.

    Attributes:
        patch: name of the patch or pool that is compared with the baseline.
        of: kind of the rate.
        rate: name of the rate.
        least: lower bound of the rate, as a fraction.
        most: upper bound of the rate, as a fraction.
        today: rate at the baseline, as a fraction.
        patched: rate with the patch, as a fraction.
        change: paired change of the rate, in percentage points.
        can_change: whether the edits can affect any game of the rate; if not, the change is
            exactly 0.
        beyond_first: paired difference from the rate with the first patch of the comparison, in
            percentage points; `None` in rows of the first patch.
        n: number of games per matchup.
        verdict_today: band verdict on `today`.
        verdict: band verdict on `patched`.
    """

    patch: str
    of: Of
    rate: str
    least: float
    most: float
    today: Annotated[Interval, ("win_rate_today", "today_low", "today_high")]
    patched: Annotated[Interval, ("win_rate", "low", "high")]
    change: Annotated[Interval, ("change_pp", "change_low_pp", "change_high_pp")]
    can_change: bool
    beyond_first: (
        Annotated[Interval, ("beyond_first_pp", "beyond_first_low_pp", "beyond_first_high_pp")]
        | None
    )
    n: int
    # Plain text instead of `balance.contest.band.BandVerdict`, since rows are also read from
    # tables.
    verdict_today: str = ""
    verdict: str = ""


def reported_rates(settings: BalanceSettings, contest: Contest) -> ShownRates:
    """Return the rates that reports show, with their kinds and bounds.

    The rates are all matchups, each deck against the field if the contest has several matchups of
    two players, the other demands, and the first seat if the contest has matchups of two seats.

    Args:
        settings: settings with the demands and the weights of the decks in the field.
        contest: contest with the decks and their matchups.
    """
    demands = settings.demands_in(contest).with_matchups(contest.matchup_names)
    if len(contest.matchups) > 1 and contest.n_seatings == 2:
        demands = with_players(demands, contest, settings.field.weights)
    n_demanded = len(demands)
    if contest.matchups:
        demands = _with_first_seat(demands, contest)
    n_matchups = len(contest.matchups)
    decks = [f"{name} vs {FIELD}" for name in contest.player_names]
    others = ["deck" if name in decks else "else" for name in demands.names[n_matchups:n_demanded]]
    kinds = ["matchup"] * n_matchups + others
    bounds = demands.bounds
    if len(demands) > n_demanded:
        kinds.append(WATCHED_SEAT)
        bounds[:, -1] = settings.target.first_seat_bounds
    return ShownRates(demands, kinds, bounds)


def _with_first_seat(demands: Demands, contest: Contest) -> Demands:
    """Return demands that also contain the first seat's win rate, for reports.

    Args:
        demands: demands on the rates of the contest.
        contest: contest that determines the number of seats.

    Returns:
        Copy of the demands with the first seat added at the end, with infinite bounds. The demands
        are returned unchanged if they contain the first seat or the contest does not have two
        seats.
    """
    if demands.with_first_seat or contest.n_seatings != 2:
        return demands
    # The first seat's rate is the last column of the weights, which no other demand uses.
    weights = np.zeros((len(demands) + 1, demands.n_rates + 1))
    weights[:-1, :-1] = demands.weights
    weights[-1, -1] = 1.0
    return replace(
        demands,
        names=(*demands.names, FIRST_SEAT),
        weights=weights,
        low=np.append(demands.low, -inf),
        high=np.append(demands.high, inf),
        with_first_seat=True,
    )


def change_rows(
    names: Sequence[str],
    explored: Sequence[Explored],
    today: Explored,
    shown: ShownRates,
) -> list[list[ChangeRow]]:
    """Return the rows of each patch, one row per rate.

    Args:
        names: name of each patch.
        explored: games with each patch, on the same seeds as the games of the baseline.
        today: games with the baseline cards.
        shown: rates to compare, with their kinds and bounds.
    """
    demands, kinds, bounds = shown
    rates_today = today.rates(demands)
    rows_of_patches = list[list[ChangeRow]]()
    for name, games in zip(names, explored, strict=True):
        rates = games.rates(demands)
        change = games.change_from(today, demands)
        # The first patch is the reference of this comparison, so it has no such difference.
        beyond = games.change_from(explored[0], demands) if rows_of_patches else None
        moves = demands.touched(games.can_differ(today))
        rows_of_patches.append(
            [
                ChangeRow(
                    name,
                    kinds[n],
                    demands.names[n],
                    float(bounds[0, n]),
                    float(bounds[1, n]),
                    rates_today.at(n),
                    rates.at(n),
                    change.at(n).times(100),
                    bool(moves[n] > 0),
                    None if beyond is None else beyond.at(n).times(100),
                    games.n_games,
                    band_verdict(rates_today.at(n), float(bounds[0, n]), float(bounds[1, n])),
                    band_verdict(rates.at(n), float(bounds[0, n]), float(bounds[1, n])),
                )
                for n in range(len(demands))
            ]
        )
    return rows_of_patches


def patch_entry(patch: SizedPatch | None) -> dict[str, Any]:
    """Return the edits and the size of a patch as data for `summary.json`.

    Args:
        patch: edits with their size; `None` if the cards differ in more than numbers, which sets
            all values to `None`.
    """
    return {
        "patch": [edit.as_entry() for edit in patch.edits] if patch else None,
        "change": patch.change if patch else None,
        "cards_touched": patch.cards_touched if patch else None,
    }


def rate_entry(row: ChangeRow) -> dict[str, Any]:
    """Return a row as data for `summary.json`, without `beyond_first` if it is `None`."""
    beyond = row.beyond_first
    return {
        "rate": row.rate,
        "of": row.of,
        "least": row.least,
        "most": row.most,
        "today": row.today.as_entry(verdict=row.verdict_today),
        "patched": row.patched.as_entry(verdict=row.verdict),
        "change": row.change.as_entry("pp"),
        "can_change": row.can_change,
        **({} if beyond is None else {"beyond_first": beyond.as_entry("pp")}),
    }


def edit_table(
    names: Sequence[str], patches: Sequence[SizedPatch | None]
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return columns and rows of a table with the edited numbers of several patches side by side.

    A row has card, field, baseline value, and the value with each patch.

    Args:
        names: name of each patch.
        patches: edits of each patch; `None`, for cards that differ in more than numbers, gives
            `None` in the whole column.
    """
    tables = [
        {} if patch is None else {(edit.card, edit.field): edit for edit in patch.edits}
        for patch in patches
    ]
    today = {key: edit.before for table in tables for key, edit in table.items()}
    rows = [
        (
            *key,
            before,
            *(
                None if patch is None else table[key].after if key in table else before
                for table, patch in zip(tables, patches, strict=True)
            ),
        )
        for key, before in today.items()
    ]
    return ("card", "field", "today", *names), rows
