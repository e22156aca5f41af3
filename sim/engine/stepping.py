"""One game, one action at a time, from Python: for playthroughs, environments and tests.

The functions take a state and one table as int16 vectors and run the very code that
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
    """``[STATE_SIZE]`` words with room for one game."""
    return np.zeros(STATE_SIZE, dtype=np.int16)


@compiled(none(Block, Block, Block, i64, i64, u64), from_python=True)
def begin_game(
    state: Words16, table: Words16, decks: Words16, first: int, second: int, game_seed: int
) -> None:
    """Start a game: both opening hands dealt, the first turn begun.

    Args:
        state: ``[STATE_SIZE]`` overwritten.
        table: ``[size]`` numbers of one variant.
        decks: ``[D * DECK_ROW_SIZE]`` deck rows (`sim.play.batch.deck_row`), one after the other.
        first: deck of seat 0.
        second: deck of seat 1.
        game_seed: see `sim.seeds.game_seed`.
    """
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    prepare(words, numbers, words_at(decks, 0), first, second)
    deal(words, numbers, game_seed)


@compiled(none(Block, Block, Block, i64, i64, u64), from_python=True)
def prepare_game(
    state: Words16, table: Words16, decks: Words16, first: int, second: int, game_seed: int
) -> None:
    """As `begin_game`, but nothing is dealt: for positions that are written by hand."""
    words = words_at(state, 0)
    prepare(words, words_at(table, 0), words_at(decks, 0), first, second)
    seed_streams(words, game_seed)


@compiled(i64(Block, Block, i64, i64, i64), from_python=True)
def make_card(state: Words16, table: Words16, card: int, slot: int, seat: int) -> int:
    """A fresh record of `card`, in no zone yet; where it lies in the state."""
    return make_record(words_at(state, 0), words_at(table, 0), card, slot, seat)


@compiled(none(Block, Block), from_python=True)
def refresh_position(state: Words16, table: Words16) -> None:
    """Bring auras, costs and readiness of a position that was written by hand up to date."""
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    if words[GENERAL]:
        call_rule(load64(numbers, REFRESH), words, numbers, 0)


@compiled(i64(Block, Block, i64), from_python=True)
def ask_agent(state: Words16, table: Words16, address: int) -> int:
    """The action that the agent at `address` chooses for the seat to move."""
    return call_policy(address, words_at(state, 0), words_at(table, 0))


@compiled(i64(Block, Block, i64), from_python=True)
def may_act(state: Words16, table: Words16, action: int) -> bool:
    """Whether the seat to move may take `action` now."""
    return is_legal(words_at(state, 0), words_at(table, 0), action)


@compiled(i64(Block, Block), from_python=True)
def _list(state: Words16, table: Words16) -> int:
    return list_actions(words_at(state, 0), words_at(table, 0))


def legal_actions(state: Words16, table: Words16) -> list[int]:
    """All that the seat to move may do, in the order of `sim.engine.listing`.

    A minion may also be played at another place than the right end, which is not listed.
    """
    n_listed = _list(state, table)
    entries = state[LISTED : LISTED + n_listed * LISTED_SIZE].reshape(n_listed, LISTED_SIZE)
    low = entries[:, LISTED_ACTION].tolist()
    high = entries[:, LISTED_ACTION + 1].tolist()
    return [(b << 16) | (a & 0xFFFF) for a, b in zip(low, high, strict=True)]


@compiled(none(Block, Block, i64), from_python=True)
def perform(state: Words16, table: Words16, action: int) -> None:
    """Carry out one action of the seat to move."""
    act(words_at(state, 0), words_at(table, 0), action)


@compiled(i64(Block, Block, Block, FloatBlock, ByteBlock), from_python=True)
def look_through(
    state: Words16,
    table: Words16,
    view: Words16,
    values: npt.NDArray[np.float32],
    mask: npt.NDArray[np.uint8],
) -> int:
    """Write what the seat to move sees and may do; returns how many actions are legal.

    Args:
        state: a game whose cards the view can express; its work area may be used.
        table: ``[size]`` numbers of one variant.
        view: words of the view (`sim.observation.view.View`).
        values: ``[n_values]`` overwritten.
        mask: ``[n_actions]`` overwritten.
    """
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    seen_by = words_at(view, 0)
    see(words, numbers, seen_by, floats_at(values, 0))
    return mark(words, numbers, seen_by, bytes_at(mask, 0))


@compiled(i64(Block, Block, i64), from_python=True)
def action_to_engine(table: Words16, view: Words16, action: int) -> int:
    """The engine's number of an action of the view; any other number stays an illegal action."""
    return to_engine(words_at(table, 0), words_at(view, 0), action)


@compiled(i64(Block, Block, i64), from_python=True)
def action_from_engine(table: Words16, view: Words16, action: int) -> int:
    """The view's number of an engine's action."""
    return from_engine(words_at(table, 0), words_at(view, 0), action)
