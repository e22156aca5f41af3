"""Certificates: the only thing that may be called balanced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.demands import Demands
from balance.evaluation import Evaluator
from balance.guards import LOOKS, GuardGames, GuardVerdict, judge_guards, not_watched
from balance.readings import Readings
from balance.search_space import Steps
from balance.statistics.intervals import Flags, Floats, Interval

Pair = tuple[Readings, Readings]


@dataclass(frozen=True)
class Certificate:
    """A verdict on one patch from games that chose nothing.

    Attributes:
        certified: every demand's interval lies wholly inside its bounds, and every guard that is
            watched is shown to hold.
        demands: ``[N]`` what the win rates should be.
        before: ``[N]`` today's rates, on the same seeds.
        after: ``[N]`` the patch's rates.
        inside: ``[N]`` whether the interval lies inside its bounds.
        guards: verdicts of the guards.
        not_watched: guards that the games say nothing about.
        n_games: games per matchup that the demands are judged by.
    """

    certified: bool
    demands: Demands
    before: Interval
    after: Interval
    inside: Flags
    guards: tuple[GuardVerdict, ...]
    not_watched: tuple[str, ...]
    n_games: int

    @property
    def targets(self) -> Floats:
        """``[N]`` where the rates should be."""
        return self.demands.target

    @property
    def confidence(self) -> float:
        """Level of each interval."""
        return self.demands.confidence

    @property
    def n_games_played(self) -> int:
        """Games per matchup with those that the guards took besides."""
        return max([self.n_games, *(guard.n_games for guard in self.guards)])

    @property
    def imbalance_pp(self) -> float:
        """Largest distance of a rate from its target with the patch."""
        return float(self.demands.distance_pp(self.after.estimate).max())


def certify(
    evaluator: Evaluator, genome: Steps, *, n_games: int, first_side: int = 1
) -> tuple[Certificate, Readings]:
    """Play one patch, once, on seeds that nothing was chosen by.

    Args:
        evaluator: plays genomes; here with the purpose `certify`.
        genome: ``[K]`` the patch.
        n_games: games per matchup, equally many in every seating; guards may take up to four
            times as many.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.

    Returns:
        The certificate, and the readings of the patch (variant 0) and of today (variant 1) in the
        `n_games` that the matchups are judged by.
    """
    no_edits = not genome.any()

    def play(first_game: int, n_games: int) -> Pair:
        readings = evaluator.play(
            genome[np.newaxis], n_games=n_games, purpose="certify", first_game=first_game
        )
        return readings, readings

    first = play(0, n_games)
    verdict = judge(evaluator, first, play, first_side=first_side, no_edits=no_edits)
    return verdict, first[0]


def judge(
    evaluator: Evaluator,
    first: Pair,
    play: Callable[[int, int], Pair],
    *,
    first_side: int,
    no_edits: bool = False,
) -> Certificate:
    """The verdict on games that chose nothing.

    Args:
        evaluator: knows demands and guards.
        first: the games that were asked for: readings whose first variant is the patch, and
            readings on the same seeds whose last variant is today.
        play: plays more of them for the guards: `play(first_game, n_games)`. The matchups are
            judged by the first games alone, so that nobody looks twice.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        no_edits: the patch leaves everything as it is.
    """
    patched, today = first
    demands = evaluator.demands
    after = demands.read(patched, demands.confidence).at(0)
    before = demands.read(today, demands.confidence).at(-1)
    inside = demands.hold(after)
    guards = judge_guards(
        evaluator.guards,
        GuardGames.of(*first, no_edits=no_edits),
        lambda first_game, n_games: GuardGames.of(*play(first_game, n_games)),
        first_side=first_side,
        n_looks=len(LOOKS) if inside.all() else 1,  # else no guard could bring a certificate
    )
    certified = bool(inside.all()) and all(guard.holds for guard in guards)
    unseen = not_watched(patched)
    return Certificate(certified, demands, before, after, inside, guards, unseen, patched.n_games)
