"""Conversion of results to pandas data frames, for notebooks and further analysis.

Columns are those of the CSV files that the commands write, including bounds of intervals and sample
sizes. Importing pandas takes long, so modules that every command loads must not import this module
at their top.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.cards.card_contest import CardContest
from balance.cards.narrowing import Levers, Narrowing
from balance.cards.power import CardPower
from balance.contest.readings import MatchupCounts
from balance.result.frame import frame_of
from balance.run.result_tables import (
    CARD_COLUMNS,
    LEVER_COLUMNS,
    MatchupRow,
    NarrowingRow,
    PowerRow,
    card_rows,
    lever_rows,
    matchup_rows,
    narrowing_rows,
    power_rows,
)
from balance.space.search_space import SearchSpace
from sim import Deck, Pool
from sim.cards.cell_text import described


def deck_frame(deck: Deck, pool: Pool) -> pd.DataFrame:
    """Return a data frame of the cards of a deck with their numbers and copies, sorted by cost.

    Args:
        deck: deck with the cards.
        pool: pool with the numbers of the cards.

    Raises:
        InputError: a card is not in the pool.
    """
    header, rows = described([pool.card(card_id) for card_id in deck.cards])
    lines = [[card_id, *row, n] for (card_id, n), row in zip(deck.cards.items(), rows, strict=True)]
    frame = pd.DataFrame(lines, columns=["card", *header, "copies"])
    return frame.sort_values("cost", kind="stable", ignore_index=True)


def matchup_frame(contest: CardContest, counts: MatchupCounts, variant: int = 0) -> pd.DataFrame:
    """Return a data frame with win rate, first-seat rate, draws and game length of every matchup.

    Win rates are those of the first player, `a`.

    Args:
        contest: contest of the games.
        counts: results of the games.
        variant: position of the variant to show.

    Example:
        >>> from balance import load_contest, play_matchups
        >>> contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
        >>> cards = contest.table
        >>> counts = play_matchups(contest, cards, n_games=400, run_seed=1, purpose="matchups")
        >>> matchup_frame(contest, counts)[["a", "b", "win_rate_a", "n"]]
                    a          b  win_rate_a    n
        0  ember_rush  tide_keep      0.6825  400
    """
    return frame_of(MatchupRow, matchup_rows(contest, counts, variant))


def card_frame(contest: CardContest, counts: MatchupCounts, variant: int = 0) -> pd.DataFrame:
    """Return a data frame of the use of each card: copies drawn and played, and their win rates.

    Args:
        contest: contest of the games.
        counts: results of games played with `keep_cards`.
        variant: position of the variant to show.
    """
    return frame_of(CARD_COLUMNS, card_rows(contest, counts, variant))


def power_frame(contest: CardContest, powers: Sequence[CardPower]) -> pd.DataFrame:
    """Return a data frame of every card's power and win rates in each deck.

    Args:
        contest: contest with the names of the cards.
        powers: power of each card, as `measure_power` returns it.
    """
    return frame_of(PowerRow, power_rows(contest, powers))


def lever_frame(contest: CardContest, space: SearchSpace, levers: Levers) -> pd.DataFrame:
    """Return a data frame of sensitivities: the effect of one step of each number on each matchup.

    Args:
        contest: contest with the names of cards and matchups.
        space: search space with the numbers.
        levers: measured sensitivities.
    """
    return frame_of(LEVER_COLUMNS, lever_rows(contest, space, levers))


def narrowing_frame(
    contest: CardContest, narrowing: Narrowing, *, n_games: int | None = None
) -> pd.DataFrame:
    """Return a data frame of the narrowing: each candidate card's score, and whether it is kept.

    Args:
        contest: contest with the names of the cards.
        narrowing: scores and kept cards.
        n_games: number of games from which each score is computed, for a column `n`; `None` to
            leave the column out.
    """
    frame = frame_of(NarrowingRow, narrowing_rows(contest, narrowing))
    if n_games is not None:
        frame.insert(list(frame.columns).index("high_pp") + 1, "n", n_games)
    return frame
