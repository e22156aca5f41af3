"""Effects of a patch's edits as rows: one for each edit and demand."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from balance import FoundPatch, Interval
from balance.edit_effects import EditEffects, measure_edits
from balance.patch import edit_of
from balance.settings import Games
from experiments.results.stages import games_of_stages


class EditRow(NamedTuple):
    """A demand's rate with the patch, less that without one of its edits, and what that breaks.

    What a patch without the edit breaks is told beside each of its demands: whether this demand
    `fails`, a guard, a rule that patches keep.
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


def effects_of(run: FoundPatch, games: Games) -> EditEffects | None:
    """What each edit of a found patch does (`measure_edits`), by the games that are left."""
    n_spent = sum(games_of_stages(run).values())
    return measure_edits(run.evaluator, run.selection.genome, games, n_spent=n_spent)


def edit_rows(run: FoundPatch, effects: EditEffects | None) -> list[EditRow]:
    """One row for each edit and demand; none where no effects were measured."""
    if effects is None:
        return []
    contest, demands = run.evaluator.contest, run.evaluator.demands
    genes = [run.evaluator.space.genes[k] for k in effects.genes]
    steps = run.selection.genome[effects.genes].tolist()
    numbers = [contest.parameter(gene) for gene in genes]
    names, reach = np.array(contest.player_names), contest.reach(genes)
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
        )
        for e, (number, step) in enumerate(zip(numbers, steps, strict=True))
        for n, demand in enumerate(demands.names)
    ]
