"""Settings of a training run."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from sim.files.validation import StrictModel

Variant = Literal["improved", "dqn"]


class Together(StrictModel):
    """Rounds in which learners go on in turn, each against what the others have become.

    Agents that learned apart know only whom they met then, and go on changing once they meet each
    other. Whoever is to tell how cards stand should have come to rest first.

    Attributes:
        steps: of each learner in a round.
        rounds: at most.
        rest_pp: they are at rest once a round moves none of their matchups by more.
        games: of each matchup that tell, both seatings together.
        past: latest states of each other learner that are met, besides the player's own agent.
        latest: share of a turn's games against what the others have become last; by default they
            are met no more often than their earlier states. With 1 a round is what drift is
            measured by, and scripts and earlier states are no longer practised.
        learning_rate: of each turn at its start.
        epsilon: share of random actions meanwhile.
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
    """Cards with other numbers, of which each episode plays one, so that pilots learn from numbers.

    Attributes:
        count: of them, today's cards included.
        max_steps: how far each number moves from today at most, within what `[tune]` lets it.
        share: the numbers that move are, in each variant, a share of all from 0 to this.
    """

    count: int = Field(default=512, ge=2, le=2048)  # as in `sim.engine.episodes`
    max_steps: int = Field(default=2, ge=1, le=1000)
    share: float = Field(default=0.6, gt=0, le=1)


def _usual(model: type[StrictModel]) -> BeforeValidator:
    """Settings that a bool may stand for: `true` for the usual ones, `false` for none."""

    def read(told: Any) -> Any:
        if isinstance(told, bool):
            return model() if told else None
        return told

    return BeforeValidator(read)


