"""Search spaces: all numbers that may move and their ranges, and bounds on sums of steps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agents.registry import agent_named
from balance import CardContest, Player, build_space
from balance.space.search_space import CardChange, Sums
from balance.space.tune import TUNABLE, Tune
from sim import AMOUNTS, Card, Effect, InputError
from sim.play.table import OF_RULES, Gene, pack_table
from sim.ruleset import NUMBER_MAX
from tests.balance.contests import RUSH_KEEP, body, own_contest, space_of
from tests.duels import DUEL
from tests.refusals import refusal_of
from tests.strategies import decks, pools

AGENT = agent_named("aggro")


@st.composite
def contests(draw: st.DrawFn) -> CardContest:
    """Draw one or two players with any decks of any pool that the duel allows."""
    pool = draw(pools(DUEL, max_cards=3))
    players = [
        Player(f"player {k}", draw(decks(pool, DUEL)), AGENT)
        for k in range(draw(st.integers(1, 2)))
    ]
    ruleset = DUEL.model_copy(update={"opening_hand": (1, 1)})
    return CardContest(pack_table(pool, ruleset), tuple(players))


@st.composite
def tunes(draw: st.DrawFn, contest: CardContest) -> Tune:
    """Draw settings `[tune]` about the cards and decks of a contest."""
    ids = [card.id for card in contest.table.pool.cards]
    names = [player.deck.name for player in contest.players]
    return Tune(
        fields=draw(st.lists(st.sampled_from(TUNABLE), unique=True)),
        max_steps=draw(_steps | st.dictionaries(st.sampled_from(TUNABLE), _steps)),
        decks=draw(st.none() | st.lists(st.sampled_from(names), unique=True)),
        lock=draw(st.lists(st.sampled_from(ids), unique=True, max_size=2)),
        sense={rule: draw(st.booleans()) for rule in ("attack", "cost")},
        ranges=draw(st.dictionaries(st.sampled_from(TUNABLE), _range, max_size=2)),
        direction=draw(st.just({}) | st.sampled_from(["buffs", "nerfs", "up", "down"])),
    )


_steps = st.integers(1, 6)
_range = st.tuples(st.integers(-3, 3), st.integers(0, 6)).map(lambda ends: (ends[0], sum(ends)))
_UP = {"buffs": ("attack", "health", "durability"), "nerfs": ("cost",), "up": TUNABLE, "down": ()}
_DOWN = {"buffs": ("cost",), "nerfs": ("attack", "health", "durability"), "down": TUNABLE, "up": ()}


def allowed_values(contest: CardContest, tune: Tune) -> Iterator[tuple[Gene, list[int]]]:
    """Yield every number that may move with its permitted values, found by trying all."""
    for position, card in enumerate(contest.table.pool.cards):
        is_tuned = any(
            card.id in player.deck.cards
            for player in contest.players
            if tune.decks is None or player.deck.name in tune.decks
        )
        for field in card.fields:
            present = card.number(field)
            kind = field.partition("_")[0]
            low, high = DUEL.limits.of(field)
            if field in AMOUNTS:  # its sign stays, and a random amount's upper end is not passed
                low, high = (low, -1) if present < 0 else (1, min(high, _upper_end(card, field)))
            if card.tunable is not None:
                own_low, own_high = card.tunable.get(field, (present, present))
                values = [v for v in range(low, high + 1) if own_low <= v <= own_high]
            elif field in tune.fields or (field in AMOUNTS and "amount" in tune.fields):
                values = [v for v in range(low, high + 1) if abs(v - present) <= _most(tune, kind)]
                if field in ("attack", "cost") and present and getattr(tune.sense, field):
                    values = [v for v in values if v]
                if kind in tune.ranges:
                    least, most = tune.ranges[kind]
                    values = [v for v in values if least <= v or present <= v]
                    values = [v for v in values if v <= most or v <= present]
            else:
                values = [present]
            for word in tune.direction.values():
                values = [v for v in values if v <= present or kind in _UP[word]]
                values = [v for v in values if v >= present or kind in _DOWN[word]]
            if is_tuned and card.id not in tune.lock and len(values) > 1:
                yield Gene(position, field), [v - present for v in values]


def _most(tune: Tune, kind: str) -> int:
    return tune.max_steps if isinstance(tune.max_steps, int) else tune.max_steps[kind]


def _upper_end(card: Card, field: str) -> int:
    """Return the `amount_to` of the row of one of a card's amounts."""
    row, key = card.amount_places[AMOUNTS.index(field)]
    most = card.effects[row].amount_to if key == "amount" else None
    return NUMBER_MAX if most is None else most


