"""Comparison of patches with the baseline as rows: rates, paired changes, and edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from balance import BalanceSettings, CardContest, Demands, Floats, Interval
from balance.band import band_verdict
from balance.pool_edits import SizedPatch
from balance.target import FIELD, with_players
from balance.whatif import Explored
from experiments.results.first_seat import with_first_seat
from experiments.screen import entry_of

WATCHED_SEAT = "first seat"
Of = str
"""Kind of a rate: that of a `matchup`, of a `deck` against all others, of a demand of another kind
(`else`), or of the `first seat` if the target has no goal for it."""


class ShownRates(NamedTuple):
    """Rates that reports show, demanded or not.

    Attributes:
        demands: the ``N`` rates; a rate without a goal has infinite bounds.
        kinds: kind of each rate, shape ``[N]``.
        bounds: lower and upper bounds beyond which a rate is marked, shape ``[2, N]``: its goal, or
            the band of the first seat.
    """

    demands: Demands
    kinds: list[Of]
    bounds: Floats


class ChangeRow(NamedTuple):
    """A rate at the baseline and with other cards, and its change on equal seeds.

    Attributes:
        patch: name of the patch or pool that is compared.
        of: kind of the rate.
        rate: name of the rate.
        least: lower bound of the rate.
        most: upper bound of the rate.
        today: the rate at the baseline.
        patched: the rate with the patch.
        change: paired change in points.
        can_change: whether the edits can affect any of its games; if not, the change is exactly 0.
        beyond_first: paired change beyond that of the first patch compared, in points; `None` for
            the first one.
        n: games per matchup.
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
    verdict_today: str = ""  # a `balance.band.BandVerdict`; tables read back plain text
    verdict: str = ""


def reported_rates(settings: BalanceSettings, contest: CardContest) -> ShownRates:
    """Return the rates that reports show.

    These are all matchups, each deck against the field if there are several matchups, the other
    demands, and the first seat.

    Args:
        settings: the demands, and the weights of the decks in the field.
        contest: the decks and their matchups.
    """
    demands = settings.demands_in(contest).with_matchups(contest.matchup_names)
    if len(contest.matchups) > 1:
        demands = with_players(demands, contest, settings.field.weights)
    n_demanded = len(demands)
    if contest.matchups:
        demands = with_first_seat(demands, contest)
    n_matchups = len(contest.matchups)
    decks = [f"{name} vs {FIELD}" for name in contest.player_names]
    others = ["deck" if name in decks else "else" for name in demands.names[n_matchups:n_demanded]]
    kinds = ["matchup"] * n_matchups + others
    bounds = demands.bounds
    if len(demands) > n_demanded:
        kinds.append(WATCHED_SEAT)
        bounds[:, -1] = settings.target.first_seat_bounds
    return ShownRates(demands, kinds, bounds)


def change_rows(
    names: Sequence[str],
    explored: Sequence[Explored],
    today: Explored,
    shown: ShownRates,
) -> list[list[ChangeRow]]:
    """Return, for each patch, one row per rate.

    Args:
        names: names of the patches.
        explored: games with each patch, on the seeds of the baseline's games.
        today: games with the baseline cards.
        shown: the rates of each row, with their kinds and bounds.
    """
    demands, kinds, bounds = shown
    rates_today = today.rates(demands)
    rows_of_patches = list[list[ChangeRow]]()
    for name, games in zip(names, explored, strict=True):
        rates = games.rates(demands)
        change = games.change_from(today, demands)
        # The first patch has no other one to be compared with.
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
    """Return a patch as data of a summary; all values are `None` without a patch.

    Args:
        patch: the patch; `None` if the cards differ in more than numbers.
    """
    edits = [
        {"card": edit.card, "field": edit.field, "from": edit.before, "to": edit.after}
        for edit in (patch.edits if patch else ())
    ]
    return {
        "patch": edits if patch else None,
        "change": patch.change if patch else None,
        "cards_touched": patch.cards_touched if patch else None,
    }


def rate_entry(row: ChangeRow) -> dict[str, Any]:
    """Return a row as data of a summary."""
    beyond = row.beyond_first
    return {
        "rate": row.rate,
        "of": row.of,
        "least": row.least,
        "most": row.most,
        "today": entry_of(row.today) | {"verdict": row.verdict_today},
        "patched": entry_of(row.patched) | {"verdict": row.verdict},
        "change": entry_of(row.change, "pp"),
        "can_change": row.can_change,
        **({} if beyond is None else {"beyond_first": entry_of(beyond, "pp")}),
    }


def edit_table(
    names: Sequence[str], patches: Sequence[SizedPatch | None]
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return columns and rows of a table with the edited numbers of several patches side by side.

    Args:
        names: names of the patches.
        patches: the patches; `None`, for cards that differ in more than numbers, has empty cells.
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
