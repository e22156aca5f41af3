"""Views: how learned agents see the games of a table, and what they may do there.

A plain game whose rules fit the duel's view is seen through that (`sim.duel_view`), all others
through the general one (`sim.general_view`). Which it is follows from the table, so whoever plays
by the same rules with the same pool sees alike. A card that the duel's view cannot express is
refused there; `sim.table.pack_table` with `general=True` makes a table that shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sim.agent import Agent, CompiledAgent
from sim.deck import Deck
from sim.duel_view import DuelView, fits_rules
from sim.errors import InputError
from sim.general_view import GeneralView
from sim.table import Table
from sim.view_size import ViewSize

__all__ = ["View", "ViewSize", "check_agents", "check_view", "view_of"]

View = DuelView | GeneralView


def view_of(table: Table) -> View:
    """The view of a table's games."""
    is_duel = not table.is_general and fits_rules(table.ruleset)
    return DuelView(table) if is_duel else GeneralView(table)


def check_view(table: Table, decks: Iterable[Deck]) -> None:
    """Refuse decks that a learner could not see in full.

    Raises:
        InputError: names the ruleset's field, or the deck, its card and the card's field.
    """
    view_of(table).check_decks(decks)


def check_agents(view: View, agents: Sequence[Agent]) -> None:
    """Refuse learned agents that see by another view.

    One that has no attribute `view`, a `ViewSize`, is taken at its word.

    Raises:
        InputError: names the agent, what it sees, and what there is to see.
    """
    for agent in agents:
        known = None if isinstance(agent, CompiledAgent) else getattr(agent, "view", None)
        if known is not None and known != view.size:
            raise InputError(
                f"agent {agent.name!r}: sees by the view {known}, not by {view.size}; "
                "train one for this game"
            )
