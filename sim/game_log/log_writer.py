"""Writer of game logs, with one line for each action and all changes that it caused.

The changes are derived from the snapshots before and after the action (`sim.game_log.changes`).
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

_WIDTH = 100  # characters per line, which fit common terminals and editors
_VERBS = {"spell": "cast", "weapon": "equip"}  # by kind of card; for other kinds it is `play`


@dataclass(frozen=True)
class LogWriter:
    """Writer of a game log from one viewpoint.

    Attributes:
        names: names of the cards in the game.
        lives: life of each seat at the start of the game.
        viewpoint: viewpoint of the log; cards that are hidden from it are not named.
        width: maximum number of characters per line.
    """

    names: Names
    lives: tuple[int, ...]
    viewpoint: Viewpoint = READER
    width: int = _WIDTH

    def opening(self, dealt: Snapshot) -> Iterator[str]:
        """Yield the lines of the opening hands, and the heading of the mulligan or first turn.

        Args:
            dealt: snapshot after the deal.
        """
        yield ""
        undealt = _before_the_deal(dealt, self.lives)
        changes = self._changes.between(undealt, dealt, ActionContext(dealt.active, ends_turn=True))
        yield from self._lines(*changes, *self._end_of_deck(undealt, dealt))
        if dealt.phase == at.MULLIGAN_PHASE or dealt.turn:
            yield from self._head(dealt)

    def action(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Return the wrapped lines of an action and its consequences.

        For the end of a turn, they include the heading of the next turn.

        Args:
            action: number of the engine action.
            before: snapshot before the action.
            after: snapshot after the action.
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
        """Return the words for an action and its target, without its consequences.

        Args:
            action: number of the engine action.
            before: snapshot before the action.
        """
        return self.source(action, before) + self.target(action, before)

    def source(self, action: int, before: Snapshot) -> str:
        """Return the words for an action without its target, such as `play imp 1/1`.

        Args:
            action: number of the engine action.
            before: snapshot before the action.
        """
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
        """Return an arrow and the target of an action, such as ` -> player`; `""` without target.

        Args:
            action: number of the engine action.
            before: snapshot before the action.
        """
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
        """Return the name of a player who is the target of an action.

        Args:
            active: seat that acts.
            is_own: whether the target is the acting player; otherwise it is the opponent.
        """
        if self.viewpoint.is_player:
            return self.viewpoint.name_of(active if is_own else 1 - active)
        return "own player" if is_own else "player"

    # --- lines before the first turn ---

    def _mulligan(self, action: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the lines of an action in a mulligan.

        After the last action of a seat, the lines include its new cards and the heading of the next
        mulligan or of the first turn. The heading of the first turn is followed by the cards that
        the other seat receives.
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

    # --- lines of a turn ---

    def _head(self, now: Snapshot) -> Iterator[str]:
        """Yield an empty line and the heading of a mulligan or turn.

        In an omniscient log, the heading of a turn is the full position.
        """
        yield ""
        if now.phase == at.MULLIGAN_PHASE:
            yield f"mulligan of {self.viewpoint.name_of(now.active)}"
        elif self.viewpoint.is_player:
            yield f"T{now.turn:02} {self.viewpoint.possessive(now.active)} turn"
        else:
            yield from self._position(now)

    def _position(self, now: Snapshot) -> Iterator[str]:
        """Yield the lines of the full position at the beginning of a turn.

        They are used only in omniscient logs. A player in an interactive session is shown the
        position when it is to move.
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
        """Return the words for the weapon and the minions of a seat; without minions, `-`."""
        weapon = f"({description(self.names, now.weapon)}) " if now.weapon else ""
        minions = ", ".join(description(self.names, minion) for minion in now.board)
        return f"board {seat}: {weapon}{minions or '-'}"

    def _end_turn(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the lines for the end of a turn and the beginning of the next turn.

        The engine carries out both as one action, so their changes cannot be separated.
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

    # --- words for one action ---

    def context(self, action: int, before: Snapshot) -> ActionContext:
        """Return facts about an action: the acting seat, the played card and the mana cost.

        Args:
            action: number of the engine action, which does not end a turn.
            before: snapshot before the action.
        """
        seat = before.active
        mover = before.seats[before.active]
        if before.phase == at.CHOICE_PHASE or at.ATTACK_WITH <= action < at.USE_POWER:
            return ActionContext(seat)
        if action >= at.USE_POWER:
            return ActionContext(seat, mana=self.names.everything[mover.power].cost)
        card = mover.hand[_source(action)]
        return ActionContext(seat, card.serial, card.cost)

    def _is_lost(self, action: int, before: Snapshot, after: Snapshot) -> bool:
        """Return whether an action played a minion that is on no board and in no hand afterwards.

        This happens if the board is full, or if the minion dies in the same action.
        """
        if before.phase != at.MAIN_PHASE or not at.PLAY <= action < at.ATTACK_WITH:
            return False
        card = before.seats[before.active].hand[_source(action)]
        remaining = {record.at for side in after.seats for record in (*side.board, *side.hand)}
        is_minion = bool(card.max_health) and self._verb(card) == "play"
        return is_minion and card.at not in remaining

    def _play(self, action: int, before: Snapshot) -> str:
        """Return the words for playing a card, with the chosen option and place if it has any."""
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
        """Return the verb for playing a card: `cast`, `equip` or `play`."""
        return _VERBS.get(self._kind(card), "play")

    def _kind(self, card: Record) -> str:
        """Return the kind of a card; it is `minion` for plain tokens, which are not in the pool."""
        is_card = card.card < len(self.names.everything)
        return self.names.everything[card.card].kind if is_card else "minion"

    def _attack(self, action: int, mover: SeatSnapshot) -> str:
        """Return the words for an attack without its target.

        A player's log has `attack with X` instead of `attack X`, which could be read as an attack
        on X.

        Args:
            action: number of the engine action.
            mover: state of the acting seat before the action.
        """
        if _source(action) == at.BY_PLAYER:
            weapon = mover.weapon.attack if mover.weapon else 0
            return f"attack with the hero ({mover.lent_attack + weapon})"
        by = "with " if self.viewpoint.is_player else ""
        return f"attack {by}{self._unit(mover.board[_source(action)])}"

    # --- names of cards and minions ---

    @cached_property
    def _changes(self) -> Changes:
        """Writer of the changes between snapshots, with the same names and viewpoint."""
        return Changes(self.names, self.viewpoint)

    def _unit(self, unit: Record) -> str:
        """Return the name of a minion with its attack and health."""
        return f"{self.names.name_before_stats(unit, self.viewpoint)} {stats(unit)}"

    def _card(self, now: Snapshot, hand: tuple[Record, ...], action: int) -> str:
        """Return the words for a card of the acting seat's hand, or `a card` if it is hidden.

        An opponent's secret is called `a secret`. In an omniscient log, a card that was in the
        deck when the game began is followed by its deck slot.

        Args:
            now: snapshot before the action.
            hand: hand of the acting seat.
            action: number of the engine action, which contains the card's place in the hand.
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
        """Yield the words for the end of a game because a deck has run out, otherwise nothing.

        This was the cause if the action ended the game with a winner and both players are alive.
        """
        ended = before.result == at.RUNNING and after.result in (0, 1)
        if ended and all(seat.life > 0 for seat in after.seats):
            yield f"{self.viewpoint.does(1 - after.result, 'has')} no card left to draw"

    def _lines(self, *texts: str) -> list[str]:
        """Return texts as wrapped and indented lines; each text begins a new line."""
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
    """Return a snapshot of the game before the deal, for comparison with the snapshot after it.

    Only the fields that `Changes` compares are valid.

    Args:
        dealt: snapshot after the deal.
        lives: life of each seat at the start of the game.
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
    """Return the place of the acting card or minion that an engine action contains."""
    return (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
