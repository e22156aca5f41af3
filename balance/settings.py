"""Settings of a balancing run: the tables of an experiment file that concern balancing."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from agents.registry import known_spelling
from balance.breeding import Breeding
from balance.contest import Contest, games_in
from balance.demands import Demands
from balance.second_opinion.settings import SecondOpinion
from balance.target import FREE, Share, Target, demands_of
from balance.tune import Tune, Weight
from sim.errors import InputError
from sim.files.validation import StrictModel, in_order_of
from sim.names import packed
from sim.ruleset import DECK_CAPACITY, N_SEATS, NUMBER_MAX
from sim.seeds import SEED_MAX

OWN = "own"
"""Word for each player's own agent."""

LEARNERS = "learners"
"""Word for the agents that an experiment trains for the players' decks."""

COPIES_MAX = 1_000_000  # copies of a card in a collection: more than anyone owns

NarrowBy = Literal["power", "lever", "random", "none"]
"""Scores by which narrowing ranks the cards."""


def _is_cost(text: str) -> str:
    """Return a card's cost without leading zeros, after checking it."""
    if not text.isdecimal() or int(text) > NUMBER_MAX:
        raise InputError(f"must be a card's cost, 0 to {NUMBER_MAX}", value=text, limit=NUMBER_MAX)
    return str(int(text))


def _is_range_of_cards(bounds: tuple[int, int]) -> tuple[int, int]:
    """Return a range of numbers of cards, after checking it."""
    low, high = bounds
    if not 0 <= low <= high <= DECK_CAPACITY:
        raise InputError(
            f"must be [fewest, most], from 0 to {DECK_CAPACITY}, in this order",
            value=bounds,
            limit=DECK_CAPACITY,
        )
    return bounds


def _agent_name(text: str) -> str:
    """Return the declared spelling of an agent's name."""
    word = {packed(word): word for word in (OWN, LEARNERS)}.get(packed(text))
    return word or known_spelling(text)


AgentName = Annotated[str, AfterValidator(_agent_name)]
"""Name of an agent for `agents.agent_named`, with its first word as declared."""

GameCount = Annotated[int, games_in(N_SEATS)]
"""Games per matchup over both seatings: even, and at least two seeds, which an interval needs."""

KeptCards = Annotated[int, Field(ge=1, le=1000)]
"""Cards per deck with numbers that may move."""

ShownCount = Annotated[int, Field(ge=1, le=1000)]
"""Number of candidates to measure and show."""

Price = Annotated[float, Field(ge=0, le=1e9)]
"""Price of a copy of a card."""
CopyCount = Annotated[int, Field(ge=0, le=COPIES_MAX)]
"""Number of copies of a card."""
Cost = Annotated[str, AfterValidator(_is_cost)]
"""Cost of a card, as the key of a table."""
CardCount = Annotated[tuple[int, int], AfterValidator(_is_range_of_cards)]
"""Range of numbers of cards."""


def _one_or_several(value: object) -> object:
    """Return a single label as a list of one."""
    return (value,) if isinstance(value, str) else value


LabelList = Annotated[tuple[str, ...], BeforeValidator(_one_or_several), Field(min_length=1)]
"""Labels of cards, as a list or a single one (`balance.card_tags`)."""

Column = str | Annotated[tuple[str, ...], Field(min_length=1)]
"""Column of a spreadsheet by its title, or some of its values as labels."""


ANY_GROWTH_PP = 50.0  # percentage points: a distance from 50 % cannot grow by more


class Guards(StrictModel):
    """Limits on side effects of a patch.

    Attributes:
        max_draw_rate: largest permitted share of drawn games.
        max_first_seat_pp: largest permitted growth of the first-turn advantage over the baseline,
            in percentage points; default 2, or 50 (no limit) if `target.first_seat` has a goal.
        median_turns: largest permitted relative change of the median game length, up or down.
    """

    max_draw_rate: Share = 0.01
    max_first_seat_pp: float = Field(default=2.0, ge=0, le=100)
    median_turns: float = Field(default=0.2, ge=0, le=100)


