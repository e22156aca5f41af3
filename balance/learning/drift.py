"""Drift: the change of a patch's win rates when trained pilots learn its cards; needs torch.

A patch is certified with pilots that were trained before it. Afterwards each pilot is trained
further with the patched cards, against the current pilots of the other decks, and the patch is
measured again. Pilots that have not converged would change without a patch, too. A control arm
therefore repeats the training with the baseline cards and the same seeds, and its effect is
reported next to that of the patch. Files and attributes call the control arm the placebo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any, NamedTuple

import numpy as np

from agents import DQNPilot, Trainer, pilot_of
from agents.dqn.provenance import Stamp, stamps_of_cards
from balance.cards.card_contest import CardContest, Player, patched, play_matchups
from balance.learning.learner import Learner
from balance.learning.training import (
    begin_training,
    continued_settings,
    learned_pilots,
    numbers_of,
)
from balance.learning.variants import numbers_now
from balance.result.result import Result, ResultTable
from balance.run.balance_run import BalanceRun
from balance.settings.tables import BalanceSettings, Drift
from balance.space.search_space import Steps
from balance.statistics.intervals import Interval, paired_mean
from balance.verdict.certificate import Certificate, Pair, judge
from sim.files.row_file import entry
from sim.seeds import stream_seed
from sim.short_repr import short_repr

PURPOSE = "certify/retrained"


class DriftRow(NamedTuple):
    """Rate of a demand with the patch, before and after further training of the agents.

    Attributes:
        matchup: name of the demand.
        least: lower bound of the rate, as a fraction.
        most: upper bound of the rate, as a fraction.
        before: rate with the pilots of the certificate.
        after: rate with the retrained pilots.
        change: change of the rate by the retrained pilots, in percentage points.
        placebo: change of the rate in the control arm, in percentage points.
        beyond: `change` minus `placebo`, in percentage points.
        confidence: confidence level of the intervals.
        n: number of games per matchup.
        inside: whether the interval of `after` is inside the bounds.
        verdict: band verdict on `after`.
    """

    matchup: str
    least: float
    most: float
    before: Annotated[Interval, ("win_rate_before", "before_low", "before_high")]
    after: Annotated[Interval, ("win_rate_after", "after_low", "after_high")]
    change: Annotated[Interval, ("change_pp", "change_low_pp", "change_high_pp")]
    placebo: Annotated[Interval, ("placebo_pp", "placebo_low_pp", "placebo_high_pp")]
    beyond: Annotated[Interval, ("beyond_pp", "beyond_low_pp", "beyond_high_pp")]
    confidence: float
    n: int
    inside: bool
    verdict: str


@dataclass(frozen=True)
class DriftRun(Result):
    """Win rates of a patch before and after its pilots were trained further.

    Win rates are those of the first player of each matchup.

    Attributes:
        contest: patched cards, and players with the retrained pilots.
        before: win rates with the patch and the pilots of the certificate, shape ``[M]``.
        change: change of these win rates by the retrained pilots, paired by seed, shape ``[M]``.
        placebo: change of the win rates with baseline cards in the control arm, paired by seed,
            shape ``[M]``.
        beyond: `change` minus `placebo`, paired by seed, shape ``[M]``.
        certificate: verdict on the patch with the retrained pilots; its `before` are the baseline
            cards with the pilots of the first certificate.
    """

    contest: CardContest
    before: Interval
    change: Interval
    placebo: Interval
    beyond: Interval
    certificate: Certificate

    def __repr__(self) -> str:
        return short_repr(self, "contest", "certificate")

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Table `drift` with one row per demand."""
        verdict = self.certificate
        rows = [
            DriftRow(
                name,
                verdict.demands.bounds[0, m],
                verdict.demands.bounds[1, m],
                self.before.at(m),
                verdict.after.at(m),
                self.change.at(m).times(100),
                self.placebo.at(m).times(100),
                self.beyond.at(m).times(100),
                verdict.confidence,
                verdict.n_games,
                verdict.inside[m],
                verdict.verdicts[m],
            )
            for m, name in enumerate(verdict.demands.names)
        ]
        return {"drift": ResultTable(DriftRow, rows)}

    def to_dict(self) -> dict[str, Any]:
        """Return the part of the entry `drift` of `summary.json` that is measured."""
        verdict = self.certificate
        return {
            "certified_after_retraining": verdict.certified,
            "matchups": [self._matchup_entry(row) for row in self.rows(DriftRow)],
            "guards": {guard.name: guard.holds for guard in verdict.guards},
            "confidence": verdict.confidence,
        }

    def _matchup_entry(self, row: DriftRow) -> dict[str, Any]:
        """Return the rates of a row, their changes in percentage points, and the verdict."""
        a, b = self.contest.sides(row.matchup)
        columns = entry(row)
        changes = [column for column in columns if column.endswith("_pp")]
        return {
            "a": a,
            "b": b,
            "before": row.before.as_entry(n=row.n),
            "after": row.after.as_entry(n=row.n),
            **{column: columns[column] for column in changes},
            "inside": bool(row.inside),
            "verdict": row.verdict,
        }


