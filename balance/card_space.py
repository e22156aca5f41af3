"""The search space of cards: which of their numbers an experiment lets move, and how far."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from balance.card_contest import CardContest
from balance.search_space import SearchSpace
from balance.sense import rules_of_sense
from balance.settings import Tune
from sim import Card, Ruleset
from sim.errors import InputError, did_you_mean
from sim.play.table import OF_RULES, Gene


def build_space(contest: CardContest, tune: Tune) -> SearchSpace:
    """All numbers that the experiment lets move.

    A card's own `tunable` ranges override the experiment's fields and steps, and what sense says
    of a number's range, since they are the designer's word; the ruleset's limits bind all.

    Raises:
        InputError: `tune` names an unknown deck or card, or nothing may move.
    """
    pool, ruleset = contest.table.pool, contest.table.ruleset
    known = [card.id for card in pool.cards]
    for card_id in tune.lock:
        if card_id not in known:
            raise InputError(f"tune.lock: no card {card_id!r}{did_you_mean(card_id, known)}")
    genes, low, high = [], [], []
    for card in _cards_of(contest, tune):
        if pool.cards[card].id in tune.lock:
            continue
        for field, (lowest, highest) in _ranges(pool.cards[card], tune, ruleset).items():
            present = pool.cards[card].number(field)
            if lowest < highest:
                genes.append(Gene(card, field))
                low.append(lowest - present)
                high.append(highest - present)
    for field, (lowest, highest) in tune.rules.items():
        present = _checked_range(ruleset, field, lowest, highest)
        genes.append(Gene(OF_RULES, field))
        low.append(lowest - present)
        high.append(highest - present)
    if not genes:
        raise InputError("tune: no number may move (all cards locked, or all ranges of width 0)")
    space = SearchSpace(
        tuple(genes),
        np.array(low, np.int16),
        np.array(high, np.int16),
        np.array([tune.weights.of(gene.field) for gene in genes]),
        tune.weights.card,
    )
    return replace(space, constraints=rules_of_sense(tune.sense, pool.cards, space))


def _checked_range(ruleset: Ruleset, field: str, lowest: int, highest: int) -> int:
    """Today's value of a number of the rules, which may move from the lowest to the highest."""
    present, place = ruleset.number(field), f"tune.rules.{field} = {[lowest, highest]}"
    if not lowest <= present <= highest:
        raise InputError(f"{place} must contain the present value, {present}")
    if field == "coin" and present == 0:
        raise InputError(f"{place}: ruleset {ruleset.name!r} has no coin")
    try:
        for end in (lowest, highest):
            ruleset.with_numbers({field: end})
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return present


def _cards_of(contest: CardContest, tune: Tune) -> list[int]:
    """Cards of the decks to tune, in pool order."""
    names = [player.deck.name for player in contest.players]
    for name in tune.decks or ():
        if name not in names:
            raise InputError(f"tune.decks: no player has deck {name!r}{did_you_mean(name, names)}")
    wanted = names if tune.decks is None else tune.decks
    pool = contest.table.pool
    decks = [player.deck for player in contest.players if player.deck.name in wanted]
    return sorted({card for deck in decks for card in deck.slots(pool)})


def _ranges(card: Card, tune: Tune, ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    """Lowest and highest value of each number of a card that may move."""
    ranges = {}
    for field in card.fields:
        if card.tunable is not None:
            if field not in card.tunable:
                continue
            lowest, highest = card.tunable[field]
        elif field.partition("_")[0] in tune.fields:
            present = card.number(field)
            lowest, highest = present - tune.max_steps, present + tune.max_steps
            if field in ("attack", "cost") and getattr(tune.sense, field):
                lowest = max(lowest, min(present, 1))
        else:
            continue
        bounds = (card.possible(field), ruleset.limits.of(field))
        ranges[field] = (
            max(lowest, *(least for least, _ in bounds)),
            min(highest, *(most for _, most in bounds)),
        )
    return ranges
