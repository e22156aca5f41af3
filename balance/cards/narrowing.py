"""Restriction of the search to the most influential cards, by power, sensitivity or chance.

The sensitivity of a number (file word `lever`) is the effect of changing this number alone by one
step, on each matchup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from balance.cards.card_contest import CardContest
from balance.cards.power import CardPower
from balance.contest.contest import Contest
from balance.settings.tables import KeptCards, NarrowBy
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import Interval, paired_change
from sim.arguments import Count, Seed, checked
from sim.errors import InputError, known_word
from sim.seeds import generator
from sim.short_repr import short_repr


@dataclass(frozen=True)
class Levers:
    """Sensitivities of ``M`` matchups to ``K`` numbers.

    Attributes:
        n_games: games per matchup of each variant, in which one number is moved one step.
        slope: change of the first player's win rate per step up, with the paired interval,
            ``[K, M]``; measured from one step down to one step up if both are permitted, otherwise
            from or to the baseline.
    """

    n_games: int
    slope: Interval


@checked(run_seed=Seed)
def measure_levers(
    contest: Contest,
    space: SearchSpace,
    *,
    n_games: int,
    run_seed: int,
) -> Levers:
    """Measure the sensitivity of every matchup to every number of a search space.

    Each number alone is moved one step down and one step up, on equal seeds. A step with which
    games never end is treated as not permitted.

    Args:
        contest: players and matchups.
        space: search space with the numbers.
        n_games: games per matchup and variant, a multiple of the number of seatings.
        run_seed: seed of the run; the stream of game seeds is `lever`.

    Raises:
        CardFault: games of the baseline never end.
        InputError: an argument is invalid, or no number may move.
    """
    n_games = contest.checked_games(n_games)
    n_genes = len(space.genes)
    if n_genes == 0:
        problem = "no number can change, so there is no sensitivity to measure"
        raise InputError(problem, place="space")
    down = np.where(space.low < 0, -1, 0)
    up = np.where(space.high > 0, 1, 0)
    steps = np.concatenate([np.diag(down), np.diag(up)])
    play = partial(
        contest.play,
        genes=space.genes,
        n_games=n_games,
        run_seed=run_seed,
        purpose="lever",
    )
    readings = play(steps, faults="keep")
    # A step with endless games counts as not permitted. It is replaced by a step of 0, and all
    # variants are played again on the same seeds.
    if readings.faults:
        steps[list(readings.faults)] = 0
        readings = play(steps)
    length = np.maximum(steps[n_genes:].sum(axis=1) - steps[:n_genes].sum(axis=1), 1)
    can_differ = contest.matchup_reach(space.genes)
    slopes = []
    for k in range(n_genes):  # one by one, since the rates of all numbers may take gigabytes
        gained = readings.rates_by_seed(n_genes + k) - readings.rates_by_seed(k)
        slopes.append(paired_change(gained / length[k], can_differ[k] / length[k]))
    return Levers(n_games, Interval(*map(np.stack, zip(*slopes, strict=True))))


@dataclass(frozen=True)
class Narrowing:
    """Outcome of narrowing: scores, kept cards, and the search space before and after.

    Attributes:
        by: kind of the scores: `power`, `lever`, `random`, or `none` if all cards are kept.
        scores: score by position of the card; cards with larger scores are kept first.
        intervals: signed power or sensitivity with its interval, by position of the card; empty if
            scores are not measured.
        kept: positions of the cards with numbers that may still move.
        n_games: number of games played for the scores, over all matchups.
        full: search space before narrowing.
        space: search space after narrowing.
    """

    by: str
    scores: Mapping[int, float]
    intervals: Mapping[int, Interval]
    kept: tuple[int, ...]
    n_games: int
    full: SearchSpace
    space: SearchSpace

    def __repr__(self) -> str:
        return short_repr(self, "by", "n_games", kept=len(self.kept), numbers=len(self.space.genes))

    def as_entry(self) -> dict[str, Any]:
        """Return the sizes of the search space before and after as data for `summary.json`."""
        return {
            "by": self.by,
            "genes_before": len(self.full.genes),
            "genes_after": len(self.space.genes),
            "log10_size_before": self.full.log10_size,
            "log10_size_after": self.space.log10_size,
        }


def power_intervals(powers: Sequence[CardPower]) -> dict[int, Interval]:
    """Return each card's power per copy in the deck in which its absolute value is largest.

    Returns:
        Power as a share with its interval, by position of the card.
    """
    return _strongest((power.card, power.per_copy) for power in powers)


def lever_intervals(levers: Levers, space: SearchSpace) -> dict[int, Interval]:
    """Return each card's sensitivity with the largest absolute value over numbers and matchups.

    Args:
        levers: measured sensitivities.
        space: search space with the numbers.

    Returns:
        Change of a win rate per step with its interval, by position of the card.
    """
    largest = np.argmax(np.abs(levers.slope.estimate), axis=1).tolist()
    return _strongest(
        (gene.owner, levers.slope.at(k, m))
        for k, (gene, m) in enumerate(zip(space.genes, largest, strict=True))
    )


def _strongest(measured: Iterable[tuple[int, Interval]]) -> dict[int, Interval]:
    """Return each card's estimate with the largest absolute value; the first of equal ones."""
    strongest: dict[int, Interval] = {}
    for card, interval in measured:
        if abs(interval.estimate) > abs(strongest.setdefault(card, interval).estimate):
            strongest[card] = interval
    return strongest


