"""What a batch of games came to, and which card stopped a game, as people read it."""

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
"""The result of a drawn game among `Outcomes.winners`."""

_SEAT = Arguments(seat=Literal[0, 1])

Counts = npt.NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Outcomes:
    """Sums over the games of each of the ``R`` rows of a batch.

    Attributes:
        n_games: ``[R]`` games played.
        totals: ``[R, N_TOTALS]`` wins by seat, draws, sums of turns, actions and final life.
        turns: ``[R, TURN_BINS]`` games by number of turns.
        seen: ``[R, seat, result, slot, code]`` games by result and what became of the card in
            a deck slot (bits: drawn in the opening hand, drawn later, played), or `None`.
        chosen: ``[R, seat, n_actions]`` how often each action was chosen, by its number in the
            table's view (`sim.observation.view`), or `None`.
        winners: ``[G]`` int8 result of each game, rows one after the other: the seat that won,
            or 2 for a draw; or `None`.
        faults: by row, what stopped the first of its games that a card's texts stopped. Of such a
            row nothing is counted, and the result of all its games is 3.
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
        """``[R, 2]`` games won by each seat."""
        return self.totals[:, [at.WINS_FIRST, at.WINS_SECOND]]

    @property
    def draws(self) -> Counts:
        """``[R]`` drawn games."""
        return self.totals[:, at.DRAWS]

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """``[R, 2]`` games won by each seat, draws counted half."""
        return self.wins + 0.5 * self.draws[:, np.newaxis]

    @property
    def sum_life(self) -> Counts:
        """``[R, 2]`` final life of each seat, summed over games."""
        return self.totals[:, [at.SUM_LIFE_FIRST, at.SUM_LIFE_SECOND]]


def kept(counts: npt.NDArray[Scalar] | None) -> npt.NDArray[Scalar]:
    """What `play` was asked to keep.

    Raises:
        ValueError: it was not asked.
    """
    if counts is None:
        raise ValueError("these counts were not kept; ask for them with `keep`")
    return counts


def median_turns(turns: Counts) -> float:
    """Median game length from ``[..., TURN_BINS]`` counts, summed over the leading axes."""
    below = np.cumsum(turns.reshape(-1, turns.shape[-1]).sum(axis=0))
    n = int(below[-1])
    low, high = np.searchsorted(below, [(n + 1) // 2, n // 2 + 1])
    return float(low + high) / 2


@dataclass(frozen=True)
class SlotCounts:
    """Games in which the card of a slot was seen, and the points won in them.

    Each array is ``[..., slot]``; points count a win 1 and a draw 0.5.
    """

    drawn_opening: Counts
    drawn_later: Counts
    played: Counts
    points_when_drawn: npt.NDArray[np.float64]
    points_when_played: npt.NDArray[np.float64]


def slot_counts(seen: Counts, seat: int) -> SlotCounts:
    """Fold ``[..., seat, result, slot, code]`` counts into counts by slot for one seat.

    Raises:
        InputError: there is no such seat.
    """
    seat = int(_SEAT.fitting("slot_counts()", {"seat": seat})["seat"])
    mine = seen[..., seat, :, :, :]
    worth = np.full(mine.shape[-3], 0.0)
    worth[seat] = 1.0
    worth[at.DRAWN] = 0.5
    codes = np.arange(mine.shape[-1])

    def games(mask: int) -> Counts:
        return np.asarray(mine[..., (codes & mask) > 0].sum(axis=(-1, -3)))

    def points(mask: int) -> npt.NDArray[np.float64]:
        by_result = mine[..., (codes & mask) > 0].sum(axis=-1)
        return np.asarray(np.einsum("...rs,r->...s", by_result, worth))

    return SlotCounts(
        drawn_opening=games(at.SEEN_OPENING),
        drawn_later=games(at.SEEN_LATER),
        played=games(at.SEEN_PLAYED),
        points_when_drawn=points(at.SEEN_OPENING | at.SEEN_LATER),
        points_when_played=points(at.SEEN_PLAYED),
    )


# --- what stopped a game ---


def is_faulty(state: Words16) -> bool:
    """Whether a card's texts have stopped the game of this state."""
    return bool(state[at.RESULT] == at.FAULTED)


def fault_of_state(state: Words16, table: Table, game_seed: int, variant: int = 0) -> CardFault:
    """What stopped the game of a state (`is_faulty`)."""
    reason = int(state[at.FAULT])
    row = int(state[at.ROW_AT_WORK])
    played = int(state[at.LAST_PLAYED])
    return fault_of(
        table, reason, row, played, turn=int(state[at.TURN]), game_seed=game_seed, variant=variant
    )


def fault_of(
    table: Table, reason: int, row: int, played: int, *, turn: int, game_seed: int, variant: int
) -> CardFault:
    """What stopped a game.

    Args:
        table: the numbers of all variants.
        reason: FAULT_* bits of `sim.engine.layout`.
        row: offset in the table of the effect row at work, 0 for none.
        played: 1 + the number of the card that was played last, 0 for none.
        turn: of the game.
        game_seed: the game's.
        variant: row of the table.
    """
    rules = table.ruleset
    causes = {
        at.FAULT_STEPS: f"its texts never end: more than {rules.steps_per_action} steps_per_action",
        at.FAULT_TURN: f"its turn never ends: more than {rules.actions_per_turn} actions_per_turn",
        at.FAULT_QUEUE: "its texts set off more at once than a game has room for",
        at.FAULT_RECORDS: "its texts bring more cards at once than a game has room for",
        at.FAULT_ATTACHED: "its texts attach more than a game has room for",
    }
    what = next(
        (what for bit, what in causes.items() if bit & reason),
        "its texts do more than a game can count",
    )
    return CardFault(_who(table, row, played), what, turn, game_seed, variant)


def _who(table: Table, row: int, played: int) -> str:
    """The card whose row it is, or the one played last."""
    cards = table.pool.everything
    for number, card in enumerate(cards):
        offset = at.CARDS + at.CARD_SIZE * number
        first, n_rows = (
            int(table.words[0, offset + word]) for word in (at.CARD_ROWS, at.CARD_N_ROWS)
        )
        if first <= row < first + at.ROW_SIZE * n_rows:
            return f"card {card.id!r}"
    makers = [card for card in cards for effect in card.effects if effect.token]
    numbered = [*cards, *makers]  # a plain token goes by who brings it
    if 0 < played <= len(numbered):
        return f"card {numbered[played - 1].id!r}"
    return "a card of these decks"
