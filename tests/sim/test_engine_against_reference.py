"""Under any rules, with any cards and any decks, the engine plays as the plain reference does."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import Card, Pool
from sim.cards.effect import Effect, Token
from sim.play.table import pack_table
from sim.ruleset import BOARD_CAPACITY, HAND_CAPACITY, Limits, Ruleset
from tests.duels import AGENT_NAMES, play_singly, reference_singly, row_of

LIMITS = Limits(cost=(0, 8), attack=(0, 6), health=(1, 6))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    hand_limit = draw(st.integers(1, HAND_CAPACITY))
    opening = st.integers(0, min(hand_limit, 6))
    return Ruleset(
        name="any",
        life=draw(st.integers(1, 25)),
        hand_limit=hand_limit,
        board_limit=draw(st.integers(1, BOARD_CAPACITY)),
        deck_limit=60,
        copy_limit=60,
        mana_max=draw(st.integers(1, 10)),
        opening_hand=(draw(opening), draw(opening)),
        skip_first_draw=draw(st.booleans()),
        deck_out=draw(st.sampled_from(["lose", "fatigue"])),
        turn_cap=draw(st.integers(1, 60)),
        extra_life_second=draw(st.sampled_from([0, 1, 2, 5, 12])),
        extra_mana_second=draw(st.sampled_from([0, 1, 2, 5])),
        limits=LIMITS,
    )


keywords = st.sampled_from([(), ("haste",)])
tokens = st.builds(Token, attack=st.integers(0, 6), health=st.integers(1, 6), keywords=keywords)


@st.composite
def effects(draw: st.DrawFn) -> Effect:
    action = draw(st.sampled_from(["damage", "heal", "draw", "summon"]))
    return Effect(
        on="play",
        do=action,
        to=draw(st.sampled_from(["own_player", "enemy_player"])),
        amount=draw(st.integers(1, 4)),
        token=draw(tokens) if action == "summon" else None,
    )


@st.composite
def plain_pools(draw: st.DrawFn) -> Pool:
    """Draw a pool of cards with any numbers and any effects that the reference knows."""
    return Pool(
        name="any",
        cards=tuple(
            Card(
                id=f"card_{number}",
                name=f"Card {number}",
                cost=draw(st.integers(0, 8)),
                attack=draw(st.integers(0, 6)),
                health=draw(st.integers(1, 6)),
                keywords=draw(keywords),
                effects=tuple(draw(st.lists(effects(), max_size=3))),
            )
            for number in range(draw(st.integers(1, 6)))
        ),
    )


def decks(pool: Pool) -> st.SearchStrategy[list[int | None]]:
    """Return decks of any cards in any order: empty, one card, only blanks, or many of each."""
    cards = st.integers(0, len(pool.cards) - 1)
    mixed = st.lists(st.one_of(cards, cards, cards, st.none()), max_size=40)
    of_one_card = st.builds(lambda card, n: [card] * n, cards, st.integers(1, 40))
    return st.one_of(mixed, of_one_card)


pilots = st.tuples(st.sampled_from(AGENT_NAMES), st.sampled_from(AGENT_NAMES))


@settings(max_examples=150)
@given(st.data(), rulesets(), plain_pools(), pilots, st.integers(0, 2**63 - 1))
def test_any_game_is_played_as_in_the_reference(
    data: st.DataObject, ruleset: Ruleset, pool: Pool, agents: tuple[str, str], run_seed: int
) -> None:
    rows = np.stack([row_of(data.draw(decks(pool))) for _ in range(2)])
    table = pack_table(pool, ruleset)
    played = play_singly(table, rows, agents, 4, run_seed=run_seed)
    assert played == reference_singly(table, rows, agents, 4, run_seed=run_seed)
