"""A balance run as rows: search, patch stage by stage, guards, edits, drift; and its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from balance import CONFIDENCE, BalanceRun, FoundPatch, Interval
from balance.certificate import truth_of
from balance.edit_effects import EditEffects, measure_edits
from balance.front import hypervolume_of
from balance.patch import edit_of
from balance.settings import Games

if TYPE_CHECKING:
    from balance import DriftRun  # which loads torch

# A matchup with the patch: pilots as they were, and as they have become.
DRIFT_COLUMNS = (
    "matchup", "least", "most", "win_rate_before", "before_low", "before_high",
    "win_rate_after", "after_low", "after_high", "change_pp", "change_low_pp", "change_high_pp",
    "placebo_pp", "placebo_low_pp", "placebo_high_pp", "beyond_pp", "beyond_low_pp",
    "beyond_high_pp", "confidence", "n", "inside", "verdict",
)  # fmt: skip
SMALLER = "smaller.csv"
REASONS = "edit_reasons.csv"
_GUARD_UNITS = {"max_draw_rate": "share", "max_first_seat_pp": "pp", "median_turns": "turns"}


class ConvergenceRow(NamedTuple):
    """A generation: its best patch as the search saw it, and the front so far."""

    generation: int
    games: float
    imbalance_pp: float
    mean_imbalance_pp: float
    change: float
    genomes_seen: float
    hypervolume: Interval


def convergence_rows(run: FoundPatch) -> list[ConvergenceRow]:
    """One row per generation."""
    share = hypervolume_of(run)
    return [
        ConvergenceRow._make([k, *record, share.at(k)])
        for k, record in enumerate(run.state.history.tolist())
    ]


def games_of_stages(run: FoundPatch, effects: EditEffects | None = None) -> dict[str, int]:
    """How many games each stage of a run took, all matchups together."""
    selection = run.selection
    cleanup = run.cleanup
    contest = run.evaluator.contest
    n_matchups = len(contest.matchups)
    today = run.evaluator.today
    n_selected = len(selection.genomes) - cleanup.n_replaced
    n_measured = today.n_games * n_matchups if today else 0
    explanation = {"explain": run.explanation.n_games} if run.explanation else {}
    stages = {
        "measure": n_measured,
        "narrow": run.n_spent - n_measured,
        "search": int(run.state.history[-1, 0]),
        "select": (n_selected + 1) * selection.n_games * n_matchups,
        "clean_up": cleanup.n_games,
        "certify": 2 * run.certificate.n_games_played * n_matchups,
        **explanation,
        "edits": effects.n_played if effects else 0,
    }
    return {stage: n * contest.n_tables // n_matchups for stage, n in stages.items()}


class Stage(NamedTuple):
    """A win rate in the games of one stage."""

    rate: Annotated[Interval, ("win_rate", "low", "high")]
    confidence: float
    n: int


class StageRow(NamedTuple):
    """A win rate today, and with the recommended patch as claimed, selected and certified.

    Of a matchup, of a player against the field, or of the first seat.
    """

    matchup: str
    least: float
    most: float
    today: Stage
    claimed: Stage
    selected: Stage
    certified: Stage
    inside: bool
    verdict: str = (
        ""  # a `balance.band.BandVerdict` of `certified`; earlier versions did not tell it
    )


class GuardRow(NamedTuple):
    """A guard in the certificate's games: its readings, what is allowed, and whether it holds."""

    guard: str
    unit: str
    before: Interval
    after: Interval
    least: float
    most: float
    n: int
    holds: bool
    estimate: float
    bound: float
    limit: float
    confidence: float
    passing_limit: float | None = None  # by which these games would show that it holds


class SmallerRow(NamedTuple):
    """A patch with an edit less than the recommended one, and what the clean-up found of it.

    `taken_back` says which numbers go back, and how far; `kept_by` what keeps it from a
    certificate: demands, and keys of `[guards]`. Without games nothing is known of it.
    """

    taken_back: str
    change: float
    outcome: str  # a `balance.clean_up_result.Outcome`; tables read back plain text
    n: int
    imbalance_pp: Annotated[Interval, ("imbalance_pp", "low_pp", "high_pp")] | None
    kept_by: str


def smaller_rows(run: FoundPatch) -> list[SmallerRow]:
    """One row per patch with an edit less, by rising change."""
    space = run.evaluator.space
    contest = run.evaluator.contest
    genome = run.selection.genome
    rows = list[SmallerRow]()
    for one in run.cleanup.smaller:
        back = list[str]()
        for k in np.flatnonzero(one.genome != genome).tolist():
            number = contest.parameter(space.genes[k])
            patched = number._replace(value=number.value + int(genome[k]))
            back.append(str(edit_of(patched, number.value + int(one.genome[k]))))
        rows.append(
            SmallerRow(
                "; ".join(back),
                float(space.change(one.genome[np.newaxis])[0]),
                one.outcome,
                one.n_games,
                one.imbalance_pp,
                "; ".join(short.name for short in one.shortfalls),
            )
        )
    return sorted(rows, key=lambda row: row.change)


