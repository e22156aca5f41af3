"""Outcomes of a batch: counts per row, and readable descriptions of card faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from sim.arguments import Arguments
from sim.engine import layout as at
from sim.errors import CardFault
from sim.play.table import Table

Words16 = npt.NDArray[np.int16]


DRAWN = at.DRAWN
"""The result of a drawn game in `Outcomes.winners`."""

_SEAT = Arguments(seat=Literal[0, 1])

Counts = npt.NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Outcomes:
    """Counts and sums over the games of each of the ``R`` rows of a batch.

    Attributes:
        n_games: ``[R]`` number of games played.
        totals: ``[R, N_TOTALS]`` wins by seat, draws, sums of turns, actions and final life.
        turns: ``[R, TURN_BINS]`` number of games by number of turns.
        seen: ``[R, seat, result, slot, code]`` number of games by result and by what happened to
            the card in a deck slot (bits: drawn in the opening hand, drawn later, played), or
            `None` if not kept.
        chosen: ``[R, seat, n_actions]`` how often each action was chosen, by its number in the
            table's view (`sim.observation.view`), or `None` if not kept.
        winners: ``[G]`` int8 result of each game, row after row: the seat that won, 2 for a draw,
            3 for a game of a faulty row; or `None` if not kept.
        faults: by row, the fault that stopped the first of the row's stopped games. All counts of
            such a row are zero, and the result of all its games is 3.
    """

    n_games: Counts
    totals: Counts
    turns: Counts
    seen: Counts | None
    chosen: Counts | None
    winners: npt.NDArray[np.int8] | None
    faults: dict[int, CardFault] = field(default_factory=dict)

    @property
    def wins(self) -> Counts:
        """``[R, 2]`` number of games won by each seat."""
        return self.totals[:, [at.WINS_FIRST, at.WINS_SECOND]]

    @property
    def draws(self) -> Counts:
        """``[R]`` number of drawn games."""
        return self.totals[:, at.DRAWS]

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """``[R, 2]`` points of each seat: 1 for a win and 0.5 for a draw."""
        return self.wins + 0.5 * self.draws[:, np.newaxis]

    @property
    def sum_life(self) -> Counts:
        """``[R, 2]`` final life of each seat, summed over games."""
        return self.totals[:, [at.SUM_LIFE_FIRST, at.SUM_LIFE_SECOND]]


def kept(counts: npt.NDArray[Scalar] | None) -> npt.NDArray[Scalar]:
    """Return counts that `play` was asked to keep.

    Raises:
        ValueError: the counts are `None`, since `play` was not asked to keep them.
    """
    if counts is None:
        raise ValueError("these counts were not kept; ask for them with `keep`")
    return counts


def median_turns(turns: Counts) -> float:
    """Return the median game length from a histogram.

    Args:
        turns: ``[..., TURN_BINS]`` number of games by number of turns; leading axes are summed.
    """
    below = np.cumsum(turns.reshape(-1, turns.shape[-1]).sum(axis=0))
    n = int(below[-1])
    low, high = np.searchsorted(below, [(n + 1) // 2, n // 2 + 1])
    return float(low + high) / 2


@dataclass(frozen=True)
class SlotCounts:
    """Number of games in which the card of a slot was drawn or played, and the points won there.

    Attributes:
        drawn_opening: ``[..., slot]`` games with the card in the opening hand.
        drawn_later: ``[..., slot]`` games in which the card was drawn later.
        played: ``[..., slot]`` games in which the card was played.
        points_when_drawn: ``[..., slot]`` points from games in which the card was drawn; a win
            counts 1 and a draw 0.5.
        points_when_played: ``[..., slot]`` points from games in which the card was played.
    """

    drawn_opening: Counts
    drawn_later: Counts
    played: Counts
    points_when_drawn: npt.NDArray[np.float64]
    points_when_played: npt.NDArray[np.float64]


def slot_counts(seen: Counts, seat: int) -> SlotCounts:
    """Add up the counts of what happened to the card of each deck slot, for one seat.

    Args:
        seen: ``[..., seat, result, slot, code]`` counts (`Outcomes.seen`).
        seat: the seat to count for, 0 or 1.

    Raises:
        InputError: there is no such seat.
    """
    seat = int(_SEAT.check("slot_counts()", {"seat": seat})["seat"])
    of_seat = seen[..., seat, :, :, :]
    points_of_result = np.full(of_seat.shape[-3], 0.0)
    points_of_result[seat] = 1.0
    points_of_result[at.DRAWN] = 0.5
    codes = np.arange(of_seat.shape[-1])

    def games(mask: int) -> Counts:
        """Return the number of games in which a bit of `mask` is set, by slot."""
        return np.asarray(of_seat[..., (codes & mask) > 0].sum(axis=(-1, -3)))

    def points(mask: int) -> npt.NDArray[np.float64]:
        """Return the points of the games in which a bit of `mask` is set, by slot."""
        by_result = of_seat[..., (codes & mask) > 0].sum(axis=-1)
        return np.asarray(np.einsum("...rs,r->...s", by_result, points_of_result))

    return SlotCounts(
        drawn_opening=games(at.SEEN_OPENING),
        drawn_later=games(at.SEEN_LATER),
        played=games(at.SEEN_PLAYED),
        points_when_drawn=points(at.SEEN_OPENING | at.SEEN_LATER),
        points_when_played=points(at.SEEN_PLAYED),
    )


# --- card faults ---


def is_faulty(state: Words16) -> bool:
    """Return whether a card fault has stopped the game of a state."""
    return bool(state[at.RESULT] == at.FAULTED)


def fault_of_state(state: Words16, table: Table, game_seed: int, variant: int = 0) -> CardFault:
    """Return the card fault that stopped the game of a state (`is_faulty`).

    Args:
        state: the state of the stopped game.
        table: the card table of all variants.
        game_seed: seed of the game.
        variant: row of the card table.
    """
    reason = int(state[at.FAULT])
    row = int(state[at.ROW_AT_WORK])
    played = int(state[at.LAST_PLAYED])
    return fault_of(
        table, reason, row, played, turn=int(state[at.TURN]), game_seed=game_seed, variant=variant
    )


def fault_of(
    table: Table, reason: int, row: int, played: int, *, turn: int, game_seed: int, variant: int
) -> CardFault:
    """Return the error that describes why the effects of a card stopped a game.

    Args:
        table: the card table of all variants.
        reason: FAULT_* bits of `sim.engine.layout`.
        row: offset in the table of the effect row that was being carried out, 0 for none.
        played: 1 plus the number of the card that was played last, 0 for none.
        turn: turn of the game.
        game_seed: seed of the game.
        variant: row of the card table.
    """
    rules = table.ruleset
    causes = {
        at.FAULT_STEPS: f"its texts never end: more than {rules.steps_per_action} steps_per_action",
        at.FAULT_TURN: f"its turn never ends: more than {rules.actions_per_turn} actions_per_turn",
        at.FAULT_QUEUE: "its texts set off more at once than a game has room for",
        at.FAULT_RECORDS: "its texts bring more cards at once than a game has room for",
        at.FAULT_ATTACHED: "its texts attach more than a game has room for",
    }
    problem = next(
        (cause for bit, cause in causes.items() if bit & reason),
        "its texts do more than a game can count",
    )
    return CardFault(_card_at_fault(table, row, played), problem, turn, game_seed, variant)


def _card_at_fault(table: Table, row: int, played: int) -> str:
    """Return the card that owns the effect row, or else the card that was played last."""
    cards = table.pool.everything
    for number, card in enumerate(cards):
        offset = at.CARDS + at.CARD_SIZE * number
        first, n_rows = (
            int(table.words[0, offset + word]) for word in (at.CARD_ROWS, at.CARD_N_ROWS)
        )
        if first <= row < first + at.ROW_SIZE * n_rows:
            return f"card {card.id!r}"
    # Plain tokens have no id. They are numbered behind all cards, in the order of the effects that
    # summon them, so the summoning card stands for its token.
    makers = [card for card in cards for effect in card.effects if effect.token]
    numbered = [*cards, *makers]
    if 0 < played <= len(numbered):
        return f"card {numbered[played - 1].id!r}"
    return "a card of these decks"
