"""Data model of scenarios, with validation, and reading of scenario files."""

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
    """Return a dictionary with the key `card` for a text; other values are unchanged."""
    return {"card": item} if isinstance(item, str) else item


class Placed(StrictModel):
    """Card outside the deck in the first position of a scenario.

    Attributes:
        card: id of the card.
        label: name of this card in actions and expectations, in whatever zone the card is; `None`
            for no label.
        damage: damage already dealt to a minion.
        ready: whether a minion was under its player's control before this turn.
        frozen: whether a minion is frozen and so misses its next attack.
        divine_shield: whether a minion has a divine shield; `None` for the printed keyword.
        durability: remaining durability of a weapon; `None` for the printed durability.
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
    """Mana of a player in the first position of a scenario.

    Attributes:
        available: mana that the player can still spend in this turn.
        max: number of mana crystals.
    """

    available: ManaNumber
    max: ManaNumber


class Side(StrictModel):
    """Cards and numbers of a player in the first position of a scenario.

    Attributes:
        hero: id of the player's hero, with the key `class` in files.
        health: current health; `None` for the ruleset's initial health.
        armor: current armour.
        mana: current mana; required unless the scenario begins with a new game.
        hand: cards in the hand, from left to right.
        board: minions on the board, from left to right.
        deck: ids of the cards in the deck from the top, or pairs of an id and a number of copies.
        weapon: equipped weapon; `None` if the player has no weapon.
        secrets: secrets in play, in the order of their arrival.
        fatigue: damage of the player's last draw from an empty deck.
        overload_owed: mana that will be locked in the player's next turn.
        hero_frozen: whether the hero is frozen and so misses its next attack.
    """

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
                f"{len(self.secrets)} secrets, but the limit is {SECRET_CAPACITY}",
                value=len(self.secrets),
                limit=SECRET_CAPACITY,
            )
        if n_cards > DECK_CAPACITY:
            raise InputError(
                f"{n_cards} cards in all zones, but the limit is {DECK_CAPACITY}",
                value=n_cards,
                limit=DECK_CAPACITY,
            )
        return self

    @property
    def deck_cards(self) -> tuple[str, ...]:
        """Ids of the cards in the deck from the top, with one item for each copy."""
        pairs = ((item, 1) if isinstance(item, str) else item for item in self.deck)
        return tuple(card for card, n_copies in pairs for _ in range(n_copies))

    @property
    def placed(self) -> tuple[Placed, ...]:
        """Cards outside the deck, in the order weapon, board, hand, secrets."""
        weapon = () if self.weapon is None else (self.weapon,)
        return (*weapon, *self.board, *self.hand, *self.secrets)

    @property
    def cards(self) -> tuple[str, ...]:
        """Ids of all cards in the order of their slots: the deck, then all other cards."""
        return (*self.deck_cards, *(placed.card for placed in self.placed))


class Setup(StrictModel):
    """Position of a scenario before its first action.

    Attributes:
        mode: `"game_start"` for a new game, in which the opening hands have just been dealt; `None`
            for a game in progress.
        active: name of the seat of the active player; ignored in a new game.
        p1: player in seat 0.
        p2: player in seat 1.
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
                    "a game_start permits only class and deck",
                    place=f"{name}.{min(more)}",
                    value=sorted(more),
                    limit=("class", "deck"),
                )
            if not self.mode and side.mana is None:
                raise InputError("missing key 'mana'", place=name)
        return self

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both players, in the order of their seats."""
        return self.p1, self.p2


class Scenario(StrictModel):
    """Test of rules: a position, actions, and expectations; one line of a scenario file.

    Attributes:
        id: name of the scenario, unique in its file.
        topic: label for the rule under test, in any words.
        focus: id of the card under test; `None` if the scenario does not test a single card.
        cards: ids of all cards that the scenario mentions; ids in `setup` may be omitted.
        setup: position before the first action.
        actions: actions in order, with checkpoints between them.
        expect: conditions that must hold at the end.
        builds: builds of the original game with the same behaviour, for people only.
        source: sources that document the behaviour, for people only.
        note: remark for people.
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
                    "the first action after a game_start, and no other, must be a mulligan"
                )
        return self

    def _labels(self) -> set[str]:
        """Return the labels of all cards in the setup.

        Raises:
            InputError: two cards have the same label.
        """
        labels = [card.label for side in self.setup.sides for card in side.placed if card.label]
        for place, label in enumerate(labels):
            if label in labels[:place]:
                raise InputError(f"label {label!r} is used by more than one card", value=label)
        return {*labels}

    @property
    def card_ids(self) -> tuple[str, ...]:
        """Distinct ids of all cards that a pool must have for playing the scenario."""
        of_sides = (card for side in self.setup.sides for card in side.cards)
        return tuple(dict.fromkeys([*self.cards, *of_sides]))


def read_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios in a file, in order; blank lines are ignored.

    Raises:
        InputError: the file cannot be read or contains no scenario; or a line is not a JSON object,
            is not a valid `Scenario`, or repeats an id.
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
        raise InputError("contains no scenario", place=path)
    return list(scenarios.values())


def _json_object(line: str, source: str) -> dict[str, object]:
    with error_place(source):
        data = parse_json(line)
    if not isinstance(data, dict):
        raise InputError("must be a JSON object", place=source, value=data)
    return data
