"""Effect rows: on an event, when a condition holds, do an action to a group."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from sim.cards.notation import Bounds, read_condition, read_group, read_measure
from sim.cards.vocabulary import ACTIONS, Event, Keyword, Kind, Lasting, Measure, Selector
from sim.errors import unknown_word
from sim.files.strict_model import StrictModel
from sim.ruleset import Number, PositiveNumber, SignedNumber

_ID_PATTERN = re.compile(r"[a-z][a-z0-9_]*")

_DAMAGING = "damage"
_TAKES_NUMBERS = ("buff", "set")  # attack and health, instead of an amount
_TAKES_KEYWORDS = ("grant", "strip")
_TAKES_CARDS = (
    "equip",
    "give",
    "transform",
    "attach",
    "power",
)  # and `summon`, which may have a token instead
_MAY_BE_NEGATIVE = ("cost", "buff", "crystals", "discount")
_LASTING = ("buff", "grant", "steal", "discount")
_FOR_SIDES = ("copy",)
_FOR_KINDS = ("discount",)
_LUCK = Measure.COIN_FLIP.name.lower()
_INTERRUPTS = {"counter": ("cast",), "aim": ("attack", "cast")}  # something that is going on


@cache
def words(vocabulary: type[Enum]) -> list[str]:
    """The words of one enum of `sim.cards.vocabulary`, as files spell them."""
    return [member.name.lower() for member in vocabulary]


def asks_luck(condition: str) -> bool:
    """Whether a condition (`sim.cards.notation`) asks for a flip of a coin."""
    bounds: Bounds | None = read_condition(condition)
    while bounds is not None:
        if bounds.reading.measure == Measure.COIN_FLIP:
            return True
        bounds = bounds.also
    return False


def default_selector(action: str) -> str:
    """Whom an effect acts on when its row does not say."""
    return "enemy_player" if action == _DAMAGING else "own_player"


_DEFAULT_SUBJECTS = {
    "turn_start": "own_player",
    "turn_end": "own_player",
    "card_played": "own_cards(other)",
    "cast": "own_cards",
    "after_cast": "own_cards",
    "summon": "own_minions(other)",
    "after_summon": "own_minions(other)",
    "death": "minions(other)",
    "damage": "self",
    "heal": "characters",
    "attack": "self",
    "reveal": "own_cards",
    "lethal": "own_player",
    "arrival": "enemy_minions",
}


def default_subject(event: str) -> str:
    """Whose event a row listens to when it does not say; `"self"` for the card's own events."""
    return _DEFAULT_SUBJECTS.get(event, "self")


def known(what: str, word: str, vocabulary: Iterable[str]) -> str:
    """`word`, if it is in the vocabulary.

    Raises:
        ValueError: it is not; names the nearest that is.
    """
    vocabulary = list(vocabulary)
    if word not in vocabulary:
        raise ValueError(unknown_word(what, word, vocabulary))
    return word


def _is_card_id(text: str) -> str:
    if not _ID_PATTERN.fullmatch(text):
        raise ValueError("must be lower-case letters, digits and _, and begin with a letter")
    return text


def _are_keywords(keywords: tuple[str, ...]) -> tuple[str, ...]:
    for place, keyword in enumerate(keywords):
        known("keyword", keyword, words(Keyword))
        if keyword in keywords[:place]:
            raise ValueError(f"keyword {keyword!r} is given twice")
    return keywords


def _reads(read: Callable[[str], object]) -> AfterValidator:
    def check(text: str) -> str:
        read(text)
        return text

    return AfterValidator(check)


CardId = Annotated[str, AfterValidator(_is_card_id)]
Keywords = Annotated[tuple[str, ...], AfterValidator(_are_keywords)]
GroupText = Annotated[str, _reads(read_group)]
MeasureText = Annotated[str, _reads(read_measure)]
ConditionText = Annotated[str, _reads(read_condition)]
EventWord = Annotated[str, AfterValidator(lambda word: known("event", word, words(Event)))]
LastingWord = Annotated[str, AfterValidator(lambda word: known("duration", word, words(Lasting)))]
# Actions are looked up when a card is read, since a user's code may have added some by then.
ActionWord = Annotated[str, AfterValidator(lambda word: known("action", word, ACTIONS))]


