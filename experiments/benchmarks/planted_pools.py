"""Small pools of cards with hidden steps, in which a patch is known that no built deck beats.

A pool has 14 kinds of cards of the duel, of which all decks can be played (`every_deck`). Cards are
drawn at random, made nearly equally strong, and three of the strongest decks become the field,
until no deck beats the field by much with any pilot. Then a few steps of cards are hidden, after
which a built deck beats the field. The reversal of the steps is a patch that holds against all
decks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from balance.cards.card_contest import CardContest, Player, patched
from balance.cards.card_space import build_space
from balance.contest.patch import Edit, patch_of
from balance.space.random_edits import draw_edits
from balance.space.tune import Tune
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import Floats, Positions
from experiments.benchmarks.every_deck import (
    COPIES,
    EVERY_DECK,
    FIRST_ROUND,
    StrongDeck,
    all_rates,
    best_few,
    off_pp,
    own_rates,
    pilots,
    strongest,
)
from sim import Card, Deck, Pool, generator, load_ruleset, validate
from sim.play import pack_table

COSTS = (1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4)
LEAST_SHARED = 4  # kinds that two decks of the field may share at first
MOST_SHARED = 5  # kinds that they may share if no field of less similar decks holds
# Most that any deck wins against the field of a base: a point below the limit of the yardstick.
MOST_OF_BASE = 0.54
LEAST_ATTACK = 0.57  # least that the strongest deck wins after the steps were hidden
# Largest distance of a matchup of a base from 50 %, a point less than the band of the yardstick.
_MOST_OFF_PP = 6.5
TIMES_OF_BASE = 5  # games of the race that confirms a base, in multiples of other races
_FLATTENING = 30  # steps tried to make cards equally strong
_FIELDS = 20  # fields tried for a pool; pools that need more are given up
_KNOWN_OF_A_TURN = 6  # decks that become known in a turn
_GAMES_OF_PAIRS = 400  # games of two known decks, by which the field is chosen
_DRAWS = 60  # draws of hidden steps of a base
_STATS = (1, 5)  # lowest and highest attack and health of the duel
_TEXTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"keywords": ("haste",)}, "health"),
    ({"effects": ({"on": "play", "do": "damage", "to": "enemy_player", "amount": 2},)}, "attack"),
    ({"effects": ({"on": "play", "do": "draw", "amount": 1},)}, "health"),
)
"""Texts of cards, with the number that is one lower for the text."""
_N_TEXTS = 4


@dataclass(frozen=True)
class PlantedPool:
    """Pool with hidden steps.

    Attributes:
        base: decks and cards before the steps were hidden.
        hidden: the hidden steps.
        base_attack: strongest deck against the base.
        attack: strongest deck against the cards with the hidden steps.
    """

    base: CardContest
    hidden: tuple[Edit, ...]
    base_attack: StrongDeck
    attack: StrongDeck

    @cached_property
    def contest(self) -> CardContest:
        """Decks and cards with the hidden steps, in the hands of the first pilot."""
        return patched(self.base, self.hidden)


def planted_pools(
    tune: Tune, seed: int, n_pools: int, steps: Sequence[int]
) -> Iterator[PlantedPool]:
    """Yield pools with hidden steps; draws without an attack-proof base are skipped.

    Args:
        tune: numbers that the searches may move.
        seed: seed of the pools.
        n_pools: number of pools.
        steps: numbers of hidden steps, which the pools take in turn.
    """
    number = 0
    for k in range(n_pools):
        planted = None
        while planted is None:
            number += 1
            base = _base(seed, number)
            if base is not None:
                draw = seed, number, steps[k % len(steps)]
                planted = _planted(*base, tune, draw)
        yield planted


def _base(seed: int, number: int) -> tuple[CardContest, StrongDeck] | None:
    """Return decks and cards that no deck beats by much, with the best deck; `None` without any.

    In each turn the strongest decks against the field become known, and the field becomes the three
    known decks that the strongest known deck beats least.

    Args:
        seed: seed of the pools.
        number: number of the draw.
    """
    rng = generator(seed, f"planted_pools/{number}")
    field = rng.integers(len(EVERY_DECK), size=3)
    cards = _flattened(first_cards(rng), field, rng, seed)
    known = field
    shared = LEAST_SHARED
    for turn in range(_FIELDS):
        contest = contest_of(cards, field)
        top, exact = best_few(contest, seed, f"field/{number}/{turn}")
        found = list[StrongDeck]()
        if exact.max() <= MOST_OF_BASE and off_pp(contest, seed, 10_000) <= _MOST_OFF_PP:
            for times in (1, TIMES_OF_BASE):
                race = times * FIRST_ROUND
                found.append(strongest(contest, seed, f"base/{number}/{times}", first_round=race))
                if float(found[-1].rate.high) > MOST_OF_BASE:
                    break
            else:
                return contest, found[-1]
        best = top[np.argsort(-exact, kind="stable")][:_KNOWN_OF_A_TURN]
        missed = [deck.position for deck in found]
        known = np.unique(np.concatenate([known, best, missed])).astype(np.intp)
        after = _least_beaten(contest, known, seed, shared)
        if np.array_equal(after, field):
            if shared == MOST_SHARED:
                break
            shared += 1
        field = after
    return None


def _least_beaten(contest: CardContest, known: Positions, seed: int, most_shared: int) -> Positions:
    """Return the three known decks, unlike each other, that the strongest known deck beats least.

    Args:
        contest: any decks of the pool.
        known: positions of the known decks.
        seed: seed of the games.
        most_shared: number of kinds of cards that two of the three may share.
    """
    held = np.zeros((len(known), len(COSTS)), dtype=np.int64)
    np.put_along_axis(held, EVERY_DECK[known], 1, axis=1)
    unlike = held @ held.T <= most_shared
    triples = np.array(
        [
            triple
            for triple in combinations(range(len(known)), 3)
            if all(unlike[a, b] for a, b in combinations(triple, 2))
        ]
    )
    beaten = np.zeros(len(triples))
    of_known = contest_of(contest.table.pool.cards, known)
    for agent in pilots():
        rates = own_rates(of_known, agent, seed, _GAMES_OF_PAIRS)
        against = rates[:, triples].mean(axis=-1)  # of each known deck against each triple
        beaten = np.maximum(beaten, against.max(axis=0))
    return np.asarray(known[triples[int(np.argmin(beaten))]])


def _planted(
    base: CardContest, attack: StrongDeck, tune: Tune, draw: tuple[int, int, int]
) -> PlantedPool | None:
    """Return a base with hidden steps after which it is no longer balanced; `None` without any.

    Args:
        base: decks and cards that no deck beats by much.
        attack: strongest deck against them.
        tune: numbers that the searches may move.
        draw: seed of the pools, number of the draw, and number of steps to hide.
    """
    seed, number, n_steps = draw
    space = build_space(base, tune)
    rng = generator(seed, f"planted_pools/{number}/hidden")
    for attempt in range(_DRAWS):
        hidden = patch_of(draw_edits(space, n_steps, rng), space, base)
        if len({edit.card for edit in hidden}) < n_steps or not can_go_back(base, hidden, tune):
            continue
        contest = patched(base, hidden)
        purpose = f"hidden/{number}/{attempt}"
        if best_few(contest, seed, purpose)[1].max() < LEAST_ATTACK:
            continue
        found = strongest(contest, seed, purpose)
        if float(found.rate.estimate) >= LEAST_ATTACK:
            return PlantedPool(base, hidden, attack, found)
    return None


def can_go_back(base: CardContest, hidden: Sequence[Edit], tune: Tune) -> bool:
    """Return whether the settings permit the patch that reverses the hidden steps."""
    contest = patched(base, hidden)
    space = build_space(contest, tune)
    back = {(edit.card, edit.field): edit.before - edit.after for edit in hidden}
    numbers = [contest.parameter(gene) for gene in space.genes]
    patch = np.array([back.get((n.owner, n.field), 0) for n in numbers], dtype=np.int16)
    is_whole = np.abs(patch).sum() == sum(map(abs, back.values()))
    return bool(is_whole and space.allows(patch[np.newaxis])[0])


def first_cards(rng: np.random.Generator) -> list[Card]:
    """Return random cards with about 2 * cost + 1 points of attack and health."""
    cards = list[Card]()
    has_text = {*rng.permutation(len(COSTS))[:_N_TEXTS].tolist()}
    for k, cost in enumerate(COSTS):
        points = 2 * cost + 1
        low, high = _STATS
        attack = int(np.clip(round(points * rng.uniform(0.35, 0.65)), low, high))
        numbers = {"attack": attack, "health": int(np.clip(points - attack, low, high))}
        text: dict[str, Any] = {}
        if k in has_text:
            text, price = _TEXTS[int(rng.integers(len(_TEXTS)))]
            numbers[price] = max(numbers[price] - 1, low)
        names = {"id": f"card_{k + 1}", "name": f"Card {k + 1}"}
        values = {**names, "kind": "minion", "cost": cost, **numbers, **text}
        cards.append(validate(Card, values, source=names["id"]))
    return cards


def _flattened(
    cards: list[Card], decks: Positions, rng: np.random.Generator, seed: int
) -> list[Card]:
    """Return the cards after steps that make them more equally strong.

    Each step moves a number of one of the cards with the largest effects, and is kept if it makes
    the sum of squared effects smaller with the pilot for which it is largest.
    """
    unevenness, effects = _effects(contest_of(cards, decks), seed, "flatten")
    tried = set[tuple[int, str, int]]()
    for turn in range(_FLATTENING):
        moves = [
            (k, stat, value)
            for k in np.argsort(-np.abs(effects), kind="stable")[:6].tolist()
            for stat in ("attack", "health")
            for value in [getattr(cards[k], stat) + (-1 if effects[k] > 0 else 1)]
            if _STATS[0] <= value <= _STATS[1] and (k, stat, value) not in tried
        ]
        if not moves:
            break
        move = k, stat, value = moves[int(rng.integers(min(4, len(moves))))]
        tried.add(move)
        moved = [*cards]
        moved[k] = cards[k].model_copy(update={stat: value})
        after, new_effects = _effects(contest_of(moved, decks), seed, f"flatten/{turn}")
        if after < unevenness:
            unevenness, effects, cards, tried = after, new_effects, moved, set()
    return cards


def _effects(contest: CardContest, seed: int, purpose: str) -> tuple[float, Floats]:
    """Return how unequal cards are, and the effect of each card in the mean of the pilots, [14].

    An effect is the change of a deck's win rate by two copies of the card instead of two of others.
    """
    holds = np.zeros((len(EVERY_DECK), len(COSTS)))
    holds[np.arange(len(EVERY_DECK))[:, np.newaxis], EVERY_DECK] = 1.0
    effects = list[Floats]()
    for agent in pilots():
        rates = all_rates(contest, agent, seed, purpose)
        # All cards are in equally many decks, so that means give the coefficients of a regression.
        with_card = weighted_sum(holds.T, rates) / holds.sum(axis=0)
        without = weighted_sum(1 - holds.T, rates) / (1 - holds).sum(axis=0)
        effects.append(np.asarray(with_card - without))
    return max(float((e * e).sum()) for e in effects), np.mean(effects, axis=0)


def contest_of(cards: Sequence[Card], decks: Positions) -> CardContest:
    """Return the contest of some of all decks in the hands of the first pilot."""
    pool = validate(Pool, {"name": "planted", "card": tuple(cards)}, source="pool")
    players = list[Player]()
    for k, kinds in enumerate(EVERY_DECK[decks]):
        name = f"deck_{k + 1}"
        players.append(Player(name, deck_of_kinds(kinds.tolist(), name), pilots()[0]))
    return CardContest(pack_table(pool, load_ruleset("duel")), tuple(players))


def deck_of_kinds(kinds: Sequence[int], name: str) -> Deck:
    """Return the deck with two copies of each of some kinds of cards."""
    cards = {f"card_{k + 1}": COPIES for k in kinds}
    return Deck(name=name, pool="planted", ruleset="duel", cards=cards)
