"""What decks came to, as rows: one that was built, those of a metagame, an attack on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import BuiltDeck, CardContest, Interval, Metagame
from balance.decks.double_oracle import Attack, AttackRound, OpponentRate
from sim.cards.deck import Deck

# A deck that was played again, the best first.
CANDIDATE_COLUMNS = (
    "rank", "swaps", "win_rate", "low", "high", "n", "behind_pp", "behind_low_pp",
    "behind_high_pp", "claimed", "n_claimed", "cards",
)  # fmt: skip

# A generation of the search.
SEARCH_COLUMNS = ("generation", "games", "race_win_rate", "win_rate")


class OpponentRow(NamedTuple):
    """What the deck wins against one opponent, in the certificate's games."""

    player: str
    agent: str
    weight: float
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


class SwapRow(NamedTuple):
    """The best deck with so many swaps."""

    swaps: int
    out: str
    in_: str
    gain_pp: Annotated[Interval, ("gain_pp", "low_pp", "high_pp")]
    win_rate: Interval
    n: int
    recommended: bool


def opponent_rows(built: BuiltDeck) -> list[OpponentRow]:
    """One row per opponent."""
    field = built.field
    return [
        OpponentRow(
            player.name, player.agent.name, field.weights[k], built.win_rates.at(k), built.n_games
        )
        for k, player in enumerate(field.opponents)
    ]


def candidate_rows(built: BuiltDeck) -> list[tuple[Any, ...]]:
    """One row per deck that was played again."""
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
    """One row per number of swaps; none if the deck is built anew."""
    if built.origin is None:
        return []
    n = built.n_games * len(built.field.opponents)
    rows = []
    for one in built.improvements:
        out, brought = map(_copies, difference(built.origin, one.deck))
        gain_pp = one.gain.times(100)
        is_best = one.deck == built.deck
        rows.append(SwapRow(one.n_swaps, out, brought, gain_pp, one.score, n, is_best))
    return rows


def search_rows(built: BuiltDeck) -> list[tuple[Any, ...]]:
    """The course of the search."""
    history = built.state.history.tolist()
    return [(k, int(n_games), *rates) for k, (n_games, *rates) in enumerate(history)]


def difference(before: Deck, after: Deck) -> tuple[dict[str, int], dict[str, int]]:
    """The copies of each card that left, and those that came."""
    cards = {**before.cards, **after.cards}
    change = {card: after.cards.get(card, 0) - before.cards.get(card, 0) for card in cards}
    out = {card: -copies for card, copies in change.items() if copies < 0}
    return out, {card: copies for card, copies in change.items() if copies > 0}


def _copies(cards: Mapping[str, int]) -> str:
    return "; ".join(f"{copies} {card}" for card, copies in cards.items())


# A built deck against the mix, or against one of the decks in it.
ATTACK_COLUMNS = (
    "phase", "round", "name", "opponent", "win_rate", "low", "high", "n", "added",
)  # fmt: skip


class MetagameRow(NamedTuple):
    """A player: its share of the mix, its rating, and its win rate against the mix."""

    player: str
    agent: str
    share: Interval
    unplayed: float
    rating: Annotated[Interval, ("rating_elo", "rating_low", "rating_high")]
    against: Annotated[Interval, ("against_mix", "against_low", "against_high")]
    n: int


def metagame_rows(contest: CardContest, metagame: Metagame) -> list[MetagameRow]:
    """One row per player."""
    return [
        MetagameRow(
            player.name,
            player.agent.name,
            metagame.shares.at(k),
            metagame.unplayed[k],
            metagame.ratings.at(k),
            metagame.against_mix.at(k),
            metagame.n_games * int(np.count_nonzero(np.delete(metagame.shares.estimate, k))),
        )
        for k, player in enumerate(contest.players)
    ]


def attack_rows(attacks: Sequence[tuple[str, Attack]]) -> list[tuple[Any, ...]]:
    """One row per round for the mix, and one for each deck in it."""
    return [
        (
            phase, entry.round, entry.name, name, one.win_rate, one.low, one.high, one.n,
            entry.added,
        )
        for phase, attack in attacks
        for entry in attack.rounds
        for name, one in _met(entry)
    ]  # fmt: skip


def _met(entry: AttackRound) -> list[tuple[str, AttackRound | OpponentRate]]:
    return [("(the mix)", entry), *((other.name, other) for other in entry.opponents)]
