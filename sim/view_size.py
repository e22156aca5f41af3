"""How large a view is: what a network that sees through it must know of it."""

from __future__ import annotations

from sim.strict_model import StrictModel


class ViewSize(StrictModel):
    """The shape of what a view shows and lets do.

    Attributes:
        name: of the view, `duel` or `general`.
        n_values: numbers in an observation, indices included.
        n_actions: numbers of actions; the last one ends the turn.
        n_indices: trailing numbers of an observation that are no quantities, but numbers of
            texts, whole and from 0.
        n_texts: the highest of them.
    """

    name: str
    n_values: int
    n_actions: int
    n_indices: int = 0
    n_texts: int = 0

    @property
    def last_action(self) -> int:
        """The action that ends the turn."""
        return self.n_actions - 1

    def __str__(self) -> str:
        texts = f", {self.n_texts} texts" if self.n_indices else ""
        return f"{self.name!r} ({self.n_values} values, {self.n_actions} actions{texts})"
