"""Context of a phrase on a card: what it can refer to, and the target that it chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sim.cards.notation import ALWAYS, Bounds, Group, Reading
from sim.cards.reading.group_rules import filtered
from sim.cards.reading.meanings import Condition, How, Quantity, Reference
from sim.cards.reading.sentences import Occurrence
from sim.cards.vocabulary import Event, Selector, Side, State
from sim.errors import InputError

PLAYED = Occurrence("play")
TARGET = Group(Selector.TARGET)
PREVIOUS = Group(Selector.PREVIOUS)

_CHARACTERS = Group(Selector.CHARACTERS)
_WITH_TARGETS = ("minion", "spell", "weapon", "power", "option")
"""Kinds of cards for which a player may choose a target."""

_LASTING_STATES = State.OTHER | State.UNTARGETED | State.TARGETED | State.OWN | State.HERO
"""States that the effects of a text do not change."""

PICKED = "the text mentions again what chance has picked, which no row can do"
_SEVERAL = "the text mentions again several cards that a row has made or drawn"
_CHANGED = "the text mentions again a group that its own effects may have changed"
_ANY_OF = "the text says 'it' of something that a condition only counts"
_IN_HANDS = ("cost", "buff", "grant", "set", "swap", "double", "copy", "discard")
"""Actions that may mean a card that was drawn or given; others mean something in play."""


class Mention(NamedTuple):
    """Group that a text has mentioned, for the pronouns that follow.

    Attributes:
        group: the group.
        lost: reason why no pronoun can stand for the group any more; `""` if one can.
        lost_as_it: reason why "it" cannot stand for the group, though "them" can.
        is_in_hand: whether the group is a card that was drawn, given or copied.
    """

    group: Group
    lost: str = ""
    lost_as_it: str = ""
    is_in_hand: bool = False


@dataclass
class Context:
    """What phrases of a card can refer to; changes with each sentence.

    Attributes:
        kind: kind of the card.
        event: event of the present ability.
        mentioned: what was mentioned last; `None` if there is nothing.
        in_play: what was mentioned last among things in play, before cards were drawn.
        before_condition: what was mentioned before the condition of the present sentence.
        target: group that the player chooses the target from; `None` without a target.
        is_inferred: whether a phrase such as "a minion" implies the target, which no sentence of
            its own names.
        shared_target: targets of the first of two options, which the second option may be about.
    """

    kind: str
    event: Occurrence = PLAYED
    mentioned: Mention | None = None
    in_play: Mention | None = None
    before_condition: Mention | None = None
    target: Group | None = None
    is_inferred: bool = False
    shared_target: Group | None = None

    def forget(self) -> None:
        """Forget what was mentioned, at the beginning of a new ability."""
        self.mentioned = self.in_play = self.before_condition = None

    def mention(self, group: Group, *, lost: str = "", lost_as_it: str = "") -> None:
        """Remember a group for the pronouns that follow."""
        self.mentioned = self.in_play = Mention(group, lost, lost_as_it)

    def mention_made(self, *, is_one: bool, is_in_hand: bool) -> None:
        """Remember the cards that a row has made, drawn or moved."""
        made = Mention(PREVIOUS, "" if is_one else _SEVERAL, is_in_hand=is_in_hand)
        if not is_in_hand:
            self.in_play = made
        self.mentioned = made

    def mention_condition(self, conditions: Sequence[Condition]) -> None:
        """Remember the group that the last condition counts: "If you have a weapon, give it"."""
        self.before_condition = self.mentioned
        if conditions:
            reference = conditions[-1].quantity.reference
            is_counted = conditions[-1].quantity.measure == "count" and reference.how is How.ALL
            if is_counted and reference.group.selector is not Selector.SELF:
                is_single = reference.group.selector.is_single
                self.mention(reference.group, lost_as_it="" if is_single else _ANY_OF)

    def choose(self, group: Group, *, is_inferred: bool) -> None:
        """Let the player choose the target from a group.

        Raises:
            InputError: the player has chosen another target already.
        """
        is_another = self.target is not None and bool(group.states & State.OTHER)
        # A card cannot choose itself: the target is chosen before the card is in play.
        group = replace(group, states=group.states & ~State.OTHER)
        if is_another or self.target not in (None, group):
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
                return self.bearer()
            case How.IT | How.THAT:
                if reference.pick:
                    keys["pick"] = reference.pick
                return self.counted(reference, keys.get("do", ""))
        if reference.how is How.ONE and self._can_choose_from(reference.group):
            return self._chosen(reference)
        if reference.pick:
            keys["pick"] = reference.pick
        if reference.spare:
            keys["spare"] = reference.spare
        if reference.how is How.ONE:
            keys.setdefault("pick", 1)
        group = self._placed(reference)
        self.mention(group, lost=PICKED if "pick" in keys else reason_of_change(group))
        return group

    def counted(self, reference: Reference, action: str = "") -> Group:
        """Return the group of a reference that is counted or read, without a choice.

        Args:
            reference: the reference.
            action: word of the action of which the group is the receiver; `""` for none.

        Raises:
            InputError: the reference is a pronoun without anything that it can stand for.
        """
        if reference.how in (How.IT, How.THAT):
            return filtered(self._antecedent(reference, action), reference.group)
        return reference.group

    def reading(self, quantity: Quantity) -> Reading:
        """Return the measure of a quantity.

        Raises:
            InputError: the quantity is of a pronoun without anything that it can stand for.
        """
        group = self.counted(quantity.reference)
        if quantity.measure in ("count", "stat"):
            return Reading(quantity.measure, group, quantity.stat)
        return Reading(quantity.measure)

    def bounds(self, conditions: Sequence[Condition]) -> Bounds:
        """Return the conjunction of conditions, `ALWAYS` for none.

        Raises:
            InputError: a condition has a pronoun without anything that it can stand for.
        """
        joined: Bounds | None = None
        for condition in reversed(conditions):
            reading = self.reading(condition.quantity)
            joined = Bounds(reading, condition.low, condition.high, joined)
        return ALWAYS if joined is None else joined

    def check_owner(self, group: Group, owner: str) -> None:
        """Refuse "return an enemy minion to your hand": minions return to their owner's hand.

        Args:
            group: what returns.
            owner: owner of the hand, `own` or `enemy`.

        Raises:
            InputError: the group is, or may be, on the other side.
        """
        if group.selector is Selector.TARGET and self.target is not None:
            group = self.target
        side = group.selector.side
        is_of_side = side is Side[owner.upper()] or (owner == "own" and group.states & State.OWN)
        # The card itself, and what the event is about, are those that the text can mean.
        if not is_of_side and group.selector not in (
            Selector.SELF,
            Selector.SUBJECT,
            Selector.PREVIOUS,
        ):
            raise InputError(
                "a minion returns to the hand of its owner",
                remedy="write 'to the owner's hand', or return minions of one side",
            )

    def bearer(self) -> Group:
        """Return the one that gains something if the sentence does not say who does."""
        if self.kind == "weapon":
            return Group(Selector.OWN_WEAPON)
        if self.kind in ("minion", "attachment"):
            return Group(Selector.SELF)
        if self.shared_target is not None:
            self.choose(self.shared_target, is_inferred=True)
            return TARGET
        if self.mentioned is not None and not self.mentioned.lost:
            return self.mentioned.group
        return Group(Selector.SELF if self.kind == "option" else Selector.OWN_PLAYER)

    def _antecedent(self, reference: Reference, action: str) -> Group:
        """Return what a pronoun stands for: the last mentioned, else the subject of the event."""
        mention = self.mentioned
        # "They" are several, not the one thing of a condition such as "if you have a weapon".
        if reference.word == "them" and self.before_condition is not None:
            mention = self.before_condition
        is_about_play = bool(reference.group.states) or (action and action not in _IN_HANDS)
        if mention is not None and mention.is_in_hand and is_about_play:
            mention = self.in_play
        has_subject = bool(Event[self.event.on.upper()].about.wording)
        if has_subject and (reference.how is How.THAT or mention is None):
            return Group(Selector.AIM if self.event.is_of_aim else Selector.SUBJECT)
        if mention is None and self.shared_target is not None:
            self.choose(self.shared_target, is_inferred=True)
            return TARGET
        if mention is None:
            raise InputError("the text has a pronoun, but nothing that it can stand for")
        is_it = reference.word != "them" and not reference.pick
        if lost := mention.lost or (mention.lost_as_it if is_it else ""):
            raise InputError(lost)
        return mention.group

    def _anyone(self, keys: dict[str, Any]) -> Group:
        """Return the target of a verb without an object: any character that the player chooses."""
        is_chosen = self.mentioned is not None and self.mentioned.group == TARGET
        if is_chosen and self.shared_target is None:
            return TARGET
        return self.receivers(Reference(How.ONE, self.shared_target or _CHARACTERS), keys)

    def _can_choose_from(self, group: Group) -> bool:
        is_of_characters = group.selector <= Selector.CHARACTERS
        return is_of_characters and self.event.on == "play" and self.kind in _WITH_TARGETS

    def _chosen(self, reference: Reference) -> Group:
        if reference.pick > 1:
            raise InputError(
                f"the text lets the player choose {reference.pick} targets, but a card has one"
            )
        self.choose(reference.group, is_inferred=True)
        return TARGET

    def _placed(self, reference: Reference) -> Group:
        """Return a group with the meaning that its words have on this kind of card.

        Raises:
            InputError: the group is next to something that chance has picked.
        """
        group = reference.group
        if reference.word == "adjacent":
            is_picked = self.mentioned is not None and self.mentioned.lost == PICKED
            if is_picked or (self.kind == "spell" and self.target is None):
                raise InputError("the text mentions neighbours of something that no row can name")
            if self.event.on == "play" and self.target is not None:
                return replace(group, selector=Selector.TARGET_NEIGHBOURS)
        if reference.word == "this" and self.kind == "weapon":
            return replace(group, selector=Selector.OWN_WEAPON)
        # After a choice, "all other minions" of a spell are those that were not chosen, and so are
        # "all other enemies" of any card.
        is_of_spell = self.kind == "spell" and self.target is not None and self.event.on == "play"
        is_of_enemies = self.is_inferred and group.selector.side is Side.ENEMY
        if (is_of_spell or is_of_enemies) and group.states & State.OTHER:
            return replace(group, states=(group.states & ~State.OTHER) | State.UNTARGETED)
        return group


def reason_of_change(group: Group) -> str:
    """Return why a group cannot be mentioned again, `""` if it can: members may have changed."""
    is_fixed = group.selector.is_single or not (
        group.states & ~_LASTING_STATES or group.keywords or group.stat is not None
    )
    return "" if is_fixed else _CHANGED
