"""Game logs: one line for each action, with all changes that it caused.

The changes of an action follow from the difference between the snapshots before and after it
(`sim.game_log.changes`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import wrap

from sim.engine import layout as at
from sim.game_log.changes import ActionContext, Changes
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot
from sim.game_log.viewpoint import READER, Names, Viewpoint, description, stats
from sim.ruleset import N_SEATS

_WIDTH = 100  # characters of a line, which fit common terminals and editors
_VERBS = {"spell": "cast", "weapon": "equip"}  # by kind of card; other cards are played


@dataclass(frozen=True)
class LogWriter:
    """Writer of a game log from one viewpoint, with the card names of a pool.

    Attributes:
        names: names of the cards.
        lives: life of each seat at the start.
        viewpoint: the viewpoint of the log; cards that it may not see are not named.
        width: characters of a line.
    """

    names: Names
    lives: tuple[int, ...]
    viewpoint: Viewpoint = READER
    width: int = _WIDTH

    def opening(self, dealt: Snapshot) -> Iterator[str]:
        """Yield the lines of the opening hands, and the heading of the mulligan or first turn."""
        yield ""
        undealt = _before_the_deal(dealt, self.lives)
        changes = self._changes.between(undealt, dealt, ActionContext(dealt.active, ends_turn=True))
        yield from self._lines(*changes, *self._end_of_deck(undealt, dealt))
        if dealt.phase == at.MULLIGAN_PHASE or dealt.turn:
            yield from self._head(dealt)

    def action(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Return the line of an action, wrapped; the end of a turn also opens the next one.

        Args:
            action: the engine action.
            before: the game before the action.
            after: the game after the action.
        """
        if before.phase == at.MULLIGAN_PHASE:
            return self._mulligan(action, before, after)
        if before.phase == at.MAIN_PHASE and action == at.END_TURN:
            return self._end_turn(before, after)
        line = self.action_words(action, before)
        context = self.context(action, before)
        if self._is_lost(action, before, after):
            line += ", destroyed"
        changes = self._changes.between(before, after, context)
        return iter(self._lines("; ".join([line, *changes, *self._end_of_deck(before, after)])))

    def action_words(self, action: int, before: Snapshot) -> str:
        """Return the words for an action, without its consequences."""
        return self.source(action, before) + self.target(action, before)

    def source(self, action: int, before: Snapshot) -> str:
        """Return the words for an action without its target."""
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
        """Return the target of an action behind an arrow; `""` if there is none."""
        code = action & at.POSITION_MASK
        own = before.seats[before.active]
        enemy = before.seats[1 - before.active]
        if action == at.END_TURN or before.phase != at.MAIN_PHASE or code == at.AT_NOBODY:
            return ""
        if code in (at.AT_PLAYER, at.AT_OWN_PLAYER):
            return f" -> {self._player(before.active, is_own=code == at.AT_OWN_PLAYER)}"
        if code < at.AT_OWN_MINION:
            owner = "your " if self.viewpoint.seat == 1 - before.active else ""
            return f" -> {owner}{self._unit(enemy.board[code])}"
        owner = "your" if self.viewpoint.seat == before.active else "own"
        return f" -> {owner} {self._unit(own.board[code - at.AT_OWN_MINION])}"

    def _player(self, active: int, *, is_own: bool) -> str:
        """Return the name of the acting player or of the opponent as a target.

        Args:
            active: the seat that acts.
            is_own: whether the target is the acting player.
        """
        if self.viewpoint.is_player:
            return self.viewpoint.name_of(active if is_own else 1 - active)
        return "own player" if is_own else "player"

    # --- before the first turn ---

    def _mulligan(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the line of an action of a mulligan.

        The last one is followed by the new cards and by the heading of the next phase. Cards that
        the other seat receives at the beginning of the first turn come behind its heading.
        """
        seat = before.active
        line = self.action_words(action, before)
        if action != at.END_TURN:
            yield from self._lines(line)
            return
        context = ActionContext(seat, ends_turn=True)
        yield from self._lines(
            "; ".join([line, *self._changes.of_cards(seat, before, after, context)])
        )
        yield from self._head(after)
        if after.phase != at.MULLIGAN_PHASE:
            yield from self._lines(*self._changes.of_cards(1 - seat, before, after, context))

    # --- a turn ---

    def _head(self, now: Snapshot) -> Iterator[str]:
        """Yield the heading of a mulligan or of a turn."""
        yield ""
        if now.phase == at.MULLIGAN_PHASE:
            yield f"mulligan of {self.viewpoint.name_of(now.active)}"
        elif self.viewpoint.is_player:
            yield f"T{now.turn:02} {self.viewpoint.possessive(now.active)} turn"
        else:
            yield from self._position(now)

    def _position(self, now: Snapshot) -> Iterator[str]:
        """Yield the position as an omniscient reader sees it at the beginning of a turn.

        A log from a player's viewpoint has no positions: the player is shown them when it is to
        move.
        """
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
        """Return the weapon and the minions of a seat as one line."""
        weapon = f"({description(self.names, now.weapon)}) " if now.weapon else ""
        minions = ", ".join(description(self.names, minion) for minion in now.board)
        return f"board {seat}: {weapon}{minions or '-'}"

    def _end_turn(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the lines of the end of a turn, including the beginning of the next one.

        The engine carries out both as one action.
        """
        yield "  end turn"
        context = ActionContext(before.active, ends_turn=True)
        changes = [
            *self._changes.between(before, after, context),
            *self._end_of_deck(before, after),
        ]
        if after.turn == before.turn:
            changes = changes or ["the last turn is over"]
        else:
            yield from self._head(after)
        yield from self._lines(*changes)

    # --- a move ---

    def context(self, action: int, before: Snapshot) -> ActionContext:
        """Return the acting seat, the played card and the mana cost of an action."""
        seat = before.active
        mover = before.seats[before.active]
        if before.phase == at.CHOICE_PHASE or at.ATTACK_WITH <= action < at.USE_POWER:
            return ActionContext(seat)
        if action >= at.USE_POWER:
            return ActionContext(seat, mana=self.names.everything[mover.power].cost)
        card = mover.hand[_source(action)]
        return ActionContext(seat, card.serial, card.cost)

    def _is_lost(self, action: int, before: Snapshot, after: Snapshot) -> bool:
        """Return whether a played minion is not in play: on a full board, or by its own effect."""
        if before.phase != at.MAIN_PHASE or not at.PLAY <= action < at.ATTACK_WITH:
            return False
        card = before.seats[before.active].hand[_source(action)]
        remaining = {record.at for side in after.seats for record in (*side.board, *side.hand)}
        is_minion = bool(card.max_health) and self._verb(card) == "play"
        return is_minion and card.at not in remaining

    def _play(self, action: int, before: Snapshot) -> str:
        """Return the words for playing a card, with its option and place."""
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
        """Return the verb for playing a card."""
        return _VERBS.get(self._kind(card), "play")

    def _kind(self, card: Record) -> str:
        """Return the kind of a card; plain tokens, which are not in the pool, are minions."""
        is_card = card.card < len(self.names.everything)
        return self.names.everything[card.card].kind if is_card else "minion"

    def _attack(self, action: int, mover: SeatSnapshot) -> str:
        """Return the words for an attack without its target.

        To a player it reads `attack with X`, since `attack X` could be read as an attack on X.
        """
        if _source(action) == at.BY_PLAYER:
            weapon = mover.weapon.attack if mover.weapon else 0
            return f"attack with the hero ({mover.lent_attack + weapon})"
        by = "with " if self.viewpoint.is_player else ""
        return f"attack {by}{self._unit(mover.board[_source(action)])}"

    # --- names ---

    @cached_property
    def _changes(self) -> Changes:
        """The writer of changes between two snapshots."""
        return Changes(self.names, self.viewpoint)

    def _unit(self, unit: Record) -> str:
        """Return the name of a minion with its attack and health."""
        return f"{self.names.name_before_stats(unit, self.viewpoint)} {stats(unit)}"

    def _card(self, now: Snapshot, hand: tuple[Record, ...], action: int) -> str:
        """Return a card of the hand as the viewpoint may see it.

        A reader also sees the deck slot of a card that was in the deck when the game began.

        Args:
            now: the current moment.
            hand: the hand of the acting seat.
            action: the action, which names the card's place.
        """
        card = hand[_source(action)]
        if not self.viewpoint.sees(now.active):
            if now.phase == at.MULLIGAN_PHASE:
                return "a card"
            if self._kind(card) == "secret":
                return "a secret"
        name = description(self.names, card)
        if self.viewpoint.is_player or not self.names.is_from_deck(now.active, card):
            return name
        return f"{name} (slot {card.slot})"

    def _end_of_deck(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the line for a game that ended because a deck ran out.

        It ended so if there is a winner although both players have life left.
        """
        ended = before.result == at.RUNNING and after.result in (0, 1)
        if ended and all(seat.life > 0 for seat in after.seats):
            yield f"{self.viewpoint.does(1 - after.result, 'has')} no card left to draw"

    def _lines(self, *texts: str) -> list[str]:
        """Return texts as wrapped and indented lines."""
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
    """Return the moment before the opening hands, as far as logs compare moments.

    Args:
        dealt: the moment after the deal.
        lives: life of each seat at the start.
    """
    seats = tuple(
        replace(
            seat,
            life=life,
            n_draws=0,
            fatigue=0,
            hand=(),
            board=(),
            drawn_slots=frozenset(),
            deck=seat.deck | seat.drawn_slots,  # without the coin, which was never in the deck
        )
        for seat, life in zip(dealt.seats, lives, strict=True)
    )
    return replace(dealt, result=at.RUNNING, turn=0, seats=seats)


def _source(action: int) -> int:
    """Return the place of the card or minion that acts, as the action encodes it."""
    return (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
