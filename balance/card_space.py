"""The search space of cards: which of their numbers may move, how far and which way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from balance.card_contest import CardContest
from balance.card_tags import TAG_MARK as TAG
from balance.card_tags import CardTags
from balance.known_names import known_tune
from balance.search_space import CardChange, SearchSpace, Sums, checked_range
from balance.sense import BETTER, rules_of_sense
from balance.statistics.intervals import Floats
from balance.tune import ALL, Tune, Way
from sim import Card, InputError, Ruleset
from sim.play.table import OF_RULES, Gene
from sim.ruleset import NUMBER_MAX

_WAYS: dict[Way, tuple[int, ...]] = {"up": (1,), "down": (-1,), "both": (-1, 1)}
_CURVE_DIGITS = 2


def build_space(contest: CardContest, tune: Tune) -> SearchSpace:
    """All numbers that the experiment lets move.

    A card's own `tunable` ranges override the experiment's fields, steps and ranges, and what sense
    says of a number's range, since they are the designer's word; directions and the ruleset's
    limits bind all.

    Raises:
        InputError: `tune` names an unknown deck, card or tag, or nothing may move.
    """
    pool = contest.table.pool
    ruleset = contest.table.ruleset
    decks = dict[str, set[str]]()  # of one name all together
    for player in contest.players:
        decks.setdefault(player.deck.name, set()).update(player.deck.cards)
    tags = CardTags(pool.cards)
    tune = known_tune(tune, tags, dict.fromkeys(decks, ()))
    cards = tags.cards
    wanted = decks if tune.decks is None else tune.decks
    held = set[str]().union(*(decks[name] for name in wanted))
    moves = list[tuple[Gene, int, int]]()  # each with its lowest and its highest step
    for position, card in enumerate(cards):
        names = {card.id, *(TAG + tag for tag in card.tags)}
        if card.id not in held or not names.isdisjoint(tune.lock):
            continue
        for field, (lowest, highest) in _ranges(card, tune, ruleset).items():
            ways = ways_of(card, field, tune.direction, decks)
            present = card.number(field)
            ends = (lowest if -1 in ways else present, highest if 1 in ways else present)
            if ends[0] < ends[1]:
                moves.append((Gene(position, field), ends[0] - present, ends[1] - present))
    for field, (lowest, highest) in tune.rules.items():
        present = _checked_range(ruleset, field, lowest, highest)
        if lowest < highest:
            moves.append((Gene(OF_RULES, field), lowest - present, highest - present))
    if not moves:
        raise InputError("tune: no number may move (all cards locked, or all ranges of width 0)")
    genes, low, high = zip(*moves, strict=True)
    space = SearchSpace(
        genes,
        np.array(low, np.int16),
        np.array(high, np.int16),
        weights_of(genes, tune, cards),
        tune.weights.card,
        most_cards=inf if tune.max_cards is None else tune.max_cards,
        most_change=inf if tune.max_change is None else tune.max_change,
    )
    return replace(
        space,
        constraints=rules_of_sense(tune.sense, cards, space),
        sums=_sums(tune, cards, space),
        card_change=_card_change(tune, space),
    )


def ways_of(
    card: Card, field: str, told: Mapping[str, Way], decks: Mapping[str, Collection[str]]
) -> tuple[int, ...]:
    """-1 if a number of a card may fall, and 1 if it may rise.

    The most specific word decides: a card's own before those of its tags, these before those of the
    decks that hold it, then its field's, then the word for all. Of one rank all have to agree.
    Nobody can tell of an amount what betters it, so `buffs` and `nerfs` do not speak of amounts;
    one that no other word speaks of stays as it is.

    Args:
        card: whose number.
        field: which.
        told: words by card id, `tag:TAG`, deck, field, and `all`.
        decks: names of decks, with the ids of their cards.
    """
    ranks = (
        (card.id,),
        tuple(TAG + tag for tag in card.tags),
        tuple(name for name, cards in decks.items() if card.id in cards),
        (field.partition("_")[0],),
        (ALL,),
    )
    words = [[told[name] for name in rank if name in told] for rank in ranks]
    better = BETTER.get(field)
    ways = _WAYS | ({"buffs": (better,), "nerfs": (-better,)} if better else {})
    for rank in words:
        if spoken := [ways[word] for word in rank if word in ways]:
            return tuple(sign for sign in (-1, 1) if all(sign in way for way in spoken))
    return () if any(words) else (-1, 1)


def weights_of(genes: Sequence[Gene], tune: Tune, cards: Sequence[Card]) -> Floats:
    """``[K]`` what one step of each number counts in `change`."""
    return np.array(
        [
            tune.weights.of(field, () if owner == OF_RULES else cards[owner].tags)
            for owner, field in genes
        ]
    )


def _checked_range(ruleset: Ruleset, field: str, lowest: int, highest: int) -> int:
    """Today's value of a number of the rules, which may move from the lowest to the highest."""
    present = checked_range(ruleset, field, lowest, highest)
    if field == "coin" and not (present == 1 and lowest >= 0 and highest <= 1):
        place = f"tune.rules.{field} = {[lowest, highest]}"
        raise InputError(f"{place} must be [0, 1], and for rules that have a coin")
    return present


