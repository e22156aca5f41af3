"""Settings of the second opinion on a recommended patch: its pilots and their games."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from agents.registry import known_spelling
from balance.settings.agent_names import distinct
from sim.files.validation import StrictModel

# Minimum number of games of all looks together: the first look, an eighth of the games, then has 4
# seeds, from which a variance can be estimated.
LEAST_GAMES = 64

PILOTS = ("greedy", "light", "reader")
"""Default pilots: a script that looks one action ahead, a cheap search, and a search that reads."""


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of agents in their registered spelling, after checking that all differ.

    Raises:
        InputError: a name is unknown, or two names mean the same agent.
    """
    return distinct(tuple(map(known_spelling, names)))


class SecondOpinion(StrictModel):
    """Settings of the second opinion on a recommended patch.

    Attributes:
        pilots: names of agents, each of which pilots all decks; an empty list skips the second
            opinion.
        games: maximum number of games per matchup of each pilot; by default
            `balance.second_opinion.verdicts.most_games_of` the pilot.
    """

    pilots: Annotated[tuple[str, ...], AfterValidator(_distinct)] = PILOTS
    games: Annotated[int, Field(ge=LEAST_GAMES, le=100_000_000, multiple_of=2)] | None = None
