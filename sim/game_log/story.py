"""The story of a game: who does what to whom, and what comes of it.

What an action did is told from the difference between the snapshots before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import wrap

from sim.cards.card import Card
from sim.engine import layout as at
from sim.game_log.changes import Action, Changes, Names, described, stats
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot
from sim.ruleset import N_SEATS

_WIDTH = 100  # of a line
_VERBS = {"spell": "cast", "weapon": "equip"}  # of a card that is played


@dataclass(frozen=True)
class Story:
    """Tells a game in the words of a pool."""

    names: Names
    life: int  # of both seats, at the start

    def opening(self, dealt: Snapshot) -> Iterator[str]:
        """The opening hands, and the head of the mulligan or of the first turn."""
        yield ""
        undealt = _before_the_deal(dealt, self.life)
        changes = self._changes.between(undealt, dealt, Action(dealt.active, ends_turn=True))
        for change in (*changes, *_end_of_deck(undealt, dealt)):
            yield from _lines(change)
        if dealt.phase == at.MULLIGAN_PHASE:
            yield from _mulligan_head(dealt)
        elif dealt.turn:
            yield from self._turn_head(dealt)

    def action(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """One line for the action, wrapped; ending the turn also opens the next one."""
        if before.phase == at.MULLIGAN_PHASE:
            yield from self._mulligan(action, before, after)
            return
        if before.phase == at.MAIN_PHASE and action == at.END_TURN:
            yield from self._end_turn(before, after)
            return
        if before.phase == at.CHOICE_PHASE:
            slot = before.choices[_source(action)]
            line, facts = f"choose {self.names.of_slot(before.active, slot)}", Action(before.active)
        else:
            line, facts = self._move(action, before, after)
        changes = self._changes.between(before, after, facts)
        yield from _lines("; ".join([line, *changes, *_end_of_deck(before, after)]))

    # --- before the first turn ---

    def _mulligan(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        seat = before.active
        if action != at.END_TURN:
            yield from _lines(f"replace {self._card(before, before.seats[seat].hand, action)}")
            return
        facts = Action(seat, ends_turn=True)
        yield from _lines(
            "; ".join(["keep the rest", *self._changes.of_cards(seat, before, after, facts)])
        )
        if after.phase == at.MULLIGAN_PHASE:
            yield from _mulligan_head(after)
            return
        yield from self._turn_head(after)
        for change in self._changes.of_cards(1 - seat, before, after, facts):
            yield from _lines(change)

    # --- a turn ---

    def _turn_head(self, now: Snapshot) -> Iterator[str]:
        mover = now.seats[now.active]
        mana = f"{mover.mana}/{mover.mana_cap}"
        if mover.overload_locked:
            mana += f" ({mover.overload_locked} locked)"
        lives = [
            f"{seat.life}" + (f"+{seat.armor} armour" if seat.armor else "") for seat in now.seats
        ]
        hands = [f"{len(seat.hand)}" for seat in now.seats]
        yield ""
        yield (
            f"T{now.turn:02} seat {now.active}  mana {mana}  hand {' / '.join(hands)}  "
            f"life {' / '.join(lives)}"
        )
        for seat in range(N_SEATS):
            yield from _lines(self._side(seat, now.seats[seat]))
        cards = ", ".join(f"{self.names.of(card)} [{card.cost}]" for card in mover.hand)
        yield from _lines(f"hand: {cards}")

    def _side(self, seat: int, now: SeatSnapshot) -> str:
        """What stands before a player, the weapon first."""
        weapon = f"({described(self.names, now.weapon)}) " if now.weapon else ""
        minions = ", ".join(described(self.names, minion) for minion in now.board)
        return f"board {seat}: {weapon}{minions or '-'}"

    def _end_turn(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """The end of a turn and the beginning of the next are one action."""
        yield "  end turn"
        facts = Action(before.active, ends_turn=True)
        changes = [*self._changes.between(before, after, facts), *_end_of_deck(before, after)]
        if after.turn == before.turn:
            changes = changes or ["the last turn is over"]
        else:
            yield from self._turn_head(after)
        for change in changes:
            yield from _lines(change)

    # --- a move ---

    def _move(self, action: int, before: Snapshot, after: Snapshot) -> tuple[str, Action]:
        """What the player of the seat to move does, in words and in numbers."""
        mover, seat = before.seats[before.active], before.active
        target = self._target(action & at.POSITION_MASK, before)
        if action >= at.USE_POWER:
            cost = self._everything[mover.power].cost
            return f"use {self.names.of_card(mover.power)}{target}", Action(seat, mana=cost)
        if action >= at.ATTACK_WITH:
            return f"attack {self._attacker(action, mover)}{target}", Action(seat)
        card = mover.hand[_source(action)]
        line = f"{self._verb(card)} {self._card(before, mover.hand, action)}"
        if option := (action >> at.OPTION_SHIFT) & at.OPTION_MASK:
            option_id = self._everything[card.card].options[option - 1]
            line += f" as {self.names.of_card(self.names.pool.number(option_id))}"
        if place := (action >> at.PLACE_SHIFT) & at.PLACE_MASK:
            line += f" at place {place}"
        there = {one.at for side in after.seats for one in (*side.board, *side.hand)}
        if card.max_health and card.at not in there and line.startswith("play"):
            target += ", destroyed"  # on a full board, or by its own effect
        return f"{line}{target}", Action(seat, card.serial, card.cost)

    def _verb(self, card: Record) -> str:
        """A token that a row describes is no card of the pool, but always a minion."""
        is_card = card.card < len(self._everything)
        return _VERBS.get(self._everything[card.card].kind, "play") if is_card else "play"

    def _attacker(self, action: int, mover: SeatSnapshot) -> str:
        if _source(action) != at.BY_PLAYER:
            return self._unit(mover.board[_source(action)])
        weapon = mover.weapon.attack if mover.weapon else 0
        return f"with the hero ({mover.lent_attack + weapon})"

    def _target(self, code: int, before: Snapshot) -> str:
        own, enemy = before.seats[before.active], before.seats[1 - before.active]
        if code == at.AT_NOBODY:
            return ""
        if code in (at.AT_PLAYER, at.AT_OWN_PLAYER):
            return " -> player" if code == at.AT_PLAYER else " -> own player"
        if code < at.AT_OWN_MINION:
            return f" -> {self._unit(enemy.board[code])}"
        return f" -> own {self._unit(own.board[code - at.AT_OWN_MINION])}"

    # --- names ---

    @cached_property
    def _everything(self) -> tuple[Card, ...]:
        return self.names.pool.everything

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self.names)

    def _unit(self, unit: Record) -> str:
        return f"{self.names.of(unit)} {stats(unit)}"

    def _card(self, now: Snapshot, hand: tuple[Record, ...], action: int) -> str:
        """A card of the hand, with its slot if it was in the deck when the game began."""
        card = hand[_source(action)]
        name = described(self.names, card)
        return f"{name} (slot {card.slot})" if self.names.is_from_deck(now.active, card) else name


def _before_the_deal(dealt: Snapshot, life: int) -> Snapshot:
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


def _end_of_deck(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """How a game ended in which nobody's life did."""
    ended = before.result == at.RUNNING and after.result in (0, 1)
    if ended and all(seat.life > 0 for seat in after.seats):
        yield f"seat {1 - after.result} has no card left to draw"


def _source(action: int) -> int:
    return (action >> at.SOURCE_SHIFT) & at.POSITION_MASK


def _mulligan_head(now: Snapshot) -> Iterator[str]:
    yield ""
    yield f"mulligan of seat {now.active}"


def _lines(text: str) -> list[str]:
    """A line of a turn, wrapped."""
    return wrap(
        text,
        _WIDTH,
        initial_indent="  ",
        subsequent_indent="      ",
        break_long_words=False,
        break_on_hyphens=False,
    )
