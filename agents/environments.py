"""Our games among Gymnasium's environments, with opponents by name.

    import gymnasium

    import agents.environments

    environment = gymnasium.make(
        "evenhand/Duel-v0", deck="ember_rush", opponent_deck="tide_keep", opponent="control"
    )
    many = gymnasium.make_vec("evenhand/Duel-v0", num_envs=256, opponent=["aggro", "control"])

`gymnasium.make("agents.environments:evenhand/Duel-v0")` needs no import of ours. Decks of games
by the general rules are played under the same name; the spaces are then those of their view
(`sim.observation.view`). `evenhand/BigTwo-v0` is Big Two, for four.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from agents import big_two
from agents.registry import agent_named
from sim import Deck
from sim.big_two.environment import BigTwoEnv, BigTwoVectorEnv
from sim.big_two.games import BigTwoAgent
from sim.environments.vector import (  # first, as it names the extra where that is missing
    DuelEnv,
    DuelVectorEnv,
)
from sim.play import Agent

from gymnasium import register  # isort: skip

DUEL = "evenhand/Duel-v0"
BIG_TWO = "evenhand/BigTwo-v0"

Decks = str | Deck | Sequence[str | Deck]
Opponents = str | Agent | Sequence[str | Agent]
Players = str | BigTwoAgent | Sequence[str | BigTwoAgent]
Found = TypeVar("Found", Agent, BigTwoAgent)


def make_duel(
    *,
    deck: Decks = "ember_rush",
    opponent_deck: Decks = "tide_keep",
    opponent: Opponents = "control",
    **options: Any,
) -> DuelEnv:
    """One environment; `gymnasium.make` calls it.

    Args:
        deck: the learner's, or several; see `sim.environments.vector.DuelVectorEnv`.
        opponent_deck: the opponent's, or several.
        opponent: names of agents, or agents.
        options: the other arguments of `DuelVectorEnv`, e.g. `seat`, `illegal`, `render_mode`.

    Raises:
        InputError: nobody has that name, or see `sim.environments.vector.duels`.
    """
    return DuelEnv(
        deck=deck, opponent_deck=opponent_deck, opponent=_agents(opponent, agent_named), **options
    )


def make_duels(
    num_envs: int,
    *,
    deck: Decks = "ember_rush",
    opponent_deck: Decks = "tide_keep",
    opponent: Opponents = "control",
    **options: Any,
) -> DuelVectorEnv:
    """Many environments at once; `gymnasium.make_vec` calls it. Arguments as for `make_duel`."""
    return DuelVectorEnv(
        num_envs,
        deck=deck,
        opponent_deck=opponent_deck,
        opponent=_agents(opponent, agent_named),
        **options,
    )


def make_big_two(*, opponents: Players = "lowest", **options: Any) -> BigTwoEnv:
    """One game of Big Two; `gymnasium.make` calls it.

    Args:
        opponents: names of agents (`agents.big_two.agent_named`), or agents: three who sit after
            the learner, or one for all of them.
        options: the other arguments of `sim.big_two.environment.BigTwoVectorEnv`, e.g. `observer`,
            `reward`, `rules`.

    Raises:
        InputError: nobody has that name, or see there.
    """
    return BigTwoEnv(opponents=_agents(opponents, big_two.agent_named), **options)


def make_big_twos(
    num_envs: int, *, opponents: Players = "lowest", **options: Any
) -> BigTwoVectorEnv:
    """Many games at once; `gymnasium.make_vec` calls it. Arguments as for `make_big_two`."""
    return BigTwoVectorEnv(num_envs, opponents=_agents(opponents, big_two.agent_named), **options)


def _agents(
    told: str | Found | Sequence[str | Found], named: Callable[[str], Found]
) -> list[Found]:
    """One agent or several, those that are told by name found by it."""
    several = [told] if isinstance(told, str) or not isinstance(told, Sequence) else told
    return [named(one) if isinstance(one, str) else one for one in several]


register(
    DUEL,
    entry_point="agents.environments:make_duel",
    vector_entry_point="agents.environments:make_duels",
)
register(
    BIG_TWO,
    entry_point="agents.environments:make_big_two",
    vector_entry_point="agents.environments:make_big_twos",
)
