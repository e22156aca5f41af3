"""Drift: what becomes of a patch as trained pilots get used to its cards; needs torch.

A patch is certified with pilots that learned before it. Each goes on learning with the patched
cards, against the others as they are; then the patch is played once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agents.dqn.pilot import DQNPilot
from agents.dqn.provenance import Stamp, stamps_of_cards
from agents.dqn.trainer import Trainer
from balance.card_contest import CardContest, Player, patched, play_matchups
from balance.certificate import Certificate, Pair, judge
from balance.learning.learner import Learner
from balance.learning.training import (
    begin_training,
    learned_pilots,
    pilot_of,
    settings_of,
    shortened,
    train,
)
from balance.pipeline import BalanceRun
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
        certificate: the verdict with the pilots as they have become; its `before` is today's
            cards with the pilots as they were.
    """

    contest: CardContest
    before: Interval
    change: Interval
    certificate: Certificate


def _one_after_another(trainers: Mapping[str, Trainer]) -> None:
    for trainer in trainers.values():
        train(trainer)


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
        train_all: brings trainings, by their players' names, to their ends.
    """
    then = patched(run.contest, run.patch)
    piloted = learned_pilots(then)
    trainers = {
        player.name: begin_retraining(then, player, pilot, settings.drift, run_seed=settings.seed)
        for player, pilot in piloted
    }
    train_all(trainers)
    pilots = {
        player.name: _retrained(then, player, pilot, trainers[player.name])
        for player, pilot in piloted
    }
    return _certify_again(run, then.with_agents(pilots), settings, threads)


def begin_retraining(
    contest: CardContest, player: Player, pilot: DQNPilot, drift: Drift, *, run_seed: int
) -> Trainer:
    """The further training of a player's pilot against all others, from its present weights.

    Args:
        contest: the patched cards, and the pilots as they are.
        player: whose deck it is.
        pilot: what goes on learning.
        drift: for how long, and how.
        run_seed: the run's seed.
    """
    others = tuple(other.name for other in contest.players if other.name != player.name)
    learner = Learner(name="retrained", decks=(player.name,), opponents=others)
    settings = shortened(settings_of(pilot), drift.steps).model_copy(
        update={
            "learning_rate": drift.learning_rate,
            "epsilon_start": drift.epsilon,
            "epsilon_end": drift.epsilon,
        }
    )
    own_seed = stream_seed(run_seed, f"drift/{player.name}")
    trainer = begin_training(contest, learner, settings, run_seed=own_seed)
    trainer.learner.start_from(pilot.network)
    return trainer


def _retrained(contest: CardContest, player: Player, pilot: DQNPilot, trainer: Trainer) -> DQNPilot:
    """What a player's pilot has become, with where it comes from."""
    became = pilot_of(trainer, pilot.name)
    if pilot.provenance is not None:
        became.provenance = pilot.provenance.model_copy(
            update={
                "cards": stamps_of_cards(contest.table.pool, contest.reached),
                "decks": (Stamp.of(player.deck),),
                "steps": pilot.provenance.steps + trainer.n_steps,
                "opponents": f"{pilot.provenance.opponents}; then, with a patch, the others",
            }
        )
    return became


def _certify_again(
    run: BalanceRun, retrained: CardContest, settings: BalanceSettings, threads: int | None
) -> DriftRun:
    genome = run.selection.genomes[run.selection.recommended]

    def play(first_game: int, n_games: int) -> Pair:
        as_they_were = run.evaluator.play(
            genome[None], n_games=n_games, purpose=PURPOSE, first_game=first_game
        )
        now = play_matchups(
            retrained,
            retrained.table,
            n_games=n_games,
            run_seed=settings.seed,
            purpose=PURPOSE,
            first_game=first_game,
            threads=threads,
        )
        return now, as_they_were

    certificate, (now, as_they_were) = judge(
        run.evaluator,
        play,
        n_games=settings.games.certify,
        first_side=run.measurement.first_side,
    )
    demands = run.evaluator.demands
    before = demands.read(as_they_were, certificate.confidence).at(0)
    moved = demands.by_seed(now)[0] - demands.by_seed(as_they_were)[0]
    change = paired_mean(moved, certificate.confidence)
    return DriftRun(retrained, before, change, certificate)
