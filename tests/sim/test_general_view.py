"""The general view shows the state, allows legal actions, and hides hidden cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from agents.conformance.games import exchange_hidden
from sim import Card, Effect, Pool, game_seed, load_deck, load_ruleset
from sim.cards.pool import Hero
from sim.cards.vocabulary import BODY_KEYWORDS
from sim.engine import layout as at
from sim.engine.stepping import (
    action_from_engine,
    action_to_engine,
    look_through,
    may_act,
    perform,
)
from sim.environments.position import action_text, position_text
from sim.observation.general_view import TEXT, GeneralView
from sim.observation.view import DuelView
from sim.observation.view_size import ViewSize
from sim.play import pack_table
from tests.duels import CORE, DECKS, DUEL, TABLE, view_of_pool
from tests.legacy import legacy_rows, legacy_table, needs_package
from tests.steps import Words16, begin, block, items

HEROES = ("mage", "hunter", "druid", "warrior", "shaman", "rogue")
N_GAMES = 18
BODY_MASK = sum(map(int, BODY_KEYWORDS))


@cache
def legacy_view() -> GeneralView:
    view = view_of_pool(legacy_table())
    assert isinstance(view, GeneralView)
    return view


@dataclass(frozen=True)
class Moment:
    """A position with its observation.

    Attributes:
        state: the state of the engine.
        values: the observation.
        mask: the legal actions.
    """

    state: Words16
    values: npt.NDArray[np.float32]
    mask: npt.NDArray[np.bool_]

    def number(self, name: str) -> int:
        """Return the whole number in a column."""
        place = places()[name]
        return round(float(self.values[place]) * max(legacy_view().columns[place].scale, 1))

    def keywords(self, name: str) -> int:
        """Return the keywords of the body in a place, as bits."""
        shown = (k for k in BODY_KEYWORDS if self.number(f"{name} {(k.name or '').lower()}"))
        return sum(map(int, shown))


@cache
def places() -> dict[str, int]:
    return {column.name: place for place, column in enumerate(legacy_view().columns)}


def seen(
    state: Words16, view: GeneralView
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    values = np.full(view.size.n_values, -99, dtype=np.float32)
    mask = np.full(view.size.n_actions, fill_value=True)
    n_legal = look_through(state, view.table.words[0], view.words, values, mask.view(np.uint8))
    assert n_legal == mask.sum() > 0
    return values, mask


def in_engine(view: GeneralView) -> list[int]:
    """Return the engine's number of each action of a view."""
    actions = range(view.size.n_actions)
    return [action_to_engine(view.table.words[0], view.words, action) for action in actions]


def legal_in_engine(state: Words16, view: GeneralView) -> list[bool]:
    return [may_act(state, view.table.words[0], action) for action in in_engine(view)]


def play_games(view: GeneralView, pairs: Iterable[Words16]) -> Iterator[Moment]:
    """Yield every position of random games between pairs of decks."""
    rng = np.random.default_rng(4)
    actions = in_engine(view)
    for index, decks in enumerate(pairs):
        state = begin(view.table, decks, game_seed(1, "view", index))
        while state[at.RESULT] == at.RUNNING:
            values, mask = seen(state, view)
            yield Moment(state.copy(), values, mask)
            perform(state, view.table.words[0], actions[rng.choice(np.flatnonzero(mask))])
        assert state[at.FAULT] == 0


