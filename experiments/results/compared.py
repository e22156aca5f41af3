"""What cards come to beside today's, as rows: rates, changes on equal seeds, and the edits."""

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
"""What a rate is of: a `matchup`, a `deck` against all others, what `else` is demanded, or the
`first seat` where nothing is demanded of it."""


class ShownRates(NamedTuple):
    """The rates that are shown.

    Attributes:
        demands: the ``N`` rates, of some of which nothing is demanded.
        kinds: ``[N]`` what each is of.
        bounds: ``[2, N]`` beyond which each is marked: those demanded, and the first seat's band.
    """

    demands: Demands
    kinds: list[Of]
    bounds: Floats


class ChangeRow(NamedTuple):
    """A rate today and with other cards, and what that is more, on equal seeds.

    Without `can_change` no game of it can have come out otherwise, so it has not changed, for
    certain. `beyond_first` is how much more it is than with the first of several that are compared.
    `verdict_today` and `verdict` say where the intervals of `today` and `patched` lie.
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
    """All matchups, all decks against the others if there are several, other demands, first seat.

    Args:
        settings: what is demanded, and how much each deck counts.
        contest: of whose decks.
    """
    told = settings.demands_in(contest).with_matchups(contest.matchup_names)
    if len(contest.matchups) > 1:
        told = with_players(told, contest, settings.field.weights)
    n_demanded = len(told)
    if contest.matchups:
        told = with_first_seat(told, contest)
    n_matchups = len(contest.matchups)
    decks = [f"{name} vs {FIELD}" for name in contest.player_names]
    others = ["deck" if name in decks else "else" for name in told.names[n_matchups:n_demanded]]
    kinds = ["matchup"] * n_matchups + others
    bounds = told.bounds
    if len(told) > n_demanded:
        kinds.append(WATCHED_SEAT)
        bounds[:, -1] = settings.target.first_seat_bounds
    return ShownRates(told, kinds, bounds)


def change_rows(
    names: Sequence[str],
    explored: Sequence[Explored],
    today: Explored,
    shown: ShownRates,
) -> list[list[ChangeRow]]:
    """Of each that is compared, a row for each rate.

    Args:
        names: what people call what is compared.
        explored: its games.
        today: those of today's cards.
        shown: the rates.
    """
    told, kinds, bounds = shown
    rates_today = today.rates(told)
    found = list[list[ChangeRow]]()
    for name, one in zip(names, explored, strict=True):
        rates = one.rates(told)
        change = one.change_from(today, told)
        beyond = one.change_from(explored[0], told) if found else None
        moves = told.touched(one.can_differ(today))
        found.append(
            [
                ChangeRow(
                    name,
                    kinds[n],
                    told.names[n],
                    float(bounds[0, n]),
                    float(bounds[1, n]),
                    rates_today.at(n),
                    rates.at(n),
                    change.at(n).times(100),
                    bool(moves[n] > 0),
                    None if beyond is None else beyond.at(n).times(100),
                    one.n_games,
                    band_verdict(rates_today.at(n), float(bounds[0, n]), float(bounds[1, n])),
                    band_verdict(rates.at(n), float(bounds[0, n]), float(bounds[1, n])),
                )
                for n in range(len(told))
            ]
        )
    return found


def patch_entry(patch: SizedPatch | None) -> dict[str, Any]:
    """A patch in a summary; of cards that differ in more than numbers there is none."""
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
    """A rate in a summary."""
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
    """The edited numbers side by side: columns and rows; where more than numbers differ, nothing.

    Args:
        names: what people call what is compared.
        patches: their patches.
    """
    tables = [
        {} if patch is None else {(one.card, one.field): one for one in patch.edits}
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