def scores_of(intervals: Mapping[int, Interval]) -> dict[int, float]:
    """Return the absolute value of each card's estimate, by which cards are ranked."""
    return {card: float(abs(interval.estimate)) for card, interval in intervals.items()}


def random_scores(space: SearchSpace, run_seed: int) -> dict[int, float]:
    """Return a random score from 0 to 1 for each card, as a control for measured scores."""
    numbers = generator(run_seed, "narrow").random(len(space.cards))
    return dict(zip(space.cards, numbers.tolist(), strict=True))


def no_scores(space: SearchSpace) -> dict[int, float]:
    """Return a score of NaN for each card, for a narrowing that keeps all cards."""
    return dict.fromkeys(space.cards, float("nan"))


@checked(by=NarrowBy, keep=KeptCards, n_games=Count)
def narrow(
    contest: CardContest,
    space: SearchSpace,
    scores: Mapping[int, float],
    *,
    by: str,
    keep: int,
    decks: Collection[str] | None = None,
    intervals: Mapping[int, Interval] | None = None,
    n_games: int = 0,
) -> Narrowing:
    """Restrict a search space to the cards with the highest scores in each deck.

    Only cards with numbers that may move count; ties are broken by id. With `by="none"` all cards
    of the decks are kept.

    Args:
        contest: cards and players.
        space: search space with all numbers that may move.
        scores: score by position of the card.
        by: kind of the scores.
        keep: number of cards to keep per deck.
        decks: names of the decks that are tuned; default all.
        intervals: measured estimates from which the scores are computed, for reports.
        n_games: number of games played for the scores, for reports.

    Raises:
        InputError: an argument is invalid, no player has one of the decks, or a card that may move
            has no score or, unless `by` is `none`, the score NaN.
    """
    for deck in decks or ():
        known_word("deck", deck, [player.deck.name for player in contest.players], "decks")
    pool = contest.table.pool
    kept = set[int]()
    for card in space.cards:
        if card not in scores:
            raise InputError(
                f"no score for card {pool.cards[card].id!r}, which may change", place="scores"
            )
        if by != "none" and np.isnan(scores[card]):
            place = f"scores: card {pool.cards[card].id!r}"
            raise InputError("must be a number, not NaN", place=place)
    for player in contest.players:
        if decks is None or player.deck.name in decks:
            movable = set(player.deck.slots(pool)) & set(space.cards)
            # Ties are broken by id, so that the result does not depend on the order of the cards.
            ranked = sorted(movable, key=lambda card: (-scores[card], pool.cards[card].id))
            kept.update(ranked if by == "none" else ranked[:keep])
    ordered = tuple(card for card in space.cards if card in kept)
    narrowed = space.restricted_to(ordered)
    return Narrowing(by, dict(scores), dict(intervals or {}), ordered, n_games, space, narrowed)
