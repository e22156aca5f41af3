"""The explanation: which wishes contradict each other, and which setting would help most.

Where no patch was certified, the search's own model, which has learned from all that was played,
tells how near to its aims any patch may come, and from the demands that cannot hold together one
after the other is left out for as long as they still cannot (an irreducible infeasible set). What
other settings would bring is told by straight slopes of all numbers that these could let move,
fitted twice on games of their own, and a linear program over them. Slopes of single steps are no
promise, as pairs of edits are left out: so the settings that it likes best are tried by a short
search each, and what is told of them is what games came to.

Reference: J. Chinneck, E. Dravnieks, "Locating minimal infeasible constraint sets in linear
programs", ORSA Journal on Computing 3 (1991).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from balance.demands import Demands
from balance.evaluation import Evaluator
from balance.measured import MeasuredPatch
from balance.model.design import games_of_design
from balance.model.prospects import N_FITS, Prospects, games_of_fit
from balance.model.search import ABOUT_RACED, ModelSearch
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings, Games
from balance.statistics.intervals import Floats, Interval, Positions
from sim.seeds import stream_seed

_BEYOND_PP = 0.5  # the band that a model has to expect before demands count as contradicting
_MOST_DEMANDS = 12  # of which the search's model tells subsets; of more the slopes, which is faster
_TRIED = 2
_N_TRIES = 3  # settings that shall be tried, and that may, where some do not help
_ROUNDS = 4
_LEAST_SEARCH = 400  # of a short search: its rounds, and the games of a score

Promise = Callable[[Positions | None], float | None]
"""Of some demands, or of all, the least imbalance to be expected, where that can be told."""

RelaxedSpaces = tuple[dict[str, SearchSpace], SearchSpace]
"""The space with a setting relaxed, by the setting's name, and one that holds them all."""


class Relaxation(NamedTuple):
    """A setting that lets more numbers move, or farther, and the imbalance to be expected then.

    Attributes:
        setting: its name, and what it would be.
        imbalance_pp: by a short search, or by straight slopes.
        is_tried: whether that was a search's.
    """

    setting: str
    imbalance_pp: float
    is_tried: bool


@dataclass(frozen=True)
class Explanation:
    """Why no patch was certified, as far as a model can tell.

    Attributes:
        imbalance_pp: the least to be expected with the settings as they are; never more than any
            patch that was measured came to.
        low_pp: the least that it may be, by the errors of the model and of what was measured.
        high_pp: the most, by the patch that was measured nearest; `None` where none was.
        impossible: demands that cannot hold then, whatever the others come to.
        contradicting: of the others, those that cannot hold together, where each of them is needed
            for that.
        relaxations: settings that would help, those that were tried first, the best before others.
        n_games: that all of it took, all matchups together.
        nearest: the patch that came nearest of all that were measured.
    """

    imbalance_pp: float
    low_pp: float
    high_pp: float | None
    impossible: tuple[str, ...]
    contradicting: tuple[str, ...]
    relaxations: tuple[Relaxation, ...]
    n_games: int
    nearest: MeasuredPatch | None = None

    def beside(self, demands: Demands, measured: Sequence[MeasuredPatch]) -> Explanation:
        """The same as far as nothing that was measured contradicts it.

        Args:
            demands: ``[N]`` what it speaks of.
            measured: patches, in games that did not find them.
        """
        if not measured:
            return self
        known = [*measured, *([self.nearest] if self.nearest else [])]
        nearest = min(known, key=lambda one: float(one.imbalance_pp.estimate))
        imbalance_pp = min(self.imbalance_pp, float(nearest.imbalance_pp.estimate))
        rates = np.stack([one.rates for one in measured])
        holds = (rates >= demands.low) & (rates <= demands.high)
        held = {demands.names[n] for n in np.flatnonzero(holds.any(axis=0)).tolist()}
        together = [demands.names.index(name) for name in self.contradicting]
        are_held = bool(together) and bool(holds[:, together].all(axis=1).any())
        return replace(
            self,
            imbalance_pp=imbalance_pp,
            low_pp=min(self.low_pp, *(float(one.imbalance_pp.low) for one in known)),
            high_pp=min(float(one.imbalance_pp.high) for one in known),
            impossible=tuple(name for name in self.impossible if name not in held),
            contradicting=() if are_held else self.contradicting,
            relaxations=tuple(
                one for one in self.relaxations if one.imbalance_pp <= imbalance_pp - _BEYOND_PP
            ),
            nearest=nearest,
        )


