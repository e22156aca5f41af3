"""Construction of the search space of a card contest from the settings of `[tune]`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from balance.cards.card_contest import CardContest
from balance.cards.card_tags import TAG_MARK as TAG
from balance.cards.card_tags import CardTags
from balance.cards.known_names import known_tune
from balance.space.design_rules import BETTER, rules_of_sense
from balance.space.search_space import CardChange, SearchSpace, Sums, checked_range
from balance.space.tune import ALL, Tune, Way, signs_by_way
from balance.statistics.intervals import Floats
from sim import Card, InputError, Ruleset
from sim.play.table import OF_RULES, Gene
from sim.ruleset import NUMBER_MAX

# Decimal digits of the line of stats by cost. Hundredths of a point are finer than any edit.
_CURVE_DIGITS = 2


def build_space(contest: CardContest, tune: Tune) -> SearchSpace:
    """Return the search space of all numbers that an experiment permits to change.

    A card's own `tunable` ranges override the fields, steps and ranges of the experiment, and the
    design rules that restrict single numbers. Directions and the ruleset's limits apply to every
    card.

    Args:
        contest: contest with the cards, the rules and the players' decks.
        tune: settings of `[tune]`.

    Raises:
        InputError: `tune` names an unknown deck, card or tag; a range of a rule is invalid; or no
            number may move.

    Example:
        >>> from balance import Tune, load_contest
        >>> contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
        >>> build_space(contest, Tune(fields=("cost",), lock=("ember_whelp",)))
        SearchSpace(numbers=29, cards=29)
    """
    pool = contest.table.pool
    ruleset = contest.table.ruleset
    decks = dict[str, set[str]]()  # players' decks with the same name count as one
    for player in contest.players:
        decks.setdefault(player.deck.name, set()).update(player.deck.cards)
    tags = CardTags(pool.cards)
    tune = known_tune(tune, tags, dict.fromkeys(decks, ()))
    cards = tags.cards
    tuned_decks = decks if tune.decks is None else tune.decks
    held = set[str]().union(*(decks[name] for name in tuned_decks))
    moves = list[tuple[Gene, int, int]]()  # numbers with their lowest and highest steps
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
        raise InputError(
            "no number can change, because all cards are locked or all ranges have width 0",
            place="tune",
            remedy="unlock a card, or widen a range",
        )
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
    card: Card, field: str, directions: Mapping[str, Way], decks: Mapping[str, Collection[str]]
) -> tuple[int, ...]:
    """Return the signs of the steps that a number of a card may take: -1 for down, 1 for up.

    The most specific settings decide, in the order card, tags, decks with the card, field, `all`.
    Settings of equal rank must all permit a direction. `buffs` and `nerfs` are ignored for amounts,
    since the direction that improves an amount is unknown.

    Args:
        card: card with the number.
        field: field of the number.
        directions: settings of `tune.direction`, by card id, `tag:TAG`, deck, field, and `all`.
        decks: ids of the cards in each deck, by the deck's name.

    Returns:
        Signs; both if no setting names the number. No sign if settings of equal rank contradict
        each other, or if all settings that name the number are ignored.
    """
    ranks = (
        (card.id,),
        tuple(TAG + tag for tag in card.tags),
        tuple(name for name, cards in decks.items() if card.id in cards),
        (field.partition("_")[0],),
        (ALL,),
    )
    ways_by_rank = [[directions[name] for name in rank if name in directions] for rank in ranks]
    signs = signs_by_way(BETTER.get(field, 0))
    for rank in ways_by_rank:
        if applicable := [signs[word] for word in rank if word in signs]:
            return tuple(sign for sign in (-1, 1) if all(sign in way for way in applicable))
    return () if any(ways_by_rank) else (-1, 1)


def weights_of(genes: Sequence[Gene], tune: Tune, cards: Sequence[Card]) -> Floats:
    """Return the weight of one step of each number in the change of a patch, shape ``[K]``.

    Args:
        genes: numbers of the search space, ``[K]``.
        tune: settings of `[tune]`, with the weights by field and tag.
        cards: cards of the pool, by position.
    """
    return np.array(
        [
            tune.weights.of(field, () if owner == OF_RULES else cards[owner].tags)
            for owner, field in genes
        ]
    )


def _checked_range(ruleset: Ruleset, field: str, lowest: int, highest: int) -> int:
    """Return the baseline value of a number of the rules after checking its range.

    Args:
        ruleset: ruleset with the number.
        field: field of the number.
        lowest: lowest permitted value.
        highest: highest permitted value.

    Raises:
        InputError: the range does not contain the baseline value, or contains values that the
            ruleset cannot have; a coin may only be removed.
    """
    present = checked_range(ruleset, field, lowest, highest)
    if field == "coin" and not (present == 1 and lowest >= 0 and highest <= 1):
        has_coin = present == 1
        raise InputError(
            f"{[lowest, highest]} must be [0, 1]"
            if has_coin
            else f"{[lowest, highest]} has no effect, because the ruleset has no coin",
            place=f"tune.rules.{field}",
            value=[lowest, highest],
            limit=[0, 1],
            remedy="" if has_coin else "leave it out",
            separator=" = ",
        )
    return present


def _ranges(card: Card, tune: Tune, ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    """Return the lowest and the highest permitted value of each tunable number of a card, by field.

    Limits of the card type and of the ruleset narrow every range.
    """
    ranges = {}
    for field in card.fields:
        present = card.number(field)
        kind = field.partition("_")[0]
        if card.tunable is not None:
            if field not in card.tunable:
                continue
            lowest, highest = card.tunable[field]
        elif kind in tune.fields:
            # A baseline value outside the range may stay or come closer, so the range is extended
            # to include it.
            floor, ceiling = tune.ranges.get(kind, (-NUMBER_MAX, NUMBER_MAX))
            # The design rules `sense.attack` and `sense.cost` keep these numbers from falling to 0.
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
    """Return the limit on the steps of any one card; `None` if `tune.max_card_change` is not set.

    The limit also applies to cards with their own `tunable` ranges.
    """
    if tune.max_card_change is None:
        return None
    return CardChange(space.owners, np.full(len(space.genes), tune.max_card_change, np.int64))


def _sums(tune: Tune, cards: Sequence[Card], space: SearchSpace) -> Sums | None:
    """Return the bounds on weighted sums of steps that `zero_sum` and `stat_budget` set.

    A minion that exceeds its stat budget in the baseline may keep its stats, but not exceed the
    budget further.

    Returns:
        The bounds; `None` if neither setting produces a bound.
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
        points = {"attack": 1.0, "health": 1.0, "cost": -curve.per_cost}
        minions = [owner for owner in space.cards if cards[owner].kind == "minion"]
        per_step = np.array([points.get(field, 0.0) for _, field in space.genes])
        rows += [per_step * (space.owners == owner) for owner in minions]
        lows += [-inf] * len(minions)
        names += ["stat_budget"] * len(minions)
        highs += [max(tune.stat_budget - curve.above(cards[owner]), 0.0) for owner in minions]
    if not rows:
        return None
    return Sums(np.array(rows), np.array(lows), np.array(highs), tuple(names))


