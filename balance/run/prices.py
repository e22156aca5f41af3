"""Price list of a run: its smaller patches, and what would certify each of them.

A smaller patch than the recommended one usually lies nearer to an edge of a band. More games
certify it if it lies inside, and a wider band in any case. The candidates are the best measured and
evaluated patches of every number of cards. A short trial chooses among them, and games on other
seeds measure those that are left.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Annotated, NamedTuple

import numpy as np

from balance.contest.patch import patch_of
from balance.contest.readings import Readings
from balance.run.front import on_front
from balance.search.evolutionary_search import SearchState
from balance.search.method import Method
from balance.search.selection import Selection
from balance.search.short_trial import nearest_of_each, play_short_trial
from balance.settings.tables import Games
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Flags, Interval
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.evaluation import UNPLAYABLE, Evaluator
from balance.verdict.room import read_room

LIKELY = 0.9
"""Probability of a certificate with the games of a price."""

# Evaluated candidates of each number of cards that play the short trial. Chosen by hand: their
# order by the model is uncertain, and a trial is cheap.
_TRIED = 4
# Patches of each number of cards that are measured after the trial. Chosen by hand: with two, the
# list has a second, smaller or more balanced patch of as many cards.
_MEASURED = 2
_MORE = 4  # factor on the games of the selection that measure a patch: half of its standard error
_STEP = 1.1  # ratio of successive numbers of games that are tried as a price; chosen by hand
_DIGITS = 2  # significant digits to which a price is rounded up: the readings give no more
# Maximum price, as a multiple of the certificate's games: a certificate of 64 times the games takes
# minutes even with scripts. Chosen by hand.
_MOST_TIMES = 64


class PriceRow(NamedTuple):
    """A patch that is at most as large as the recommended one, and what would certify it.

    Attributes:
        cards_touched: number of edited cards.
        change: weighted sum of absolute steps.
        imbalance_pp: imbalance in percentage points, with the joint 95 % interval of all demands,
            in games that did not choose the patch.
        n: number of games per matchup behind the imbalance.
        games: number of games per matchup (`games.certify`) with which nine of ten certificates
            succeed; `None` if no number up to 64 times that of the run does.
        band_pp: band in which nine of ten certificates of the run's own games succeed; `None` if a
            guard prevents them.
        recommended: whether the patch is the recommended patch.
        patch: edits as in patch notes, separated by semicolons.
    """

    cards_touched: int
    change: float
    imbalance_pp: Annotated[Interval, ("imbalance_pp", "low_pp", "high_pp")]
    n: int
    games: int | None
    band_pp: float | None
    recommended: bool
    patch: str


@dataclass(frozen=True)
class PriceList:
    """Patches from few cards to many, with their prices.

    Attributes:
        rows: patches by rising number of cards, then by rising change.
        n_games: number of games played for the list, over all matchups.
    """

    rows: tuple[PriceRow, ...]
    n_games: int


def price_list(
    evaluator: Evaluator,
    method: Method,
    state: SearchState,
    selection: Selection,
    cleanup: CleanUp,
) -> PriceList:
    """Measure the smaller patches of a run, and return what would certify each of them.

    Args:
        evaluator: evaluator of the run, which plays further games on the streams of seeds
            `prices/few` and `prices`.
        method: method of the last search, with its settings.
        state: final state of the search.
        selection: selection with the recommended patch.
        cleanup: result of the clean-up.
    """
    games = method.settings.games
    recommended = selection.genome
    measured = [patch.genome for patch in cleanup.smaller]
    pool = np.concatenate([selection.genomes, *(genome[np.newaxis] for genome in measured)])
    pool = np.concatenate([pool, _nearest_evaluated(evaluator.space, method, state)])
    candidates = np.concatenate(
        [_smaller_than(recommended, pool, evaluator.space), recommended[np.newaxis]]
    )
    few = play_short_trial(evaluator, candidates, games, "prices/few").played
    is_best = _are_best(evaluator, candidates, few)
    is_best[-1] = True  # the recommended patch, for comparison
    best = candidates[is_best]
    played = evaluator.play(best, n_games=_MORE * games.select, purpose="prices", faults="keep")
    n_played = evaluator.games_of(len(candidates), few.n_games)
    n_played += evaluator.games_of(len(best), played.n_games)
    return PriceList(tuple(_rows(evaluator, games, best, played)), n_played)


def _nearest_evaluated(space: SearchSpace, method: Method, state: SearchState) -> Steps:
    """Return the candidates of each number of cards that are expected nearest to their targets.

    Args:
        space: search space of the candidates.
        method: method of the search, which predicts their distances.
        state: final state of the search.

    Returns:
        At most `_TRIED` candidates of each number of cards, shape ``[P, K]``.
    """
    distances_pp = method.distances_pp(state)
    distances_pp = np.where(state.seen_violation < UNPLAYABLE, distances_pp, np.inf)
    return np.asarray(
        state.seen[nearest_of_each(space.cards_touched(state.seen), distances_pp, _TRIED)]
    )


def _smaller_than(recommended: Steps, pool: Steps, space: SearchSpace) -> Steps:
    """Return the distinct permitted patches with edits that are smaller than the recommended one.

    Args:
        recommended: recommended patch, shape ``[K]``.
        pool: patches, which may repeat, shape ``[P, K]``.
        space: search space with the limits.
    """
    distinct = np.unique(pool, axis=0)
    is_smaller = space.size(distinct) < space.size(recommended[np.newaxis])[0]
    return np.asarray(distinct[is_smaller & distinct.any(axis=1) & space.allows(distinct)])


def _are_best(evaluator: Evaluator, genomes: Steps, played: Readings) -> Flags:
    """Return whether each patch is among the nearest to balance of its number of cards, ``[P]``.

    Args:
        evaluator: evaluator with the demands.
        genomes: patches, shape ``[P, K]``.
        played: games of the patches and, as the last variant, of the baseline.
    """
    demands = evaluator.demands
    distances_pp = demands.distance_pp(demands.of(demands.rates(played)[:-1])).max(axis=1)
    distances_pp[list(played.faults)] = np.inf
    is_best = np.zeros(len(genomes), dtype=np.bool_)
    is_best[nearest_of_each(evaluator.space.cards_touched(genomes), distances_pp, _MEASURED)] = True
    return np.asarray(is_best & np.isfinite(distances_pp))


def _rows(evaluator: Evaluator, games: Games, genomes: Steps, played: Readings) -> list[PriceRow]:
    """Return the rows of the patches on the front of cards, change and imbalance.

    Args:
        evaluator: evaluator with the demands.
        games: games per matchup of each stage.
        genomes: measured patches, ``[P, K]``; the last one is the recommended patch.
        played: games of the patches and, as the last variant, of the baseline.
    """
    demands = evaluator.demands
    scores, _, spare_pp = read_room(evaluator, genomes, played, games, LIKELY)
    rates = demands.rates(played)[:-1]
    imbalance_pp = demands.measured_imbalance_pp(rates, played.n_games)
    prices = _prices(evaluator, games, genomes, played)
    is_shown = on_front(scores.cards_touched, scores.change, imbalance_pp.estimate)
    is_shown[list(played.faults)] = False
    is_shown[-1] = True
    rows = list[PriceRow]()
    for k in np.lexsort([scores.change, scores.cards_touched]).tolist():
        if not is_shown[k]:
            continue
        patch = patch_of(genomes[k], evaluator.space, evaluator.contest)
        band_pp = ceil(round(10 * (demands.band_pp - float(spare_pp[k])), 6)) / 10
        rows.append(
            PriceRow(
                cards_touched=int(scores.cards_touched[k]),
                change=float(scores.change[k]),
                imbalance_pp=imbalance_pp.at(k),
                n=played.n_games,
                games=prices[k],
                band_pp=band_pp if scores.violation[k] == 0 else None,
                recommended=k == len(genomes) - 1,
                patch="; ".join(map(str, patch)),
            )
        )
    return rows


def _prices(
    evaluator: Evaluator, games: Games, genomes: Steps, played: Readings
) -> list[int | None]:
    """Return the smallest number of games per matchup that likely certifies each patch.

    Args:
        evaluator: evaluator with demands and guards.
        games: games per matchup of each stage.
        genomes: measured patches, ``[P, K]``.
        played: games of the patches and, as the last variant, of the baseline.

    Returns:
        Numbers of games; `None` for a patch that no number up to the maximum certifies.
    """
    unit = evaluator.contest.n_seatings
    prices: list[int | None] = [None] * len(genomes)
    n_certify = games.certify / _MOST_TIMES
    while n_certify <= _MOST_TIMES * games.certify:
        n_games = _rounded_up(n_certify, unit)
        with_games = games.model_copy(update={"certify": n_games})
        has_room = read_room(evaluator, genomes, played, with_games, LIKELY).has_room
        for k in np.flatnonzero(has_room).tolist():
            prices[k] = prices[k] or n_games
        n_certify *= _STEP
    return prices


def _rounded_up(n_games: float, unit: int) -> int:
    """Return a number of games, rounded up to two significant digits and whole seeds.

    Args:
        n_games: number of games, at least 1.
        unit: number of games per seed.
    """
    step = int(10 ** max(len(str(int(n_games))) - _DIGITS, 0))
    rounded = ceil(round(n_games / step, 6)) * step
    return max(ceil(rounded / unit), 2) * unit
