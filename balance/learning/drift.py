"""Drift: what becomes of a patch as trained pilots get used to its cards; needs torch.

A patch is certified with pilots that learned before it. Each goes on learning with the patched
cards, against the others as they are; then the patch is played once more. Pilots that are not at
rest would have changed without any patch: so the same training goes on with the cards as they were,
on the same seeds (a placebo), and what that moves is told beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from agents import DQNPilot, Trainer, pilot_of
from agents.dqn.provenance import Stamp, stamps_of_cards
from balance.card_contest import CardContest, Player, patched, play_matchups
from balance.certificate import Certificate, Pair, judge
from balance.learning.learner import Learner
from balance.learning.training import (
    begin_training,
    continued,
    learned_pilots,
    numbers_of,
)
from balance.learning.variants import numbers_now
from balance.pipeline import BalanceRun
from balance.search_space import Steps
from balance.settings import BalanceSettings, Drift
from balance.statistics.intervals import Interval, paired_mean
from sim.seeds import stream_seed

PURPOSE = "certify/retrained"


@dataclass(frozen=True)
class DriftRun:
    """A patch before and after its pilots got used to it.

    Attributes:
        contest: the patched cards, and players with the pilots as they have become.
        before: ``[M]`` win rates of `a` with the patch and the pilots as they were.
        change: ``[M]`` how far they moved on the same seeds, with its paired interval.
        placebo: ``[M]`` how far today's win rates moved by the same training without a patch.
        beyond: ``[M]`` the change with the patch less that without one, paired likewise.
        certificate: the verdict with the pilots as they have become; its `before` is today's
            cards with the pilots as they were.
    """

    contest: CardContest
    before: Interval
    change: Interval
    placebo: Interval
    beyond: Interval
    certificate: Certificate


WITHOUT = " (no patch)"
"""What is added to a player's name where it learns on without the patch."""


def _one_after_another(trainers: Mapping[str, Trainer]) -> None:
    for trainer in trainers.values():
        trainer.run(trainer.settings.steps)


def measure_drift(
    run: BalanceRun,
    settings: BalanceSettings,
    *,
    threads: int | None = None,
    train_all: Callable[[Mapping[str, Trainer]], object] = _one_after_another,
) -> DriftRun:
    """Let the pilots of a finished run go on learning, and certify its patch again.

    Args:
        run: what `run_balance` found with these settings.
        settings: what it was told; `drift` says how pilots go on.
        threads: threads to use for playing; default all cores.
        train_all: brings trainings, by their players' names, to their ends; called once a round.
    """
    contests = {"": patched(run.contest, run.patch), WITHOUT: run.contest}
    for number in range(1, settings.drift.rounds + 1):
        trainers = {
            player.name + suffix: begin_retraining(
                contest, player, pilot, settings.drift, number, run_seed=settings.seed
            )
            for suffix, contest in contests.items()
            for player, pilot in learned_pilots(contest)
        }
        train_all(trainers)
        contests = {
            suffix: contest.with_agents(
                {
                    player.name: _retrained(contest, player, pilot, trainers[player.name + suffix])
                    for player, pilot in learned_pilots(contest)
                }
            )
            for suffix, contest in contests.items()
        }
    return _certify_again(run, contests[""], contests[WITHOUT], settings, threads)


def begin_retraining(
    contest: CardContest,
    player: Player,
    pilot: DQNPilot,
    drift: Drift,
    number: int = 1,
    *,
    run_seed: int,
) -> Trainer:
    """The further training of a player's pilot against all others, from its present weights.

    Args:
        contest: the patched cards, and the pilots as they are.
        player: whose deck it is.
        pilot: what goes on learning.
        drift: for how long, and how.
        number: of the round.
        run_seed: the run's seed.
    """
    others = tuple(other.name for other in contest.players if other.name != player.name)
    learner = Learner(name="retrained", decks=(player.name,), opponents=others)
    settings = continued(
        pilot, drift.steps, learning_rate=drift.learning_rate, epsilon=drift.epsilon
    )
    own_seed = stream_seed(run_seed, f"drift/{player.name}" + f"/{number}" * (number > 1))
    return begin_training(
        contest, learner, settings, run_seed=own_seed, numbers=numbers_of(pilot), start=pilot
    )


def _retrained(contest: CardContest, player: Player, pilot: DQNPilot, trainer: Trainer) -> DQNPilot:
    """What a player's pilot has become, with where it comes from."""
    became = pilot_of(trainer, pilot.name)
    pool = contest.table.pool
    if pilot.provenance is not None:
        became.provenance = pilot.provenance.model_copy(
            update={
                "cards": stamps_of_cards(pool, contest.reached),
                "numbers": numbers_now(pool, pilot.provenance.numbers),
                "decks": (Stamp.of(player.deck),),
                "steps": pilot.provenance.steps + trainer.n_steps,
                "opponents": f"{pilot.provenance.opponents}; then, with a patch, the others",
            }
        )
    return became


def _certify_again(
    run: BalanceRun,
    retrained: CardContest,
    without: CardContest,
    settings: BalanceSettings,
    threads: int | None,
) -> DriftRun:
    """Play the patch with the pilots as they are and as they were; then the placebo likewise."""
    recommended = run.selection.genome

    def pair(genome: Steps, contest: CardContest, first_game: int, n_games: int) -> Pair:
        as_they_were = run.evaluator.play(
            genome[None], n_games=n_games, purpose=PURPOSE, first_game=first_game
        )
        now = play_matchups(
            contest,
            contest.table,
            n_games=n_games,
            run_seed=settings.seed,
            purpose=PURPOSE,
            first_game=first_game,
            threads=threads,
        )
        return now, as_they_were

    certificate, (now, as_they_were) = judge(
        run.evaluator,
        partial(pair, recommended, retrained),
        n_games=run.certificate.most_games,
        first_side=run.measurement.matchups.first_side,
    )
    demands = run.evaluator.demands
    before = demands.read(as_they_were, certificate.confidence).at(0)
    by_placebo = pair(np.zeros_like(recommended), without, 0, now.n_games)
    moved, placebo = (
        demands.by_seed(then)[0] - demands.by_seed(once)[0]
        for then, once in ((now, as_they_were), by_placebo)
    )
    change, by_itself, beyond = (
        paired_mean(one, certificate.confidence) for one in (moved, placebo, moved - placebo)
    )
    return DriftRun(retrained, before, change, by_itself, beyond, certificate)
