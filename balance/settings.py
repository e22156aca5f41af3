"""Settings of a balancing run: the tables of an experiment file that the science reads."""

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
from sim.files.validation import StrictModel, in_order_of
from sim.names import packed
from sim.ruleset import DECK_CAPACITY, N_SEATS, NUMBER_MAX
from sim.seeds import SEED_MAX

OWN = "own"
LEARNERS = "learners"
COPIES_MAX = 1_000_000
NarrowBy = Literal["power", "lever", "random", "none"]


def _is_cost(text: str) -> str:
    if not text.isdecimal() or int(text) > NUMBER_MAX:
        raise ValueError(f"must be a card's cost, 0 to {NUMBER_MAX}")
    return str(int(text))


def _is_range_of_cards(bounds: tuple[int, int]) -> tuple[int, int]:
    low, high = bounds
    if not 0 <= low <= high <= DECK_CAPACITY:
        raise ValueError(f"must be [fewest, most], from 0 to {DECK_CAPACITY}, in this order")
    return bounds


def _agent_name(text: str) -> str:
    spelt = {packed(word): word for word in (OWN, LEARNERS)}.get(packed(text))
    return spelt or known_spelling(text)


AgentName = Annotated[str, AfterValidator(_agent_name)]
"""What `agents.agent_named` takes, with its first word as it is declared."""

GameCount = Annotated[int, games_in(N_SEATS)]
"""Games per matchup, both seatings together, hence even; an interval needs two pairs."""

KeptCards = Annotated[int, Field(ge=1, le=1000)]
"""Cards per deck whose numbers may move."""

ShownCount = Annotated[int, Field(ge=1, le=1000)]
"""Candidates that are measured and shown."""

Price = Annotated[float, Field(ge=0, le=1e9)]
CopyCount = Annotated[int, Field(ge=0, le=COPIES_MAX)]
Cost = Annotated[str, AfterValidator(_is_cost)]
CardCount = Annotated[tuple[int, int], AfterValidator(_is_range_of_cards)]


def _one_or_several(told: object) -> object:
    return (told,) if isinstance(told, str) else told


LabelList = Annotated[tuple[str, ...], BeforeValidator(_one_or_several), Field(min_length=1)]
"""Labels of cards, or one alone (`balance.card_tags`)."""

Column = str | Annotated[tuple[str, ...], Field(min_length=1)]
"""A column of a sheet by its title, or some of its values as labels."""


ANY_GROWTH_PP = 50.0  # an advantage is a distance from 50 %, so it cannot grow by more


class Guards(StrictModel):
    """What must not get worse on the way to the target.

    Attributes:
        max_draw_rate: share of games that may be drawn.
        max_first_seat_pp: how much the first seat's advantage may grow over today's; by default
            2, and 50, which it cannot exceed, where `target.first_seat` has a goal.
        median_turns: relative change of the median game length, up or down.
    """

    max_draw_rate: Share = 0.01
    max_first_seat_pp: float = Field(default=2.0, ge=0, le=100)
    median_turns: float = Field(default=0.2, ge=0, le=100)


class Games(StrictModel):
    """Games per matchup (or per card in the mirror), both seatings together.

    Attributes:
        total: of all stages and matchups together, split among them (`balance.budget`); what is
            said of a stage besides holds.
        matchups: measure today's numbers.
        power: measure a card's power.
        lever: measure what a step of a number does.
        design: of `model`, all its random patches; default half of what a score of every step of
            every number would take.
        search: score a patch in the search.
        select: score each of the best once more.
        certify: judge the recommended one; guards may take four times as many, unless there is a
            total.
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
    """Which cards' numbers the search may move.

    Attributes:
        by: card score: leave-one-out power, lever, a random draw, or no narrowing.
        keep: cards per deck.
        agent: pilot that measures power; `own` is each player's own, `learners` the agent that
            this experiment trains for the player's deck.
        baseline: what takes a left-out card's place when power is measured.
    """

    by: NarrowBy = "none"
    keep: KeptCards = 5
    agent: AgentName = OWN
    baseline: Literal["skip", "vanilla"] = "skip"


Widening = Literal["games", "cards", "rounds", "steps"]
WIDENINGS: tuple[Widening, ...] = get_args(Widening)
"""What a run may widen by itself (`balance.escalation`), in the order in which it does."""


def _which(told: object) -> object:
    """All for `true`, none for `false`."""
    return (WIDENINGS if told else ()) if isinstance(told, bool) else told


class Search(Breeding):
    """How to search; how genetic searches breed is in `Breeding`.

    Attributes:
        method: `model` (`balance.model`), or an optimiser's name, see `balance.optimisers`; those
            are told the rest but `rounds`.
        start: `sparse` begins at today's cards plus a few edits and prefers undoing edits;
            `dense` begins with random numbers everywhere.
        population: candidates kept from generation to generation.
        generations: generations after the first population.
        rounds: of `model`, the most races; twice as many if nothing is likely to do by then.
        objective: what an optimiser minimises; the published searches minimise imbalance alone.
        assist: whether a model of what edits do proposes and screens what an optimiser plays
            (`balance.model.assistant`).
        candidates: the most patches that are played once more at the end.
        widen: what a run widens by itself where it finds nothing to certify, unless there is a
            total; a bool is for all. How far a number may move is what patches are made of, so
            `steps` has to be asked for.
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
        tuple[Widening, ...], BeforeValidator(_which), in_order_of("word", WIDENINGS)
    ] = WIDENINGS[:3]


