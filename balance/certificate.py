"""Certificates: the only thing that may be called balanced; and truth, for who can afford it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from balance.band import BandVerdict
from balance.demands import Demands
from balance.evaluation import Evaluator
from balance.guards import GuardGames, GuardVerdict, judge_guards, not_watched
from balance.readings import Readings
from balance.risk import RISK, Look
from balance.search_space import Steps
from balance.statistics.intervals import Flags, Interval
from sim.arguments import checked

Pair = tuple[Readings, Readings]


@dataclass(frozen=True)
class Certificate:
    """A verdict on one patch from games that chose nothing.

    Attributes:
        certified: every demand is shown, by its interval inside its bounds, and every guard that
            is watched is shown to hold.
        demands: ``[N]`` what the win rates should be.
        before: ``[N]`` today's rates, on the same seeds.
        after: ``[N]`` the patch's rates, with the intervals that the verdict is by.
        inside: ``[N]`` whether the interval lies inside its bounds.
        outside: ``[N]`` whether the 90 % interval lies wholly outside them, which ends the games.
        before_pp: today's imbalance, with its 95 % interval for all demands together.
        after_pp: the patch's, likewise.
        confidence: level of each rate's interval: at either end it errs as seldom as the look
            may that it is from.
        n_games: games per matchup that the demands are judged by.
        guards: verdicts of the guards.
        not_watched: guards that the games say nothing about.
        looks: when the games would be looked at.
        n_looks: how many times they were, until all was told.
        risk: the chance to certify a patch that breaks a demand or a guard, over all looks.
        try_number: which try of its question it is, if tries are counted.
    """

    certified: bool
    demands: Demands
    before: Interval
    after: Interval
    inside: Flags
    outside: Flags
    before_pp: Interval
    after_pp: Interval
    confidence: float
    n_games: int
    guards: tuple[GuardVerdict, ...]
    not_watched: tuple[str, ...]
    looks: tuple[Look, ...]
    n_looks: int
    risk: float
    try_number: int | None

    @property
    def n_games_played(self) -> int:
        """Games per matchup with those that the guards took besides."""
        return self.looks[self.n_looks - 1].n_games

    @property
    def most_games(self) -> int:
        """Games per matchup that the demands might have taken."""
        return max(look.n_games for look in self.looks if look.demands)

    @property
    def failed(self) -> Flags:
        """``[N]`` the demands that keep the patch from being certified.

        Where games ended because one is surely outside, others that are not shown yet are none.
        """
        return ~self.inside if self.n_games == self.most_games else self.outside

    @property
    def verdicts(self) -> tuple[BandVerdict, ...]:
        """``[N]`` where the interval of each demanded rate lies with the patch."""
        return self.demands.verdicts(self.after)

    @property
    def imbalance_pp(self) -> float:
        """Largest distance of a rate from its target with the patch."""
        return float(self.after_pp.estimate)


@checked(first_side=Literal[-1, 1], purpose=str)
def certify(
    evaluator: Evaluator,
    genome: Steps,
    *,
    n_games: int,
    first_side: int = 1,
    purpose: str = "certify",
) -> tuple[Certificate, Readings]:
    """Play one patch, once, on seeds that nothing was chosen by.

    Args:
        evaluator: plays genomes.
        genome: ``[K]`` the patch.
        n_games: most games per matchup for the demands, equally many in every seating; fewer
            where fewer tell (`balance.risk.looks_of`). Guards may take up to four times as many.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        purpose: names the stream of game seeds.

    Returns:
        The certificate, and the readings of the patch (variant 0) and of today (variant 1) in the
        games that the matchups are judged by.

    Raises:
        InputError: an argument is none of these, or the genome is not of the evaluator's space.
    """
    n_games = evaluator.contest.checked_games(n_games)
    evaluator.space.check_genomes(np.asarray(genome)[np.newaxis])

    def play(first_game: int, n_games: int) -> Pair:
        readings = evaluator.play(
            genome[np.newaxis], n_games=n_games, purpose=purpose, first_game=first_game
        )
        return readings, readings

    verdict, (told, _) = judge(
        evaluator, play, n_games=n_games, first_side=first_side, no_edits=not genome.any()
    )
    return verdict, told


def judge(
    evaluator: Evaluator,
    play: Callable[[int, int], Pair],
    *,
    n_games: int,
    first_side: int,
    no_edits: bool = False,
) -> tuple[Certificate, Pair]:
    """The verdict on games that chose nothing, and the games that the demands are judged by.

    Demands are shown by one look at which all of them are, and told by the last such look; guards
    are shown one by one.
    Games end once all is shown, or nothing more is to be expected: a rate lies outside its bounds
    with its whole 90 % interval, or, in all the games that were asked for, a guard reads broken.

    Args:
        evaluator: knows demands, guards and the risk.
        play: plays `play(first_game, n_games)` more games: readings whose first variant is the
            patch, and readings on the same seeds whose last variant is today.
        n_games: as in `certify`.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        no_edits: the patch leaves everything as it is.
    """

    def judged(look: Look, earlier: tuple[GuardVerdict, ...] = ()) -> tuple[GuardVerdict, ...]:
        games = GuardGames.of(*played, no_edits=no_edits)
        return judge_guards(
            evaluator.guards, games, look.guards, first_side=first_side, earlier=earlier
        )

    demands = evaluator.demands
    looks = evaluator.looks(n_games)
    played = play(0, looks[0].n_games)
    rates = _rates(demands, played, looks[0])
    guards = judged(looks[0])
    n_looks = 1
    while n_looks < len(looks) and not _is_settled(
        rates, guards, has_all=played[0].n_games >= n_games
    ):
        look = looks[n_looks]
        more = play(played[0].n_seeds, look.n_games - played[0].n_games)
        played = played[0].joined(more[0]), played[1].joined(more[1])
        if look.demands:
            again = _rates(demands, played, look)
            if again.inside.all() or not rates.inside.all():
                rates = again
        guards = judged(look, guards)
        n_looks = n_looks + 1
    patched, today = rates.games
    certificate = Certificate(
        certified=bool(rates.inside.all()) and all(guard.holds for guard in guards),
        demands=demands,
        before=demands.read(today, rates.confidence).at(-1),
        after=rates.after,
        inside=rates.inside,
        outside=rates.outside,
        before_pp=demands.imbalance_pp(demands.read(today, demands.joint_confidence).at(-1)),
        after_pp=demands.imbalance_pp(demands.read(patched, demands.joint_confidence).at(0)),
        confidence=rates.confidence,
        n_games=patched.n_games,
        guards=guards,
        not_watched=not_watched(patched),
        looks=looks,
        n_looks=n_looks,
        risk=evaluator.risk,
        try_number=evaluator.try_number,
    )
    return certificate, rates.games


class _Rates(NamedTuple):
    """The demands at a look: the games, the rates in them with their level, and what they show."""

    games: Pair
    confidence: float
    after: Interval
    inside: Flags
    outside: Flags


def _rates(demands: Demands, games: Pair, look: Look) -> _Rates:
    after = demands.read(games[0], look.confidence).at(0)
    outside = demands.fail(demands.read(games[0], 1 - 2 * RISK).at(0))
    return _Rates(games, look.confidence, after, demands.hold(after), outside)


def _is_settled(rates: _Rates, guards: tuple[GuardVerdict, ...], *, has_all: bool) -> bool:
    """Whether all is shown, or nothing more is to be expected."""
    if not rates.inside.all():
        return has_all or bool(rates.outside.any())
    broken = has_all and any(guard.is_broken for guard in guards)
    return broken or all(guard.holds for guard in guards)


class Truth(NamedTuple):
    """What a patch comes to in so many games of their own that luck hardly matters.

    Attributes:
        imbalance_pp: largest distance of a rate from its target.
        violation: how far the guards are broken, in multiples of what they allow.
        holds: whether all demands and guards do.
    """

    imbalance_pp: float
    violation: float
    holds: bool


def truth_of(evaluator: Evaluator, genome: Steps, n_games: int) -> Truth:
    """Play a patch beside today's numbers on the stream `truth`, and take the rates at their word.

    Args:
        evaluator: plays genomes.
        genome: ``[K]`` the patch.
        n_games: per matchup; with 400,000 a rate is good to 0.15 pp.
    """
    readings = evaluator.play(genome[np.newaxis], n_games=n_games, purpose="truth")
    demands = evaluator.demands
    violation = evaluator.violation(readings)[0]
    rates = demands.of(demands.rates(readings)[0])
    imbalance_pp = float(demands.distance_pp(rates).max())
    is_inside = demands.spare_pp(rates) >= 0
    return Truth(imbalance_pp, float(violation), bool(is_inside and violation == 0))
