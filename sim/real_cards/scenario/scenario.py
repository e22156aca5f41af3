"""The strict model of a scenario: a position, actions and expectations, one JSON line each."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from sim import InputError, Name, StrictModel, error_place, validate
from sim.engine.layout import SECRET_CAPACITY
from sim.files.json_text import parse_json
from sim.files.whole_file import read_text
from sim.real_cards.scenario.moves import (
    SEAT_NAMES,
    Action,
    CardName,
    Expectation,
    SeatName,
    check_label,
    check_reference,
)
from sim.real_cards.scenario.paths import reader_of
from sim.ruleset import (
    BOARD_CAPACITY,
    DECK_CAPACITY,
    HAND_CAPACITY,
    MANA_MAX,
    Number,
    PositiveNumber,
)

ManaNumber = Annotated[int, Field(ge=0, le=MANA_MAX)]


def _from_id(item: object) -> object:
    """Return an object with the single key `card` for a bare id."""
    return {"card": item} if isinstance(item, str) else item


class Placed(StrictModel):
    """A card that is outside the deck at the start.

    Attributes:
        card: id of the card.
        label: the card's name in actions and expectations, which it keeps wherever it goes.
        damage: damage already dealt to a minion.
        ready: whether a minion has been under its player's control since before this turn.
        frozen: whether it misses its next attack.
        divine_shield: whether it has a divine shield; `None` for the printed value.
        durability: remaining durability of a weapon; `None` for the printed value.
    """

    card: CardName
    label: Annotated[str, AfterValidator(check_label)] | None = Field(default=None, alias="as")
    damage: Number = 0
    ready: bool = True
    frozen: bool = False
    divine_shield: bool | None = None
    durability: PositiveNumber | None = None


PlacedItem = Annotated[Placed, BeforeValidator(_from_id)]


class Mana(StrictModel):
    """A player's mana.

    Attributes:
        available: mana left in this turn.
        max: number of mana crystals.
    """

    available: ManaNumber
    max: ManaNumber


class Side(StrictModel):
    """The cards and numbers of one player; `docs/conformance.md` lists the keys."""

    hero: CardName = Field(alias="class")
    health: PositiveNumber | None = None
    armor: Number = 0
    mana: Mana | None = None
    hand: Annotated[tuple[PlacedItem, ...], Field(max_length=HAND_CAPACITY)] = ()
    board: Annotated[tuple[PlacedItem, ...], Field(max_length=BOARD_CAPACITY)] = ()
    deck: tuple[CardName | tuple[CardName, PositiveNumber], ...] = ()
    weapon: PlacedItem | None = None
    secrets: tuple[PlacedItem, ...] = ()
    fatigue: Number = 0
    overload_owed: ManaNumber = 0
    hero_frozen: bool = False

    @model_validator(mode="after")
    def _check_sizes(self) -> Side:
        n_cards = len(self.cards)
        if len(self.secrets) > SECRET_CAPACITY:
            raise InputError(
                f"{len(self.secrets)} secrets, must be at most {SECRET_CAPACITY}",
                value=len(self.secrets),
                limit=SECRET_CAPACITY,
            )
        if n_cards > DECK_CAPACITY:
            raise InputError(
                f"{n_cards} cards in all zones, must be at most {DECK_CAPACITY}",
                value=n_cards,
                limit=DECK_CAPACITY,
            )
        return self

    @property
    def deck_cards(self) -> tuple[str, ...]:
        """The ids of the cards in the deck from the top, one for each copy."""
        pairs = ((item, 1) if isinstance(item, str) else item for item in self.deck)
        return tuple(card for card, n_copies in pairs for _ in range(n_copies))

    @property
    def placed(self) -> tuple[Placed, ...]:
        """The cards outside the deck: weapon, board, hand, secrets."""
        weapon = () if self.weapon is None else (self.weapon,)
        return (*weapon, *self.board, *self.hand, *self.secrets)

    @property
    def cards(self) -> tuple[str, ...]:
        """The ids of all cards in the order of their slots: the deck, then the cards outside it."""
        return (*self.deck_cards, *(placed.card for placed in self.placed))


class Setup(StrictModel):
    """The position before the first action.

    Attributes:
        mode: `"game_start"` for a game in which the opening hands have just been dealt.
        active: the player to move.
        p1: the player in seat 0.
        p2: the player in seat 1.
    """

    mode: Literal["game_start"] | None = None
    active: SeatName = "p1"
    p1: Side
    p2: Side

    @model_validator(mode="after")
    def _check_sides(self) -> Setup:
        for name, side in zip(SEAT_NAMES, self.sides, strict=True):
            if self.mode and (more := side.model_fields_set - {"hero", "deck"}):
                raise InputError(
                    "a game_start has only class and deck",
                    place=f"{name}.{min(more)}",
                    value=sorted(more),
                    limit=("class", "deck"),
                )
            if not self.mode and side.mana is None:
                raise InputError("missing key 'mana'", place=name)
        return self

    @property
    def sides(self) -> tuple[Side, Side]:
        """The players by seat."""
        return self.p1, self.p2


class Scenario(StrictModel):
    """One line of a scenario file.

    Attributes:
        id: unique name.
        topic: free label for the rule that it is about.
        focus: id of the card under test; `None` for none.
        cards: ids of all cards that it mentions.
        setup: the position before the first action.
        actions: the actions, with checkpoints between them.
        expect: the conditions that must hold at the end.
        builds: builds of the original game with the same behaviour; for people.
        source: sources that document the behaviour; for people.
        note: a remark; for people.
    """

    id: Name
    topic: Name
    focus: CardName | None = None
    cards: tuple[CardName, ...] = ()
    setup: Setup
    actions: tuple[Action, ...] = ()
    expect: tuple[Expectation, ...] = ()
    builds: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    note: str = ""

    @model_validator(mode="after")
    def _check_references(self) -> Scenario:
        labels = self._labels()
        checkpoints = [action.expect or () for action in self.actions]
        expectations = [*self.expect, *chain.from_iterable(checkpoints)]
        moves = [*self.actions, *(item.legal for item in expectations if item.legal)]
        for move in moves:
            for reference in move.references:
                check_reference(reference, labels)
        for expectation in expectations:
            for path in expectation.paths:
                reader_of(path, labels)
        return self

    @model_validator(mode="after")
    def _check_mulligan(self) -> Scenario:
        for number, action in enumerate(self.actions):
            is_expected = number == 0 and self.setup.mode is not None
            if (action.mulligan is not None) != is_expected:
                raise InputError(
                    "a mulligan must be the first action of a game_start, and no other"
                )
        return self

    def _labels(self) -> set[str]:
        """Return the labels of its cards, each of which must belong to one card."""
        labels = [card.label for side in self.setup.sides for card in side.placed if card.label]
        for place, label in enumerate(labels):
            if label in labels[:place]:
                raise InputError(f"label {label!r} is used by more than one card", value=label)
        return {*labels}

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The ids of all cards that a pool must have to run the scenario, each once."""
        of_sides = (card for side in self.setup.sides for card in side.cards)
        return tuple(dict.fromkeys([*self.cards, *of_sides]))


def read_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios in a file, in its order; empty lines are ignored.

    Raises:
        InputError: the file cannot be read or holds no scenario, or a line is not a JSON object,
            does not fit `Scenario` or repeats an id; names the line.
    """
    scenarios: dict[str, Scenario] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        source = f"{path}: line {number}"
        scenario = validate(Scenario, _json_object(line, source), source=source)
        if scenario.id in scenarios:
            raise InputError(
                f"id {scenario.id!r} is used by more than one scenario",
                place=source,
                value=scenario.id,
            )
        scenarios[scenario.id] = scenario
    if not scenarios:
        raise InputError("holds no scenario", place=path)
    return list(scenarios.values())


def _json_object(line: str, source: str) -> dict[str, object]:
    with error_place(source):
        data = parse_json(line)
    if not isinstance(data, dict):
        raise InputError("must be a JSON object", place=source, value=data)
    return data
