"""Certificates: the only thing that may be called balanced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.evaluation import Evaluator
from balance.guards import LOOKS, GuardGames, GuardVerdict, judge_guards
from balance.imbalance import imbalance_pp
from balance.matchups import MatchupCounts
from balance.search_space import Steps
from balance.statistics.intervals import CONFIDENCE, Floats, Interval

Pair = tuple[MatchupCounts, MatchupCounts]


def matchup_confidence(n_matchups: int) -> float:
    """Level of each matchup's interval so that all hold together (Bonferroni): 1 - 0.05 / M."""
    return 1 - (1 - CONFIDENCE) / n_matchups


@dataclass(frozen=True)
class Certificate:
    """A verdict on one patch from games that chose nothing.

    Attributes:
        certified: every matchup's interval lies wholly inside its band, and every guard is shown
            to hold.
        targets: ``[M]`` where the win rates should be.
        before: ``[M]`` today's win rates of `a`, on the same seeds.
        after: ``[M]`` the patch's win rates.
        inside: ``[M]`` whether the interval lies in the band.
        guards: verdicts of the guards.
        n_games: games per matchup that the matchups are judged by.
        confidence: of each interval.
    """

    certified: bool
    targets: Floats
    before: Interval
    after: Interval
    inside: npt.NDArray[np.bool_]
    guards: tuple[GuardVerdict, ...]
    n_games: int
    confidence: float

    @property
    def n_games_played(self) -> int:
        """Games per matchup with those that the guards took besides."""
        return max([self.n_games, *(guard.n_games for guard in self.guards)])

    @property
    def imbalance_pp(self) -> float:
        """Largest distance of a matchup from its target with the patch."""
        return float(imbalance_pp(self.after.estimate, self.targets).max())


def certify(
    evaluator: Evaluator, genome: Steps, *, n_games: int, band_pp: float, first_side: int = 1
) -> tuple[Certificate, MatchupCounts]:
    """Play one patch, once, on seeds that nothing was chosen by.

    Args:
        evaluator: plays genomes; here with the purpose `certify`.
        genome: ``[K]`` the patch.
        n_games: games per matchup, even; guards may take up to four times as many.
        band_pp: half-width of the band around the targets.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.

    Returns:
        The certificate, and the counts of the patch (variant 0) and of today (variant 1) in the
        `n_games` that the matchups are judged by.
    """
    no_edits = not genome.any()

    def play(first_seed: int, n_games: int) -> Pair:
        counts = evaluator.play(
            genome[np.newaxis], n_games=n_games, purpose="certify", first_seed=first_seed
        )
        return counts, counts

    first = play(0, n_games)
    verdict = judge(
        evaluator, first, play, band_pp=band_pp, first_side=first_side, no_edits=no_edits
    )
    return verdict, first[0]


def judge(
    evaluator: Evaluator,
    first: Pair,
    play: Callable[[int, int], Pair],
    *,
    band_pp: float,
    first_side: int,
    no_edits: bool = False,
) -> Certificate:
    """The verdict on games that chose nothing.

    Args:
        evaluator: knows targets and guards.
        first: the games that were asked for: counts whose first variant is the patch, and counts
            on the same seeds whose last variant is today's cards.
        play: plays more of them for the guards: `play(first_seed, n_games)`. The matchups are
            judged by the first games alone, so that nobody looks twice.
        band_pp: half-width of the band around the targets.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        no_edits: the patch leaves everything as it is.
    """
    patched, today = first
    confidence = matchup_confidence(len(evaluator.targets))
    after, before = patched.win_rate(confidence).at(0), today.win_rate(confidence).at(-1)
    slack = 1e-12  # so that an interval that ends on the band's edge is inside
    low, high = evaluator.targets - band_pp / 100, evaluator.targets + band_pp / 100
    inside = (after.low >= low - slack) & (after.high <= high + slack)
    guards = judge_guards(
        evaluator.guards,
        GuardGames.of(*first, no_edits=no_edits),
        lambda first_seed, n_games: GuardGames.of(*play(first_seed, n_games)),
        first_side=first_side,
        n_looks=len(LOOKS) if inside.all() else 1,  # else no guard could bring a certificate
    )
    certified = bool(inside.all()) and all(guard.holds for guard in guards)
    return Certificate(
        certified, evaluator.targets, before, after, inside, guards, patched.n_games, confidence
    )
