"""Rows of the front of a balance run, joined by `point`, and the verdict on the run's patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import Contest, Demands, Floats, FoundPatch, Interval, on_front
from balance.contest.band import BandVerdict, band_verdict
from balance.contest.patch import Edit, patch_of
from experiments.results.stages import stage_rows
from experiments.screen.wording import interval_of


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
        on_front: whether the guards hold and no other patch for which they hold is better in change
            and imbalance.
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
    from_: int
    to: int


def front_rows(run: FoundPatch) -> list[FrontRow]:
    """Return one row per patch that was evaluated again, by rising change."""
    selection = run.selection
    certificate = run.certificate
    demands = run.evaluator.demands
    claimed, selected = map(demands.imbalance_pp, _front_rates(run, demands))
    scores = selection.scores
    # A patch that violates a guard cannot be recommended, so it keeps no other patch off the front.
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
            certified=certificate.after_pp if k == selection.recommended else None,
            certified_n=certificate.n_games if k == selection.recommended else None,
            patch="; ".join(map(str, _patch(run, k))),
        )
        for k in range(len(selection.genomes))
    ]


def front_matchup_rows(run: FoundPatch) -> list[FrontMatchupRow]:
    """Return one row per patch and reported rate, demanded or not."""
    selection = run.selection
    shown = run.reported_demands
    claimed, selected = _front_rates(run, shown)
    return [
        FrontMatchupRow(
            k + 1,
            *sides(run.evaluator.contest, name),
            float(shown.bounds[0, m]),
            float(shown.bounds[1, m]),
            claimed.at(k, m),
            selection.claimed_n[k],
            selected.at(k, m),
            selection.n_games,
            run.evaluator.demands.joint_confidence,
            shown.verdicts(claimed.at(k))[m],
            shown.verdicts(selected.at(k))[m],
        )
        for k in range(len(selection.genomes))
        for m, name in enumerate(shown.names)
    ]


def sides(contest: Contest, name: str) -> tuple[str, str]:
    """Return the names of the two sides of a demand.

    Args:
        contest: contest with the players and matchups.
        name: name of the demand, such as `Aggro vs Control` or `Aggro vs the field`.

    Returns:
        The names before and after `vs`. If the demand is on the share of a player at a table of
        more than two seats, the names are the player's name and an empty string.
    """
    for matchup in contest.matchups:
        if name == contest.matchup_name(matchup):
            a, *others = (contest.player_names[player] for player in matchup)
            return a, others[0] if len(others) == 1 else ""
    a, _, b = name.rpartition(" vs ")
    return a, b


def front_edit_rows(run: FoundPatch) -> list[FrontEditRow]:
    """Return one row per patch of the front and edit of the patch."""
    return [
        FrontEditRow(k + 1, edit.card, edit.name, edit.field, edit.before, edit.after)
        for k in range(len(run.selection.genomes))
        for edit in _patch(run, k)
    ]


def _front_rates(run: FoundPatch, demands: Demands) -> tuple[Interval, Interval]:
    """Return the rates with each of the `S` selected patches, with joint intervals.

    Args:
        run: balance run that evaluated the patches.
        demands: definitions of the `N` rates.

    Returns:
        Rates in the games of the search and rates in the games of the selection, shape ``[S, N]``
        each.
    """
    selection = run.selection
    confidence = run.evaluator.demands.joint_confidence
    selected = selection.points / selection.n_games
    return (
        demands.estimate(selection.claimed, selection.claimed_n, confidence),
        demands.estimate(selected, selection.n_games, confidence),
    )


def _patch(run: FoundPatch, position: int) -> tuple[Edit, ...]:
    """Return the edits of the patch at an index of a run's selection."""
    return patch_of(run.selection.genomes[position], run.evaluator.space, run.evaluator.contest)


class MatchupVerdict(NamedTuple):
    """A win rate in the games of a certificate, at the baseline and with the patch.

    Attributes:
        a: name of the first player, or `first seat`.
        b: name of the second player, `the field`, or `second seat`; empty if the rate is the share
            of a player at a table of more than two seats.
        least: lower bound of the win rate, as a fraction.
        most: upper bound of the win rate, as a fraction.
        before: win rate of `a` at the baseline.
        after: win rate of `a` with the patch.
        verdict: band verdict on `after`.
    """

    a: str
    b: str
    least: float
    most: float
    before: Interval
    after: Interval
    verdict: BandVerdict

    @property
    def inside(self) -> bool:
        """Whether the whole interval of the win rate with the patch is within the bounds."""
        return self.verdict == "inside"

    @property
    def name(self) -> str:
        """Name of the matchup, as in experiment files and reports."""
        return f"{self.a} vs {self.b}" if self.b else self.a


