"""Draft of a designer (edits, locks, notes and constraints), and the actions that change a draft.

Each action has a method `apply`, which returns a changed copy of a draft. The method raises an
`InputError` with a place on the page if a card or number is unknown, or if the number is locked or
would leave its range.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from balance.space.tune import ALL, USUAL_STEPS, MaxSteps, Tune
from experiments.workbench.page_errors import number_place
from experiments.workbench.view_model import Place, ViewModel
from sim import InputError, StrictModel
from sim.ruleset import RULES
from sim.value_error import value_error

NOTE_MAX = 2_000  # `maxLength` of the input field for notes in cards.js must have the same value
"""Maximum length of a note, in characters."""

# Larger than every limit of a ruleset; keeps huge numbers out of the session's file.
_VALUE_MAX = 10**6

Value = Annotated[int, Field(ge=-_VALUE_MAX, le=_VALUE_MAX)]
Id = Annotated[str, Field(min_length=1, max_length=200)]
NoteText = Annotated[str, Field(max_length=NOTE_MAX)]
Direction = Literal["both", "buffs", "nerfs"]


class Edited(StrictModel):
    """An edit: the new value of one number of a card or of the rules.

    Attributes:
        card: id of the edited card, or `sim.ruleset.RULES`.
        field: name of the edited field.
        to: value after the edit.
    """

    card: Id
    field: Id
    to: Value


def edits_of(values: Mapping[Place, int]) -> tuple[Edited, ...]:
    """Return one edit per number.

    Args:
        values: new value of each number by card and field.
    """
    return tuple(Edited(card=card, field=field, to=to) for (card, field), to in values.items())


def values_of(edits: Iterable[Edited]) -> dict[Place, int]:
    """Return the new value of each edited number, by card and field; the last edit counts."""
    return {(edit.card, edit.field): edit.to for edit in edits}


class Locked(StrictModel):
    """A lock of one number, or of all numbers of a card.

    Attributes:
        card: id of the locked card, or `sim.ruleset.RULES`.
        field: name of the locked field; `None` if all numbers of the card are locked.
    """

    card: Id
    field: Id | None


class Constraints(StrictModel):
    """Constraints on suggestions, as in `[tune]` of an experiment.

    Attributes:
        max_cards: maximum number of edited cards; `None` for no limit.
        max_change: maximum size of a patch, the weighted sum of the steps of all edits; `None` for
            no limit.
        max_card_change: maximum number of steps on a single card; `None` for no limit.
        stat_budget: amount by which attack plus health of a minion may exceed the pool's curve
            for its cost; `None` for no limit.
        direction: `buffs` if cards may only become stronger, `nerfs` if they may only become
            weaker, `both` to apply the directions of the experiment's file.
        max_steps: maximum number of steps of a number from its baseline, for all numbers or by
            field.
    """

    max_cards: int | None = Field(default=None, ge=1, le=10**6)
    max_change: float | None = Field(default=None, gt=0, le=10**6)
    max_card_change: int | None = Field(default=None, ge=1, le=10**6)
    stat_budget: float | None = Field(default=None, ge=0, le=10**6)
    direction: Direction = "both"
    max_steps: MaxSteps = USUAL_STEPS

    @classmethod
    def of(cls, tune: Tune) -> Constraints:
        """Return the constraints of an experiment's `[tune]`.

        The direction is `both` unless the file has only the direction `buffs` or `nerfs`, for all
        cards.
        """
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
        """Return a copy of an experiment's `[tune]` with these constraints and without locks."""
        direction = dict(tune.direction)
        # The page shows only a direction for all cards, so it replaces only this direction.
        # Directions of single cards stay as the experiment's file sets them.
        if self.direction != "both":
            direction[ALL] = self.direction
        elif direction in ({ALL: "buffs"}, {ALL: "nerfs"}):
            direction = {}
        return tune.model_copy(update=self.model_dump() | {"direction": direction, "lock": ()})


