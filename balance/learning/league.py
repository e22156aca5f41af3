"""League: co-training of learners against each other's latest states; needs torch.

Learners that were trained separately have met only scripted agents and themselves. In each round of
the league, every learner has a turn: a further training against the scripted agents and the latest
states of the other learners. The learners have converged when a round changes each matchup by at
most a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents import DQNPilot, Trainer, pilot_of
from agents.dqn.settings import Together
from balance.cards.card_contest import CardContest, Matchup, play_matchups
from balance.contest.readings import MatchupCounts
from balance.learning.learner import Learner
from balance.learning.training import (
    Rival,
    begin_training,
    continued_settings,
    numbers_of,
    provenance,
)
from balance.statistics.intervals import Interval, paired_mean
from sim import InputError, stream_seed

_PURPOSE = "train/together"


@dataclass(frozen=True)
class League:
    """Learners of a contest that are trained in turn against each other.

    Attributes:
        contest: cards, and players with the agents that they have without the learners.
        learners: at least two learners, each with decks of its own.
        together: settings of the co-training.
        run_seed: seed of the run.
    """

    contest: CardContest
    learners: tuple[Learner, ...]
    together: Together
    run_seed: int

    def __post_init__(self) -> None:
        """Check that the learners can meet each other.

        Raises:
            InputError: a learner does not play both seats, two learners play the same deck, or no
                opponent's deck of a learner is played by another learner. The message names the
                learner.
        """
        pilots = dict[str, str]()
        for learner in self.learners:
            if learner.seat != "either":
                raise InputError(
                    f"must be 'either', not {learner.seat!r}, because train.together plays each "
                    "matchup from both seats",
                    place=f"learner {learner.name!r}: seat",
                    value=learner.seat,
                    limit="either",
                    separator=" ",
                )
            for deck in learner.decks:
                if deck in pilots:
                    raise InputError(
                        f"deck {deck!r} is also a deck of learner {pilots[deck]!r}",
                        place=f"learner {learner.name!r}",
                        value=deck,
                        remedy="with train.together, each deck must have a single learner",
                    )
                pilots[deck] = learner.name
        for learner in self.learners:
            if not any(
                pilots.get(name, learner.name) != learner.name for name in learner.opponents
            ):
                raise InputError(
                    "none of its opponents is played by another learner",
                    place=f"learner {learner.name!r}",
                    value=learner.opponents,
                    remedy="with train.together, name at least one such opponent",
                )

    @property
    def matchups(self) -> tuple[Matchup, ...]:
        """Matchups of the contest in which at least one deck is played by a learner."""
        piloted = {name for learner in self.learners for name in learner.decks}
        names = self.contest.player_names
        return tuple(
            matchup
            for matchup in self.contest.matchups
            if not piloted.isdisjoint(names[player] for player in matchup)
        )

    def begin_turn(self, turn: int, past: Sequence[Sequence[DQNPilot]]) -> Trainer:
        """Return the training of one learner's turn, which continues from its latest state.

        Args:
            turn: number of the turn, from 0; turn `t` belongs to learner `t` modulo the number of
                learners.
            past: states of each learner so far, the oldest first; at least one state per learner.
        """
        own = turn % len(self.learners)
        together = self.together
        learner = self.learners[own]
        pilot = past[own][-1]
        names = self.contest.player_names
        rivals = [
            Rival(names.index(deck), state, is_latest=state is states[-1])
            for other, states in zip(self.learners, past, strict=True)
            if other is not learner
            for deck in other.decks
            for state in states[-together.past :]
        ]
        return begin_training(
            self.contest,
            learner,
            continued_settings(
                pilot,
                together.steps,
                learning_rate=together.learning_rate,
                epsilon=together.epsilon,
            ),
            run_seed=stream_seed(self.run_seed, f"{_PURPOSE}/{turn}"),
            rivals=rivals,
            latest=together.latest,
            numbers=numbers_of(pilot),
            start=pilot,
        )

    def end_turn(self, turn: int, pilot: DQNPilot, trainer: Trainer) -> DQNPilot:
        """Return a learner's pilot after its turn, with updated provenance.

        Args:
            turn: number of the turn, from 0.
            pilot: pilot of the learner before the turn.
            trainer: finished training of the turn.
        """
        learner = self.learners[turn % len(self.learners)]
        trained = pilot_of(trainer, pilot.name)
        before = pilot.provenance
        origin = before or provenance(self.contest, learner, trainer, run_seed=self.run_seed)
        settings = origin.settings.model_copy(update={"together": self.together})
        steps = trainer.n_steps + (before.steps if before else 0)
        trained.provenance = origin.model_copy(update={"settings": settings, "steps": steps})
        return trained

    def play(self, pilots: Sequence[DQNPilot]) -> MatchupCounts:
        """Play `matchups` with one pilot per learner, and return the counts of results.

        All calls use the same seeds, so that results of different pilots can be paired.

        Args:
            pilots: pilots of the learners, in the order of the learners.
        """
        agents = {
            deck: pilot
            for learner, pilot in zip(self.learners, pilots, strict=True)
            for deck in learner.decks
        }
        return play_matchups(
            self.contest.with_agents(agents),
            self.contest.table,
            n_games=self.together.games,
            run_seed=self.run_seed,
            purpose=_PURPOSE,
            matchups=self.matchups,
        )


def rate_changes(before: MatchupCounts, after: MatchupCounts) -> Interval:
    """Return the mean change of each matchup's win rate, paired by seed, shape ``[M]``.

    Args:
        before: counts of `League.play` before a round.
        after: counts of `League.play` after the round.
    """
    return paired_mean(after.rates_by_seed(0) - before.rates_by_seed(0))
