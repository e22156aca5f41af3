"""Rulesets: the numbers and switches of the rules, as data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from sim.errors import InputError
from sim.files.atomic_file import write_atomically
from sim.files.toml_document import load_tomlkit
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import Name, StrictModel, validate
from sim.value_error import value_error

# Capacities of the engine's fixed-size state. A ruleset chooses values within them; a larger
# capacity makes every state larger, and slower to copy. Chosen by hand to fit common card games,
# which have decks of 30 to 60 cards, hands of up to 10, and 5 to 7 units on a side.
N_SEATS = 2
DECK_CAPACITY = 60  # cards in a deck
HAND_CAPACITY = 16  # cards in a hand
BOARD_CAPACITY = 8  # units on one side of the board
LIFE_MAX = 1000  # a tenth of `layout.NUMBER_MAX`, so that numbers can grow in a game
MANA_MAX = 100  # ten times the cap of common card games; chosen by hand
TURN_CAP_MAX = 200  # turns of both seats together; chosen by hand
NUMBER_MAX = 1000  # cost, attack, health, and the amount of an effect; see LIFE_MAX
# Range of the limits of actions per turn and of steps per action. A whole mulligan takes fewer
# actions than the minimum; the maximum is below the largest 16-bit word, 32,767.
BUDGET_MIN = 100
BUDGET_MAX = 30_000
# Default limits, chosen by hand: so high that only effects that trigger each other endlessly
# should reach them.
ACTIONS_PER_TURN = 500
STEPS_PER_ACTION = 10_000

RULES = "(rules)"
"""Name of the rules as the owner of numbers in files; no card has this id."""

RULE_LABELS = {
    "life": "life",
    "mana_max": "most mana",
    "opening_hand_first": "first player's opening hand",
    "opening_hand_second": "second player's opening hand",
    "coin": "coin",
    "extra_life_second": "second player's extra life",
    "extra_mana_second": "second player's extra mana",
}
"""Labels of the numbers of the rules that balancing may change; the coin counts as 1 or 0."""

_HANDS = ("opening_hand_first", "opening_hand_second")
"""Names of the two numbers of `opening_hand`, by seat."""


def _left_out_when_0() -> Any:
    """Return a field that defaults to 0 and is left out of files, dumps and hashes when it is 0."""
    return Field(default=0, exclude_if=lambda number: number == 0)


def _is_ordered(limits: tuple[int, int]) -> tuple[int, int]:
    """Return a range unchanged if its low value is not above its high value.

    Raises:
        InputError: the low value is above the high value.
    """
    low, high = limits
    if low > high:
        raise InputError("must be [low, high] with low not above high", value=limits)
    return limits


Number = Annotated[int, Field(ge=0, le=NUMBER_MAX)]
SignedNumber = Annotated[int, Field(ge=-NUMBER_MAX, le=NUMBER_MAX)]
PositiveNumber = Annotated[int, Field(ge=1, le=NUMBER_MAX)]
Range = Annotated[tuple[Number, Number], AfterValidator(_is_ordered)]
SignedRange = Annotated[tuple[SignedNumber, SignedNumber], AfterValidator(_is_ordered)]
PositiveRange = Annotated[tuple[PositiveNumber, PositiveNumber], AfterValidator(_is_ordered)]


class Limits(StrictModel):
    """Lowest and highest value that each number of a card may have, inclusive.

    Attributes:
        cost: range of the cost.
        attack: range of the attack.
        health: range of the health, with a lowest value of at least 1.
        durability: range of a weapon's durability, with a lowest value of at least 1.
        amount: range of the amounts of all effects.
    """

    cost: Range
    attack: Range
    health: PositiveRange
    durability: PositiveRange = (1, NUMBER_MAX)
    amount: SignedRange = (-NUMBER_MAX, NUMBER_MAX)

    def of(self, field: str) -> tuple[int, int]:
        """Return the lowest and highest value for one of `sim.cards.card.FIELDS`.

        All amounts of a card share one range.
        """
        limits: tuple[int, int] = getattr(self, field.partition("_")[0])
        return limits


class Ruleset(StrictModel):
    """Rules of one game.

    Attributes:
        name: name by which decks and experiments refer to the ruleset.
        life: life at the start, and the limit of healing; 1 to 1000.
        hand_limit: maximum number of cards in a hand, 1 to 16; a card beyond the limit is
            destroyed.
        board_limit: maximum number of units on one side, 1 to 8; a unit beyond the limit is
            destroyed, see also `full_board`.
        deck_limit: maximum number of cards in a deck, 1 to 60.
        copy_limit: maximum number of copies of one card in a deck, 1 to `deck_limit`.
        mana_max: cap on mana, which grows by 1 per own turn from 1; 1 to 100.
        opening_hand: number of cards drawn before the game, by seat; 0 to `hand_limit` each.
        skip_first_draw: whether seat 0 does not draw at the start of its first turn.
        deck_out: result of a draw from an empty deck: the player loses at once (`lose`), or takes
            1, 2, 3 ... damage (`fatigue`).
        turn_cap: number of turns of both seats together after which a game is a draw; 1 to 200.
        full_board: treatment of a minion for which the board has no space: it is played and
            destroyed (`destroy`), or cannot be played (`refuse`).
        deaths: time of deaths: the dead leave after each effect row, and the first dead player
            loses (`row`), or they leave together after the whole action, and two dead players draw
            (`action`).
        mulligan: whether both players may replace cards of their opening hands.
        coin: whether the second player receives the pool's coin.
        extra_life_second: life of the second player in addition to `life`, at the start and as the
            limit of healing; 0 to 1000.
        extra_mana_second: mana of the second player in its first turn in addition to the cap, which
            is lost at the end of that turn; 0 to 100.
        hero_powers: whether each player may use the power of the deck's hero once a turn.
        idle_attackers: whether minions without attack may attack.
        tokens: position of minions that another minion summons: at the right end (`end`), or
            alternately right and left of that minion (`beside`).
        actions_per_turn: maximum number of actions in one turn, 100 to 30,000; see
            `steps_per_action`.
        steps_per_action: maximum number of steps of resolution in one action, 100 to 30,000. A game
            that exceeds either limit is stopped as a fault of the card at work, since its texts may
            never end.
        limits: ranges of the numbers of cards.
    """

    name: Name
    life: int = Field(ge=1, le=LIFE_MAX)
    hand_limit: int = Field(ge=1, le=HAND_CAPACITY)
    board_limit: int = Field(ge=1, le=BOARD_CAPACITY)
    deck_limit: int = Field(ge=1, le=DECK_CAPACITY)
    copy_limit: int = Field(ge=1, le=DECK_CAPACITY)
    mana_max: int = Field(ge=1, le=MANA_MAX)
    opening_hand: tuple[
        Annotated[int, Field(ge=0, le=HAND_CAPACITY)], Annotated[int, Field(ge=0, le=HAND_CAPACITY)]
    ]
    skip_first_draw: bool
    deck_out: Literal["lose", "fatigue"]
    turn_cap: int = Field(ge=1, le=TURN_CAP_MAX)
    full_board: Literal["destroy", "refuse"] = "destroy"
    deaths: Literal["row", "action"] = "row"
    mulligan: bool = False
    coin: bool = False
    extra_life_second: Annotated[int, Field(ge=0, le=LIFE_MAX)] = _left_out_when_0()
    extra_mana_second: Annotated[int, Field(ge=0, le=MANA_MAX)] = _left_out_when_0()
    hero_powers: bool = False
    idle_attackers: bool = True
    tokens: Literal["end", "beside"] = "end"
    actions_per_turn: int = Field(default=ACTIONS_PER_TURN, ge=BUDGET_MIN, le=BUDGET_MAX)
    steps_per_action: int = Field(default=STEPS_PER_ACTION, ge=BUDGET_MIN, le=BUDGET_MAX)
    limits: Limits

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        return [("name", self.name), ("life", self.life), ("deck_limit", self.deck_limit)]

    @model_validator(mode="after")
    def _numbers_agree(self) -> Ruleset:
        """Check that the limits of copies and opening hands do not contradict other limits.

        Raises:
            InputError: `copy_limit` is above `deck_limit`, or an opening hand above `hand_limit`.
        """
        if self.copy_limit > self.deck_limit:
            raise value_error(
                "copy_limit",
                self.copy_limit,
                f"must be at most deck_limit = {self.deck_limit}",
                limit=self.deck_limit,
            )
        if max(self.opening_hand) > self.hand_limit:
            raise value_error(
                "opening_hand",
                self.opening_hand,
                f"must be at most hand_limit = {self.hand_limit}",
                limit=self.hand_limit,
            )
        return self

    @property
    def starting_lives(self) -> tuple[int, int]:
        """Life of both players at the start, by seat."""
        return self.life, self.life + self.extra_life_second

    @property
    def most_life(self) -> int:
        """Maximum life after healing, of the player with the higher limit."""
        return max(self.starting_lives)

    @property
    def most_mana(self) -> int:
        """Maximum mana at the beginning of a turn, over both players.

        In the second player's first turn the cap is 1, to which the extra mana is added.
        """
        return max(self.mana_max, 1 + self.extra_mana_second)

    def number(self, field: str) -> int:
        """Return the current value of one of `RULE_LABELS`; a coin counts as 1, no coin as 0."""
        if field in _HANDS:
            return self.opening_hand[_HANDS.index(field)]
        return int(getattr(self, field))

    def with_numbers(self, numbers: Mapping[str, int]) -> Ruleset:
        """Return the same rules with other values of some of `RULE_LABELS`.

        Args:
            numbers: new values by name.

        Raises:
            InputError: a number does not fit the rules; the message names the key, the value and
                the limit.
        """
        changed = {field: value for field, value in numbers.items() if field not in _HANDS}
        hands = tuple(numbers.get(field, self.number(field)) for field in _HANDS)
        if "coin" in changed:
            changed["coin"] = bool(changed["coin"])
        data = {**self.model_dump(), **changed, "opening_hand": hands}
        return validate(Ruleset, data, source=self.name)


def write_ruleset(ruleset: Ruleset, path: Path) -> None:
    """Write a ruleset as a TOML file from which an equal ruleset is read.

    Raises:
        InputError: the file cannot be written.
    """
    tomlkit = load_tomlkit()

    write_atomically(path, tomlkit.dumps(ruleset.model_dump(mode="json")))


def load_ruleset(name: str, near: Path | None = None) -> Ruleset:
    """Return the ruleset called `name`, or the ruleset in the file `name` if it ends in `.toml`.

    Args:
        name: name of a ruleset, or path of its file.
        near: folder to search first, or a file in it; the current folder if `None`.

    Raises:
        InputError: no such file exists, several files match (see `find_data_file`), or the file
            does not fit `Ruleset`.

    Example:
        >>> load_ruleset("duel").deck_limit
        30
    """
    path = find_data_file("rulesets", name, near)
    return validate(Ruleset, read_toml(path), source=str(path))
