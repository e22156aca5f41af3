"""Rows with results of a balance run: search, rates by stage, guards, edits and drift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from balance import CONFIDENCE, FoundPatch, Interval
from balance.contest.patch import edit_of
from balance.run.front import hypervolume_of
from balance.settings.tables import Games
from balance.verdict.certificate import truth_of
from balance.verdict.edit_effects import EditEffects, measure_edits

if TYPE_CHECKING:
    from balance import DriftRun  # only for type checkers, since its import loads torch

# Columns of drift.csv, with one row per demand: rates with the patch before and after further
# training of the agents.
DRIFT_COLUMNS = (
    "matchup", "least", "most", "win_rate_before", "before_low", "before_high",
    "win_rate_after", "after_low", "after_high", "change_pp", "change_low_pp", "change_high_pp",
    "placebo_pp", "placebo_low_pp", "placebo_high_pp", "beyond_pp", "beyond_low_pp",
    "beyond_high_pp", "confidence", "n", "inside", "verdict",
)  # fmt: skip
SMALLER = "smaller.csv"
"""Name of the file with the reduced patches of backward elimination."""

GUARDS = "guards.csv"
"""Name of the file with the guards that a certificate measured."""

REASONS = "edit_reasons.csv"
"""Name of the file with the reasons for each edit of the patch."""


class ConvergenceRow(NamedTuple):
    """A generation of a search: its best patch and the front so far.

    Attributes:
        generation: number of the generation, from 0.
        games: number of games of the search up to and including this generation.
        imbalance_pp: imbalance of the best patch in the games of the search, in percentage points.
        mean_imbalance_pp: mean distance of the demands from their aims with the best patch, in
            percentage points.
        change: size of the best patch in weighted steps.
        genomes_seen: number of candidates evaluated so far.
        hypervolume: hypervolume of the front so far, as a fraction of the maximum.
    """

    generation: int
    games: float
    imbalance_pp: float
    mean_imbalance_pp: float
    change: float
    genomes_seen: float
    hypervolume: Interval


def convergence_rows(run: FoundPatch) -> list[ConvergenceRow]:
    """Return one row per generation of a run's search, in order."""
    share = hypervolume_of(run)
    return [
        ConvergenceRow._make([k, *record, share.at(k)])
        for k, record in enumerate(run.state.history.tolist())
    ]


def games_of_stages(run: FoundPatch, effects: EditEffects | None = None) -> dict[str, int]:
    """Return the number of games of each stage of a run, all matchups together.

    Args:
        run: finished balance run.
        effects: effects of the patch's edits; `None` if they were not measured.

    Returns:
        Number of games by name of the stage, in the order of the stages.
    """
    selection = run.selection
    cleanup = run.cleanup
    contest = run.evaluator.contest
    n_matchups = len(contest.matchups)
    today = run.evaluator.today
    # Backward elimination appends its replacements to the selection, but plays their games itself.
    n_selected = len(selection.genomes) - cleanup.n_replaced
    n_measured = today.n_games * n_matchups if today else 0
    explanation = {"explain": run.explanation.n_games} if run.explanation else {}
    # Selection and certificate also play the baseline, which the terms `+ 1` and `2 *` count.
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
    """A win rate in the games of one stage of a balance run.

    Attributes:
        rate: win rate as a fraction, with its interval.
        confidence: confidence level of the interval.
        n: number of games per matchup.
    """

    rate: Annotated[Interval, ("win_rate", "low", "high")]
    confidence: float
    n: int


class StageRow(NamedTuple):
    """A win rate at the baseline, and with the recommended patch in each stage.

    Attributes:
        matchup: name of the demand: a matchup, a player against the field, or the first seat.
        least: lower bound of the win rate, as a fraction.
        most: upper bound of the win rate, as a fraction.
        today: win rate at the baseline in the games of the certificate.
        claimed: win rate with the patch in the games of the search.
        selected: win rate with the patch in the games of the selection.
        certified: win rate with the patch in the games of the certificate.
        inside: whether the interval of `certified` is inside the bounds.
        verdict: band verdict on `certified`; empty in tables of earlier versions.
    """

    matchup: str
    least: float
    most: float
    today: Stage
    claimed: Stage
    selected: Stage
    certified: Stage
    inside: bool
    verdict: str = ""  # plain text instead of `BandVerdict`, since rows are also read from tables


class GuardRow(NamedTuple):
    """Readings and verdict of a guard in the games of the certificate.

    Attributes:
        guard: name of the guard.
        unit: unit of the readings.
        before: reading at the baseline.
        after: reading with the patch.
        least: minimum permitted reading.
        most: maximum permitted reading.
        n: number of games, all matchups together.
        holds: whether the guard is verified.
        estimate: estimate of the quantity that the limit bounds.
        bound: one-sided confidence bound of the quantity that the limit bounds.
        limit: limit of the guard, as in `[guards]`.
        confidence: confidence level of `bound`.
        passing_limit: smallest round limit that these games would verify; `None` in tables of
            earlier versions.
    """

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
    passing_limit: float | None = None


