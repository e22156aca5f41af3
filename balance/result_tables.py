"""Results as plain rows: what CSV files and data frames hold, made in one place.

Win rates are in [0, 1], powers and levers in percentage points (`_pp`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.card_contest import CardContest
from balance.contest import Contest
from balance.levers import Levers
from balance.matchups import MatchupCounts
from balance.narrowing import Narrowing
from balance.power import CardPower
from balance.search_space import SearchSpace
from balance.statistics.intervals import copy_rate, paired_mean
from sim.play.outcomes import DRAWN, kept, median_turns, slot_counts

MATRIX_HEADER = (
    "a", "b", "win_rate_a", "low", "high", "n", "first_seat", "first_low", "first_high",
    "draw_rate", "mean_turns", "median_turns", "mean_life_a", "mean_life_b",
)  # fmt: skip
CARDS_HEADER = (
    "player", "card", "cost", "copies",
    "copies_drawn_opening", "copies_drawn_later", "copies_played",
    "win_rate_when_drawn", "drawn_low", "drawn_high",
    "win_rate_when_played", "played_low", "played_high", "n_games",
)  # fmt: skip
POWER_HEADER = (
    "player", "agent", "card", "cost", "copies", "power_pp", "low_pp", "high_pp", "per_copy_pp",
    "per_copy_low_pp", "per_copy_high_pp", "n",
    "win_rate_when_drawn", "drawn_low", "drawn_high", "copies_drawn",
    "win_rate_when_played", "played_low", "played_high", "copies_played",
)  # fmt: skip
LEVERS_HEADER = ("card", "field", "today", "matchup", "pp_per_step", "low_pp", "high_pp", "n")
NARROWING_HEADER = ("card", "name", "estimate_pp", "low_pp", "high_pp", "kept")


def matrix_rows(contest: CardContest, counts: MatchupCounts, variant: int = 0) -> list[list[Any]]:
    """One row per matchup, in the columns of `MATRIX_HEADER`."""
    n = counts.n_games
    rates = counts.win_rate()
    first = paired_mean(counts.first_seat_by_seed()[variant])
    draws = (counts.winners[variant] == DRAWN).mean(axis=(1, 2))
    life = kept(counts.life)[variant]
    rows = []
    for m, (a, b) in enumerate(contest.matchups):
        turns = counts.turns[variant, m]
        rows.append(
            [
                contest.players[a].name,
                contest.players[b].name,
                *(float(bound[variant, m]) for bound in rates),
                n,
                *(float(bound[m]) for bound in first),
                float(draws[m]),
                float((turns * np.arange(len(turns))).sum()) / n,
                median_turns(turns),
                float(life[m, 0]) / n,
                float(life[m, 1]) / n,
            ]
        )
    return rows


def card_rows(contest: CardContest, counts: MatchupCounts, variant: int = 0) -> list[list[Any]]:
    """One row per player and kind of card over all its matchups, as in `CARDS_HEADER`."""
    seen = kept(counts.seen)[variant]
    pool = contest.table.pool
    rows = []
    for position, player in enumerate(contest.players):
        mine = [
            slot_counts(seen[m, seating], seat)
            for m, matchup in enumerate(contest.matchups)
            for seating in (0, 1)
            for seat in (0, 1)
            if matchup[seat ^ seating] == position
        ]
        slots = np.array(player.deck.slots(pool))
        n_games = counts.n_games * (len(contest.players) - 1)
        for card in dict.fromkeys(slots.tolist()):
            where = np.flatnonzero(slots == card)
            opening, later, played = (
                int(sum(getattr(one, name)[where].sum() for one in mine))
                for name in ("drawn_opening", "drawn_later", "played")
            )
            drawn_points = sum(one.points_when_drawn[where].sum() for one in mine)
            played_points = sum(one.points_when_played[where].sum() for one in mine)
            rows.append(
                [
                    player.name,
                    pool.cards[card].id,
                    pool.cards[card].cost,
                    len(where),
                    opening,
                    later,
                    played,
                    *map(float, copy_rate(drawn_points, opening + later, len(where))),
                    *map(float, copy_rate(played_points, played, len(where))),
                    n_games,
                ]
            )
    return rows


def power_rows(contest: CardContest, powers: Sequence[CardPower]) -> list[list[Any]]:
    """One row per player and card, in the columns of `POWER_HEADER`."""
    cards = contest.table.pool.cards
    return [
        [
            contest.players[power.player].name,
            contest.players[power.player].agent.name,
            cards[power.card].id,
            cards[power.card].cost,
            power.n_copies,
            *(100 * float(bound) for bound in power.power),
            *(100 * float(bound) for bound in power.per_copy),
            power.n_games,
            *map(float, power.when_drawn),
            power.n_drawn,
            *map(float, power.when_played),
            power.n_played,
        ]
        for power in powers
    ]


def lever_rows(contest: Contest, space: SearchSpace, levers: Levers) -> list[list[Any]]:
    """One row per number and matchup, in the columns of `LEVERS_HEADER`.

    Args:
        contest: cards and players.
        space: the numbers that were moved.
        levers: how far each moves each matchup.
    """
    numbers = [contest.parameter(gene) for gene in space.genes]
    return [
        [
            number.owner,
            number.field,
            number.value,
            contest.matchup_name(matchup),
            *(100 * float(bound[k, m]) for bound in levers.slope),
            levers.n_games,
        ]
        for k, number in enumerate(numbers)
        for m, matchup in enumerate(contest.matchups)
    ]


def narrowing_rows(contest: CardContest, narrowing: Narrowing) -> list[list[Any]]:
    """Every movable card, the best score first, in the columns of `NARROWING_HEADER`.

    The estimate is what lies behind the score: power per copy or a lever, empty for none.
    """
    cards = contest.table.pool.cards
    rows = []
    for card in sorted(narrowing.scores, key=lambda card: -narrowing.scores[card]):
        measured = narrowing.intervals.get(card, ("", "", ""))
        bounds = [100 * float(bound) if bound != "" else "" for bound in measured]
        rows.append([cards[card].id, cards[card].name, *bounds, card in narrowing.kept])
    return rows
