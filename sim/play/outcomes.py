"""Outcomes of a batch: the counts of its rows, and the errors that describe card faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from sim.arguments import Arguments
from sim.engine import layout as at
from sim.errors import CardFault
from sim.play.table import Table
from sim.short_repr import short_repr

Words16 = npt.NDArray[np.int16]


DRAWN = at.DRAWN
"""Result of a drawn game in `Outcomes.winners`."""

_SEAT = Arguments(seat=Literal[0, 1])

Counts = npt.NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Outcomes:
    """Counts and sums over the games of each of the ``R`` rows of a batch.

    Attributes:
        n_games: number of games of each row of the batch, shape ``[R]``.
        totals: wins by seat, draws, and sums of turns, actions and final life, in the order of
            `sim.engine.layout`, shape ``[R, N_TOTALS]``.
        turns: number of games by number of turns, shape ``[R, TURN_BINS]``.
        seen: number of games by seat, result, deck slot and code, shape
            ``[R, seat, result, slot, code]``; `None` if not kept. The bits of a code report
            whether the card was drawn in the opening hand, drawn later, and played.
        chosen: number of times that each action was chosen, by its number in the view of the
            games (`sim.observation.view`), shape ``[R, seat, n_actions]``; `None` if not kept.
        winners: result of each game, row after row, int8, shape ``[G]``: the seat that won, 2 for
            a draw, 3 for a game of a faulty row; `None` if not kept.
        faults: fault of the first stopped game of each row that has one, by row. All counts of
            such a row are zero, and the result of all its games is 3.
    """

    n_games: Counts
    totals: Counts
    turns: Counts
    seen: Counts | None
    chosen: Counts | None
    winners: npt.NDArray[np.int8] | None
    faults: dict[int, CardFault] = field(default_factory=dict)

    def __repr__(self) -> str:
        return short_repr(self, games=self.n_games.sum(), faults=len(self.faults))

    @property
    def wins(self) -> Counts:
        """Number of games that each seat won, by row of the batch, shape ``[R, 2]``."""
        return self.totals[:, [at.WINS_FIRST, at.WINS_SECOND]]

    @property
    def draws(self) -> Counts:
        """Number of drawn games, by row of the batch, shape ``[R]``."""
        return self.totals[:, at.DRAWS]

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """Points of each seat, 1 for each win and 0.5 for each draw, shape ``[R, 2]``."""
        return self.wins + 0.5 * self.draws[:, np.newaxis]

    @property
    def sum_life(self) -> Counts:
        """Sum of each seat's final life over games, by row of the batch, shape ``[R, 2]``."""
        return self.totals[:, [at.SUM_LIFE_FIRST, at.SUM_LIFE_SECOND]]


def kept(counts: npt.NDArray[Scalar] | None) -> npt.NDArray[Scalar]:
    """Return an optional array of `Outcomes` after a check that it is not `None`.

    Raises:
        ValueError: the array is `None`, since `keep` of `play` did not name it.
    """
    if counts is None:
        raise ValueError("these counts were not kept; ask for them with `keep`")
    return counts


