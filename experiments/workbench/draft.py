"""The draft: edits, locks, notes and constraints of a designer, and the actions that change it.

Each action has a method `apply`, which returns the draft after it. If a card or number is unknown,
is locked, or would leave its range, the method raises an `InputError` with a place on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from balance.tune import ALL, USUAL_STEPS, MaxSteps, Tune
from experiments.workbench.page_errors import number_place
from experiments.workbench.view_model import Place, ViewModel
from sim import InputError, StrictModel
from sim.ruleset import RULES

NOTE_MAX = 2_000  # characters; `maxLength` of the page's notes is the same
_VALUE_MAX = 10**6  # beyond every limit of a ruleset; keeps huge numbers out of the files

Value = Annotated[int, Field(ge=-_VALUE_MAX, le=_VALUE_MAX)]
Id = Annotated[str, Field(min_length=1, max_length=200)]
NoteText = Annotated[str, Field(max_length=NOTE_MAX)]
Direction = Literal["both", "buffs", "nerfs"]


class Edited(StrictModel):
    """An edit of one number.

    Attributes:
        card: id of the card, or `sim.ruleset.RULES`.
        field: field of the card.
        to: new value.
    """

    card: Id
    field: Id
    to: Value


def edits_of(values: Mapping[Place, int]) -> tuple[Edited, ...]:
    """Return new values of numbers as edits."""
    return tuple(Edited(card=card, field=field, to=to) for (card, field), to in values.items())


def values_of(edits: Iterable[Edited]) -> dict[Place, int]:
    """Return edits as new values of numbers."""
    return {(edit.card, edit.field): edit.to for edit in edits}


class Locked(StrictModel):
    """A lock of one number, or of all numbers of a card.

    Attributes:
        card: id of the card, or `sim.ruleset.RULES`.
        field: field of the card; `None` locks all its numbers.
    """

    card: Id
    field: Id | None


class Constraints(StrictModel):
    """Constraints on suggestions, as in `[tune]` of an experiment.

    Attributes:
        max_cards: largest number of cards with an edit.
        max_change: largest change, the weighted steps of all edits.
        max_card_change: largest number of steps of a single card.
        stat_budget: how far attack and health of a body may exceed the pool's curve for its cost.
        direction: `buffs` or `nerfs` if cards may only improve or only become worse; `both` to
            apply the directions of the experiment's file.
        max_steps: largest number of steps of each number from its baseline, for all numbers or by
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
        """Return the constraints of an experiment's `[tune]`."""
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
        """Return an experiment's `[tune]` with these constraints and without its locks."""
        direction = dict(tune.direction)
        # A direction for all cards is the designer's choice on the page; directions of single
        # cards are not shown there, so they stay.
        if self.direction != "both":
            direction[ALL] = self.direction
        elif direction in ({ALL: "buffs"}, {ALL: "nerfs"}):
            direction = {}
        return tune.model_copy(update=self.model_dump() | {"direction": direction, "lock": ()})


class Draft(StrictModel):
    """A designer's edits, locks, notes and constraints.

    Attributes:
        edits: numbers that differ from the baseline, in the order of their first edits.
        locks: locked numbers and cards, sorted by card and field.
        notes: notes by card.
        constraints: constraints on suggestions.
    """

    edits: tuple[Edited, ...] = ()
    locks: tuple[Locked, ...] = ()
    notes: dict[str, NoteText] = Field(default_factory=dict)
    constraints: Constraints = Constraints()

    @classmethod
    def first(cls, view: ViewModel) -> Draft:
        """Return the draft without edits, with the locks and constraints of the experiment."""
        locks = tuple(Locked(card=card, field=None) for card in view.cards_locked_by_file())
        return cls(locks=locks, constraints=Constraints.of(view.experiment.settings.tune))

    @property
    def values(self) -> dict[Place, int]:
        """New values of the edited numbers, by place."""
        return values_of(self.edits)

    def is_locked(self, card: str, field: str | None) -> bool:
        """Return whether a number is locked; without a field, whether the whole card is."""
        names = {(lock.card, lock.field) for lock in self.locks}
        return (card, None) in names or (card, field) in names


