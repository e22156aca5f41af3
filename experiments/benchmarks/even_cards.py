"""Cards that are about equally strong at each cost, for the planted pools of `planted_costs`.

The script enumerates cards of the duel that fit a budget of points, plays them in random pools of
six cards of each cost, and drops the cards that are far from the median of their cost. The rest
plays again, because the strength of a card depends on the other cards. The last games give the
deviation of each card that is left. The result is `even_cards.toml`.

    python -m experiments.benchmarks.even_cards > experiments/benchmarks/even_cards.toml
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from agents.registry import agent_named
from balance.decks.outliers import fit_effects
from balance.decks.space import Slots
from balance.statistics.arithmetic import mean_of
from balance.statistics.intervals import Floats
from experiments.benchmarks.script import run_script
from experiments.results.observed import PP_PER_LOGIT
from sim import Pool, load_ruleset, validate
from sim.play import Batch, deck_row, pack_table, play
from sim.ruleset import N_SEATS
from sim.seeds import generator, stream_seed

FILE = Path(__file__).with_name("even_cards.toml")
PILOT = "light"
COSTS = (1, 2, 3, 4, 5)
PER_COST = 6
"""Number of cards of each cost in a pool."""

_SEED = 613  # seed of the games that choose the cards; used for nothing else
_SIZE = 30  # cards in a deck
_PAIRS = (60_000, 60_000, 60_000)  # pairs of decks in each round, for errors of about 0.15 pp
_KEPT_PP = (0.9, 0.75, 0.75)  # largest deviation of a card that is kept in each round; by hand
_WITHIN_POINTS = 1.0  # largest distance of a candidate from its budget of points; by hand
# Points of attack plus health for each cost, and points of the texts: set by hand so that the first
# round finds cards of similar strength at all costs.
_BUDGETS = {1: 2.7, 2: 4.3, 3: 6.4, 4: 8.7, 5: 10.5}
_TEXT_POINTS = {
    "": 0.0, "damage 1": 0.8, "damage 2": 1.6, "damage 3": 2.3, "heal 2": 0.8, "heal 4": 1.5,
    "draw 1": 1.0, "draw 2": 1.3, "summon 1": 2.0, "summon 2": 4.0,
}  # fmt: skip


class EvenCard(NamedTuple):
    """Card of the duel.

    Attributes:
        cost: cost in mana.
        attack: attack.
        health: health.
        text: text of the card: `""`, `haste`, or an action with its amount, such as `damage 2`; the
            amount of `summon` is attack and health of the token.
        excess_pp: effect of a copy less the median of the cards of its cost, in percentage points.
    """

    cost: int
    attack: int
    health: int
    text: str
    excess_pp: float = 0.0


def load_even_cards(most_pp: float) -> list[EvenCard]:
    """Return the cards of `even_cards.toml` with deviations of at most `most_pp`.

    Args:
        most_pp: largest deviation of a card from the median of its cost, in percentage points.
    """
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["cards"]
    cards = [EvenCard(*row) for row in rows]
    return [card for card in cards if abs(card.excess_pp) <= most_pp]


def pool_of(cards: Sequence[EvenCard]) -> Pool:
    """Return the pool of the cards, in their order."""
    tables = [_card_table(position, card) for position, card in enumerate(cards)]
    return validate(Pool, {"name": "planted", "card": tables}, source="planted pool")


def _card_table(position: int, card: EvenCard) -> dict[str, Any]:
    """Return a card as the table of a pool file."""
    table: dict[str, Any] = {
        "id": f"card_{position}",
        "name": f"Card {position}",
        "kind": "minion",
        "cost": card.cost,
        "attack": card.attack,
        "health": card.health,
    }
    if card.text == "haste":
        table["keywords"] = ["haste"]
    elif card.text:
        table["effects"] = [_effect_table(*card.text.split())]
    return table


def _effect_table(action: str, amount: str) -> dict[str, Any]:
    """Return the effect of a text as the table of a pool file."""
    n = int(amount)
    to = "enemy_player" if action == "damage" else "own_player"
    effect: dict[str, Any] = {"on": "play", "do": action, "to": to, "amount": n}
    if action == "summon":
        effect |= {"amount": 1, "token": {"attack": n, "health": n}}
    return effect


def _candidates() -> Iterator[EvenCard]:
    """Yield all cards near the budget of their cost, with similar attack and health."""
    for cost in COSTS:
        for text in ("haste", *_TEXT_POINTS):
            for attack in range(6):
                for health in range(max(1, attack - 2), min(5, attack + 2) + 1):
                    # Haste has more value for a card with more attack.
                    of_text = 1 + attack / 2 if text == "haste" else _TEXT_POINTS[text]
                    if abs(attack + health + of_text - _BUDGETS[cost]) <= _WITHIN_POINTS:
                        yield EvenCard(cost, attack, health, text)


def _deal_pairs(cards: Sequence[EvenCard], n_pairs: int, rng: np.random.Generator) -> Slots:
    """Return pairs of decks without common cards, each pair from a random pool, [n, 2, size]."""
    costs = np.array([card.cost for card in cards])
    groups = [np.flatnonzero(costs == cost) for cost in COSTS]
    decks = np.empty((n_pairs, N_SEATS, _SIZE), np.int16)
    for pair in range(n_pairs):
        pool = rng.permutation(
            np.concatenate([rng.permutation(group)[:PER_COST] for group in groups])
        )
        # Both decks have two copies of each of 15 cards; if the pool is smaller, they share some.
        decks[pair] = [
            np.repeat(pool[: _SIZE // 2], 2),
            np.repeat(pool[::-1][: _SIZE // 2], 2),
        ]
    return decks


def _effects_pp(cards: Sequence[EvenCard], n_pairs: int, index: int) -> Floats:
    """Return the effects of copies of cards in random pools, in percentage points, shape [K]."""
    decks = _deal_pairs(cards, n_pairs, generator(_SEED, f"decks/{index}"))
    rows = decks.reshape(-1, _SIZE)
    first = np.arange(0, len(rows), N_SEATS)
    batch = Batch(
        decks=np.stack([deck_row(row.tolist()) for row in rows]),
        variant=np.zeros(len(rows), dtype=np.int64),
        seats=np.concatenate([np.stack([first, first + 1], 1), np.stack([first + 1, first], 1)]),
        n_games=np.ones(len(rows), dtype=np.int64),
        first_game=np.tile(np.arange(n_pairs), N_SEATS),
        stream=stream_seed(_SEED, f"games/{index}"),
    )
    table = pack_table(pool_of(cards), load_ruleset("duel"))
    points = play(batch, table, [agent_named(PILOT)] * len(rows)).points
    ahead = np.zeros((n_pairs, len(cards)))
    pairs = np.arange(n_pairs)[:, np.newaxis]
    np.add.at(ahead, (pairs, decks[:, 0]), 1)
    np.add.at(ahead, (pairs, decks[:, 1]), -1)
    rates = (points[:n_pairs, 0] + points[n_pairs:, 1]) / N_SEATS
    mean, _ = fit_effects(ahead, rates, np.full(n_pairs, float(N_SEATS)))
    return PP_PER_LOGIT * (mean - mean_of(mean))


def main(
    *, share: Annotated[float, typer.Option(help="Share of the usual number of pairs.")] = 1.0
) -> None:
    """Choose the cards, and print the content of `even_cards.toml`."""
    cards = list(_candidates())
    for index, (n_pairs, kept_pp) in enumerate(zip(_PAIRS, _KEPT_PP, strict=True)):
        effects = _effects_pp(cards, int(share * n_pairs), index)
        costs = np.array([card.cost for card in cards])
        medians = {cost: float(np.median(effects[costs == cost])) for cost in COSTS}
        excess = [
            float(effect) - medians[card.cost] for effect, card in zip(effects, cards, strict=True)
        ]
        cards = [
            card._replace(excess_pp=round(number, 2))
            for card, number in zip(cards, excess, strict=True)
            if abs(number) <= kept_pp
        ]
    print("# Written by: python -m experiments.benchmarks.even_cards")
    print("# Cost, attack, health, text, and deviation from the median of the cost in pp.")
    print("cards = [")
    for card in cards:
        print(f'  [{card.cost}, {card.attack}, {card.health}, "{card.text}", {card.excess_pp}],')
    print("]")


if __name__ == "__main__":
    run_script(main)
