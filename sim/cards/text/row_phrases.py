"""Properties of an effect row in words, as parts of the phrases of actions."""

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

# Maximum number of cards named in a sentence; a longer list is replaced by its length to keep the
# sentence readable. Chosen by hand, not tuned.
MOST_NAMES = 6

_FORMER_PARTS = {"whom": "receivers"}
"""Current names of renamed parts, by the former name that installed packages may still use."""


class RowPhrases:
    """Properties of an effect row in words, which phrases of actions name in braces.

    For a property that is a method, the text after a colon is the argument: `{amount:damage}`.

    Attributes:
        effect: effect row that is described.
        receivers: phrase for the cards and players that the row acts on.
        named: names of the cards in the row's key `cards`, in that order.
        going_on: phrase for the attack or the spell that the row changes.
    """

    going_on = GOING_ON

    def __init__(self, effect: Effect, names: Names = NO_NAMES) -> None:
        self.effect = effect
        self.receivers: str = picked_words(effect.to, effect.pick, effect.spare, names)
        self.named: list[str] = [names.get(card, card) for card in effect.cards]

    def __getitem__(self, part: str) -> object:
        """Return a property by its name in braces, for `str.format_map`.

        A method is returned as an object that formats with the text after the colon as argument.
        """
        value = getattr(self, _FORMER_PARTS.get(part, part))
        return _PartWithArgument(value) if callable(value) else value

    def all(self) -> str:
        """Return the row's action in words: the action's phrase with all parts filled in."""
        phrase = self.effect.action.phrase
        return phrase(self) if callable(phrase) else phrase.format_map(self)

    def times(self, number: object) -> str:
        """Return a number with the row's multiplier, as in `2 times the number of own minions`.

        Without a multiplier, return only the number; for the number 1, return only the multiplier.
        """
        if self.effect.times is None:
            return str(number)
        measure = measure_words(self.effect.times)
        return measure if number == 1 else f"{number} times {measure}"

    def amount(self, what: str = "") -> str:
        """Return the row's amount with a noun, such as `2 damage` or `1 to 3 damage`.

        With a multiplier, return a phrase such as `damage equal to the number of own minions`; if
        the multiplier is the damage or healing of the event itself, return `as much damage`.

        Args:
            what: noun for the quantity; `""` to return the number alone, such as `1 to 3`.
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
        """Return the row's amount as a number of things, such as `a card` or `2 cards`.

        For a row that acts on cards in a deck, return `taken` instead.

        Args:
            one: noun for one thing.
            many: noun for several things; by default the noun `one` with an `s`.
        """
        if self.effect.to.is_of_deck:
            return self.taken
        return f"a {one}" if self.amount() == "1" else self.amount(many or f"{one}s")

    @property
    def size(self) -> str:
        """Absolute value of the amount, with the row's multiplier."""
        return self.times(abs(self.effect.amount))

    def does(self, verb: str) -> str:
        """Return a verb with its subject, as in `the enemy player draws`.

        If the subject is the own player or the row acts on a deck, return the verb alone.
        """
        is_own = self.effect.to == OWN_PLAYER or self.effect.to.is_of_deck
        return verb if is_own else f"{self.receivers} {verb}s"

    @property
    def player(self) -> str:
        """Prefix of a clause for the receivers, `the enemy player: `; `""` for the own player."""
        return "" if self.effect.to == OWN_PLAYER else f"{self.receivers}: "

    @property
    def for_player(self) -> str:
        """Suffix of a clause, such as ` for the enemy player`; `""` for the own player."""
        return "" if self.effect.to == OWN_PLAYER else f" for {self.receivers}"

    @property
    def doer(self) -> str:
        """Suffix that marks the target as cause of the effect; `""` if the card is the cause."""
        return "; the target counts as the doer" if self.effect.by == "target" else ""

    @property
    def taken(self) -> str:
        """Receivers as cards taken out of a hand or deck, such as `a card from the own deck`."""
        return self.receivers.replace(" in the ", " from the ", 1)

    @property
    def power(self) -> str:
        """Phrase for the hero power of receivers who are players; else `receivers`."""
        return self.effect.to.selector.about.power or self.receivers

    @property
    def cards(self) -> str:
        """Cards or minions that the row creates, such as `2 copies of Oak`.

        Of several cards, one is drawn: `one of Oak, Elm or Ash at random`. More than `MOST_NAMES`
        cards are counted instead of named.
        """
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
        """List of the row's keywords in words, with explanations of rare keywords."""
        return listed([keyword_words(word) for word in self.effect.keywords])

    @property
    def numbers(self) -> list[tuple[str, int]]:
        """Name and value of the numbers that the row gives: attack, and health or durability.

        Numbers that the row does not give are omitted.
        """
        is_weapon = self.effect.to.selector in (Selector.OWN_WEAPON, Selector.ENEMY_WEAPON)
        second = "durability" if is_weapon else "health"
        pairs = (("attack", self.effect.attack), (second, self.effect.health))
        return [(what, number) for what, number in pairs if number is not None]

    @property
    def bonus(self) -> str:
        """Numbers that the row adds, such as `+1 attack and +2 health`, with its multiplier."""
        bonus = listed([f"{number:+d} {what}" for what, number in self.numbers])
        return f"{bonus} (times {measure_words(self.effect.times)})" if self.effect.times else bonus

    @property
    def new_numbers(self) -> str:
        """Numbers that the row sets, such as `attack to 1 and health to 2`, with its multiplier."""
        return listed([f"{what} to {self.times(number)}" for what, number in self.numbers])

    @property
    def change(self) -> str:
        """Word for the direction of a change: `more` for a positive amount, else `less`."""
        return "more" if self.effect.amount > 0 else "less"

    @property
    def turn_of_player(self) -> str:
        """The ending ` until the end of the turn` if the receivers are players, else `""`.

        It is for actions with a result that lasts for one turn on players, but permanently on
        minions.
        """
        return LASTING_PHRASES[Lasting.TURN] if self.effect.to.selector.about.power else ""

    @property
    def lasting(self) -> str:
        """Ending of the sentence for the duration of the result; `""` if it is permanent."""
        return LASTING_PHRASES[Lasting[self.effect.lasts.upper()]]


PARTS = (
    "effect",
    "receivers",
    *(name for name in vars(RowPhrases) if not name.startswith("_")),
)
"""Names of properties that phrases of actions may have in braces."""


def is_part(name: str) -> bool:
    """Return whether phrases of actions may have a name in braces; former names are permitted."""
    return name in PARTS or name in _FORMER_PARTS


class _PartWithArgument:
    """Wrapper of a method, for format strings that pass the text after a colon as its argument."""

    def __init__(self, render: Callable[[str], str]) -> None:
        self._render = render

    def __format__(self, what: str) -> str:
        return self._render(what)


def keyword_words(word: str) -> str:
    """Return a keyword in words, followed by its meaning in parentheses if it is a rare keyword.

    Args:
        word: the keyword as card files spell it, such as `divine_shield`.
    """
    meaning = KEYWORD_MEANINGS.get(Keyword[word.upper()])
    return word.replace("_", " ") + (f" ({meaning})" if meaning else "")
