"""The strict model of a scenario: a position, what happens, what must hold; one JSON line each."""

from __future__ import annotations

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


def _spelt_out(item: object) -> object:
    """A bare id stands for an object that says nothing more."""
    return {"card": item} if isinstance(item, str) else item


class Placed(StrictModel):
    """A card that lies somewhere from the start.

    Attributes:
        card: its id.
        label: what actions and expectations call it, whatever becomes of it.
        damage: already on a minion.
        ready: whether it has been under its player's control since before this turn.
        frozen: misses its next attack.
        divine_shield: whether it has one; `None` leaves what is printed.
        durability: what is left of a weapon; `None` leaves what is printed.
    """

    card: CardName
    label: Annotated[str, AfterValidator(check_label)] | None = Field(default=None, alias="as")
    damage: Number = 0
    ready: bool = True
    frozen: bool = False
    divine_shield: bool | None = None
    durability: PositiveNumber | None = None


PlacedItem = Annotated[Placed, BeforeValidator(_spelt_out)]


class Mana(StrictModel):
    """Mana that is left in this turn, and the crystals."""

    available: ManaNumber
    max: ManaNumber


class Side(StrictModel):
    """What one player has; `docs/conformance.md` lists the keys."""

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
    def _cards_find_room(self) -> Side:
        n_cards = len(self.cards)
        if len(self.secrets) > SECRET_CAPACITY:
            raise ValueError(f"{len(self.secrets)} secrets; there is room for {SECRET_CAPACITY}")
        if n_cards > DECK_CAPACITY:
            raise ValueError(f"{n_cards} cards in all zones; there is room for {DECK_CAPACITY}")
        return self

    @property
    def deck_cards(self) -> tuple[str, ...]:
        """The deck from the top, one id a card."""
        pairs = ((item, 1) if isinstance(item, str) else item for item in self.deck)
        return tuple(card for card, n_copies in pairs for _ in range(n_copies))

    @property
    def placed(self) -> tuple[Placed, ...]:
        """The cards outside the deck: weapon, board, hand, secrets."""
        weapon = () if self.weapon is None else (self.weapon,)
        return (*weapon, *self.board, *self.hand, *self.secrets)

    @property
    def cards(self) -> tuple[str, ...]:
        """Ids of all its cards, by the slots that they take: the deck, then those outside."""
        return (*self.deck_cards, *(placed.card for placed in self.placed))


class Setup(StrictModel):
    """The position before the first action.

    Attributes:
        mode: `"game_start"` for a game whose opening hands have just been dealt.
        active: whose turn it is.
        p1: the player in seat 0.
        p2: the player in seat 1.
    """

    mode: Literal["game_start"] | None = None
    active: SeatName = "p1"
    p1: Side
    p2: Side

    @model_validator(mode="after")
    def _sides_fit_mode(self) -> Setup:
        for name, side in zip(SEAT_NAMES, self.sides, strict=True):
            if self.mode and (more := side.model_fields_set - {"hero", "deck"}):
                raise ValueError(f"{name}.{min(more)}: a game_start has only class and deck")
            if not self.mode and side.mana is None:
                raise ValueError(f"{name}: missing key 'mana'")
        return self

    @property
    def sides(self) -> tuple[Side, Side]:
        """The players by seat."""
        return self.p1, self.p2


class Scenario(StrictModel):
    """One line of a scenario file.

    Attributes:
        id: unique name.
        topic: free label of what it is about.
        focus: id of the card under test, if any.
        cards: ids of all cards that it mentions.
        setup: the position before the first action.
        actions: what happens, checkpoints in between.
        expect: what must hold at the end.
        builds: builds of the game that do the same; for people.
        source: where the behaviour is pinned; for people.
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
    def _references_lead_somewhere(self) -> Scenario:
        labels = self._labels()
        expectations = [
            *self.expect,
            *(each for action in self.actions for each in action.expect or ()),
        ]
        moves = [*self.actions, *(each.legal for each in expectations if each.legal)]
        for move in moves:
            for reference in move.references:
                check_reference(reference, labels)
        for expectation in expectations:
            for path in expectation.paths:
                reader_of(path, labels)
        return self

    @model_validator(mode="after")
    def _mulligan_comes_first(self) -> Scenario:
        for number, action in enumerate(self.actions):
            is_expected = number == 0 and self.setup.mode is not None
            if (action.mulligan is not None) != is_expected:
                raise ValueError("a mulligan is the first action of a game_start, and no other")
        return self

    def _labels(self) -> set[str]:
        """The labels of its cards."""
        labels = [one.label for side in self.setup.sides for one in side.placed if one.label]
        for place, label in enumerate(labels):
            if label in labels[:place]:
                raise ValueError(f"label {label!r} is used by more than one card")
        return {*labels}

    @property
    def card_ids(self) -> tuple[str, ...]:
        """All ids that a pool must have for the scenario to be run, each once."""
        of_sides = (card for side in self.setup.sides for card in side.cards)
        return tuple(dict.fromkeys([*self.cards, *of_sides]))


def read_scenarios(path: Path) -> list[Scenario]:
    """The scenarios in a file, in its order; empty lines are passed over.

    Raises:
        InputError: the file cannot be read, holds no scenario, or a line is no JSON object, does
            not fit `Scenario` or repeats an id; names the line.
    """
    scenarios: dict[str, Scenario] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        source = f"{path}: line {number}"
        scenario = validate(Scenario, _json_object(line, source), source=source)
        if scenario.id in scenarios:
            raise InputError(f"{source}: id {scenario.id!r} is used by more than one scenario")
        scenarios[scenario.id] = scenario
    if not scenarios:
        raise InputError(f"{path}: holds no scenario")
    return list(scenarios.values())


def _json_object(line: str, source: str) -> dict[str, object]:
    with error_place(source):
        data = parse_json(line)
    if not isinstance(data, dict):
        raise InputError(f"{source}: must be a JSON object")
    return data