@pytest.mark.thorough
@settings(max_examples=60)
@given(st.data())
def test_a_space_is_what_tune_and_the_cards_allow(data: st.DataObject) -> None:
    contest = data.draw(contests())
    tune = data.draw(tunes(contest))
    allowed = dict(allowed_values(contest, tune))
    if not allowed:
        with pytest.raises(InputError) as caught:
            build_space(contest, tune)
        assert caught.value.place == "tune"
        return
    space = build_space(contest, tune)
    assert list(space.genes) == list(allowed)
    bounds = zip(space.low.tolist(), space.high.tolist(), strict=True)
    assert [*bounds] == [(min(steps), max(steps)) for steps in allowed.values()]
    n_genomes = math.prod(len(steps) for steps in allowed.values())
    assert space.log10_size == pytest.approx(math.log10(n_genomes))


CARDS = [
    body("free", 2, 3, 2),
    body("own", 2, 3, 2, tunable={"attack": (1, 5), "health": (2, 2)}),
    body("edge", 0, 5, 1),
    body("other", 3, 3, 3),
]
CONTEST = own_contest(CARDS, [{"free": 2, "own": 2, "edge": 2}, {"other": 2, "free": 1}])


@pytest.mark.parametrize(
    ("tune", "place", "value"),
    [
        ({"lock": ["fre"]}, "tune.lock", "fre"),
        ({"decks": ["c"]}, "tune.decks", "c"),
        ({"decks": ["a"], "fields": [], "lock": ["own"]}, "tune", None),
    ],
)
def test_unknown_names_and_empty_spaces_are_refused(
    tune: dict[str, list[str]], place: str, value: str | None
) -> None:
    error = refusal_of(space_of, CONTEST, **tune)
    assert (error.place, error.value) == (place, value)


SPACE = space_of(RUSH_KEEP, weights={"cost": 3.0, "attack": 0.5, "card": 1.5})
genomes = st.tuples(
    *(st.integers(*map(int, ends)) for ends in zip(SPACE.low, SPACE.high, strict=True))
)


@given(st.lists(genomes, min_size=1, max_size=4))
def test_change_cards_touched_and_size_by_hand(steps: list[tuple[int, ...]]) -> None:
    worth = {"cost": 3.0, "attack": 0.5, "health": 1.0}
    array = np.array(steps, np.int16)
    for row, touched, change, size in zip(
        steps, SPACE.cards_touched(array), SPACE.change(array), SPACE.size(array), strict=True
    ):
        moved = [(gene, step) for gene, step in zip(SPACE.genes, row, strict=True) if step]
        assert touched == len({gene.owner for gene, _ in moved})
        assert change == sum(worth[gene.field] * abs(step) for gene, step in moved)
        assert size == 1.5 * touched + change


@given(st.sets(st.sampled_from(SPACE.cards), min_size=1))
def test_a_restricted_space_is_the_part_about_its_cards(cards: set[int]) -> None:
    part = SPACE.restricted_to(cards)
    assert set(part.cards) == cards
    kept = [k for k, gene in enumerate(SPACE.genes) if gene.owner in cards]
    assert part.genes == tuple(SPACE.genes[k] for k in kept)
    for name in ("low", "high", "weights"):
        assert getattr(part, name).tolist() == getattr(SPACE, name)[kept].tolist()
    rest = SPACE.restricted_to(set(SPACE.cards) - cards)
    assert part.log10_size + rest.log10_size == pytest.approx(SPACE.log10_size)


RICH = [
    Card(
        id="bolt",
        name="Bolt",
        kind="spell",
        cost=2,
        effects=(
            Effect(on="play", do="damage", amount=3),
            Effect(on="play", do="draw"),
            Effect(on="play", do="buff", to="enemy_minions", attack=-2),
        ),
    ),
    Card(id="axe", name="Axe", kind="weapon", cost=3, attack=3, durability=2),
    body("unit", 1, 1, 1),
]
RICH_CONTEST = own_contest(RICH, [{"bolt": 2, "axe": 2}, {"unit": 2}])


def test_amounts_and_durability_move_where_they_are_asked_for() -> None:
    space = space_of(RICH_CONTEST, fields=TUNABLE, weights={"amount": 4.0})
    found = {
        (RICH[gene.owner].id, gene.field): (int(low), int(high), float(weight))
        for gene, low, high, weight in zip(
            space.genes, space.low, space.high, space.weights, strict=True
        )
    }
    assert found == {
        ("bolt", "cost"): (-2, 2, 1.0),
        ("bolt", "amount"): (-2, 2, 4.0),
        ("bolt", "amount_2"): (0, 2, 4.0),  # a draw of no card would be no draw
        ("bolt", "amount_3"): (-2, 1, 4.0),  # and a loss of attack stays one
        ("axe", "cost"): (-2, 2, 1.0),
        ("axe", "attack"): (-2, 2, 1.0),
        ("axe", "durability"): (-1, 2, 1.0),
        ("unit", "cost"): (-1, 2, 1.0),
        ("unit", "attack"): (-1, 2, 1.0),
        ("unit", "health"): (0, 2, 1.0),
    }


