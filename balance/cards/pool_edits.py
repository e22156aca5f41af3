"""Edits between two pools of cards and rulesets, and the patch and search space that they form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.cards.card_contest import CardContest
from balance.cards.card_space import weights_of
from balance.contest.patch import Edit, apply_patch, apply_to_rules, patch_of
from balance.contest.whatif import Edits
from balance.space.search_space import SearchSpace, Steps
from balance.space.tune import Tune
from sim.cards.pool import Pool
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULE_LABELS, Ruleset


class SizedPatch(NamedTuple):
    """Patch with its size.

    Attributes:
        edits: edits in the order of the cards, then edits of the rules.
        change: weighted sum of absolute steps, with the weights of the settings.
        cards_touched: number of edited cards.
    """

    edits: tuple[Edit, ...]
    change: float
    cards_touched: int


def sized_patch(contest: CardContest, edits: Edits, tune: Tune) -> SizedPatch:
    """Return the patch that consists of given edits, with its size.

    Args:
        contest: contest with the baseline cards and rules.
        edits: step of each number; the settings need not permit them.
        tune: settings `[tune]`, of which only the weights are used.
    """
    space, steps = space_of_edits(contest, edits, tune)
    genome = steps[np.newaxis]
    return SizedPatch(
        patch_of(steps, space, contest),
        float(space.change(genome)[0]),
        int(space.cards_touched(genome)[0]),
    )


def space_of_edits(contest: CardContest, edits: Edits, tune: Tune) -> tuple[SearchSpace, Steps]:
    """Return the smallest search space that contains given edits, and their genome.

    Args:
        contest: contest with the baseline cards and rules.
        edits: step of each number; the settings need not permit them.
        tune: settings `[tune]`, of which only the weights are used.

    Returns:
        The space of ``K`` numbers without constraints, and the steps of the edits, shape ``[K]``.
    """
    genes = sorted(edits, key=lambda gene: (gene.owner == OF_RULES, gene))
    steps = np.array([edits[gene] for gene in genes], dtype=np.int16)
    weights = weights_of(genes, tune, contest.table.pool.cards)
    low = np.minimum(steps, 0)
    high = np.maximum(steps, 0)
    return SearchSpace(tuple(genes), low, high, weights, tune.weights.card), steps


def edits_between(contest: CardContest, pool: Pool, ruleset: Ruleset) -> Edits | None:
    """Return the edits that change a contest's cards and rules into others.

    Args:
        contest: contest with the cards and rules to edit.
        pool: pool with the edited cards.
        ruleset: edited rules.

    Returns:
        Step of each number that differs. `None` if other differences than numbers affect games,
        such as different texts or ids of cards; differences of names and tags are ignored.
    """
    cards = contest.table.pool.cards
    rules = contest.table.ruleset
    others = {card.id: card for card in pool.cards}
    if [card.id for card in cards] != [*others]:
        return None
    if any(card.fields != others[card.id].fields for card in cards):
        return None
    edits = {
        Gene(owner, field): others[card.id].number(field) - card.number(field)
        for owner, card in enumerate(cards)
        for field in card.fields
    }
    for field in RULE_LABELS:
        edits[Gene(OF_RULES, field)] = ruleset.number(field) - rules.number(field)
    if rules.coin != ruleset.coin and not rules.coin:
        return None  # rules without a coin have no number that could add one
    edits = {gene: step for gene, step in edits.items() if step}
    # The edits are applied and the result is compared, which also detects differences other than
    # numbers, such as texts.
    patch = sized_patch(contest, edits, Tune()).edits
    edited = _parts_that_affect_games(
        apply_patch(contest.table.pool, patch), apply_to_rules(rules, patch)
    )
    return edits if edited == _parts_that_affect_games(pool, ruleset) else None


def _parts_that_affect_games(pool: Pool, ruleset: Ruleset) -> tuple[object, ...]:
    """Return all parts of a pool and a ruleset that affect games, for comparison with `==`."""
    cards = [card.nameless() for card in pool.everything]
    heroes = [hero.model_dump(exclude={"name"}) for hero in pool.heroes]
    return cards, heroes, pool.coin, ruleset.model_dump(exclude={"name"})
