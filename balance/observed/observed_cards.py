"""Effects of cards on the win rates of observed decks, and what these effects cannot separate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.decks.outliers import CardEffects, effects_of_copies
from balance.observed.observed_matchups import ObservedMatchups
from balance.observed.observed_metagame import ObservedMetagame
from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import Counts, Positions
from sim.errors import InputError

DECKS_MIN = 4
"""Minimum number of decks with lists and games: fewer do not separate an effect from noise."""


class ObservedCards(NamedTuple):
    """Effects of ``K`` cards on the win rates of observed decks.

    Attributes:
        effects: effects with intervals; its positions refer to the columns of the copies.
        together: for each card, positions in `effects` of the cards that occur in exactly the same
            numbers in all decks; the regression divides their joint effect among them, shape [K].
        n_archetypes: number of archetypes with decks that contain the card, shape [K].
        constant: positions in the copies of cards that all decks contain in the same number, which
            have no effect that could be estimated.
        n_decks: number of decks with a list and games.
    """

    effects: CardEffects
    together: tuple[tuple[int, ...], ...]
    n_archetypes: Counts
    constant: tuple[int, ...]
    n_decks: int


def observed_cards_of(
    matchups: ObservedMatchups, metagame: ObservedMetagame, copies: Counts, archetype: Positions
) -> ObservedCards:
    """Estimate what one more copy of each card adds to the win rate of a deck against the field.

    The regression is that of `balance.decks.outliers`. Decks without games or without a list are
    ignored. The rates of two decks that have met depend on each other, which is ignored too.

    Args:
        matchups: counts of the games.
        metagame: field and win rates of the same games.
        copies: number of copies of each card in each player's deck; a row of zeros stands for a
            player without a list, shape [D, C].
        archetype: number of each player's archetype, shape [D].

    Raises:
        InputError: fewer than `DECKS_MIN` decks have a list and games, or all have the same cards.
    """
    used = np.flatnonzero(copies.any(axis=1) & (metagame.n_games > 0))
    if len(used) < DECKS_MIN:
        raise InputError(
            f"{len(used)} players of the results have a list and games, but at least {DECKS_MIN} "
            "are needed",
            value=len(used),
            limit=DECKS_MIN,
            remedy="add lists of further decks, or leave the option out",
        )
    counts = copies[used]
    varies = (counts != counts[0]).any(axis=0)
    if not varies.any():
        raise InputError("all decks have the same cards", value=len(used))
    n_effective = [_effective_games(matchups, metagame, player) for player in used.tolist()]
    effects = effects_of_copies(
        np.where(varies, counts, 0),
        rates=metagame.field_rates.estimate[used],
        n_games=np.array(n_effective),
        cautious=metagame.field_rates.low[used],
    )
    held = counts[:, effects.cards]
    _, group_of = np.unique(held, axis=1, return_inverse=True)
    groups = group_of.ravel().tolist()
    together = [
        tuple(other for other, group in enumerate(groups) if group == own and other != k)
        for k, own in enumerate(groups)
    ]
    return ObservedCards(
        effects=effects,
        together=tuple(together),
        n_archetypes=np.array([len({*archetype[used][column > 0].tolist()}) for column in held.T]),
        constant=tuple(np.flatnonzero(counts.any(axis=0) & ~varies).tolist()),
        n_decks=len(used),
    )


def _effective_games(matchups: ObservedMatchups, metagame: ObservedMetagame, player: int) -> float:
    """Return the number of games with the variance of a player's win rate against the field."""
    games = np.delete(matchups.games[player], player)
    field = np.delete(metagame.field, player)
    shares = field[games > 0] / ordered_sum(field[games > 0])
    return float(1 / ordered_sum(shares * shares / games[games > 0]))
