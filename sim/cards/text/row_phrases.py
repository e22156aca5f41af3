"""Parts of phrases: what can be said of an effect row, for the phrases of actions."""

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

MOST_NAMES = 6  # more cards are only counted


class RowPhrases:
    """What can be said of an effect row; phrases name these parts in braces.

    Of parts that are methods, what follows the colon is the argument: `{amount:damage}`.

    Attributes:
        effect: the row.
        whom: whom it acts on.
        named: the cards that it names.
        going_on: the attack or the spell that it changes.
    """

    going_on = GOING_ON

    def __init__(self, effect: Effect, names: Names = NO_NAMES) -> None:
        self.effect = effect
        self.whom: str = picked_words(effect.to, effect.pick, effect.spare, names)
        self.named = [names.get(card, card) for card in effect.cards]

    def __getitem__(self, part: str) -> object:
        """A part, for `str.format_map`."""
        value = getattr(self, part)
        return _Spoken(value) if callable(value) else value

    def all(self) -> str:
        """What the row does, as its action's phrase has it."""
        phrase = self.effect.action.phrase
        return phrase(self) if callable(phrase) else phrase.format_map(self)

    def times(self, number: object) -> str:
        """A number, multiplied: `2`, `2 times the number of own minions`."""
        if self.effect.times is None:
            return str(number)
        measure = measure_words(self.effect.times)
        return measure if number == 1 else f"{number} times {measure}"

    def amount(self, what: str = "") -> str:
        """How much: `1 to 3`; of something: `2 damage`, `damage equal to the attack of ...`."""
        one = self.effect
        quantity = self.times(
            one.amount if one.amount_to is None else f"{one.amount} to {one.amount_to}"
        )
        if not what:
            return quantity
        is_event = one.times is not None and one.times.measure == "event"
        if is_event and one.on in {"damage", "heal"} and one.amount == 1:
            return f"as much {what}"
        return f"{what} equal to {quantity}" if one.times else f"{quantity} {what}"

    def count(self, one: str, many: str = "") -> str:
        """How many: `a card`, `2 cards`; cards of a deck are those that the row has picked."""
        if self.effect.to.is_of_deck:
            return self.taken
        return f"a {one}" if self.amount() == "1" else self.amount(many or f"{one}s")

    @property
    def size(self) -> str:
        """How much, whether more or less."""
        return self.times(abs(self.effect.amount))

    def does(self, verb: str) -> str:
        """Who does it, unless it is the own player: `draw`, `the enemy player draws`."""
        is_own = self.effect.to == OWN_PLAYER or self.effect.to.is_of_deck
        return verb if is_own else f"{self.whom} {verb}s"

    @property
    def player(self) -> str:
        """Whose it is, in front, unless it is the own player: `the enemy player: `."""
        return "" if self.effect.to == OWN_PLAYER else f"{self.whom}: "

    @property
    def for_player(self) -> str:
        """For whom, unless it is the own player."""
        return "" if self.effect.to == OWN_PLAYER else f" for {self.whom}"

    @property
    def doer(self) -> str:
        """Who counts as the doer, unless it is the card."""
        return "; the target counts as the doer" if self.effect.by == "target" else ""

    @property
    def taken(self) -> str:
        """Cards of a hand or a deck, as what is taken from it."""
        return self.whom.replace(" in the ", " from the ", 1)

    @property
    def power(self) -> str:
        """The hero power, where a row about costs or powers names a player."""
        return self.effect.to.selector.about.power or self.whom

    @property
    def cards(self) -> str:
        """How many of which cards: `2 copies of Oak`, `one of Oak, Elm or Ash at random`."""
        one = self.effect
        named = self.named
        if one.of_enemy_hero:
            return f"{self.count('random card')} of the enemy hero's class"
        if one.token is not None:
            body = f"{one.token.attack}/{one.token.health}"
            having = [word.replace("_", " ") for word in one.token.keywords]
            token = self.count(body, f"{body} bodies")
            return f"{token} with {listed(having)}" if having else token
        several = one.amount != 1 or one.times is not None
        if len(named) > 1:
            shown = listed(named, "or") if len(named) <= MOST_NAMES else f"{len(named)} cards"
            how = "that is not there yet" if one.absent else "at random"
            what = f"one of {shown} {how}"
            return f"{self.amount()} times {what}" if several else what
        if one.times:
            return f"copies of {named[0]}, as many as {self.amount()}"
        return f"{self.amount()} copies of {named[0]}" if several else named[0]

    @property
    def keywords(self) -> str:
        """The keywords that it gives or takes."""
        return listed([keyword_words(word) for word in self.effect.keywords])

    @property
    def numbers(self) -> list[tuple[str, int]]:
        """The attack and the health, or a weapon's durability, that it gives."""
        is_weapon = self.effect.to.selector in (Selector.OWN_WEAPON, Selector.ENEMY_WEAPON)
        second = "durability" if is_weapon else "health"
        both = (("attack", self.effect.attack), (second, self.effect.health))
        return [(what, number) for what, number in both if number is not None]

    @property
    def bonus(self) -> str:
        """These as what is added: `+1 attack and +2 health`."""
        given = listed([f"{number:+d} {what}" for what, number in self.numbers])
        return f"{given} (times {measure_words(self.effect.times)})" if self.effect.times else given

    @property
    def new_numbers(self) -> str:
        """These as what there is from now on: `attack to 1 and health to 2`."""
        return listed([f"{what} to {self.times(number)}" for what, number in self.numbers])

    @property
    def change(self) -> str:
        """Whether its amount is more or less than nothing."""
        return "more" if self.effect.amount > 0 else "less"

    @property
    def turn_of_player(self) -> str:
        """How long a player keeps what minions keep for ever."""
        return LASTING_PHRASES[Lasting.TURN] if self.effect.to.selector.about.power else ""

    @property
    def lasting(self) -> str:
        """How long it is kept, unless for ever."""
        return LASTING_PHRASES[Lasting[self.effect.lasts.upper()]]


PARTS = ("effect", "whom", *(name for name in vars(RowPhrases) if not name.startswith("_")))
"""What phrases may name in braces."""


class _Spoken:
    """A part that is told of what."""

    def __init__(self, say: Callable[[str], str]) -> None:
        self._say = say

    def __format__(self, what: str) -> str:
        return self._say(what)


def keyword_words(word: str) -> str:
    """A keyword; of those that few know, what it means: `blunt (against minions ...)`."""
    meaning = KEYWORD_MEANINGS.get(Keyword[word.upper()])
    return word.replace("_", " ") + (f" ({meaning})" if meaning else "")
