"""Recall and false discoveries of `evenhand outliers`, by pools with planted cost errors.

Each pool has six cards of each cost from 1 to 5, drawn from cards of similar strength
(`even_cards`). The cost of some cards is then reduced by `--steps` mana, and that of equally many
other cards is raised. The analysis of `evenhand outliers` has to name these cards, with the right
direction, and no others. The script prints a line for each pool, and a summary with 95 % intervals.

    python -m experiments.benchmarks.planted_costs --steps 2
"""

from __future__ import annotations

import time
from typing import Annotated, NamedTuple

import numpy as np
import typer

from agents.registry import agent_named
from balance import wilson
from balance.decks.card_costs import CardCosts, judge_card_costs
from balance.decks.deck_pairs import pair_design, play_deck_pairs
from balance.decks.space import deck_space
from balance.settings.tables import BalanceSettings, Outliers
from balance.statistics.intervals import Counts
from experiments.benchmarks.even_cards import (
    COSTS,
    PER_COST,
    PILOT,
    EvenCard,
    load_even_cards,
    pool_of,
)
from experiments.benchmarks.script import run_script
from experiments.screen import percent_between
from sim import load_ruleset
from sim.play import pack_table
from sim.seeds import generator, stream_seed

_LOWEST = 0  # lowest cost of a card in the duel
_HIGHEST = max(COSTS)


class PlantedPool(NamedTuple):
    """Pool with planted cost errors.

    Attributes:
        cards: cards with the costs that the pool prints.
        error: 1 for cards that cost too little, -1 for cards that cost too much, 0 for others,
            shape [C].
    """

    cards: list[EvenCard]
    error: Counts


class Score(NamedTuple):
    """Verdicts on the cards of one pool or of several pools.

    Attributes:
        n_under: number of planted cards that cost too little.
        n_over: number of planted cards that cost too much.
        under: number of these that were called undercosted.
        over: number of these that were called overcosted.
        false_under: number of other cards that were called undercosted.
        false_over: number of other cards that were called overcosted.
    """

    n_under: int
    n_over: int
    under: int
    over: int
    false_under: int
    false_over: int

    def plus(self, other: Score) -> Score:
        """Return the sums of two scores."""
        return Score(*(a + b for a, b in zip(self, other, strict=True)))


def planted_pool(
    even: list[EvenCard], seed: int, index: int, *, steps: int, n_planted: int
) -> PlantedPool:
    """Return a pool of random cards with planted errors.

    Args:
        even: cards to draw from.
        seed: seed of all pools.
        index: number of the pool.
        steps: mana by which the cost of a planted card is changed.
        n_planted: number of planted cards in each direction.
    """
    rng = generator(seed, f"planted/{index}")
    costs = np.array([card.cost for card in even])
    drawn = [rng.permutation(np.flatnonzero(costs == cost))[:PER_COST] for cost in COSTS]
    cards = [even[position] for position in np.concatenate(drawn).tolist()]
    order = rng.permutation(len(cards)).tolist()
    error = np.zeros(len(cards), dtype=np.int64)
    under = [k for k in order if cards[k].cost - steps >= _LOWEST][:n_planted]
    error[under] = 1
    over = [k for k in order if cards[k].cost + steps <= _HIGHEST and not error[k]]
    error[over[:n_planted]] = -1
    printed = [
        card._replace(cost=card.cost - steps * int(sign))
        for card, sign in zip(cards, error, strict=True)
    ]
    return PlantedPool(printed, error)


def judge_pool(pool: PlantedPool, *, pilot: str, games: int, run_seed: int) -> CardCosts:
    """Play the games of `evenhand outliers` with a pool, and return the verdicts.

    Args:
        pool: pool with planted errors.
        pilot: name of the agent that plays all decks.
        games: games per card.
        run_seed: seed of the run.
    """
    table = pack_table(pool_of(pool.cards), load_ruleset("duel"))
    space = deck_space(table, BalanceSettings(seed=run_seed))
    design = pair_design(space, table, agent_named(pilot), games_per_card=games, run_seed=run_seed)
    return judge_card_costs(design, play_deck_pairs(design))


def score_of(pool: PlantedPool, costs: CardCosts) -> Score:
    """Return the score of the verdicts on a pool."""
    verdict = np.zeros(len(pool.cards), dtype=np.int64)
    verdict[costs.cards] = costs.verdict
    error = pool.error

    def count(sign: int, *, planted: bool) -> int:
        return int(np.count_nonzero((verdict == sign) & ((error == sign) == planted)))

    return Score(
        n_under=int(np.count_nonzero(error == 1)),
        n_over=int(np.count_nonzero(error == -1)),
        under=count(1, planted=True),
        over=count(-1, planted=True),
        false_under=count(1, planted=False),
        false_over=count(-1, planted=False),
    )


def summary_of(score: Score) -> str:
    """Return recall and share of false discoveries in words, with 95 % Wilson intervals."""
    n_true = score.under + score.over
    n_false = score.false_under + score.false_over

    def share(n: int, total: int) -> str:
        return f"{n} of {total}, {percent_between(wilson(n, max(total, 1)))}"

    return (
        f"recall {share(n_true, score.n_under + score.n_over)}; "
        f"of undercosted cards {share(score.under, score.n_under)}; "
        f"of overcosted cards {share(score.over, score.n_over)}; "
        f"false {share(n_false, n_true + n_false)}: "
        f"{score.false_under} undercosted, {score.false_over} overcosted"
    )


def main(
    *,
    pools: Annotated[int, typer.Option(min=1, help="Number of pools.")] = 50,
    first: Annotated[int, typer.Option(min=0, help="Number of the first pool.")] = 0,
    steps: Annotated[int, typer.Option(min=0, max=4, help="Error of a planted cost, mana.")] = 2,
    planted: Annotated[
        int, typer.Option(min=0, help="Planted cards of a pool in each direction.")
    ] = 2,
    games: Annotated[int, typer.Option(min=2, help="Games per card.")] = Outliers().games,
    uneven: Annotated[
        float, typer.Option(min=0.1, help="Largest deviation of the other cards, pp.")
    ] = 0.45,
    pilot: Annotated[str, typer.Option(help="Agent that plays all decks.")] = PILOT,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all pools.")] = 20261201,
) -> None:
    """Judge the cards of planted pools; print a line for each pool, and a summary."""
    even = load_even_cards(uneven)
    total = Score(0, 0, 0, 0, 0, 0)
    began_s = time.process_time()
    for index in range(first, first + pools):
        pool = planted_pool(even, seed, index, steps=steps, n_planted=planted)
        run_seed = stream_seed(seed, f"run/{index}") >> 1
        costs = judge_pool(pool, pilot=pilot, games=games, run_seed=run_seed)
        score = score_of(pool, costs)
        total = total.plus(score)
        misses = [
            f"{card.attack}/{card.health} {card.text} for {card.cost}"
            for k, card in enumerate(pool.cards)
            if pool.error[k] and costs.verdict[costs.cards == k].tolist() != [pool.error[k]]
        ]
        print(
            f"pool {index}: {score.under} of {score.n_under} undercosted, "
            f"{score.over} of {score.n_over} overcosted, "
            f"{score.false_under + score.false_over} false; missed: {', '.join(misses) or 'none'}",
            flush=True,
        )
    cpu_s = time.process_time() - began_s
    print(f"{pools} pools, errors of {steps} mana: {summary_of(total)}")
    print(f"{cpu_s:.0f} CPU seconds, {len(even)} cards to draw from")


if __name__ == "__main__":
    run_script(main)
