"""The draft: what a designer has made of the numbers so far, and how she wants them treated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from balance.tune import ALL, Tune
from experiments.workbench.board import Board, Place
from sim import StrictModel

NOTE_MAX = 2_000
_VALUE_MAX = 10**6

Value = Annotated[int, Field(ge=-_VALUE_MAX, le=_VALUE_MAX)]
Id = Annotated[str, Field(min_length=1, max_length=200)]
NoteText = Annotated[str, Field(max_length=NOTE_MAX)]
Direction = Literal["both", "buffs", "nerfs"]


class Edited(StrictModel):
    """A number, and what it is to be."""

    card: Id
    field: Id
    to: Value


def edits_of(values: Mapping[Place, int]) -> tuple[Edited, ...]:
    """Values of numbers as edits."""
    return tuple(Edited(card=card, field=field, to=to) for (card, field), to in values.items())


def values_of(edits: Iterable[Edited]) -> dict[Place, int]:
    """Edits as values of numbers."""
    return {(edit.card, edit.field): edit.to for edit in edits}


class Locked(StrictModel):
    """A number that stays as it is; without a field, all those of a card."""

    card: Id
    field: Id | None


class Constraints(StrictModel):
    """What suggestions have to keep, as `[tune]` of an experiment says it.

    Attributes:
        max_cards: most cards with an edit.
        max_change: most change.
        direction: whether cards may be bettered, worsened, or either as the experiment's file says.
        max_steps: how far each number may move from today.
    """

    max_cards: int | None = Field(default=None, ge=1, le=10**6)
    max_change: float | None = Field(default=None, gt=0, le=10**6)
    direction: Direction = "both"
    max_steps: int = Field(default=2, ge=1, le=1000)

    @classmethod
    def of(cls, tune: Tune) -> Constraints:
        """Those of an experiment."""
        word = tune.direction.get(ALL) if len(tune.direction) == 1 else None
        return cls(
            max_cards=tune.max_cards,
            max_change=tune.max_change,
            direction="buffs" if word == "buffs" else "nerfs" if word == "nerfs" else "both",
            max_steps=tune.max_steps,
        )

    def tune(self, tune: Tune) -> Tune:
        """An experiment's own with these in place of its words; locks are not among them."""
        direction = dict(tune.direction)
        if self.direction != "both":
            direction[ALL] = self.direction
        elif direction in ({ALL: "buffs"}, {ALL: "nerfs"}):
            direction = {}
        kept = self.model_dump(exclude={"direction"})
        return tune.model_copy(update={**kept, "direction": direction, "lock": ()})


class Draft(StrictModel):
    """Edits, locks, notes and constraints.

    Attributes:
        edits: numbers that differ from today's, in the order in which they were touched first.
        locks: what stays as it is, sorted.
        notes: by card.
        constraints: what suggestions have to keep.
    """

    edits: tuple[Edited, ...] = ()
    locks: tuple[Locked, ...] = ()
    notes: dict[str, NoteText] = Field(default_factory=dict)
    constraints: Constraints = Constraints()

    @classmethod
    def first(cls, board: Board) -> Draft:
        """Today's numbers, with what the experiment's file locks and asks."""
        locks = tuple(Locked(card=card, field=None) for card in board.locked_by_file())
        return cls(locks=locks, constraints=Constraints.of(board.experiment.settings.tune))

    @property
    def values(self) -> dict[Place, int]:
        """The edited numbers."""
        return values_of(self.edits)

    def is_locked(self, card: str, field: str | None) -> bool:
        """Whether a number stays as it is, or a whole card where no field is named."""
        names = {(lock.card, lock.field) for lock in self.locks}
        return (card, None) in names or (card, field) in names
