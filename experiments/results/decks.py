"""Rows with results of deck building: a built deck, a metagame, and an attack on a patch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from balance import BuiltDeck, Interval
from balance.decks.double_oracle import Attack, AttackRound, OpponentRate
from sim.cards.deck import Deck

# Columns of candidates.csv, with one row per deck that was evaluated again, the best deck first.
CANDIDATE_COLUMNS = (
    "rank", "swaps", "win_rate", "low", "high", "n", "behind_pp", "behind_low_pp",
    "behind_high_pp", "claimed", "n_claimed", "cards",
)  # fmt: skip

# Columns of search.csv, with one row per generation of the search.
SEARCH_COLUMNS = ("generation", "games", "race_win_rate", "win_rate")


class OpponentRow(NamedTuple):
    """Win rate of a built deck against one opponent, in the games of its certificate.

    Attributes:
        player: name of the opponent.
        agent: name of the agent that plays the opponent's deck.
        weight: weight of the opponent in the field.
        win_rate: win rate of the built deck against the opponent, as a fraction.
        n: number of games against the opponent.
    """

    player: str
    agent: str
    weight: float
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


class SwapRow(NamedTuple):
    """The best deck with a given number of swaps from the original deck.

    Attributes:
        swaps: number of replaced copies of cards.
        out: cards that leave the deck, with numbers of copies, as text.
        in_: cards that enter the deck, with numbers of copies, as text.
        gain_pp: gain in win rate over the original deck, in percentage points.
        win_rate: win rate against the field, as a fraction.
        n: number of games against all opponents together.
        recommended: whether the deck is the recommended deck.
    """

    swaps: int
    out: str
    in_: str
    gain_pp: Annotated[Interval, ("gain_pp", "low_pp", "high_pp")]
    win_rate: Interval
    n: int
    recommended: bool


def opponent_rows(built: BuiltDeck) -> list[OpponentRow]:
    """Return one row per opponent in the field of a built deck."""
    field = built.field
    return [
        OpponentRow(
            player.name, player.agent.name, field.weights[k], built.win_rates.at(k), built.n_games
        )
        for k, player in enumerate(field.opponents)
    ]


def candidate_rows(built: BuiltDeck) -> list[tuple[Any, ...]]:
    """Return one row of `CANDIDATE_COLUMNS` per deck that was evaluated again.

    Numbers of games are totals over all opponents.
    """
    selection = built.selection
    n_opponents = len(built.field.opponents)
    return [
        (
            k + 1,
            selection.n_swaps[k],
            selection.score.at(k),
            selection.n_games * n_opponents,
            selection.behind.at(k).times(100),
            selection.claimed[k],
            int(selection.n_claimed[k]) * n_opponents,
            _copies(deck.cards),
        )
        for k, deck in enumerate(selection.decks)
    ]


def swap_rows(built: BuiltDeck) -> list[SwapRow]:
    """Return one row per number of swaps; no rows for a deck that was built from scratch."""
    if built.origin is None:
        return []
    n = built.n_games * len(built.field.opponents)
    rows = []
    for improvement in built.improvements:
        out, in_ = map(_copies, difference(built.origin, improvement.deck))
        gain_pp = improvement.gain.times(100)
        is_best = improvement.deck == built.deck
        rows.append(SwapRow(improvement.n_swaps, out, in_, gain_pp, improvement.score, n, is_best))
    return rows


def search_rows(built: BuiltDeck) -> list[tuple[Any, ...]]:
    """Return one row of `SEARCH_COLUMNS` per generation of a deck search, numbered from 0."""
    history = built.state.history.tolist()
    return [(k, int(n_games), *rates) for k, (n_games, *rates) in enumerate(history)]


def difference(before: Deck, after: Deck) -> tuple[dict[str, int], dict[str, int]]:
    """Return the removed copies of each card, and the added copies of each card.

    Args:
        before: deck before the change.
        after: deck after the change.

    Returns:
        Number of copies by card, as positive numbers. A card that both decks contain equally often
        is left out.
    """
    cards = {**before.cards, **after.cards}
    change = {card: after.cards.get(card, 0) - before.cards.get(card, 0) for card in cards}
    out = {card: -copies for card, copies in change.items() if copies < 0}
    return out, {card: copies for card, copies in change.items() if copies > 0}


def _copies(cards: Mapping[str, int]) -> str:
    """Return cards with their copies as text, such as `2 ember_whelp; 1 guard`."""
    return "; ".join(f"{copies} {card}" for card, copies in cards.items())


# Columns of attack.csv, with one row per built deck and opponent: the mix, or a deck of the mix.
ATTACK_COLUMNS = (
    "phase", "round", "name", "opponent", "win_rate", "low", "high", "n", "added",
)  # fmt: skip


def attack_rows(attacks: Sequence[tuple[str, Attack]]) -> list[tuple[Any, ...]]:
    """Return rows of `ATTACK_COLUMNS`, for each round one for the mix and one per deck in the mix.

    Args:
        attacks: name (`before` or `after`) and result of each phase of the attack.
    """
    return [
        (
            phase, entry.round, entry.name, name, rate.win_rate, rate.low, rate.high, rate.n,
            entry.added,
        )
        for phase, attack in attacks
        for entry in attack.rounds
        for name, rate in _rates_of_round(entry)
    ]  # fmt: skip


def _rates_of_round(entry: AttackRound) -> list[tuple[str, AttackRound | OpponentRate]]:
    """Return names and win rates of a round: first the mix, then each deck in the mix."""
    return [("(the mix)", entry), *((other.name, other) for other in entry.opponents)]
