"""A balance run's front as rows, joined by `point`, and the verdict on its recommended patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import Contest, Demands, Floats, FoundPatch, Interval, on_front
from balance.band import BandVerdict, band_verdict
from balance.patch import Edit, patch_of
from experiments.results.stages import stage_rows


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
    """A win rate with such a patch, with intervals that hold for all demands together."""

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
    claimed_verdict: str = ""  # a `balance.band.BandVerdict`; earlier versions did not tell it
    selected_verdict: str = ""


class FrontEditRow(NamedTuple):
    """An edit of such a patch."""

    point: int
    card: str
    name: str
    field: str
    from_: int
    to: int


def front_rows(run: FoundPatch) -> list[FrontRow]:
    """Every patch played again, by rising change."""
    selection = run.selection
    certificate = run.certificate
    demands = run.evaluator.demands
    claimed, selected = map(demands.imbalance_pp, _front_rates(run, demands))
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
            certified=certificate.after_pp if k == selection.recommended else None,
            certified_n=certificate.n_games if k == selection.recommended else None,
            patch="; ".join(map(str, _patch(run, k))),
        )
        for k in range(len(selection.genomes))
    ]


def front_matchup_rows(run: FoundPatch) -> list[FrontMatchupRow]:
    """Every matchup, and what else is demanded, of every patch played again."""
    selection = run.selection
    told = run.reported_demands
    claimed, selected = _front_rates(run, told)
    return [
        FrontMatchupRow(
            k + 1,
            *sides(run.evaluator.contest, name),
            float(told.bounds[0, m]),
            float(told.bounds[1, m]),
            claimed.at(k, m),
            selection.claimed_n[k],
            selected.at(k, m),
            selection.n_games,
            run.evaluator.demands.joint_confidence,
            told.verdicts(claimed.at(k))[m],
            told.verdicts(selected.at(k))[m],
        )
        for k in range(len(selection.genomes))
        for m, name in enumerate(told.names)
    ]


def sides(contest: Contest, name: str) -> tuple[str, str]:
    """Who meets whom in what a demand is called: two players, or one and `the field`.

    At a table of more it is one player's share, and nobody meets it.
    """
    for matchup in contest.matchups:
        if name == contest.matchup_name(matchup):
            a, *others = (contest.player_names[player] for player in matchup)
            return a, others[0] if len(others) == 1 else ""
    one, _, other = name.rpartition(" vs ")
    return one, other


def front_edit_rows(run: FoundPatch) -> list[FrontEditRow]:
    """Every edit of every patch played again."""
    return [
        FrontEditRow(k + 1, edit.card, edit.name, edit.field, edit.before, edit.after)
        for k in range(len(run.selection.genomes))
        for edit in _patch(run, k)
    ]


def _front_rates(run: FoundPatch, told: Demands) -> tuple[Interval, Interval]:
    """``[S, N]`` rates of the genomes played again, as claimed and as selected.

    Their intervals hold for all demands together.
    """
    selection = run.selection
    confidence = run.evaluator.demands.joint_confidence
    selected = selection.points / selection.n_games
    return (
        told.estimate(selection.claimed, selection.claimed_n, confidence),
        told.estimate(selected, selection.n_games, confidence),
    )


def _patch(run: FoundPatch, position: int) -> tuple[Edit, ...]:
    """The edits of one of the genomes played again."""
    return patch_of(run.selection.genomes[position], run.evaluator.space, run.evaluator.contest)


class MatchupVerdict(NamedTuple):
    """A win rate today and with the patch, and where the patch's interval lies.

    Of a matchup; of a player `a` against `the field`; or of the first seat.
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
        """Whether the whole interval is within its bounds."""
        return self.verdict == "inside"

    @property
    def name(self) -> str:
        """How experiment files and reports write a matchup."""
        return f"{self.a} vs {self.b}" if self.b else self.a


class Verdict(NamedTuple):
    """What a certificate says of a patch, from games that chose nothing.

    Attributes:
        certified: every matchup is inside its band, and every guard is shown to hold.
        matchups: all of them in their order, then other demands.
        band_pp: how far from its aim a rate may be.
        n: games per matchup and side.
        confidence: of each matchup's intervals.
        failed_guards: those not shown to hold.
        today_pp: today's imbalance, with the interval of all matchups together.
        patched_pp: the same with the patch.
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
        """`certified`, or not."""
        return "certified" if self.certified else "not certified"

    @property
    def demanded(self) -> Verdict:
        """With only that of which something is demanded."""
        some = (one for one in self.matchups if (one.least, one.most) != (0, 1))
        return self._replace(matchups=tuple(some))

    @property
    def bounds(self) -> Floats:
        """``[2, M]`` the least and the most that is allowed."""
        return np.array([(one.least, one.most) for one in self.matchups]).T

    @property
    def before(self) -> Interval:
        """``[M]`` win rates today."""
        return Interval(*np.array([one.before for one in self.matchups]).T)

    @property
    def after(self) -> Interval:
        """``[M]`` win rates with the patch."""
        return Interval(*np.array([one.after for one in self.matchups]).T)


def verdict_of(run: FoundPatch) -> Verdict:
    """The verdict on a run's recommended patch."""
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
    """The guards of a run's `summary.json` that its games say something about."""
    return {name: guard for name, guard in summary["guards"].items() if guard != "not watched"}


def verdict_in(summary: Mapping[str, Any]) -> Verdict:
    """The same from the `summary.json` of a run."""
    matchups = summary["matchups"]
    certificate = summary["certificate"]
    return Verdict(
        summary["certified"],
        tuple(map(_matchup_in, matchups)),
        summary["band_pp"],
        matchups[0]["after"]["n"],
        summary["confidence"],
        tuple(name for name, guard in watched(summary).items() if not guard["holds"]),
        *(_interval(certificate[f"imbalance_{side}"], "pp") for side in ("before", "after")),
    )


def _matchup_in(told: Mapping[str, Any]) -> MatchupVerdict:
    """A matchup's verdict, which summaries of earlier versions told of what is inside alone."""
    after = _interval(told["after"], "win_rate")
    verdict = told.get("verdict") or (
        "inside" if told["inside"] else band_verdict(after, told["least"], told["most"])
    )
    return MatchupVerdict(
        told["a"],
        told["b"],
        told["least"],
        told["most"],
        _interval(told["before"], "win_rate"),
        after,
        verdict,
    )


def _interval(told: Mapping[str, Any], name: str) -> Interval:
    """What `entry_of` has told."""
    return Interval(*(told[bound] for bound in (name, "low", "high")))
