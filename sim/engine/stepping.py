"""Play of one game, one action at a time, from Python: for playthroughs, environments and tests.

The functions take a state and the card table of one variant as int16 vectors. They run the same
code that `kernel.play_games` runs in its loop.
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
    """Return words with space for the state of one game, all zero, shape ``[STATE_SIZE]``."""
    return np.zeros(STATE_SIZE, dtype=np.int16)


@compiled(none(Block, Block, Block, i64, i64, u64), from_python=True)
def begin_game(
    state: Words16, table: Words16, decks: Words16, first: int, second: int, game_seed: int
) -> None:
    """Start a game: deal both opening hands and begin the first turn.

    Args:
        state: words of the game, overwritten, shape ``[STATE_SIZE]``.
        table: card table of one variant, shape ``[size]``.
        decks: deck rows (`sim.play.batch.deck_row`), one after the other, shape
            ``[D * DECK_ROW_SIZE]``.
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
    """Prepare a game without dealing any card, as the basis of a position that the caller sets up.

    Args:
        state: words of the game, overwritten, shape ``[STATE_SIZE]``.
        table: card table of one variant, shape ``[size]``.
        decks: deck rows, one after the other, shape ``[D * DECK_ROW_SIZE]``.
        first: index of seat 0's deck.
        second: index of seat 1's deck.
        game_seed: seed of the game, see `sim.seeds.game_seed`.
    """
    words = words_at(state, 0)
    prepare(words, words_at(table, 0), words_at(decks, 0), first, second)
    seed_streams(words, game_seed)


@compiled(i64(Block, Block, i64, i64, i64), from_python=True)
def make_card(state: Words16, table: Words16, card: int, slot: int, seat: int) -> int:
    """Make a new record of `card` that is not in a zone yet, and return its offset in the state.

    If no record is free, the game is stopped as a fault and the spare record's offset is returned.

    Args:
        state: words of a game.
        table: card table of its variant.
        card: index of the card in the pool.
        slot: deck slot from which the card comes.
        seat: seat of the owner.
    """
    return make_record(words_at(state, 0), words_at(table, 0), card, slot, seat)


@compiled(none(Block, Block), from_python=True)
def refresh_position(state: Words16, table: Words16) -> None:
    """Update auras, costs and readiness of a position that the caller has set up.

    In plain games this does nothing, since their effects give no auras.
    """
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
    """Write the legal actions of the active seat to the work area and return their number."""
    return list_actions(words_at(state, 0), words_at(table, 0))


def legal_actions(state: Words16, table: Words16) -> list[int]:
    """Return all legal actions of the active seat, in the order of `sim.engine.listing`.

    A minion may also be played at a place other than the right end of the board; those actions are
    not in the list.
    """
    n_listed = _list(state, table)
    entries = state[LISTED : LISTED + n_listed * LISTED_SIZE].reshape(n_listed, LISTED_SIZE)
    low_words = entries[:, LISTED_ACTION].tolist()
    high_words = entries[:, LISTED_ACTION + 1].tolist()
    return [(high << 16) | (low & 0xFFFF) for low, high in zip(low_words, high_words, strict=True)]


@compiled(none(Block, Block, i64), from_python=True)
def perform(state: Words16, table: Words16, action: int) -> None:
    """Carry out one action of the active seat; an illegal action ends its turn instead."""
    act(words_at(state, 0), words_at(table, 0), action)


@compiled(i64(Block, Block, Block, FloatBlock, ByteBlock), from_python=True)
def look_through(
    state: Words16,
    table: Words16,
    view: Words16,
    values: npt.NDArray[np.float32],
    mask: npt.NDArray[np.uint8],
) -> int:
    """Write the observation and the legal actions of the active seat, and count these actions.

    Args:
        state: words of a game of cards that the view can express; its work area may be overwritten.
        table: card table of one variant, shape ``[size]``.
        view: words of the view (`sim.observation.view.View`).
        values: the observation, overwritten, shape ``[n_values]``.
        mask: 1 for each legal action, else 0, overwritten, shape ``[n_actions]``.

    Returns:
        Number of legal actions.
    """
    words = words_at(state, 0)
    numbers = words_at(table, 0)
    seen_by = words_at(view, 0)
    see(words, numbers, seen_by, floats_at(values, 0))
    return mark(words, numbers, seen_by, bytes_at(mask, 0))


@compiled(i64(Block, Block, i64), from_python=True)
def action_to_engine(table: Words16, view: Words16, action: int) -> int:
    """Return the engine's number of an action of the view; other numbers give an illegal action."""
    return to_engine(words_at(table, 0), words_at(view, 0), action)


@compiled(i64(Block, Block, i64), from_python=True)
def action_from_engine(table: Words16, view: Words16, action: int) -> int:
    """Return the view's number of an engine's action; out of range for some illegal actions."""
    return from_engine(words_at(table, 0), words_at(view, 0), action)