def _soon(told: dict[str, int]) -> int:
    """Steps until few actions are random, where nobody says; fewer of a short training."""
    return min(300_000, max(told["steps"] // 10, 1))


def _enough(told: dict[str, int]) -> int:
    """Steps before the first update, where nobody says; fewer of a short training."""
    enough = 4 * told["n_environments"] * (told["n_step"] + 1)
    return min(20_000, max(told["steps"] // 10, enough))


class TrainSettings(StrictModel):
    """How a network learns to pilot its decks.

    Time is counted in steps: decisions of the learner in the games it learns from.

    Attributes:
        variant: `improved` adds to plain DQN a second network's opinion on the best next action,
            a dueling head, averaged weights, effects and units' numbers spelt out, and targets
            that may look further ahead; `dqn` is Mnih et al. (2015) with illegal actions masked.
        steps: length of the training.
        n_environments: games played side by side.
        steps_per_update: steps between two updates of the weights.
        batch: transitions in one update.
        hidden: neurons in each of the two hidden layers.
        learning_rate: Adam's step size at the start.
        final_learning_rate: its share that is left at the end; falls linearly.
        n_step: steps that a target looks ahead before it trusts the network; `dqn` has 1. More
            than 1 learns faster at first and less in the end (docs/log.md).
        gamma: what a reward one step later is worth.
        epsilon_start: share of random actions in the first step.
        epsilon_end: share of random actions after `epsilon_steps`.
        epsilon_steps: steps over which the share of random actions falls linearly; default
            300,000, but no more than a tenth of `steps`.
        replay: transitions remembered, over all environments.
        warm_up: steps before the first update; default 20,000, but no more than a tenth of
            `steps` where that is enough to draw from.
        target_every: updates between two copies of the weights to the target network.
        averaging: how far each update moves the averaged weights, which are what the pilot gets,
            towards the present ones; 1 takes the present ones, and so does `dqn`.
        skip_forced: whether positions whose only legal action is to end the turn are skipped.
        past_selves: earlier states of the learner that are kept as opponents.
        snapshot_every: steps until the weights replace the oldest of them.
        precision: of the multiplications in training; weights and pilots are always `float32`.
            `auto` takes half precision where the processor has instructions for it, which makes
            an update 1.5 times as fast.
        device: where torch computes.
        together: how learners go on in turn once each has learned; `true` for the usual way, by
            default they do not.
        variants: cards with other numbers that are met in training; `true` for the usual ones, by
            default there are none.
        evaluate_every: steps between two evaluations.
        evaluate_games: games of one evaluation, for each lineup.
    """

    variant: Variant = "improved"
    steps: int = Field(default=8_000_000, ge=1, le=10**11)
    n_environments: int = Field(default=256, ge=1, le=65_536)
    steps_per_update: int = Field(default=256, ge=1, le=10**6)
    batch: int = Field(default=512, ge=1, le=65_536)
    hidden: int = Field(default=256, ge=2, le=8192, multiple_of=2)
    learning_rate: float = Field(default=1e-3, gt=0, le=1)
    final_learning_rate: float = Field(default=0.1, ge=0, le=1)
    n_step: int = Field(default=1, ge=1, le=1000)
    gamma: float = Field(default=0.995, gt=0, le=1)
    epsilon_start: float = Field(default=1.0, ge=0, le=1)
    epsilon_end: float = Field(default=0.03, ge=0, le=1)
    epsilon_steps: int = Field(default_factory=_soon, ge=1, le=10**11)
    replay: int = Field(default=600_000, ge=2, le=10**9)
    warm_up: int = Field(default_factory=_enough, ge=1, le=10**9)
    target_every: int = Field(default=200, ge=1, le=10**9)
    averaging: float = Field(default=0.001, gt=0, le=1)
    skip_forced: bool = True
    past_selves: int = Field(default=0, ge=0, le=64)
    snapshot_every: int = Field(default=250_000, ge=1, le=10**11)
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    device: Literal["cpu", "cuda"] = "cpu"
    together: Annotated[Together | None, _usual(Together)] = None
    variants: Annotated[Variants | None, _usual(Variants)] = None
    evaluate_every: int = Field(default=500_000, ge=1, le=10**11)
    evaluate_games: int = Field(default=2_000, ge=2, le=10**8, multiple_of=2)

    @model_validator(mode="after")
    def _fits_together(self) -> TrainSettings:
        # Every environment keeps its own share of the memory, and a transition needs all the
        # entries up to the one where its target begins.
        needed = self.n_environments * (self.n_step + 1)
        why = f"n_environments = {self.n_environments} times (n_step + 1)"
        faults = {
            f'n_step = {self.n_step} must be 1 for variant = "dqn"': (
                self.variant == "dqn" and self.n_step != 1
            ),
            f"epsilon_end = {self.epsilon_end} must be at most "
            f"epsilon_start = {self.epsilon_start}": self.epsilon_end > self.epsilon_start,
            f"replay = {self.replay} must be at least {needed}: {why}": self.replay < needed,
            f"warm_up = {self.warm_up} must be at least {needed}: {why}": self.warm_up < needed,
            f"warm_up = {self.warm_up} must be less than steps = {self.steps}, "
            "or nothing is learned": self.warm_up >= self.steps,
        }
        for fault, is_there in faults.items():
            if is_there:
                raise ValueError(fault)
        return self

    @property
    def is_improved(self) -> bool:
        """Whether this is more than plain DQN."""
        return self.variant == "improved"

    def with_variant(self, variant: Variant) -> TrainSettings:
        """The same settings for another variant; plain DQN looks one step ahead."""
        n_step = self.n_step if variant == "improved" else 1
        return self.model_copy(update={"variant": variant, "n_step": n_step})

    def epsilon(self, n_steps: int) -> float:
        """Share of random actions after `n_steps`."""
        done = min(n_steps / self.epsilon_steps, 1.0)
        return self.epsilon_start + done * (self.epsilon_end - self.epsilon_start)

    def learning_rate_after(self, n_steps: int) -> float:
        """Adam's step size after `n_steps`."""
        done = min(n_steps / self.steps, 1.0)
        return self.learning_rate * (1 + done * (self.final_learning_rate - 1))
