"""Properties of an effect row in words, as parts of the phrases of actions."""

from __future__ import annotations

from collections.abc import Callable

from sim.cards.effect import Effect
from sim.cards.notation import OWN_PLAYER
from sim.cards.phrase import Say, said
from sim.cards.text.group_phrases import (
    NO_NAMES,
    Names,
    group_words,
    measure_words,
    picked_words,
    with_article,
)
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


class UnsayableError(Exception):
    """A part of a template cannot express a row, which another template prints."""


class RowPhrases:
    """Properties of an effect row in words, which phrases of actions name in braces.

    For a property that is a method, the text after a colon is the argument: `{amount:damage}`. A
    property that cannot express the row raises `UnsayableError`.

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
        self._names = names
        self._has_times = effect.times is None

    def __getitem__(self, part: str) -> object:
        """Return a property by its name in braces, for `str.format_map`.

        A method is returned as an object that formats with the text after the colon as argument.
        """
        value = getattr(self, _FORMER_PARTS.get(part, part))
        return _PartWithArgument(value) if callable(value) else value

    def all(self) -> str:
        """Return the row's action in words: the action's phrase with all parts filled in.

        A multiplier that the phrase does not mention follows: `draw a card for each enemy minion`.
        """
        action = self.effect.action
        is_standing = self.effect.event.about.holds and bool(action.standing)
        phrase = action.standing if is_standing else action.phrase
        words = phrase(self) if callable(phrase) else self._first(said(phrase))
        return f"{words}{'' if self._has_times else self._multiplier}{self._floor}{self._cause}"

    def _first(self, phrases: tuple[Say, ...]) -> str:
        """Return the first phrase with the row's keys that can express the row, filled in."""
        for phrase in phrases:
            if all(getattr(self.effect, key) == value for key, value in phrase.keys.items()):
                try:
                    return phrase.text.format_map(self)
                except UnsayableError:
                    continue
        raise UnsayableError(self.effect.do)

    @property
    def _multiplier(self) -> str:
        times = self.effect.times
        if times is None:
            return ""
        if times.measure == "count":
            return f" for each {group_words(times.group, self._names, one=True)}"
        return f", times {measure_words(times, self._names)}"

    @property
    def _cause(self) -> str:
        """Suffix for a row of the target in which the phrase does not name the target as doer."""
        is_of_target = self.effect.by == "target" and self.effect.do != "damage"
        return ", caused by the target" if is_of_target else ""

    @property
    def _floor(self) -> str:
        at_least = self.effect.at_least
        return f", but not less than ({at_least})" if at_least else ""

    def amount(self, what: str = "") -> str:
        """Return the row's amount with a noun, such as `2 damage` or `1 to 3 damage`.

        With a multiplier that is no count, return a phrase such as `damage equal to the attack of
        your weapon`.

        Args:
            what: noun for the quantity; `""` to return the number alone, such as `1 to 3`.
        """
        row = self.effect
        number = str(row.amount) if row.amount_to is None else f"{row.amount} to {row.amount_to}"
        if not what:
            return number
        if row.times is None or row.times.measure == "count":
            return f"{number} {what}"
        self._has_times = True
        measure = measure_words(row.times, self._names)
        return f"{what} equal to {measure if number == '1' else f'{number} times {measure}'}"

    @property
    def deck_cards(self) -> str:
        """Receivers who are cards in a deck, such as `a random spell in your deck`."""
        if not self.effect.to.is_of_deck:
            raise UnsayableError
        return self.receivers

    def count(self, one: str, many: str = "") -> str:
        """Return the row's amount as a number of things, such as `a card` or `2 cards`.

        Args:
            one: noun for one thing.
            many: noun for several things; by default the noun `one` with an `s`.
        """
        number = self.amount()
        return with_article(one) if number == "1" else f"{number} {many or f'{one}s'}"

    @property
    def gain(self) -> str:
        """The amount, if it is above 0."""
        if self.effect.amount <= 0:
            raise UnsayableError
        return self.amount()

    @property
    def loss(self) -> str:
        """The absolute value of the amount, if it is at most 0."""
        if self.effect.amount > 0:
            raise UnsayableError
        amount_to = self.effect.amount_to
        return str(abs(self.effect.amount)) + ("" if amount_to is None else f" to {amount_to}")

    def does(self, verb: str) -> str:
        """Return a verb with its subject, as in `your opponent draws`.

        If the subject is the own player, return the verb alone.
        """
        return verb if self.effect.to == OWN_PLAYER else f"{self._doer} {verb}s"

    @property
    def _doer(self) -> str:
        doer = self.effect.to.selector.about.doer
        return doer if doer and self._is_everybody else self.receivers

    @property
    def _is_everybody(self) -> bool:
        """Whether the row acts on all members of the selector, without filters and picks."""
        return not (self.effect.to.is_filtered or self.effect.pick or self.effect.spare)

    @property
    def for_player(self) -> str:
        """Suffix of a clause, such as ` for your opponent`; `""` for the own player."""
        return "" if self.effect.to == OWN_PLAYER else f" for {self._doer}"

    @property
    def hand(self) -> str:
        """Hand of the receivers: `your hand`, `your opponent's hand`."""
        return self._of_players("hand")

    @property
    def power(self) -> str:
        """Hero power of receivers who are players, such as `your hero power`; else `receivers`."""
        is_player = bool(self.effect.to.selector.about.doer)
        return self._of_players("hero power") if is_player else self.receivers

    def _of_players(self, noun: str) -> str:
        owner = self.effect.to.selector.about.possessive
        if owner and self._is_everybody:
            return f"{owner} {noun}"
        return f"the {noun} of {self.receivers}"

    @property
    def own_hand(self) -> str:
        """Hand that the row's key `receiver` names."""
        return "your hand" if self.effect.receiver == "own" else "your opponent's hand"

    @property
    def have(self) -> str:
        """The verb `has` or `have` for the receivers."""
        return "has" if self.effect.to.selector.is_single else "have"

    @property
    def cost(self) -> str:
        """The verb `costs` or `cost` for the receivers."""
        return "costs" if self.effect.to.selector.is_single else "cost"

    @property
    def cards(self) -> str:
        """Cards or minions that the row creates, such as `2 copies of Oak`.

        Of several cards, one is drawn: `one of Oak, Elm or Ash at random`. More than `MOST_NAMES`
        cards are counted instead of named.
        """
        row = self.effect
        named = self.named
        if row.of_enemy_hero:
            of_class = f"{self.count('random card')} of your opponent's class"
            return of_class if len(named) > MOST_NAMES else f"{of_class} among {listed(named)}"
        if row.token is not None:
            body = f"{row.token.attack}/{row.token.health} minion"
            keywords = [word.replace("_", " ") for word in row.token.keywords]
            token = self.count(body)
            return f"{token} with {listed(keywords)}" if keywords else token
        is_several = self.amount() != "1"
        if len(named) > 1:
            shown = listed(named, "or") if len(named) <= MOST_NAMES else f"{len(named)} cards"
            how = "that is not in play yet" if row.absent else "at random"
            what = f"one of {shown} {how}"
            return f"{self.amount()} times {what}" if is_several else what
        return f"{self.amount()} copies of {named[0]}" if is_several else named[0]

    @property
    def keywords(self) -> str:
        """List of the row's keywords in words, with explanations of rare keywords."""
        return listed([keyword_words(word) for word in self.effect.keywords])

    @property
    def second(self) -> str:
        """Noun for a body's second number: `health`, or `durability` for a weapon."""
        weapons = (Selector.OWN_WEAPON, Selector.ENEMY_WEAPON)
        return "durability" if self.effect.to.selector in weapons else "health"

    @property
    def attack(self) -> str:
        """The row's number for the attack, with its multiplier."""
        return self._new_number(self.effect.attack)

    @property
    def health(self) -> str:
        """The row's number for the health, with its multiplier."""
        return self._new_number(self.effect.health)

    def _new_number(self, number: int | None) -> str:
        if number is None:
            raise UnsayableError
        times = self.effect.times
        if number != 1 or times is None or times.measure == "count":
            return str(number)
        self._has_times = True
        return measure_words(times, self._names)

    @property
    def bonus(self) -> str:
        """Numbers that the row adds, such as `+1 attack`, `-2 health` or `+1/+2`."""
        attack, health = self.effect.attack, self.effect.health
        if health is None:
            return f"{attack:+d} attack"
        if attack is None:
            return f"{health:+d} {self.second}"
        return f"{attack:+d}/{health:+d}"

    @property
    def next_card(self) -> str:
        """Next card that a discount is for, such as `spell you cast`."""
        noun = self.effect.kind or "card"
        verb = "cast" if noun == "spell" else "play"
        return f"{noun} {self._doer} {verb if self.effect.to == OWN_PLAYER else f'{verb}s'}"

    @property
    def all_cards(self) -> str:
        """All cards that a discount is for, such as `your spells`."""
        return self._of_players(f"{self.effect.kind or 'card'}s")

    @property
    def powers(self) -> str:
        """The row's hero powers in their order, such as `Spark, or Spark by Blaze`."""
        named = self.named
        if len(named) > MOST_NAMES:
            return f"the next of {len(named)} powers"
        if len(named) == 1:
            return named[0]
        return f"the next of {listed(named, 'and')}"

    @property
    def turn_of_player(self) -> str:
        """The ending ` this turn` if the receivers are players, else `""`.

        It is for actions with a result that lasts for one turn on players, but permanently on
        minions.
        """
        return LASTING_PHRASES[Lasting.TURN] if self.effect.to.selector.about.doer else ""

    @property
    def loan(self) -> str:
        """Ending of the sentence for a minion that is borrowed; `""` if it is stolen for good."""
        return self.lasting

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
