"""Design rules: their verdicts on genomes against direct checks of the patched cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from balance.cards.card_contest import CardContest
from balance.search.evolution import repaired
from balance.space.design_rules import Direction, Dominance
from balance.space.search_space import SearchSpace, Steps
from balance.space.tune import TUNABLE
from sim import Card, Effect
from sim.play.table import Gene
from tests.balance.contests import body, own_contest, space_of

BURDENS = {"cannot_attack", "minions_only", "blunt"}
BETTER = {"cost": -1, "attack": 1, "health": 1, "durability": 1}

_rows = st.lists(
    st.builds(
        Effect, on=st.just("play"), do=st.sampled_from(["damage", "draw"]), amount=st.integers(1, 2)
    ),
    max_size=2,
)


@st.composite
def cards(draw: st.DrawFn, number: int) -> Card:
    """Draw a card with few numbers and few words, so that cards are often similar."""
    kind = draw(st.sampled_from(["minion"] * 8 + ["weapon", "weapon", "spell"]))
    body_of_kind: dict[str, Any] = {
        "minion": {
            "attack": draw(st.integers(0, 2)),
            "health": draw(st.integers(1, 2)),
            "keywords": draw(st.sampled_from([(), ("haste",), ("cannot_attack",)])),
        },
        "weapon": {"attack": draw(st.integers(0, 2)), "durability": draw(st.integers(1, 2))},
        "spell": {},
    }[kind]
    return Card(
        id=f"card_{number}",
        name=f"Card {number}",
        kind=kind,
        cost=draw(st.integers(1, 2)),
        effects=draw(st.just([]) | _rows),
        tribe=draw(st.sampled_from(["", "", "", "", "beast"])),
        overload=draw(st.sampled_from([0, 0, 0, 0, 1])),
        **body_of_kind,
    )


@st.composite
def contests(draw: st.DrawFn) -> CardContest:
    """Draw a contest with some of the cards in one deck, others in none."""
    pool = [draw(cards(k)) for k in range(draw(st.integers(3, 7)))]
    held = draw(st.sets(st.sampled_from([card.id for card in pool]), min_size=1))
    return own_contest(pool, [dict.fromkeys(sorted(held), 1)])


@st.composite
def patches(draw: st.DrawFn) -> tuple[CardContest, SearchSpace, Steps]:
    """Draw a contest, its space with both rules, and genomes of few edits."""
    contest = draw(contests())
    ids = [card.id for card in contest.table.pool.cards]
    lock = draw(st.lists(st.sampled_from(ids), unique=True, max_size=len(ids) // 3))
    held = contest.players[0].deck.cards
    assume(any(card_id in held and card_id not in lock for card_id in ids))
    space = space_of(contest, fields=TUNABLE, lock=lock, sense={"attack": False, "cost": False})
    n_genes = len(space.genes)
    genomes = np.zeros((draw(st.integers(1, 8)), n_genes), dtype=np.int16)
    for genome in genomes:
        for k in draw(st.sets(st.integers(0, n_genes - 1), max_size=6)):
            genome[k] = draw(st.integers(int(space.low[k]), int(space.high[k])))
    return contest, space, genomes


def patched(contest: CardContest, space: SearchSpace, genome: Steps) -> list[Card]:
    """Return the cards with the edits applied."""
    result = list(contest.table.pool.cards)
    for (owner, field), step in zip(space.genes, genome.tolist(), strict=True):
        card = result[owner]
        result[owner] = card.with_numbers({field: card.number(field) + step})
    return result


def is_no_worse(one: Card, other: Card) -> bool:
    """Return whether a card has the kind and text of another and no lower number in its body."""
    numbers = [(getattr(one, f), getattr(other, f)) for f in ("attack", "health", "durability")]
    helpful = {*one.keywords} - BURDENS
    burdens = {*one.keywords} & BURDENS
    amounts = {
        row.do: [[r.amount for r in card.effects if r.do == row.do] for card in (one, other)]
        for row in other.effects
    }
    return (
        one.kind == other.kind
        and {*other.keywords} - BURDENS <= helpful
        and burdens <= {*other.keywords} & BURDENS
        and other.tribe in ("", one.tribe)
        and one.overload <= other.overload
        and all(mine[: len(its)] == its for mine, its in amounts.values())
        and all(mine >= its for mine, its in numbers)
    )


def bodies(cards: Sequence[Card]) -> list[tuple[int, ...]]:
    return [(card.attack, card.health, card.durability) for card in cards]


def plain_dominances(today: Sequence[Card], now: Sequence[Card]) -> int:
    """Return the pairs of which one becomes dominant, card by card."""
    return sum(
        now[a].cost == now[b].cost
        and is_no_worse(now[a], now[b])
        and bodies([now[a]]) != bodies([now[b]])
        and not (today[a].cost <= today[b].cost and is_no_worse(today[a], today[b]))
        for a, b in permutations(range(len(now)), 2)
    )


def plain_directions(today: Sequence[Card], now: Sequence[Card]) -> int:
    """Return the cards with a buff and a nerf."""
    result = 0
    for was, card in zip(today, now, strict=True):
        gains = {
            BETTER[field] * (getattr(card, field) - getattr(was, field)) for field in was.printed
        }
        result += max(gains) > 0 > min(gains)
    return result


@pytest.mark.thorough
@settings(max_examples=300)
@given(patches())
def test_rules_agree_with_direct_checks_of_the_patched_cards(
    patch: tuple[CardContest, SearchSpace, Steps],
):
    contest, space, genomes = patch
    today = contest.table.pool.cards
    breaches = {type(rule): rule.breaches(genomes).tolist() for rule in space.constraints}
    after = [patched(contest, space, genome) for genome in genomes]
    assert breaches == {
        Direction: [plain_directions(today, one) for one in after],
        Dominance: [plain_dominances(today, one) for one in after],
    }
    both = np.sum([*breaches.values()], axis=0)
    assert space.breaches(genomes).tolist() == both.tolist()
    for rule in space.constraints:
        named = [
            rule.dominated_pairs(genome)
            if isinstance(rule, Dominance)
            else rule.cards_changed_both_ways(genome)
            for genome in genomes
            if isinstance(rule, Dominance | Direction)
        ]
        assert [len(some) for some in named] == breaches[type(rule)]
    assert space.allows(genomes).tolist() == (both == 0).tolist()
    assert space.allows(np.zeros_like(genomes)).all()


@pytest.mark.thorough
@given(patches(), st.data())
def test_a_narrowed_space_judges_a_patch_as_the_whole_one_does(
    patch: tuple[CardContest, SearchSpace, Steps], data: st.DataObject
):
    _, space, genomes = patch
    kept = data.draw(st.sets(st.sampled_from(space.cards), min_size=1))
    mine = np.array([gene.owner in kept for gene in space.genes])
    part = space.restricted_to(kept)
    expected = space.breaches(np.where(mine, genomes, 0).astype(np.int16))
    assert part.breaches(genomes[:, mine]).tolist() == expected.tolist()


@given(patches(), st.integers(0, 2**32))
def test_repaired_genomes_are_allowed_and_lack_edits_at_most(
    patch: tuple[CardContest, SearchSpace, Steps], seed: int
):
    _, space, genomes = patch
    result = repaired(genomes, space, np.random.default_rng(seed))
    assert space.allows(result).all()
    assert ((result == genomes) | (result == 0)).all()
    allowed = space.allows(genomes)
    np.testing.assert_array_equal(result[allowed], genomes[allowed])


def test_a_repaired_genome_loses_the_one_edit_that_breaks_a_rule():
    space = space_of(PLAIN, sense={"dominance": False})
    genome = np.zeros((1, len(space.genes)), dtype=np.int16)
    for field in ("cost", "attack", "health"):  # dearer twice, but for one
        genome[0, place(space, 0, field)] = {"cost": 1, "attack": -1, "health": 1}[field]
    result = repaired(genome, space, np.random.default_rng(1))[0]
    assert result[place(space, 0, "health")] == 0
    assert np.count_nonzero(result) == 2


CARDS = [
    body("big", 2, 3, 2),
    body("small", 2, 2, 2, keywords=("haste",)),
    body("weak", 1, 0, 1),
    body("free", 0, 1, 1),
    body("said", 1, 1, 1, tunable={"cost": (0, 2), "attack": (0, 3)}),
    body("absent", 1, 2, 1),
]
PLAIN = own_contest(CARDS, [{"big": 2, "small": 2, "weak": 2, "free": 2, "said": 2}])


def place(space: SearchSpace, owner: int, field: str) -> int:
    return space.genes.index((owner, field))  # type: ignore[arg-type]


def lowest(space: SearchSpace, owner: int, field: str) -> int:
    return CARDS[owner].number(field) + int(space.low[place(space, owner, field)])


@pytest.mark.parametrize(("rule", "other"), [("attack", "cost"), ("cost", "attack")])
def test_the_last_attack_and_the_last_cost_stay_unless_a_card_says_otherwise(rule: str, other: str):
    space = space_of(PLAIN, sense={other: False})
    kept = [lowest(space, owner, rule) for owner in range(5)]
    assert kept == [1, 1, 0 if rule == "attack" else 1, 0 if rule == "cost" else 1, 0]
    assert min(lowest(space, owner, other) for owner in range(4)) == 0


def test_rules_that_are_switched_off_do_not_apply():
    def rules(sense: bool | dict[str, bool]) -> list[type]:
        return [type(rule) for rule in space_of(PLAIN, sense=sense).constraints]

    assert rules(sense=False) == []
    assert rules({"dominance": False}) == [Direction]
    assert rules({"direction": False}) == [Dominance]


@pytest.mark.parametrize(
    ("edits", "n_breaches"),
    [
        (
            {("small", "attack"): 1},
            0,
        ),  # as good as the other, and haste besides: no number is better
        ({("small", "attack"): 2}, 1),
        ({("small", "attack"): 1, ("big", "health"): -1}, 1),
        ({("big", "attack"): 1}, 0),  # a card with more text is not dominated
        ({("free", "cost"): 1, ("free", "health"): 1}, 0),  # as good for less is what it is today
        ({("weak", "attack"): 2}, 1),
        ({("weak", "attack"): 2, ("weak", "health"): 1}, 2),  # one of them a card of no deck
    ],
)
def test_dominance_by_hand(edits: dict[tuple[str, str], int], n_breaches: int):
    space = space_of(PLAIN, sense={"direction": False})
    genome = np.zeros((1, len(space.genes)), dtype=np.int16)
    numbers = {card.id: k for k, card in enumerate(CARDS)}
    for (card, field), step in edits.items():
        genome[0, place(space, numbers[card], field)] = step
    assert space.breaches(genome) == n_breaches


@pytest.mark.parametrize(
    ("mine", "its", "dominates"),
    [
        ({}, {}, True),
        ({}, {"hero": "mage"}, True),
        ({"hero": "mage"}, {"hero": "mage"}, True),
        ({"hero": "mage"}, {}, False),  # no hunter may hold it
        ({"hero": "mage"}, {"hero": "hunter"}, False),
        ({"needs": "combo"}, {}, False),
        ({}, {"needs": "combo"}, True),
        ({"overload": 1}, {}, False),
        ({}, {"overload": 1}, True),
        ({"spell_damage": 1}, {}, True),
        ({}, {"spell_damage": 1}, False),
        ({"keywords": ("haste", "taunt")}, {"keywords": ("taunt",)}, True),
        ({"keywords": ("haste",)}, {"keywords": ("taunt",)}, False),
        ({"keywords": ("cannot_attack",)}, {}, False),
        ({}, {"keywords": ("cannot_attack",)}, True),
        ({"tribe": "beast"}, {}, True),
        ({}, {"tribe": "beast"}, False),
    ],
)
def test_a_larger_body_dominates_cards_that_it_may_replace(
    mine: dict[str, Any], its: dict[str, Any], dominates: bool
):
    one = body("one", 2, 2, 2, **mine)
    other = body("other", 2, 2, 3, **its)
    gene = (Gene(0, "health"),)
    bound = np.array([2], np.int16)
    rule = Dominance.of([one, other], SearchSpace(gene, 0 * bound, bound, np.ones(1)))
    assert rule.breaches(np.array([[0], [1], [2]], np.int16)).tolist() == [0, 0, int(dominates)]
