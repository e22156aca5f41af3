"""Settings for training a learned value: the table `[net]` of an experiment file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sim.files.validation import StrictModel

GameCount = Annotated[int, Field(ge=2, le=10**8, multiple_of=2)]


class NetSettings(StrictModel):
    """Settings for the training of learners of kind `net`.

    Attributes:
        rounds: number of rounds of games and training; each round plays with the value of the round
            before, and has twice as many games.
        games: number of recorded games of the last round.
        judge_games: number of games of the final test against each opponent.
    """

    rounds: int = Field(default=3, ge=1, le=8)
    games: int = Field(default=40_000, ge=400, le=10**7)
    judge_games: GameCount = 2_000
