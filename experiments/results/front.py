"""The front of a balance run as rows: every patch that was played again, joined by `point`."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from balance.patch import Edit, patch_of
from balance.pipeline import BalanceRun
from balance.statistics.intervals import Interval, wilson
from balance.statistics.pareto import on_front


class FrontRow(NamedTuple):
    """A patch played again: claimed by the search, selected, and certified if it was recommended.

    Intervals of imbalances are those of all matchups together, at the level 0.95.
    """

    point: int
    change: float
    cards_touched: int
    claimed: Annotated[Interval, ("claimed_imbalance_pp", "claimed_low_pp", "claimed_high_pp")]
    claimed_n: int
    selected: Annotated[Interval, ("selected_imbalance_pp", "selected_low_pp", "selected_high_pp")]
    selected_n: int
    guards_hold: bool
    has_room: bool
    on_front: bool
    recommended: bool
    certified: (
        Annotated[Interval, ("certified_imbalance_pp", "certified_low_pp", "certified_high_pp")]
        | None
    )
    certified_n: int | None
    patch: str


class FrontMatchupRow(NamedTuple):
    """A matchup with such a patch, with intervals that hold for all matchups together."""

    point: int
    a: str
    b: str
    target: float
    claimed: Interval
    claimed_n: int
    selected: Interval
    selected_n: int
    confidence: float


class FrontEditRow(NamedTuple):
    """An edit of such a patch."""

    point: int
    card: str
    name: str
    field: str
    from_: int
    to: int


def front_rows(run: BalanceRun) -> list[FrontRow]:
    """Every patch played again, by rising change."""
    selection, certificate = run.selection, run.certificate
    demands = run.evaluator.demands
    claimed, selected = map(demands.imbalance_pp, _front_rates(run))
    certified = demands.imbalance_pp(certificate.after)
    scores = selection.scores
    front = np.flatnonzero(holds := scores.violation == 0)
    front = front[on_front(scores.change[holds], scores.imbalance_pp[holds])]
    return [
        FrontRow(
            point=k + 1,
            change=scores.change[k],
            cards_touched=scores.cards_touched[k],
            claimed=claimed.at(k),
            claimed_n=selection.claimed_n[k],
            selected=selected.at(k),
            selected_n=selection.n_games,
            guards_hold=holds[k],
            has_room=selection.has_room[k],
            on_front=k in front,
            recommended=k == selection.recommended,
            certified=certified if k == selection.recommended else None,
            certified_n=certificate.n_games if k == selection.recommended else None,
            patch="; ".join(map(str, _patch(run, k))),
        )
        for k in range(len(selection.genomes))
    ]


def front_matchup_rows(run: BalanceRun) -> list[FrontMatchupRow]:
    """Every matchup of every patch played again: its win rate as claimed and as selected."""
    selection, names = run.selection, [player.name for player in run.contest.players]
    claimed, selected = _front_rates(run)
    return [
        FrontMatchupRow(
            k + 1,
            names[a],
            names[b],
            run.certificate.targets[m],
            claimed.at(k, m),
            selection.claimed_n[k],
            selected.at(k, m),
            selection.n_games,
            run.certificate.confidence,
        )
        for k in range(len(selection.genomes))
        for m, (a, b) in enumerate(run.contest.matchups)
    ]


def front_edit_rows(run: BalanceRun) -> list[FrontEditRow]:
    """Every edit of every patch played again."""
    return [
        FrontEditRow(k + 1, edit.card, edit.name, edit.field, edit.before, edit.after)
        for k in range(len(run.selection.genomes))
        for edit in _patch(run, k)
    ]


def _front_rates(run: BalanceRun) -> tuple[Interval, Interval]:
    """``[S, M]`` win rates of the genomes played again, as claimed and as selected.

    Their intervals hold for all matchups together, as the certificate's do.
    """
    selection, confidence = run.selection, run.certificate.confidence
    claimed_n = selection.claimed_n[:, np.newaxis]
    return (
        wilson(selection.claimed * claimed_n, claimed_n, confidence),
        wilson(selection.points, selection.n_games, confidence),
    )


def _patch(run: BalanceRun, position: int) -> tuple[Edit, ...]:
    """The edits of one of the genomes played again."""
    space = run.measurement.narrowing.space
    return patch_of(run.selection.genomes[position], space, run.contest)
