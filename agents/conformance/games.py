"""Games in which the conformance suites test an agent: shipped decks under several rulesets.

`exchange_hidden` replaces information that is hidden from a seat by other possible information, so
that a test can check that the agent's choice does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from agents.registry import compiled_agent_named
from sim import DECK_CAPACITY, game_seed, load_deck, load_pool, load_ruleset, stream_seed
from sim.engine import layout as at
from sim.engine.stepping import (
    Words16,
    ask_agent,
    begin_game,
    may_act,
    new_state,
    perform,
    refresh_position,
)
from sim.play import Batch, CompiledAgent, Table, pack_table, row_of_deck

_SOURCES = {
    "duel": ("core", "duel", "ember_rush tide_keep grove_march spore_swarm", 12, 60),
    "saga": ("saga", "legacy", "saga_ember saga_tide saga_grove saga_spore", 4, 12),
    "legacy": (
        *("hearthstone", "legacy"),
        "legacy_hunter legacy_mage legacy_rogue legacy_warlock legacy_shaman legacy_paladin",
        *(6, 12),
    ),
}
"""Pool, ruleset, deck names, number of games to step through, and number of games per pair of
seats, by name of the source. The numbers were chosen by hand so that the suite of a search agent
ends within seconds; games of the duel are short, so there are more of them.
"""
SOURCES = tuple(_SOURCES)
# Word of a card's record in the state, and the word of the card's table row that sets it when the
# card is dealt.
_PRINTED = {
    at.COST: at.CARD_COST,
    at.ATTACK: at.CARD_ATTACK,
    at.HEALTH: at.CARD_HEALTH,
    at.MAX_HEALTH: at.CARD_HEALTH,
    at.KEYWORDS: at.CARD_KEYWORDS,
    at.OWN_KEYWORDS: at.CARD_KEYWORDS,
}


@dataclass(frozen=True)
class Games:
    """Source of positions for the suites: at least two decks, and numbers of games for the tests.

    Attributes:
        table: table with the numbers of the cards and rules.
        decks: rows of the decks, shape ``[D, DECK_ROW_SIZE]``.
        n_games: number of games to step through, for checks that are made at every decision.
        n_batch: number of games of each pair of seats in a batch.
    """

    table: Table
    decks: Words16
    n_games: int
    n_batch: int
    _seats: dict[CompiledAgent, CompiledAgent] = field(init=False, default_factory=dict)

    @property
    def numbers(self) -> Words16:
        """Engine words of the table's first variant."""
        return np.asarray(self.table.words[0])

    def ask(self, agent: CompiledAgent, state: Words16, numbers: Words16 | None = None) -> int:
        """Return the action that an agent chooses in a position.

        Args:
            agent: agent that chooses.
            state: words of the position.
            numbers: words of the table; by default those of the first variant.
        """
        numbers = self.numbers if numbers is None else numbers
        if agent not in self._seats:
            self._seats[agent] = agent.seated(self.table, lambda: self.decks)
        address = self._seats[agent].address(general=bool(state[at.GENERAL]))
        return ask_agent(state, numbers, address)

    def batch(self) -> Batch:
        """Return a batch of games in five pairs of seats, on one random stream.

        Players 0 and 1 are meant for the tested agent. They play against each other and against
        players 2 and 3, and player 1 also plays against itself.
        """
        seats = np.array([[0, 1], [0, 2], [3, 1], [2, 0], [1, 1]])
        n_games = np.full(len(seats), self.n_batch)
        none = np.zeros(len(seats), dtype=np.int64)
        return Batch(self.decks[:4], none, seats, n_games, none, stream_seed(1, "conformance"))


@cache
def games_of(source: str) -> Games:
    """Return the games of a source.

    Args:
        source: name of the source, one of `SOURCES`. The source `legacy` has real cards and needs
            the package `hearthstone_data`.
    """
    pool_name, ruleset, decks, n_games, n_batch = _SOURCES[source]
    pool = load_pool(pool_name)
    rows = np.stack([row_of_deck(load_deck(name), pool) for name in decks.split()])
    return Games(pack_table(pool, load_ruleset(ruleset)), rows, n_games, n_batch)


@dataclass(frozen=True)
class Position:
    """Position in which the tested agent is to move, and its action.

    Attributes:
        state: words of the position.
        action: number of the action that the agent chose.
    """

    state: Words16
    action: int


