"""Explanations of agents' choices: the options that an agent compared, with their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from sim.engine.stepping import Words16, action_to_engine, look_through
from sim.observation.view import view_for
from sim.play import Agent, CompiledAgent, LearnedAgent, Table
from sim.play.reach import reach_of_rows

Reason = Literal["only", "mulligan", "win", "worth", "points", "value"]
"""Reasons for a choice; see `Explanation.by`."""


@dataclass(frozen=True)
class Compared:
    """One option that an agent compared: an action, or a sequence of actions.

    Attributes:
        actions: actions in order; empty if the option is to end the turn at once.
        score: score that the agent gave the option; `None` if the option was dropped before all
            options were scored.
        n_sure: number of leading actions with an outcome that does not depend on chance.
        ends_turn: whether the turn or the game ends after the actions; `False` if the agent
            imagined that the turn continues.
        parts: contributions to the score by the name of the feature; empty if the score is not a
            sum of features.
    """

    actions: tuple[int, ...]
    score: float | None
    n_sure: int = 1
    ends_turn: bool = False
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """Choice of an agent, and the options from which the agent chose.

    Attributes:
        action: number of the chosen action in the engine.
        by: reason for the choice: `only`, the single legal action; `mulligan`, the rule for
            mulligans; `win`, a certain win in this turn; `worth`, the highest value of a line after
            the enemy's answer; `points`, the most points in imagined games; `value`, the highest
            value of a network.
        compared: options that were compared, best first.
        facts: numbers that describe the search, by name, such as the number of positions.
        start: state in which the options start, if this is an imagined state; `None` if the options
            start in the state to be explained.
    """

    action: int
    by: Reason
    compared: tuple[Compared, ...] = ()
    facts: Mapping[str, int] = field(default_factory=dict)
    start: Words16 | None = None


@runtime_checkable
class Valuing(LearnedAgent, Protocol):
    """Protocol of learned agents that can return the values by which they choose."""

    def values(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the values of all actions, legal or not, shape ``[B, A]``.

        Args:
            observations: observed values, shape ``[B, n_values]``.
        """


Explainer = Callable[[Words16], Explanation]
"""Function from a state of a game to the explanation of the choice of the seat to move."""


def explainer_of(agent: Agent, table: Table, decks: npt.NDArray[np.int16]) -> Explainer | None:
    """Return the function that explains an agent's choices in games of two decks.

    The choices of a compiled agent are explained by its method `explainer`, which takes the table's
    words and is called after the agent was bound to the table. A learned agent must be `Valuing`.
    The result is `None` for all other agents, such as scripted agents, which compare no options.

    Args:
        agent: agent that makes the choices.
        table: numbers of the cards and rules; games use its first variant.
        decks: rows of the two seats' decks, shape ``[2, DECK_ROW_SIZE]``
            (`sim.play.batch.deck_row`).

    Raises:
        InputError: the agent cannot play these games.
    """
    words = table.words[0]
    if isinstance(agent, CompiledAgent):
        explainer = getattr(agent.seated(table, lambda: decks), "explainer", None)
        return None if explainer is None else explainer(words)
    if not isinstance(agent, Valuing):
        return None
    return _explainer_by_values(agent, table, decks, words)


def _explainer_by_values(
    agent: Valuing, table: Table, decks: npt.NDArray[np.int16], words: Words16
) -> Explainer:
    """Return the function that explains a learned agent's choices by the values of its network.

    Args:
        agent: learned agent that can return its values.
        table: numbers of the cards and rules.
        decks: rows of the two seats' decks, shape ``[2, DECK_ROW_SIZE]``.
        words: words of the table's variant that is played.
    """
    view = view_for(table, agent, reach_of_rows(table.pool, table.ruleset, decks))
    seen = np.zeros((1, view.size.n_values), dtype=np.float32)
    mask = np.zeros((1, view.size.n_actions), dtype=np.bool_)

    def explain(state: Words16) -> Explanation:
        look_through(state.copy(), words, view.words, seen[0], mask[0].view(np.uint8))
        legal = np.flatnonzero(mask[0])
        actions = [action_to_engine(words, view.words, int(k)) for k in legal]
        if len(actions) == 1:
            return Explanation(actions[0], "only")
        values = agent.values(seen)[0, legal]
        order = np.argsort(-values, kind="stable")
        compared = tuple(Compared((actions[k],), float(values[k])) for k in order)
        return Explanation(compared[0].actions[0], "value", compared)

    return explain
