"""Settings of a training run, the table `[train]` of an experiment file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from sim.files.validation import StrictModel
from sim.value_error import value_error

Variant = Literal["improved", "dqn"]


class Together(StrictModel):
    """Settings of co-training: rounds in which learners train in turn against each other.

    Agents that learned separately have met only their own opponents, and change again once they
    meet each other. They should have converged before matchups are measured with them.

    Attributes:
        steps: number of decisions of each learner in a round.
        rounds: maximum number of rounds.
        rest_pp: limit of convergence, in percentage points: the learners have converged once a
            round changes each of their matchups by at most this much.
        games: number of games per matchup, both seatings together, that measure the change.
        past: number of latest states of each other learner that a learner meets, in addition to the
            player's own agent.
        latest: share of a turn's games against the latest states of the other learners. By default
            a latest state is met as often as each earlier state. With 1, scripted agents and
            earlier states are not met, as in the measurement of drift.
        learning_rate: step size of Adam at the start of each turn.
        epsilon: share of random actions during a turn.
    """

    steps: int = Field(default=600_000, ge=1, le=10**11)
    rounds: int = Field(default=12, ge=1, le=1_000)
    rest_pp: float = Field(default=1.0, gt=0, le=100)
    games: int = Field(default=20_000, ge=2, le=10**8, multiple_of=2)
    past: int = Field(default=3, ge=1, le=64)
    latest: Annotated[float, Field(gt=0, le=1)] | None = None
    learning_rate: float = Field(default=7e-4, gt=0, le=1)
    epsilon: float = Field(default=0.05, ge=0, le=1)


class Variants(StrictModel):
    """Settings of card variants: each training game is played with one of several sets of numbers.

    Attributes:
        count: number of variants, including the baseline cards.
        max_steps: maximum number of steps by which a card's number differs from the baseline,
            within the limits of `[tune]`.
        share: maximum share of the numbers that differ in a variant; for each variant the share is
            drawn uniformly from 0 to this maximum.
    """

    count: int = Field(default=512, ge=2, le=2048)  # limit as in `sim.engine.episodes`
    max_steps: int = Field(default=2, ge=1, le=1000)
    share: float = Field(default=0.6, gt=0, le=1)


def _or_bool(model: type[StrictModel]) -> BeforeValidator:
    """Return a validator that replaces `true` by the model's defaults and `false` by `None`.

    Other values are passed on unchanged, to be validated as the model.
    """

    def read(value: Any) -> Any:
        if isinstance(value, bool):
            return model() if value else None
        return value

    return BeforeValidator(read)


_EPSILON_STEPS = 300_000  # 4 % of the default of `steps`; chosen by hand
_WARM_UP = 20_000  # 3 % of the default memory; Mnih et al. (2015) fill 5 % before they learn
_SHORT = 10  # both defaults are at most a tenth of `steps`, so that short trainings learn, too


def _default_epsilon_steps(settings: dict[str, int]) -> int:
    """Return the default of `epsilon_steps`: 300,000, or a tenth of `steps` if that is less.

    The result is at least 1.
    """
    return min(_EPSILON_STEPS, max(settings["steps"] // _SHORT, 1))


def _default_warm_up(settings: dict[str, int]) -> int:
    """Return the default of `warm_up`: 20,000, or a tenth of `steps` if that is less.

    A short training warms up for at least four times the number of steps that give each environment
    one transition, but never for more than 20,000 steps.
    """
    enough = 4 * settings["n_environments"] * (settings["n_step"] + 1)
    return min(_WARM_UP, max(settings["steps"] // _SHORT, enough))


class TrainSettings(StrictModel):
    """Settings of a training run in which a network learns to play decks, the table `[train]`.

    Steps are decisions of the learner in its training games. docs/log.md reports the trials behind
    the defaults of `n_step`, `gamma`, `target_every` and `averaging`.

    Attributes:
        variant: `dqn` is the algorithm of Mnih et al. (2015) with illegal actions masked;
            `improved` adds double Q-learning, a dueling head, averaged weights, one-hot effects
            and levels of units' numbers, and targets that sum `n_step` rewards.
        steps: number of steps of the training.
        n_environments: number of games played in parallel.
        steps_per_update: number of steps between two updates of the weights.
        batch: number of transitions in one update.
        hidden: number of neurons in each of the two hidden layers.
        learning_rate: step size of Adam at the start.
        final_learning_rate: step size of Adam at the end, as a share of `learning_rate`; in between
            the step size falls linearly.
        n_step: number of rewards that a target sums; must be 1 for `dqn`. With more than 1 the
            network learns faster at first and plays worse in the end (docs/log.md).
        gamma: discount of a reward per step.
        epsilon_start: share of random actions at the first step.
        epsilon_end: share of random actions after `epsilon_steps`.
        epsilon_steps: number of steps over which the share of random actions falls linearly;
            default: 300,000, but at most a tenth of `steps`.
        replay: number of transitions that the memory stores, over all environments.
        warm_up: number of steps before the first update; default: 20,000, but at most a tenth of
            `steps` if that suffices to draw transitions.
        target_every: number of updates between two copies of the weights to the target network.
        averaging: share by which each update moves the averaged weights, which the pilot gets,
            towards the current weights. With 1, and always for `dqn`, the pilot gets the current
            weights.
        skip_forced: whether the learner skips positions in which ending the turn is the only legal
            action.
        past_selves: number of earlier states of the learner that are kept as opponents.
        snapshot_every: number of steps after which the weights replace the oldest earlier state.
        precision: precision of matrix products in training; weights and pilots are always
            `float32`. `auto` means half precision if the processor has instructions for it, which
            makes an update 1.5 times as fast.
        device: device on which torch computes.
        together: settings of co-training after each learner has learned alone; `true` for the
            default settings. By default the learners do not train together.
        variants: settings of card variants in training; `true` for the default settings. By default
            the training uses no variants.
        evaluate_every: number of steps between two evaluations.
        evaluate_games: number of games of one evaluation, for each lineup.
    """

    variant: Variant = "improved"
    # Defaults with a comment were compared on the hardest pairing of `thesis_dqn` (docs/log.md);
    # all other defaults were chosen by hand.
    steps: int = Field(default=8_000_000, ge=1, le=10**11)
    n_environments: int = Field(default=256, ge=1, le=65_536)
    steps_per_update: int = Field(default=256, ge=1, le=10**6)
    batch: int = Field(default=512, ge=1, le=65_536)
    hidden: int = Field(default=256, ge=2, le=8192, multiple_of=2)
    learning_rate: float = Field(default=1e-3, gt=0, le=1)  # 2e-3 learned no faster
    final_learning_rate: float = Field(default=0.1, ge=0, le=1)
    n_step: int = Field(default=1, ge=1, le=1000)  # won 28.1 %; with 2 25.6 %, with 3 24.4 %
    gamma: float = Field(default=0.995, gt=0, le=1)  # with 0.98 it won 0.9 percentage points less
    epsilon_start: float = Field(default=1.0, ge=0, le=1)
    epsilon_end: float = Field(default=0.03, ge=0, le=1)
    epsilon_steps: int = Field(default_factory=_default_epsilon_steps, ge=1, le=10**11)
    replay: int = Field(default=600_000, ge=2, le=10**9)
    warm_up: int = Field(default_factory=_default_warm_up, ge=1, le=10**9)
    target_every: int = Field(default=200, ge=1, le=10**9)  # 500 learned much more slowly at first
    averaging: float = Field(default=0.001, gt=0, le=1)  # won 5 pp more than the current weights
    skip_forced: bool = True
    past_selves: int = Field(default=0, ge=0, le=64)
    snapshot_every: int = Field(default=250_000, ge=1, le=10**11)
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    device: Literal["cpu", "cuda"] = "cpu"
    together: Annotated[Together | None, _or_bool(Together)] = None
    variants: Annotated[Variants | None, _or_bool(Variants)] = None
    evaluate_every: int = Field(default=500_000, ge=1, le=10**11)
    evaluate_games: int = Field(default=2_000, ge=2, le=10**8, multiple_of=2)

    @model_validator(mode="after")
    def _check_consistency(self) -> TrainSettings:
        """Check the settings that limit each other.

        Raises:
            InputError: `dqn` has an `n_step` other than 1, `epsilon_end` exceeds `epsilon_start`,
                `replay` or `warm_up` is too small for one transition per environment, or `warm_up`
                is not less than `steps`. The message names the setting and its limit.
        """
        # Every environment has an equal part of the memory, and a transition needs `n_step` further
        # entries after its own.
        needed = self.n_environments * (self.n_step + 1)
        too_small = (
            f"must be at least {needed}, the product of n_environments = {self.n_environments} and "
            f"n_step + 1 = {self.n_step + 1}"
        )
        if self.variant == "dqn" and self.n_step != 1:
            raise value_error("n_step", self.n_step, 'must be 1 for variant = "dqn"', limit=1)
        if self.epsilon_end > self.epsilon_start:
            problem = f"must be at most epsilon_start = {self.epsilon_start}"
            raise value_error("epsilon_end", self.epsilon_end, problem, limit=self.epsilon_start)
        if self.replay < needed:
            raise value_error("replay", self.replay, too_small, limit=needed)
        if self.warm_up < needed:
            raise value_error("warm_up", self.warm_up, too_small, limit=needed)
        if self.warm_up >= self.steps:
            problem = f"must be less than steps = {self.steps}, or nothing is learned"
            raise value_error("warm_up", self.warm_up, problem, limit=self.steps)
        return self

    @property
    def is_improved(self) -> bool:
        """Whether the variant is `improved`."""
        return self.variant == "improved"

    def with_variant(self, variant: Variant) -> TrainSettings:
        """Return a copy of the settings with another variant; `dqn` also gets an `n_step` of 1."""
        n_step = self.n_step if variant == "improved" else 1
        return self.model_copy(update={"variant": variant, "n_step": n_step})

    def epsilon(self, n_steps: int) -> float:
        """Return the share of random actions after `n_steps` steps of the training."""
        done = min(n_steps / self.epsilon_steps, 1.0)
        return self.epsilon_start + done * (self.epsilon_end - self.epsilon_start)

    def learning_rate_after(self, n_steps: int) -> float:
        """Return the step size of Adam after `n_steps` steps of the training."""
        done = min(n_steps / self.steps, 1.0)
        return self.learning_rate * (1 + done * (self.final_learning_rate - 1))
