"""Settings of a balancing run, as classes for the tables of an experiment file."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from balance.contest.contest import Contest, games_in
from balance.contest.demands import Demands
from balance.contest.target import FREE, Share, Target, demands_of
from balance.settings.agent_names import OWN, AgentName
from balance.settings.breeding import Breeding
from balance.settings.robust import Robust
from balance.settings.second_opinion import SecondOpinion
from balance.space.tune import Tune, Weight
from sim.errors import InputError
from sim.files.validation import StrictModel, in_order_of
from sim.ruleset import DECK_CAPACITY, N_SEATS, NUMBER_MAX
from sim.seeds import SEED_MAX

COPIES_MAX = 1_000_000  # maximum copies of a card in a collection: more than any player owns

NarrowBy = Literal["power", "lever", "random", "none"]
"""Kind of score by which narrowing ranks the cards; `none` keeps all cards."""


def _checked_cost(text: str) -> str:
    """Return the text of a card's cost without leading zeros.

    Raises:
        InputError: the text is not a whole number from 0 to the largest permitted number.
    """
    if not text.isdecimal() or int(text) > NUMBER_MAX:
        problem = f"must be a card's cost, from 0 to {NUMBER_MAX}"
        raise InputError(problem, value=text, limit=NUMBER_MAX)
    return str(int(text))


def _checked_card_count(bounds: tuple[int, int]) -> tuple[int, int]:
    """Return a range of numbers of cards after checking it.

    Raises:
        InputError: an end is negative or exceeds the capacity of a deck, or the ends are not in
            increasing order.
    """
    low, high = bounds
    if not 0 <= low <= high <= DECK_CAPACITY:
        raise InputError(
            f"must be [fewest, most], both from 0 to {DECK_CAPACITY}, with fewest not above most",
            value=bounds,
            limit=DECK_CAPACITY,
        )
    return bounds


GameCount = Annotated[int, games_in(N_SEATS)]
"""Number of games per matchup over both seatings: even, and at least 4.

These are two seeds, the minimum for an interval.
"""

KeptCards = Annotated[int, Field(ge=1, le=1000)]
"""Number of cards per deck that narrowing keeps."""

ShownCount = Annotated[int, Field(ge=1, le=1000)]
"""Number of candidates to measure and show."""

Price = Annotated[float, Field(ge=0, le=1e9)]
"""Price of one copy of a card, in a unit that the user chooses."""

CopyCount = Annotated[int, Field(ge=0, le=COPIES_MAX)]
"""Number of copies of a card."""

Cost = Annotated[str, AfterValidator(_checked_cost)]
"""Mana cost of a card as text, for the keys of a table."""

CardCount = Annotated[tuple[int, int], AfterValidator(_checked_card_count)]
"""Minimum and maximum number of cards."""


def _as_tuple(value: object) -> object:
    """Return a single label as a tuple with one element, and other values unchanged."""
    return (value,) if isinstance(value, str) else value


LabelList = Annotated[tuple[str, ...], BeforeValidator(_as_tuple), Field(min_length=1)]
"""Labels of cards (`balance.cards.card_tags`); a file may give a list or a single label."""

Column = str | Annotated[tuple[str, ...], Field(min_length=1)]
"""Title of a spreadsheet column, or a selection of its values as labels."""

# Largest possible growth in percentage points, since a rate is at most 50 points from 50 %.
ANY_GROWTH_PP = 50.0


class Guards(StrictModel):
    """Settings `[guards]`: limits on side effects of a patch.

    Attributes:
        max_draw_rate: maximum share of drawn games.
        max_first_seat_pp: maximum growth of the first-turn advantage over the baseline, in
            percentage points; default 2, or 50 (no limit) if `target.first_seat` has a goal.
        median_turns: maximum relative change of the median game length, up or down.
    """

    max_draw_rate: Share = 0.01
    max_first_seat_pp: float = Field(default=2.0, ge=0, le=100)
    median_turns: float = Field(default=0.2, ge=0, le=100)

    @classmethod
    def none(cls) -> Guards:
        """Return limits that permit everything, for games with unknown usual readings."""
        return cls(max_draw_rate=1.0, max_first_seat_pp=100.0, median_turns=100.0)


Stage = Literal["matchups", "power", "lever"]
"""Stage of measurement for which the command line may set the number of games."""


class Games(StrictModel):
    """Settings `[games]`: numbers of games of each stage, per matchup over both seatings.

    Attributes:
        total: number of games of all stages and matchups together, split among the stages
            (`balance.settings.budget`); numbers that are set for a stage replace its share. `None`
            for no total.
        matchups: games that measure the baseline.
        power: games per card and opponent that measure a card's power.
        lever: games that measure the sensitivity to a number, for each direction.
        design: games of the initial design of `model`, over all its random patches; `None` for half
            of the games that would score every step of every number.
        search: games that score a candidate in the search.
        select: games that score each of the best candidates again.
        certify: maximum games that judge the demands on the recommended patch; guards may take four
            times as many, if no total is set.
    """

    total: int | None = Field(default=None, ge=1, le=10**12)
    matchups: GameCount = 10_000
    power: GameCount = 10_000
    lever: GameCount = 4_000
    design: GameCount | None = None
    search: GameCount = 400
    # Four decks took 1 to 2 cards fewer than with 10,000 and 20,000 games, which leave less of the
    # band (decision 0022); a clear certificate ends early anyway.
    select: GameCount = 20_000
    certify: GameCount = 80_000


class Narrow(StrictModel):
    """Settings `[narrow]`: restriction of the search to the most influential cards.

    Attributes:
        by: kind of score: leave-one-out power, sensitivity (`lever`), random, or `none` for no
            narrowing.
        keep: number of cards to keep per deck.
        agent: name of the agent for power measurements; `own` for each player's own agent,
            `learners` for the agent that the experiment trains for the player's deck.
        baseline: replacement of a left-out card in power measurements: `skip` for a smaller deck,
            `vanilla` for a minion of the same cost without effects.
    """

    by: NarrowBy = "none"
    keep: KeptCards = 5
    agent: AgentName = OWN
    baseline: Literal["skip", "vanilla"] = "skip"


Widening = Literal["games", "cards", "rounds", "steps"]
"""Kind of relaxation that a run may make without a user's request (`balance.run.escalation`)."""