class Games(StrictModel):
    """Games per matchup (or per card in the mirror match), over both seatings.

    Attributes:
        total: games of all stages and matchups together, split among them (`balance.budget`);
            values set for a stage take precedence.
        matchups: games that measure the baseline.
        power: games that measure a card's power.
        lever: games that measure the sensitivity of a number, for each direction.
        design: games of the initial design of `model`, over all its random patches; default half of
            what scoring every step of every number would take.
        search: games that score a candidate in the search.
        select: games that score each of the best candidates again.
        certify: games that judge the recommended patch; guards may take four times as many, unless
            there is a total.
    """

    total: int | None = Field(default=None, ge=1, le=10**12)
    matchups: GameCount = 10_000
    power: GameCount = 10_000
    lever: GameCount = 4_000
    design: GameCount | None = None
    search: GameCount = 400
    select: GameCount = 10_000
    certify: GameCount = 20_000


class Narrow(StrictModel):
    """Restriction of the search to some cards.

    Attributes:
        by: score of the cards: leave-one-out power, sensitivity (`lever`), random, or no narrowing.
        keep: cards to keep per deck.
        agent: agent that measures power; `own` is each player's own, `learners` the agent that the
            experiment trains for the player's deck.
        baseline: what replaces a left-out card when power is measured.
    """

    by: NarrowBy = "none"
    keep: KeptCards = 5
    agent: AgentName = OWN
    baseline: Literal["skip", "vanilla"] = "skip"


Widening = Literal["games", "cards", "rounds", "steps"]
"""Relaxation that a run may make by itself."""

WIDENINGS: tuple[Widening, ...] = get_args(Widening)
"""Relaxations that a run may make by itself (`balance.escalation`), in their order."""


def _widenings(value: object) -> object:
    """Return all relaxations for `true` and none for `false`."""
    return (WIDENINGS if value else ()) if isinstance(value, bool) else value


