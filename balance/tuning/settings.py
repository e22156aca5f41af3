"""Settings for tuning the weights of a turn search: the table `[turn]` of an experiment file."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from sim.errors import InputError
from sim.files.validation import StrictModel

SELF = "self"
START = "start"
# Games of a generation of the cuckoo search: 50 for an egg, a nest, all 15 nests and 3 newcomers.
CUCKOO_GAMES = 1_000
_N_NODES_MAX = 8_000  # as in `agents.search.turn.tree`, which is slow to load
Method = Literal["cma", "cuckoo"]
GameCount = Annotated[int, Field(ge=2, le=10**8, multiple_of=2)]

_DEFAULT_PANELS: dict[Method, tuple[str, ...]] = {
    "cma": ("greedy", "control", START, SELF),
    "cuckoo": (START,),  # as in metastone
}


def _check_different(panel: tuple[str, ...]) -> tuple[str, ...]:
    """Return the panel after a check that it names no agent twice.

    Raises:
        InputError: a name occurs twice.
    """
    if len(set(panel)) < len(panel):
        raise InputError("must name no agent twice", value=panel)
    return panel


class TurnSettings(StrictModel):
    """Settings for tuning the weights of learners of kind `turn`.

    Attributes:
        method: tuning method, `cma` or `cuckoo` (`balance.tuning.rounds`).
        start: initial weights: the name of shipped weights, or a file that ends in `.toml`.
        nodes: number of positions per decision of candidates, `start` and `self`.
        games: number of tuning games for each learner.
        panel: agents that play the opponents' decks: names of agents, `start` for the initial
            weights, and `self` for the best weights so far. Default for `cma`: greedy, control,
            `start` and `self`; for `cuckoo`: `start`.
        spread: for `cma`, initial standard deviation of the candidates, and for `cuckoo`, median
            size of a jump, both as a share of each weight.
        candidates: number of candidates per generation of `cma`.
        first_games: for `cma`, number of games of each candidate before the worse half is dropped.
        more_games: for `cma`, number of further games of each candidate of the better half.
        evaluate_every: number of tuning games between two points of the learning curve.
        evaluate_games: number of games of such a point against each agent of the panel, not counted
            in `games`.
        judge_games: number of games of the final test against each opponent.
    """

    method: Method = "cma"
    start: str = "hand"
    nodes: int = Field(default=50, ge=1, le=_N_NODES_MAX)
    games: int = Field(default=20_000, ge=100, le=10**9)
    panel: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_check_different)] = (
        Field(default_factory=lambda settings: _DEFAULT_PANELS[settings["method"]])
    )
    spread: float = Field(default=0.3, gt=0, le=2)
    candidates: int = Field(default=13, ge=4, le=1_000)  # 4 + 3 ln K (Hansen) for K = 24
    first_games: GameCount = 24
    more_games: GameCount = 24
    evaluate_every: int = Field(default=2_000, ge=2, le=10**9)
    evaluate_games: GameCount = 400
    judge_games: GameCount = 4_000

    @model_validator(mode="after")
    def _check_games(self) -> TurnSettings:
        """Check that the games suffice for one generation.

        Raises:
            InputError: `games` is less than `generation_games`.
        """
        if self.games < self.generation_games:
            raise InputError(
                f"{self.games:,} must be at least {self.generation_games:,}, the games of one "
                f"generation of method {self.method!r}",
                place="games",
                value=self.games,
                limit=self.generation_games,
                separator=" = ",
            )
        return self

    @property
    def generation_games(self) -> int:
        """Maximum number of games of a generation; with fewer games left, the tuning ends."""
        if self.method == "cuckoo":
            return CUCKOO_GAMES
        halved = math.ceil(self.candidates / 2)
        return self.candidates * self.first_games + halved * self.more_games
