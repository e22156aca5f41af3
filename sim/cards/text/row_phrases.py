"""Parts of phrases: properties of an effect row in words, for the phrases of actions."""

from __future__ import annotations

from collections.abc import Callable

from sim.cards.effect import Effect
from sim.cards.notation import OWN_PLAYER
from sim.cards.text.group_phrases import NO_NAMES, Names, measure_words, picked_words
from sim.cards.vocabulary import (
    GOING_ON,
    KEYWORD_MEANINGS,
    LASTING_PHRASES,
    Keyword,
    Lasting,
    Selector,
)
from sim.errors import listed

MOST_NAMES = 6  # cards named in a sentence; more are only counted, so that it stays readable


_FORMER_PARTS = {"whom": "receivers"}
"""Former names of parts, which phrases of installed packages may still have, and present ones."""


class RowPhrases:
    """The properties of an effect row in words; phrases of actions name them in braces.

    For a part that is a method, the text behind a colon is its argument: `{amount:damage}`.

    Attributes:
        effect: the row.
        receivers: the phrase for the cards and players that the row acts on.
        named: names of the cards in the row's `cards`.
        going_on: the phrase for the attack or the spell that the row changes.
    """

    going_on = GOING_ON

    def __init__(self, effect: Effect, names: Names = NO_NAMES) -> None:
        self.effect = effect
        self.receivers: str = picked_words(effect.to, effect.pick, effect.spare, names)
        self.named = [names.get(card, card) for card in effect.cards]

    def __getitem__(self, part: str) -> object:
        """Return a part by its name, for `str.format_map`."""
        value = getattr(self, _FORMER_PARTS.get(part, part))
        return _PartWithArgument(value) if callable(value) else value

    def all(self) -> str:
        """Return the row's action in words, as the action's own phrase gives it."""
        phrase = self.effect.action.phrase
        return phrase(self) if callable(phrase) else phrase.format_map(self)

    def times(self, number: object) -> str:
        """Return a number with the row's multiplier: `2`, `2 times the number of own minions`."""
        if self.effect.times is None:
            return str(number)
        measure = measure_words(self.effect.times)
        return measure if number == 1 else f"{number} times {measure}"

    def amount(self, what: str = "") -> str:
        """Return the amount: `1 to 3`; with a noun `2 damage`, `damage equal to ...`.

        Args:
            what: noun for the quantity; `""` for the bare number.
        """
        row = self.effect
        quantity = self.times(
            row.amount if row.amount_to is None else f"{row.amount} to {row.amount_to}"
        )
        if not what:
            return quantity
        is_event = row.times is not None and row.times.measure == "event"
        if is_event and row.on in {"damage", "heal"} and row.amount == 1:
            return f"as much {what}"
        return f"{what} equal to {quantity}" if row.times else f"{quantity} {what}"

    def count(self, one: str, many: str = "") -> str:
        """Return the amount as a number of things: `a card`, `2 cards`.

        For cards of a deck, the phrase for the cards that the row picked takes its place.

        Args:
            one: noun for one thing.
            many: noun for several; by default the first noun with an `s`.
        """
        if self.effect.to.is_of_deck:
            return self.taken
        return f"a {one}" if self.amount() == "1" else self.amount(many or f"{one}s")

    @property
    def size(self) -> str:
        """The absolute value of the amount."""
        return self.times(abs(self.effect.amount))

    def does(self, verb: str) -> str:
        """Return a verb with its subject, `the enemy player draws`; the own player is left out."""
        is_own = self.effect.to == OWN_PLAYER or self.effect.to.is_of_deck
        return verb if is_own else f"{self.receivers} {verb}s"

    @property
    def player(self) -> str:
        """The player in front of a clause, `the enemy player: `; `""` for the own player."""
        return "" if self.effect.to == OWN_PLAYER else f"{self.receivers}: "

    @property
    def for_player(self) -> str:
        """The player behind a clause, ` for the enemy player`; `""` for the own player."""
        return "" if self.effect.to == OWN_PLAYER else f" for {self.receivers}"

    @property
    def doer(self) -> str:
        """The note that the target, not the card, counts as the cause; `""` if the card does."""
        return "; the target counts as the doer" if self.effect.by == "target" else ""

    @property
    def taken(self) -> str:
        """Cards of a hand or a deck as a source: `a card from the own deck`."""
        return self.receivers.replace(" in the ", " from the ", 1)

    @property
    def power(self) -> str:
        """The hero power of the player in `to`, for rows about costs and powers; else the group."""
        return self.effect.to.selector.about.power or self.receivers

    @property
    def cards(self) -> str:
        """The cards that the row brings: `2 copies of Oak`, `one of Oak, Elm or Ash at random`."""
        row = self.effect
        named = self.named
        if row.of_enemy_hero:
            return f"{self.count('random card')} of the enemy hero's class"
        if row.token is not None:
            body = f"{row.token.attack}/{row.token.health}"
            keywords = [word.replace("_", " ") for word in row.token.keywords]
            token = self.count(body, f"{body} bodies")
            return f"{token} with {listed(keywords)}" if keywords else token
        is_several = row.amount != 1 or row.times is not None
        if len(named) > 1:
            shown = listed(named, "or") if len(named) <= MOST_NAMES else f"{len(named)} cards"
            how = "that is not there yet" if row.absent else "at random"
            what = f"one of {shown} {how}"
            return f"{self.amount()} times {what}" if is_several else what
        if row.times:
            return f"copies of {named[0]}, as many as {self.amount()}"
        return f"{self.amount()} copies of {named[0]}" if is_several else named[0]

    @property
    def keywords(self) -> str:
        """The keywords that the row gives or takes, as a list in words."""
        return listed([keyword_words(word) for word in self.effect.keywords])

    @property
    def numbers(self) -> list[tuple[str, int]]:
        """The numbers that the row gives, each after its name: attack, and health or durability."""
        is_weapon = self.effect.to.selector in (Selector.OWN_WEAPON, Selector.ENEMY_WEAPON)
        second = "durability" if is_weapon else "health"
        pairs = (("attack", self.effect.attack), (second, self.effect.health))
        return [(what, number) for what, number in pairs if number is not None]

    @property
    def bonus(self) -> str:
        """The numbers that the row gives as an addition: `+1 attack and +2 health`."""
        bonus = listed([f"{number:+d} {what}" for what, number in self.numbers])
        return f"{bonus} (times {measure_words(self.effect.times)})" if self.effect.times else bonus

    @property
    def new_numbers(self) -> str:
        """The numbers that the row gives as new values: `attack to 1 and health to 2`."""
        return listed([f"{what} to {self.times(number)}" for what, number in self.numbers])

    @property
    def change(self) -> str:
        """The word `more` for a positive amount, `less` for a negative one."""
        return "more" if self.effect.amount > 0 else "less"

    @property
    def turn_of_player(self) -> str:
        """The duration for players, who keep for a turn what minions keep for good; else `""`."""
        return LASTING_PHRASES[Lasting.TURN] if self.effect.to.selector.about.power else ""

    @property
    def lasting(self) -> str:
        """The duration at the end of a sentence; `""` if the result is kept for good."""
        return LASTING_PHRASES[Lasting[self.effect.lasts.upper()]]


PARTS = (
    "effect",
    "receivers",
    *_FORMER_PARTS,
    *(name for name in vars(RowPhrases) if not name.startswith("_")),
)
"""The names that phrases may have in braces."""


class _PartWithArgument:
    """A part of a phrase that takes the text behind the colon as its argument."""

    def __init__(self, render: Callable[[str], str]) -> None:
        self._render = render

    def __format__(self, what: str) -> str:
        return self._render(what)


def keyword_words(word: str) -> str:
    """Return a keyword in words, a rare one with its meaning: `blunt (against minions ...)`."""
    meaning = KEYWORD_MEANINGS.get(Keyword[word.upper()])
    return word.replace("_", " ") + (f" ({meaning})" if meaning else "")