class Drift(StrictModel):
    """What becomes of a patch as trained pilots get used to it.

    Attributes:
        steps: decisions for which each trained pilot goes on learning after the certificate,
            with the patched cards; 0 leaves them as they are.
        rounds: how often, each time against what the others have become.
        learning_rate: how fast, at the start.
        epsilon: share of random actions meanwhile.
    """

    steps: int = Field(default=0, ge=0, le=10**11)
    rounds: int = Field(default=1, ge=1, le=100)
    learning_rate: float = Field(default=3e-4, gt=0, le=1)
    epsilon: Share = 0.05


class FieldWeights(StrictModel):
    """How much each opponent counts where a deck is measured against several.

    Attributes:
        weights: by player; those not named count 1, and 0 leaves one out.
    """

    weights: dict[str, Weight] = Field(default_factory=dict)


class Substitute(StrictModel):
    """What `evenhand substitute` looks for.

    Attributes:
        deck: the player whose deck lacks cards.
        cards: the missing cards, all copies of each.
        versus: `field`, all other players; `mirror`, the intact deck with the same agent.
        race: games that a candidate plays against each opponent in the race's first round.
        games: games against each opponent that measure a candidate that is shown.
        shown: candidates to measure and show, in each of the two rankings.
        only: labels (`balance.card_tags`), one of which every stand-in has; default all cards.
        within: a column of the cards' sheet, or some of its values as labels: stand-ins are of
            values that the deck's cards have, or of none.
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
    """What `evenhand build` looks for.

    Attributes:
        agent: the pilot of the deck to be built; an improved deck keeps its own.
        size: cards in the deck; default as many as most of its opponents have.
        copies: most copies of one card; default the ruleset's limit.
        limits: by card or label (`balance.card_tags`), most copies of a card that may have fewer.
        curve: by cost, the fewest and the most cards of that cost.
        prices: by card or label, what a copy outside the collection costs; those not named cost 1.
        budget: most that all copies outside the collection may cost together.
        improve: a player whose deck is changed rather than built anew.
        swaps: most cards of that deck that are replaced.
        population: decks kept from generation to generation.
        generations: generations after the first population.
        search: games per opponent that a deck plays in a generation's first round.
        select: games per opponent that choose among the best decks.
        certify: games per opponent that measure the chosen one.
        goal: the average win rate that the deck must certainly reach; 0 for none.
        only: labels, one of which every card of the deck has; default all cards.
        within: a column of the cards' sheet, or some of its values as labels: all cards of the deck
            are of one value, such as a faction, or of none. Those that are put into an improved
            deck are of values that its cards have.
        quotas: by label, the fewest and the most cards that have it.
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
"""Words for several settings at once; whatever is set besides goes before them."""


class BalanceSettings(StrictModel):
    """Everything that a balancing run is told, besides its cards and players.

    Attributes:
        preset: a word for several settings (`PRESETS`), which it leaves behind.
        seed: the run's seed; all randomness derives from it (`sim.seeds`).
        target: where the matchups should be.
        tune: what may move.
        guards: what must not get worse.
        games: how many games each stage plays.
        narrow: which cards' numbers the search may move.
        search: how to search.
        drift: what to do once a patch is certified.
        second_opinion: who else plays a found patch.
        field: how much each opponent counts for `substitute` and `build`.
        collection: copies that are owned, by card; default all of all.
        substitute: which cards are to be replaced.
        build: which deck is to be built.
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
        """What the target comes to in a contest (`demands_of`).

        Raises:
            InputError: as `demands_of`.
        """
        return demands_of(contest, self.target, self.field.weights)

    @model_validator(mode="before")
    @classmethod
    def _without_a_guard_of_what_is_demanded(cls, data: object) -> object:
        """Replace the default guard of the first seat by the target's goal, where it has one."""
        if not isinstance(data, dict):
            return data
        target = data.get("target", {})
        guards = data.get("guards", {})
        has_goal = isinstance(target, dict) and target.get("first_seat", FREE) != FREE
        if not has_goal or not isinstance(guards, dict) or "max_first_seat_pp" in guards:
            return data
        return data | {"guards": {**guards, "max_first_seat_pp": ANY_GROWTH_PP}}

    @model_validator(mode="before")
    @classmethod
    def _with_what_the_preset_says(cls, data: object) -> object:
        if not isinstance(data, dict) or data.get("preset") not in [*PRESETS]:
            return data
        preset = PRESETS[data["preset"]]
        tables = {name: data.get(name, {}) for name in preset}
        return data | {
            name: preset[name] | told for name, told in tables.items() if isinstance(told, dict)
        }
