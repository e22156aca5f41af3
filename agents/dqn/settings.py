"""Settings of a training run, the table `[train]`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from sim.errors import InputError
from sim.files.validation import StrictModel

Variant = Literal["improved", "dqn"]


class Together(StrictModel):
    """Settings of rounds in which learners train in turn against each other's latest states.

    Agents that learned separately have met only their own opponents, and change again once they
    meet each other. They should have converged before they judge how cards stand.

    Attributes:
        steps: decisions of each learner in a round.
        rounds: most rounds.
        rest_pp: the learners have converged once a round changes none of their matchups by more
            than this many percentage points.
        games: games of each matchup that measure the change, both seatings together.
        past: number of latest states of each other learner that a learner meets, in addition to the
            player's own agent.
        latest: share of a turn's games against the others' latest states; by default these are met
            as often as each earlier state. With 1, scripts and earlier states are no longer met, as
            in the measurement of drift.
        learning_rate: Adam's step size at the start of each turn.
        epsilon: share of random actions during the turn.
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
    """Settings of card variants: each episode plays one of a set of cards with other numbers.

    Attributes:
        count: number of variants, with the baseline cards as one of them.
        max_steps: most steps by which a number differs from the baseline, within the limits of
            `[tune]`.
        share: in each variant a share of all numbers, drawn from 0 to this, is changed.
    """

    count: int = Field(default=512, ge=2, le=2048)  # limit as in `sim.engine.episodes`
    max_steps: int = Field(default=2, ge=1, le=1000)
    share: float = Field(default=0.6, gt=0, le=1)


def _or_bool(model: type[StrictModel]) -> BeforeValidator:
    """Return a validator that reads `true` as the model's defaults and `false` as `None`."""

    def read(value: Any) -> Any:
        if isinstance(value, bool):
            return model() if value else None
        return value

    return BeforeValidator(read)


_EPSILON_STEPS = 300_000  # exploration of a usual training, 4 % of the default of `steps`
_WARM_UP = 20_000  # 3 % of the default memory; Mnih et al. (2015) fill 5 % before they learn
_SHORT = 10  # a short training spends at most one tenth of its steps on either


