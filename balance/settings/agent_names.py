"""Names of agents in experiment files, with the words that stand for several agents."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from agents.registry import known_spelling
from sim.errors import InputError
from sim.names import packed

OWN = "own"
"""Word for each player's own agent."""

LEARNERS = "learners"
"""Word for the agents that an experiment trains for the players' decks."""


def _agent_name(text: str) -> str:
    """Return the declared spelling of an agent's name, or of the words `own` and `learners`."""
    word = {packed(word): word for word in (OWN, LEARNERS)}.get(packed(text))
    return word or known_spelling(text)


def distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of agents after checking that all differ.

    Raises:
        InputError: two names mean the same agent.
    """
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name!r} is named twice", value=name, remedy="name it once")
    return names


AgentName = Annotated[str, AfterValidator(_agent_name)]
"""Name of an agent for `agents.agent_named`, in the declared spelling; or a word for several."""
