"""Settings of tuning: the table `[turn]` of an experiment file."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from sim.files.validation import StrictModel

SELF = "self"
START = "start"
CUCKOO_GAMES = 1_000  # of a generation: an egg and its nest, all 15 nests, 3 newcomers, 50 each
_N_NODES_MAX = 8_000  # as in `agents.search.turn.tree`, which is slow to load
Method = Literal["cma", "cuckoo"]
GameCount = Annotated[int, Field(ge=2, le=10**8, multiple_of=2)]

_USUAL: dict[Method, tuple[str, ...]] = {
    "cma": ("greedy", "control", START, SELF),
    "cuckoo": (START,),
}


def _are_different(panel: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(panel)) < len(panel):
        raise ValueError("names an agent twice")
    return panel


class TurnSettings(StrictModel):
    """How the weights of learners of kind `turn` are tuned.

    Attributes:
        method: `cma` or `cuckoo` (`balance.tuning`).
        start: weights at which it begins, a name that is shipped or a file that ends in `.toml`.
        nodes: positions that a decision may try, of candidates and of `start` and `self`.
        games: in all, for each learner.
        panel: who pilots the opponents' decks: agents, `start`, and `self`, which is what the
            method holds for the best so far; default greedy, control, `start` and `self`, and
            `start` alone for the cuckoo search, whose authors had it so.
        spread: how far candidates are scattered at first, as a share of each weight.
        candidates: of a generation of `cma`.
        first_games: that each of them plays, before the worse half is dropped.
        more_games: that the others play then.
        evaluate_every: games between two points of the learning curve, which cost no games.
        evaluate_games: of a point, against each of the panel.
        judge_games: that tell at the end what came of it, against each opponent.
    """

    method: Method = "cma"
    start: str = "hand"
    nodes: int = Field(default=50, ge=1, le=_N_NODES_MAX)
    games: int = Field(default=20_000, ge=100, le=10**9)
    panel: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_are_different)] = Field(
        default_factory=lambda told: _USUAL[told["method"]]
    )
    spread: float = Field(default=0.3, gt=0, le=2)
    candidates: int = Field(default=13, ge=4, le=1_000)
    first_games: GameCount = 24
    more_games: GameCount = 24
    evaluate_every: int = Field(default=2_000, ge=2, le=10**9)
    evaluate_games: GameCount = 400
    judge_games: GameCount = 4_000

    @model_validator(mode="after")
    def _has_games_for_a_generation(self) -> TurnSettings:
        if self.games < self.generation_games:
            raise ValueError(
                f"games = {self.games:,} must be at least {self.generation_games:,}, which one "
                f"generation of {self.method} can take"
            )
        return self

    @property
    def generation_games(self) -> int:
        """The most games that a generation takes; without as many left there is no other."""
        if self.method == "cuckoo":
            return CUCKOO_GAMES
        halved = math.ceil(self.candidates / 2)
        return self.candidates * self.first_games + halved * self.more_games
