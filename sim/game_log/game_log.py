"""Stories: what an action did, told in words from the difference between two snapshots.

Here is that of plain games, in which units attack and nothing else is chosen. That of all other
games is in `sim.game_log.general`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sim.cards.pool import Pool
from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot


@dataclass(frozen=True)
class Names:
    """What the cards of a game are called.

    Attributes:
        pool: all of them.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
    """

    pool: Pool
    decks: npt.NDArray[np.int16]

    def of_card(self, number: int) -> str:
        """The name of a card or token; `""` for what a row says in place, which has none."""
        everything = self.pool.everything
        return everything[number].name if number < len(everything) else ""

    def of_slot(self, seat: int, slot: int) -> str:
        """The name of the card of a deck slot, and which slot it is."""
        return f"{self.of_card(self.decks[seat, 1 + slot])} (slot {slot})"

    def of(self, record: Record) -> str:
        """A card's name; what has none is known by its numbers."""
        return self.of_card(record.card) or f"token {stats(record)}"

    def is_from_deck(self, seat: int, card: Record) -> bool:
        """Whether a card is the one that its slot held when the game began."""
        return bool(
            card.slot < self.decks[seat, 0] and self.decks[seat, 1 + card.slot] == card.card
        )


def before_the_deal(dealt: Snapshot, life: int) -> Snapshot:
    """The moment before the opening hands, as far as stories compare moments."""
    seats = tuple(
        replace(
            seat,
            life=life,
            n_draws=0,
            fatigue=0,
            hand=(),
            board=(),
            drawn_slots=frozenset(),
            deck=seat.deck | seat.drawn_slots,  # the coin's slot is no deck's
        )
        for seat in dealt.seats
    )
    return replace(dealt, result=at.RUNNING, turn=0, seats=seats)


@dataclass(frozen=True)
class PlainStory:
    """The story of a plain game (`sim.engine.rules`), in the words of a pool."""

    names: Names
    life: int  # of both seats, at the start

    def opening(self, dealt: Snapshot) -> Iterator[str]:
        """The opening hands and the head of the first turn, which `begin_game` brings at once."""
        yield ""
        for change in self._changes(before_the_deal(dealt, self.life), dealt):
            yield f"  {change}"
        if dealt.turn:
            yield from _turn_head(dealt)

    def action(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """One line for the action; ending the turn also opens the next one."""
        if action == at.END_TURN:
            yield "  end turn"
            if after.turn == before.turn:
                yield "  the last turn is over"
                return
            yield from _turn_head(after)
            for change in self._changes(before, after):
                yield f"  {change}"
            return
        position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
        if action >= at.ATTACK_WITH:
            line = self._attack(position, action & at.POSITION_MASK, before)
        else:
            line = self._play(before.seats[before.active].hand[position], before, after)
        yield "  " + "; ".join([line, *self._changes(before, after)])

    def _play(self, card: Record, before: Snapshot, after: Snapshot) -> str:
        board = after.seats[before.active].board
        arrived = any(unit.at == card.at for unit in board)
        where = _units(board) if arrived else "full, destroyed"
        return f"play {self.names.of(card)} (slot {card.slot}) -> board {where}"

    def _attack(self, position: int, target: int, before: Snapshot) -> str:
        attacker = before.seats[before.active].board[position]
        enemies = before.seats[1 - before.active].board
        whom = "player" if target == at.AT_PLAYER else self.names.of(enemies[target])
        return f"attack {self.names.of(attacker)} -> {whom}"

    def _changes(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        for seat in range(len(after.seats)):
            yield from self._changes_of_seat(seat, before.seats[seat], after.seats[seat])
        yield from end_of_deck(before, after)

    def _changes_of_seat(
        self, seat: int, before: SeatSnapshot, after: SeatSnapshot
    ) -> Iterator[str]:
        standing = {unit.at: unit for unit in after.board}
        for unit in before.board:
            if unit.at not in standing:
                yield f"seat {seat} loses {self.names.of(unit)}"
            elif (now := stats(standing[unit.at])) != stats(unit):
                yield f"seat {seat} {self.names.of(unit)} {stats(unit)} -> {now}"
        if after.fatigue > before.fatigue:
            yield f"seat {seat} is tired: fatigue {after.fatigue}"
        if after.life != before.life:
            yield f"seat {seat} life {before.life} -> {after.life}"
        known = {record.at for record in (*before.hand, *before.board)}
        for unit in after.board:
            if unit.at not in known:
                yield f"seat {seat} summons {self.names.of(unit)}"
        yield from self._draws(seat, before, after)

    def _draws(self, seat: int, before: SeatSnapshot, after: SeatSnapshot) -> Iterator[str]:
        """Cards drawn, in order; then those that found the hand full, and blanks, if any."""
        drawn = after.drawn_slots - before.drawn_slots
        kept = [record for record in after.hand if record.slot in drawn]
        burned = sorted(drawn - {record.slot for record in kept})
        n_blanks = after.n_draws - before.n_draws - len(drawn)
        if kept:
            cards = ", ".join(f"{self.names.of(card)} (slot {card.slot})" for card in kept)
            yield f"seat {seat} draws {cards}"
        for slot in burned:
            yield f"seat {seat} burns {self.names.of_slot(seat, slot)}: hand full"
        if n_blanks:
            yield f"seat {seat} skips blanks: {n_blanks}"


def end_of_deck(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """How a game ended in which nobody's life did."""
    ended = before.result == at.RUNNING and after.result in (0, 1)
    if ended and all(seat.life > 0 for seat in after.seats):
        yield f"seat {1 - after.result} has no card left to draw"


def _turn_head(now: Snapshot) -> Iterator[str]:
    mover = now.seats[now.active]
    first, second = now.seats
    yield ""
    yield (
        f"T{now.turn:02} seat {now.active}  mana {mover.mana}/{mover.mana_cap}  "
        f"hand {len(mover.hand)}  life {first.life} / {second.life}  "
        f"board {_units(first.board)} / {_units(second.board)}"
    )


def _units(board: Sequence[Record]) -> str:
    words = (stats(unit) + (" haste" * (Keyword.HASTE in unit.keywords)) for unit in board)
    return f"[{', '.join(words)}]"


def stats(record: Record) -> str:
    """Attack and health of a unit, attack and durability of a weapon."""
    return f"{record.attack}/{record.health}"
