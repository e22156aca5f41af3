"""Explanations: what an agent compared before it chose, from the very computation that chose."""

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
    """Something that an agent could have done.

    Attributes:
        actions: in a row; none where it is to end the turn at once.
        score: what it thought of it; `None` where that was dropped on the way.
        n_sure: so many of the actions, the first ones, are what they are whatever luck brings.
        ends_turn: whether the turn is then ended, or the game over; else somebody played on.
        parts: what the score is the sum of, where it is one: by feature.
    """

    actions: tuple[int, ...]
    score: float | None
    n_sure: int = 1
    ends_turn: bool = False
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """A choice and what it was chosen from.

    Attributes:
        action: the choice.
        by: why that: the `only` action; by the rule of a `mulligan`; a `win` in this turn whatever
            luck brings; the best `worth` of a line after the enemy's answer; the most `points` in
            imagined games; the highest `value` of a network.
        compared: the best first, as the agent ranks them.
        facts: how much was searched, by name.
        start: the game that the first action of each is taken in, if it is an imagined one.
    """

    action: int
    by: Reason
    compared: tuple[Compared, ...] = ()
    facts: Mapping[str, int] = field(default_factory=dict)
    start: Words16 | None = None


@runtime_checkable
class Valuing(LearnedAgent, Protocol):
    """A learned agent that can say by what it chooses."""

    def values(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """``[B, A]`` what it values all actions of its view at, for ``[B, values]`` seen."""


Explainer = Callable[[Words16], Explanation]
"""Explains the choice of the seat to move in a state."""


def explainer_of(agent: Agent, table: Table, decks: npt.NDArray[np.int16]) -> Explainer | None:
    """What explains an agent's choices in one game; `None` for who compares nothing.

    Agents that can be explained have a method `explainer`, of the table's numbers; those that
    are seated, or see by a view, once they do.

    Args:
        agent: who.
        table: the numbers; games are of their first variant.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).

    Raises:
        InputError: it cannot see these games.
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
    """What explains the choices of a learned agent in one game, by the values it chooses by."""
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
