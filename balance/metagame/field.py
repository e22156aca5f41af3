"""A field of opponents: many decks, one pilot, the same opponents on the same luck."""

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
    """Opponents, and how much each of them counts.

    Attributes:
        table: one variant: the cards that everybody plays with.
        opponents: ``N`` players, at least one.
        weights: ``[N]`` positive shares, together 1.
    """

    table: Table
    opponents: tuple[Player, ...]
    weights: Floats

    def score(self, rates: Floats) -> Floats:
        """``[..., N]`` win rates, or points, weighted over the opponents: ``[...]``."""
        return weighted_sum(rates, self.weights)


def field_of(
    contest: CardContest, weights: Mapping[str, float] | None = None, *, but: str | None = None
) -> Field:
    """The players of a contest as a field.

    Args:
        contest: cards and players.
        weights: by player; those not named count 1, and 0 leaves one out.
        but: a player who is no opponent, such as the one whose deck is to be changed.

    Raises:
        InputError: a weight is given for nobody or is none, nobody has the name `but`, or nobody
            is left.
    """
    names = contest.player_names
    for name in weights or {}:
        known_word("player", name, names, "field.weights")
    if but is not None:
        known_word("player", but, names, "but")
    told = validate(FieldWeights, {"weights": dict(weights or {})}, source="field").weights
    wanted = dict.fromkeys(names, 1.0) | told
    opponents = tuple(one for one in contest.players if one.name != but and wanted[one.name] > 0)
    if not opponents:
        rest = "" if but is None else f" besides {but!r}"
        raise InputError(f"field.weights: no opponent is left{rest}; one needs a weight above 0")
    raw = np.array([wanted[player.name] for player in opponents])
    return Field(contest.table, opponents, raw / raw.sum())


def mirror_of(contest: CardContest, player: Player) -> Field:
    """The field whose only opponent is `player` as it is."""
    return Field(contest.table, (player,), np.ones(1))


@dataclass(frozen=True)
class FieldCounts:
    """Results of ``P`` decks against ``N`` opponents, over both seatings.

    All games of one index share a seed, whatever the deck, the opponent and the seating, so decks
    are compared over the ``S = n_games / 2`` indices.

    Attributes:
        n_games: games of a deck against an opponent, half in each seating.
        points: ``[P, N]`` games won, draws counted half.
        by_seed: ``[P, S]`` win rate in the games of each seed, weighted over the opponents; no
            columns if games were not kept.
        is_mirror: ``[P]`` whether a deck met nobody but itself in the same hands: what one seating
            wins the other loses, so its win rate is one half, exactly.
    """

    n_games: int
    points: Floats
    by_seed: Floats
    is_mirror: Flags

    def win_rate(self, confidence: float = CONFIDENCE) -> Interval:
        """``[P, N]`` win rates against each opponent, with Wilson intervals."""
        return wilson(self.points, self.n_games, confidence)

    def score(self, confidence: float = CONFIDENCE) -> Interval:
        """``[P]`` win rates against the field, their intervals over seeds."""
        return rate_over_seeds(self.by_seed, confidence).certain(self.is_mirror)

    def gain_over(self, other: int) -> Interval:
        """``[P]`` win rates against the field less that of deck `other`, paired by seed."""
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
        decks: ``[P, DECK_ROW_SIZE]`` deck rows (`sim.play.batch.deck_row`).
        pilot: the agent of all these decks.
        n_games: games of a deck against an opponent, even.
        run_seed: the run's seed.
        purpose: names the stream of game seeds, see `sim.seeds`.
        first_game: index of the first seed, so that a later call can go on where one ended.
        keep_games: also keep what each seed came to, which intervals over seeds need.
        threads: threads to use; default all cores.
    """
    pool = field.table.pool
    theirs = [row_of_deck(player.deck, pool) for player in field.opponents]
    n_decks = len(decks)
    n_opponents = len(theirs)
    counts = play_pairs(
        list(product(range(n_decks), range(n_decks, n_decks + n_opponents))),
        field.table,
        np.concatenate([decks, np.stack(theirs)]),
        [pilot] * n_decks + [player.agent for player in field.opponents],
        n_games=n_games,
        stream=stream_seed(run_seed, purpose),
        first_game=first_game,
        threads=threads,
    )
    by_seed = np.zeros((n_decks, 0))
    if keep_games:
        each = (slice(k * n_opponents, (k + 1) * n_opponents) for k in range(n_decks))
        by_seed = np.stack([field.score(counts.rates_by_seed(0, one).T) for one in each])
    is_mirror = np.array(
        [
            all((deck == row).all() for row in theirs)
            and all(player.agent == pilot for player in field.opponents)
            for deck in decks
        ]
    )
    return FieldCounts(n_games, counts.points.reshape(n_decks, n_opponents), by_seed, is_mirror)