class Draft(StrictModel):
    """A designer's edits, locks, notes and constraints.

    Attributes:
        edits: numbers that differ from the baseline, in the order of their first edits.
        locks: locked numbers and cards; actions keep them sorted by card and field.
        notes: text of each note that is not empty, by card id.
        constraints: constraints on suggestions.
    """

    edits: tuple[Edited, ...] = ()
    locks: tuple[Locked, ...] = ()
    notes: dict[str, NoteText] = Field(default_factory=dict)
    constraints: Constraints = Constraints()

    @classmethod
    def first(cls, view: ViewModel) -> Draft:
        """Return a draft without edits, with the card locks and constraints of the experiment."""
        locks = tuple(Locked(card=card, field=None) for card in view.cards_locked_by_file())
        return cls(locks=locks, constraints=Constraints.of(view.settings.tune))

    @property
    def values(self) -> dict[Place, int]:
        """New value of each edited number, by card and field."""
        return values_of(self.edits)

    def is_locked(self, card: str, field: str | None) -> bool:
        """Return whether a number is locked, by itself or with its whole card.

        Args:
            card: id of the card, or `sim.ruleset.RULES`.
            field: name of the field; `None` to check only for a lock of the whole card.
        """
        names = {(lock.card, lock.field) for lock in self.locks}
        return (card, None) in names or (card, field) in names


class Edit(StrictModel):
    """Action that sets a number to a value.

    Attributes:
        do: name of the action in `session.json`.
        card: id of the card, or `sim.ruleset.RULES`.
        field: name of the field.
        to: value after the edit.
    """

    do: Literal["edit"] = "edit"
    card: Id
    field: Id
    to: Value

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return a copy of the draft with the number set to its new value.

        Raises:
            InputError: the number is unknown or locked, or the value is outside its range.
        """
        _check_range(self, view)
        if draft.is_locked(self.card, self.field):
            raise InputError(
                "the number is locked",
                place=number_place(self.card, self.field),
                remedy="unlock it first",
            )
        return _with_values(draft, {**draft.values, (self.card, self.field): self.to}, view)


class Revert(StrictModel):
    """Action that resets a number to its baseline value.

    Attributes:
        do: name of the action in `session.json`.
        card: id of the card, or `sim.ruleset.RULES`.
        field: name of the field.
    """

    do: Literal["revert"] = "revert"
    card: Id
    field: Id

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return a copy of the draft without an edit of the number.

        Raises:
            InputError: the number is unknown or locked.
        """
        today = view.number(self.card, self.field).today
        return Edit(card=self.card, field=self.field, to=today).apply(draft, view)


class Lock(StrictModel):
    """Action that locks or unlocks a number or a whole card.

    Attributes:
        do: name of the action in `session.json`.
        card: id of the card, or `sim.ruleset.RULES`.
        field: name of the field; `None` to lock or unlock the whole card.
        locked: whether to lock; `False` to unlock.
    """

    do: Literal["lock"] = "lock"
    card: Id
    field: Id | None
    locked: bool

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return a copy of the draft with the lock added or removed.

        Locks of a card and of its single numbers are independent: removing the one keeps the
        others.

        Raises:
            InputError: the card or the number is unknown.
        """
        view.check_owner(self.card)
        if self.field is not None:
            view.number(self.card, self.field)  # raises an error if the number is unknown
        locked = {(lock.card, lock.field) for lock in draft.locks} - {(self.card, self.field)}
        if self.locked:
            locked.add((self.card, self.field))
        # The lock of a whole card precedes the locks of its numbers.
        ordered = sorted(locked, key=lambda place: (place[0], place[1] or ""))
        locks = tuple(Locked(card=card, field=field) for card, field in ordered)
        return draft.model_copy(update={"locks": locks})


class Constrain(Constraints):
    """Action that replaces all constraints on suggestions."""

    do: Literal["constraints"] = "constraints"

    def apply(self, draft: Draft, _: ViewModel) -> Draft:
        """Return a copy of the draft with the action's constraints."""
        constraints = Constraints(**self.model_dump(exclude={"do"}))
        return draft.model_copy(update={"constraints": constraints})


