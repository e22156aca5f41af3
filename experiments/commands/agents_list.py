"""List of the known agents, as `evenhand agents` shows it without options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from agents.declaration import KnownAgent
from experiments.game import CARDS, game_named, game_names
from experiments.runs.run import Findings
from experiments.screen import Screen, Shown

_WIDTH = 80  # columns; text of this width fits every common terminal

_INDENT = 16  # columns for the names; a longer name gets a line of its own

_FAIR = (
    "A fair agent does not depend on hidden cards or on future random draws. A test suite checks "
    "this for all agents of evenhand."
)

_HOW_TO_MEASURE = (
    "To measure how strong they are and how long a turn takes: evenhand agents --measure EXPERIMENT"
)


def list_agents(_: Screen) -> Findings:
    """Return the list of all known agents: first those of card games, then of each other game."""
    known = {name: [*game_named(name).agents()] for name in game_names()}
    shown: list[Shown] = []
    for game, of_game in known.items():
        shown.append("" if shown else "Agents, as experiment files name them")
        if game != CARDS:
            shown.append(f"Agents of the game {game!r}")
        shown += [line for agent in of_game for line in _agent_lines(agent)]
    shown += ["", *wrap(_FAIR, _WIDTH), *wrap(_HOW_TO_MEASURE, _WIDTH)]
    return Findings(summary={"command": "agents", **_agents_entry(known)}, shown=shown)


def _agent_lines(agent: KnownAgent) -> list[str]:
    """Return an agent's usage and description as lines of text.

    A short usage shares its line with the beginning of the description.
    """
    fair = "Fair."
    if not agent.is_fair:
        fair = f"Of the package {agent.package}; not checked whether it is fair."
    head = f"  {agent.usage}"
    is_short = len(head) < _INDENT
    line = agent.line.replace("`", "")  # backquotes mark code in docstrings only
    lines = wrap(
        f"{line} {fair}".strip(),
        _WIDTH,
        initial_indent=f"{head:<{_INDENT}}" if is_short else " " * _INDENT,
        subsequent_indent=" " * _INDENT,
    )
    return lines if is_short else [head, *lines]


def _agents_entry(known: Mapping[str, Sequence[KnownAgent]]) -> dict[str, Any]:
    """Return the known agents as an entry of the summary, one object per agent."""
    return {
        "agents": [
            {
                "agent": agent.usage,
                "game": game,
                "line": agent.line,
                "package": agent.package,
                "fair": agent.is_fair or None,
                "measured_as": agent.example or None,
            }
            for game, of_game in known.items()
            for agent in of_game
        ]
    }