def stage_rows(run: FoundPatch) -> list[StageRow]:
    """One row per matchup, then one for each other demand."""
    selection = run.selection
    chosen = run.selection.recommended
    verdict = run.certificate
    told = run.reported_demands
    n = int(selection.claimed_n[chosen])
    claimed = told.estimate(selection.claimed[chosen], n, CONFIDENCE)
    rates = selection.points[chosen] / selection.n_games
    selected = told.estimate(rates, selection.n_games, CONFIDENCE)
    certified = told.read(run.certified, verdict.confidence)
    after = certified.at(0)
    before = certified.at(-1)
    verdicts = told.verdicts(after)
    return [
        StageRow(
            name,
            float(least),
            float(most),
            Stage(before.at(k), verdict.confidence, verdict.n_games),
            Stage(claimed.at(k), CONFIDENCE, n),
            Stage(selected.at(k), CONFIDENCE, selection.n_games),
            Stage(after.at(k), verdict.confidence, verdict.n_games),
            verdicts[k] == "inside",
            verdicts[k],
        )
        for k, (name, (least, most)) in enumerate(zip(told.names, told.bounds.T, strict=True))
    ]


def guard_rows(run: FoundPatch) -> list[GuardRow]:
    """One row per guard."""
    return [
        GuardRow(
            guard.name,
            _GUARD_UNITS[guard.name],
            guard.before,
            guard.after,
            guard.low,
            guard.high,
            guard.n_games * len(run.evaluator.contest.matchups),
            guard.holds,
            guard.estimate,
            guard.bound,
            guard.limit,
            CONFIDENCE,
            guard.passing_limit,
        )
        for guard in run.certificate.guards
    ]


def drift_rows(drift: DriftRun) -> list[tuple[Any, ...]]:
    """One row per demand."""
    verdict = drift.certificate
    return [
        (
            name,
            *verdict.demands.bounds[:, m],
            drift.before.at(m),
            verdict.after.at(m),
            *(one.at(m).times(100) for one in (drift.change, drift.placebo, drift.beyond)),
            verdict.confidence,
            verdict.n_games,
            verdict.inside[m],
            verdict.verdicts[m],
        )
        for m, name in enumerate(verdict.demands.names)
    ]


def outcome(run: BalanceRun, truth_games: int) -> dict[str, Any]:
    """The verdict on the recommended patch, its size, all games, and its truth.

    Studies and suites share these columns.

    Args:
        run: what was found.
        truth_games: per matchup, which tell the truth of a certified patch; with 0 nobody asks.
    """
    selection = run.selection
    certified = run.certificate.certified
    chosen = selection.recommended
    truth = None
    if certified and truth_games:
        truth = truth_of(run.evaluator, selection.genomes[chosen], truth_games)
    return {
        "certified": certified,
        "imbalance_pp": run.certificate.imbalance_pp,
        "change": float(selection.scores.change[chosen]),
        "cards_touched": int(selection.scores.cards_touched[chosen]),
        "games": sum(games_of_stages(run).values()),
        "truth_pp": truth.imbalance_pp if truth else None,
        "truth_violation": truth.violation if truth else None,
        "holds": truth.holds if truth else None,
    }


def spread(values: Sequence[float | None]) -> Interval:
    """Over several runs: the median, the least and the most."""
    known = np.array(values, float)
    return Interval(*(np.array(measure(known)) for measure in (np.median, np.min, np.max)))


class EditRow(NamedTuple):
    """A demand's rate with the patch, less that without one of its edits, and what that breaks.

    What a patch without the edit breaks is told beside each of its demands: whether this demand
    `fails`, a guard, a rule that patches keep; and whether rates or guards have too little room for
    a certificate without it, which earlier versions did not tell.
    """

    card: str
    field: str
    edit: str
    players: str
    demand: str
    effect: Annotated[Interval, ("effect_pp", "effect_low_pp", "effect_high_pp")]
    without: Annotated[Interval, ("win_rate_without", "without_low", "without_high")]
    fails: bool
    imbalance_pp: float
    imbalance_without_pp: float
    breaks_guard: bool
    breaks_rule: bool
    n: int
    rates_lack_room: bool | None
    guards_lack_room: bool | None


def effects_of(run: FoundPatch, games: Games) -> EditEffects | None:
    """What each edit of a found patch does (`measure_edits`), by the games that are left."""
    n_spent = sum(games_of_stages(run).values())
    return measure_edits(run.evaluator, run.selection.genome, games, n_spent=n_spent)


def edit_rows(run: FoundPatch, effects: EditEffects | None) -> list[EditRow]:
    """One row for each edit and demand; none where no effects were measured."""
    if effects is None:
        return []
    contest = run.evaluator.contest
    demands = run.evaluator.demands
    genes = [run.evaluator.space.genes[k] for k in effects.genes]
    steps = run.selection.genome[effects.genes].tolist()
    numbers = [contest.parameter(gene) for gene in genes]
    names = np.array(contest.player_names)
    reach = contest.reach(genes)
    return [
        EditRow(
            number.owner,
            number.field,
            str(edit_of(number, number.value + step)),
            ", ".join(names[reach[e]]),
            demand,
            effects.gain.at(e, n).times(100),
            effects.without.at(e, n),
            effects.fails[e, n],
            effects.imbalance_pp,
            effects.imbalance_without_pp[e],
            effects.breaks_guard[e],
            effects.breaks_rule[e],
            effects.n_games,
            effects.rates_lack_room[e],
            effects.guards_lack_room[e],
        )
        for e, (number, step) in enumerate(zip(numbers, steps, strict=True))
        for n, demand in enumerate(demands.names)
    ]