def _default_epsilon_steps(settings: dict[str, int]) -> int:
    """Return the default steps until few actions are random; fewer for a short training."""
    return min(_EPSILON_STEPS, max(settings["steps"] // _SHORT, 1))


def _default_warm_up(settings: dict[str, int]) -> int:
    """Return the default steps before the first update; fewer for a short training.

    They are at least four times as many as a transition of every environment needs.
    """
    enough = 4 * settings["n_environments"] * (settings["n_step"] + 1)
    return min(_WARM_UP, max(settings["steps"] // _SHORT, enough))


class TrainSettings(StrictModel):
    """Settings of how a network learns to pilot its decks, the table `[train]`.

    Time is counted in steps: decisions of the learner in the games it learns from. docs/log.md
    reports the trials behind the defaults of `n_step`, `gamma`, `target_every` and `averaging`.

    Attributes:
        variant: `dqn` is Mnih et al. (2015) with illegal actions masked; `improved` adds double
            Q-learning, a dueling head, averaged weights, one-hot effects and levels of units'
            numbers, and targets over several steps.
        steps: length of the training.
        n_environments: number of games played side by side.
        steps_per_update: steps between two updates of the weights.
        batch: number of transitions in one update.
        hidden: number of neurons in each of the two hidden layers.
        learning_rate: Adam's step size at the start.
        final_learning_rate: share of the step size that is left at the end; it falls linearly.
        n_step: number of rewards that a target sums; `dqn` has 1. More than 1 learns faster at
            first and reaches less in the end (docs/log.md).
        gamma: discount of a reward per step.
        epsilon_start: share of random actions in the first step.
        epsilon_end: share of random actions after `epsilon_steps`.
        epsilon_steps: steps over which the share of random actions falls linearly; default 300,000,
            but no more than a tenth of `steps`.
        replay: number of transitions stored, over all environments.
        warm_up: steps before the first update; default 20,000, but no more than a tenth of `steps`
            where that is enough to draw from.
        target_every: updates between two copies of the weights to the target network.
        averaging: share by which each update moves the averaged weights, which the pilot gets,
            towards the current ones; 1 takes the current ones, and so does `dqn`.
        skip_forced: whether positions are skipped in which ending the turn is the only legal
            action.
        past_selves: number of earlier states of the learner that are kept as opponents.
        snapshot_every: steps until the weights replace the oldest of them.
        precision: precision of matrix products in training; weights and pilots are always
            `float32`. `auto` takes half precision where the processor has instructions for it,
            which makes an update 1.5 times as fast.
        device: device on which torch computes.
        together: how learners go on in turn after each has learned alone; `true` for the defaults,
            by default they do not.
        variants: cards with other numbers that are met in training; `true` for the defaults, by
            default there are none.
        evaluate_every: steps between two evaluations.
        evaluate_games: number of games of one evaluation, for each lineup.
    """

    variant: Variant = "improved"
    # Defaults were tried on the hardest pairing of `thesis_dqn` (docs/log.md); those without a
    # note were chosen by hand.
    steps: int = Field(default=8_000_000, ge=1, le=10**11)
    n_environments: int = Field(default=256, ge=1, le=65_536)
    steps_per_update: int = Field(default=256, ge=1, le=10**6)
    batch: int = Field(default=512, ge=1, le=65_536)
    hidden: int = Field(default=256, ge=2, le=8192, multiple_of=2)
    learning_rate: float = Field(default=1e-3, gt=0, le=1)  # 2e-3 learned no faster
    final_learning_rate: float = Field(default=0.1, ge=0, le=1)
    n_step: int = Field(default=1, ge=1, le=1000)  # 28.1 % wins; 2 steps 25.6 %, 3 steps 24.4 %
    gamma: float = Field(default=0.995, gt=0, le=1)  # 0.98 won 0.9 points less
    epsilon_start: float = Field(default=1.0, ge=0, le=1)
    epsilon_end: float = Field(default=0.03, ge=0, le=1)
    epsilon_steps: int = Field(default_factory=_default_epsilon_steps, ge=1, le=10**11)
    replay: int = Field(default=600_000, ge=2, le=10**9)
    warm_up: int = Field(default_factory=_default_warm_up, ge=1, le=10**9)
    target_every: int = Field(default=200, ge=1, le=10**9)  # 500 learned much more slowly at first
    averaging: float = Field(default=0.001, gt=0, le=1)  # 5 points above the current weights
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
            InputError: names the setting and its limit.
        """
        # Every environment keeps its own share of the memory, and a transition needs all the
        # entries up to the one where its target begins.
        needed = self.n_environments * (self.n_step + 1)
        at_least = f"at least {needed}: n_environments = {self.n_environments} times (n_step + 1)"
        if self.variant == "dqn" and self.n_step != 1:
            raise _limit_error("n_step", self.n_step, 1, '1 for variant = "dqn"')
        if self.epsilon_end > self.epsilon_start:
            limit = f"at most epsilon_start = {self.epsilon_start}"
            raise _limit_error("epsilon_end", self.epsilon_end, self.epsilon_start, limit)
        if self.replay < needed:
            raise _limit_error("replay", self.replay, needed, at_least)
        if self.warm_up < needed:
            raise _limit_error("warm_up", self.warm_up, needed, at_least)
        if self.warm_up >= self.steps:
            limit = f"less than steps = {self.steps}, or nothing is learned"
            raise _limit_error("warm_up", self.warm_up, self.steps, limit)
        return self

    @property
    def is_improved(self) -> bool:
        """Whether the variant is more than plain DQN."""
        return self.variant == "improved"

    def with_variant(self, variant: Variant) -> TrainSettings:
        """Return the same settings for another variant; plain DQN sums one reward."""
        n_step = self.n_step if variant == "improved" else 1
        return self.model_copy(update={"variant": variant, "n_step": n_step})

    def epsilon(self, n_steps: int) -> float:
        """Return the share of random actions after `n_steps`."""
        done = min(n_steps / self.epsilon_steps, 1.0)
        return self.epsilon_start + done * (self.epsilon_end - self.epsilon_start)

    def learning_rate_after(self, n_steps: int) -> float:
        """Return Adam's step size after `n_steps`."""
        done = min(n_steps / self.steps, 1.0)
        return self.learning_rate * (1 + done * (self.final_learning_rate - 1))


def _limit_error(key: str, value: float, limit: float, words: str) -> InputError:
    """Return the error for a setting that must be, in `words`, within its limit."""
    problem = f"{value} must be {words}"
    return InputError(problem, place=key, value=value, limit=limit, separator=" = ")