class Token(StrictModel):
    """The plain unit that a summon puts on the board: attack 0 to 1000, health 1 to 1000."""

    attack: Number
    health: PositiveNumber
    keywords: Keywords = ()


def _selector_of(data: dict[str, Any]) -> str:
    return default_selector(data.get("do", ""))


def _subject_of(data: dict[str, Any]) -> str:
    return default_subject(data.get("on", ""))


class Effect(StrictModel):
    """One row: on an event, when a condition holds, do an action to a group.

    Attributes:
        on: the event, see `sim.cards.vocabulary.Event`.
        of: what the event must have happened to, a group (`sim.cards.notation`).
        when: the condition (`sim.cards.notation`).
        do: the action, see `sim.cards.vocabulary.ACTIONS`.
        to: whom, a group; default the enemy player for damage, the own player for the rest.
        pick: act on so many of the group, picked at random; 0 for all of it.
        spare: leave out so many of the group, picked at random.
        repeat: do it all so many times, each time with picks of its own.
        amount: how much or how many, 1 to 1000; of `cost` any number but 0.
        amount_to: if given, the amount is any from `amount` to this, equally likely.
        attack: what `buff` adds to the attack, and what `set` changes it to.
        health: likewise the health, or a weapon's durability.
        times: what to multiply amount, attack and health by, a measure (`sim.cards.notation`).
        at_least: what `cost` does not go below.
        keywords: what `grant` gives.
        absent: summon only one of `cards` that the own side does not have yet.
        lasts: how long `buff` and `grant` last; default always.
        by: whose doing it is: the card's, or its target's.
        receiver: who gets what `copy` copies: the owner of the row, or the enemy.
        kind: which cards `discount` makes cheaper.
        of_enemy_hero: of `cards`, give only those of the enemy's class.
        token: the plain unit to summon.
        cards: the cards to summon, equip, give or transform into, by id; one at random of
            several.
    """

    on: EventWord
    of: GroupText = Field(default_factory=_subject_of)
    when: ConditionText = "always"
    do: ActionWord
    to: GroupText = Field(default_factory=_selector_of)
    pick: Number = 0
    spare: Number = 0
    repeat: PositiveNumber = 1
    amount: SignedNumber = 1
    amount_to: PositiveNumber | None = None
    attack: SignedNumber | None = None
    health: SignedNumber | None = None
    times: MeasureText | None = None
    at_least: Number = 0
    keywords: Keywords = ()
    absent: bool = False
    lasts: LastingWord = "always"
    by: Annotated[str, AfterValidator(lambda word: known("doer", word, ("self", "target")))] = (
        "self"
    )
    receiver: Annotated[str, AfterValidator(lambda word: known("side", word, ("own", "enemy")))] = (
        "own"
    )
    kind: Annotated[
        str, AfterValidator(lambda word: known("kind", word, ("", "spell", "secret")))
    ] = ""
    of_enemy_hero: bool = False
    token: Token | None = None
    cards: tuple[CardId, ...] = ()

    @model_validator(mode="after")
    def _keys_fit_action(self) -> Effect:
        if self.do == "summon" and (self.token is None) == (not self.cards):
            raise ValueError(
                "summon needs a token, such as { attack = 1, health = 1 }, or cards, not both"
            )
        if self.do != "summon" and self.token is not None:
            raise ValueError(f"{self.do} takes no token; only summon does")
        has_numbers = self.attack is not None or self.health is not None
        self._check_key("cards", self.cards, _TAKES_CARDS, optional=("summon",))
        self._check_key("keywords", self.keywords, _TAKES_KEYWORDS)
        self._check_key("attack or health", has_numbers, _TAKES_NUMBERS)
        if self.lasts != "always" and self.do not in _LASTING:
            raise ValueError(f"lasts = {self.lasts!r}: {self.do} is over at once")
        return self

    @model_validator(mode="after")
    def _numbers_fit_action(self) -> Effect:
        if self.amount < 1 and self.do not in _MAY_BE_NEGATIVE:
            raise ValueError(f"amount = {self.amount} must be at least 1")
        if self.do == "cost" and self.amount == 0:
            raise ValueError("amount = 0 changes no cost")
        if self.amount_to is not None and self.amount_to < self.amount:
            raise ValueError(f"amount_to = {self.amount_to} must be at least {self.amount}")
        self._check_standing_row()
        if self.on not in _INTERRUPTS.get(self.do, (self.on,)):
            events = " or ".join(f"on = {event!r}" for event in _INTERRUPTS[self.do])
            raise ValueError(f"{self.do}: on = {self.on!r}; it needs {events}")
        if self.do == "choose":
            self._check_choice()
        self._check_reach()
        self._check_time()
        if self.on == "aura" and self.do not in ("buff", "grant", "cost", "set"):
            raise ValueError(f"an aura can buff, set, grant or change a cost, not {self.do}")
        if self.absent and len(self.cards) < 2:
            raise ValueError("absent: needs cards to choose from")
        return self

    def _check_choice(self) -> None:
        """A choice is of who plays, once in an action."""
        if self.on != "play":
            raise ValueError(f"choose: on = {self.on!r}; players choose only when they play")
        if self.to != "own_player":
            raise ValueError(f"to = {self.to!r}: choose is for own_player, who plays")
        if self.repeat > 1:
            raise ValueError(f"repeat = {self.repeat}: choose asks once in an action")

    def _check_reach(self) -> None:
        """Keys that one action takes, and cards in decks, which few actions can touch."""
        self._check_key("kind", self.kind, _FOR_KINDS)
        if self.receiver != "own" and self.do not in _FOR_SIDES:
            raise ValueError(f"{self.do} takes no receiver; copy does")
        if self.of_enemy_hero and self.do != "give":
            raise ValueError(f"{self.do} takes no of_enemy_hero; give does")
        group = read_group(self.to)
        if self.do == "draw" and group.selector == Selector.ENEMY_DECK:
            raise ValueError(f"to = {self.to!r}: nobody draws from the enemy's deck")
        is_hand = (group.selector, group.kind, self.pick) == (Selector.OWN_HAND, Kind.MINION, 1)
        if self.do == "exchange" and not is_hand:
            raise ValueError(f"to = {self.to!r}: exchange needs to = 'own_hand(minion)', pick = 1")
        if self.do == "discount" and self.amount >= 0:
            raise ValueError(f"amount = {self.amount}: a discount is below 0")

    def _check_time(self) -> None:
        """How long each action may last, beside always."""
        if self.lasts == "next_turn" and (self.do != "discount" or self.kind != "spell"):
            raise ValueError(f"lasts = {self.lasts!r}: only a discount of spells lasts so long")
        if self.do == "discount" and self.lasts not in ("always", "next_turn"):
            raise ValueError(f"lasts = {self.lasts!r}: a discount is for this turn, or next_turn")
        if self.do == "steal" and self.lasts not in ("always", "turn"):
            raise ValueError(
                f"lasts = {self.lasts!r}: what is stolen is kept for the turn or for good"
            )
        is_lent = self.do == "buff" and self.lasts != "always"
        if is_lent and (self.lasts == "until_own_turn" or self.health):
            raise ValueError(f"lasts = {self.lasts!r}: only attack can be lent, for a turn")

    def _check_standing_row(self) -> None:
        """Auras and cost formulas hold for the whole group, without luck and again and again."""
        if self.on not in ("aura", "own_cost"):
            return
        if asks_luck(self.when) or (self.times or "").strip() == _LUCK:
            raise ValueError(f"{_LUCK}: {self.on} holds without luck")
        if self.on == "own_cost" and (self.do, self.to) != ("cost", "self"):
            raise ValueError("own_cost: only do = 'cost', to = 'self' is for what a card costs")
        for key in ("pick", "spare", "repeat", "amount_to", "lasts"):
            if getattr(self, key) != type(self).model_fields[key].default:
                raise ValueError(f"{key} = {getattr(self, key)!r}: {self.on} takes none")

    def _check_key(
        self, key: str, given: object, takers: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> None:
        if given and self.do not in (*takers, *optional):
            raise ValueError(f"{self.do} takes no {key}; {', '.join((*takers, *optional))} does")
        if not given and self.do in takers:
            raise ValueError(f"{self.do} needs {key}")