class SmallerRow(NamedTuple):
    """A reduced patch that backward elimination compared with the recommended patch.

    Attributes:
        taken_back: edits that differ from the recommended patch, as patch notes from the
            recommended to the reduced value, separated by semicolons.
        change: size of the reduced patch in weighted steps.
        outcome: outcome of the evaluation of the reduced patch.
        n: number of games per matchup; 0 if the reduced patch was not evaluated.
        imbalance_pp: imbalance in percentage points; `None` if no games were played.
        kept_by: names of demands and guards that make a certificate of the reduced patch unlikely,
            separated by semicolons.
    """

    taken_back: str
    change: float
    # Plain text instead of `balance.verdict.clean_up_result.Outcome`, since rows are also read from
    # tables.
    outcome: str
    n: int
    imbalance_pp: Annotated[Interval, ("imbalance_pp", "low_pp", "high_pp")] | None
    kept_by: str


def smaller_rows(run: FoundPatch) -> list[SmallerRow]:
    """Return one row per reduced patch of backward elimination, by rising change."""
    space = run.evaluator.space
    contest = run.evaluator.contest
    genome = run.selection.genome
    rows = list[SmallerRow]()
    for reduced in run.cleanup.smaller:
        taken_back = list[str]()
        for k in np.flatnonzero(reduced.genome != genome).tolist():
            number = contest.parameter(space.genes[k])
            patched = number._replace(value=number.value + int(genome[k]))
            taken_back.append(str(edit_of(patched, number.value + int(reduced.genome[k]))))
        rows.append(
            SmallerRow(
                "; ".join(taken_back),
                float(space.change(reduced.genome[np.newaxis])[0]),
                reduced.outcome,
                reduced.n_games,
                reduced.imbalance_pp,
                "; ".join(shortfall.name for shortfall in reduced.shortfalls),
            )
        )
    return sorted(rows, key=lambda row: row.change)


def stage_rows(run: FoundPatch) -> list[StageRow]:
    """Return one row per matchup of a run, then one row per other demand."""
    selection = run.selection
    chosen = run.selection.recommended
    verdict = run.certificate
    shown = run.reported_demands
    n = int(selection.claimed_n[chosen])
    claimed = shown.estimate(selection.claimed[chosen], n, CONFIDENCE)
    rates = selection.points[chosen] / selection.n_games
    selected = shown.estimate(rates, selection.n_games, CONFIDENCE)
    # In the games of the certificate, the first variant is the patch and the last the baseline.
    certified = shown.read(run.certified, verdict.confidence)
    after = certified.at(0)
    before = certified.at(-1)
    verdicts = shown.verdicts(after)
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
        for k, (name, (least, most)) in enumerate(zip(shown.names, shown.bounds.T, strict=True))
    ]


def guard_rows(run: FoundPatch) -> list[GuardRow]:
    """Return one row per guard that a run's certificate measured."""
    return [
        GuardRow(
            guard.name,
            guard.reading_unit,
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
    """Return one row of `DRIFT_COLUMNS` per demand, with changes in percentage points."""
    verdict = drift.certificate
    return [
        (
            name,
            *verdict.demands.bounds[:, m],
            drift.before.at(m),
            verdict.after.at(m),
            *(change.at(m).times(100) for change in (drift.change, drift.placebo, drift.beyond)),
            verdict.confidence,
            verdict.n_games,
            verdict.inside[m],
            verdict.verdicts[m],
        )
        for m, name in enumerate(verdict.demands.names)
    ]


def outcome(run: FoundPatch, truth_games: int) -> dict[str, Any]:
    """Return the columns that studies and suites share, by name.

    The columns are the verdict, size of the patch, number of games, and true values. If the patch
    is certified, the true values are measured now.

    Args:
        run: finished balance run.
        truth_games: number of games per matchup for the true values; 0 to measure none.

    Returns:
        Values by column; the true values are `None` if they were not measured.
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
    """Return an `Interval` with the median, the minimum and the maximum of at least one value."""
    known = np.array(values, float)
    return Interval(*(np.array(measure(known)) for measure in (np.median, np.min, np.max)))


class EditRow(NamedTuple):
    """Effect of an edit on a demand: the patch compared with the patch without the edit.

    Attributes:
        card: id of the edited card.
        field: name of the edited field.
        edit: text of the edit in patch notes.
        players: names of the players that the edit can affect, separated by commas.
        demand: name of the demand.
        effect: rate with the edit minus rate without the edit, in percentage points.
        without: rate without the edit, as a fraction.
        fails: whether the demand fails without the edit.
        imbalance_pp: imbalance with the whole patch, in percentage points.
        imbalance_without_pp: imbalance without the edit, in percentage points.
        breaks_guard: whether a guard fails without the edit.
        breaks_rule: whether the patch without the edit breaks a design rule.
        n: number of games per matchup.
        rates_lack_room: whether rates have too small a margin for a certificate without the edit;
            `None` in tables of earlier versions.
        guards_lack_room: whether guards have too small a margin for a certificate without the
            edit; `None` in tables of earlier versions.
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
    """Measure the effect of each edit of a patch with the games that are left in the budget.

    Args:
        run: balance run that recommends the patch.
        games: budget of games for all stages of the run.

    Returns:
        The effects; `None` if the patch has no edits or too few games are left.
    """
    n_spent = sum(games_of_stages(run).values())
    return measure_edits(run.evaluator, run.selection.genome, games, n_spent=n_spent)


def edit_rows(run: FoundPatch, effects: EditEffects | None) -> list[EditRow]:
    """Return one row per edit of the patch and demand; no rows if `effects` is `None`."""
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
