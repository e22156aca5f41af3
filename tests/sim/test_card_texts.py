"""Every pool is refused, or its games are played, or the faulty card is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from agents.registry import agent_named
from sim import CardFault, Pool, Ruleset, load_ruleset, stream_seed, validate
from sim.engine import layout as at
from sim.engine.stepping import perform
from sim.play import Batch, Gene, Outcomes, Table, deck_row, kept, pack_table, play
from sim.play.outcomes import fault_of_state
from tests.refusals import refusal_of, refused
from tests.steps import begin

N_GAMES = 40
STREAM = stream_seed(1, "texts")
ALL = [0, 1000]
LIMITS = {"cost": ALL, "attack": ALL, "health": [1, 1000], "amount": [-1000, 1000]}

Data = Mapping[str, Any]
ATTACHMENT = {
    "id": "t",
    "name": "T",
    "kind": "attachment",
    "cost": 0,
    "effects": [{"on": "turn_start", "do": "armor", "amount": 1}],
}


def rules(**changes: Any) -> Ruleset:
    rich = load_ruleset("legacy").model_dump()
    data = {**rich, "hero_powers": False, "coin": False, "limits": LIMITS, **changes}
    return validate(Ruleset, data, source="rules")


def minion(name: str, *effects: Data, **keys: Any) -> Data:
    body = {"id": name, "name": name.title(), "cost": 0, "attack": 1, "health": 3}
    return {**body, "effects": list(effects), **keys}


def spell(name: str, *effects: Data, **keys: Any) -> Data:
    data = {"id": name, "name": name.title(), "kind": "spell", "cost": 0}
    return {**data, "effects": list(effects), **keys}


def on_play(do: str, to: str = "own_player", **keys: Any) -> Data:
    return {"on": "play", "do": do, "to": to, **keys}


def weapon(**keys: Any) -> Data:
    edge = {"kind": "weapon", "cost": 0, "attack": 1, "durability": 2}
    return {"id": "blade", "name": "Blade", **edge, **keys}


def table_of(cards: Sequence[Data], tokens: Sequence[Data] = (), **changes: Any) -> Table:
    data = {"name": "texts", "card": list(cards), "token": list(tokens)}
    return pack_table(validate(Pool, data, source="pool"), rules(**changes))


def play_games(table: Table, variants: tuple[int, int] = (0, 0), **keys: Any) -> Outcomes:
    """Play games with decks full of every card, with a random and a greedy agent in both seats."""
    n_cards = len(table.pool.cards)
    decks = np.stack([deck_row([slot % n_cards for slot in range(30)])] * 2)
    agents = [agent_named("random"), agent_named("greedy")]
    seats = np.array([[0, 1], [1, 0]])
    rows = np.zeros(2, dtype=np.int64)
    batch = Batch(decks, np.array(variants), seats, rows + N_GAMES, rows, STREAM)
    return play(batch, table, agents, threads=1, keep="winner", **keys)


REFUSED = {
    "return a weapon": (
        [minion("a", on_play("return", "own_weapon")), weapon()],
        "pool: card 'a': effects #1: to",
    ),
    "clone characters that are players": (
        [minion("a", on_play("clone", "players"))],
        "pool: card 'a': effects #1: to",
    ),
    "destroy cards in decks": (
        [spell("a", on_play("destroy", "enemy_deck(secret)"))],
        "pool: card 'a': effects #1: to",
    ),
    "return itself, a spell": (
        [spell("a", on_play("return", "self"))],
        "pool: card 'a': effects #1: to",
    ),
    "transform what begins its turn": (
        [
            minion("a", {"on": "turn_end", "do": "transform", "to": "subject", "cards": ["a"]}),
        ],
        "pool: card 'a': effects #1: to",
    ),
    "an aura on cards in hands": (
        [minion("a", {"on": "aura", "do": "buff", "to": "own_hand", "attack": 1})],
        "pool: card 'a': effects #1: to",
    ),
    "an aura on what came before": (
        [minion("a", {"on": "aura", "do": "buff", "to": "previous", "attack": 1})],
        "pool: card 'a': effects #1: to",
    ),
    "a price of another card": (
        [minion("a", {"on": "own_cost", "do": "cost", "to": "own_hand", "amount": -1})],
        "pool: card 'a': effects #1: on",
    ),
    "choose a thousand times": (
        [spell("a", on_play("choose", repeat=1000))],
        "pool: card 'a': effects #1: repeat",
    ),
    "choose for the enemy": (
        [spell("a", on_play("choose", "enemy_player"))],
        "pool: card 'a': effects #1: to",
    ),
    "luck that decides what is legal": (
        [spell("a", on_play("draw"), needs="coin_flip")],
        "pool: card 'a': needs",
    ),
    "a comparison beyond all numbers": (
        [spell("a", on_play("damage", "minions(attack<=99999)", amount=1))],
        "pool: card 'a': effects #1: to",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_row_that_can_never_work_is_refused(case: str) -> None:
    cards, place = REFUSED[case]
    assert refusal_of(table_of, cards).place == place


BOTH = [minion("a"), minion("b")]
PLAYED = {
    "clones of players": [minion("a", on_play("clone", "characters"))],
    "copies of players": [minion("a", on_play("copy", "characters"))],
    "twenty thousand cards that may be absent": [
        *BOTH,
        spell("c", on_play("summon", absent=True, cards=["a", "b"] * 10_000)),
    ],
    "what came before, whatever it is": [
        minion("a", on_play("return", "previous"), on_play("become", "previous")),
        spell("b", on_play("draw"), on_play("silence", "previous"), on_play("swap", "previous")),
        minion(
            "c", on_play("equip", cards=["blade"]), on_play("transform", "previous", cards=["a"])
        ),
        minion("d", on_play("equip", cards=["blade"]), on_play("steal", "previous")),
        weapon(),
    ],
    "numbers without end": [
        spell("a", on_play("armor", amount=1000, repeat=40), on_play("cost", "hands", amount=1000)),
        spell("b", on_play("cost", "hands", amount=-1000, repeat=40)),
        minion("c", on_play("voice", "minions", amount=1000, repeat=40), spell_damage=1000),
        minion("d", on_play("buff", "minions", attack=-1000, health=-1000, repeat=40), health=9),
        minion(
            "e",
            {
                "on": "aura",
                "do": "buff",
                "to": "characters",
                "attack": 1000,
                "times": "armor of own_player",
            },
        ),
        spell("f", on_play("mana", times="attack of own_minions", amount=1000), overload=1000),
    ],
    "gifts before the mulligan": [
        minion("a", {"on": "game_start", "do": "give", "cards": ["a"]}),
        minion("b", {"on": "game_start", "do": "attach", "to": "own_player", "cards": ["t"]}),
    ],
    "exchanges that another makes": [
        minion("a", on_play("exchange", "own_hand(minion)", pick=1, by="target"), target="minions"),
    ],
    "a choice of two": [spell("a", on_play("choose", amount=3), on_play("choose", amount=3))],
    "a choice of a negative number": [
        spell("a", on_play("choose", amount=3, times="attack of own_minions")),
        minion("b", on_play("buff", "minions", attack=-5)),
    ],
}


@pytest.mark.parametrize("case", PLAYED)
def test_an_unusual_pool_is_played(case: str) -> None:
    outcomes = play_games(table_of(PLAYED[case], [ATTACHMENT]))
    assert (outcomes.wins.sum(axis=1) + outcomes.draws == N_GAMES).all()


COPY_OF_ME = {"on": "deathrattle", "do": "summon", "cards": ["a"]}
FRAIL = {"on": "aura", "do": "buff", "to": "minions", "health": -1}
PAIN = {"on": "damage", "of": "minions", "do": "damage", "to": "minions", "amount": 1}
HEARS = [{"on": "damage", "of": "minions", "do": "armor", "amount": 1}]
NAMED = {
    "hurts when healed, heals when hurt": (
        [
            minion(
                "a",
                {"on": "damage", "do": "heal", "to": "self", "amount": 1},
                {"on": "heal", "of": "self", "do": "damage", "to": "self", "amount": 1},
                health=30,
            ),
            spell("b", on_play("damage", "minions", amount=1)),
        ],
        "card 'a'",
    ),
    "comes back as often as it dies": (
        [minion("a", COPY_OF_ME, health=1), minion("b", FRAIL, health=9)],
        "card 'a'",
    ),
    "gives itself for nothing": (
        [spell("a", on_play("give", cards=["a"]))],
        "card 'a'",
    ),
    "all hurt all": (
        [minion("a", PAIN, health=1000), spell("b", on_play("damage", "minions", amount=1))],
        "card 'a'",
    ),
    "a thousand weapons at once": (
        [minion("a", on_play("equip", repeat=1000, cards=["blade"])), weapon()],
        "card 'a'",
    ),
    "a thousand attachments": (
        [minion("a", on_play("attach", "self", repeat=1000, cards=["t"]))],
        "card 'a'",
    ),
    "heard in too many rows": (
        [minion("a", *HEARS * 6, health=15), spell("b", on_play("damage", "minions", amount=1))],
        "card 'b'",
    ),
    "heard too often": (
        [
            minion("a", *HEARS, health=15),
            spell("b", on_play("damage", "minions", amount=1, repeat=200)),
        ],
        "card 'b'",
    ),
}


@pytest.mark.parametrize("case", NAMED)
def test_a_card_without_end_or_space_is_named(case: str) -> None:
    cards, place = NAMED[case]
    table = table_of(cards, [ATTACHMENT])
    with refused() as refusal:
        play_games(table)
    assert isinstance(refusal.error, CardFault)
    assert refusal.error.place == place


def test_games_of_a_faulty_variant_do_not_count_and_the_others_do() -> None:
    table = table_of([spell("a", on_play("give", cards=["a"])), minion("b")])
    table = table.vary([Gene(0, "cost")], np.array([[0], [1]]))
    with pytest.raises(CardFault):
        play_games(table, variants=(0, 1))
    outcomes = play_games(table, variants=(0, 1), faults="keep")
    assert outcomes.faults.keys() == {0}
    results = kept(outcomes.winners).reshape(2, -1)
    assert (results[0] == at.FAULTED).all()
    assert not outcomes.totals[0].any()
    assert (results[1] == kept(play_games(table, variants=(1, 1)).winners).reshape(2, -1)[1]).all()


def state_after(table: Table, n_plays: int) -> np.ndarray:
    """Return a game in which seat 0 has played its oldest card `n_plays` times."""
    state = begin(table, np.stack([deck_row([0] * 30)] * 2), seed=1)
    for _ in range(n_plays):
        perform(state, table.words[0], at.PLAY + at.AT_NOBODY)
    return state


def test_numbers_stay_within_their_limits() -> None:
    arms = [
        on_play("armor", amount=1000, repeat=40),
        on_play("cost", "hands", amount=1000, repeat=40),
    ]
    state = state_after(table_of([spell("a", *arms)], mulligan=False), 1)
    assert state[at.SEATS + at.ARMOR] == at.NUMBER_MAX
    assert state[state[at.SEATS + at.HAND + 1] + at.COST] == at.NUMBER_MAX


@pytest.mark.parametrize(("budget", "repeat"), [("steps_per_action", 48), ("actions_per_turn", 1)])
def test_budgets_are_the_rulesets(budget: str, repeat: int) -> None:
    gift = on_play("give", cards=["a"])
    storm = on_play("damage", "players", amount=1, repeat=repeat)
    table = table_of([spell("a", storm, gift)], mulligan=False, life=1000, **{budget: 200})
    n_plays = 200 if budget == "actions_per_turn" else 1
    assert state_after(table, n_plays)[at.RESULT] == at.RUNNING
    longer = table_of([spell("a", storm, storm, gift)], mulligan=False, life=1000, **{budget: 200})
    beyond = state_after(longer, n_plays + (budget == "actions_per_turn"))
    assert beyond[at.RESULT] == at.FAULTED
    fault = fault_of_state(beyond, longer, 7)
    assert (fault.card, fault.turn, fault.game_seed) == ("card 'a'", 1, 7)
    assert budget in fault.what
