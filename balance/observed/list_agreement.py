"""Agreement of simulated with observed win rates of deck lists, over all and within archetypes.

An observed win rate of a list is one over all its games; the simulated one is over games against a
field of decks. Within archetypes, the mean of the archetype is subtracted from both rates, so that
the question is which list of one archetype is better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.observed.agreement import N_RESAMPLES, MeasureRow, measure_rows, rank_of
from balance.observed.rate_pairs import resampled_rates
from balance.statistics.arithmetic import mean_of
from balance.statistics.intervals import Floats, Interval, Positions, wilson
from sim.arguments import AtLeastOne, Seed, checked
from sim.errors import InputError
from sim.seeds import generator
from sim.short_repr import short_repr

PURPOSE = "agree/resample_lists"  # name of the random stream that resamples archetypes and games
N_LISTS_MIN = 4
"""Minimum number of lists of an archetype for comparisons within it: with fewer lists, subtracting
their mean removes much of their differences.
"""
MEASURES = ("rank_lists", "rank_within", "error_pp", "error_even_pp", "spread_within")
"""Measures of the agreement of lists.

`rank_lists` is Spearman's rank correlation over all lists, `rank_within` that of the differences
from the archetypes' means; `error_pp` is the mean absolute error, and `error_even_pp` that of the
mean observed rate as the prediction for each list; `spread_within` is the standard deviation of the
simulated differences within archetypes, relative to that of the observed ones.
"""


@dataclass(frozen=True)
class ListRates:
    """Observed and simulated win rates of ``L`` lists.

    Attributes:
        names: names of the lists.
        archetypes: archetype of each list.
        observed: observed win rate of each list, shape [L].
        observed_games: number of observed games of each list, shape [L].
        simulated: simulated win rate of each list against the field, shape [L].
        simulated_games: number of simulated games of each list, or of unweighted games with the
            same variance, shape [L].
    """

    names: tuple[str, ...]
    archetypes: tuple[str, ...]
    observed: Floats
    observed_games: Floats
    simulated: Floats
    simulated_games: Floats

    def __repr__(self) -> str:
        return short_repr(self, lists=len(self.names), archetypes=len({*self.archetypes}))

    @property
    def groups(self) -> Positions:
        """Number of each list's archetype, shape [L]."""
        known = {name: k for k, name in enumerate(dict.fromkeys(self.archetypes))}
        return np.array([known[name] for name in self.archetypes], dtype=np.intp)

    def observed_interval(self) -> Interval:
        """Return the observed rates with Wilson's intervals, shape [L]."""
        return wilson(self.observed * self.observed_games, self.observed_games)

    def simulated_interval(self) -> Interval:
        """Return the simulated rates with Wilson's intervals, shape [L]."""
        return wilson(self.simulated * self.simulated_games, self.simulated_games)

    def within(self) -> tuple[Positions, Floats, Floats]:
        """Return the lists of archetypes with enough lists, and their differences from the means.

        Returns:
            Positions of the lists, and their observed and simulated rates minus the mean of the
            archetype, each of shape [W].
        """
        return _within(self.groups, self.observed, self.simulated)


@checked(run_seed=Seed, n_resamples=AtLeastOne)
def list_agreement_of(
    lists: ListRates, *, run_seed: int, n_resamples: int = N_RESAMPLES
) -> tuple[MeasureRow, ...]:
    """Measure the agreement of simulated with observed win rates of lists.

    Each resample draws archetypes with all their lists, and the games of all lists.

    Args:
        lists: rates of both tables.
        run_seed: seed of the run.
        n_resamples: number of resamples.

    Raises:
        InputError: there are fewer than `N_LISTS_MIN` lists.
    """
    n_lists = len(lists.names)
    if n_lists < N_LISTS_MIN:
        raise InputError(
            f"{n_lists} lists with observed results, but at least {N_LISTS_MIN} are needed",
            value=n_lists,
            limit=N_LISTS_MIN,
            remedy="give more players the names that the lists have in the table",
        )
    groups = lists.groups
    estimates = _measures(groups, lists.observed, lists.simulated)
    rng = generator(run_seed, PURPOSE)
    resampled = np.array([_measures(*_resample(lists, rng)) for _ in range(n_resamples)])
    n_within = len(lists.within()[0])
    sizes = {"rank_within": n_within, "spread_within": n_within}
    return measure_rows(MEASURES, estimates, resampled, sizes, n_lists)


def _resample(lists: ListRates, rng: np.random.Generator) -> tuple[Positions, Floats, Floats]:
    """Return archetype numbers and both rates of the lists of drawn archetypes, each [L*]."""
    groups = lists.groups
    n_groups = int(groups.max()) + 1
    observed = resampled_rates(lists.observed, lists.observed_games, rng)
    simulated = resampled_rates(lists.simulated, lists.simulated_games, rng)
    drawn = rng.integers(n_groups, size=n_groups)
    members = [np.flatnonzero(groups == group) for group in drawn.tolist()]
    # An archetype that is drawn twice counts as two, each with the same mean.
    numbers = np.repeat(np.arange(n_groups), [len(places) for places in members])
    places = np.concatenate(members)
    return numbers, observed[places], simulated[places]


def _within(
    groups: Positions, observed: Floats, simulated: Floats
) -> tuple[Positions, Floats, Floats]:
    """Return the lists of archetypes with at least `N_LISTS_MIN` lists, and differences, [W]."""
    sizes = np.bincount(groups)
    chosen = np.flatnonzero(sizes[groups] >= N_LISTS_MIN)
    differences = [
        (rates - (np.bincount(groups, rates) / np.maximum(sizes, 1))[groups])[chosen]
        for rates in (observed, simulated)
    ]
    return chosen, differences[0], differences[1]


def _measures(groups: Positions, observed: Floats, simulated: Floats) -> Floats:
    """Return the values of `MEASURES`, NaN where one is not defined."""
    chosen, own, other = _within(groups, observed, simulated)
    spread = np.nan
    if len(chosen) and own.any():
        spread = float(np.sqrt(mean_of(other * other) / mean_of(own * own)))
    return np.array(
        [
            rank_of(observed, simulated),
            rank_of(own, other) if len(chosen) else np.nan,
            100 * mean_of(np.abs(observed - simulated)),
            100 * mean_of(np.abs(observed - mean_of(observed))),
            spread,
        ]
    )
