"""Rows with results of observed games: matchups, players, changes between groups, and cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np

from balance import Interval
from balance.observed.observed_cards import ObservedCards
from balance.observed.observed_changes import ObservedChanges, changes_between
from balance.observed.observed_matchups import FEW_GAMES, ObservedMatchups
from balance.observed.observed_metagame import ObservedMetagame

PP_PER_LOGIT = 25
"""Percentage points of win rate per unit of log-odds: 100 times the slope of the logistic function
at 50 %, p (1 - p) = 1 / 4.
"""


class ObservedMatchupRow(NamedTuple):
    """Row of `matchups.csv` with the observed games of one pair of players.

    Attributes:
        a: name of the first player.
        b: name of the second player.
        win_rate: win rate of `a`, a draw counted half, with its interval.
        n: number of games, rounded.
        few_games: whether there are fewer than `FEW_GAMES` games.
        draw_rate: share of drawn games; `None` if the file has no draws.
        first_seat: win rate of the player who moves first, averaged over both seatings; `None` if
            the file does not have both seatings.
        first_n: number of games with a known first seat.
        mean_turns: mean length of the games in turns; `None` if not known.
    """

    a: str
    b: str
    win_rate: Annotated[Interval, ("win_rate_a", "low", "high")]
    n: int
    few_games: bool
    draw_rate: float | None
    first_seat: Annotated[Interval, ("first_seat", "first_low", "first_high")] | None
    first_n: int
    mean_turns: float | None


class ObservedPlayerRow(NamedTuple):
    """Row of `players.csv` with the observed games of one player.

    Attributes:
        player: name of the player.
        n: number of games against other players, rounded.
        mirrors: number of games against itself, rounded.
        field_share: share of the player in all games.
        win_rate: win rate over the games against other players; `None` without such games.
        against_field: win rate against the other players, weighted by their shares of the games.
        met_share: share of the other players' games that belongs to opponents with games.
        rating: Bradley-Terry rating in Elo points; `None` if no chain of games connects the player
            with the others.
        share: share in the equilibrium mix; `None` if the player is left out of it.
        unplayed: fraction of resamples of the games without a share in the mix.
    """

    player: str
    n: int
    mirrors: int
    field_share: float
    win_rate: Annotated[Interval, ("win_rate", "low", "high")] | None
    against_field: Annotated[Interval, ("against_field", "field_low", "field_high")] | None
    met_share: float
    rating: Annotated[Interval, ("rating_elo", "rating_low", "rating_high")] | None
    share: Interval | None
    unplayed: float | None


class ObservedChangeRow(NamedTuple):
    """Row of `changes.csv` with the change of one matchup between two groups of games.

    Attributes:
        by: what the groups are: `patch` or `bracket`.
        earlier: name of the earlier patch or the lower bracket.
        later: name of the next patch or bracket.
        a: name of the first player.
        b: name of the second player.
        rate_earlier: win rate of `a` in the earlier group.
        rate_later: win rate of `a` in the later group.
        change_pp: change in percentage points, with the 95 % interval of this matchup alone.
        joint_low_pp: lower bound that holds for all matchups of both groups together at 95 %.
        joint_high_pp: upper bound that holds for all matchups of both groups together at 95 %.
        differs_alone: whether the interval of the matchup alone excludes 0.
        differs: whether the joint interval excludes 0.
        n_earlier: number of games in the earlier group, rounded.
        n_later: number of games in the later group, rounded.
    """

    by: str
    earlier: str
    later: str
    a: str
    b: str
    rate_earlier: float
    rate_later: float
    change_pp: Annotated[Interval, ("change_pp", "low_pp", "high_pp")]
    joint_low_pp: float
    joint_high_pp: float
    differs_alone: bool
    differs: bool
    n_earlier: int
    n_later: int


class ObservedCardRow(NamedTuple):
    """Row of `card_effects.csv`: estimated effect of one more copy of a card.

    Attributes:
        rank: rank of the card by its effect, from 1 for the largest.
        card: name of the card.
        effect_pp: effect of one copy in percentage points of an even deck, less the mean of the
            other cards, with its 95 % interval.
        fence_pp: effect above which a card counts as an outlier.
        is_outlier: whether the whole interval is above the fence.
        n_decks: number of decks that contain the card.
        n_archetypes: number of archetypes with decks that contain the card; `None` if they are not
            known.
        always_with: cards that occur in the same numbers in all decks, so that the effects cannot
            be separated; empty if there are none.
    """

    rank: int
    card: str
    effect_pp: Annotated[Interval, ("effect_pp", "low_pp", "high_pp")]
    fence_pp: float
    is_outlier: bool
    n_decks: int
    n_archetypes: int | None
    always_with: str


def observed_matchup_rows(
    matchups: ObservedMatchups, *, knows_draws: bool
) -> list[ObservedMatchupRow]:
    """Return one row per pair of players with games.

    Args:
        matchups: counts of the games.
        knows_draws: whether the counts include draws.
    """
    rates = matchups.win_rates()
    games = matchups.pair_games
    return [
        ObservedMatchupRow(
            matchups.names[pair.a],
            matchups.names[pair.b],
            rates.at(m),
            round(games[m]),
            bool(games[m] < FEW_GAMES),
            float(matchups.draws[pair] / games[m]) if knows_draws else None,
            matchups.first_seat_of(pair),
            round(float(matchups.first_games[pair] + matchups.first_games[pair.b, pair.a])),
            matchups.mean_turns(pair),
        )
        for m, pair in enumerate(matchups.pairs)
    ]


def observed_player_rows(
    matchups: ObservedMatchups, metagame: ObservedMetagame
) -> list[ObservedPlayerRow]:
    """Return one row per player, in the order of the players."""
    return [
        ObservedPlayerRow(
            name,
            round(float(metagame.n_games[k])),
            round(float(matchups.games[k, k])),
            float(metagame.field[k]),
            _known(metagame.win_rates, k),
            _known(metagame.field_rates, k),
            float(metagame.met[k]),
            _known(metagame.ratings, k),
            _known(metagame.shares, k),
            float(metagame.unplayed[k]) if k in metagame.complete else None,
        )
        for k, name in enumerate(matchups.names)
    ]


def _known(interval: Interval, k: int) -> Interval | None:
    """Return an entry of intervals; `None` if it is not computed."""
    return None if np.isnan(interval.estimate[k]) else interval.at(k)


def consecutive_changes(
    groups: Mapping[str, ObservedMatchups],
) -> list[tuple[str, str, ObservedChanges]]:
    """Return the changes between each group and the next one that share pairs of players.

    Args:
        groups: counts by name of the group, in order.
    """
    changes = [
        (earlier, later, changes_between(groups[earlier], groups[later]))
        for earlier, later in pairwise(groups)
    ]
    return [change for change in changes if change[2].pairs]


def observed_change_rows(
    by: str, names: Sequence[str], changes: Sequence[tuple[str, str, ObservedChanges]]
) -> list[ObservedChangeRow]:
    """Return one row per pair of groups and pair of players.

    Args:
        by: what the groups are: `patch` or `bracket`.
        names: names of the players.
        changes: changes between consecutive groups.
    """
    return [
        ObservedChangeRow(
            by,
            earlier,
            later,
            names[pair.a],
            names[pair.b],
            float(change.before.estimate[m]),
            float(change.after.estimate[m]),
            change.change.at(m).times(100),
            100 * float(change.joint.low[m]),
            100 * float(change.joint.high[m]),
            bool(change.differs_alone[m]),
            bool(change.differs[m]),
            round(float(change.n_before[m])),
            round(float(change.n_after[m])),
        )
        for earlier, later, change in changes
        for m, pair in enumerate(change.pairs)
    ]


def observed_card_rows(
    cards: Sequence[str], found: ObservedCards, *, knows_archetypes: bool
) -> list[ObservedCardRow]:
    """Return one row per card with an estimated effect, the largest first.

    Args:
        cards: names of all cards.
        found: effects of the cards.
        knows_archetypes: whether the lists name archetypes.
    """
    effects = found.effects
    names = [cards[position] for position in effects.cards]
    return [
        ObservedCardRow(
            rank,
            names[k],
            effects.effect.at(k).times(PP_PER_LOGIT),
            PP_PER_LOGIT * float(effects.fence[k]),
            bool(effects.is_outlier[k]),
            int(effects.n_decks[k]),
            int(found.n_archetypes[k]) if knows_archetypes else None,
            "; ".join(names[other] for other in found.together[k]),
        )
        # A stable sort keeps equal effects in the order of the names.
        for rank, k in enumerate(np.argsort(-effects.effect.estimate, kind="stable").tolist(), 1)
    ]
