"""Rows of the tables of measurements, for CSV files, data frames and figures.

Win rates are shares from 0 to 1; powers and sensitivities (file word `lever`) are in percentage
points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance.cards.card_contest import CardContest
from balance.cards.narrowing import Levers, Narrowing
from balance.cards.power import CardPower
from balance.contest.readings import MatchupCounts
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import Interval, copy_rate, paired_mean
from sim.errors import InputError
from sim.play.outcomes import DRAWN, kept, median_turns, slot_counts

Drawn = Annotated[Interval, ("win_rate_when_drawn", "drawn_low", "drawn_high")]
Played = Annotated[Interval, ("win_rate_when_played", "played_low", "played_high")]
# Attributes of `sim.play.outcomes.SlotCounts`, in the order in which `card_rows` unpacks them.
_COUNTED = ("drawn_opening", "drawn_later", "played", "points_when_drawn", "points_when_played")

# Columns of the table of the use of each card in a player's deck, over all matchups of the player.
CARD_COLUMNS = (
    "player", "card", "cost", "copies", "copies_drawn_opening", "copies_drawn_later",
    "copies_played", "win_rate_when_drawn", "drawn_low", "drawn_high", "win_rate_when_played",
    "played_low", "played_high", "n_games",
)  # fmt: skip

# Columns of the table of sensitivities: the effect of one step of a number on a matchup.
LEVER_COLUMNS = ("card", "field", "today", "matchup", "pp_per_step", "low_pp", "high_pp", "n")


class MatchupRow(NamedTuple):
    """Row with the result of one matchup over both seatings.

    Attributes:
        a: name of the first player.
        b: name of the second player.
        win_rate: win rate of `a`, with its interval.
        n: number of games.
        first_seat: win rate of the player who moves first, with its interval.
        draw_rate: share of drawn games.
        mean_turns: mean game length in turns.
        median_turns: median game length in turns.
        mean_life_a: mean final life of `a`.
        mean_life_b: mean final life of `b`.
    """

    a: str
    b: str
    win_rate: Annotated[Interval, ("win_rate_a", "low", "high")]
    n: int
    first_seat: Annotated[Interval, ("first_seat", "first_low", "first_high")]
    draw_rate: float
    mean_turns: float
    median_turns: float
    mean_life_a: float
    mean_life_b: float


class PowerRow(NamedTuple):
    """Row with the leave-one-out power of one card in a player's deck.

    Attributes:
        player: name of the player.
        agent: name of the agent that played the games.
        card: id of the card.
        cost: mana cost of the card.
        copies: number of copies in the deck.
        power_pp: power of all copies together, in percentage points.
        per_copy_pp: power divided by the number of copies, in percentage points.
        n: number of games from which the power is computed.
        when_drawn: mean win rate in mirror matches over all drawn copies, a biased measure.
        copies_drawn: number of copies drawn in the mirror matches.
        when_played: mean win rate in mirror matches over all played copies, a biased measure.
        copies_played: number of copies played in the mirror matches.
    """

    player: str
    agent: str
    card: str
    cost: int
    copies: int
    power_pp: Annotated[Interval, ("power_pp", "low_pp", "high_pp")]
    per_copy_pp: Annotated[Interval, ("per_copy_pp", "per_copy_low_pp", "per_copy_high_pp")]
    n: int
    when_drawn: Drawn
    copies_drawn: int
    when_played: Played
    copies_played: int


class NarrowingRow(NamedTuple):
    """Row with the score of a candidate card of narrowing, and whether the card is kept.

    Attributes:
        card: id of the card.
        name: display name of the card.
        estimate_pp: power or sensitivity from which the score is computed, in percentage points;
            `None` if nothing was measured for the card.
        kept: whether the card's numbers may still move after narrowing.
    """

    card: str
    name: str
    estimate_pp: Annotated[Interval, ("estimate_pp", "low_pp", "high_pp")] | None
    kept: bool


def matchup_rows(contest: CardContest, counts: MatchupCounts, variant: int = 0) -> list[MatchupRow]:
    """Return one row per matchup with the results of one variant.

    Args:
        contest: contest of the games.
        counts: results of the games.
        variant: position of the variant.

    Raises:
        InputError: the number of matchups of the games is not that of the contest, or `variant` is
            not the position of a variant.
    """
    counts.require_matchups(len(contest.matchups))
    counts.require_candidate(variant)
    n = counts.n_games
    rates = counts.win_rate().at(variant)
    turns = counts.turns[variant]
    first = paired_mean(counts.first_seat_by_seed()[variant])
    draws = (counts.winners[variant] == DRAWN).mean(axis=(1, 2))
    n_turns = (turns * np.arange(turns.shape[1])).sum(axis=1)
    return [
        MatchupRow(
            contest.players[a].name,
            contest.players[b].name,
            rates.at(m),
            n,
            first.at(m),
            draws[m],
            n_turns[m] / n,
            median_turns(turns[m]),
            *kept(counts.life)[variant, m] / n,
        )
        for m, (a, b) in enumerate(contest.matchups)
    ]


def card_rows(
    contest: CardContest, counts: MatchupCounts, variant: int = 0
) -> list[tuple[Any, ...]]:
    """Return one row per player and card with the card's use in all matchups of the player.

    Args:
        contest: contest of the games.
        counts: results of games played with `keep_cards`.
        variant: position of the variant.

    Returns:
        Rows with the columns `CARD_COLUMNS`; an interval is one entry of a row.

    Raises:
        InputError: the number of matchups of the games is not that of the contest, or `variant` is
            not the position of a variant.
    """
    counts.require_matchups(len(contest.matchups))
    counts.require_candidate(variant)
    seen = kept(counts.seen)[variant]
    pool = contest.table.pool
    rows = []
    for position, player in enumerate(contest.players):
        player_counts = [
            slot_counts(seen[m, seating], seat)
            for m, matchup in enumerate(contest.matchups)
            for seating in (0, 1)
            for seat in (0, 1)
            if matchup[seat ^ seating] == position
        ]
        slots = np.array(player.deck.slots(pool))
        for card in dict.fromkeys(slots.tolist()):
            where = np.flatnonzero(slots == card)
            opening, later, played, drawn_points, played_points = (
                sum(
                    getattr(counts_of_seat, name)[where].sum().item()
                    for counts_of_seat in player_counts
                )
                for name in _COUNTED
            )
            rows.append(
                (
                    player.name,
                    pool.cards[card].id,
                    pool.cards[card].cost,
                    len(where),
                    opening,
                    later,
                    played,
                    copy_rate(drawn_points, opening + later, len(where)),
                    copy_rate(played_points, played, len(where)),
                    counts.n_games * (len(contest.players) - 1),
                )
            )
    return rows


def power_rows(contest: CardContest, powers: Sequence[CardPower]) -> list[PowerRow]:
    """Return one row per measured card power, in the given order.

    Args:
        contest: contest with the names of players and cards.
        powers: powers, as `measure_power` returns them.

    Raises:
        InputError: a power is of a player or a card outside the contest.
    """
    cards = contest.table.pool.cards
    n_players = len(contest.players)
    n_cards = len(cards)
    for power in powers:
        if not (0 <= power.player < n_players and 0 <= power.card < n_cards):
            raise InputError(
                f"the contest has only {n_players} players and {n_cards} cards",
                place=f"power of player {power.player}, card {power.card}",
                value=(power.player, power.card),
                limit=(n_players - 1, n_cards - 1),
            )
    return [
        PowerRow(
            contest.players[power.player].name,
            contest.players[power.player].agent.name,
            cards[power.card].id,
            cards[power.card].cost,
            power.n_copies,
            power.power.times(100),
            power.per_copy.times(100),
            power.n_games,
            power.when_drawn,
            power.n_drawn,
            power.when_played,
            power.n_played,
        )
        for power in powers
    ]


def lever_rows(contest: CardContest, space: SearchSpace, levers: Levers) -> list[tuple[Any, ...]]:
    """Return one row per number and matchup with the sensitivity.

    Args:
        contest: contest with the names of cards and matchups.
        space: search space with the numbers.
        levers: measured sensitivities.

    Returns:
        Rows with the columns `LEVER_COLUMNS`; an interval is one entry of a row.
    """
    numbers = [contest.parameter(gene) for gene in space.genes]
    return [
        (
            number.owner,
            number.field,
            number.value,
            contest.matchup_name(matchup),
            levers.slope.at(k, m).times(100),
            levers.n_games,
        )
        for k, number in enumerate(numbers)
        for m, matchup in enumerate(contest.matchups)
    ]


def narrowing_rows(contest: CardContest, narrowing: Narrowing) -> list[NarrowingRow]:
    """Return one row per candidate card of narrowing, sorted by decreasing score."""
    cards = contest.table.pool.cards
    measured = narrowing.intervals
    return [
        NarrowingRow(
            cards[card].id,
            cards[card].name,
            measured[card].times(100) if card in measured else None,
            card in narrowing.kept,
        )
        for card in sorted(narrowing.scores, key=lambda card: -narrowing.scores[card])
    ]
