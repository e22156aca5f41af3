"""Rows with the effects of past changes of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from balance import Interval
from balance.statistics.intervals import Floats
from experiments.observed.retrodiction_experiment import ChangeEffect, RetrodictionExperiment


class RetrodictionRow(NamedTuple):
    """Row of `effects.csv`: effect of one past change.

    Attributes:
        card: id of the changed card.
        name: name of the changed card.
        date: date or patch of the change; `""` if the table has none.
        change: changed numbers with their values before and after.
        deck: name of the player with the card.
        copies: number of copies of the card in the deck; 0 if another card makes it.
        win_rate: mean win rate of the deck before the change, against the first deck of each other
            archetype.
        effect_pp: change of the mean win rate, in percentage points, with its paired interval.
        response: what followed the change, as the table has it; `None` if not known.
        n: number of games before the change, and of games after it.
    """

    card: str
    name: str
    date: str
    change: str
    deck: str
    copies: int
    win_rate: float
    effect_pp: Annotated[Interval, ("effect_pp", "low_pp", "high_pp")]
    response: float | None
    n: int


def retrodiction_rows(
    experiment: RetrodictionExperiment, effects: Sequence[ChangeEffect], n_games: int
) -> list[RetrodictionRow]:
    """Return a row for each played change, in the order of the table.

    Args:
        experiment: experiment with the changes.
        effects: effect of each played change.
        n_games: number of games of each matchup.
    """
    return [
        RetrodictionRow(
            trial.change.card,
            trial.change.name,
            trial.change.date,
            trial.change.words,
            experiment.player_names[trial.deck],
            experiment.decks[trial.deck].cards.get(trial.change.card, 0),
            effect.win_rate,
            effect.effect_pp,
            None if np.isnan(trial.change.response) else trial.change.response,
            n_games * len(trial.opponents),
        )
        for trial, effect in zip(experiment.trials, effects, strict=True)
    ]


def effects_of(rows: Sequence[RetrodictionRow]) -> Interval:
    """Return the effect of each row, in percentage points, shape ``[C]``."""
    bounds = np.array([[float(bound) for bound in row.effect_pp] for row in rows])
    return Interval(*bounds.reshape(-1, 3).T)


def responses_of(rows: Sequence[RetrodictionRow]) -> Floats:
    """Return the response of each row, NaN if not known, shape ``[C]``."""
    return np.array([np.nan if row.response is None else row.response for row in rows])
