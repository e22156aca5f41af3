"""A found patch in other hands: win rates and verdicts by pilots that nothing was chosen by.

A certificate speaks of its own pilots alone. Here each of some other pilots plays all decks, with
the patch and with today's numbers, on seeds of their own. It is no part of the certificate: it
spends none of its risk and changes no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.demands import Demands
from balance.evaluation import Evaluator
from balance.search_space import SearchSpace, Steps
from balance.second_opinion.verdicts import (
    Look,
    looks_until,
    most_games_of,
)
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import (
    CONFIDENCE,
    Flags,
    Floats,
    Interval,
    Positions,
    cautious_rate,
)
from sim.errors import CardFault
from sim.play import Agent

PURPOSE = "second_opinion"


class OpinionRow(NamedTuple):
    """A rate in the hands of one pilot: today, with the patch, and what that shows.

    Of a matchup; of a player against the field; or of the first seat.
    """

    agent: str
    matchup: str
    least: float
    most: float
    before: Annotated[Interval, ("win_rate_today", "today_low", "today_high")]
    before_n: int
    after: Annotated[Interval, ("win_rate_patched", "patched_low", "patched_high")]
    after_n: int
    confidence: float
    off_pp: float
    verdict: str  # a `balance.band.BandVerdict`; tables read back plain text


@dataclass(frozen=True)
class PilotOpinion:
    """What games of one pilot show of a patch.

    Attributes:
        agent: the pilot.
        rows: one for each demanded rate; none if a game could not be played to its end.
        n_games: all games that it took.
        fault: why games could not be played to their end; empty if they could.
    """

    agent: str
    rows: tuple[OpinionRow, ...]
    n_games: int
    fault: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether every rate is shown to be inside its bounds; `None` if not even that none is."""
        verdicts = {row.verdict for row in self.rows}
        if "outside" in verdicts or self.fault:
            return False
        return None if "not shown" in verdicts else True

    @property
    def worst(self) -> OpinionRow | None:
        """The rate that is farthest from its target, of those outside their bounds if any is."""
        outside = [row for row in self.rows if row.verdict == "outside"]
        return max(outside or self.rows, key=lambda row: row.off_pp, default=None)


@dataclass(frozen=True)
class Question:
    """What pilots are asked: a patch beside today's numbers, and where its rates should be.

    Attributes:
        contest: the decks, in whoever's hands.
        space: the numbers that the patch may move.
        genome: ``[K]`` the patch.
        demands: ``[N]`` the bounds of its rates.
        run_seed: the run's seed.
        purpose: names the stream of game seeds, see `sim.seeds`.
        threads: threads to use; default all cores.
    """

    contest: CardContest
    space: SearchSpace
    genome: Steps
    demands: Demands
    run_seed: int
    purpose: str = PURPOSE
    threads: int | None = None

    @classmethod
    def of(
        cls, contest: CardContest, evaluator: Evaluator, genome: Steps, purpose: str = PURPOSE
    ) -> Question:
        """About a patch that an evaluator plays.

        Args:
            contest: the evaluator's, or the same that tells of its games otherwise.
            evaluator: knows numbers, demands and seed.
            genome: ``[K]`` the patch.
            purpose: names the stream of game seeds.
        """
        return cls(
            contest,
            evaluator.space,
            genome,
            evaluator.demands,
            evaluator.run_seed,
            purpose,
            evaluator.threads,
        )


def others_of(contest: CardContest, pilots: Sequence[Agent]) -> list[Agent]:
    """The pilots but for one that pilots every deck already: of it a certificate speaks."""
    own = {agent.name for agent in contest.agents}
    return [pilot for pilot in pilots if own != {pilot.name}]


def ask_pilots(
    question: Question,
    pilots: Sequence[Agent],
    most_games: int | None = None,
    on_pilot: Callable[[str], None] = lambda _: None,
) -> tuple[PilotOpinion, ...]:
    """Play a patch and today's numbers in the hands of each pilot.

    Args:
        question: the patch.
        pilots: each pilots all decks at once.
        most_games: per matchup; default as `most_games_of` each pilot.
        on_pilot: receives the name of each pilot before it plays.
    """
    opinions = list[PilotOpinion]()
    for pilot in pilots:
        on_pilot(pilot.name)
        opinions.append(_ask(question, pilot, most_games or most_games_of(pilot)))
    return tuple(opinions)


