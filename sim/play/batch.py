"""The one thing that is ever simulated: a batch of games in, outcomes out."""

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
from sim.play.batch_job import Batch, BatchJob, check_batch, play_stretches
from sim.play.long_games import under_way
from sim.play.outcomes import Counts, Outcomes, fault_of
from sim.play.table import Table
from sim.play.workers.current import current_workers
from sim.play.workers.seam import Threads as ThreadWorkers
from sim.ruleset import DECK_CAPACITY
from sim.seeds import number_of

CARD_MAX = 2**15 - 1  # numbers of cards are 16-bit words

BLANK = at.BLANK
"""What stands in a deck row for no card, or for no hero power."""


_CardNumber = Annotated[int, Field(ge=0, le=CARD_MAX)]
_SlotNumber = Annotated[int, Field(ge=BLANK, le=CARD_MAX)]
_SLOTS = Arguments(
    slots=Annotated[tuple[_SlotNumber, ...], Field(max_length=DECK_CAPACITY)], power=_SlotNumber
)
_LEFT_OUT = Arguments(card=_CardNumber, stand_in=_SlotNumber)


def deck_row(slots: Sequence[int], power: int = BLANK) -> npt.NDArray[np.int16]:
    """``[DECK_ROW_SIZE]``: the number of slots, the pool position of each slot's card, the power.

    A slot whose card has been left out holds `BLANK`, and so does the place of the hero power
    (`sim.cards.pool.Pool.number`) in a deck that has none.

    Raises:
        InputError: there are more slots than a deck may have, or no such numbers of cards.
    """
    given = {"slots": np.asarray(slots).tolist(), "power": power}
    _SLOTS.fitting("deck_row()", given)
    row = np.full(at.DECK_ROW_SIZE, at.BLANK, dtype=np.int16)
    row[0] = len(slots)
    row[1 : 1 + len(slots)] = slots
    row[at.DECK_POWER] = power
    return row


def row_of_deck(deck: Deck, pool: Pool) -> npt.NDArray[np.int16]:
    """The `deck_row` of a whole deck.

    Raises:
        InputError: the deck's hero or a card is not in the pool.
    """
    return deck_row(deck.slots(pool), deck.power(pool))


def without(row: npt.NDArray[np.int16], card: int, stand_in: int = BLANK) -> npt.NDArray[np.int16]:
    """A deck's row (`deck_row`) with `stand_in` in the slots of `card`.

    Raises:
        InputError: the deck does not hold the card, or the stand-in is none.
    """
    _LEFT_OUT.fitting("without()", {"card": card, "stand_in": stand_in})
    if card not in row[1 : at.DECK_POWER]:
        raise InputError(f"without(): card = {card}: the deck holds no copy of it")
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
    """Play a batch.

    Args:
        batch: what to play.
        table: the numbers of all variants.
        agents: ``[D]`` the agent of each player. Where a learned one plays, games are played in
            lock-step; the outcomes do not depend on it.
        threads: threads of this process to use; default whoever is at hand
            (`sim.play.workers.current`): all cores, where nothing else was said. Results do not
            depend on it.
        keep: besides aggregates, any of `"winner"` (the result of each game), `"cards"` (what
            became of each deck slot) and `"actions"` (how often each was chosen).
        faults: what becomes of a row in which a card's texts never end, or find no room: it is
            refused, or noted in `Outcomes.faults`, for those who can do without the row.
        on_games: told, stretch by stretch, how many more games have been played.

    Raises:
        CardFault: a card's texts stopped a game, and `faults` is `"raise"`.
        ValueError: the batch points outside its decks, the table or the agents.
        InputError: a learned agent cannot see a card or play by these rules, or sees by another
            view.
        RuntimeError: an agent chose an illegal action.
    """
    keep = (keep,) if isinstance(keep, str) else keep
    if unknown := set(keep) - {"winner", "cards", "actions"}:
        raise ValueError(f"keep has {sorted(unknown)}; it may hold winner, cards and actions")
    check_batch(batch, table, agents)
    job = BatchJob(batch, table, agents, frozenset(keep))
    total = job.work.total()
    workers = ThreadWorkers(threads) if threads else current_workers()
    with under_way(job):
        for tally in play_stretches(job, workers):
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
    _refuse_illegal_actions(batch, outcomes, agents)
    _leave_out_faulty_rows(batch, table, outcomes, job.work.ends)
    if outcomes.faults and faults == "raise":
        raise outcomes.faults[min(outcomes.faults)]
    return outcomes


def _refuse_illegal_actions(batch: Batch, outcomes: Outcomes, agents: Sequence[Agent]) -> None:
    faulty = np.flatnonzero(outcomes.totals[:, at.FAULTS] & at.FAULT_ILLEGAL)
    if len(faulty):
        names = " and ".join(agents[player].name for player in batch.seats[int(faulty[0])])
        raise RuntimeError(f"agents {names}: one of them chose an illegal action")


def _leave_out_faulty_rows(batch: Batch, table: Table, outcomes: Outcomes, ends: Counts) -> None:
    """Note what stopped games, and count nothing of their rows: the others may not be played."""
    for row in np.flatnonzero(outcomes.totals[:, at.FAULT_GAME]).tolist():
        reason, at_row, played, turn, game = outcomes.totals[row, at.FAULTS :].tolist()
        variant = int(batch.variant[row])
        first = int(ends[row] - batch.n_games[row])
        index = int(batch.first_game[row]) + game - 1 - first
        outcomes.faults[row] = fault_of(
            table,
            reason,
            at_row,
            played,
            turn=turn,
            game_seed=number_of(batch.stream, index),
            variant=variant,
        )
        for counts in (outcomes.totals, outcomes.turns, outcomes.seen, outcomes.chosen):
            if counts is not None:
                counts[row] = 0
        if outcomes.winners is not None:
            outcomes.winners[first : ends[row]] = at.FAULTED
