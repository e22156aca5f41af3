"""Settings for training networks that read cards: the table `[net]` of an experiment file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sim.files.validation import StrictModel

GameCount = Annotated[int, Field(ge=2, le=10**8, multiple_of=2)]


class NetSettings(StrictModel):
    """Settings for the training of learners of kind `net`.

    Attributes:
        rounds: number of rounds of games and training of the learned value; each round plays with
            the value of the round before, and has twice as many games.
        games: number of recorded games of the last of these rounds.
        lesson_games: number of games of each of the two lessons, in which the policy network learns
            from a search with the learned value.
        play_rounds: number of rounds in which the policy network plays against itself.
        play_games: number of games of each of these rounds.
        play_passes: passes over the decisions of these games.
        play_rate: learning rate of these rounds.
        judge_games: number of games of the final test against each opponent.
        device: device on which torch computes.
    """

    rounds: int = Field(default=3, ge=1, le=8)
    games: int = Field(default=40_000, ge=400, le=10**7)
    lesson_games: int = Field(default=8_000, ge=400, le=10**7)
    play_rounds: int = Field(default=2, ge=0, le=100)
    play_games: int = Field(default=40_000, ge=400, le=10**7)
    play_passes: int = Field(default=2, ge=1, le=10)
    play_rate: float = Field(default=7e-4, gt=0, le=0.1)
    judge_games: GameCount = 2_000
    device: Literal["cpu", "cuda"] = "cpu"
