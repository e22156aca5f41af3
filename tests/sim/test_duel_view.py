"""The 67 values and 40 actions of the duel's view agree with the reference implementation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from agents.conformance.games import exchange_hidden
from sim import Card, Deck, Effect, Pool, game_seed
from sim.cards.effect import Token
from sim.engine.layout import END_TURN, RESULT, RUNNING
from sim.engine.stepping import (
    action_from_engine,
    action_to_engine,
    look_through,
    may_act,
    perform,
)
from sim.engine.viewing import N_ACTIONS, N_VALUES
from sim.observation.general_view import GeneralView
from sim.observation.view import DuelView, card_codes, fits_rules, view_of
from sim.play import pack_table
from tests.duels import CORE, DECKS, DUEL, TABLE, reference_deck, reference_rules
from tests.reference_duel import (
    Action,
    Attack,
    EndTurn,
    Game,
    Play,
    Player,
    ReferenceCard,
    Unit,
)
from tests.refusals import refusal_of
from tests.steps import Words16, begin

NUMBERS = TABLE.words[0]
VIEW = DuelView(TABLE)
EFFECT_CODES = {"summon": 1, "heal": 2, "damage": 3, "draw": 4}


def engine_action(action: int) -> int:
    return action_to_engine(NUMBERS, VIEW.words, action)


@dataclass(frozen=True)
class Moment:
    """A position in the engine and in the reference, with its observation.

    Attributes:
        state: the state of the engine.
        game: the game of the reference.
        values: the observation.
        mask: the legal actions.
    """

    state: Words16
    game: Game
    values: list[float]
    mask: list[bool]


def seen(state: Words16) -> tuple[list[float], list[bool]]:
    """Return the observation and the mask of a state, in arrays with other values before."""
    values = np.full(N_VALUES, -99, dtype=np.float32)
    mask = np.full(N_ACTIONS, fill_value=True)
    before = state.copy()
    assert look_through(state, NUMBERS, VIEW.words, values, mask.view(np.uint8)) == mask.sum()
    np.testing.assert_array_equal(state, before)  # looking changes nothing
    return values.tolist(), mask.tolist()


def moments(n_games: int, *, with_blanks: bool = True) -> Iterator[Moment]:
    """Yield every position of random games; in some of them cards were left out of a deck."""
    rng = np.random.default_rng(4)
    for index in range(n_games):
        decks = np.roll(DECKS, index, axis=0)[:2].copy()
        if with_blanks and index % 3 == 0:
            decks[0, 1 + rng.permutation(30)[:12]] = -1
        seed = game_seed(1, "view", index)
        state = begin(TABLE, decks, seed)
        first, second = (reference_deck(CORE, row) for row in decks)
        game = Game(reference_rules(DUEL), (first, second), seed)
        game.start()
        while state[RESULT] == RUNNING:
            values, mask = seen(state)
            yield Moment(state, game, values, mask)
            choices = np.flatnonzero(mask)
            action = int(rng.choice(choices[:-1] if len(choices) > 1 else choices))
            game.perform(as_reference(action, game))
            perform(state, NUMBERS, engine_action(action))


def as_reference(action: int, game: Game) -> Action:
    if action == 39:
        return EndTurn()
    if action < 9:
        return Play(action)
    unit, target = divmod(action - 9, 6)
    return Attack(game.own.board[unit], None if target == 5 else game.enemy.board[target])


def values_of(own: Player, enemy: Player) -> list[float]:
    """Return the observation of the player `own`, computed from the objects of the reference."""
    able = [float(unit.ready) for unit in own.board]
    return [
        *(own.life, enemy.life, own.mana, enemy.mana),
        *padded([value for card in own.hand for value in card_values(card)], 36),
        *padded(unit_values(own.board), 10),
        *padded(unit_values(enemy.board), 10),
        *padded(able, 5),
        *(sum(card is not None for card in player.slots) for player in (own, enemy)),
    ]


def card_values(card: ReferenceCard) -> list[float]:
    codes = [EFFECT_CODES[effect.do] for effect in card.effects] + [5] * card.haste
    assert len(codes) <= 1
    return [card.health, card.attack, card.cost, sum(codes)]


def unit_values(board: Sequence[Unit]) -> list[float]:
    return [value for unit in board for value in (unit.health, unit.attack)]


def padded(values: list[float], length: int) -> list[float]:
    return values + [0.0] * (length - len(values))


def test_values_equal_the_reference_and_all_values_and_actions_occur() -> None:
    values = []
    masks = []
    for moment in moments(n_games=60):
        assert moment.values == values_of(moment.game.own, moment.game.enemy)
        values.append(moment.values)
        masks.append(moment.mask)
    assert len(values) > 2_000
    assert (np.ptp(values, axis=0) > 0).all()
    assert np.any(masks, axis=0).all()


BEYOND = [-64, -1, 40, 45, 9 + 6 * 64, 9 + 6 * 64 + 5, 2**40]  # numbers of no action


def test_the_mask_allows_what_the_reference_and_the_engine_allow() -> None:
    for moment in moments(n_games=20):
        legal = [as_reference(int(k), moment.game) for k in np.flatnonzero(moment.mask)]
        assert legal == moment.game.legal_actions()
        by_engine = [
            bool(may_act(moment.state, NUMBERS, engine_action(action)))
            for action in range(N_ACTIONS)
        ]
        assert moment.mask == by_engine
        assert not any(may_act(moment.state, NUMBERS, engine_action(odd)) for odd in BEYOND)


def test_hidden_cards_never_change_what_is_seen() -> None:
    rng = np.random.default_rng(1)
    for moment in moments(n_games=8, with_blanks=False):
        for _ in range(4):
            assert seen(exchange_hidden(moment.state, NUMBERS, rng)) == (moment.values, moment.mask)


def test_both_numberings_of_actions_are_inverse() -> None:
    actions = range(N_ACTIONS)
    in_engine = [engine_action(action) for action in actions]
    numbers = [action_from_engine(NUMBERS, VIEW.words, action) for action in in_engine]
    assert numbers == list(actions)
    assert len(set(in_engine)) == N_ACTIONS
    assert in_engine[39] == END_TURN


def a_card(**changes) -> Card:
    usual = {"id": "odd_one", "name": "Odd One", "cost": 1, "attack": 1, "health": 1}
    return Card(**usual | changes)


def effect(**changes) -> Effect:
    return Effect(**{"on": "play", "do": "heal", "to": "own_player", "amount": 2} | changes)


SUMMONS = {"do": "summon", "amount": 1}
PLAIN = Token(attack=1, health=1)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, 0),
        ({"effects": (effect(**SUMMONS, token=PLAIN),)}, 1),
        ({"effects": (effect(),)}, 2),
        ({"effects": (effect(do="damage", to="enemy_player"),)}, 3),
        ({"effects": (effect(do="draw", amount=1),)}, 4),
        ({"keywords": ("haste",)}, 5),
    ],
)
def test_a_card_has_the_code_of_its_effect(changes, code):
    assert card_codes(Pool(name="odd", cards=(a_card(**changes),))).tolist() == [code]


def packed(card: Card, ruleset=DUEL):
    pool = Pool(name="odd", cards=(a_card(id="plain"), card))
    deck = Deck(name="mine", pool="odd", ruleset="duel", cards={"plain": 1, "odd_one": 2})
    return pack_table(pool, ruleset), deck


@pytest.mark.parametrize(
    "changes",
    [
        {"effects": (effect(amount=3),)},
        {"effects": (effect(to="enemy_player"),)},
        {"effects": (effect(do="damage", to="own_player"),)},
        {"effects": (effect(do="draw", amount=2),)},
        {"effects": (effect(**SUMMONS, token=Token(attack=2, health=1)),)},
        {"effects": (effect(**SUMMONS, token=Token(attack=1, health=1, keywords=("haste",))),)},
        {"effects": (effect(do="summon", amount=2, token=PLAIN),)},
        {"effects": (effect(), effect(do="draw", amount=1))},
        {"effects": (effect(),), "keywords": ("haste",)},
    ],
)
def test_a_card_with_other_effects_is_refused_by_name(changes):
    table, deck = packed(a_card(**changes))
    fine = deck.model_copy(update={"name": "fine", "cards": {"plain": 1}})
    DuelView(table).check_decks([fine])
    error = refusal_of(DuelView(table).check_decks, [fine, deck])
    assert error.place == "deck 'mine': card 'odd_one'"


@pytest.mark.parametrize("field", ["cost", "attack", "health"])
def test_a_card_with_a_larger_number_is_refused_by_name(field: str) -> None:
    wide = DUEL.limits.model_copy(update={field: (1, 9)})
    table, deck = packed(a_card(**{field: 6}), DUEL.model_copy(update={"limits": wide}))
    error = refusal_of(DuelView(table).check_decks, [deck])
    assert (error.place, error.value, error.limit) == ("deck 'mine': card 'odd_one'", 6, 5)


@pytest.mark.parametrize(
    ("field", "value"), [("hand_limit", 10), ("board_limit", 6), ("life", 128)]
)
def test_rules_beyond_the_duels_view_get_the_general_view(field: str, value: int) -> None:
    assert isinstance(view_of(TABLE, [0]), DuelView)
    larger = replace(TABLE, ruleset=DUEL.model_copy(update={field: value}))
    assert isinstance(view_of(larger, [0]), GeneralView)


def test_the_extras_of_the_second_player_are_within_the_bounds_or_beyond_the_view() -> None:
    rules = DUEL.with_numbers({"extra_life_second": 9, "extra_mana_second": 7})
    _, high = DuelView(pack_table(CORE, rules)).bounds
    assert high[:4].tolist() == [29, 29, 8, 8]
    assert fits_rules(DUEL.with_numbers({"extra_life_second": 107, "extra_mana_second": 100}))
    assert not fits_rules(DUEL.with_numbers({"extra_life_second": 108}))
