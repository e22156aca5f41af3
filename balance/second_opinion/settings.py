"""Settings of the second opinion: which pilots play a found patch, and how long."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from agents.registry import known_spelling
from balance.second_opinion.verdicts import LEAST_GAMES
from sim.files.validation import StrictModel

PILOTS = ("greedy", "light", "turn:200")
"""By default: one that looks one action ahead, a cheap search and a strong one."""


def _distinct(told: tuple[str, ...]) -> tuple[str, ...]:
    pilots = tuple(map(known_spelling, told))
    for name in pilots:
        if pilots.count(name) > 1:
            raise ValueError(f"{name!r} is named twice; once is enough")
    return pilots


class SecondOpinion(StrictModel):
    """Who plays a found patch besides the pilots that it was found and certified with.

    Attributes:
        pilots: names of agents; each pilots all decks at once. None switch the stage off.
        games: most games per matchup of each pilot; default as many as their time allows
            (`balance.second_opinion.verdicts.most_games_of`).
    """

    pilots: Annotated[tuple[str, ...], AfterValidator(_distinct)] = PILOTS
    games: Annotated[int, Field(ge=LEAST_GAMES, le=100_000_000, multiple_of=2)] | None = None
