"""Rows of the front of a balance run, joined by `point`."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from balance.contest.demands import Demands
from balance.contest.patch import Edit, patch_of
from balance.run.front import on_front
from balance.search.selection import Selection
from balance.statistics.intervals import Interval
from balance.verdict.certificate import Certificate
from balance.verdict.evaluation import Evaluator
from sim.simulator.block import Value


class FrontRow(NamedTuple):
    """A patch that was evaluated again after the search, with its imbalance in each stage.

    The intervals of imbalances are joint intervals of all matchups at the level 0.95.

    Attributes:
        point: number of the patch, from 1.
        change: size of the patch in weighted steps.
        cards_touched: number of edited cards.
        claimed: imbalance in the games of the search, in percentage points; biased downwards, since
            the search chose patches by these games.
        claimed_n: number of games per matchup behind `claimed`.
        selected: imbalance in the games of the selection, in percentage points.
        selected_n: number of games per matchup behind `selected`.
        guards_hold: whether all guards hold in the games of the selection.
        has_room: whether all margins are large enough to make a certificate likely.
        on_front: whether the guards hold and no other patch for which they hold is better in edited
            cards, change and imbalance.
        recommended: whether the patch is the recommended patch.
        certified: imbalance in the games of the certificate, in percentage points; `None` if the
            patch is not the recommended patch.
        certified_n: number of games per matchup of the certificate; `None` if the patch is not the
            recommended patch.
        patch: edits as in patch notes, separated by semicolons.
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
    """A win rate with a patch of the front, with joint intervals of all demands.

    Attributes:
        point: number of the patch, as in `FrontRow`.
        a: name of the first player, or `first seat`.
        b: name of the second player, `the field`, or `second seat`; empty if the rate is the share
            of a player at a table of more than two seats.
        least: lower bound of the win rate, as a fraction.
        most: upper bound of the win rate, as a fraction.
        claimed: win rate of `a` in the games of the search.
        claimed_n: number of games per matchup behind `claimed`.
        selected: win rate of `a` in the games of the selection.
        selected_n: number of games per matchup behind `selected`.
        confidence: confidence level of each interval.
        claimed_verdict: band verdict on `claimed`; empty in tables of earlier versions.
        selected_verdict: band verdict on `selected`; empty in tables of earlier versions.
    """

    point: int
    a: str
    b: str
    least: float
    most: float
    claimed: Interval
    claimed_n: int
    selected: Interval
    selected_n: int
    confidence: float
    # Plain text instead of `BandVerdict`, since rows are also read from tables.
    claimed_verdict: str = ""
    selected_verdict: str = ""


class FrontEditRow(NamedTuple):
    """An edit in a patch of the front.

    Attributes:
        point: number of the patch, as in `FrontRow`.
        card: id of the edited card.
        name: name of the edited card.
        field: name of the edited field.
        from_: baseline value of the field.
        to: value of the field with the patch.
    """

    point: int
    card: str
    name: str
    field: str
    from_: Value
    to: Value


def front_rows(
    evaluator: Evaluator, selection: Selection, certificate: Certificate
) -> list[FrontRow]:
    """Return one row per patch that was evaluated again, by rising size.

    Args:
        evaluator: evaluator with the search space and the demands.
        selection: patches that were evaluated again.
        certificate: certificate of the recommended patch.
    """
    demands = evaluator.demands
    claimed, selected = map(demands.imbalance_pp, _front_rates(evaluator, selection, demands))
    scores = selection.scores
    # A patch that violates a guard cannot be recommended, so it keeps no other patch off the front.
    front = np.flatnonzero(holds := scores.violation == 0)
    measures = (scores.cards_touched, scores.change, scores.imbalance_pp)
    front = front[on_front(*(measure[holds] for measure in measures))]
    return [
        FrontRow(
            point=k + 1,
            change=scores.change[k],
            cards_touched=scores.cards_touched[k],
            claimed=claimed.at(k),
            claimed_n=selection.claimed_n[k],
            selected=selected.at(k),
            selected_n=int(selection.n_games[k]),
            guards_hold=holds[k],
            has_room=selection.has_room[k],
            on_front=k in front,
            recommended=k == selection.recommended,
            certified=certificate.after_pp if k == selection.recommended else None,
            certified_n=certificate.n_games if k == selection.recommended else None,
            patch="; ".join(map(str, patch)),
        )
        for k, patch in enumerate(_patches(evaluator, selection))
    ]


def front_matchup_rows(
    evaluator: Evaluator, selection: Selection, shown: Demands
) -> list[FrontMatchupRow]:
    """Return one row per patch and reported rate.

    Args:
        evaluator: evaluator with the contest.
        selection: patches that were evaluated again.
        shown: reported rates, demanded or not.
    """
    claimed, selected = _front_rates(evaluator, selection, shown)
    return [
        FrontMatchupRow(
            k + 1,
            *evaluator.contest.sides(name),
            float(shown.bounds[0, m]),
            float(shown.bounds[1, m]),
            claimed.at(k, m),
            selection.claimed_n[k],
            selected.at(k, m),
            int(selection.n_games[k]),
            evaluator.demands.joint_confidence,
            shown.verdicts(claimed.at(k))[m],
            shown.verdicts(selected.at(k))[m],
        )
        for k in range(len(selection.genomes))
        for m, name in enumerate(shown.names)
    ]


def front_edit_rows(evaluator: Evaluator, selection: Selection) -> list[FrontEditRow]:
    """Return one row per patch of the front and edit of the patch."""
    return [
        FrontEditRow(k + 1, edit.card, edit.name, edit.field, edit.before, edit.after)
        for k, patch in enumerate(_patches(evaluator, selection))
        for edit in patch
    ]


def _front_rates(
    evaluator: Evaluator, selection: Selection, demands: Demands
) -> tuple[Interval, Interval]:
    """Return the rates with each of the `S` selected patches, with joint intervals.

    Args:
        evaluator: evaluator with the confidence level of the intervals.
        selection: patches that were evaluated again.
        demands: definitions of the `N` rates.

    Returns:
        Rates in the games of the search and rates in the games of the selection, shape ``[S, N]``
        each.
    """
    confidence = evaluator.demands.joint_confidence
    return (
        demands.estimate(selection.claimed, selection.claimed_n, confidence),
        demands.estimate(selection.rates, selection.n_games, confidence),
    )


def _patches(evaluator: Evaluator, selection: Selection) -> list[tuple[Edit, ...]]:
    """Return the edits of each patch that was evaluated again."""
    return [patch_of(genome, evaluator.space, evaluator.contest) for genome in selection.genomes]
