"""The shape of a view: what a learner must know of a game to see it and to act in it."""

from __future__ import annotations

from sim.files.validation import StrictModel


class ViewSize(StrictModel):
    """The shape of what a view shows and lets do.

    Attributes:
        name: of the view, `duel`, `general` or one of another game.
        n_values: numbers in an observation, indices included.
        n_actions: numbers of actions; with cards, the last one ends the turn.
        n_indices: trailing numbers of an observation that are no quantities, but numbers of
            texts, whole and from 0.
        n_options: ways to play a card: as it is, or by one of two options.
        n_targets: whom a card may choose: nobody, or everybody.
        n_choices: cards that a choice can be between.
        texts: from number 1 on, the ids of the cards on which the same is written.
    """

    name: str
    n_values: int
    n_actions: int
    n_indices: int = 0
    n_options: int = 1
    n_targets: int = 1
    n_choices: int = 0
    texts: tuple[tuple[str, ...], ...] = ()

    @property
    def last_action(self) -> int:
        """The action that ends the turn."""
        return self.n_actions - 1

    @property
    def n_texts(self) -> int:
        """The highest number of a text."""
        return len(self.texts)

    def __str__(self) -> str:
        texts = f", {self.n_texts} texts" if self.n_indices else ""
        return f"{self.name!r} ({self.n_values} values, {self.n_actions} actions{texts})"