WITHOUT = " (no patch)"
"""Suffix of players' names in the control arm, in which they are trained without the patch."""


def _train_in_turn(trainers: Mapping[str, Trainer]) -> None:
    """Run trainings to their ends, one after the other."""
    for trainer in trainers.values():
        trainer.run(trainer.settings.steps)


def measure_drift(
    run: BalanceRun,
    settings: BalanceSettings,
    *,
    train_all: Callable[[Mapping[str, Trainer]], object] = _train_in_turn,
) -> DriftRun:
    """Train the pilots of a finished run further, and certify its patch again.

    Args:
        run: finished run of `run_balance`.
        settings: settings of that run; `drift` describes the further training.
        train_all: function that runs trainings to their ends, called once per round with the
            trainings by name of the player; names in the control arm end in `WITHOUT`.
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
                    player.name: _retrained_pilot(
                        contest, player, pilot, trainers[player.name + suffix]
                    )
                    for player, pilot in learned_pilots(contest)
                }
            )
            for suffix, contest in contests.items()
        }
    return _certify_again(run, contests[""], contests[WITHOUT], settings)


def begin_retraining(
    contest: CardContest,
    player: Player,
    pilot: DQNPilot,
    drift: Drift,
    number: int = 1,
    *,
    run_seed: int,
) -> Trainer:
    """Return a new training of a player's pilot against all other players, from its weights.

    Args:
        contest: cards, and players with their current pilots.
        player: player to which the pilot belongs.
        pilot: current pilot of the player.
        drift: settings of the training.
        number: number of the round, from 1.
        run_seed: seed of the run.
    """
    others = tuple(other.name for other in contest.players if other.name != player.name)
    learner = Learner(name="retrained", decks=(player.name,), opponents=others)
    settings = continued_settings(
        pilot, drift.steps, learning_rate=drift.learning_rate, epsilon=drift.epsilon
    )
    own_seed = stream_seed(run_seed, f"drift/{player.name}" + f"/{number}" * (number > 1))
    return begin_training(
        contest, learner, settings, run_seed=own_seed, numbers=numbers_of(pilot), start=pilot
    )


def _retrained_pilot(
    contest: CardContest, player: Player, pilot: DQNPilot, trainer: Trainer
) -> DQNPilot:
    """Return a player's pilot after its training, with updated provenance if it had any.

    Args:
        contest: cards and players of the training.
        player: player to which the pilot belongs.
        pilot: pilot before the training.
        trainer: finished training of the pilot.
    """
    retrained = pilot_of(trainer, pilot.name)
    pool = contest.table.pool
    if pilot.provenance is not None:
        retrained.provenance = pilot.provenance.model_copy(
            update={
                "cards": stamps_of_cards(pool, contest.reached),
                "numbers": numbers_now(pool, pilot.provenance.numbers),
                "decks": (Stamp.of(player.deck),),
                "steps": pilot.provenance.steps + trainer.n_steps,
                "opponents": f"{pilot.provenance.opponents}; then, with a patch, the others",
            }
        )
    return retrained


def _certify_again(
    run: BalanceRun,
    retrained: CardContest,
    without: CardContest,
    settings: BalanceSettings,
) -> DriftRun:
    """Certify the patch with the retrained pilots, and measure the changes in both arms.

    Args:
        run: finished run that found the patch.
        retrained: patched cards with the pilots that were retrained on them.
        without: baseline cards with the pilots of the control arm.
        settings: settings of the run.
    """
    recommended = run.selection.genome

    def play_pair(genome: Steps, contest: CardContest, first_game: int, n_games: int) -> Pair:
        by_certified = run.evaluator.play(
            genome[None], n_games=n_games, purpose=PURPOSE, first_game=first_game
        )
        now = play_matchups(
            contest,
            contest.table,
            n_games=n_games,
            run_seed=settings.seed,
            purpose=PURPOSE,
            first_game=first_game,
        )
        return now, by_certified

    certificate, (now, by_certified) = judge(
        run.evaluator,
        partial(play_pair, recommended, retrained),
        n_games=run.certificate.most_games,
        first_side=run.measurement.matchups.first_side,
    )
    demands = run.evaluator.demands
    before = demands.read(by_certified, certificate.confidence).at(0)
    control_pair = play_pair(np.zeros_like(recommended), without, 0, now.n_games)
    with_patch, control = (
        demands.by_seed(after)[0] - demands.by_seed(earlier)[0]
        for after, earlier in ((now, by_certified), control_pair)
    )
    change, control_change, beyond = (
        paired_mean(differences, certificate.confidence)
        for differences in (with_patch, control, with_patch - control)
    )
    return DriftRun(retrained, before, change, control_change, beyond, certificate)