def positions(agent: CompiledAgent, games: Games, n_games: int) -> Iterator[Position]:
    """Yield all positions in which an agent moves, in games against random play.

    The agent has the first seat, the second seat and both seats in turn, with different decks.

    Args:
        agent: agent to test.
        games: source of the decks and the table.
        n_games: number of games to play.

    Raises:
        AssertionError: an action is illegal.
    """
    enemy = compiled_agent_named("random")
    for index in range(n_games):
        seats = [(agent, enemy), (enemy, agent), (agent, agent)][index % 3]
        state = new_state()
        decks = np.roll(games.decks, index, axis=0)[:2].ravel()
        begin_game(state, games.numbers, decks, 0, 1, game_seed(1, "conformance", index))
        while state[at.RESULT] == at.RUNNING:
            mover = seats[state[at.ACTIVE]]
            action = games.ask(mover, state)
            if mover is agent:
                yield Position(state.copy(), action)
            legal = may_act(state, games.numbers, action)
            assert legal, f"agent {mover.name} chose an illegal action"
            perform(state, games.numbers, action)


# --- exchange of hidden information ---


def exchange_hidden(state: Words16, table: Words16, rng: np.random.Generator) -> Words16:
    """Return a random state that the seat to move cannot distinguish from `state`.

    The cards that the enemy drew are shuffled together with its deck and dealt again; the other
    cards of its hand stay. The own deck is shuffled. Later draws, random effects and choices of the
    enemy use different random streams.

    Args:
        state: words of the position, which is not changed; the decks must contain no blank cards.
        table: words of the table.
        rng: generator of the random choices, which is advanced.
    """
    other = state.copy()
    own = at.SEATS + at.SEAT_SIZE * int(state[at.ACTIVE])
    enemy = at.SEATS + at.SEAT_SIZE * (1 - int(state[at.ACTIVE]))
    rng.shuffle(other[own + at.DECK + 1 :][: other[own + at.DECK]])
    _deal_anew(other, table, 1 - int(state[at.ACTIVE]), rng)
    hidden = [
        block + stream for block in (own, enemy) for stream in (at.DRAW_STREAM, at.EFFECT_STREAM)
    ]
    for stream in (*hidden, enemy + at.AGENT_STREAM):
        other[stream : stream + 4] = rng.integers(-(2**15), 2**15, size=4)
    refresh_position(other, table)
    return other


def drawn_records(state: Words16, seat: int) -> Words16:
    """Return the addresses of the records of a hand's cards that were drawn from the deck.

    All other cards of the hand are known to both players, because an effect gave them.

    Args:
        state: words of the position.
        seat: seat of the hand, 0 or 1.
    """
    block = at.SEATS + at.SEAT_SIZE * seat
    records = state[block + at.HAND + 1 :][: state[block + at.HAND]]
    taken = set(state[block + at.DECK + 1 :][: state[block + at.DECK]].tolist())
    drawn = []
    for record in records:
        slot = int(state[record + at.SLOT])
        if slot >= DECK_CAPACITY or slot in taken:
            continue
        if state[record + at.CARD] == state[block + at.CARD_OF_SLOT + slot]:
            taken.add(slot)
            drawn.append(record)
    return np.array(drawn, dtype=np.int16)


def _deal_anew(state: Words16, table: Words16, seat: int, rng: np.random.Generator) -> None:
    """Exchange the drawn cards of a hand and the cards of its deck at random.

    Args:
        state: words of the position, which are changed in place.
        table: words of the table.
        seat: seat of the hand and the deck, 0 or 1.
        rng: generator of the random choices, which is advanced.
    """
    block = at.SEATS + at.SEAT_SIZE * seat
    records = drawn_records(state, seat)
    deck = state[block + at.DECK + 1 :][: state[block + at.DECK]]
    marks = state[at.SEEN + DECK_CAPACITY * seat :][:DECK_CAPACITY]
    old_slots = np.concatenate([state[records + at.SLOT], deck])
    slots = rng.permutation(old_slots)
    marks[slots] = marks[old_slots]  # a slot's mark must follow its card
    deck[:] = slots[len(records) :]
    for record, slot in zip(records, slots, strict=False):
        card = state[block + at.CARD_OF_SLOT + slot]
        row = at.CARDS + at.CARD_SIZE * card
        state[record + at.SLOT] = slot
        state[record + at.CARD] = card
        state[at.HEARD] |= table[row + at.CARD_EVENTS]
        for own, printed in _PRINTED.items():
            state[record + own] = table[row + printed]
        state[record + at.COST] = max(state[record + at.COST] + state[record + at.COST_CHANGE], 0)
