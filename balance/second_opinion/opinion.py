"""Second opinion on a patch: win rates and verdicts with pilots that the search did not use.

A certificate is valid for its own pilots only. In a second opinion each of several other pilots
plays all decks, with the patch and without it, on further seeds. The second opinion is not part of
the certificate: it does not use up its permitted error, and does not change its verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from balance.cards.card_contest import CardContest
from balance.contest.demands import Demands
from balance.second_opinion.verdicts import (
    Look,
    looks_until,
    most_games_of,
)
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import (
    CONFIDENCE,
    Flags,
    Floats,
    Interval,
    Positions,
    cautious_rate,
)
from balance.verdict.evaluation import Evaluator
from sim.errors import CardFault
from sim.play import Agent

PURPOSE = "second_opinion"


class OpinionRow(NamedTuple):
    """Result of one demanded rate with one pilot: without the patch, with it, and the verdict.

    The rate is that of a matchup, of a player against the field, or of the first seat.

    Attributes:
        agent: name of the pilot.
        matchup: name of the rate.
        least: lower bound of the rate's band, as a share of games.
        most: upper bound of the rate's band, as a share of games.
        before: rate without the patch, with its interval.
        before_n: number of games per matchup behind `before`.
        after: rate with the patch, with its interval.
        after_n: number of games per matchup behind `after`.
        confidence: confidence level of the interval of `after`.
        off_pp: distance of `after` from the target, in points.
        verdict: verdict on the rate and its band, in the words of
            `balance.contest.band.BandVerdict`.
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
    verdict: str  # not `BandVerdict`, which tables cannot read back from a column


