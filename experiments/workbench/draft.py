"""The draft: what a designer has made of the numbers so far, and all that she can do to it.

Each action has `done`: the draft once it is done; what is done can be undone. It raises `Refused`
where the action names what is not there, is locked, or goes beyond a number's range.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from balance.tune import ALL, USUAL_STEPS, MaxSteps, Tune
from experiments.workbench.board import Board, Place
from experiments.workbench.refused import Refused
from sim import InputError, StrictModel
from sim.ruleset import RULES

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
        max_card_change: most steps of any one card.
        stat_budget: how far bodies may come to stand above the pool's curve.
        direction: whether cards may be bettered, worsened, or either as the experiment's file says.
        max_steps: how far each number may move from today: a number for all, or one by field.
    """

    max_cards: int | None = Field(default=None, ge=1, le=10**6)
    max_change: float | None = Field(default=None, gt=0, le=10**6)
    max_card_change: int | None = Field(default=None, ge=1, le=10**6)
    stat_budget: float | None = Field(default=None, ge=0, le=10**6)
    direction: Direction = "both"
    max_steps: MaxSteps = USUAL_STEPS

    @classmethod
    def of(cls, tune: Tune) -> Constraints:
        """Those of an experiment."""
        word = tune.direction.get(ALL) if len(tune.direction) == 1 else None
        return cls(
            max_cards=tune.max_cards,
            max_change=tune.max_change,
            max_card_change=tune.max_card_change,
            stat_budget=tune.stat_budget,
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
        return tune.model_copy(update=self.model_dump() | {"direction": direction, "lock": ()})


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


class Edit(StrictModel):
    """One number gets a value."""

    do: Literal["edit"] = "edit"
    card: Id
    field: Id
    to: Value

    def done(self, draft: Draft, board: Board) -> Draft:
        """The draft with that value."""
        _check_range(self, board)
        if draft.is_locked(self.card, self.field):
            place = f"{self.card}.{self.field}"
            raise Refused(f"{place} is locked", place)
        return _with_values(draft, {**draft.values, (self.card, self.field): self.to}, board)


class Revert(StrictModel):
    """One number gets back today's."""

    do: Literal["revert"] = "revert"
    card: Id
    field: Id

    def done(self, draft: Draft, board: Board) -> Draft:
        """The draft without an edit of that number."""
        today = board.number(self.card, self.field).today
        return Edit(card=self.card, field=self.field, to=today).done(draft, board)


class Lock(StrictModel):
    """A number, or all of a card, is locked or set free."""

    do: Literal["lock"] = "lock"
    card: Id
    field: Id | None
    locked: bool

    def done(self, draft: Draft, board: Board) -> Draft:
        """The draft with or without that lock."""
        board.owner(self.card)
        if self.field is not None:
            board.number(self.card, self.field)
        named = {(lock.card, lock.field) for lock in draft.locks} - {(self.card, self.field)}
        if self.locked:
            named.add((self.card, self.field))
        ordered = sorted(named, key=lambda name: (name[0], name[1] or ""))
        locks = tuple(Locked(card=card, field=field) for card, field in ordered)
        return draft.model_copy(update={"locks": locks})


class Constrain(Constraints):
    """What suggestions have to keep is told anew."""

    do: Literal["constraints"] = "constraints"

    def done(self, draft: Draft, _: Board) -> Draft:
        """The draft with these constraints."""
        told = Constraints(**self.model_dump(exclude={"do"}))
        return draft.model_copy(update={"constraints": told})


class Note(StrictModel):
    """A word about a card; an empty one takes it away."""

    do: Literal["note"] = "note"
    card: Id
    text: NoteText

    def done(self, draft: Draft, board: Board) -> Draft:
        """The draft with that note in place of the card's."""
        notes = {**draft.notes, board.owner(self.card): self.text}
        told = {card: text for card, text in notes.items() if text}
        return draft.model_copy(update={"notes": told})


class Apply(StrictModel):
    """A whole patch takes the place of all edits; what is locked keeps its value."""

    do: Literal["apply"] = "apply"
    edits: tuple[Edited, ...]

    def done(self, draft: Draft, board: Board) -> Draft:
        """The draft with the patch, and with those of its edits that are locked."""
        values = {place: to for place, to in draft.values.items() if draft.is_locked(*place)}
        for edit in self.edits:
            _check_range(edit, board)
            place = f"{edit.card}.{edit.field}"
            today = board.number(edit.card, edit.field).today
            present = values.get((edit.card, edit.field), today)
            if draft.is_locked(edit.card, edit.field) and edit.to != present:
                raise Refused(f"{place} has been locked since", place)
            values[edit.card, edit.field] = edit.to
        return _with_values(draft, values, board)


Action = Annotated[Edit | Revert | Lock | Constrain | Note | Apply, Field(discriminator="do")]


def with_known_names(action: Action, board: Board) -> Action:
    """The same action, with its card and its field as the board calls them.

    Raises:
        InputError: a name may mean several.
    """
    if isinstance(action, Constrain | Apply):
        return action
    card, field = board.spelt(action.card, getattr(action, "field", None))
    changes = {"card": card} if isinstance(action, Note) else {"card": card, "field": field}
    return action.model_copy(update=changes)


def _check_range(edit: Edit | Edited, board: Board) -> None:
    number = board.number(edit.card, edit.field)
    place = f"{edit.card}.{edit.field}"
    if not number.least <= edit.to <= number.most:
        raise Refused(f"{place} = {edit.to} must be from {number.least} to {number.most}", place)


def _with_values(draft: Draft, values: Mapping[Place, int], board: Board) -> Draft:
    """The draft with other values; those of today are no edits."""
    moved = {place: to for place, to in values.items() if to != board.numbers[place].today}
    rules = {field: to for (card, field), to in moved.items() if card == RULES}
    if rules:
        try:
            board.contest.table.ruleset.with_numbers(rules)
        except InputError as error:
            raise Refused(error, f"{RULES}.{[*rules][-1]}") from None
    return draft.model_copy(update={"edits": edits_of(moved)})
