"""The shape of a view: the number of values and actions, and the texts it distinguishes."""

from __future__ import annotations

from sim.files.validation import StrictModel


class ViewSize(StrictModel):
    """The shape of a view's observations and actions.

    Attributes:
        name: name of the view: `duel`, `general`, or that of another game.
        n_values: number of values of an observation, texts included.
        n_actions: number of actions; in card games the last one ends the turn.
        n_indices: number of trailing values that are numbers of texts, whole and from 0.
        n_options: number of ways to play a card: 1, or 3 if a card can have two options.
        n_targets: number of possible targets of a card, no target included.
        n_choices: largest number of cards that an effect lets a player choose from.
        texts: ids of the cards that share each text; the first text has number 1.
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
        """Number of the action that ends the turn."""
        return self.n_actions - 1

    @property
    def n_texts(self) -> int:
        """The highest number of a text."""
        return len(self.texts)

    def __str__(self) -> str:
        texts = f", {self.n_texts} texts" if self.n_indices else ""
        return f"{self.name!r} ({self.n_values} values, {self.n_actions} actions{texts})"
