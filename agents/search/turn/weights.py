"""Weights of turn agents: small text files, and the words that the search makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from agents.search.turn import parameters as of
from sim import InputError, StrictModel, did_you_mean, read_toml, validate

Words16 = npt.NDArray[np.int16]
WEIGHT_MAX = 5_000  # of all weights times their features, sums must fit far below 2**31
LEAVES_MAX = 100
WORLDS_MAX = 20
WINS_MAX = 4_000
# Of 609 wins on the spot of real cards and of saga, all that hung on no luck but three were found
# with 1,000 positions. An answer takes about as long as 10 of them, and few turns need them, so
# that a search which asks for few answers stays as cheap as it is.
WINS_ENOUGH = 1_000
WINS_PER_ANSWER = 10
_SHIPPED = Path(__file__).parent / "shipped"

Weight = Annotated[int, Field(ge=-WEIGHT_MAX, le=WEIGHT_MAX)]


class SideWeights(StrictModel):
    """What things of one side count; the words are those of `agents.search.turn.parameters`."""

    life: Weight
    points: Weight = 0
    attack: Weight
    health: Weight
    bodies: Weight
    guard: Weight
    shield: Weight
    skill: Weight
    text: Weight
    frozen: Weight
    hand: Weight
    weapon: Weight
    secret: Weight
    deck: Weight


class ProspectWeights(StrictModel):
    """What counts of both sides together: mana, and who is about to kill whom."""

    crystals: Weight
    playable: Weight
    unused: Weight
    overload: Weight
    tricks: Weight
    danger: Weight
    threat: Weight
    finish: Weight
    pressure: Weight
    mastery: Weight


class SearchSettings(StrictModel):
    """How a search spends its positions.

    Attributes:
        depth: most actions in a row, 0 for no limit.
        leaves: ends of the turn that the enemy answers, 1 to 100.
        worlds: in which it does, and in which luck is tried, 1 to 20.
        reply: of 16 parts of a leaf's worth, how many come from after the answer.
        fresh: what attack and mana not yet used add to a position's place in the order.
        wins: positions that the search for a win in this turn may try, 0 for as many as take a
            small part of the time of the answers.
    """

    depth: int = Field(default=0, ge=0, le=100)
    leaves: int = Field(ge=1, le=LEAVES_MAX)
    worlds: int = Field(ge=1, le=WORLDS_MAX)
    reply: int = Field(ge=0, le=16)
    fresh: Weight
    wins: int = Field(default=0, ge=0, le=WINS_MAX)


class MulliganSettings(StrictModel):
    """Which cards of an opening hand are kept.

    Attributes:
        cheap: all that cost at most this.
        dearest: and one of each cost up to this.
    """

    cheap: int = Field(ge=0, le=100)
    dearest: int = Field(ge=0, le=100)


class Origin(StrictModel):
    """Where tuned weights come from; nothing here is told to the agent.

    Attributes:
        experiment: whose learner they were.
        ruleset: by which rules they were tuned,
        pool: with these cards,
        decks: these decks, against
        opponents: these, piloted by
        panel: these agents.
        method: `cma` or `cuckoo`.
        start: the weights at which it began.
        nodes: positions of a decision.
        games: that were played.
        seed: of the run.
    """

    experiment: str
    ruleset: str
    pool: str
    decks: tuple[str, ...]
    opponents: tuple[str, ...]
    panel: tuple[str, ...]
    method: str
    start: str
    nodes: int
    games: int
    seed: int


class Weights(StrictModel):
    """A file of weights.

    Attributes:
        note: where they come from, for whoever reads the file.
        ruleset: the only rules by which they may play, if it is named.
        search: how positions are spent.
        mulligan: which cards are kept.
        own: what the own side's things count, in points of which 30,000 are a game.
        enemy: the enemy's, usually below zero.
        prospects: what counts of both together.
        origin: what made them, if they were tuned.
    """

    note: str = ""
    ruleset: str | None = None
    search: SearchSettings
    mulligan: MulliganSettings
    own: SideWeights
    enemy: SideWeights
    prospects: ProspectWeights
    origin: Origin | None = None

    def parameters(self, n_nodes: int) -> Words16:
        """``[PARAMETERS_SIZE]`` the words of an agent that may try so many positions."""
        words = np.zeros(of.PARAMETERS_SIZE, dtype=np.int16)
        words[of.NODES] = n_nodes
        starts = {"search": 0, "mulligan": 0, "prospects": 0, "own": of.OWN, "enemy": of.ENEMY}
        for part, start in starts.items():
            for name, value in getattr(self, part):
                words[start + getattr(of, name.upper())] = value
        if self.search.wins == 0:
            answers = self.search.leaves * self.search.worlds
            words[of.WINS] = min(WINS_PER_ANSWER * answers, WINS_ENOUGH)
        return words


def weights_text(weights: Weights) -> str:
    """The weights as TOML that reads back as equal ones."""
    import tomlkit  # noqa: PLC0415 (only who writes some needs it)

    return tomlkit.dumps(weights.model_dump(mode="json", exclude_none=True))


def shipped_weights() -> list[str]:
    """The names of the weights that come with the package."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def load_weights(name: str) -> Weights:
    """The weights called `name`, or in the file `name` when that ends in `.toml`.

    Raises:
        InputError: no such file, or it holds no such weights; names the key, value and limit.
    """
    is_path = name.endswith(".toml")
    if not is_path and name not in shipped_weights():
        names = shipped_weights()
        raise InputError(
            f"no weights {name!r}; known: {', '.join(names)}, or a file that ends in .toml"
            f"{did_you_mean(name, names)}"
        )
    path = Path(name) if is_path else _SHIPPED / f"{name}.toml"
    return validate(Weights, read_toml(path), source=str(path))
