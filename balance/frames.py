"""Results as pandas tables, for notebooks and for one's own analysis.

The columns are those of the CSV files that the commands write; bounds of intervals and sample
sizes are always among them. This module loads pandas, so nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import pandas as pd

from balance.card_contest import CardContest
from balance.levers import Levers
from balance.matchups import MatchupCounts
from balance.narrowing import Narrowing
from balance.power import CardPower
from balance.result_tables import (
    CARDS_HEADER,
    LEVERS_HEADER,
    MATRIX_HEADER,
    NARROWING_HEADER,
    POWER_HEADER,
    card_rows,
    lever_rows,
    matrix_rows,
    narrowing_rows,
    power_rows,
)
from balance.search_space import SearchSpace
from sim.cards.deck import Deck
from sim.cards.pool import Pool
from sim.cards.spreadsheet import described


def deck_frame(deck: Deck, pool: Pool) -> pd.DataFrame:
    """The cards of a deck with their numbers, by cost.

    Raises:
        InputError: a card is not in the pool.
    """
    columns, rows = described([pool.card(card_id) for card_id in deck.cards])
    lines = [[card_id, *row, n] for (card_id, n), row in zip(deck.cards.items(), rows, strict=True)]
    frame = pd.DataFrame(lines, columns=["card", *columns, "copies"])
    return frame.sort_values("cost", kind="stable", ignore_index=True)


def matchup_frame(contest: CardContest, counts: MatchupCounts, variant: int = 0) -> pd.DataFrame:
    """Every matchup's win rate, first seat, draws and length; win rates are those of `a`."""
    return pd.DataFrame(matrix_rows(contest, counts, variant), columns=MATRIX_HEADER)


def card_frame(contest: CardContest, counts: MatchupCounts, variant: int = 0) -> pd.DataFrame:
    """How often each card was drawn and played, and the win rate when it was.

    Args:
        contest: cards and players.
        counts: games played with `keep_cards`.
        variant: which variant of the cards.
    """
    return pd.DataFrame(card_rows(contest, counts, variant), columns=CARDS_HEADER)


def power_frame(contest: CardContest, powers: Sequence[CardPower]) -> pd.DataFrame:
    """Every card's power in each deck, beside its win rates when drawn and when played."""
    return pd.DataFrame(power_rows(contest, powers), columns=POWER_HEADER)


def lever_frame(contest: CardContest, space: SearchSpace, levers: Levers) -> pd.DataFrame:
    """How far one step of each number moves each matchup."""
    return pd.DataFrame(lever_rows(contest, space, levers), columns=LEVERS_HEADER)


def narrowing_frame(
    contest: CardContest, narrowing: Narrowing, *, n_games: int | None = None
) -> pd.DataFrame:
    """Every movable card by its score, and whether the search may move it.

    Args:
        contest: cards and players.
        narrowing: what was kept.
        n_games: games behind each score, as column `n`.
    """
    frame = pd.DataFrame(narrowing_rows(contest, narrowing), columns=NARROWING_HEADER)
    if n_games is not None:
        frame.insert(NARROWING_HEADER.index("high_pp") + 1, "n", n_games)
    return frame


def read_frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """A table that was read from a CSV file as text, with numbers and truth values again."""
    text = StringIO()
    pd.DataFrame(rows).to_csv(text, index=False)
    text.seek(0)
    return pd.read_csv(text)
