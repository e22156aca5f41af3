"""The story of a game: who does what to whom, and what comes of it.

What an action did is told from the difference between the snapshots before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import wrap

from sim.engine import layout as at
from sim.game_log.changes import Action, Changes
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot
from sim.game_log.viewpoint import READER, Names, Viewpoint, described, stats
from sim.ruleset import N_SEATS

_WIDTH = 100  # of a line
_VERBS = {"spell": "cast", "weapon": "equip"}  # of a card that is played


@dataclass(frozen=True)
class Story:
    """Tells a game in the words of a pool, to somebody who may not see everything."""

    names: Names
    lives: tuple[int, ...]  # by seat, at the start
    witness: Viewpoint = READER
    width: int = _WIDTH  # of a line

    def opening(self, dealt: Snapshot) -> Iterator[str]:
        """The opening hands, and the head of the mulligan or of the first turn."""
        yield ""
        undealt = _before_the_deal(dealt, self.lives)
        changes = self._changes.between(undealt, dealt, Action(dealt.active, ends_turn=True))
        yield from self._lines(*changes, *self._end_of_deck(undealt, dealt))
        if dealt.phase == at.MULLIGAN_PHASE or dealt.turn:
            yield from self._head(dealt)

    def action(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """One line for the action, wrapped; ending the turn also opens the next one."""
        if before.phase == at.MULLIGAN_PHASE:
            return self._mulligan(action, before, after)
        if before.phase == at.MAIN_PHASE and action == at.END_TURN:
            return self._end_turn(before, after)
        line = self.deed(action, before)
        facts = self.facts(action, before)
        if self._is_lost(action, before, after):
            line += ", destroyed"
        changes = self._changes.between(before, after, facts)
        return iter(self._lines("; ".join([line, *changes, *self._end_of_deck(before, after)])))

    def deed(self, action: int, before: Snapshot) -> str:
        """What an action does, whatever comes of it."""
        return self.source(action, before) + self.target(action, before)

    def source(self, action: int, before: Snapshot) -> str:
        """What an action does, but for whom it is aimed at."""
        mover = before.seats[before.active]
        if before.phase == at.CHOICE_PHASE:
            slot = before.choices[_source(action)]
            return f"choose {self._changes.of_slots(before.active, [slot])[0]}"
        if action == at.END_TURN:
            return "keep the rest" if before.phase == at.MULLIGAN_PHASE else "end turn"
        if before.phase == at.MULLIGAN_PHASE:
            return f"replace {self._card(before, mover.hand, action)}"
        if action >= at.USE_POWER:
            return f"use {self.names.of_card(mover.power)}"
        if action >= at.ATTACK_WITH:
            return self._attack(action, mover)
        return self._play(action, before)

    def target(self, action: int, before: Snapshot) -> str:
        """Whom a move is aimed at, behind an arrow; `""` for nobody."""
        code = action & at.POSITION_MASK
        own = before.seats[before.active]
        enemy = before.seats[1 - before.active]
        if action == at.END_TURN or before.phase != at.MAIN_PHASE or code == at.AT_NOBODY:
            return ""
        if code in (at.AT_PLAYER, at.AT_OWN_PLAYER):
            return f" -> {self._player(before.active, is_own=code == at.AT_OWN_PLAYER)}"
        if code < at.AT_OWN_MINION:
            whose = "your " if self.witness.seat == 1 - before.active else ""
            return f" -> {whose}{self._unit(enemy.board[code])}"
        whose = "your" if self.witness.seat == before.active else "own"
        return f" -> {whose} {self._unit(own.board[code - at.AT_OWN_MINION])}"

    def _player(self, active: int, *, is_own: bool) -> str:
        if self.witness.plays:
            return self.witness.named(active if is_own else 1 - active)
        return "own player" if is_own else "player"

    # --- before the first turn ---

    def _mulligan(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        seat = before.active
        line = self.deed(action, before)
        if action != at.END_TURN:
            yield from self._lines(line)
            return
        facts = Action(seat, ends_turn=True)
        yield from self._lines(
            "; ".join([line, *self._changes.of_cards(seat, before, after, facts)])
        )
        yield from self._head(after)
        if after.phase != at.MULLIGAN_PHASE:
            yield from self._lines(*self._changes.of_cards(1 - seat, before, after, facts))

    # --- a turn ---

    def _head(self, now: Snapshot) -> Iterator[str]:
        """What stands above a mulligan or a turn."""
        yield ""
        if now.phase == at.MULLIGAN_PHASE:
            yield f"mulligan of {self.witness.named(now.active)}"
        elif self.witness.plays:
            yield f"T{now.turn:02} {self.witness.whose(now.active)} turn"
        else:
            yield from self._position(now)

    def _position(self, now: Snapshot) -> Iterator[str]:
        """What a reader is shown; a player looks at it when it is to move."""
        mover = now.seats[now.active]
        mana = f"{mover.mana}/{mover.mana_cap}"
        if mover.overload_locked:
            mana += f" ({mover.overload_locked} locked)"
        lives = [
            f"{seat.life}" + (f"+{seat.armor} armour" if seat.armor else "") for seat in now.seats
        ]
        hands = [f"{len(seat.hand)}" for seat in now.seats]
        yield (
            f"T{now.turn:02} seat {now.active}  mana {mana}  hand {' / '.join(hands)}  "
            f"life {' / '.join(lives)}"
        )
        yield from self._lines(*(self._side(seat, now.seats[seat]) for seat in range(N_SEATS)))
        cards = ", ".join(f"{self.names.of(card)} [{card.cost}]" for card in mover.hand)
        yield from self._lines(f"hand: {cards}")

    def _side(self, seat: int, now: SeatSnapshot) -> str:
        """What stands before a player, the weapon first."""
        weapon = f"({described(self.names, now.weapon)}) " if now.weapon else ""
        minions = ", ".join(described(self.names, minion) for minion in now.board)
        return f"board {seat}: {weapon}{minions or '-'}"

    def _end_turn(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """The end of a turn and the beginning of the next are one action."""
        yield "  end turn"
        facts = Action(before.active, ends_turn=True)
        changes = [*self._changes.between(before, after, facts), *self._end_of_deck(before, after)]
        if after.turn == before.turn:
            changes = changes or ["the last turn is over"]
        else:
            yield from self._head(after)
        yield from self._lines(*changes)

    # --- a move ---

    def facts(self, action: int, before: Snapshot) -> Action:
        """What a move is in numbers."""
        seat = before.active
        mover = before.seats[before.active]
        if before.phase == at.CHOICE_PHASE or at.ATTACK_WITH <= action < at.USE_POWER:
            return Action(seat)
        if action >= at.USE_POWER:
            return Action(seat, mana=self.names.everything[mover.power].cost)
        card = mover.hand[_source(action)]
        return Action(seat, card.serial, card.cost)

    def _is_lost(self, action: int, before: Snapshot, after: Snapshot) -> bool:
        """Whether a minion that is played is gone: on a full board, or by its own effect."""
        if before.phase != at.MAIN_PHASE or not at.PLAY <= action < at.ATTACK_WITH:
            return False
        card = before.seats[before.active].hand[_source(action)]
        there = {one.at for side in after.seats for one in (*side.board, *side.hand)}
        is_body = bool(card.max_health) and self._verb(card) == "play"
        return is_body and card.at not in there

    def _play(self, action: int, before: Snapshot) -> str:
        hand = before.seats[before.active].hand
        card = hand[_source(action)]
        line = f"{self._verb(card)} {self._card(before, hand, action)}"
        if option := (action >> at.OPTION_SHIFT) & at.OPTION_MASK:
            option_id = self.names.everything[card.card].options[option - 1]
            line += f" as {self.names.of_card(self.names.pool.number(option_id))}"
        if place := (action >> at.PLACE_SHIFT) & at.PLACE_MASK:
            line += f" at place {place}"
        return line

    def _verb(self, card: Record) -> str:
        return _VERBS.get(self._kind(card), "play")

    def _kind(self, card: Record) -> str:
        """A token that a row describes is no card of the pool, but always a minion."""
        is_card = card.card < len(self.names.everything)
        return self.names.everything[card.card].kind if is_card else "minion"

    def _attack(self, action: int, mover: SeatSnapshot) -> str:
        """Whose attack; to a player `attack X` alone would sound as if X was the victim."""
        if _source(action) == at.BY_PLAYER:
            weapon = mover.weapon.attack if mover.weapon else 0
            return f"attack with the hero ({mover.lent_attack + weapon})"
        by = "with " if self.witness.plays else ""
        return f"attack {by}{self._unit(mover.board[_source(action)])}"

    # --- names ---

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self.names, self.witness)

    def _unit(self, unit: Record) -> str:
        return f"{self.names.beside_stats(unit, self.witness)} {stats(unit)}"

    def _card(self, now: Snapshot, hand: tuple[Record, ...], action: int) -> str:
        """A card of the hand, with its slot if it was in the deck when the game began.

        To a player slots say nothing; what the other one replaces or hides is not shown.
        """
        card = hand[_source(action)]
        if not self.witness.sees(now.active):
            if now.phase == at.MULLIGAN_PHASE:
                return "a card"
            if self._kind(card) == "secret":
                return "a secret"
        name = described(self.names, card)
        if self.witness.plays or not self.names.is_from_deck(now.active, card):
            return name
        return f"{name} (slot {card.slot})"

    def _end_of_deck(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """How a game ended in which nobody's life did."""
        ended = before.result == at.RUNNING and after.result in (0, 1)
        if ended and all(seat.life > 0 for seat in after.seats):
            yield f"{self.witness.does(1 - after.result, 'has')} no card left to draw"

    def _lines(self, *texts: str) -> list[str]:
        """Lines of a turn, wrapped."""
        return [
            line
            for text in texts
            for line in wrap(
                text,
                self.width,
                initial_indent="  ",
                subsequent_indent="      ",
                break_long_words=False,
                break_on_hyphens=False,
            )
        ]


def _before_the_deal(dealt: Snapshot, lives: tuple[int, ...]) -> Snapshot:
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
        for seat, life in zip(dealt.seats, lives, strict=True)
    )
    return replace(dealt, result=at.RUNNING, turn=0, seats=seats)


def _source(action: int) -> int:
    return (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