@dataclass(frozen=True)
class PilotOpinion:
    """Result of one pilot's games with a patch.

    Attributes:
        agent: name of the pilot.
        rows: results of each demanded rate; empty if a game could not be finished.
        n_games: total number of games of the pilot.
        fault: reason why a game could not be finished; empty if all games were finished.
    """

    agent: str
    rows: tuple[OpinionRow, ...]
    n_games: int
    fault: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether all rates are verified inside their bands.

        The value is false if a rate is verified outside or a game could not be finished, and `None`
        if no rate is outside but some are undecided.
        """
        verdicts = {row.verdict for row in self.rows}
        if "outside" in verdicts or self.fault:
            return False
        return None if "not shown" in verdicts else True

    @property
    def worst(self) -> OpinionRow | None:
        """Row of the rate farthest from its target; `None` if there are no rows.

        If rates are verified outside their bands, it is the farthest of these.
        """
        outside = [row for row in self.rows if row.verdict == "outside"]
        return max(outside or self.rows, key=lambda row: row.off_pp, default=None)


@dataclass(frozen=True)
class PatchTrial:
    """Configuration of a second opinion: a patch to play, and the bands of its rates.

    Attributes:
        contest: contest with the decks; the pilots of its players are ignored.
        space: search space with the numbers that the patch changes.
        genome: patch to play, shape [K].
        demands: bands of the ``N`` demanded rates.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds, see `sim.seeds`.
    """

    contest: CardContest
    space: SearchSpace
    genome: Steps
    demands: Demands
    run_seed: int
    purpose: str = PURPOSE

    @classmethod
    def of(
        cls, contest: CardContest, evaluator: Evaluator, genome: Steps, purpose: str = PURPOSE
    ) -> PatchTrial:
        """Return the configuration for a patch of an evaluator's search space.

        Args:
            contest: contest of the evaluator, possibly with a different callback for played games.
            evaluator: evaluator with the search space, the demands and the run seed.
            genome: patch to play, shape [K].
            purpose: name of the stream of game seeds.
        """
        return cls(
            contest,
            evaluator.space,
            genome,
            evaluator.demands,
            evaluator.run_seed,
            purpose,
        )


def others_of(contest: CardContest, pilots: Sequence[Agent]) -> list[Agent]:
    """Return the pilots other than the one that plays all decks of a contest.

    A pilot of all decks is left out because the certificate already applies to it. If the decks
    have different pilots, all pilots are returned.

    Args:
        contest: contest with the decks and their pilots.
        pilots: pilots of a second opinion.
    """
    own = {agent.name for agent in contest.agents}
    return [pilot for pilot in pilots if own != {pilot.name}]


def ask_pilots(
    trial: PatchTrial,
    pilots: Sequence[Agent],
    most_games: int | None = None,
    on_pilot: Callable[[str], None] = lambda _: None,
) -> tuple[PilotOpinion, ...]:
    """Play a patch and the unchanged game with each of several pilots, and return their results.

    Args:
        trial: patch to play, and the bands of its rates.
        pilots: agents, each of which pilots all decks in turn.
        most_games: maximum number of games per matchup; by default `most_games_of` each pilot.
        on_pilot: callback, called with the name of each pilot before it plays.
    """
    opinions = list[PilotOpinion]()
    for pilot in pilots:
        on_pilot(pilot.name)
        opinions.append(_ask(trial, pilot, most_games or most_games_of(pilot)))
    return tuple(opinions)


def _ask(trial: PatchTrial, pilot: Agent, most_games: int) -> PilotOpinion:
    """Play with one pilot until all rates are decided, or to the last look, and return the result.

    Args:
        trial: patch to play, and the bands of its rates.
        pilot: agent that pilots all decks.
        most_games: maximum number of games per matchup.
    """
    games = _Games(trial, trial.contest.piloted_by(pilot))
    looks = looks_until(most_games, trial.contest.n_seatings)
    undecided = np.arange(len(trial.demands))
    rows = dict[int, OpinionRow]()
    try:
        today = games.play_first(looks[0])
        for look in looks:
            games.play_on(look, undecided)
            current = {int(n): _row(trial, pilot, games, int(n), look, today) for n in undecided}
            rows |= current
            undecided = np.array(
                [n for n, row in current.items() if row.verdict == "not shown"], int
            )
            if not len(undecided):
                break
    except CardFault as fault:
        return PilotOpinion(pilot.name, (), games.n_played, str(fault))
    return PilotOpinion(pilot.name, tuple(rows[n] for n in sorted(rows)), games.n_played)


def _row(
    trial: PatchTrial, pilot: Agent, games: _Games, n: int, look: Look, today: Floats
) -> OpinionRow:
    """Return the row of one demand, by the games so far.

    Args:
        trial: patch that is played, and the bands of its rates.
        pilot: agent that pilots all decks.
        games: games of the pilot with the patch.
        n: position of the demand.
        look: current look, with its number of games and confidence level.
        today: rates by seed without the patch, shape [R, S].
    """
    demand = trial.demands.take(np.array([n]))
    after = cautious_rate(_demanded_rate(demand, games.rates), look.confidence)
    before = cautious_rate(_demanded_rate(demand, today), CONFIDENCE)
    return OpinionRow(
        agent=pilot.name,
        matchup=demand.names[0],
        least=float(demand.bounds[0, 0]),
        most=float(demand.bounds[1, 0]),
        before=before.at(0),
        before_n=today.shape[1] * trial.contest.n_seatings,
        after=after.at(0),
        after_n=look.n_games,
        confidence=look.confidence,
        off_pp=float(demand.distance_pp(after.estimate)[0]),
        verdict=demand.verdicts(after)[0],
    )


def _demanded_rate(demand: Demands, rates: Floats) -> Floats:
    """Return the demanded rate of each seed, shape [1, S].

    Args:
        demand: single demand, with its weights of the R rates.
        rates: rates by seed of all matchups, and of the first seat, shape [R, S].
    """
    row = demand.weights[0]
    combined = np.flatnonzero(row)
    # A negative weight applies to the second player's rate, 1 - rate.
    constant = -float(row[row < 0].sum())
    return (weighted_sum(rates[combined].T, row[combined]) + constant)[np.newaxis]


class _Games:
    """Games of one pilot with the patch, which continue in the undecided matchups only.

    Attributes:
        rates: rates by seed of the matchups, then of the first seat, shape [R, S]; NaN for seeds
            that a matchup did not play because it was decided before.
        n_played: total number of games, including those without the patch.
    """

    def __init__(self, trial: PatchTrial, contest: CardContest) -> None:
        """Prepare the games without playing any.

        Args:
            trial: patch to play, and the bands of its rates.
            contest: contest with the decks, all played by the pilot.
        """
        self._trial = trial
        self._contest = contest
        self.rates: Floats = np.empty((trial.demands.n_rates, 0))
        self.n_played = 0

    def play_first(self, look: Look) -> Floats:
        """Play the first look with the patch and without it.

        Args:
            look: first look, with its number of games.

        Returns:
            Rates by seed without the patch, shape [R, S].
        """
        patch = self._trial.genome
        candidates = np.stack([patch, np.zeros_like(patch)])
        all_matchups = np.ones(len(self._contest.matchups), dtype=np.bool_)
        self.rates, today = self._play(candidates, look.n_games, all_matchups)
        return today

    def play_on(self, look: Look, undecided: Positions) -> None:
        """Play further games with the patch up to a look, in the matchups of undecided demands.

        Args:
            look: look with the total number of games to reach; nothing is played if it is reached.
            undecided: positions of the undecided demands.
        """
        needed = self._matchups_of(undecided)
        n_games = look.n_games - self.rates.shape[1] * self._contest.n_seatings
        if not n_games:  # `play_first` has already played the first look
            return
        (further,) = self._play(self._trial.genome[np.newaxis], n_games, needed)
        self.rates = np.concatenate([self.rates, further], axis=1)

    def _matchups_of(self, demands: Positions) -> Flags:
        """Return whether the given demands depend on each matchup, shape [M].

        A demand on the first seat depends on all matchups.

        Args:
            demands: positions of the demands.
        """
        n_matchups = len(self._contest.matchups)
        weights = self._trial.demands.weights[demands]
        needed: Flags = (weights[:, :n_matchups] != 0).any(axis=0)
        return needed | bool((weights[:, n_matchups:] != 0).any())

    def _play(self, candidates: Steps, n_games: int, matchups: Flags) -> list[Floats]:
        """Play further games of candidates in selected matchups, and return their rates by seed.

        Args:
            candidates: genomes to play, shape [V, K].
            n_games: number of further games per matchup.
            matchups: whether to play each matchup, shape [M].

        Returns:
            Rates of each candidate, each of shape [R, S]; NaN for matchups that were not played.
        """
        trial = self._trial
        contest = self._contest
        which = np.flatnonzero(matchups)
        played = contest.play(
            candidates,
            trial.space.genes,
            n_games=n_games,
            run_seed=trial.run_seed,
            purpose=trial.purpose,
            first_game=self.rates.shape[1],
            matchups=[contest.matchups[m] for m in which],
        )
        self.n_played += len(candidates) * n_games * len(which)
        # The first seat's rate is a mean over all matchups; a demand about it needs all of them.
        first_seat = played.first_seat_by_seed().mean(axis=1)
        by_candidate = list[Floats]()
        for v in range(len(candidates)):
            rates = np.full((trial.demands.n_rates, played.n_seeds), np.nan)
            rates[which] = played.rates_by_seed(v)
            if trial.demands.with_first_seat:
                rates[-1] = first_seat[v]
            by_candidate.append(rates)
        return by_candidate
