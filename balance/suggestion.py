"""Suggestions: the smallest patches that a model search finds, and before those it passes by.

What its whole search comes to is what `balance.found_patch` would have certified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

import numpy as np

from balance.clean_up_result import CleanUp
from balance.cleanup import clean_up, few_games
from balance.evaluation import Evaluator, Scores
from balance.found_patch import LEAST_FOR_CLEANUP
from balance.model.search import ModelSearch
from balance.model.state import ModelState
from balance.readings import Readings
from balance.room import EVEN, read_room
from balance.search_space import SearchSpace, Steps
from balance.selection import Selection, select
from balance.settings import BalanceSettings, Games
from balance.statistics.intervals import Floats

_MAY_DO = 0.3  # chance from which on a patch is looked at while the search goes on
_AT_ONCE = 2  # patches of a round
_SHOWN = 3  # patches of the selection


class Suggested(NamedTuple):
    """A patch that may do.

    Attributes:
        genome: ``[K]``.
        scores: ``[1]`` what it came to in games that did not find it.
        n_games: per matchup, these games.
        is_likely: whether a certificate of it is; of one that the search passes by, as not.
        cleanup: how far edits were taken back, of what is recommended in the end.
    """

    genome: Steps
    scores: Scores
    n_games: int
    is_likely: bool
    cleanup: CleanUp | None = None


def suggest_patches(
    evaluator: Evaluator, settings: BalanceSettings, tell: Callable[[Suggested], None]
) -> None:
    """Tell of the smallest patches, at first of those that the search passes on its way.

    Args:
        evaluator: plays and scores genomes.
        settings: of which `search` and `games` count here.
        tell: told each patch; the last one is that which is recommended.
    """
    method = ModelSearch(evaluator, settings)
    games = settings.games
    passed = set[bytes]()
    told = [inf]

    def on_round(state: ModelState) -> None:
        chances = method.chances(state)
        some = _promising(state, chances, evaluator.space, passed, most_change=told[-1])
        passed.update(map(bytes, some))
        if len(some):
            n_games = few_games(evaluator, games)
            played = evaluator.play(some, n_games=n_games, purpose="select", faults="keep")
            for one in _on_the_way(evaluator, some, played, games):
                tell(one)
                if one.is_likely:
                    told.append(float(one.scores.change[0]))
                    break

    state = method.run(None, on_round)
    found = select(evaluator, state, method.shortlist(state), games, method.likely)
    most_games = max(int(state.history[-1, 0]), LEAST_FOR_CLEANUP)
    found, cleanup = clean_up(evaluator, found, games, most_games=most_games)
    for k in _shown(found):
        scores = found.scores.take(np.array([k]))
        is_last = k == found.recommended
        tell(
            Suggested(
                found.genomes[k],
                scores,
                found.n_games,
                bool(found.has_room[k]),
                cleanup if is_last else None,
            )
        )


def _promising(
    state: ModelState, chance: Floats, space: SearchSpace, passed: set[bytes], *, most_change: float
) -> Steps:
    """``[..., K]`` the smallest genomes that may do, of which nobody has been told yet."""
    change = space.change(state.seen)
    may_do = (chance >= _MAY_DO) & (change > 0) & (change < most_change)
    ordered = np.lexsort([-chance, change])
    some = [k for k in ordered[may_do[ordered]] if bytes(state.seen[k]) not in passed]
    return np.asarray(state.seen[some[:_AT_ONCE]])


def _on_the_way(
    evaluator: Evaluator, genomes: Steps, played: Readings, games: Games
) -> Iterator[Suggested]:
    """Those of ``[P, K]`` genomes by rising change that read well."""
    scores, has_room, _ = read_room(evaluator, genomes, played, games, EVEN)
    demands = evaluator.demands
    reads_well = demands.spare_pp(demands.of(scores.win_rate)) >= 0
    for k, genome in enumerate(genomes):
        if reads_well[k] and k not in played.faults:
            yield Suggested(genome, scores.take(np.array([k])), played.n_games, bool(has_room[k]))


def _shown(found: Selection) -> list[int]:
    """Positions of the recommended genome and of few others that may do, the best one last."""
    may_do = np.flatnonzero(found.has_room & (found.scores.change > 0)).tolist()
    others = [k for k in may_do if k != found.recommended][: _SHOWN - 1]
    return [*reversed(others), found.recommended]
