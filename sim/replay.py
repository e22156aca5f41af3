"""Playthroughs: one game of a batch again, as text that a person can read.

The game is named by its seed (run, purpose, index) and stepped with the code that `play` runs,
so it is the game that `play` played. What happened is told from the difference between the
state before and after each action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.agent import CompiledAgent
from sim.engine.layout import (
    AT_PLAYER,
    ATTACK_WITH,
    DRAWN,
    END_TURN,
    POSITION_MASK,
    RUNNING,
    SOURCE_SHIFT,
)
from sim.engine.stepping import ask_agent, begin_game, may_act, new_state, perform
from sim.pool import Pool
from sim.ruleset import N_SEATS
from sim.seeds import game_seed
from sim.snapshot import Record, SeatSnapshot, Snapshot, take_snapshot
from sim.table import Table
from sim.vocabulary import Keyword


def playthrough(
    table: Table,
    decks: npt.NDArray[np.int16],
    agents: Sequence[CompiledAgent],
    *,
    names: Sequence[str],
    run_seed: int,
    purpose: str,
    game_index: int,
    variant: int = 0,
) -> str:
    """The whole course of one game, one line per action.

    Args:
        table: the numbers of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.batch.deck_row`).
        agents: the agent of each seat.
        names: what the text calls each seat's deck.
        run_seed: seed of the run that the game belongs to.
        purpose: what the run played it for (`sim.seeds`).
        game_index: which of the purpose's games.
        variant: row of the table.

    Raises:
        RuntimeError: an agent chose an illegal action.
    """
    story = _Story(table.pool, decks, table.ruleset.life)
    lines = [
        f"pool {table.pool.name}  ruleset {table.ruleset.name}  "
        f"seed {run_seed}/{purpose}  game {game_index}",
        *(f"seat {seat}: {names[seat]} ({agents[seat].name})" for seat in range(len(names))),
    ]
    state, words = new_state(), table.words[variant]
    begin_game(state, words, decks.ravel(), 0, 1, game_seed(run_seed, purpose, game_index))
    now = take_snapshot(state)
    lines += story.opening(now)
    while now.result == RUNNING:
        agent = agents[now.active]
        action = ask_agent(state, words, agent.address)
        if not may_act(state, words, action):
            raise RuntimeError(f"agent {agent.name} chose an illegal action in turn {now.turn}")
        perform(state, words, action)
        before, now = now, take_snapshot(state)
        lines += story.action(action, before, now)
    lines += ["", _result(now)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _Story:
    """Tells what an action did, in the words of a pool."""

    pool: Pool
    decks: npt.NDArray[np.int16]
    life: int  # of both seats, at the start

    def opening(self, dealt: Snapshot) -> Iterator[str]:
        """The opening hands and the head of the first turn, which `begin_game` brings at once."""
        empty = SeatSnapshot(self.life, 0, 0, 0, 0, 0, (), (), frozenset())
        undealt = Snapshot(RUNNING, 0, 0, 0, (empty,) * N_SEATS)
        yield ""
        for change in self._changes(undealt, dealt):
            yield f"  {change}"
        if dealt.turn:
            yield from _turn_head(dealt)

    def action(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """One line for the action; ending the turn also opens the next one."""
        if action == END_TURN:
            yield "  end turn"
            if after.turn == before.turn:
                yield "  the last turn is over"
                return
            yield from _turn_head(after)
            for change in self._changes(before, after):
                yield f"  {change}"
            return
        position = (action >> SOURCE_SHIFT) & POSITION_MASK
        if action >= ATTACK_WITH:
            line = self._attack(position, action & POSITION_MASK, before)
        else:
            line = self._play(before.seats[before.active].hand[position], before, after)
        yield "  " + "; ".join([line, *self._changes(before, after)])

    def _play(self, card: Record, before: Snapshot, after: Snapshot) -> str:
        board = after.seats[before.active].board
        arrived = any(unit.at == card.at for unit in board)
        where = _units(board) if arrived else "full, destroyed"
        return f"play {self._name(card)} (slot {card.slot}) -> board {where}"

    def _attack(self, position: int, target: int, before: Snapshot) -> str:
        attacker = before.seats[before.active].board[position]
        enemies = before.seats[1 - before.active].board
        whom = "player" if target == AT_PLAYER else self._name(enemies[target])
        return f"attack {self._name(attacker)} -> {whom}"

    def _changes(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        for seat in range(len(after.seats)):
            yield from self._changes_of_seat(seat, before.seats[seat], after.seats[seat])
        ended = before.result == RUNNING and after.result in (0, 1)
        if ended and all(seat.life > 0 for seat in after.seats):
            yield f"seat {1 - after.result} has no card left to draw"

    def _changes_of_seat(
        self, seat: int, before: SeatSnapshot, after: SeatSnapshot
    ) -> Iterator[str]:
        standing = {unit.at: unit for unit in after.board}
        for unit in before.board:
            if unit.at not in standing:
                yield f"seat {seat} loses {self._name(unit)}"
            elif (now := _stats(standing[unit.at])) != _stats(unit):
                yield f"seat {seat} {self._name(unit)} {_stats(unit)} -> {now}"
        if after.fatigue > before.fatigue:
            yield f"seat {seat} is tired: fatigue {after.fatigue}"
        if after.life != before.life:
            yield f"seat {seat} life {before.life} -> {after.life}"
        known = {record.at for record in (*before.hand, *before.board)}
        for unit in after.board:
            if unit.at not in known:
                yield f"seat {seat} summons {self._name(unit)}"
        yield from self._draws(seat, before, after)

    def _draws(self, seat: int, before: SeatSnapshot, after: SeatSnapshot) -> Iterator[str]:
        """Cards drawn, in order; then those that found the hand full, and blanks, if any."""
        drawn = after.drawn_slots - before.drawn_slots
        kept = [record for record in after.hand if record.slot in drawn]
        burned = sorted(drawn - {record.slot for record in kept})
        n_blanks = after.n_draws - before.n_draws - len(drawn)
        if kept:
            cards = ", ".join(f"{self._name(card)} (slot {card.slot})" for card in kept)
            yield f"seat {seat} draws {cards}"
        for slot in burned:
            name = self.pool.cards[self.decks[seat, 1 + slot]].name
            yield f"seat {seat} burns {name} (slot {slot}): hand full"
        if n_blanks:
            yield f"seat {seat} skips blanks: {n_blanks}"

    def _name(self, record: Record) -> str:
        """A card's name; cards beyond the pool are tokens, known by their printed numbers."""
        if record.card < len(self.pool.cards):
            return self.pool.cards[record.card].name
        return f"token {_stats(record)}"


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
    words = (_stats(unit) + (" haste" * (Keyword.HASTE in unit.keywords)) for unit in board)
    return f"[{', '.join(words)}]"


def _stats(unit: Record) -> str:
    return f"{unit.attack}/{unit.health}"


def _result(end: Snapshot) -> str:
    first, second = end.seats
    who = "nobody" if end.result == DRAWN else f"seat {end.result}"
    return (
        f"result {who}  turns {end.turn}  actions {end.n_actions}  "
        f"life {first.life} / {second.life}  draws {first.n_draws} / {second.n_draws}"
    )
