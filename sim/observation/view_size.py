"""Shape of a view: its numbers of values and actions, and the texts that it distinguishes."""

from __future__ import annotations

from sim.files.validation import StrictModel


class ViewSize(StrictModel):
    """Shape of the observations and actions of a view, as stored with trained agents.

    Attributes:
        name: name of the view: `duel`, `general`, or the name of a view of another game.
        n_values: number of values of an observation, including texts.
        n_actions: number of actions; in card games the last action ends the turn.
        n_indices: number of trailing values that are numbers of texts.
        n_options: number of ways to play a card: 3 if cards can have two options (neither, the
            first or the second), else 1.
        n_targets: number of possible targets of an action, including no target.
        n_choices: maximum number of cards that an effect lets a player choose from.
        texts: ids of the cards that share each text, in the order of the texts' numbers from 1.
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
        """Number of the last action, which ends the turn in card games."""
        return self.n_actions - 1

    @property
    def n_texts(self) -> int:
        """Number of different texts, which is also the highest number of a text."""
        return len(self.texts)

    def __str__(self) -> str:
        texts = f", {self.n_texts} texts" if self.n_indices else ""
        return f"{self.name!r} ({self.n_values} values, {self.n_actions} actions{texts})"
