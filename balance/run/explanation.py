"""Explanation of a failed run: contradicting demands, and relaxed settings that would help.

If no patch was certified, the search's surrogate model, fitted to all games of the search, predicts
the smallest imbalance that a patch can reach. Demands that cannot hold together are reduced to an
irreducible infeasible set (Chinneck and Dravnieks 1991): a demand is removed if the remaining
demands still cannot hold together.

To predict the effect of other settings, linear slopes of all numbers that these settings could
permit to change are fitted twice, on separate games, and a linear program minimises the imbalance.
Slopes ignore interactions of edits, so the most promising settings are each confirmed by a short
search, and the result of its games is reported.

Reference: J. Chinneck, E. Dravnieks, "Locating minimal infeasible constraint sets in linear
programs", ORSA Journal on Computing 3 (1991).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from balance.contest.demands import Demands
from balance.search.measured import MeasuredPatch
from balance.search.model.candidates import USUAL_ROUND
from balance.search.model.design import games_of_design
from balance.search.model.model_search import ModelSearch
from balance.search.model.prospects import N_FITS, Prospects, games_of_fit
from balance.settings.tables import BalanceSettings, Games
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import Floats, Interval, Positions
from balance.verdict.evaluation import Evaluator
from sim.seeds import stream_seed
from sim.short_repr import short_repr

# Predicted excess over the band, in percentage points, from which on demands count as
# contradicting. Chosen by hand: a margin for prediction errors that is small against usual bands.
_BEYOND_PP = 0.5
# Maximum number of demands for which the search's model evaluates subsets; with more demands the
# linear program over slopes decides, which is faster. Chosen by hand, not tuned.
_MOST_DEMANDS = 12
# Number of helpful settings to confirm by a short search. Chosen by hand, since a search takes
# long.
_TRIED = 2
# Maximum number of short searches: one more than `_TRIED`, since a promising setting may not help.
_N_TRIES = 3
_ROUNDS = 4  # number of rounds of a short search; chosen by hand, not tuned
# Minimum games per matchup and candidate of a short search; chosen by hand, not tuned.
_LEAST_SEARCH = 400

Promise = Callable[[Positions | None], float | None]
"""Function that returns the smallest expected imbalance of any patch, in percentage points.