@dataclass(frozen=True)
class StatCurve:
    """Line of best fit of minions' attack plus health by cost in a pool.

    Attributes:
        at_no_cost: attack plus health on the line at a cost of 0 mana.
        per_cost: slope of the line: additional attack plus health for each mana of cost.
    """

    at_no_cost: float
    per_cost: float

    @classmethod
    def of(cls, cards: Iterable[Card]) -> StatCurve:
        """Return the least-squares line of all minions in `cards`, rounded to two digits.

        For ``n`` minions with costs ``x`` and stats ``y`` the slope is
        ``(n Σxy - Σx Σy) / (n Σx² - (Σx)²)``, or 0 if all costs are equal. Keywords and effects are
        ignored, so minions without them tend to lie above the line.

        Args:
            cards: cards with at least one minion; other kinds of cards are ignored.
        """
        # All sums are of whole numbers, so the result is equal on every processor.
        bodies = [(card.cost, card.attack + card.health) for card in cards if card.kind == "minion"]
        n = len(bodies)
        cost, stats = (sum(column) for column in zip(*bodies, strict=True))
        spread = n * sum(x * x for x, _ in bodies) - cost * cost
        covariation = n * sum(x * y for x, y in bodies) - cost * stats
        slope = round(covariation / spread, _CURVE_DIGITS) if spread else 0.0
        return cls(round((stats - slope * cost) / n, _CURVE_DIGITS), slope)

    def above(self, card: Card) -> float:
        """Return the attack plus health of a minion minus that of the line at its cost.

        The result is negative for a minion below the line.
        """
        on_line = self.at_no_cost + self.per_cost * card.cost
        return round(card.attack + card.health - on_line, _CURVE_DIGITS)
