"""Card variants for training: the cards with other numbers, so that pilots generalise to patches.

A pilot observes the numbers of the cards in its hand and on the boards. A pilot that met only the
baseline cards may identify cards by their numbers, and then plays badly with patched cards. A pilot
that met variants learns the meaning of the numbers. Only observed numbers vary: not the amounts of
effects, and not the numbers of the rules.
"""

from __future__ import annotations

import numpy as np

from agents.dqn.provenance import NumberRange, Numbers
from agents.dqn.settings import Variants
from balance.cards.card_contest import CardContest
from balance.cards.card_space import build_space
from balance.space.tune import Tune
from sim import AMOUNTS, InputError, Pool, generator
from sim.play.table import OF_RULES, Gene, Table


def numbers_to_learn(contest: CardContest, tune: Tune, variants: Variants) -> Numbers:
    """Return the ranges of the numbers that card variants may change.

    Args:
        contest: cards and players.
        tune: numbers that a patch may change, and their limits.
        variants: settings of the variants, of which `max_steps` limits each number.

    Raises:
        InputError: no number that pilots observe may change, or `tune` does not fit the cards.
    """
    space = build_space(contest, tune)
    cards = contest.table.pool.cards
    numbers = dict[str, dict[str, NumberRange]]()
    for (owner, field), low, high in zip(space.genes, space.low, space.high, strict=True):
        if owner == OF_RULES or field in AMOUNTS:
            continue
        value = cards[owner].number(field)
        numbers.setdefault(cards[owner].id, {})[field] = NumberRange(
            value=value,
            low=value + max(int(low), -variants.max_steps),
            high=value + min(int(high), variants.max_steps),
        )
    if not numbers:
        raise InputError(
            "pilots observe only cost, attack, health and durability, but [tune] permits no change "
            "of these numbers",
            place="train.variants",
            remedy="add one of them to [tune], or leave train.variants out",
        )
    return numbers


def with_variants(
    table: Table, numbers: Numbers, variants: Variants, *, run_seed: int, purpose: str
) -> Table:
    """Return a table with the given cards as variant 0, followed by random variants of them.

    Args:
        table: table with a single variant.
        numbers: ranges of the numbers that may change.
        variants: settings of the variants: their number, and how much they may differ from `table`.
        run_seed: seed of the run.
        purpose: name of the random stream from which the variants are drawn.
    """
    pool = table.pool
    farthest = variants.max_steps
    ranges = {
        Gene(pool.index(card), field): number_range
        for card, fields in numbers.items()
        for field, number_range in fields.items()
    }
    now = np.array([pool.cards[owner].number(field) for owner, field in ranges], np.int64)
    limits = np.array([(ends.low, ends.high) for ends in ranges.values()], np.int64)
    ends = limits - now[:, None]
    low = ends[:, 0].clip(-farthest, 0)
    high = ends[:, 1].clip(0, farthest)
    rng = generator(run_seed, purpose)
    shares = variants.share * rng.random((variants.count, 1))
    moves = rng.random((variants.count, len(ranges))) < shares
    steps = moves * rng.integers(low, high + 1, size=moves.shape)
    steps[0] = 0  # variant 0 is the baseline
    return table.vary(list(ranges), steps)


def numbers_now(pool: Pool, numbers: Numbers) -> dict[str, dict[str, NumberRange]]:
    """Return a copy of ranges with the current numbers of a pool's cards as values.

    A range that does not contain the current number is extended to it.

    Args:
        pool: card pool with the current numbers.
        numbers: ranges of numbers in an earlier training.
    """
    updated = dict[str, dict[str, NumberRange]]()
    for card, ranges in numbers.items():
        values = {field: pool.card(card).number(field) for field in ranges}
        updated[card] = {
            field: NumberRange(
                value=values[field],
                low=min(ends.low, values[field]),
                high=max(ends.high, values[field]),
            )
            for field, ends in ranges.items()
        }
    return updated