def games_of_explanation(n_features: int, games: Games) -> int:
    """Games per matchup that an explanation may well take; all settings let so many ways move."""
    n_search = max(games.search, _LEAST_SEARCH)
    tried = games_of_design(games, n_features) + 2 * _ROUNDS * ABOUT_RACED * n_search
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
    """Ask models why.

    Args:
        evaluator: of the search, with today's readings.
        settings: of the search.
        relaxed: the space with each setting relaxed by itself, and one that holds them all.
        played: ``[P, R]`` rates that patches came to in games that did not find them: what they
            reach is never called out of reach, whatever a model says.
        promise: of the search's model.
        searched: what the search's model knows of other limits; then no further games are played,
            no setting is tried, and settings that let other numbers move are left out.
        expected: what `promise` tells of all demands, and between which that may be.

    Returns:
        The explanation, or `None` where today's readings are not known.
    """
    if evaluator.today is None:
        return None
    demands = evaluator.demands
    demanded = evaluator.demands.of(played)
    spaces, wide = relaxed
    prospects = searched or Prospects.fitted(
        evaluator, evaluator.today, wide, settings.games.search
    )
    here = prospects.of(evaluator.space)
    if expected is None:
        told = promise(None)
        expected = (
            prospects.expected_pp(evaluator.space)
            if told is None
            else Interval(*[np.array(told)] * 3)
        )
    # Rounded, since the last bits of a model hang on the processor; what was played does not.
    expected_pp, low_pp = (round(float(end), 1) for end in (expected.estimate, expected.low))
    expected_pp = min(expected_pp, float(demands.distance_pp(demanded).max(axis=1).min()))

    enough_pp = demands.band_pp + _BEYOND_PP
    holds = (demanded >= demands.low) & (demanded <= demands.high)

    def contradict(some: Positions) -> bool:
        if not len(some) or holds[:, some].all(axis=1).any():
            return False
        told = promise(some) if len(demands) <= _MOST_DEMANDS else None
        if told is not None:
            return told > enough_pp
        return all(float(program.expected_pp(some).low) > enough_pp for program in here)

    alone, together = _contradicting(contradict, len(demands))
    hoped = {
        name: prospects.least_pp(there) for name, there in spaces.items() if prospects.cover(there)
    }
    most_pp = expected_pp - _BEYOND_PP
    hopeful = sorted(name for name, pp in hoped.items() if pp <= most_pp)
    hopeful.sort(key=lambda name: round(hoped[name], 1))
    tried = dict[str, float]()
    n_tried = 0
    for name in hopeful[: 0 if searched else _N_TRIES]:
        if sum(pp <= most_pp for pp in tried.values()) < _TRIED:
            found_pp, n_games = _tried(evaluator, settings, spaces[name], name)
            n_tried += n_games
            if found_pp is not None:
                tried[name] = found_pp
    best = sorted((pp, name) for name, pp in tried.items() if pp <= most_pp)
    return Explanation(
        expected_pp,
        min(low_pp, expected_pp),
        None,
        tuple(demands.names[n] for n in alone),
        tuple(demands.names[n] for n in together),
        (
            *(Relaxation(name, round(pp, 1), is_tried=True) for pp, name in best),
            *(
                Relaxation(name, round(hoped[name], 1), is_tried=False)
                for name in hopeful
                if name not in tried
            ),
        ),
        prospects.n_games + n_tried,
    )


def _tried(
    evaluator: Evaluator, settings: BalanceSettings, space: SearchSpace, name: str
) -> tuple[float | None, int]:
    """What the model of a short search in a space expects at least, if it can, and its games."""
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
    return search.promise_pp(state), int(state.history[-1, 0])


def _contradicting(
    contradict: Callable[[Positions], bool], n_demands: int
) -> tuple[Positions, Positions]:
    """Demands that cannot hold by themselves, and some of the others that together cannot."""
    every = np.arange(n_demands)
    alone = np.array([contradict(every[[n]]) for n in every], dtype=np.bool_)
    together = every[~alone]
    if not contradict(together):
        return every[alone], every[:0]
    for demand in together:
        others = together[together != demand]
        if contradict(others):
            together = others
    return every[alone], together
