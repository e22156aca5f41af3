"""Gymnasium environments of evenhand's games, with opponents given by name.

    import gymnasium

    import agents.environments

    environment = gymnasium.make(
        "evenhand/Duel-v0", deck="ember_rush", opponent_deck="tide_keep", opponent="control"
    )
    many = gymnasium.make_vec("evenhand/Duel-v0", num_envs=256, opponent=["aggro", "control"])

`gymnasium.make("agents.environments:evenhand/Duel-v0")` needs no import of this module.
`evenhand/Duel-v0` also plays decks of games by the general rules; the observation and action spaces
then have the sizes of the view of these games (`sim.observation.view`). `evenhand/BigTwo-v0` is Big
Two for four players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from agents import big_two
from agents.registry import agent_named
from sim import Deck
from sim.big_two.environment import BigTwoEnv, BigTwoVectorEnv
from sim.big_two.games import BigTwoAgent

# Imported before gymnasium: if gymnasium is missing, the error of this import names the extra.
from sim.environments.vector import DuelEnv, DuelVectorEnv
from sim.play import Agent

from gymnasium import register  # isort: skip

DUEL = "evenhand/Duel-v0"
BIG_TWO = "evenhand/BigTwo-v0"

Decks = str | Deck | Sequence[str | Deck]
Opponents = str | Agent | Sequence[str | Agent]
Players = str | BigTwoAgent | Sequence[str | BigTwoAgent]
AnyAgent = TypeVar("AnyAgent", Agent, BigTwoAgent)


def make_duel(
    *,
    deck: Decks = "ember_rush",
    opponent_deck: Decks = "tide_keep",
    opponent: Opponents = "control",
    **options: Any,
) -> DuelEnv:
    """Return an environment with one two-player card game at a time; called by `gymnasium.make`.

    Args:
        deck: deck of the learner, or several decks; see `sim.environments.vector.DuelVectorEnv`.
        opponent_deck: deck of the opponent, or several decks.
        opponent: name of the opponent or an agent, or a sequence of names and agents.
        options: other arguments of `DuelVectorEnv`, such as `seat`, `illegal`, `render_mode`.

    Raises:
        InputError: no agent has that name, or an argument is not valid for `DuelVectorEnv`.
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
    """Return an environment with many card games in parallel; called by `gymnasium.make_vec`.

    Args:
        num_envs: number of games in parallel.
        deck: deck of the learner, or several decks.
        opponent_deck: deck of the opponent, or several decks.
        opponent: name of the opponent or an agent, or a sequence of names and agents.
        options: other arguments of `DuelVectorEnv`.

    Raises:
        InputError: no agent has that name, or an argument is not valid for `DuelVectorEnv`.
    """
    return DuelVectorEnv(
        num_envs,
        deck=deck,
        opponent_deck=opponent_deck,
        opponent=_agents(opponent, agent_named),
        **options,
    )


def make_big_two(*, opponents: Players = "lowest", **options: Any) -> BigTwoEnv:
    """Return an environment with one game of Big Two at a time; called by `gymnasium.make`.

    Args:
        opponents: three opponents in the order of play after the learner, or one agent for all
            three; each is the name of an agent (`agents.big_two.agent_named`) or an agent.
        options: other arguments of `sim.big_two.environment.BigTwoVectorEnv`, such as `observer`,
            `reward`, `rules`.

    Raises:
        InputError: no agent has that name, or an option is not valid for `BigTwoVectorEnv`.
    """
    return BigTwoEnv(opponents=_agents(opponents, big_two.agent_named), **options)


def make_big_twos(
    num_envs: int, *, opponents: Players = "lowest", **options: Any
) -> BigTwoVectorEnv:
    """Return an environment with many games of Big Two in parallel; called by `gymnasium.make_vec`.

    Args:
        num_envs: number of games in parallel.
        opponents: three opponents in the order of play after the learner, or one agent for all
            three; each is the name of an agent or an agent.
        options: other arguments of `BigTwoVectorEnv`.

    Raises:
        InputError: no agent has that name, or an option is not valid for `BigTwoVectorEnv`.
    """
    return BigTwoVectorEnv(num_envs, opponents=_agents(opponents, big_two.agent_named), **options)


def _agents(
    players: str | AnyAgent | Sequence[str | AnyAgent], find: Callable[[str], AnyAgent]
) -> list[AnyAgent]:
    """Return a list of agents, with names replaced by the agents of these names.

    Args:
        players: one name, one agent, or a sequence of names and agents.
        find: function that returns the agent of a name.
    """
    several = (
        [players] if isinstance(players, str) or not isinstance(players, Sequence) else players
    )
    return [find(player) if isinstance(player, str) else player for player in several]


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
