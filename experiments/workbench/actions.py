"""Actions: all that a designer can do to a draft, as data; what is done can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
)
from experiments.workbench.refused import Refused
from sim import StrictModel
from sim.errors import InputError
from sim.ruleset import RULES


class Edit(StrictModel):
    """One number gets a value."""

    do: Literal["edit"] = "edit"
    card: Id
    field: Id
    to: Value


class Revert(StrictModel):
    """One number gets back today's."""

    do: Literal["revert"] = "revert"
    card: Id
    field: Id


class Lock(StrictModel):
    """A number, or all of a card, is locked or set free."""

    do: Literal["lock"] = "lock"
    card: Id
    field: Id | None
    locked: bool


class Constrain(Constraints):
    """What suggestions have to keep is told anew."""

    do: Literal["constraints"] = "constraints"


class Note(StrictModel):
    """A word about a card; an empty one takes it away."""

    do: Literal["note"] = "note"
    card: Id
    text: NoteText


class Apply(StrictModel):
    """A whole patch takes the place of all edits; what is locked keeps its value."""

    do: Literal["apply"] = "apply"
    edits: tuple[Edited, ...]


Action = Annotated[Edit | Revert | Lock | Constrain | Note | Apply, Field(discriminator="do")]


def acted(draft: Draft, action: Action, board: Board) -> Draft:
    """The draft once an action is done.

    Raises:
        Refused: the action names what is not there, is locked, or goes beyond a number's range.
    """
    do: Callable[[Draft, Action, Board], Draft] = _DEEDS[action.do]
    return do(draft, action, board)


def _edit(draft: Draft, action: Edit, board: Board) -> Draft:
    _check_range(action, board)
    if draft.is_locked(action.card, action.field):
        place = f"{action.card}.{action.field}"
        raise Refused(f"{place} is locked", place)
    return _with_values(draft, {**draft.values, (action.card, action.field): action.to}, board)


def _check_range(edit: Edit | Edited, board: Board) -> None:
    number, place = board.number(edit.card, edit.field), f"{edit.card}.{edit.field}"
    if not number.least <= edit.to <= number.most:
        raise Refused(f"{place} = {edit.to} must be from {number.least} to {number.most}", place)


def _revert(draft: Draft, action: Revert, board: Board) -> Draft:
    today = board.number(action.card, action.field).today
    return _edit(draft, Edit(card=action.card, field=action.field, to=today), board)


def _apply(draft: Draft, action: Apply, board: Board) -> Draft:
    values = {place: to for place, to in draft.values.items() if draft.is_locked(*place)}
    for edit in action.edits:
        _check_range(edit, board)
        place, today = f"{edit.card}.{edit.field}", board.number(edit.card, edit.field).today
        present = values.get((edit.card, edit.field), today)
        if draft.is_locked(edit.card, edit.field) and edit.to != present:
            raise Refused(f"{place} has been locked since", place)
        values[edit.card, edit.field] = edit.to
    return _with_values(draft, values, board)


def _with_values(draft: Draft, values: Mapping[Place, int], board: Board) -> Draft:
    """The draft with other values; those of today are no edits."""
    moved = {place: to for place, to in values.items() if to != board.numbers[place].today}
    rules = {field: to for (card, field), to in moved.items() if card == RULES}
    if rules:
        try:
            board.contest.table.ruleset.with_numbers(rules)
        except InputError as error:
            raise Refused(error, f"{RULES}.{[*rules][-1]}") from None
    edits = tuple(Edited(card=card, field=field, to=to) for (card, field), to in moved.items())
    return draft.model_copy(update={"edits": edits})


def _lock(draft: Draft, action: Lock, board: Board) -> Draft:
    board.owner(action.card)
    if action.field is not None:
        board.number(action.card, action.field)
    named = {(lock.card, lock.field) for lock in draft.locks} - {(action.card, action.field)}
    if action.locked:
        named.add((action.card, action.field))
    ordered = sorted(named, key=lambda name: (name[0], name[1] or ""))
    locks = tuple(Locked(card=card, field=field) for card, field in ordered)
    return draft.model_copy(update={"locks": locks})


def _constrain(draft: Draft, action: Constrain, _: Board) -> Draft:
    told = Constraints(**action.model_dump(exclude={"do"}))
    return draft.model_copy(update={"constraints": told})


def _note(draft: Draft, action: Note, board: Board) -> Draft:
    board.owner(action.card)
    notes = {**draft.notes, action.card: action.text}
    return draft.model_copy(update={"notes": {card: text for card, text in notes.items() if text}})


_DEEDS: dict[str, Callable[..., Draft]] = {
    "edit": _edit,
    "revert": _revert,
    "lock": _lock,
    "constraints": _constrain,
    "note": _note,
    "apply": _apply,
}
