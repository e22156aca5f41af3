"""The function `play`, which plays a batch of games, and functions that build deck rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from sim import Deck, InputError, Pool
from sim.arguments import Arguments, Threads, checked
from sim.engine import layout as at
from sim.play.agent import Agent
from sim.play.batch_job import Batch, BatchJob, check_batch, play_chunks
from sim.play.long_games import under_way
from sim.play.outcomes import Counts, Outcomes, fault_of
from sim.play.table import Table
from sim.play.workers.current import current_workers
from sim.play.workers.seam import Threads as ThreadWorkers
from sim.ruleset import DECK_CAPACITY
from sim.seeds import number_of

CARD_MAX = 2**15 - 1  # the largest signed 16-bit number, the type of a deck row

BLANK = at.BLANK
"""Entry of a deck row for an empty slot or a missing hero power."""


_CardNumber = Annotated[int, Field(ge=0, le=CARD_MAX)]
_SlotNumber = Annotated[int, Field(ge=BLANK, le=CARD_MAX)]
_SLOTS = Arguments(
    slots=Annotated[tuple[_SlotNumber, ...], Field(max_length=DECK_CAPACITY)], power=_SlotNumber
)
_LEFT_OUT = Arguments(card=_CardNumber, stand_in=_SlotNumber)


def deck_row(slots: Sequence[int], power: int = BLANK) -> npt.NDArray[np.int16]:
    """Return a deck as a row of numbers.

    Args:
        slots: position in the pool of the card in each deck slot; `BLANK` for an empty slot.
        power: position of the hero power (`sim.cards.pool.Pool.number`); `BLANK` if the deck has
            no hero power.

    Returns:
        The number of slots, the slots, padding with `BLANK`, and the power, int16, shape
        ``[DECK_ROW_SIZE]``.

    Raises:
        InputError: there are more than `DECK_CAPACITY` slots, or a number is negative (other than
            `BLANK`) or above `CARD_MAX`.
    """
    arguments = {"slots": np.asarray(slots).tolist(), "power": power}
    _SLOTS.check("deck_row()", arguments)
    row = np.full(at.DECK_ROW_SIZE, at.BLANK, dtype=np.int16)
    row[0] = len(slots)
    row[1 : 1 + len(slots)] = slots
    row[at.DECK_POWER] = power
    return row


def row_of_deck(deck: Deck, pool: Pool) -> npt.NDArray[np.int16]:
    """Return the deck row (`deck_row`) of a deck, with its cards numbered as in `pool`.

    Raises:
        InputError: the deck's hero or a card is not in the pool.
    """
    return deck_row(deck.slots(pool), deck.power(pool))


def without(row: npt.NDArray[np.int16], card: int, stand_in: int = BLANK) -> npt.NDArray[np.int16]:
    """Return a copy of a deck row in which all copies of a card are replaced by another card.

    Args:
        row: deck row to copy (`deck_row`).
        card: position in the pool of the card to replace.
        stand_in: position in the pool of the replacement; `BLANK` to leave the slots empty.

    Raises:
        InputError: the deck does not hold the card, or a number is out of range.
    """
    _LEFT_OUT.check("without()", {"card": card, "stand_in": stand_in})
    if card not in row[1 : at.DECK_POWER]:
        raise InputError(
            "the deck holds no copy of this card", place=f"without(): card = {card}", value=card
        )
    edited = row.copy()
    edited[1 : at.DECK_POWER][row[1 : at.DECK_POWER] == card] = stand_in
    return edited


@checked(threads=Threads, faults=Literal["raise", "keep"])
def play(
    batch: Batch,
    table: Table,
    agents: Sequence[Agent],
    *,
    threads: int | None = None,
    keep: str | Sequence[str] = (),
    faults: Literal["raise", "keep"] = "raise",
    on_games: Callable[[int], None] | None = None,
) -> Outcomes:
    """Play all games of a batch and return their counts.

    Args:
        batch: games to play.
        table: card table of all variants.
        agents: agent of each player, shape ``[D]``. If one of them is a learned agent, all games
            are played in lock-step, which does not change the outcomes.
        threads: number of threads of this process, which does not change the outcomes. By default
            the current workers play (`sim.play.workers.current`): one thread per core unless set
            otherwise.
        keep: details to record in addition to the totals: `"winner"` (the result of each game),
            `"cards"` (what happened to the card of each deck slot) or `"actions"` (how often
            each action was chosen), or several of these words.
        faults: how to handle a row in which the effects of a card never end or need more space
            than a game has: `"raise"` raises the fault of the first such row, and `"keep"` stores
            the faults in `Outcomes.faults` and sets all counts of these rows to zero.
        on_games: callback, called after each chunk with the number of games played in it.

    Raises:
        CardFault: the effects of a card stopped a game, and `faults` is `"raise"`.
        ValueError: the batch refers to decks, variants or agents that do not exist, or `keep` has
            an unknown word.
        InputError: an agent's view cannot show a card or these rules, or a learned agent was
            trained with another view.
        RuntimeError: an agent chose an illegal action.
    """
    keep = (keep,) if isinstance(keep, str) else keep
    if unknown := set(keep) - {"winner", "cards", "actions"}:
        words = ", ".join(map(repr, sorted(unknown)))
        raise ValueError(f"keep: unknown value {words}; use winner, cards or actions")
    check_batch(batch, table, agents)
    job = BatchJob(batch, table, agents, frozenset(keep))
    total = job.work.total()
    workers = ThreadWorkers(threads) if threads else current_workers()
    with under_way(job):
        for tally in play_chunks(job, workers):
            total.add(tally)
            if on_games is not None:
                on_games(int(tally.turns.sum()))
    outcomes = Outcomes(
        n_games=batch.n_games,
        totals=total.totals,
        turns=total.turns,
        seen=total.seen if "cards" in keep else None,
        chosen=total.chosen if "actions" in keep else None,
        winners=total.winners if "winner" in keep else None,
    )
    _check_actions(batch, outcomes, agents)
    _clear_faulty_rows(batch, table, outcomes, job.work.ends)
    if outcomes.faults and faults == "raise":
        raise outcomes.faults[min(outcomes.faults)]
    return outcomes


def _check_actions(batch: Batch, outcomes: Outcomes, agents: Sequence[Agent]) -> None:
    """Raise a `RuntimeError` if an agent chose an illegal action in a game of the batch."""
    faulty = np.flatnonzero(outcomes.totals[:, at.FAULTS] & at.FAULT_ILLEGAL)
    if len(faulty):
        names = " and ".join(agents[player].name for player in batch.seats[int(faulty[0])])
        raise RuntimeError(
            f"agents {names}: one of them chose an illegal action; an agent may only choose from "
            "the legal actions"
        )


def _clear_faulty_rows(batch: Batch, table: Table, outcomes: Outcomes, ends: Counts) -> None:
    """Fill `outcomes.faults`, and set all counts of rows with a fault to zero.

    The engine stops a row at its first fault, so the counts of such a row are incomplete.

    Args:
        batch: the batch that was played.
        table: card table of all variants.
        outcomes: outcomes of the batch, changed in place.
        ends: cumulative number of games, up to and including each row, shape ``[R]``.
    """
    for row in np.flatnonzero(outcomes.totals[:, at.FAULT_GAME]).tolist():
        reason, effect_row, last_card, turn, game = outcomes.totals[row, at.FAULTS :].tolist()
        variant = int(batch.variant[row])
        first = int(ends[row] - batch.n_games[row])
        # `game` is a number in the whole batch, counted from 1; seeds need an index in the stream.
        index = int(batch.first_game[row]) + game - 1 - first
        outcomes.faults[row] = fault_of(
            table,
            reason,
            effect_row,
            last_card,
            turn=turn,
            game_seed=number_of(batch.stream, index),
            variant=variant,
        )
        for counts in (outcomes.totals, outcomes.turns, outcomes.seen, outcomes.chosen):
            if counts is not None:
                counts[row] = 0
        if outcomes.winners is not None:
            outcomes.winners[first : ends[row]] = at.FAULTED
