"""A league: learners that go on in turn, each against what the others have become; needs torch.

Each met only scripts and itself so far, and what it knows of the others' play is out of date as
soon as they learn. A round gives every learner a turn of further training against the scripts and
the latest states of the others; when a round no longer moves their matchups, they are at rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents import DQNPilot, Trainer, pilot_of
from agents.dqn.settings import Together
from balance.card_contest import CardContest, Matchup, play_matchups
from balance.learning.learner import Learner
from balance.learning.training import (
    Rival,
    begin_training,
    continued,
    numbers_of,
    provenance,
)
from balance.readings import MatchupCounts
from balance.statistics.intervals import Interval, paired_mean
from sim import InputError, stream_seed

_PURPOSE = "train/together"


@dataclass(frozen=True)
class League:
    """Learners of a contest, and how they go on together.

    Attributes:
        contest: cards, and players with the agents that they have without the learners.
        learners: at least two, of different decks.
        together: how they go on.
        run_seed: the run's seed.
    """

    contest: CardContest
    learners: tuple[Learner, ...]
    together: Together
    run_seed: int

    def __post_init__(self) -> None:
        """Refuse learners that cannot meet.

        Raises:
            InputError: names the learner, and what is wrong with it.
        """
        pilots = dict[str, str]()
        for learner in self.learners:
            if learner.seat != "either":
                raise InputError(
                    f"learner {learner.name!r}: seat = {learner.seat!r} must be 'either' for "
                    "train.together, which asks for matchups in both seats"
                )
            for deck in learner.decks:
                if deck in pilots:
                    raise InputError(
                        f"learner {learner.name!r}: learner {pilots[deck]!r} pilots {deck!r} too; "
                        "with train.together one learner pilots a deck"
                    )
                pilots[deck] = learner.name
        for learner in self.learners:
            if not any(
                pilots.get(name, learner.name) != learner.name for name in learner.opponents
            ):
                raise InputError(
                    f"learner {learner.name!r}: train.together needs an opponent whose deck "
                    "another learner pilots"
                )

    @property
    def matchups(self) -> tuple[Matchup, ...]:
        """Those of the contest in which a learner pilots a deck."""
        piloted = {name for learner in self.learners for name in learner.decks}
        names = self.contest.player_names
        return tuple(
            matchup
            for matchup in self.contest.matchups
            if not piloted.isdisjoint(names[player] for player in matchup)
        )

    def begin_turn(self, turn: int, past: Sequence[Sequence[DQNPilot]]) -> Trainer:
        """The further training of one learner.

        Args:
            turn: counted from 0; the learners take them in their order, again and again.
            past: what each learner has been, the oldest first.
        """
        mine = turn % len(self.learners)
        told = self.together
        learner = self.learners[mine]
        pilot = past[mine][-1]
        names = self.contest.player_names
        rivals = [
            Rival(names.index(deck), state, is_latest=state is states[-1])
            for other, states in zip(self.learners, past, strict=True)
            if other is not learner
            for deck in other.decks
            for state in states[-told.past :]
        ]
        return begin_training(
            self.contest,
            learner,
            continued(pilot, told.steps, learning_rate=told.learning_rate, epsilon=told.epsilon),
            run_seed=stream_seed(self.run_seed, f"{_PURPOSE}/{turn}"),
            rivals=rivals,
            latest=told.latest,
            numbers=numbers_of(pilot),
            start=pilot,
        )

    def end_turn(self, turn: int, pilot: DQNPilot, trainer: Trainer) -> DQNPilot:
        """What a learner has become, with where it comes from."""
        learner = self.learners[turn % len(self.learners)]
        became = pilot_of(trainer, pilot.name)
        before = pilot.provenance
        known = before or provenance(self.contest, learner, trainer, run_seed=self.run_seed)
        settings = known.settings.model_copy(update={"together": self.together})
        steps = trainer.n_steps + (before.steps if before else 0)
        became.provenance = known.model_copy(update={"settings": settings, "steps": steps})
        return became

    def play(self, pilots: Sequence[DQNPilot], *, threads: int | None = None) -> MatchupCounts:
        """The matchups with these pilots, one for each learner, always on the same seeds."""
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
            threads=threads,
        )


def moved(before: MatchupCounts, after: MatchupCounts) -> Interval:
    """``[M]`` change of the win rates from one round to the next, paired by seed."""
    return paired_mean(after.rates_by_seed(0) - before.rates_by_seed(0))