WIDENINGS: tuple[Widening, ...] = get_args(Widening)
"""All kinds of relaxations; search states and files refer to their positions."""


def _widenings(value: object) -> object:
    """Return all relaxations for `true`, none for `false`, and other values unchanged."""
    return (WIDENINGS if value else ()) if isinstance(value, bool) else value


class Search(Breeding):
    """Settings `[search]`, in addition to those of `Breeding`.

    Attributes:
        method: `model` (`balance.search.model`), or the name of an optimiser
            (`balance.search.optimisers`, `balance.search.methods`).
        start: style of an optimiser: `sparse` begins with a few edits of the baseline and often
            removes edits; `dense` begins with random values of all numbers.
        population: number of candidates that an optimiser keeps from generation to generation.
        generations: number of an optimiser's generations after the initial population.
        rounds: maximum rounds of `model`; doubled if no candidate is likely to suffice after them.
        objective: objectives that an optimiser minimises; published searches minimise the imbalance
            alone.
        assist: whether a model of the edits' effects proposes and screens an optimiser's candidates
            (`balance.search.model.assistant`).
        candidates: maximum number of candidates that are played again in the selection.
        widen: relaxations that a run makes if it finds no patch that is likely to be certified and
            no total number of games is set; in a file, true means all kinds and false none. `steps`
            is not among the defaults, since it permits larger edits.
    """

    method: str = "model"
    start: Literal["sparse", "dense"] = "sparse"
    population: int = Field(default=60, ge=4, le=10_000)
    generations: int = Field(default=40, ge=1, le=100_000)
    rounds: int = Field(default=16, ge=1, le=1_000)
    objective: Literal["imbalance and change", "imbalance"] = "imbalance and change"
    assist: bool = False
    candidates: int = Field(default=60, ge=1, le=1_000)
    widen: Annotated[
        tuple[Widening, ...], BeforeValidator(_widenings), in_order_of("word", WIDENINGS)
    ] = WIDENINGS[:3]