def median_turns(turns: Counts) -> float:
    """Return the median number of turns of a game, from a histogram.

    With an even number of games, the median is the mean of the two middle values.

    Args:
        turns: number of games by number of turns, shape ``[..., TURN_BINS]``; the histograms of all
            leading axes are added first. They must count at least one game.
    """
    below = np.cumsum(turns.reshape(-1, turns.shape[-1]).sum(axis=0))
    n = int(below[-1])
    low, high = np.searchsorted(below, [(n + 1) // 2, n // 2 + 1])
    return float(low + high) / 2


@dataclass(frozen=True)
class SlotCounts:
    """Numbers of games in which the card of a deck slot was drawn or played, and their points.

    Attributes:
        drawn_opening: number of games with the card in the opening hand, shape ``[..., slot]``.
        drawn_later: number of games in which the card was drawn later, shape ``[..., slot]``.
        played: number of games in which the card was played, shape ``[..., slot]``.
        points_when_drawn: points of the seat (1 for a win, 0.5 for a draw), summed over the games
            in which it drew the card at any time, shape ``[..., slot]``.
        points_when_played: points of the seat, summed over the games in which it played the card,
            shape ``[..., slot]``.
    """

    drawn_opening: Counts
    drawn_later: Counts
    played: Counts
    points_when_drawn: npt.NDArray[np.float64]
    points_when_played: npt.NDArray[np.float64]


def slot_counts(seen: Counts, seat: int) -> SlotCounts:
    """Return the numbers of games, and the points, by how a seat used the card of each deck slot.

    Args:
        seen: number of games (`Outcomes.seen`), shape ``[..., seat, result, slot, code]``.
        seat: seat that owns the deck, 0 or 1.

    Raises:
        InputError: the seat is neither 0 nor 1.
    """
    seat = int(_SEAT.check("slot_counts()", {"seat": seat})["seat"])
    of_seat = seen[..., seat, :, :, :]
    points_of_result = np.full(of_seat.shape[-3], 0.0)
    points_of_result[seat] = 1.0
    points_of_result[at.DRAWN] = 0.5
    codes = np.arange(of_seat.shape[-1])

    def games(mask: int) -> Counts:
        """Return the number of games, by slot, in which the code has a bit of `mask`."""
        return np.asarray(of_seat[..., (codes & mask) > 0].sum(axis=(-1, -3)))

    def points(mask: int) -> npt.NDArray[np.float64]:
        """Return the points, by slot, of the games in which the code has a bit of `mask`."""
        by_result = of_seat[..., (codes & mask) > 0].sum(axis=-1)
        return np.asarray(np.einsum("...rs,r->...s", by_result, points_of_result))

    return SlotCounts(
        drawn_opening=games(at.SEEN_OPENING),
        drawn_later=games(at.SEEN_LATER),
        played=games(at.SEEN_PLAYED),
        points_when_drawn=points(at.SEEN_OPENING | at.SEEN_LATER),
        points_when_played=points(at.SEEN_PLAYED),
    )


# --- card faults: stopped games and their causes ---


def is_faulty(state: Words16) -> bool:
    """Return whether the game of a state was stopped by the effects of a card."""
    return bool(state[at.RESULT] == at.FAULTED)


def fault_of_state(state: Words16, table: Table, game_seed: int, variant: int = 0) -> CardFault:
    """Return the error that describes why the game of a state was stopped.

    Args:
        state: state of a game that was stopped by the effects of a card (`is_faulty`).
        table: card table of all variants.
        game_seed: seed of the game.
        variant: row of the card table that the game uses.
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

    If `reason` has several bits, the message describes the first one in the order of `causes`.

    Args:
        table: card table of all variants.
        reason: cause of the stop, as `FAULT_*` bits of `sim.engine.layout`.
        row: offset in the table of the effect row that was being carried out; 0 if there was none.
        played: 1 plus the number of the card that was played last; 0 if no card was played.
        turn: turn in which the game was stopped.
        game_seed: seed of the game.
        variant: row of the card table that the game uses.
    """
    rules = table.ruleset
    causes = {
        at.FAULT_STEPS: (
            f"its effects do not end within {rules.steps_per_action} steps (steps_per_action)"
        ),
        at.FAULT_TURN: (
            f"its turn does not end within {rules.actions_per_turn} actions (actions_per_turn)"
        ),
        at.FAULT_QUEUE: "its effects trigger more effects at once than a game permits",
        at.FAULT_RECORDS: "its effects create more cards at once than a game permits",
        at.FAULT_ATTACHED: "its effects attach more effects than a game permits",
    }
    problem = next(
        (cause for bit, cause in causes.items() if bit & reason),
        "its effects exceed the largest number of a game",
    )
    return CardFault(_card_at_fault(table, row, played), problem, turn, game_seed, variant)


def _card_at_fault(table: Table, row: int, played: int) -> str:
    """Return words for a message that name the card that caused a fault.

    This is the card that owns the effect row at offset `row`. If there is none, it is the card that
    was played last (`played` is 1 plus its number), or `a card of these decks` if no card was.
    """
    cards = table.pool.everything
    for number, card in enumerate(cards):
        offset = at.CARDS + at.CARD_SIZE * number
        first, n_rows = (
            int(table.words[0, offset + word]) for word in (at.CARD_ROWS, at.CARD_N_ROWS)
        )
        if first <= row < first + at.ROW_SIZE * n_rows:
            return f"card {card.id!r}"
    # Plain tokens have no id, so the card that summons a token is named instead. Their numbers
    # follow those of all cards, in the order of the effects that summon them.
    makers = [card for card in cards for effect in card.effects if effect.token]
    numbered = [*cards, *makers]
    if 0 < played <= len(numbered):
        return f"card {numbered[played - 1].id!r}"
    return "a card of these decks"
