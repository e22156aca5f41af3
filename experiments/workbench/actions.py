"""Actions: all that a designer can do to a draft, as data; what is done can be undone.

Each has `done`: the draft once it is done. It raises `Refused` where the action names what is not
there, is locked, or goes beyond a number's range.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from experiments.workbench.board import Board, Place
from experiments.workbench.draft import (
    Constraints,
    Draft,
    Edited,
    Id,
    Locked,
    NoteText,
    Value,
    edits_of,
)
from experiments.workbench.refused import Refused
from sim import InputError, StrictModel
from sim.ruleset import RULES


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
            place, today = f"{edit.card}.{edit.field}", board.number(edit.card, edit.field).today
            present = values.get((edit.card, edit.field), today)
            if draft.is_locked(edit.card, edit.field) and edit.to != present:
                raise Refused(f"{place} has been locked since", place)
            values[edit.card, edit.field] = edit.to
        return _with_values(draft, values, board)


Action = Annotated[Edit | Revert | Lock | Constrain | Note | Apply, Field(discriminator="do")]


def _check_range(edit: Edit | Edited, board: Board) -> None:
    number, place = board.number(edit.card, edit.field), f"{edit.card}.{edit.field}"
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
