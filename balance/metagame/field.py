"""Metagame field: weighted opponents that many decks of one pilot meet on the same seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from balance.card_contest import CardContest, DeckRows, Player, play_pairs
from balance.settings import FieldWeights, GameCount
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
from sim.arguments import Count, Seed, Threads, checked
from sim.play import Agent, Table, row_of_deck


@dataclass(frozen=True)
class Field:
    """Opponents with weights.

    Attributes:
        table: the cards that all players use, in one variant.
        opponents: the ``N`` opponents, at least one.
        weights: positive shares that sum to 1, shape [N].
    """

    table: Table
    opponents: tuple[Player, ...]
    weights: Floats

    def score(self, rates: Floats) -> Floats:
        """Return the mean of win rates, or points, weighted over the opponents, shape [...].

        Args:
            rates: win rates or points against each opponent, shape [..., N].
        """
        return weighted_sum(rates, self.weights)


def field_of(
    contest: CardContest, weights: Mapping[str, float] | None = None, *, but: str | None = None
) -> Field:
    """Return the players of a contest as a field.

    Args:
        contest: cards and players.
        weights: weights by player; players without an entry have 1, and 0 excludes one.
        but: player to exclude, such as the one of a deck that is to be changed; default none.

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
        rest = "" if but is None else f" except {but!r}"
        raise InputError(
            f"no opponent is left{rest}",
            place="field.weights",
            value=dict(weights or {}),
            limit=0,
            remedy="give a player a weight above 0",
        )
    raw = np.array([by_name[player.name] for player in opponents])
    return Field(contest.table, opponents, raw / raw.sum())


def mirror_of(contest: CardContest, player: Player) -> Field:
    """Return the field in which a player is the only opponent.

    Args:
        contest: the cards.
        player: the opponent.
    """
    return Field(contest.table, (player,), np.ones(1))


@dataclass(frozen=True)
class FieldCounts:
    """Results of ``P`` decks against ``N`` opponents, over both seatings.

    All games of one index share a seed for all decks, opponents and seatings, so that decks are
    compared over the ``S = n_games / 2`` indices.

    Attributes:
        n_games: games of a deck against an opponent, half in each seating.
        points: games won by each deck against each opponent, draws counted half, shape [P, N].
        by_seed: win rate in the games of each seed, weighted over the opponents, shape [P, S]; no
            columns if the games were not kept.
        is_mirror: whether a deck met only itself with its own pilot, shape [P]; then one seating
            wins what the other loses, and its win rate is exactly one half.
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

        Args:
            confidence: confidence level of the intervals.
        """
        return rate_over_seeds(self.by_seed, confidence).without_noise(self.is_mirror)

    def gain_over(self, other: int) -> Interval:
        """Return the win rates against the field less that of another deck, paired by seed.

        Args:
            other: row of the other deck.

        Returns:
            Differences with intervals, shape [P].
        """
        return paired_mean(self.by_seed - self.by_seed[other])


@checked(n_games=GameCount, run_seed=Seed, first_game=Count, threads=Threads)
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
    threads: int | None = None,
) -> FieldCounts:
    """Play every deck against every opponent, all on the same seeds.

    Args:
        field: the opponents.
        decks: rows of the decks (`sim.play.batch.deck_row`), shape [P, DECK_ROW_SIZE].
        pilot: the agent of all these decks.
        n_games: games of each deck against each opponent, an even number.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds, see `sim.seeds`.
        first_game: index of the first seed, for calls that continue an earlier one.
        keep_games: whether to keep the results of each seed, which intervals over seeds need.
        threads: number of threads; default all cores.
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
        threads=threads,
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
