"""Metagame field: weighted opponents, against which decks of one pilot play on the same seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from balance.cards.card_contest import CardContest, DeckRows, Player, play_pairs
from balance.settings.tables import FieldWeights, GameCount
from balance.statistics.arithmetic import weighted_sum
from balance.statistics.intervals import (
    CONFIDENCE,
    Flags,
    Floats,
    Interval,
    paired_mean,
    rate_over_seeds,
    wilson,
)
from sim import InputError, known_word, stream_seed, validate
from sim.arguments import Count, Seed, checked
from sim.play import Agent, Table, row_of_deck
from sim.short_repr import short_repr


@dataclass(frozen=True)
class Field:
    """Metagame field: opponents with weights.

    Attributes:
        table: table with the cards and rules of all players, in one variant.
        opponents: the ``N`` opponents, at least one.
        weights: positive share of each opponent; the shares sum to 1, shape [N].
    """

    table: Table
    opponents: tuple[Player, ...]
    weights: Floats

    def __repr__(self) -> str:
        return short_repr(self, opponents=[player.name for player in self.opponents])

    def score(self, rates: Floats) -> Floats:
        """Return the mean of win rates or points, weighted by the opponents' shares, shape [...].

        Args:
            rates: win rates or points against each opponent, shape [..., N].
        """
        return weighted_sum(rates, self.weights)


def field_of(
    contest: CardContest, weights: Mapping[str, float] | None = None, *, but: str | None = None
) -> Field:
    """Return the players of a contest as a field.

    Args:
        contest: contest with the cards and the players.
        weights: weights by name of the player. Players without an entry have weight 1, and a player
            with weight 0 is excluded.
        but: name of a player to exclude, for example because its deck is to be changed.

    Raises:
        InputError: a weight is negative or of an unknown player, `but` is an unknown player, or no
            opponent is left.
    """
    names = contest.player_names
    for name in weights or {}:
        known_word("player", name, names, "field.weights")
    if but is not None:
        known_word("player", but, names, "but")
    checked_weights = validate(
        FieldWeights, {"weights": dict(weights or {})}, source="field"
    ).weights
    by_name = dict.fromkeys(names, 1.0) | checked_weights
    opponents = tuple(
        player for player in contest.players if player.name != but and by_name[player.name] > 0
    )
    if not opponents:
        who = "player" if but is None else f"opponent of {but!r}"
        raise InputError(
            f"no {who} has a weight above 0",
            place="field.weights",
            value=dict(weights or {}),
            limit=0,
            remedy="raise the weight of a player, or add a player",
        )
    raw = np.array([by_name[player.name] for player in opponents])
    return Field(contest.table, opponents, raw / raw.sum())


def mirror_of(contest: CardContest, player: Player) -> Field:
    """Return the field with a player as the only opponent.

    Args:
        contest: contest with the table of cards.
        player: player to use as the opponent.
    """
    return Field(contest.table, (player,), np.ones(1))


@dataclass(frozen=True)
class FieldCounts:
    """Results of ``P`` decks against ``N`` opponents, over both seatings.

    All decks, opponents and seatings use the same ``S = n_games / 2`` seeds, so that decks can be
    compared seed by seed.

    Attributes:
        n_games: number of games of a deck against an opponent, half in each seating.
        points: games won by each deck against each opponent, draws counted half, shape [P, N].
        by_seed: win rate of each deck in the games of each seed, weighted over the opponents, shape
            [P, S]; no columns if the results of seeds were not kept.
        is_mirror: whether a deck played only against itself with the same pilot, shape [P]. Its win
            rate is then exactly one half, because every game that one seating wins the other loses.
    """

    n_games: int
    points: Floats
    by_seed: Floats
    is_mirror: Flags

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the win rates against each opponent, with Wilson intervals, shape [P, N].

        Args:
            confidence: confidence level of the intervals.
        """
        return wilson(self.points, self.n_games, confidence)

    def score(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the win rates against the field, with intervals over seeds, shape [P].

        The interval of a mirror has no width.

        Args:
            confidence: confidence level of the intervals.
        """
        return rate_over_seeds(self.by_seed, confidence).without_noise(self.is_mirror)

    def gain_over(self, other: int) -> Interval:
        """Return the differences of the win rates from that of one deck, paired by seed, shape [P].

        Args:
            other: row of the deck with which all decks are compared.
        """
        return paired_mean(self.by_seed - self.by_seed[other])


@checked(n_games=GameCount, run_seed=Seed, first_game=Count)
def play_field(
    field: Field,
    decks: DeckRows,
    pilot: Agent,
    *,
    n_games: int,
    run_seed: int,
    purpose: str,
    first_game: int = 0,
    keep_games: bool = False,
) -> FieldCounts:
    """Play every deck against every opponent, all on the same seeds.

    Args:
        field: opponents with their weights.
        decks: rows of the decks (`sim.play.batch.deck_row`), shape [P, DECK_ROW_SIZE].
        pilot: agent that plays all these decks.
        n_games: number of games of each deck against each opponent, an even number.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds, see `sim.seeds`.
        first_game: index of the first seed, for calls that continue an earlier call.
        keep_games: whether to keep the results of each seed, which intervals over seeds need.
    """
    pool = field.table.pool
    opponent_rows = [row_of_deck(player.deck, pool) for player in field.opponents]
    n_decks = len(decks)
    n_opponents = len(opponent_rows)
    counts = play_pairs(
        list(product(range(n_decks), range(n_decks, n_decks + n_opponents))),
        field.table,
        np.concatenate([decks, np.stack(opponent_rows)]),
        [pilot] * n_decks + [player.agent for player in field.opponents],
        n_games=n_games,
        stream=stream_seed(run_seed, purpose),
        first_game=first_game,
    )
    by_seed = np.zeros((n_decks, 0))
    if keep_games:
        columns = (slice(k * n_opponents, (k + 1) * n_opponents) for k in range(n_decks))
        by_seed = np.stack([field.score(counts.rates_by_seed(0, pairs).T) for pairs in columns])
    is_mirror = np.array(
        [
            all((deck == row).all() for row in opponent_rows)
            and all(player.agent == pilot for player in field.opponents)
            for deck in decks
        ]
    )
    return FieldCounts(n_games, counts.points.reshape(n_decks, n_opponents), by_seed, is_mirror)
