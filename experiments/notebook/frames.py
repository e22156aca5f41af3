"""Results of whole runs as pandas tables; `balance.frames` has those of single measurements."""

from __future__ import annotations

import pandas as pd

from balance.card_contest import CardContest
from balance.decks.building import BuiltDeck
from balance.decks.substitutes import Substitution
from balance.frames import frame_of
from balance.metagame.metagame import Metagame
from balance.pipeline import BalanceRun
from experiments.commands.substitute import SubstituteRow, substitute_rows
from experiments.experiment import Experiment
from experiments.results.building import OpponentRow, opponent_rows
from experiments.results.front import FrontRow, front_rows
from experiments.results.metagame import MetagameRow, metagame_rows
from experiments.results.stages import GuardRow, guard_rows, stage_rows
from sim.cards.pool import Pool
from sim.files.row_file import entry

_STAGES = ("today", "claimed", "selected", "certified")


def stage_frame(experiment: Experiment, run: BalanceRun) -> pd.DataFrame:
    """Win rates with the recommended patch: a row for each matchup and stage."""
    return pd.DataFrame(
        {"matchup": row.matchup, "stage": stage, **entry(getattr(row, stage))}
        for row in stage_rows(run, experiment.settings.target.band_pp)
        for stage in _STAGES
    )


def front_frame(run: BalanceRun) -> pd.DataFrame:
    """Every patch played again, by rising change, in the columns of `front.csv`."""
    return frame_of(FrontRow, front_rows(run))


def guard_frame(run: BalanceRun) -> pd.DataFrame:
    """What the guards watch, in the columns of `guards.csv`; a row's readings have one unit."""
    return frame_of(GuardRow, guard_rows(run))


def substitute_frame(pool: Pool, found: Substitution) -> pd.DataFrame:
    """Every stand-in that raced, in the columns of `substitutes.csv`."""
    return frame_of(SubstituteRow, substitute_rows(pool, found))


def opponent_frame(built: BuiltDeck) -> pd.DataFrame:
    """What a built deck wins, in the columns of `opponents.csv`; the last row is the field."""
    n_games = built.n_games * len(built.field.opponents)
    field = OpponentRow("the field", "", 1.0, built.score, n_games)
    return frame_of(OpponentRow, [*opponent_rows(built), field])


def metagame_frame(contest: CardContest, metagame: Metagame) -> pd.DataFrame:
    """Every player's share, rating and win rate against the mix, as in `metagame.csv`."""
    return frame_of(MetagameRow, metagame_rows(contest, metagame))
