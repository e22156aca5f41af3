"""One game, one action at a time, from Python: for playthroughs, environments and tests.

The functions take a state and one table as int16 vectors and run the same code that
`kernel.play_games` runs in its loop.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.engine.addresses import bytes_at, call_policy, call_rule, floats_at, words_at
from sim.engine.compiled import Block, ByteBlock, FloatBlock, compiled, i64, none, u64
from sim.engine.kernel import prepare
from sim.engine.layout import GENERAL, LISTED, LISTED_ACTION, LISTED_SIZE, REFRESH, STATE_SIZE
from sim.engine.listing import list_actions
from sim.engine.rules import act, deal, is_legal, seed_streams
from sim.engine.streams import load64
from sim.engine.viewing import from_engine, mark, see, to_engine
from sim.engine.zones import make_record

Words16 = npt.NDArray[np.int16]


def new_state() -> Words16:
    """Return ``[STATE_SIZE]`` zero words with space for one game."""
    return np.zeros(STATE_SIZE, dtype=np.int16)


@compiled(none(Block, Block, Block, i64, i64, u64), from_python=True)
def begin_game(
    state: Words16, table: Words16, decks: Words16, first: int, second: int, game_seed: int
) -> None:
    """Start a game: deal both opening hands and begin the first turn.

    Args:
        state: ``[STATE_SIZE]`` words of the game, overwritten.
        table: ``[size]`` card table of one variant.
        decks: ``[D * DECK_ROW_SIZE]`` deck rows (`sim.play.batch.deck_row`), one after the other.
        first: index of seat 0's deck.
        second: index of seat 1's deck.
        game_seed: seed of the game, see `sim.seeds.game_seed`.
    """
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    prepare(words, numbers, words_at(decks, 0), first, second)
    deal(words, numbers, game_seed)


@compiled(none(Block, Block, Block, i64, i64, u64), from_python=True)
def prepare_game(
    state: Words16, table: Words16, decks: Words16, first: int, second: int, game_seed: int
) -> None:
    """Prepare a game without dealing, for a position that is set up by hand.

    Args:
        state: ``[STATE_SIZE]`` words of the game, overwritten.
        table: ``[size]`` card table of one variant.
        decks: ``[D * DECK_ROW_SIZE]`` deck rows, one after the other.
        first: index of seat 0's deck.
        second: index of seat 1's deck.
        game_seed: seed of the game, see `sim.seeds.game_seed`.
    """
    words = words_at(state, 0)
    prepare(words, words_at(table, 0), words_at(decks, 0), first, second)
    seed_streams(words, game_seed)


@compiled(i64(Block, Block, i64, i64, i64), from_python=True)
def make_card(state: Words16, table: Words16, card: int, slot: int, seat: int) -> int:
    """Make a fresh record of `card` that lies in no zone yet; returns its offset in the state."""
    return make_record(words_at(state, 0), words_at(table, 0), card, slot, seat)


@compiled(none(Block, Block), from_python=True)
def refresh_position(state: Words16, table: Words16) -> None:
    """Update auras, costs and readiness of a position that was set up by hand."""
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    if words[GENERAL]:
        call_rule(load64(numbers, REFRESH), words, numbers, 0)


@compiled(i64(Block, Block, i64), from_python=True)
def ask_agent(state: Words16, table: Words16, address: int) -> int:
    """Return the action that the agent at `address` chooses for the active seat."""
    return call_policy(address, words_at(state, 0), words_at(table, 0))


@compiled(i64(Block, Block, i64), from_python=True)
def may_act(state: Words16, table: Words16, action: int) -> bool:
    """Return whether the active seat may take `action` now."""
    return is_legal(words_at(state, 0), words_at(table, 0), action)


@compiled(i64(Block, Block), from_python=True)
def _list(state: Words16, table: Words16) -> int:
    """List the legal actions in the state's work area; returns their number."""
    return list_actions(words_at(state, 0), words_at(table, 0))


def legal_actions(state: Words16, table: Words16) -> list[int]:
    """Return all legal actions of the active seat, in the order of `sim.engine.listing`.

    A minion may also be played at another place than the right end; those actions are not listed.
    """
    n_listed = _list(state, table)
    entries = state[LISTED : LISTED + n_listed * LISTED_SIZE].reshape(n_listed, LISTED_SIZE)
    low_words = entries[:, LISTED_ACTION].tolist()
    high_words = entries[:, LISTED_ACTION + 1].tolist()
    return [(high << 16) | (low & 0xFFFF) for low, high in zip(low_words, high_words, strict=True)]


@compiled(none(Block, Block, i64), from_python=True)
def perform(state: Words16, table: Words16, action: int) -> None:
    """Carry out one action of the active seat."""
    act(words_at(state, 0), words_at(table, 0), action)


@compiled(i64(Block, Block, Block, FloatBlock, ByteBlock), from_python=True)
def look_through(
    state: Words16,
    table: Words16,
    view: Words16,
    values: npt.NDArray[np.float32],
    mask: npt.NDArray[np.uint8],
) -> int:
    """Write the observation and the legal actions of the active seat; returns how many are legal.

    Args:
        state: a game of cards that the view can express; its work area may be overwritten.
        table: ``[size]`` card table of one variant.
        view: words of the view (`sim.observation.view.View`).
        values: ``[n_values]`` observation, overwritten.
        mask: ``[n_actions]`` 1 for each legal action, else 0; overwritten.
    """
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    seen_by = words_at(view, 0)
    see(words, numbers, seen_by, floats_at(values, 0))
    return mark(words, numbers, seen_by, bytes_at(mask, 0))


@compiled(i64(Block, Block, i64), from_python=True)
def action_to_engine(table: Words16, view: Words16, action: int) -> int:
    """Return the engine's number of an action of the view; other numbers become illegal actions."""
    return to_engine(words_at(table, 0), words_at(view, 0), action)


@compiled(i64(Block, Block, i64), from_python=True)
def action_from_engine(table: Words16, view: Words16, action: int) -> int:
    """Return the view's number of an action of the engine."""
    return from_engine(words_at(table, 0), words_at(view, 0), action)
