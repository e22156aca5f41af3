"""Explanations of choices: the options that an agent compared, read from the computation itself."""

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


@dataclass(frozen=True)
class Compared:
    """One option that an agent compared: an action, or a line of actions.

    Attributes:
        actions: the actions in order; empty if the option is to end the turn at once.
        score: the agent's score of the option; `None` if the option was dropped before it was
            scored.
        n_sure: number of leading actions with an outcome that does not depend on chance.
        ends_turn: whether the turn ends after the actions or the game is over; `False` if an agent
            plays the turn on.
        parts: contributions to the score by feature, if the score is a sum.
    """

    actions: tuple[int, ...]
    score: float | None
    n_sure: int = 1
    ends_turn: bool = False
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """Choice of an agent, and the options that it was chosen from.

    Attributes:
        action: the chosen action.
        by: reason for the choice: the `only` legal action; the rule of a `mulligan`; a `win` in
            this turn whatever chance brings; the best `worth` of a line after the enemy's answer;
            the most `points` in imagined games; the highest `value` of a network.
        compared: the options, best first, in the agent's own order.
        facts: sizes of the search by name, such as the number of positions.
        start: game in which the first action of each option is taken, if it is an imagined one.
    """

    action: int
    by: Reason
    compared: tuple[Compared, ...] = ()
    facts: Mapping[str, int] = field(default_factory=dict)
    start: Words16 | None = None


@runtime_checkable
class Valuing(LearnedAgent, Protocol):
    """Protocol of learned agents that report the values by which they choose."""

    def values(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the values of all actions of the agent's view, shape ``[B, A]``.

        Args:
            observations: shape ``[B, n_values]``.
        """


Explainer = Callable[[Words16], Explanation]
"""Function that explains the choice of the seat to move in a state."""


def explainer_of(agent: Agent, table: Table, decks: npt.NDArray[np.int16]) -> Explainer | None:
    """Return the function that explains an agent's choices in one game, or `None` if there is none.

    Compiled agents have an explanation if they have a method `explainer`, which takes the table's
    words; it is called after the agent was bound to the table. Learned agents have one if they are
    `Valuing`. Scripted agents compare nothing and have none.

    Args:
        agent: the agent.
        table: the numbers of the cards and rules; games use its first variant.
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
    """Return the function that explains a learned agent's choices by the values of its network."""
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
