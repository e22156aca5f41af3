"""Narrowing: which cards' numbers a search may move at all, by power, by lever or by chance.

A lever is how far one step of one number, alone, moves each matchup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.card_contest import CardContest
from balance.contest import Contest
from balance.power import CardPower
from balance.search_space import SearchSpace
from balance.settings import KeptCards, NarrowBy
from balance.statistics.intervals import Interval, paired_mean
from sim.arguments import Count, Seed, Threads, checked
from sim.errors import InputError, known_word
from sim.seeds import generator


@dataclass(frozen=True)
class Levers:
    """Change of win rate per step up, for ``K`` numbers and ``M`` matchups.

    Attributes:
        n_games: games per matchup for each direction of each number.
        slope: ``[K, M]`` change of `a`'s win rate per step, from one step down to one step up
            where both are allowed, with the paired interval.
    """

    n_games: int
    slope: Interval


@checked(run_seed=Seed, threads=Threads)
def measure_levers(
    contest: Contest,
    space: SearchSpace,
    *,
    n_games: int,
    run_seed: int,
    threads: int | None = None,
) -> Levers:
    """Move every number one step up and one step down, alone, on paired seeds.

    Args:
        contest: who meets whom.
        space: the numbers.
        n_games: games per matchup and variant, even.
        run_seed: the run's seed; games are those of the purpose `lever`.
        threads: threads to use; default all cores.

    Raises:
        CardFault: the games with today's numbers never end. A step with which they do not is as if
            it were not allowed.
        InputError: an argument is none of these, or nothing may move.
    """
    n_games = contest.checked_games(n_games)
    n_genes = len(space.genes)
    if n_genes == 0:
        raise InputError("space: no number may move, so there is no lever to measure")
    down = np.where(space.low < 0, -1, 0)
    up = np.where(space.high > 0, 1, 0)
    steps = np.concatenate([np.diag(down), np.diag(up)])
    play = partial(
        contest.play,
        genes=space.genes,
        n_games=n_games,
        run_seed=run_seed,
        purpose="lever",
        threads=threads,
    )
    readings = play(steps, faults="keep")
    if readings.faults:
        steps[list(readings.faults)] = 0
        readings = play(steps)
    length = np.maximum(steps[n_genes:].sum(axis=1) - steps[:n_genes].sum(axis=1), 1)
    slopes = []
    for k in range(n_genes):  # one at a time: all at once would need gigabytes
        gained = readings.rates_by_seed(n_genes + k) - readings.rates_by_seed(k)
        slopes.append(paired_mean(gained / length[k]))
    return Levers(n_games, Interval(*map(np.stack, zip(*slopes, strict=True))))


@dataclass(frozen=True)
class Narrowing:
    """The outcome of narrowing.

    Attributes:
        by: what the scores are.
        scores: card to its score; larger is kept first.
        intervals: card to the signed estimate behind its score, where that was measured.
        kept: cards whose numbers may move.
        n_games: games spent on the scores.
        full: the space before.
        space: the space after.
    """

    by: str
    scores: Mapping[int, float]
    intervals: Mapping[int, Interval]
    kept: tuple[int, ...]
    n_games: int
    full: SearchSpace
    space: SearchSpace


def power_intervals(powers: Sequence[CardPower]) -> dict[int, Interval]:
    """Each card's power per copy in the deck where it is largest, up or down."""
    return _strongest((power.card, power.per_copy) for power in powers)


def lever_intervals(levers: Levers, space: SearchSpace) -> dict[int, Interval]:
    """Each card's largest lever, up or down, over its numbers and all matchups."""
    largest = np.argmax(np.abs(levers.slope.estimate), axis=1).tolist()
    return _strongest(
        (gene.owner, levers.slope.at(k, m))
        for k, (gene, m) in enumerate(zip(space.genes, largest, strict=True))
    )


def _strongest(measured: Iterable[tuple[int, Interval]]) -> dict[int, Interval]:
    """Of each card the first of its largest estimates, up or down."""
    strongest: dict[int, Interval] = {}
    for card, interval in measured:
        if abs(interval.estimate) > abs(strongest.setdefault(card, interval).estimate):
            strongest[card] = interval
    return strongest


def scores_of(intervals: Mapping[int, Interval]) -> dict[int, float]:
    """The size of each estimate: what cards are ranked by."""
    return {card: float(abs(interval.estimate)) for card, interval in intervals.items()}


def random_scores(space: SearchSpace, run_seed: int) -> dict[int, float]:
    """A random order of the cards: what any informed score has to beat."""
    numbers = generator(run_seed, "narrow").random(len(space.cards))
    return dict(zip(space.cards, numbers.tolist(), strict=True))


def no_scores(space: SearchSpace) -> dict[int, float]:
    """Scores for keeping everything."""
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
    """Keep the `keep` best cards of each deck, ties by id; with `by="none"`, all.

    Cards that may not move anyway are passed over, so a locked card takes no place.

    Args:
        contest: cards and players.
        space: all numbers that may move.
        scores: card to score.
        by: what the scores are.
        keep: cards per deck.
        decks: names of the decks that are tuned; default all.
        intervals: what was measured behind the scores, for the report.
        n_games: games spent on that, for the report.

    Raises:
        InputError: an argument is none of these, a deck is no player's, or a card that may move
            has no score.
    """
    for deck in decks or ():
        known_word("deck", deck, [player.deck.name for player in contest.players], "decks")
    pool = contest.table.pool
    kept = set[int]()
    for card in space.cards:
        if card not in scores:
            raise InputError(f"scores: none for card {pool.cards[card].id!r}, which may move")
        if by != "none" and scores[card] != scores[card]:
            raise InputError(f"scores: card {pool.cards[card].id!r}: must be a number, is NaN")
    for player in contest.players:
        if decks is None or player.deck.name in decks:
            movable = set(player.deck.slots(pool)) & set(space.cards)
            ranked = sorted(movable, key=lambda card: (-scores[card], pool.cards[card].id))
            kept.update(ranked if by == "none" else ranked[:keep])
    ordered = tuple(card for card in space.cards if card in kept)
    narrowed = space.restricted_to(ordered)
    return Narrowing(by, dict(scores), dict(intervals or {}), ordered, n_games, space, narrowed)