# --- sums: distance from the bounds, steps to restore them, and paths to permitted genomes ---

K = 4
halves = st.integers(-4, 4).map(lambda n: n / 2)
rows = st.lists(st.lists(halves, min_size=K, max_size=K).filter(any), min_size=1, max_size=2)
bounds = st.integers(0, 6).map(lambda n: n / 2)
small_genomes = st.lists(st.integers(-3, 3), min_size=K, max_size=K)


@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(-3, 3)), min_size=1), st.integers(0, 4))
def test_steps_of_a_card_are_counted_up_and_down(numbers: list[tuple[int, int]], most: int) -> None:
    owners, steps = np.array(numbers).T
    limit = CardChange(owners, np.full(len(owners), most))
    too_many = {
        card: max(0, sum(abs(step) for owner, step in numbers if owner == card) - most)
        for card in {owner for owner, _ in numbers if owner != OF_RULES}
    }
    assert limit.breaches(one(steps.tolist())).tolist() == [sum(too_many.values())]
    some = np.flatnonzero(owners <= 0)
    left = {card: n for card, n in too_many.items() if card <= 0}
    part = limit.restricted_to(some).breaches(steps[some][np.newaxis].astype(np.int16))
    assert part.tolist() == [sum(left.values())]


def test_steps_already_taken_reduce_the_limit_of_a_card() -> None:
    limit = CardChange(np.array([0, 0, 1]), np.array([3, 3, 3])).less({0: 2})
    genomes = np.array([[1, 0, 3], [1, -1, 3], [0, 2, 4]], np.int16)
    assert limit.breaches(genomes).tolist() == [0, 1, 2]


@st.composite
def sums(draw: st.DrawFn) -> Sums:
    """Draw one or two sums with weights in halves, which floats represent exactly."""
    weights = np.array(draw(rows))
    low, high = ([draw(bounds) for _ in weights] for _ in range(2))
    return Sums(weights, -np.array(low), np.array(high))


def one(genome: list[int]) -> np.ndarray:
    return np.array([genome], np.int16)


@given(sums(), small_genomes)
def test_distances_from_bounds_equal_direct_sums(some: Sums, genome: list[int]) -> None:
    totals = some.weights @ genome
    off = some.off(one(genome))[0]
    assert off.tolist() == (totals - np.clip(totals, some.low, some.high)).tolist()
    assert (some.breaches(one(genome))[0] == 0) == (not off.any())


@given(sums(), small_genomes, st.integers(0, K - 1), st.sampled_from([-1, 1]))
def test_a_step_restores_at_most_one_step(some: Sums, genome: list[int], k: int, step: int) -> None:
    before = some.breaches(one(genome))[0]
    genome[k] += step
    assert before - some.breaches(one(genome))[0] <= len(some.weights)


@given(sums(), small_genomes)
def test_there_is_a_way_to_every_genome_that_keeps_a_sum(some: Sums, genome: list[int]) -> None:
    some = Sums(some.weights[:1], some.low[:1], some.high[:1])
    assume(some.breaches(one(genome))[0] == 0)
    ends = [range(min(n, 0), max(n, 0) + 1) for n in genome]
    on_the_way = {at for at in product(*ends) if some.are_near(one([*at]))[0]}
    reached = {(0,) * K}
    found = [(0,) * K]
    while found:
        at = found.pop()
        for k, last in enumerate(genome):
            after = (*at[:k], at[k] + int(np.sign(last)), *at[k + 1 :])
            if after in on_the_way - reached:
                reached.add(after)
                found.append(after)
    assert tuple(genome) in reached


@given(sums(), small_genomes, st.sets(st.integers(0, K - 1), min_size=1))
def test_a_part_of_the_numbers_is_judged_as_if_the_others_stayed(
    some: Sums, genome: list[int], kept: set[int]
) -> None:
    places = np.array(sorted(kept))
    whole = [n if k in kept else 0 for k, n in enumerate(genome)]
    part = some.restricted_to(places)
    np.testing.assert_array_equal(part.off(one(genome)[:, places]), some.off(one(whole)))