def _ask(question: Question, pilot: Agent, most_games: int) -> PilotOpinion:
    """Look at the rates of one pilot until all are decided, or all games are played."""
    games = _Games(question, question.contest.piloted_by(pilot))
    looks = looks_until(most_games, question.contest.n_seatings)
    undecided = np.arange(len(question.demands))
    rows = dict[int, OpinionRow]()
    try:
        today = games.play_first(looks[0])
        for look in looks:
            games.play_on(look, undecided)
            seen = {int(n): _row(question, pilot, games, int(n), look, today) for n in undecided}
            rows |= seen
            undecided = np.array([n for n, row in seen.items() if row.verdict == "not shown"], int)
            if not len(undecided):
                break
    except CardFault as fault:
        return PilotOpinion(pilot.name, (), games.n_played, str(fault))
    return PilotOpinion(pilot.name, tuple(rows[n] for n in sorted(rows)), games.n_played)


def _row(
    question: Question, pilot: Agent, games: _Games, n: int, look: Look, today: Floats
) -> OpinionRow:
    """Demand `n` by the games so far; `today` are the ``[R, S]`` rates of today's numbers."""
    demand = question.demands.take(np.array([n]))
    after = cautious_rate(_demanded(demand, games.rates), look.confidence)
    before = cautious_rate(_demanded(demand, today), CONFIDENCE)
    return OpinionRow(
        agent=pilot.name,
        matchup=demand.names[0],
        least=float(demand.bounds[0, 0]),
        most=float(demand.bounds[1, 0]),
        before=before.at(0),
        before_n=today.shape[1] * question.contest.n_seatings,
        after=after.at(0),
        after_n=look.n_games,
        confidence=look.confidence,
        off_pp=float(demand.distance_pp(after.estimate)[0]),
        verdict=demand.verdicts(after)[0],
    )


def _demanded(demand: Demands, rates: Floats) -> Floats:
    """``[1, S]`` one demanded rate by seed, of ``[R, S]`` rates."""
    row = demand.weights[0]
    where = np.flatnonzero(row)
    turned = -float(row[row < 0].sum())  # a negative share is of a matchup's other side
    return (weighted_sum(rates[where].T, row[where]) + turned)[np.newaxis]


class _Games:
    """Games of one pilot with the patch, which grow by those matchups that are undecided.

    Attributes:
        rates: ``[R, S]`` rates by seed, of the matchups and then of the first seat; no numbers
            where a matchup was decided before.
        n_played: all games, also of today's numbers.
    """

    def __init__(self, question: Question, contest: CardContest) -> None:
        """No game is played yet.

        Args:
            question: what is played.
            contest: the decks in the pilot's hands.
        """
        self._question = question
        self._contest = contest
        self.rates: Floats = np.empty((question.demands.n_rates, 0))
        self.n_played = 0

    def play_first(self, look: Look) -> Floats:
        """Play the patch and today's numbers; ``[R, S]`` rates of today's by seed."""
        patch = self._question.genome
        both = np.stack([patch, np.zeros_like(patch)])
        every = np.ones(len(self._contest.matchups), dtype=np.bool_)
        self.rates, today = self._play(both, look.n_games, every)
        return today

    def play_on(self, look: Look, undecided: Positions) -> None:
        """Play the patch until a look, in the matchups that some demands are about."""
        needed = self._matchups_of(undecided)
        n_games = look.n_games - self.rates.shape[1] * self._contest.n_seatings
        if not n_games:  # the first look, which `play_first` has played
            return
        (more,) = self._play(self._question.genome[np.newaxis], n_games, needed)
        self.rates = np.concatenate([self.rates, more], axis=1)

    def _matchups_of(self, demands: Positions) -> Flags:
        """``[M]`` which matchups some demands are about; the first seat is of all."""
        n_matchups = len(self._contest.matchups)
        weights = self._question.demands.weights[demands]
        needed: Flags = (weights[:, :n_matchups] != 0).any(axis=0)
        return needed | bool((weights[:, n_matchups:] != 0).any())

    def _play(self, candidates: Steps, n_games: int, matchups: Flags) -> list[Floats]:
        """``[R, S]`` rates by seed of each candidate in further games of some matchups."""
        question = self._question
        contest = self._contest
        which = np.flatnonzero(matchups)
        played = contest.play(
            candidates,
            question.space.genes,
            n_games=n_games,
            run_seed=question.run_seed,
            purpose=question.purpose,
            first_game=self.rates.shape[1],
            matchups=[contest.matchups[m] for m in which],
            threads=question.threads,
        )
        self.n_played += len(candidates) * n_games * len(which)
        first_seat = played.first_seat_by_seed().mean(axis=1)  # of all matchups, or not needed
        found = list[Floats]()
        for v in range(len(candidates)):
            rates = np.full((question.demands.n_rates, played.n_seeds), np.nan)
            rates[which] = played.rates_by_seed(v)
            if question.demands.with_first_seat:
                rates[-1] = first_seat[v]
            found.append(rates)
        return found