Its argument selects demands by position, `None` for all demands. It returns `None` if the search
method cannot predict the imbalance.
"""

RelaxedSpaces = tuple[dict[str, SearchSpace], SearchSpace]
"""Search spaces with one setting relaxed each, by the name of the setting; and a search space that
contains all of them.
"""


class Relaxation(NamedTuple):
    """Relaxed setting, which permits more or larger edits, and the imbalance expected with it.

    Attributes:
        setting: name of the setting with its relaxed value.
        imbalance_pp: smallest expected imbalance of any patch, in percentage points.
        is_tried: whether the imbalance comes from a short search; otherwise linear slopes predict
            it.
    """

    setting: str
    imbalance_pp: float
    is_tried: bool


@dataclass(frozen=True)
class Explanation:
    """Reasons why no patch was certified, predicted by models.

    All imbalances are in percentage points.

    Attributes:
        imbalance_pp: smallest imbalance that is expected of any patch with the current settings; at
            most that of any measured patch.
        low_pp: lower bound on the smallest imbalance, from the errors of model and measurements.
        high_pp: upper bound on the smallest imbalance, from the nearest measured patch; `None` if
            no patch was measured.
        impossible: names of demands that cannot hold, even if there were no other demands.
        contradicting: names of further demands that cannot hold together; if any one of them is
            removed, the remaining ones can.
        relaxations: relaxed settings that would reduce the imbalance: first those confirmed by a
            search, then predicted ones, each group sorted by imbalance.
        n_games: number of games played for the explanation, over all matchups.
        nearest: measured patch with the smallest imbalance; `None` if no patch was measured.
    """

    imbalance_pp: float
    low_pp: float
    high_pp: float | None
    impossible: tuple[str, ...]
    contradicting: tuple[str, ...]
    relaxations: tuple[Relaxation, ...]
    n_games: int
    nearest: MeasuredPatch | None = None

    def __repr__(self) -> str:
        return short_repr(self, "imbalance_pp", "low_pp", "high_pp", "n_games", "impossible")

    def as_entry(self) -> dict[str, Any]:
        """Return the explanation as data for `summary.json`."""
        nearest = self.nearest
        return {
            "expected_pp": self.imbalance_pp,
            "low_pp": self.low_pp,
            "high_pp": self.high_pp,
            "nearest": nearest
            and {
                **nearest.imbalance_pp.as_entry("pp"),
                "change": nearest.change,
                "n": nearest.n_games,
                "games": nearest.games,
            },
            "impossible": list(self.impossible),
            "contradicting": list(self.contradicting),
            "settings": [relaxation._asdict() for relaxation in self.relaxations],
        }

    def consistent_with(self, demands: Demands, measured: Sequence[MeasuredPatch]) -> Explanation:
        """Return the explanation without statements that measured patches contradict.

        A demand is removed from `impossible` if a patch satisfies it; `contradicting` is emptied if
        a patch satisfies all its demands; relaxations without an expected improvement over a
        measured patch are removed. Without measured patches nothing changes.

        Args:
            demands: demands that the explanation is about, ``[N]``.
            measured: patches with rates from games that did not select them.
        """
        if not measured:
            return self
        patches = [*measured, *([self.nearest] if self.nearest else [])]
        nearest = min(patches, key=lambda patch: float(patch.imbalance_pp.estimate))
        imbalance_pp = min(self.imbalance_pp, float(nearest.imbalance_pp.estimate))
        rates = np.stack([patch.rates for patch in measured])
        holds = (rates >= demands.low) & (rates <= demands.high)
        satisfied = {demands.names[n] for n in np.flatnonzero(holds.any(axis=0)).tolist()}
        contradicting_positions = [demands.names.index(name) for name in self.contradicting]
        are_satisfied = bool(contradicting_positions) and bool(
            holds[:, contradicting_positions].all(axis=1).any()
        )
        return replace(
            self,
            imbalance_pp=imbalance_pp,
            low_pp=min(self.low_pp, *(float(patch.imbalance_pp.low) for patch in patches)),
            high_pp=min(float(patch.imbalance_pp.high) for patch in patches),
            impossible=tuple(name for name in self.impossible if name not in satisfied),
            contradicting=() if are_satisfied else self.contradicting,
            relaxations=tuple(
                relaxation
                for relaxation in self.relaxations
                if relaxation.imbalance_pp <= imbalance_pp - _BEYOND_PP
            ),
            nearest=nearest,
        )


def games_of_explanation(n_features: int, games: Games) -> int:
    """Return the expected number of games per matchup of an explanation.

    The number covers the games of the slopes and of `_TRIED` short searches.

    Args:
        n_features: number of model features of the space with all settings relaxed.
        games: games per matchup of each stage.
    """
    n_search = max(games.search, _LEAST_SEARCH)
    tried = games_of_design(games, n_features) + 2 * _ROUNDS * USUAL_ROUND * n_search
    return N_FITS * games_of_fit(n_features, games.search) + _TRIED * tried


def explain(
    evaluator: Evaluator,
    settings: BalanceSettings,
    relaxed: RelaxedSpaces,
    played: Floats,
    promise: Promise = lambda _: None,
    searched: Prospects | None = None,
    expected: Interval | None = None,
) -> Explanation | None:
    """Explain by models why no patch satisfies all demands.

    Args:
        evaluator: evaluator of the search, with the readings of the baseline.
        settings: settings of the search.
        relaxed: search spaces with one setting relaxed each, and a space that contains all of them.
        played: rates of patches in games that did not select them, shape ``[P, R]``. Demands that
            one of these patches satisfies are never reported as impossible or contradicting.
        promise: function that predicts the smallest imbalance from the search's model.
        searched: linear model of the games of the search, for runs that may play no further games;
            no short searches are made, and settings that permit edits of further numbers are
            ignored. `None` to fit the model to new games.
        expected: smallest imbalance that the search's model predicts for all demands, in percentage
            points with bounds; `None` to use `promise` or, if it returns `None`, the linear model.

    Returns:
        The explanation; `None` if the evaluator has no readings of the baseline.
    """
    if evaluator.today is None:
        return None
    demands = evaluator.demands
    demanded = evaluator.demands.of(played)
    spaces, wide = relaxed
    prospects = searched or Prospects.fitted(
        evaluator, evaluator.today, wide, settings.games.search
    )
    programs = prospects.of(evaluator.space)
    if expected is None:
        predicted_pp = promise(None)
        expected = (
            prospects.expected_pp(evaluator.space)
            if predicted_pp is None
            else Interval(*[np.array(predicted_pp)] * 3)
        )
    # Predictions are rounded, since their last bits depend on the processor; measured rates are
    # not rounded, since they are exact ratios of counts.
    expected_pp, low_pp = (round(float(end), 1) for end in (expected.estimate, expected.low))
    expected_pp = min(expected_pp, float(demands.distance_pp(demanded).max(axis=1).min()))

    enough_pp = demands.band_pp + _BEYOND_PP
    holds = (demanded >= demands.low) & (demanded <= demands.high)

    def contradict(subset: Positions) -> bool:
        """Return whether a subset of the demands, given by positions, cannot hold together.

        The result is False for an empty subset, and for a subset that a played patch satisfies.
        """
        if not len(subset) or holds[:, subset].all(axis=1).any():
            return False
        predicted_pp = promise(subset) if len(demands) <= _MOST_DEMANDS else None
        if predicted_pp is not None:
            return predicted_pp > enough_pp
        return all(float(program.expected_pp(subset).low) > enough_pp for program in programs)

    impossible, conflicting = _find_conflicts(contradict, len(demands))
    predictions = {
        name: prospects.least_pp(space) for name, space in spaces.items() if prospects.cover(space)
    }
    most_pp = expected_pp - _BEYOND_PP
    # The settings are sorted by name first, so that those with equal rounded predictions keep a
    # fixed order.
    promising = sorted(name for name, pp in predictions.items() if pp <= most_pp)
    promising.sort(key=lambda name: round(predictions[name], 1))
    measured = dict[str, float]()
    n_tried = 0
    for name in promising[: 0 if searched else _N_TRIES]:
        if sum(pp <= most_pp for pp in measured.values()) < _TRIED:
            measured_pp, n_games = _try_setting(evaluator, settings, spaces[name], name)
            n_tried += n_games
            if measured_pp is not None:
                measured[name] = measured_pp
    best = sorted((pp, name) for name, pp in measured.items() if pp <= most_pp)
    return Explanation(
        expected_pp,
        min(low_pp, expected_pp),
        None,
        tuple(demands.names[n] for n in impossible),
        tuple(demands.names[n] for n in conflicting),
        (
            *(Relaxation(name, round(pp, 1), is_tried=True) for pp, name in best),
            *(
                Relaxation(name, round(predictions[name], 1), is_tried=False)
                for name in promising
                if name not in measured
            ),
        ),
        prospects.n_games + n_tried,
    )


def _try_setting(
    evaluator: Evaluator, settings: BalanceSettings, space: SearchSpace, name: str
) -> tuple[float | None, int]:
    """Run a short model-based search in a space with one setting relaxed.

    Args:
        evaluator: evaluator of the run.
        settings: settings of the run; the number of rounds is reduced.
        space: search space with the relaxed setting.
        name: name of the setting, from which the seed of the search is derived.

    Returns:
        Smallest expected imbalance of any patch in percentage points, `None` if the model cannot
        predict it; and the number of games of the search, over all matchups.
    """
    # The shift is needed since stream seeds have 64 bits and run seeds 63.
    seed = stream_seed(evaluator.run_seed, f"explain/{name}") >> 1
    games = {"search": max(settings.games.search, _LEAST_SEARCH), "total": None}
    short = settings.model_copy(
        update={
            "games": settings.games.model_copy(update=games),
            "search": settings.search.model_copy(update={"rounds": _ROUNDS}),
        }
    )
    search = ModelSearch(replace(evaluator, space=space, run_seed=seed), short)
    state = search.run()
    return search.predicted_imbalance_pp(state), int(state.history[-1, 0])


def _find_conflicts(
    contradict: Callable[[Positions], bool], n_demands: int
) -> tuple[Positions, Positions]:
    """Return the demands that cannot hold alone, and an irreducible conflict among the others.

    Args:
        contradict: function that returns whether the demands at given positions cannot hold
            together.
        n_demands: number of demands.

    Returns:
        Positions of the demands that cannot hold alone; and positions of other demands that cannot
        hold together, but can if any one of them is removed. The second array is empty if all other
        demands can hold together.
    """
    demands = np.arange(n_demands)
    is_impossible = np.array([contradict(demands[[n]]) for n in demands], dtype=np.bool_)
    conflicting = demands[~is_impossible]
    if not contradict(conflicting):
        return demands[is_impossible], demands[:0]
    for demand in conflicting:
        others = conflicting[conflicting != demand]
        if contradict(others):
            conflicting = others
    return demands[is_impossible], conflicting