class Edit(StrictModel):
    """Action: set a number to a value."""

    do: Literal["edit"] = "edit"
    card: Id
    field: Id
    to: Value

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return the draft with the number set to its new value."""
        _check_range(self, view)
        if draft.is_locked(self.card, self.field):
            raise InputError(
                "the number is locked",
                place=number_place(self.card, self.field),
                remedy="unlock it first",
            )
        return _with_values(draft, {**draft.values, (self.card, self.field): self.to}, view)


class Revert(StrictModel):
    """Action: set a number back to its baseline value."""

    do: Literal["revert"] = "revert"
    card: Id
    field: Id

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return the draft without an edit of the number."""
        today = view.number(self.card, self.field).today
        return Edit(card=self.card, field=self.field, to=today).apply(draft, view)


class Lock(StrictModel):
    """Action: lock or unlock a number, or all numbers of a card if no field is named."""

    do: Literal["lock"] = "lock"
    card: Id
    field: Id | None
    locked: bool

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return the draft with or without the lock."""
        view.check_owner(self.card)
        if self.field is not None:
            view.number(self.card, self.field)  # refuses an unknown number
        named = {(lock.card, lock.field) for lock in draft.locks} - {(self.card, self.field)}
        if self.locked:
            named.add((self.card, self.field))
        ordered = sorted(named, key=lambda name: (name[0], name[1] or ""))
        locks = tuple(Locked(card=card, field=field) for card, field in ordered)
        return draft.model_copy(update={"locks": locks})


class Constrain(Constraints):
    """Action: replace the constraints on suggestions."""

    do: Literal["constraints"] = "constraints"

    def apply(self, draft: Draft, _: ViewModel) -> Draft:
        """Return the draft with these constraints."""
        constraints = Constraints(**self.model_dump(exclude={"do"}))
        return draft.model_copy(update={"constraints": constraints})


class Note(StrictModel):
    """Action: replace the note on a card; an empty text removes it."""

    do: Literal["note"] = "note"
    card: Id
    text: NoteText

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return the draft with the new note on the card."""
        notes = {**draft.notes, view.check_owner(self.card): self.text}
        filled = {card: text for card, text in notes.items() if text}
        return draft.model_copy(update={"notes": filled})


class Apply(StrictModel):
    """Action: replace all edits by a patch; locked numbers keep their values."""

    do: Literal["apply"] = "apply"
    edits: tuple[Edited, ...]

    def apply(self, draft: Draft, view: ViewModel) -> Draft:
        """Return the draft with the edits of the patch and its own edits of locked numbers."""
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
    """Return an action with the ids of its card and field in place of other spellings.

    Raises:
        InputError: a name is ambiguous.
    """
    if isinstance(action, Constrain | Apply):
        return action
    card, field = view.known_names(action.card, getattr(action, "field", None))
    changes = {"card": card} if isinstance(action, Note) else {"card": card, "field": field}
    return action.model_copy(update=changes)


def _check_range(edit: Edit | Edited, view: ViewModel) -> None:
    """Refuse an edit that leaves the range of its number."""
    number = view.number(edit.card, edit.field)
    if not number.least <= edit.to <= number.most:
        raise InputError(
            f"{edit.to} must be from {number.least} to {number.most}",
            place=number_place(edit.card, edit.field),
            value=edit.to,
            limit=(number.least, number.most),
            separator=" = ",
        )


def _with_values(draft: Draft, values: Mapping[Place, int], view: ViewModel) -> Draft:
    """Return a draft with other edits.

    Args:
        draft: the draft.
        values: values of all edited numbers; a baseline value makes no edit.
        view: view model of the experiment.
    """
    moved = {place: to for place, to in values.items() if to != view.numbers[place].today}
    rules = {field: to for (card, field), to in moved.items() if card == RULES}
    if rules:
        # Numbers of the rules restrict each other, so all edited ones are checked together. The
        # message goes to the last one, which is the one that the designer has just changed.
        try:
            view.contest.table.ruleset.with_numbers(rules)
        except InputError as error:
            place = number_place(RULES, [*rules][-1])
            raise InputError(error, place=place, value=error.value, limit=error.limit) from None
    return draft.model_copy(update={"edits": edits_of(moved)})
