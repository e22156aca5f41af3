"""Context of a phrase on a card: what it can refer to, and the target that it chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.cards.notation import ALWAYS, Bounds, Group, Reading
from sim.cards.reading.group_rules import filtered
from sim.cards.reading.meanings import Condition, How, Quantity, Reference
from sim.cards.reading.sentences import Occurrence
from sim.cards.vocabulary import Event, Selector, State
from sim.errors import InputError

PLAYED = Occurrence("play")
TARGET = Group(Selector.TARGET)

_CHARACTERS = Group(Selector.CHARACTERS)
_WITH_TARGETS = ("minion", "spell", "weapon", "power", "option")


@dataclass
class Context:
    """What phrases of a card can refer to; changes with each sentence.

    Attributes:
        kind: kind of the card.
        event: event of the present ability.
        mentioned: group that was mentioned last; `None` if there is none.
        is_picked: whether chance picked from that group, so that nothing can refer to it again.
        is_several: whether several cards were made, of which a row remembers only the last.
        before_condition: what was mentioned before the condition of the present sentence.
        target: group that the player chooses the target from; `None` without a target.
        is_inferred: whether a phrase such as "a minion" implies the target, which no sentence of
            its own names.
        shared_target: targets of the first of two options, which the second option may be about.
    """

    kind: str
    event: Occurrence = PLAYED
    mentioned: Group | None = None
    is_picked: bool = False
    is_several: bool = False
    before_condition: tuple[Group | None, bool, bool] = (None, False, False)
    target: Group | None = None
    is_inferred: bool = False
    shared_target: Group | None = None

    def mention(
        self, group: Group | None, *, is_picked: bool = False, is_several: bool = False
    ) -> None:
        """Remember a group for the pronouns that follow."""
        self.mentioned = group
        self.is_picked = is_picked
        self.is_several = is_several

    def choose(self, group: Group, *, is_inferred: bool) -> None:
        """Let the player choose the target from a group.

        Raises:
            InputError: the player chooses from another group already.
        """
        # A card cannot choose itself: the target is chosen before the card is in play.
        group = replace(group, states=group.states & ~State.OTHER)
        if self.target is not None and self.target != group:
            raise InputError("the text chooses two different targets, but a card has only one")
        self.target = group
        self.is_inferred = is_inferred
        self.mention(TARGET)

    def receivers(self, reference: Reference, keys: dict[str, Any]) -> Group:
        """Return the group that a row acts on, and set the row's keys `pick` and `spare`.

        Raises:
            InputError: the reference has no meaning here.
        """
        match reference.how:
            case How.ANYONE:
                return self._anyone(keys)
            case How.BEARER:
                return self._bearer()
            case How.IT | How.THAT:
                if reference.pick:
                    keys["pick"] = reference.pick
                return self.counted(reference)
        if reference.pick:
            keys["pick"] = reference.pick
        if reference.spare:
            keys["spare"] = reference.spare
        if reference.how is How.ONE:
            if self._can_choose_from(reference.group):
                return self._chosen(reference)
            keys.setdefault("pick", 1)
        group = self._placed(reference)
        self.mention(group, is_picked="pick" in keys)
        return group

    def counted(self, reference: Reference) -> Group:
        """Return the group of a reference that is counted or read, without a choice.

        Raises:
            InputError: the reference is a pronoun without anything that it can stand for.
        """
        if reference.how in (How.IT, How.THAT):
            # "They" are several, not the one thing of a condition such as "if you have a weapon".
            if reference.word == "them" and self.before_condition[0] is not None:
                self.mentioned, self.is_picked, self.is_several = self.before_condition
            return filtered(self._antecedent(reference.how), reference.group)
        return reference.group

    def reading(self, quantity: Quantity) -> Reading:
        """Return the measure of a quantity.

        Raises:
            InputError: see `counted`.
        """
        group = self.counted(quantity.reference)
        if quantity.measure in ("count", "stat"):
            return Reading(quantity.measure, group, quantity.stat)
        return Reading(quantity.measure)

    def bounds(self, conditions: Sequence[Condition]) -> Bounds:
        """Return the conjunction of conditions, `ALWAYS` for none.

        Raises:
            InputError: see `counted`.
        """
        joined: Bounds | None = None
        for condition in reversed(conditions):
            reading = self.reading(condition.quantity)
            joined = Bounds(reading, condition.low, condition.high, joined)
        return ALWAYS if joined is None else joined

    def mention_condition(self, conditions: Sequence[Condition]) -> None:
        """Remember the group that the last condition counts: "If you have a weapon, give it"."""
        self.before_condition = (self.mentioned, self.is_picked, self.is_several)
        if conditions:
            reference = conditions[-1].quantity.reference
            is_counted = conditions[-1].quantity.measure == "count" and reference.how is How.ALL
            if is_counted and reference.group.selector is not Selector.SELF:
                self.mention(reference.group)

    def _antecedent(self, how: How) -> Group:
        """Return what a pronoun stands for: the last mentioned, else the subject of the event."""
        has_subject = bool(Event[self.event.on.upper()].about.wording)
        if has_subject and (how is How.THAT or self.mentioned is None):
            return Group(Selector.SUBJECT)
        if self.is_picked:
            raise InputError("the text mentions again what chance has picked, which no row can do")
        if self.is_several:
            raise InputError("the text mentions again several cards that a row has made or drawn")
        if self.mentioned is None and self.shared_target is not None:
            self.choose(self.shared_target, is_inferred=True)
            return TARGET
        if self.mentioned is None:
            raise InputError("the text has a pronoun, but nothing that it can stand for")
        return self.mentioned

    def _anyone(self, keys: dict[str, Any]) -> Group:
        """Return the target of a verb without an object: any character that the player chooses."""
        if self.mentioned == TARGET and self.shared_target is None:
            return TARGET
        return self.receivers(Reference(How.ONE, self.shared_target or _CHARACTERS), keys)

    def _bearer(self) -> Group:
        """Return the one that gains something if the sentence does not say who does."""
        if self.kind == "weapon":
            return Group(Selector.OWN_WEAPON)
        if self.kind in ("minion", "attachment"):
            return Group(Selector.SELF)
        if self.shared_target is not None:
            self.choose(self.shared_target, is_inferred=True)
            return TARGET
        if self.mentioned is not None and not self.is_picked:
            return self.mentioned
        return Group(Selector.SELF if self.kind == "option" else Selector.OWN_PLAYER)

    def _can_choose_from(self, group: Group) -> bool:
        is_of_characters = group.selector <= Selector.CHARACTERS
        return is_of_characters and self.event.on == "play" and self.kind in _WITH_TARGETS

    def _chosen(self, reference: Reference) -> Group:
        if reference.pick:
            raise InputError(
                f"the text lets the player choose {reference.pick} targets, but a card has one"
            )
        self.choose(reference.group, is_inferred=True)
        return TARGET

    def _placed(self, reference: Reference) -> Group:
        """Return a group as it is meant on this kind of card and after a choice."""
        group = reference.group
        if reference.word == "adjacent" and self.event.on == "play" and self.target is not None:
            return replace(group, selector=Selector.TARGET_NEIGHBOURS)
        if reference.word == "this" and self.kind == "weapon":
            return replace(group, selector=Selector.OWN_WEAPON)
        # After a choice by a spell, "all other minions" are those that were not chosen.
        if self.is_inferred and self.kind == "spell" and group.states & State.OTHER:
            return replace(group, states=(group.states & ~State.OTHER) | State.UNTARGETED)
        return group
