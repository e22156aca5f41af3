"""Rows on the edits of a patch: their effects, and the patches with smaller or fewer edits."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from balance.contest.patch import edit_of
from balance.space.search_space import Steps
from balance.statistics.intervals import Interval
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.edit_effects import EditEffects
from balance.verdict.evaluation import Evaluator


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


def smaller_rows(evaluator: Evaluator, genome: Steps, cleanup: CleanUp) -> list[SmallerRow]:
    """Return one row per reduced patch of backward elimination, by rising change.

    Args:
        evaluator: evaluator with the search space.
        genome: recommended patch as steps from the baseline, shape ``[K]``.
        cleanup: result of the clean-up.
    """
    space = evaluator.space
    contest = evaluator.contest
    rows = list[SmallerRow]()
    for reduced in cleanup.smaller:
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


def edit_rows(evaluator: Evaluator, genome: Steps, effects: EditEffects | None) -> list[EditRow]:
    """Return one row per edit of a patch and demand; no rows if `effects` is `None`.

    Args:
        evaluator: evaluator with the search space and the demands.
        genome: patch as steps from the baseline, shape ``[K]``.
        effects: measured effects of the edits.
    """
    if effects is None:
        return []
    contest = evaluator.contest
    demands = evaluator.demands
    genes = [evaluator.space.genes[k] for k in effects.genes]
    steps = genome[effects.genes].tolist()
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
