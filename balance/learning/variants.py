"""Variants: cards with other numbers that pilots meet in training, so that they learn from numbers.

A pilot sees the numbers of the cards in its hand and on the boards. One that has met only today's
knows each card by them, and a patch is news to it; one that has met others goes by what it sees.
Only numbers that are seen may move: not what an effect deals in, and none of the rules.
"""

from __future__ import annotations

import numpy as np

from agents.dqn.provenance import NumberRange, Numbers
from agents.dqn.settings import Variants
from balance.card_contest import CardContest
from balance.card_space import build_space
from balance.tune import Tune
from sim import AMOUNTS, InputError, Pool, generator
from sim.play.table import OF_RULES, Gene, Table


def numbers_to_learn(contest: CardContest, tune: Tune, variants: Variants) -> Numbers:
    """The numbers that variants move, and how far.

    Args:
        contest: cards and players.
        tune: what may move at all.
        variants: how far.

    Raises:
        InputError: nothing that is seen may move; or see `build_space`.
    """
    space = build_space(contest, tune)
    cards = contest.table.pool.cards
    found: dict[str, dict[str, NumberRange]] = {}
    for (owner, field), low, high in zip(space.genes, space.low, space.high, strict=True):
        if owner == OF_RULES or field in AMOUNTS:
            continue
        value = cards[owner].number(field)
        found.setdefault(cards[owner].id, {})[field] = NumberRange(
            value=value,
            low=value + max(int(low), -variants.max_steps),
            high=value + min(int(high), variants.max_steps),
        )
    if not found:
        raise InputError(
            "train.variants: [tune] lets no cost, attack, health or durability move, and other "
            "numbers cannot be seen"
        )
    return found


def with_variants(
    table: Table, numbers: Numbers, variants: Variants, *, run_seed: int, purpose: str
) -> Table:
    """Today's cards as variant 0, and others that are drawn.

    Args:
        table: one variant.
        numbers: what may move, from where to where.
        variants: how many, and how far from this table.
        run_seed: the run's seed.
        purpose: names the stream that they are drawn from.
    """
    pool = table.pool
    farthest = variants.max_steps
    ranges = {
        Gene(pool.index(card), field): one
        for card, fields in numbers.items()
        for field, one in fields.items()
    }
    now = np.array([pool.cards[owner].number(field) for owner, field in ranges], np.int64)
    ends = np.array([(one.low, one.high) for one in ranges.values()], np.int64) - now[:, None]
    low = ends[:, 0].clip(-farthest, 0)
    high = ends[:, 1].clip(0, farthest)
    rng = generator(run_seed, purpose)
    shares = variants.share * rng.random((variants.count, 1))
    moves = rng.random((variants.count, len(ranges))) < shares
    steps = moves * rng.integers(low, high + 1, size=moves.shape)
    steps[0] = 0
    return table.vary(list(ranges), steps)


def numbers_now(pool: Pool, numbers: Numbers) -> dict[str, dict[str, NumberRange]]:
    """The same ranges about the values that the cards of a pool have, which belong to them."""
    found: dict[str, dict[str, NumberRange]] = {}
    for card, ranges in numbers.items():
        values = {field: pool.card(card).number(field) for field in ranges}
        found[card] = {
            field: NumberRange(
                value=values[field],
                low=min(one.low, values[field]),
                high=max(one.high, values[field]),
            )
            for field, one in ranges.items()
        }
    return found