def _ranges(card: Card, tune: Tune, ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    """Lowest and highest value of each number of a card that may move."""
    ranges = {}
    for field in card.fields:
        present = card.number(field)
        kind = field.partition("_")[0]
        if card.tunable is not None:
            if field not in card.tunable:
                continue
            lowest, highest = card.tunable[field]
        elif kind in tune.fields:
            floor, ceiling = tune.ranges.get(kind, (-NUMBER_MAX, NUMBER_MAX))
            if kind in ("attack", "cost") and getattr(tune.sense, kind):
                floor = max(floor, 1)
            steps = tune.steps_of(field)
            lowest = max(present - steps, min(present, floor))
            highest = min(present + steps, max(present, ceiling))
        else:
            continue
        bounds = (card.possible(field), ruleset.limits.of(field))
        ranges[field] = (
            max(lowest, *(least for least, _ in bounds)),
            min(highest, *(most for _, most in bounds)),
        )
    return ranges


def _card_change(tune: Tune, space: SearchSpace) -> CardChange | None:
    """The most steps of any card, where they are bound; it binds cards with `tunable` too."""
    if tune.max_card_change is None:
        return None
    return CardChange(space.owners, np.full(len(space.genes), tune.max_card_change, np.int64))


def _sums(tune: Tune, cards: Sequence[Card], space: SearchSpace) -> Sums | None:
    """What buffs and nerfs come to, and bodies above the curve of the pool, where they are bound.

    A card that stands above its budget today may stay there.
    """
    rows = []
    lows = list[float]()
    highs = list[float]()
    names = list[str]()
    if tune.zero_sum is not None:
        names.append("zero_sum")
        better = np.array([BETTER.get(gene.field, 0) for gene in space.genes])
        rows = [better * space.weights]
        lows = [-tune.zero_sum]
        highs = [tune.zero_sum]
    if tune.stat_budget is not None and any(card.kind == "minion" for card in cards):
        curve = StatCurve.of(cards)
        worth = {"attack": 1.0, "health": 1.0, "cost": -curve.per_cost}
        minions = [owner for owner in space.cards if cards[owner].kind == "minion"]
        each = np.array([worth.get(field, 0.0) for _, field in space.genes])
        rows += [each * (space.owners == owner) for owner in minions]
        lows += [-inf] * len(minions)
        names += ["stat_budget"] * len(minions)
        highs += [max(tune.stat_budget - curve.above(cards[owner]), 0.0) for owner in minions]
    if not rows:
        return None
    return Sums(np.array(rows), np.array(lows), np.array(highs), tuple(names))


@dataclass(frozen=True)
class StatCurve:
    """What attack and health minions have together for what they cost: a line.

    Attributes:
        at_no_cost: of a minion that costs nothing.
        per_cost: how much more for each mana.
    """

    at_no_cost: float
    per_cost: float

    @classmethod
    def of(cls, cards: Iterable[Card]) -> StatCurve:
        """The line of least squares of all minions, rounded to what can be told.

        Whatever they have besides their bodies counts for nothing, so that plain ones stand above
        it. Sums of whole numbers: the same on every processor.
        """
        bodies = [(one.cost, one.attack + one.health) for one in cards if one.kind == "minion"]
        n = len(bodies)
        cost, stats = (sum(column) for column in zip(*bodies, strict=True))
        spread = n * sum(x * x for x, _ in bodies) - cost * cost
        together = n * sum(x * y for x, y in bodies) - cost * stats
        slope = round(together / spread, _CURVE_DIGITS) if spread else 0.0
        return cls(round((stats - slope * cost) / n, _CURVE_DIGITS), slope)

    def above(self, card: Card) -> float:
        """How far a minion stands above it, in points of attack and health; below is negative."""
        on_it = self.at_no_cost + self.per_cost * card.cost
        return round(card.attack + card.health - on_it, _CURVE_DIGITS)
