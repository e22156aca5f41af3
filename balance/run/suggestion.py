"""Report of small patches while a model-based search runs, without a certificate.

The last suggestion is the patch that `balance.run.stages` would try to certify.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

import numpy as np

from balance.contest.readings import Readings
from balance.run.stages import LEAST_FOR_CLEANUP
from balance.search.cleanup import clean_up
from balance.search.model.model_search import ModelSearch
from balance.search.model.state import ModelState
from balance.search.selection import Selection
from balance.search.short_trial import few_games
from balance.settings.tables import BalanceSettings, Games
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Floats
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.evaluation import Evaluator, Scores
from balance.verdict.room import EVEN, read_room

# Minimum probability of feasibility of a patch that is played during the search. Chosen by hand,
# not tuned: games of less probable patches would mostly be wasted.
_LEAST_CHANCE = 0.3
# Maximum number of patches played after each round. Chosen by hand, not tuned: small, since these
# games are of no use for the search.
_AT_ONCE = 2
# Maximum number of patches reported from the final selection; chosen by hand, not tuned.
_SHOWN = 3


class Suggested(NamedTuple):
    """Patch that may suffice, as reported to a callback.

    Attributes:
        genome: patch as steps from the baseline, shape ``[K]``.
        scores: scores in games that did not select the patch, shape ``[1]``.
        n_games: games per matchup from which the scores are computed.
        is_likely: whether a certificate is likely: with a probability of at least 1/2 for a patch
            reported during the search, with `balance.verdict.room.LIKELY` for one of the final
            selection.
        cleanup: result of the clean-up for the final recommendation; `None` for other patches.
    """

    genome: Steps
    scores: Scores
    n_games: int
    is_likely: bool
    cleanup: CleanUp | None = None


def suggest_patches(
    evaluator: Evaluator, settings: BalanceSettings, on_patch: Callable[[Suggested], None]
) -> None:
    """Search for patches by a model, and report small ones that may suffice.

    Patches are reported during the search if they are measured inside all bands. After the search a
    few patches of the selection are reported, the recommended one last.

    Args:
        evaluator: evaluator that plays and scores genomes.
        settings: settings of the run; only `search` and `games` are used.
        on_patch: callback, called with each patch.
    """
    method = ModelSearch(evaluator, settings)
    games = settings.games
    passed = set[bytes]()
    likely_sizes = [inf]

    def on_round(state: ModelState) -> None:
        """Play promising candidates of a round, and report those inside all bands.

        Only candidates smaller than any patch reported as likely are played.
        """
        chances = method.chances(state)
        promising = _select_promising(
            state, chances, evaluator.space, passed, most_size=likely_sizes[-1]
        )
        passed.update(map(bytes, promising))
        if len(promising):
            n_games = few_games(evaluator, games)
            played = evaluator.play(promising, n_games=n_games, purpose="select", faults="keep")
            for suggested in _inside_bands(evaluator, promising, played, games):
                on_patch(suggested)
                # Larger patches are not reported once a likely patch is known.
                if suggested.is_likely:
                    likely_sizes.append(float(suggested.scores.size[0]))
                    break

    state = method.run(None, on_round)
    selection = method.select(state)
    most_games = max(int(state.history[-1, 0]), selection.n_played, LEAST_FOR_CLEANUP)
    selection, cleanup = clean_up(evaluator, selection, games, most_games=most_games)
    for k in _final_positions(selection):
        scores = selection.scores.take(np.array([k]))
        is_last = k == selection.recommended
        on_patch(
            Suggested(
                selection.genomes[k],
                scores,
                int(selection.n_games[k]),
                bool(selection.has_room[k]),
                cleanup if is_last else None,
            )
        )


def _select_promising(
    state: ModelState, chance: Floats, space: SearchSpace, passed: set[bytes], *, most_size: float
) -> Steps:
    """Return the smallest candidates that may suffice and are not in `passed`, shape ``[P, K]``.

    At most `_AT_ONCE` candidates are returned; the baseline is never among them.

    Args:
        state: state of the search.
        chance: probability that each candidate suffices, ``[S]``.
        space: search space of the candidates.
        passed: bytes of the genomes that were already played for a suggestion.
        most_size: upper bound (exclusive) on the size of a candidate.
    """
    size = space.size(state.seen)
    is_feasible = (chance >= _LEAST_CHANCE) & (size > 0) & (size < most_size)
    ordered = np.lexsort([-chance, size])
    positions = [k for k in ordered[is_feasible[ordered]] if bytes(state.seen[k]) not in passed]
    return np.asarray(state.seen[positions[:_AT_ONCE]])


def _inside_bands(
    evaluator: Evaluator, genomes: Steps, played: Readings, games: Games
) -> Iterator[Suggested]:
    """Yield the genomes that are measured inside all bands, in their order.

    Args:
        evaluator: evaluator with demands and guards.
        genomes: genomes that were played, shape ``[P, K]``.
        played: games of the genomes and, as the last variant, of the baseline.
        games: games per matchup of each stage.
    """
    scores, has_room, _ = read_room(evaluator, genomes, played, games, EVEN)
    demands = evaluator.demands
    reads_well = demands.spare_pp(demands.of(scores.win_rate)) >= 0
    for k, genome in enumerate(genomes):
        if reads_well[k] and k not in played.faults:
            yield Suggested(genome, scores.take(np.array([k])), played.n_games, bool(has_room[k]))


def _final_positions(selection: Selection) -> list[int]:
    """Return the positions of the smallest sufficient patches, largest first, and the recommended.

    At most `_SHOWN` positions are returned; the last is that of the recommended patch, even if it
    does not suffice.
    """
    sufficient = np.flatnonzero(selection.has_room & (selection.scores.change > 0)).tolist()
    others = [k for k in sufficient if k != selection.recommended][: _SHOWN - 1]
    return [*reversed(others), selection.recommended]
