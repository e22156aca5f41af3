"""Results of whole runs as pandas tables; `balance.frames` has those of single measurements."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from balance.card_contest import CardContest
from balance.decks.building import BuiltDeck
from balance.decks.substitutes import Substitution
from balance.metagame.metagame import Metagame
from balance.pipeline import BalanceRun
from experiments.commands import metagame as metagame_command
from experiments.commands import substitute as substitute_command
from experiments.commands.balance_report import GUARDS_HEADER, guard_rows, stage_rows
from experiments.commands.build_report import OPPONENTS_HEADER, opponent_rows
from experiments.experiment import Experiment
from experiments.tables.front import front_rows
from sim.cards.pool import Pool

_STAGES = ("today", "claimed", "selected", "certified")


def stage_frame(experiment: Experiment, run: BalanceRun) -> pd.DataFrame:
    """Win rates with the recommended patch: a row for each matchup and stage."""
    header, rows = stage_rows(experiment, run)
    wide = pd.DataFrame(rows, columns=header)
    parts = []
    for stage in _STAGES:
        part = wide[["matchup"]].assign(stage=stage, win_rate=wide[stage])
        for column in ("low", "high", "confidence", "n"):
            part[column] = wide[f"{stage}_{column}"]
        parts.append(part)
    return pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)


def front_frame(run: BalanceRun) -> pd.DataFrame:
    """Every genome played again, by rising change, in the columns of `front.csv`."""
    header, rows = front_rows(run)
    verdict = [column for column in header if column.startswith("certified_")]
    return _numbers(pd.DataFrame(rows, columns=header), verdict)


def guard_frame(run: BalanceRun) -> pd.DataFrame:
    """What the guards watch, in the columns of `guards.csv`; a row's readings have one unit."""
    return pd.DataFrame(guard_rows(run), columns=GUARDS_HEADER)


def substitute_frame(pool: Pool, found: Substitution) -> pd.DataFrame:
    """Every stand-in that raced, in the columns of `substitutes.csv`."""
    rows = substitute_command.substitute_rows(pool, found)
    frame = pd.DataFrame(rows, columns=substitute_command.HEADER)
    measured = ("gain_pp", "low_pp", "high_pp", "n")  # empty for those that were not
    return _numbers(frame, measured).astype({"n": "Int64"})


def opponent_frame(built: BuiltDeck) -> pd.DataFrame:
    """What a built deck wins, in the columns of `opponents.csv`; the last row is the field."""
    win_rate, low, high = map(float, built.score)
    n_games = built.n_games * len(built.field.opponents)
    field = ["the field", "", 1.0, win_rate, low, high, n_games]
    return pd.DataFrame([*opponent_rows(built), field], columns=OPPONENTS_HEADER)


def metagame_frame(contest: CardContest, metagame: Metagame) -> pd.DataFrame:
    """Every player's share, rating and win rate against the mix, as in `metagame.csv`."""
    rows = metagame_command.metagame_rows(contest, metagame)
    return pd.DataFrame(rows, columns=metagame_command.HEADER)


def _numbers(frame: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """The frame with numbers in these columns, whose empty cells had made them text."""
    return frame.assign(**{column: pd.to_numeric(frame[column]) for column in columns})