class Note(StrictModel):
    """Action that replaces the note on a card.

    Attributes:
        do: name of the action in `session.json`.
        card: id of the card, or `sim.ruleset.RULES`.
        text: new text of the note; an empty text removes the note.
    """

    do: Literal["note"] = "note"
    card: Id
    text: NoteText

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return a copy of the draft with the new note, or without a note if the text is empty.

        Raises:
            InputError: the page shows no card of this id.
        """
        notes = {**draft.notes, view.check_owner(self.card): self.text}
        filled = {card: text for card, text in notes.items() if text}
        return draft.model_copy(update={"notes": filled})


class Apply(StrictModel):
    """Action that replaces the edits of all unlocked numbers by a patch.

    Attributes:
        do: name of the action in `session.json`.
        edits: edits of the patch.
    """

    do: Literal["apply"] = "apply"
    edits: tuple[Edited, ...]

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return a copy of the draft with the patch's edits and its own edits of locked numbers.

        Raises:
            InputError: the patch changes a locked number, or an edit is unknown or out of range.
        """
        values = {place: to for place, to in draft.values.items() if draft.is_locked(*place)}
        for edit in self.edits:
            _check_range(edit, view)
            today = view.number(edit.card, edit.field).today
            present = values.get((edit.card, edit.field), today)
            if draft.is_locked(edit.card, edit.field) and edit.to != present:
                raise InputError(
                    "the suggestion changes this number, which has been locked since",
                    place=number_place(edit.card, edit.field),
                    remedy="unlock it first",
                )
            values[edit.card, edit.field] = edit.to
        return _with_values(draft, values, view)


Action = Annotated[Edit | Revert | Lock | Constrain | Note | Apply, Field(discriminator="do")]


def with_known_names(action: Action, view: ViewModel) -> Action:
    """Return a copy of an action that refers to its card and field by their ids.

    Unknown names stay unchanged. Actions on constraints and patches are returned unchanged.

    Raises:
        InputError: several cards or fields have the name.
    """
    if isinstance(action, Constrain | Apply):
        return action
    card, field = view.known_names(action.card, getattr(action, "field", None))
    changes = {"card": card} if isinstance(action, Note) else {"card": card, "field": field}
    return action.model_copy(update=changes)


def _check_range(edit: Edit | Edited, view: ViewModel) -> None:
    """Raise an `InputError` if an edit's number is unknown or its value is out of range."""
    number = view.number(edit.card, edit.field)
    if not number.least <= edit.to <= number.most:
        raise value_error(
            number_place(edit.card, edit.field),
            edit.to,
            f"must be from {number.least} to {number.most}",
            limit=(number.least, number.most),
        )


def _with_values(draft: Draft, values: Mapping[Place, int], view: ViewModel) -> Draft:
    """Return a copy of a draft with new edits in place of all its edits.

    Args:
        draft: draft with the locks, notes and constraints of the copy.
        values: values of numbers by card and field; baseline values are left out.
        view: view model of the experiment.

    Raises:
        InputError: the numbers of the rules are inconsistent with each other.
    """
    moved = {place: to for place, to in values.items() if to != view.numbers[place].today}
    rules = {field: to for (card, field), to in moved.items() if card == RULES}
    if rules:
        # Numbers of the rules restrict each other, so all edited numbers are checked together. The
        # message is placed at the last number, which the designer has just changed.
        try:
            view.check_rules(rules)
        except InputError as error:
            place = number_place(RULES, [*rules][-1])
            raise InputError(error, place=place, value=error.value, limit=error.limit) from None
    return draft.model_copy(update={"edits": edits_of(moved)})
