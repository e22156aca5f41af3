"""What a built deck comes to, in tables, sentences and the summary."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import Any

from balance.decks.building import BuiltDeck
from experiments.experiment import Experiment
from experiments.results.decks import difference, opponent_rows, swap_rows
from experiments.screen.console import Shown, Table
from experiments.screen.wording import entry_of, in_pp, percent, percent_between, points
from sim import Deck, Pool, entry


def swaps_in_words(before: Deck, after: Deck, pool: Pool) -> str:
    """`- 2 Furnace Rat, + 2 Spark Runner`."""
    out, brought = difference(before, after)
    signed = [("-", one) for one in out.items()] + [("+", one) for one in brought.items()]
    return ", ".join(f"{sign} {copies} {pool.card(card).name}" for sign, (card, copies) in signed)


def bought(experiment: Experiment, built: BuiltDeck) -> dict[str, int] | None:
    """Copies that are not owned, of each such card; `None` without a collection."""
    collection = experiment.settings.collection
    if collection is None:
        return None
    before = {} if built.origin is None else built.origin.cards
    lacking = {
        card: copies - max(collection.get(card, 0), before.get(card, 0))
        for card, copies in built.deck.cards.items()
    }
    return {card: copies for card, copies in lacking.items() if copies > 0}


def purchase(experiment: Experiment, built: BuiltDeck) -> str | None:
    """What to buy and what it costs, in a sentence; `None` without a collection."""
    to_buy = bought(experiment, built)
    if to_buy is None:
        return None
    if not to_buy:
        return "All its cards are owned."
    prices, pool = experiment.settings.build.prices, experiment.pool
    price = fsum(copies * prices.get(card, 1.0) for card, copies in to_buy.items())
    cards = ", ".join(f"{copies} {pool.card(card).name}" for card, copies in to_buy.items())
    return f"To buy: {cards}, for {price:g} of the budget of {experiment.settings.build.budget:g}."


def worth(built: BuiltDeck) -> str:
    """`wins 95.2 % (95.0 to 95.4) on average against ember_rush, ...`, with games and pilot."""
    names = ", ".join(player.name for player in built.field.opponents)
    return (
        f"wins {percent_between(built.score)} on average against {names}, piloted by "
        f"{built.agent.name} ({built.n_games:,} fresh games against each)"
    )


def summarise(experiment: Experiment, built: BuiltDeck, *, seconds: float) -> dict[str, Any]:
    """The stable shape of `summary.json` for `build` (docs/formats.md)."""
    settings = experiment.settings
    n = built.n_games * len(built.field.opponents)
    return {
        "command": "build",
        "certified": built.certified,
        "goal": settings.build.goal,
        "deck": {"name": built.deck.name, "file": "deck.toml", "cards": built.deck.cards},
        "agent": built.agent.name,
        **entry_of(built.score),
        "n": n,
        "opponents": [entry(row) for row in opponent_rows(built)],
        "bought": bought(experiment, built),
        "improved": built.origin and built.origin.name,
        "is_changed": built.deck != built.origin,
        "gain_pp": built.tried and entry_of(in_pp(built.tried.gain), "gain") | {"n": n},
        "swaps": [entry(row) for row in swap_rows(built)],
        "games": built.games,
        "decks_searched": len(built.state.seen),
        "seed": settings.seed,
        "seconds": seconds,
    }


def shown(experiment: Experiment, built: BuiltDeck) -> list[Shown]:
    """The deck, what it is worth, and for an improved deck what each swap brings."""
    pool, build = experiment.pool, experiment.settings.build
    lines: list[Shown] = []
    if built.origin is not None:
        lines += [*_swap_lines(built, built.origin, pool), advice(built, pool), ""]
    lines.append(
        Table(
            f"{built.deck.name}: {built.deck.n_cards} cards",
            ("card", "cost", "copies"),
            [
                (card.name, str(card.cost), str(built.deck.cards[card.id]))
                for card in sorted(pool.cards, key=lambda card: card.cost)
                if card.id in built.deck.cards
            ],
        )
    )
    if (sentence := purchase(experiment, built)) is not None:
        lines.append(sentence)
    win_rates = Table(
        f"Win rate, % (± half of the 95 % interval, {built.n_games:,} fresh games each)",
        ("opponent", "agent", "weight", "win rate"),
        [
            (row.player, row.agent, f"{row.weight:.2f}", percent(row.win_rate))
            for row in opponent_rows(built)
        ],
    )
    lines += ["", win_rates, "", f"{built.deck.name} {worth(built)}"]
    if built.certified is not None:
        low, goal = 100 * float(built.score.low), 100 * build.goal
        verdict = "Certified: the" if built.certified else "Not certified: the"
        relation = "reaches" if built.certified else "is below"
        lines.append(f"{verdict} lower bound of {low:.2f} % {relation} the goal of {goal:g} %")
    return lines


def _swap_lines(built: BuiltDeck, origin: Deck, pool: Pool) -> Iterator[str]:
    yield (
        f"The best swaps in {origin.name}, and how they change its win rate (pp, ± half of the "
        f"95 % interval, {built.n_games:,} fresh games against each opponent):"
    )
    for one in built.improvements:
        words = swaps_in_words(origin, one.deck, pool)
        swaps = "swap" if one.n_swaps == 1 else "swaps"
        yield f"  {one.n_swaps:2} {swaps:5}  {points(one.gain):>11}  {words}"


def advice(built: BuiltDeck, pool: Pool) -> str:
    """What to do with the improved deck, in a sentence."""
    origin = built.origin
    if origin is None:
        raise ValueError("the deck was built anew")
    if built.tried is None:
        return f"No swap is recommended: where decks were chosen, {origin.name} was as good as any"
    gain = f"{points(built.tried.gain)} pp on {built.n_games:,} fresh games against each"
    swaps = swaps_in_words(origin, built.tried.deck, pool)
    if built.deck == origin:
        return f"No swap is recommended: {swaps} was chosen, and is not certainly better: {gain}"
    return f"Recommended: {swaps}: {gain}"