class Drift(StrictModel):
    """Settings `[drift]`: continued training of the learned agents with the patched cards.

    The training shows the performance drift: the change of win rates as agents adapt to a patch.

    Attributes:
        steps: number of decisions for which each trained agent continues learning after the
            certificate; 0 for no training.
        rounds: number of rounds of training; in each round all agents play against the agents of
            the previous round.
        learning_rate: initial learning rate of the optimiser.
        epsilon: share of random actions during training.
    """

    steps: int = Field(default=0, ge=0, le=10**11)
    rounds: int = Field(default=1, ge=1, le=100)
    learning_rate: float = Field(default=3e-4, gt=0, le=1)
    epsilon: Share = 0.05


class FieldWeights(StrictModel):
    """Settings `[field]`: weights of the opponents in a deck's mean win rate.

    Attributes:
        weights: weight by player name; players that are not listed have weight 1, and those with
            weight 0 are left out.
    """

    weights: dict[str, Weight] = Field(default_factory=dict)


class Substitute(StrictModel):
    """Settings `[substitute]` of the command `evenhand substitute`.

    Attributes:
        deck: name of the player with the deck that lacks cards; `None` if the command line gives
            it.
        cards: ids of the missing cards; all their copies are missing.
        versus: opponents: `field` for all other players, `mirror` for the intact deck with the same
            agent.
        race: games of a candidate against each opponent in the first round of the racing.
        games: games against each opponent that measure a shown candidate.
        shown: number of candidates to measure and show in each of the two rankings.
        only: labels (`balance.cards.card_tags`) of which every substitute has at least one; `None`
            for all cards.
        within: column of the spreadsheet, or a selection of its values as labels; each substitute
            has a value that a card of the deck has, or no value. `None` for no restriction.
    """

    deck: str | None = None
    cards: tuple[str, ...] = ()
    versus: Literal["field", "mirror"] = "field"
    race: GameCount = 1_000
    games: GameCount = 20_000
    shown: ShownCount = 8
    only: LabelList | None = None
    within: Column | None = None


class Build(StrictModel):
    """Settings `[build]` of the command `evenhand build`.

    Attributes:
        agent: name of the agent that plays the new deck; an improved deck keeps its agent.
        hero: id of the hero of the new deck; `None` for any hero.
        size: number of cards in the deck; `None` for the most common size of its opponents' decks.
        copies: maximum copies of one card; `None` for the ruleset's limit.
        limits: maximum copies of single cards, by card or label (`balance.cards.card_tags`).
        curve: minimum and maximum number of cards of each cost.
        prices: price of a copy outside the collection, by card or label; cards that are not listed
            have price 1.
        budget: maximum price of all copies outside the collection together; `None` for no limit.
        improve: name of a player with a deck to change; `None` to build a new deck.
        swaps: maximum number of cards of an improved deck to replace.
        population: number of decks kept from generation to generation.
        generations: number of generations after the initial population.
        search: games of a deck per opponent in the first racing round of a generation.
        select: games per opponent that select among the best decks.
        certify: games per opponent that measure the selected deck.
        goal: mean win rate that the deck must be verified to reach; 0 for no goal.
        only: labels of which every card of the deck has at least one; `None` for all cards.
        within: column of the spreadsheet, or a selection of its values as labels. All cards of a
            new deck have the same value, such as a faction, or no value; cards added to an improved
            deck have a value that a card of the deck has. `None` for no restriction.
        quotas: minimum and maximum number of cards with each label; `None` for no restriction.
    """

    agent: AgentName = "aggro"
    hero: str | None = None
    size: int | None = Field(default=None, ge=1, le=DECK_CAPACITY)
    copies: int | None = Field(default=None, ge=1, le=DECK_CAPACITY)
    limits: dict[str, CopyCount] = Field(default_factory=dict)
    curve: dict[Cost, CardCount] = Field(default_factory=dict)
    prices: dict[str, Price] = Field(default_factory=dict)
    budget: Price | None = None
    improve: str | None = None
    swaps: int = Field(default=3, ge=1, le=DECK_CAPACITY)
    population: int = Field(default=40, ge=4, le=10_000)
    generations: int = Field(default=120, ge=1, le=100_000)
    search: GameCount = 50
    select: GameCount = 10_000
    certify: GameCount = 20_000
    goal: Share = 0.0
    only: LabelList | None = None
    within: Column | None = None
    quotas: dict[str, CardCount] | None = None


