"""Settings of a panel of pilots, for which one patch is searched and certified."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from balance.contest.target import Share
from balance.settings.agent_names import OWN, AgentName, distinct
from sim.errors import InputError
from sim.files.validation import StrictModel

PANEL = (OWN, "light", "reader")
"""Default pilots: the players' own agents, a cheap search, and a search that reads cards."""

# Most games of a cheap pilot for each game of the dearest. Scripts are a thousand times as fast as
# searches, but more games of them would decide nothing that the dear pilots' games do not.
REPEATS_MAX = 256


def _power_of_two(repeats: int) -> int:
    """Return a number of games, after checking that it is a power of two.

    Raises:
        InputError: it is not; means over other numbers of games would have rounding errors.
    """
    if repeats & (repeats - 1):
        raise InputError("must be a power of two, such as 4 or 16", value=repeats)
    return repeats


Repeats = Annotated[int, Field(ge=1, le=REPEATS_MAX), AfterValidator(_power_of_two)]
"""Number of games of a pilot for each game of the dearest pilot."""


class Robust(StrictModel):
    """Settings `[robust]`: a panel of pilots, with each of which one patch has to hold.

    Attributes:
        pilots: names of agents, each of which plays all decks; `own` for the players' agents, and
            `learners` for the agents that the experiment trains for the players' decks.
        bands_pp: half-width of the bands of a pilot's rates around the goals, in percentage points;
            by default that of the target for `own` and one and a half times as much for others.
        games: games of a pilot for each game of the dearest pilot, powers of two; by default 64 for
            scripts, 8 for cheap searches and networks, and 1 for other searches.
        total: number of games of all stages and pilots; by default it follows from the games of
            the dearest pilot (`balance.panel.panel_question.DEAREST_GAMES`).
        rounds: maximum number of times that decks are built against the patch and join the
            demands, after which a patch is searched anew; 0 for no attack.
        attacker_most: largest permitted mean win rate of a built deck against the decks.
        attackers: number of the best decks of each pilot that searches, of one round.
    """

    pilots: Annotated[tuple[AgentName, ...], Field(min_length=1), AfterValidator(distinct)] = PANEL
    bands_pp: dict[AgentName, Annotated[float, Field(ge=0.5, le=50)]] = Field(default_factory=dict)
    games: dict[AgentName, Repeats] = Field(default_factory=dict)
    total: int | None = Field(default=None, ge=1, le=10**12)
    rounds: int = Field(default=0, ge=0, le=20)
    attacker_most: Share = 0.55
    attackers: int = Field(default=5, ge=1, le=30)