class Verdict(NamedTuple):
    """Result of a certificate, from games that influenced no choice of the search.

    Attributes:
        certified: whether every demand is inside its bounds and every guard is verified.
        matchups: matchups in the order of the contest, then the other demands.
        band_pp: permitted distance of a rate from its aim, in percentage points.
        n: number of games per matchup at the baseline, and again with the patch.
        confidence: confidence level of the interval of each matchup.
        failed_guards: names of the guards that are not verified.
        today_pp: imbalance at the baseline in percentage points, with a joint interval of all
            matchups.
        patched_pp: imbalance with the patch in percentage points, with a joint interval of all
            matchups.
    """

    certified: bool
    matchups: tuple[MatchupVerdict, ...]
    band_pp: float
    n: int
    confidence: float
    failed_guards: tuple[str, ...]
    today_pp: Interval
    patched_pp: Interval

    @property
    def word(self) -> str:
        """Verdict as text: `certified` or `not certified`."""
        return "certified" if self.certified else "not certified"

    @property
    def demanded(self) -> Verdict:
        """Copy of the verdict without matchups with the bounds 0 and 1, which permit any rate."""
        bounded = (row for row in self.matchups if (row.least, row.most) != (0, 1))
        return self._replace(matchups=tuple(bounded))

    @property
    def bounds(self) -> Floats:
        """Lower and upper bounds of the `M` matchups as fractions, shape ``[2, M]``."""
        return np.array([(row.least, row.most) for row in self.matchups]).T

    @property
    def before(self) -> Interval:
        """Win rates of the `M` matchups at the baseline, shape ``[M]``."""
        return Interval(*np.array([row.before for row in self.matchups]).T)

    @property
    def after(self) -> Interval:
        """Win rates of the `M` matchups with the patch, shape ``[M]``."""
        return Interval(*np.array([row.after for row in self.matchups]).T)


def verdict_of(run: FoundPatch) -> Verdict:
    """Return the verdict on the recommended patch of a run."""
    certificate = run.certificate
    matchups = tuple(
        MatchupVerdict(
            *sides(run.evaluator.contest, row.matchup),
            float(row.least),
            float(row.most),
            row.today.rate,
            row.certified.rate,
            band_verdict(row.certified.rate, float(row.least), float(row.most)),
        )
        for row in stage_rows(run)
    )
    return Verdict(
        certificate.certified,
        matchups,
        certificate.demands.band_pp,
        certificate.n_games,
        certificate.confidence,
        tuple(guard.name for guard in certificate.guards if not guard.holds),
        certificate.before_pp,
        certificate.after_pp,
    )


def watched(summary: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the guards of a `summary.json` that were measured, by name of the guard."""
    return {name: guard for name, guard in summary["guards"].items() if guard != "not watched"}


def verdict_in(summary: Mapping[str, Any]) -> Verdict:
    """Return the verdict on the recommended patch of a run, read from its `summary.json`."""
    matchups = summary["matchups"]
    certificate = summary["certificate"]
    return Verdict(
        summary["certified"],
        tuple(map(_matchup_in, matchups)),
        summary["band_pp"],
        matchups[0]["after"]["n"],
        summary["confidence"],
        tuple(name for name, guard in watched(summary).items() if not guard["holds"]),
        *(interval_of(certificate[f"imbalance_{side}"], "pp") for side in ("before", "after")),
    )


def _matchup_in(entry: Mapping[str, Any]) -> MatchupVerdict:
    """Return the verdict on a matchup, given the matchup's entry in a `summary.json`."""
    after = interval_of(entry["after"])
    # Summaries of earlier versions have `inside` but no `verdict`.
    verdict = entry.get("verdict") or (
        "inside" if entry["inside"] else band_verdict(after, entry["least"], entry["most"])
    )
    return MatchupVerdict(
        entry["a"],
        entry["b"],
        entry["least"],
        entry["most"],
        interval_of(entry["before"]),
        after,
        verdict,
    )