class Outliers(StrictModel):
    """Settings `[outliers]` of the command `evenhand outliers`; its decks are those of `[build]`.

    Attributes:
        games: games for each card of the pool, over all decks and both seatings.
    """

    # In pools of 30 cards, errors of two mana are then found in 9 of 10 cases (docs/log.md).
    games: GameCount = 1_500


Preset = Literal["thesis"]
PRESETS: dict[Preset, dict[str, dict[str, Any]]] = {
    "thesis": {
        # Published searches minimise the sum of the steps, whatever the number of cards.
        "tune": {"sense": False, "weights": {"card": 0}},
        "narrow": {"by": "power", "keep": 5},
        "search": {"method": "nsga2", "widen": False},
    },
}
"""Values of settings by table, for each preset; explicit values in a file take precedence."""


class BalanceSettings(StrictModel):
    """All settings of a balancing run, except its cards and players.

    Attributes:
        preset: name of a group of settings (`PRESETS`); its values become defaults.
        seed: seed of the run, from which all random numbers derive (`sim.seeds`).
        target: goals of the win rates.
        tune: numbers that may move, and constraints on patches.
        guards: limits on side effects of a patch.
        games: number of games of each stage.
        narrow: restriction of the search to the most influential cards.
        search: method of the search, and its settings.
        drift: continued training of learned agents after a certified patch.
        second_opinion: other agents that play a found patch.
        robust: panel of pilots for a patch that holds in the hands of each of them. Only runs for a
            panel use it.
        field: weights of the opponents, for rates against all opponents together.
        collection: number of owned copies by card; `None` for all cards without limit.
        substitute: settings for replacing missing cards of a deck.
        build: settings for building or improving a deck.
        outliers: settings for finding cards with a wrong cost.

    Example:
        >>> settings = BalanceSettings(seed=1, games=Games(certify=40_000))
        >>> settings.games.certify
        40000
        >>> settings
        BalanceSettings(seed=1, method='model', band_pp=5.0)
    """

    preset: Preset | None = Field(default=None, exclude=True)
    seed: int = Field(ge=0, le=SEED_MAX)
    target: Target = Target()
    tune: Tune = Tune()
    guards: Guards = Guards()
    games: Games = Games()
    narrow: Narrow = Narrow()
    search: Search = Search()
    drift: Drift = Drift()
    second_opinion: SecondOpinion = SecondOpinion()
    robust: Robust = Robust()
    field: FieldWeights = FieldWeights()
    collection: dict[str, CopyCount] | None = None
    substitute: Substitute = Substitute()
    build: Build = Build()
    # Left out of the hash if it is the default, so that earlier runs keep their folders.
    outliers: Outliers = Field(
        default=Outliers(), exclude_if=lambda outliers: outliers == Outliers()
    )

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        return [
            ("seed", self.seed),
            ("method", self.search.method),
            ("band_pp", self.target.band_pp),
        ]

    def demands_in(self, contest: Contest) -> Demands:
        """Return the demands that follow from the target and the opponents' weights in a contest.

        Raises:
            InputError: the target or a weight does not fit the contest; see `demands_of`.
        """
        return demands_of(contest, self.target, self.field.weights)

    @model_validator(mode="before")
    @classmethod
    def _lift_first_seat_guard(cls, data: object) -> object:
        """Return raw settings without a first-seat guard if the target has a goal for that rate.

        A limit that the settings give explicitly stays.
        """
        if not isinstance(data, dict):
            return data
        target = data.get("target", {})
        guards = data.get("guards", {})
        # This runs before validation, so the values of the tables may have any type.
        has_goal = isinstance(target, dict) and target.get("first_seat", FREE) != FREE
        if not has_goal or not isinstance(guards, dict) or "max_first_seat_pp" in guards:
            return data
        return data | {"guards": {**guards, "max_first_seat_pp": ANY_GROWTH_PP}}

    @model_validator(mode="before")
    @classmethod
    def _fill_in_preset(cls, data: object) -> object:
        """Return raw settings with the values of their preset, unless given explicitly.

        Settings without a known preset are returned unchanged.
        """
        if not isinstance(data, dict) or data.get("preset") not in [*PRESETS]:
            return data
        preset = PRESETS[data["preset"]]
        tables = {name: data.get(name, {}) for name in preset}
        return data | {
            name: preset[name] | table for name, table in tables.items() if isinstance(table, dict)
        }