class Search(Breeding):
    """Settings of the search; those of breeding are in `Breeding`.

    Attributes:
        method: `model` (`balance.model`), or the name of an optimiser (`balance.optimisers`); an
            optimiser uses all settings below except `rounds`.
        start: `sparse` begins with the baseline plus a few edits and prefers undoing edits; `dense`
            begins with random numbers everywhere.
        population: candidates kept from generation to generation.
        generations: number of generations after the initial population.
        rounds: most rounds of `model`; doubled if no candidate is likely to suffice by then.
        objective: what an optimiser minimises; published searches minimise imbalance alone.
        assist: whether a model of the edits' effects proposes and screens an optimiser's candidates
            (`balance.model.assistant`).
        candidates: most candidates that are played again at the end.
        widen: relaxations that a run makes by itself if it finds no patch to certify, unless there
            is a total; a bool stands for all or none. `steps` is not among the defaults, since it
            changes how large an edit may be.
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
    """Continued training of the learned agents after a patch (performance drift).

    Attributes:
        steps: decisions for which each trained agent continues learning after the certificate, with
            the patched cards; 0 for none.
        rounds: number of rounds, each against the other agents as they are after the last one.
        learning_rate: initial learning rate.
        epsilon: share of random actions during training.
    """

    steps: int = Field(default=0, ge=0, le=10**11)
    rounds: int = Field(default=1, ge=1, le=100)
    learning_rate: float = Field(default=3e-4, gt=0, le=1)
    epsilon: Share = 0.05


class FieldWeights(StrictModel):
    """Weights of the opponents when a deck is measured against several.

    Attributes:
        weights: weight of each player; others have weight 1, and 0 leaves a player out.
    """

    weights: dict[str, Weight] = Field(default_factory=dict)


class Substitute(StrictModel):
    """Settings of `evenhand substitute`.

    Attributes:
        deck: player with the deck that lacks cards.
        cards: missing cards, all copies of each.
        versus: opponents: `field`, all other players; `mirror`, the intact deck with the same
            agent.
        race: games of a candidate against each opponent in the first round of the racing.
        games: games against each opponent that measure a shown candidate.
        shown: candidates to measure and show, in each of the two rankings.
        only: labels (`balance.card_tags`) of which every stand-in has at least one; default all
            cards.
        within: a column of the spreadsheet, or some of its values as labels; stand-ins have values
            that the deck's cards have, or none.
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
    """Settings of `evenhand build`.

    Attributes:
        agent: agent for the new deck; an improved deck keeps its own.
        hero: hero of the new deck; default any.
        size: cards in the deck; default the most common size of its opponents' decks.
        copies: most copies of one card; default the ruleset's limit.
        limits: most copies of single cards, by card or label (`balance.card_tags`).
        curve: fewest and most cards of each cost.
        prices: price of a copy outside the collection, by card or label; default 1.
        budget: most that all copies outside the collection may cost together.
        improve: player with a deck to change, instead of building a new one.
        swaps: most cards of that deck to replace.
        population: decks kept from generation to generation.
        generations: number of generations after the initial population.
        search: games per opponent of a deck in the first racing round of a generation.
        select: games per opponent that select among the best decks.
        certify: games per opponent that measure the selected deck.
        goal: average win rate that the deck must be verified to reach; 0 for none.
        only: labels of which every card of the deck has at least one; default all cards.
        within: a column of the spreadsheet, or some of its values as labels; all cards of the deck
            have one common value, such as a faction, or none. Cards added to an improved deck have
            values that its cards have.
        quotas: fewest and most cards with each label.
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


Preset = Literal["thesis"]
PRESETS: dict[Preset, dict[str, dict[str, Any]]] = {
    "thesis": {
        "tune": {"sense": False},
        "narrow": {"by": "power", "keep": 5},
        "search": {"method": "nsga2", "widen": False},
    },
}
"""Values that each preset gives to several settings; explicit values take precedence."""


class BalanceSettings(StrictModel):
    """All settings of a balancing run, except its cards and players.

    Attributes:
        preset: name of a group of settings (`PRESETS`); it is replaced by their values.
        seed: seed of the run; all randomness derives from it (`sim.seeds`).
        target: goals of the win rates.
        tune: numbers that may move, and constraints on patches.
        guards: limits on side effects.
        games: games of each stage.
        narrow: restriction of the search to some cards.
        search: settings of the search.
        drift: continued training after a certified patch.
        second_opinion: other agents that play a found patch.
        field: weights of the opponents for `substitute` and `build`.
        collection: owned copies by card; default every card without limit.
        substitute: cards to replace.
        build: deck to build.
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
    field: FieldWeights = FieldWeights()
    collection: dict[str, CopyCount] | None = None
    substitute: Substitute = Substitute()
    build: Build = Build()

    def demands_in(self, contest: Contest) -> Demands:
        """Return the demands of the target in a contest; see `demands_of`.

        Raises:
            InputError: the target does not fit the contest.
        """
        return demands_of(contest, self.target, self.field.weights)

    @model_validator(mode="before")
    @classmethod
    def _lift_first_seat_guard(cls, data: object) -> object:
        """Lift the default guard of the first seat if the target has a goal for it."""
        if not isinstance(data, dict):
            return data
        target = data.get("target", {})
        guards = data.get("guards", {})
        # Runs before validation, so the tables may still be anything.
        has_goal = isinstance(target, dict) and target.get("first_seat", FREE) != FREE
        if not has_goal or not isinstance(guards, dict) or "max_first_seat_pp" in guards:
            return data
        return data | {"guards": {**guards, "max_first_seat_pp": ANY_GROWTH_PP}}

    @model_validator(mode="before")
    @classmethod
    def _fill_in_preset(cls, data: object) -> object:
        """Fill in the values of the preset."""
        if not isinstance(data, dict) or data.get("preset") not in [*PRESETS]:
            return data
        preset = PRESETS[data["preset"]]
        tables = {name: data.get(name, {}) for name in preset}
        return data | {
            name: preset[name] | table for name, table in tables.items() if isinstance(table, dict)
        }
