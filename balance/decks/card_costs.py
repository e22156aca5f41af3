"""Cards that are too strong or too weak for their cost, by games between random decks.

The log-odds of the first deck of a pair are regressed on the difference of copies of each card at
each cost at which the card was played (`balance.decks.deck_pairs`). The effect of a card at its
printed cost is compared with the curve of the effects over the costs (`balance.decks.cost_curve`).
A card is undercosted if it is above the curve and one mana more brings it nearer to the curve; it
is overcosted if it is below the curve and one mana less brings it nearer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.decks.cost_curve import CostCurve, fit_cost_curve
from balance.decks.deck_pairs import (
    COST_STEPS,
    CopiesAhead,
    PairDesign,
    PairState,
    copies_ahead,
)
from balance.decks.outliers import fit_effects
from balance.search.model.linear_algebra import on_grid, product
from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import (
    Counts,
    Flags,
    Floats,
    Interval,
    normal_interval,
    z_score,
)

RISK = 0.05
"""Probability that the margin of a card on the edge of being misplaced counts as shown."""

_N_STEPS = len(COST_STEPS)


@dataclass(frozen=True)
class CardCosts:
    """Effects of ``K`` cards compared with those of other cards of their cost, in log-odds.

    Attributes:
        cards: positions in the pool of the cards that the decks contained, shape [K].
        effect: log-odds that one more copy adds to a deck, less the mean of all other cards, shape
            [K].
        expected: effect that cards of the same cost usually have, shape [K].
        excess: `effect` minus `expected`, with intervals that include the noise of the curve, shape
            [K].
        direction: 1 for cards above the curve, -1 for cards below it, shape [K].
        moved: excess of the card with one mana more (`direction` 1) or one mana less, relative to
            the curve at that cost, shape [K].
        is_measured: whether `moved` was measured for the card; otherwise it follows from the usual
            change of cards of the nearest cost, shape [K].
        margin: mean of `excess` and `moved` in the direction, with its one-sided bound as `low`;
            above 0 if the move brings the card nearer to the curve, shape [K].
        n_games: number of games in which the card was in one deck more often than in the other, at
            its printed cost, shape [K].
        spread: scale of the excesses of the cards.
    """

    cards: Counts
    effect: Interval
    expected: Floats
    excess: Interval
    direction: Counts
    moved: Floats
    is_measured: Flags
    margin: Interval
    n_games: Counts
    spread: float

    @property
    def verdict(self) -> Counts:
        """1 for undercosted cards, -1 for overcosted cards, 0 for others, shape [K].

        The other cost has to be shown to bring the card nearer to the curve, and the excess has to
        be larger than `spread`.
        """
        is_far = np.abs(self.excess.estimate) > self.spread
        return np.where((self.margin.low > 0) & is_far, self.direction, 0)


@dataclass(frozen=True)
class _Fit:
    """Estimates at each cost step of ``K`` cards, less the mean at the printed costs.

    Attributes:
        effect: effects in log-odds; 0 if the card was not played at that step, shape [3, K].
        root: contribution of each independent error to each effect, shape [E, 3, K].
        is_played: whether the card was played at each step, shape [3, K].
    """

    effect: Floats
    root: Floats
    is_played: Flags

    def variance(self, first: Counts, second: Counts) -> Floats:
        """Return the variances of the means of the effects at two steps of each card, shape [K]."""
        every = np.arange(self.effect.shape[1])
        halves = (self.root[:, first, every] + self.root[:, second, every]) / 2
        return ordered_sum(halves * halves, axis=0)


def judge_card_costs(design: PairDesign, state: PairState) -> CardCosts:
    """Return which cards are too strong or too weak for their cost.

    Args:
        design: plan of the games.
        state: state of the games after the last round.
    """
    ahead = copies_ahead(design)
    cards = np.flatnonzero(ahead[:, 0].any(axis=0))
    return card_costs_of(
        ahead[:, :, cards],
        cards=cards,
        costs=design.space.costs[cards],
        rates=state.points / design.n_games,
        n_games=design.n_games,
    )


def card_costs_of(
    ahead: CopiesAhead, *, cards: Counts, costs: Counts, rates: Floats, n_games: int
) -> CardCosts:
    """Return which cards are too strong or too weak for their cost, see `judge_card_costs`.

    Args:
        ahead: difference of copies of each card between the decks of each pair, at each of
            `COST_STEPS`, shape [n, 3, K].
        cards: positions in the pool of the ``K`` cards.
        costs: printed costs of the cards, shape [K].
        rates: win rate of the first deck of each pair, shape [n].
        n_games: number of games of each pair.
    """
    fit = _fit(ahead, rates, n_games)
    printed = np.zeros(len(cards), dtype=np.int64)
    noise = fit.variance(printed, printed)
    curve = fit_cost_curve(fit.effect[0], noise, costs)
    excess = fit.effect[0] - curve.at(costs)
    direction = np.where(excess > 0, 1, -1)
    moved, is_measured = _moved(fit, curve, costs, direction)
    step = np.where(is_measured, np.where(direction > 0, 1, 2), 0)
    other = np.where(is_measured, costs + direction, costs)
    variance = fit.variance(printed, step) + curve.variance(costs, other)
    margin = direction * (excess + moved) / 2
    reach = z_score(1 - 2 * RISK) * np.sqrt(variance)
    return CardCosts(
        cards=cards,
        effect=normal_interval(fit.effect[0], noise),
        expected=curve.at(costs),
        excess=normal_interval(excess, noise + curve.variance(costs, costs)),
        direction=direction,
        moved=moved,
        is_measured=is_measured,
        margin=Interval(margin, margin - reach, margin + reach),
        n_games=n_games * np.count_nonzero(ahead[:, 0], axis=0),
        spread=curve.spread,
    )


def _fit(ahead: CopiesAhead, rates: Floats, n_games: int) -> _Fit:
    """Return the effects of the cards at each cost step, less their mean at the printed costs."""
    n_cards = ahead.shape[2]
    regressors = ahead.reshape(len(ahead), _N_STEPS * n_cards)
    played = np.flatnonzero(regressors.any(axis=0))
    mean, root = fit_effects(
        regressors[:, played].astype(float), rates, np.full(len(rates), float(n_games))
    )
    # Contrasts with the mean of the printed costs, times the number of cards: whole numbers, so
    # that their products are exact.
    is_printed = (played < n_cards).astype(np.float64)
    contrasts = n_cards * np.eye(len(played)) - is_printed
    # As in `effects_of_copies`: less the mean of all other cards.
    scale = max(n_cards - 1, 1)
    effect = np.zeros(_N_STEPS * n_cards)
    effect[played] = product(contrasts, on_grid(mean)) / scale
    errors = np.zeros((len(root), _N_STEPS * n_cards))
    errors[:, played] = product(root, contrasts.T) / scale
    is_played = np.isin(np.arange(_N_STEPS * n_cards), played)
    shape = (_N_STEPS, n_cards)
    return _Fit(effect.reshape(shape), errors.reshape(len(root), *shape), is_played.reshape(shape))


def _moved(fit: _Fit, curve: CostCurve, costs: Counts, direction: Counts) -> tuple[Floats, Flags]:
    """Return the excess of each card after a move by one mana, and whether it was measured.

    Args:
        fit: effects at each cost step.
        curve: usual effects by cost.
        costs: printed costs, shape [K].
        direction: direction of the move: 1 for one mana more, -1 for one mana less, shape [K].
    """
    excess = fit.effect[0] - curve.at(costs)
    moved = excess.copy()
    is_measured = np.zeros(len(costs), dtype=np.bool_)
    for row, step in enumerate(COST_STEPS[1:], 1):
        ready = fit.is_played[row] & curve.supports(costs + step)
        change = fit.effect[row] - curve.at(costs + step) - excess
        usual = step * _usual_change(step * change[ready], costs[ready], costs)
        there = direction == step
        moved[there] += np.where(ready, change, usual)[there]
        is_measured |= there & ready
    return moved, is_measured


def _usual_change(change: Floats, at: Counts, costs: Counts) -> Floats:
    """Return the usual change of cards for which it was not measured, for each of `costs`, [K].

    The rules do not permit the move of these cards, or too few cards have the new cost. Their
    change is the median of all cards, or of the cards of the nearest cost if that is larger: a card
    is then not misplaced because mana has little value at the end of the curve.

    Args:
        change: measured changes towards the curve, negative if the excess decreases, shape [R].
        at: costs of the cards that were measured, shape [R].
        costs: costs for which a change is wanted, shape [K].
    """
    if not len(at):
        return np.zeros(len(costs))
    known = np.unique(at)
    medians = np.array([float(np.median(change[at == cost])) for cost in known.tolist()])
    nearest = medians[np.abs(costs[:, np.newaxis] - known).argmin(axis=1)]
    return np.asarray(np.minimum(nearest, float(np.median(change))))
