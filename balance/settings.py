"""What a balancing run may be told: the tables of an experiment file that the science reads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from sim.card import FIELDS
from sim.errors import unknown_word
from sim.seeds import SEED_MAX
from sim.strict_model import StrictModel

OWN = "own"
LEARNERS = "learners"
NarrowBy = Literal["power", "lever", "random", "none"]
Share = Annotated[float, Field(ge=0, le=1)]
GameCount = Annotated[int, Field(ge=4, le=100_000_000, multiple_of=2)]
"""Games per matchup, both seatings together, hence even; an interval needs two pairs."""


def _are_fields(fields: tuple[str, ...]) -> tuple[str, ...]:
    for field in fields:
        if field not in FIELDS:
            raise ValueError(unknown_word("field", field, FIELDS))
    return tuple(field for field in FIELDS if field in fields)


class Target(StrictModel):
    """Where the matchups should be.

    Attributes:
        win_rate: of the first-named player, for all matchups; or a table of
            `"a vs b" = win rate of a`, in which an unlisted matchup has 0.5.
        band_pp: how far from its target a win rate may be, in percentage points.
    """

    win_rate: Share | dict[str, Share] = 0.5
    band_pp: float = Field(default=5.0, gt=0, le=50)


class Weights(StrictModel):
    """What one step of each number counts in `change`."""

    cost: float = Field(default=1.0, gt=0, le=1000)
    attack: float = Field(default=1.0, gt=0, le=1000)
    health: float = Field(default=1.0, gt=0, le=1000)


class Tune(StrictModel):
    """What may move, unless a card says otherwise with `tunable`.

    Attributes:
        fields: numbers that may move; with none, only cards with `tunable` move.
        max_steps: how far each may move from today, up or down.
        decks: only cards in these decks (of the experiment's players); default all.
        lock: card ids that stay as they are, whatever they say themselves.
        weights: what a step costs, by field.
    """

    fields: Annotated[tuple[str, ...], AfterValidator(_are_fields)] = FIELDS
    max_steps: int = Field(default=2, ge=1, le=1000)
    decks: tuple[str, ...] | None = None
    lock: tuple[str, ...] = ()
    weights: Weights = Weights()


class Guards(StrictModel):
    """What must not get worse on the way to the target.

    Attributes:
        max_draw_rate: share of games that may be drawn.
        max_first_seat_pp: how much the first seat's advantage may grow over today's.
        median_turns: relative change of the median game length, up or down.
    """

    max_draw_rate: Share = 0.01
    max_first_seat_pp: float = Field(default=2.0, ge=0, le=100)
    median_turns: float = Field(default=0.2, ge=0, le=100)


class Games(StrictModel):
    """Games per matchup (or per card in the mirror), both seatings together."""

    matchups: GameCount = 10_000
    power: GameCount = 10_000
    lever: GameCount = 4_000
    search: GameCount = 400
    select: GameCount = 10_000
    certify: GameCount = 20_000


class Narrow(StrictModel):
    """Which cards' numbers the search may move.

    Attributes:
        by: card score: leave-one-out power, lever, a random draw, or no narrowing.
        keep: cards per deck.
        agent: pilot that measures power; `own` is each player's own, `learners` the agent that
            this experiment trains for the player's deck.
        baseline: what takes a left-out card's place when power is measured.
    """

    by: NarrowBy = "power"
    keep: int = Field(default=5, ge=1, le=1000)
    agent: str = OWN
    baseline: Literal["skip", "vanilla"] = "skip"


class Search(StrictModel):
    """How to search.

    Attributes:
        method: an optimiser's name, see `balance.optimisers`.
        start: `sparse` begins at today's cards plus a few edits and prefers undoing edits;
            `dense` begins with random numbers everywhere.
        population: candidates kept from generation to generation.
        generations: generations after the first population.
    """

    method: str = "nsga2"
    start: Literal["sparse", "dense"] = "sparse"
    population: int = Field(default=60, ge=4, le=10_000)
    generations: int = Field(default=40, ge=1, le=100_000)


class Drift(StrictModel):
    """What becomes of a patch as trained pilots get used to it.

    Attributes:
        steps: decisions for which each trained pilot goes on learning after the certificate,
            with the patched cards; 0 leaves them as they are.
        learning_rate: how fast, at the start.
        epsilon: share of random actions meanwhile.
    """

    steps: int = Field(default=0, ge=0, le=10**11)
    learning_rate: float = Field(default=3e-4, gt=0, le=1)
    epsilon: Share = 0.05


class BalanceSettings(StrictModel):
    """Everything that a balancing run is told, besides its cards and players.

    Attributes:
        seed: the run's seed; all randomness derives from it (`sim.seeds`).
        target: where the matchups should be.
        tune: what may move.
        guards: what must not get worse.
        games: how many games each stage plays.
        narrow: which cards' numbers the search may move.
        search: how to search.
        drift: what to do once a patch is certified.
    """

    seed: int = Field(ge=0, le=SEED_MAX)
    target: Target = Target()
    tune: Tune = Tune()
    guards: Guards = Guards()
    games: Games = Games()
    narrow: Narrow = Narrow()
    search: Search = Search()
    drift: Drift = Drift()