@cache
def moments() -> list[Moment]:
    """Return all positions of random games between all decks."""
    rows = legacy_rows(*HEROES)
    n = len(HEROES)
    pairs = (rows[[index % n, (5 * index // 4) % n]] for index in range(N_GAMES))
    return list(play_games(legacy_view(), pairs))


@needs_package
def test_games_come_to_every_kind_of_position() -> None:
    phases = {int(moment.state[at.PHASE]) for moment in moments()}
    assert phases == {at.MAIN_PHASE, at.MULLIGAN_PHASE, at.CHOICE_PHASE}
    for name in ("own has a weapon", "own armour"):
        assert sum(moment.number(name) > 0 for moment in moments()) > 5


@needs_package
def test_the_mask_allows_the_legal_actions() -> None:
    """The mask agrees with the engine.

    In mulligans and choices the engine ignores options and targets, so only their value 0 is legal.
    """
    view = legacy_view()
    for moment in moments()[::7]:
        legal = legal_in_engine(moment.state, view)
        if moment.state[at.PHASE] == at.MAIN_PHASE:
            assert moment.mask.tolist() == legal
        else:
            step = view.size.n_options * view.size.n_targets
            answers = [*range(0, step * view.n_hand_places, step), view.size.last_action]
            assert np.flatnonzero(moment.mask).tolist() == [k for k in answers if legal[k]]


@needs_package
def test_actions_translate_both_ways() -> None:
    numbers = legacy_table().words[0]
    view = legacy_view()
    actions = [*range(view.size.n_actions)]
    engine_actions = in_engine(view)
    translated = [action_from_engine(numbers, view.words, action) for action in engine_actions]
    assert translated == actions
    assert engine_actions[-1] == at.END_TURN
    for beyond in (-1, len(actions), 10**6):
        assert action_to_engine(numbers, view.words, beyond) == -1
    at_a_place = engine_actions[0] + (1 << at.PLACE_SHIFT)
    assert action_from_engine(numbers, view.words, at_a_place) == 0


@needs_package
@pytest.mark.parametrize(
    "action", [-1, (1 << 20) + (40 << 6), (2 << 20) + (9 << 6), (3 << 20) + 40]
)
def test_an_engine_action_without_a_number_is_not_counted(action: int) -> None:
    view = legacy_view()
    number = action_from_engine(legacy_table().words[0], view.words, action)
    assert number == view.size.n_actions


@needs_package
def test_quantities_are_from_0_to_1_and_texts_are_numbers() -> None:
    size = legacy_view().size
    for moment in moments():
        shares, texts = np.split(moment.values, [size.n_values - size.n_indices])
        assert ((shares >= 0) & (shares <= 1)).all()
        assert np.isin(texts, range(size.n_texts + 1)).all()
    columns = legacy_view().columns
    assert all(column.name.endswith(" text") for column in columns if column.scale == TEXT)
    assert all(column.scale == TEXT for column in columns[size.n_values - size.n_indices :])


PLAYER_VALUES = [  # name, word of the state, and highest value that is shown
    ("life", at.HEALTH, 30),
    ("armour", at.ARMOR, 30),
    ("mana", at.MANA, 10),
    ("fatigue", at.FATIGUE, 10),
    ("deck", at.N_CARDS_LEFT, 60),
    ("hand", at.HAND, 10),
    ("board", at.BOARD, 7),
]


@needs_package
def test_players_are_shown_with_their_values() -> None:
    for moment in moments():
        state = moment.state
        mover = int(moment.state[at.ACTIVE])
        assert moment.number("turn") == state[at.TURN]
        assert moment.number("moved second") == mover
        for side, seat in (("own", mover), ("enemy", 1 - mover)):
            own = block(seat)
            for name, word, most in PLAYER_VALUES:
                assert moment.number(f"{side} {name}") == max(min(state[own + word], most), 0)
            weapon = int(state[own + at.WEAPON])
            attack = state[weapon + at.ATTACK] if weapon else 0
            assert moment.number(f"{side} weapon attack") == min(attack, 12)


@needs_package
def test_minions_and_cards_stand_in_their_places() -> None:
    everything = legacy_table().pool.everything
    texts = legacy_view().text_numbers
    for moment in moments()[::3]:
        state = moment.state
        mover = int(moment.state[at.ACTIVE])
        for side, seat in (("own", mover), ("enemy", 1 - mover)):
            minions = items(state, seat, at.BOARD)
            for place in range(len(minions), int(legacy_table().words[0, at.BOARD_LIMIT])):
                assert moment.number(f"{side} minion {place + 1} max health") == 0
            for place, minion in enumerate(minions, start=1):
                name = f"{side} minion {place}"
                assert moment.number(f"{name} attack") == min(state[minion + at.ATTACK], 12)
                assert moment.number(f"{name} health") == min(state[minion + at.HEALTH], 12)
                assert moment.keywords(name) == state[minion + at.KEYWORDS] & BODY_MASK
                is_silenced = bool(state[minion + at.STATUS] & at.IS_SILENCED)
                assert moment.number(f"{name} silenced") == is_silenced
                text = 0 if is_silenced else texts[state[minion + at.CARD]]
                assert moment.number(f"{name} text") == text
        for place, card in enumerate(items(state, mover, at.HAND)):
            name = f"hand {place + 1}"
            assert moment.number(f"{name} cost") == min(state[card + at.COST], 10)
            assert moment.number(f"{name} attack") == min(state[card + at.ATTACK], 12)
            assert moment.number(f"{name} health") == min(state[card + at.HEALTH], 12)
            assert moment.keywords(name) == state[card + at.KEYWORDS] & BODY_MASK
            assert moment.number(f"{name} text") == texts[state[card + at.CARD]]
            assert moment.number(f"{name} {everything[state[card + at.CARD]].kind}") == 1
            n_each = legacy_view().size.n_options * legacy_view().size.n_targets
            ways = moment.mask[place * n_each :][:n_each]
            if state[at.PHASE] != at.CHOICE_PHASE:
                assert moment.number(f"{name} playable") == ways.any()


@needs_package
def test_offered_cards_are_shown_to_the_seat_that_chooses() -> None:
    choosing = [moment for moment in moments() if moment.state[at.PHASE] == at.CHOICE_PHASE]
    for moment in choosing:
        shown = [moment.number(f"choice {place} playable") for place in range(1, 5)]
        assert sum(shown) == moment.mask.sum() >= 2
        assert "choice [" in position_text(moment.values, moment.mask, legacy_view())
    assert any(moment.number("choice 1 text") for moment in choosing)


@needs_package
def test_hidden_cards_are_not_seen() -> None:
    rng = np.random.default_rng(8)
    numbers = legacy_table().words[0]
    for moment in moments():
        if moment.state[at.PHASE] == at.CHOICE_PHASE:  # its cards have left the deck
            continue
        values, mask = seen(exchange_hidden(moment.state, numbers, rng), legacy_view())
        assert np.array_equal(values, moment.values)
        assert np.array_equal(mask, moment.mask)


@needs_package
def test_a_silenced_minion_has_no_text() -> None:
    changed = 0
    for moment in moments():
        minions = items(moment.state, int(moment.state[at.ACTIVE]), at.BOARD)
        if minions and moment.number("own minion 1 text"):
            state = moment.state.copy()
            state[minions[0] + at.STATUS] |= at.IS_SILENCED
            values, _ = seen(state, legacy_view())
            assert values[places()["own minion 1 text"]] == 0
            assert values[places()["own minion 1 silenced"]] == 1
            changed += 1
    assert changed > 20


@needs_package
def test_a_position_and_its_actions_as_text() -> None:
    for moment in moments()[::11]:
        lines = position_text(moment.values, moment.mask, legacy_view()).splitlines()
        assert lines[0].startswith("own ")
        assert lines[1].startswith("enemy")
        assert "hand" in lines[1]
        assert lines[-1].count(": ") == moment.mask.sum()
        assert "nobody" not in lines[-1]
        assert "empty place" not in lines[-1]
    first = moments()[0]
    last = legacy_view().size.last_action
    assert action_text(last, first.values, legacy_view()) == "end the mulligan"
    assert action_text(0, first.values, legacy_view()).startswith("replace ")
    assert action_text(last + 1, first.values, legacy_view()) == "no such action"


# --- sizes and texts ---

STRIKE = Effect(on="play", do="damage", to="target", amount=2)
DRAW = Effect(on="play", do="draw", amount=1)


def body(card_id: str, **changes: object) -> Card:
    return Card(**({"id": card_id, "name": card_id, "cost": 1, "attack": 1, "health": 1} | changes))


def text_numbers(pool: Pool) -> list[int]:
    view = view_of_pool(pack_table(pool, load_ruleset("legacy").model_copy(update={"coin": False})))
    assert isinstance(view, GeneralView)
    return view.text_numbers


def test_cards_with_the_same_rows_share_a_text() -> None:
    pool = Pool(
        name="some",
        cards=(
            body("plain"),
            body("fast", keywords=("haste",)),
            body("draws", effects=(DRAW,)),
            body("draws_too", cost=5, attack=4, effects=(DRAW,)),
            body("draws_at_the_end", effects=(DRAW.model_copy(update={"on": "deathrattle"}),)),
            body("strikes", target="minions", effects=(STRIKE,)),
            body("strikes_anybody", target="characters", effects=(STRIKE,)),
            body("beast", tribe="beast"),
        ),
    )
    assert text_numbers(pool) == [0, 0, 1, 1, 2, 3, 4, 5]


def test_options_are_part_of_a_cards_text() -> None:
    options = (
        Card(id="one", name="one", kind="option", cost=0, effects=(DRAW,)),
        Card(id="two", name="two", kind="option", cost=0, target="minions", effects=(STRIKE,)),
    )
    wise = body("wise", options=("one", "two"))
    odd = body("odd", options=("two", "one"))
    assert text_numbers(Pool(name="some", cards=(wise, odd), tokens=options)) == [1, 2, 3, 4]


def test_a_pool_without_choices_has_fewer_actions() -> None:
    """Ten cards, 64 attacks and the end have actions; powers and targets add others."""
    legacy = load_ruleset("legacy").model_copy(update={"coin": False})
    without_powers = legacy.model_copy(update={"hero_powers": False})
    cards = (body("plain"), body("draws", effects=(DRAW,)))
    power = Card(id="power", name="power", kind="power", cost=2, effects=(DRAW,))
    hero = Hero(id="hero", name="hero", power="power")
    plain = view_of_pool(pack_table(Pool(name="some", cards=cards), without_powers))
    assert plain.size.n_actions == 10 + 64 + 1
    assert plain.size.n_indices == 10 + 2 * 7 + 4
    powerful = Pool(name="some", cards=cards, tokens=(power,), heroes=(hero,))
    assert view_of_pool(pack_table(powerful, legacy)).size.n_actions == 10 + 64 + 1 + 1
    striker = body("strikes", target="minions", effects=(STRIKE,))
    choosing = view_of_pool(pack_table(Pool(name="some", cards=(*cards, striker)), without_powers))
    assert choosing.size.n_actions == 10 * 17 + 64 + 1


# --- which view ---


def test_plain_games_keep_the_duels_view() -> None:
    assert isinstance(view_of_pool(TABLE), DuelView)
    assert view_of_pool(TABLE).size == ViewSize(name="duel", n_values=67, n_actions=40)
    general = pack_table(CORE, DUEL, general=True)
    assert isinstance(view_of_pool(general), GeneralView)
    view_of_pool(general).check_decks([load_deck("ember_rush")])


def test_plain_games_too_large_for_the_duels_view_get_the_general_one() -> None:
    """The general view then lists the legal actions of the plain rules."""
    table = pack_table(CORE, DUEL.model_copy(update={"board_limit": 7, "hand_limit": 10}))
    view = view_of_pool(table)
    assert not table.is_general(DECKS).any()
    assert isinstance(view, GeneralView)
    for moment in play_games(view, [DECKS[:2]] * 5):
        assert moment.mask.tolist() == legal_in_engine(moment.state, view)
