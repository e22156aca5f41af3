"""Settings and weights of turn agents, read from TOML files and packed into rows of words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from agents.search.turn import parameters as param
from sim import InputError, StrictModel, did_you_mean, read_toml, validate
from sim.files.toml_document import load_tomlkit

Words16 = npt.NDArray[np.int16]
WEIGHT_MAX = 5_000  # so that sums of all weights times their features stay far below 2**31
TRIALS_MAX = 100  # chosen by hand: with doubling rounds, a line meets several times as many
LEAVES_MAX = 100  # chosen by hand: three times as many as the shipped weights use
WORLDS_MAX = 20  # chosen by hand: three times as many as the shipped weights use
WINS_MAX = 4_000  # half the nodes of a tree: the longest search for a win that was measured
# With 1,000 positions, all but three of 609 wins were found that real cards and saga permit without
# chance. An answer of the enemy takes as long as 10 positions and few turns need a search for a
# win, so a search with few answers stays cheap if it tries at most 10 positions per answer.
WINS_ENOUGH = 1_000  # maximum number of positions of a search for a win if `wins` is 0
WINS_PER_ANSWER = 10  # number of positions per answer of the enemy if `wins` is 0
VALUE_MAX = 16  # weight of the learned value if the features do not count, in 16ths
_SHIPPED = Path(__file__).parent / "shipped"

Weight = Annotated[int, Field(ge=-WEIGHT_MAX, le=WEIGHT_MAX)]


class SideWeights(StrictModel):
    """Weights of the features of one side, such as life, minions and hand.

    `agents.search.turn.parameters` says for each name what its weight multiplies.
    """

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
    """Weights of features that depend on both sides: mana, and attacks that may kill a player.

    `agents.search.turn.parameters` says for each name what its weight multiplies.
    """

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
    """Limits and settings of a turn search.

    Attributes:
        depth: maximum number of actions in a line; 0 means no limit.
        leaves: number of ends of the turn that the enemy answers.
        worlds: number of worlds in which the enemy answers and random outcomes are averaged.
        reply: weight, in 16ths, of the position after the enemy's answer in the value of a turn's
            end.
        value: weight, in 16ths, of the learned value in the mean with the features after an
            answer; with 0 no network is needed.
        logit: points of the features that equal a logit of 1 of the learned value.
        lines: number of best lines that are compared again with the answers of the policy network;
            0 for none. It needs the learned value.
        trials: number of worlds in which these lines are first compared.
        fresh: weight of attack and mana not yet used, which affects only the order of the search.
        wins: maximum number of positions of the search for a win; 0 means 10 positions per answer
            of the enemy, but at most 1,000.
    """

    depth: int = Field(default=0, ge=0, le=100)
    leaves: int = Field(ge=1, le=LEAVES_MAX)
    worlds: int = Field(ge=1, le=WORLDS_MAX)
    reply: int = Field(ge=0, le=16)
    value: int = Field(default=0, ge=0, le=VALUE_MAX)
    logit: int = Field(default=1_300, ge=1, le=WEIGHT_MAX)
    lines: int = Field(default=0, ge=0, le=LEAVES_MAX)
    trials: int = Field(default=6, ge=1, le=TRIALS_MAX)
    fresh: Weight
    wins: int = Field(default=0, ge=0, le=WINS_MAX)


class MulliganSettings(StrictModel):
    """Rules for the cards of an opening hand that are kept in a mulligan.

    Attributes:
        cheap: maximum cost at which all cards are kept.
        dearest: maximum cost at which one card of each cost is kept.
    """

    cheap: int = Field(ge=0, le=100)
    dearest: int = Field(ge=0, le=100)


class Origin(StrictModel):
    """Origin of tuned weights, for readers of the file; the search does not use it.

    Attributes:
        experiment: name of the experiment that tuned the weights.
        ruleset: name of the ruleset of the games.
        pool: name of the card pool.
        decks: names of the decks that the tuned agent played.
        opponents: names of the opposing decks.
        panel: names of the agents that played the opposing decks.
        method: tuning method, `cma` or `cuckoo`.
        start: name of the weights with which tuning started.
        nodes: number of positions per decision in the tuning games.
        games: number of games that were played.
        seed: seed of the tuning run.
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
    """Settings and weights of a turn agent, the content of a weights file.

    A won game counts 30,000 points of the weights.

    Attributes:
        note: origin of the weights in words, for readers of the file.
        ruleset: name of the only ruleset that the weights apply to; `None` if they apply to all.
        search: settings of the search.
        mulligan: settings of the mulligan.
        own: weights of the own side.
        enemy: weights of the enemy's side, most of them negative.
        prospects: weights of features that depend on both sides.
        origin: origin of tuned weights; `None` for weights set by hand.
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
        """Return settings and weights as a row of words, shape ``[PARAMETERS_SIZE]``.

        The offsets are those of `agents.search.turn.parameters`.

        Args:
            n_nodes: number of positions that a decision may try.
        """
        words = np.zeros(param.PARAMETERS_SIZE, dtype=np.int16)
        words[param.NODES] = n_nodes
        starts = {
            "search": 0,
            "mulligan": 0,
            "prospects": 0,
            "own": param.OWN,
            "enemy": param.ENEMY,
        }
        for part, start in starts.items():
            for name, value in getattr(self, part):
                words[start + getattr(param, name.upper())] = value
        if self.search.wins == 0:
            answers = self.search.leaves * self.search.worlds
            words[param.WINS] = min(WINS_PER_ANSWER * answers, WINS_ENOUGH)
        return words


def weights_text(weights: Weights) -> str:
    """Return the weights as TOML text, from which equal weights can be read."""
    tomlkit = load_tomlkit()

    return tomlkit.dumps(weights.model_dump(mode="json", exclude_none=True))


def shipped_weights() -> list[str]:
    """Return the sorted names of the weights files that are part of the package."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def load_weights(name: str) -> Weights:
    """Return the shipped weights with a given name, or the weights in a file.

    Args:
        name: name of shipped weights, or the path of a file that ends in `.toml`.

    Raises:
        InputError: no shipped weights have this name, the file cannot be read, or it contains no
            valid weights; the message then names the key, the value and the limit.
    """
    is_path = name.endswith(".toml")
    if not is_path and name not in shipped_weights():
        names = shipped_weights()
        known = f"known: {', '.join(names)}, or a file that ends in .toml"
        suggestion = did_you_mean(name, names)
        raise InputError(
            f"unknown weights {name!r}",
            value=name,
            limit=tuple(names),
            remedy=f"{suggestion} ({known})" if suggestion else known,
        )
    path = Path(name) if is_path else _SHIPPED / f"{name}.toml"
    return validate(Weights, read_toml(path), source=str(path))
