"""Rulesets: every number and switch of the rules, as data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from sim.files.atomic_file import write_atomically
from sim.files.toml_file import find_data_file, read_toml
from sim.files.validation import Name, StrictModel, validate

# What the engine's fixed-size state has room for. A ruleset chooses within these; to go beyond
# one, the state must grow, not only the constant.
N_SEATS = 2
DECK_CAPACITY = 60  # cards in a deck
HAND_CAPACITY = 16  # cards in a hand
BOARD_CAPACITY = 8  # units on one side of the board
LIFE_MAX = 1000
MANA_MAX = 100
TURN_CAP_MAX = 200  # turns of both seats together
NUMBER_MAX = 1000  # cost, attack, health, and the amount of an effect
BUDGET_MIN = 100  # actions of a turn, steps of an action; a whole mulligan fits
BUDGET_MAX = 30_000
ACTIONS_PER_TURN = 500
STEPS_PER_ACTION = 10_000

RULES = "(rules)"
"""What files call the owner of a ruleset's numbers; no card has such an id."""

RULE_LABELS = {
    "life": "life",
    "mana_max": "most mana",
    "opening_hand_first": "first player's opening hand",
    "opening_hand_second": "second player's opening hand",
    "coin": "coin",
    "extra_life_second": "second player's extra life",
    "extra_mana_second": "second player's extra mana",
}
"""The numbers of rules that balancing may move, and what people call them; no coin is 0."""

_HANDS = ("opening_hand_first", "opening_hand_second")  # by seat


def _left_out_when_0() -> Any:
    """A number that files, dumps and hashes of rules without it do not mention."""
    return Field(default=0, exclude_if=lambda number: number == 0)


def _is_ordered(limits: tuple[int, int]) -> tuple[int, int]:
    low, high = limits
    if low > high:
        raise ValueError("must be [low, high] with low not above high")
    return limits


Number = Annotated[int, Field(ge=0, le=NUMBER_MAX)]
SignedNumber = Annotated[int, Field(ge=-NUMBER_MAX, le=NUMBER_MAX)]
PositiveNumber = Annotated[int, Field(ge=1, le=NUMBER_MAX)]
Range = Annotated[tuple[Number, Number], AfterValidator(_is_ordered)]
SignedRange = Annotated[tuple[SignedNumber, SignedNumber], AfterValidator(_is_ordered)]
PositiveRange = Annotated[tuple[PositiveNumber, PositiveNumber], AfterValidator(_is_ordered)]


class Limits(StrictModel):
    """The lowest and highest value that each number of a card may have, inclusive."""

    cost: Range
    attack: Range
    health: PositiveRange
    durability: PositiveRange = (1, NUMBER_MAX)
    amount: SignedRange = (-NUMBER_MAX, NUMBER_MAX)

    def of(self, field: str) -> tuple[int, int]:
        """Low and high for one of `sim.cards.card.FIELDS`; all amounts of a card share theirs."""
        limits: tuple[int, int] = getattr(self, field.partition("_")[0])
        return limits


class Ruleset(StrictModel):
    """The rules of one game.

    Attributes:
        name: what decks and experiments call it.
        life: life at the start, and the most that healing restores; 1 to 1000.
        hand_limit: cards in a hand, 1 to 16; a card beyond it is destroyed.
        board_limit: units on one side, 1 to 8; a unit beyond it is destroyed.
        deck_limit: most cards in a deck, 1 to 60.
        copy_limit: most copies of one card in a deck, 1 to `deck_limit`.
        mana_max: the cap on mana, which grows by 1 per own turn from 1; 1 to 100.
        opening_hand: cards drawn before the game, by seat; 0 to `hand_limit` each.
        skip_first_draw: seat 0 does not draw at the start of its first turn.
        deck_out: drawing from an empty deck loses at once (`lose`), or deals 1, 2, 3 ...
            damage (`fatigue`).
        turn_cap: a game that reaches this many turns of both seats together is a draw; 1 to 200.
        full_board: a minion for which there is no room is played and destroyed (`destroy`), or
            cannot be played (`refuse`).
        deaths: the dead leave after each effect row, and the first dead player loses (`row`), or
            together after the whole action, and two dead players draw (`action`).
        mulligan: both players may replace cards of their opening hands.
        coin: the second player gets the pool's coin.
        extra_life_second: how much more life than `life` the second player has at the start, and
            how far above it healing may restore that player alone; 0 to 1000.
        extra_mana_second: how much more mana the second player has in its first turn, beyond the
            cap; what is not spent in that turn is lost. 0 to 100.
        hero_powers: each player may use the power of the deck's hero once a turn.
        idle_attackers: minions without attack may attack.
        tokens: where what a minion summons arrives: at the right end (`end`), or by turns right
            and left of it (`beside`).
        actions_per_turn: most actions in one turn, 100 to 30,000; see `steps_per_action`.
        steps_per_action: most steps in which cards' texts may follow each other in one action,
            100 to 30,000. A game that goes beyond either is no game but a fault of the card
            at work: its texts never end, as far as anybody will wait.
        limits: what the numbers of cards may be.
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

    @model_validator(mode="after")
    def _numbers_agree(self) -> Ruleset:
        if self.copy_limit > self.deck_limit:
            raise ValueError(
                f"copy_limit = {self.copy_limit} must be at most deck_limit = {self.deck_limit}"
            )
        if max(self.opening_hand) > self.hand_limit:
            raise ValueError(
                f"opening_hand = {list(self.opening_hand)} must be at most "
                f"hand_limit = {self.hand_limit}"
            )
        return self

    @property
    def starting_lives(self) -> tuple[int, int]:
        """The life of both players at the start, by seat."""
        return self.life, self.life + self.extra_life_second

    @property
    def most_life(self) -> int:
        """The most life that either player can have."""
        return max(self.starting_lives)

    @property
    def most_mana(self) -> int:
        """The most mana that either player begins a turn with; the cap of a first turn is 1."""
        return max(self.mana_max, 1 + self.extra_mana_second)

    def number(self, field: str) -> int:
        """The present value of one of `RULE_LABELS`."""
        if field in _HANDS:
            return self.opening_hand[_HANDS.index(field)]
        return int(getattr(self, field))

    def with_numbers(self, numbers: Mapping[str, int]) -> Ruleset:
        """The same rules with other values of some of `RULE_LABELS`.

        Raises:
            InputError: they are no rules then; names the key, the value and the limit.
        """
        changed = {field: value for field, value in numbers.items() if field not in _HANDS}
        hands = tuple(numbers.get(field, self.number(field)) for field in _HANDS)
        if "coin" in changed:
            changed["coin"] = bool(changed["coin"])
        told = {**self.model_dump(), **changed, "opening_hand": hands}
        return validate(Ruleset, told, source=self.name)


def write_ruleset(ruleset: Ruleset, path: Path) -> None:
    """Write a ruleset as TOML that reads back as an equal one.

    Raises:
        InputError: `path` cannot be written.
    """
    import tomlkit  # noqa: PLC0415 (slow to load)

    write_atomically(path, tomlkit.dumps(ruleset.model_dump(mode="json")))


def load_ruleset(name: str, near: Path | None = None) -> Ruleset:
    """The ruleset called `name`, or in the file `name` when that ends in `.toml`.

    Raises:
        InputError: no such file (see `find_data_file`), or it does not fit `Ruleset`.
    """
    path = find_data_file("rulesets", name, near)
    return validate(Ruleset, read_toml(path), source=str(path))
