"""What has changed between two moments of a game, one phrase for each change.

A record keeps its place in the state as long as the action lasts in which it leaves the game, so
the same place is the same card; another serial there means that the card has become another, or
has returned to the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sim.engine.layout import BLANK
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot
from sim.game_log.viewpoint import (
    READER,
    Names,
    Viewpoint,
    described,
    keyword_names,
    n_cards,
    stats,
)
from sim.ruleset import N_SEATS


@dataclass(frozen=True)
class Action:
    """What the difference between two moments does not say by itself.

    Attributes:
        seat: who acted.
        card: serial of the card played, 0 for none; its way out of the hand is no news.
        mana: what the action cost.
        ends_turn: whether mana has been refilled.
    """

    seat: int
    card: int = 0
    mana: int = 0
    ends_turn: bool = False


@dataclass(frozen=True)
class Changes:
    """Tells changes in the words of a pool, to somebody who may not see everything."""

    names: Names
    witness: Viewpoint = READER

    def between(self, before: Snapshot, after: Snapshot, action: Action) -> Iterator[str]:
        """Minions first, then weapons and players, then cards."""
        yield from self._old_minions(before, after)
        for seat in range(N_SEATS):
            yield from self._weapon(seat, before.seats[seat], after.seats[seat])
            yield from self._player(seat, before.seats[seat], after.seats[seat])
            yield from self._mana(seat, before.seats[seat], after.seats[seat], action)
        yield from self._new_minions(before, after)
        for seat in range(N_SEATS):
            yield from self.of_cards(seat, before, after, action)
        if after.choices:
            offered = ", ".join(self.of_slots(after.active, after.choices))
            yield f"{self.witness.does(after.active, 'may')} choose {offered}"

    # --- minions ---

    def _old_minions(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """What became of those that stood on the boards."""
        standing = {
            minion.at: seat for seat in range(N_SEATS) for minion in after.seats[seat].board
        }
        in_sight = {card.at: card for side in after.seats for card in (*side.board, *side.hand)}
        stood = [(seat, old) for seat in range(N_SEATS) for old in before.seats[seat].board]
        for seat, old in stood:
            called = self.names.beside_stats(old, self.witness)
            name = f"{self.witness.whose(seat)} {called}"
            new = in_sight.get(old.at)
            if new is None:
                yield f"{name} {stats(old)} dies"
            elif old.at not in standing:
                cost = _at_another_cost(new) if self.witness.sees(seat) else ""
                yield f"{name} returns to the hand{cost}"
            elif new.serial != old.serial:
                yield f"{name} becomes {described(self.names, new)}"
            else:
                if standing[old.at] != seat:
                    yield f"{name} goes over to {self.witness.named(standing[old.at])}"
                yield from _of_unit(name, old, new)

    def _new_minions(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        known = {minion.at for seat in before.seats for minion in seat.board}
        known |= {card.at for seat in before.seats for card in seat.hand}
        for seat in range(N_SEATS):
            for minion in after.seats[seat].board:
                if minion.at not in known:
                    yield f"{self.witness.does(seat, 'summons')} {described(self.names, minion)}"

    # --- players ---

    def _weapon(self, seat: int, before: SeatSnapshot, after: SeatSnapshot) -> Iterator[str]:
        old = before.weapon
        new = after.weapon
        whose = self.witness.whose(seat)
        if old and new and old.serial == new.serial:
            yield from _changed(f"{whose} {self.names.of(old)}", stats(old), stats(new))
            return
        if old:
            yield f"{whose} {self.names.of(old)} {stats(old)} breaks"
        if new:
            yield f"{self.witness.does(seat, 'equips')} {described(self.names, new)}"

    def _player(self, seat: int, before: SeatSnapshot, after: SeatSnapshot) -> Iterator[str]:
        whose = self.witness.whose(seat)
        if after.fatigue > before.fatigue:
            yield f"{self.witness.does(seat, 'is')} tired: fatigue {after.fatigue}"
        yield from _changed(f"{whose} armour", before.armor, after.armor)
        yield from _changed(f"{whose} life", before.life, after.life)
        if after.lent_attack > before.lent_attack:
            yield f"{whose} hero attack +{after.lent_attack - before.lent_attack}"
        yield from _of_abilities(f"{whose} hero", before, after)
        if after.power != before.power:
            yield f"{whose} hero power becomes {self.names.of_card(after.power)}"
        waiting = {secret.serial for secret in after.secrets}
        for secret in before.secrets:
            if secret.serial not in waiting:
                yield f"{whose} secret {self.names.of(secret)} comes to light"

    # --- cards ---

    def of_cards(
        self, seat: int, before: Snapshot, after: Snapshot, action: Action
    ) -> Iterator[str]:
        """What came into a hand and what left it."""
        old = before.seats[seat]
        new = after.seats[seat]
        known = {card.serial: card for card in old.hand}
        from_board = {minion.at for one in before.seats for minion in one.board}
        arrived = [c for c in new.hand if c.serial not in known and c.at not in from_board]
        off_deck = old.deck - new.deck
        offered = set(before.choices) if before.active == seat else set()
        drawn = [
            c for c in arrived if self.names.is_from_deck(seat, c) and c.slot in off_deck | offered
        ]
        if drawn:
            yield f"{self.witness.does(seat, 'draws')} {', '.join(self._drawn(seat, drawn))}"
        waiting = set(after.choices) if after.active == seat else set()
        for slot in sorted((off_deck | offered) - {card.slot for card in drawn} - waiting):
            yield self._lost_from_deck(seat, slot, is_offered=slot in offered)
        for card in arrived:
            if card not in drawn:
                yield f"{self.witness.does(seat, 'is')} given {described(self.names, card)}"
        yield from self._discards(seat, before, after, action)
        for card in new.hand if self.witness.sees(seat) else ():
            if card.serial in known:
                yield from self._in_hand(seat, known[card.serial], card)

    def of_slots(self, seat: int, slots: Sequence[int]) -> list[str]:
        """Cards of a deck, or how many, to who may not see them."""
        if not self.witness.sees(seat):
            return [n_cards(len(slots))]
        return [self._of_slot(seat, slot) for slot in slots]

    def _of_slot(self, seat: int, slot: int) -> str:
        """A card of a deck; to a player, who knows its own deck, no number says which copy."""
        name = self.names.of_card(self.names.decks[seat, 1 + slot])
        return name if self.witness.plays else f"{name} (slot {slot})"

    def _drawn(self, seat: int, cards: Sequence[Record]) -> list[str]:
        if not self.witness.sees(seat):
            return [n_cards(len(cards))]
        names = self.of_slots(seat, [card.slot for card in cards])
        return [f"{name}{_at_another_cost(card)}" for name, card in zip(names, cards, strict=True)]

    def _lost_from_deck(self, seat: int, slot: int, *, is_offered: bool) -> str:
        """A card that is burnt is shown to both players, but not one that was not chosen."""
        if self.names.decks[seat, 1 + slot] == BLANK:
            return f"{self.witness.does(seat, 'skips')} the blank slot {slot}"
        if is_offered:
            return f"{self.witness.does(seat, 'throws')} {self.of_slots(seat, [slot])[0]} away"
        return f"{self.witness.does(seat, 'burns')} {self._of_slot(seat, slot)}: hand full"

    def _discards(
        self, seat: int, before: Snapshot, after: Snapshot, action: Action
    ) -> Iterator[str]:
        """Cards that left a hand for nowhere; the card played went where the player sent it."""
        kept = {card.at for card in after.seats[seat].hand}
        kept |= {minion.at for minion in after.seats[seat].board}
        for card in before.seats[seat].hand:
            is_back = card.slot in after.seats[seat].deck - before.seats[seat].deck
            if card.at not in kept and card.serial != action.card and not is_back:
                yield f"{self.witness.does(seat, 'discards')} {described(self.names, card)}"

    def _in_hand(self, seat: int, old: Record, new: Record) -> Iterator[str]:
        """What happened to a card while it was held; costs that auras change are not told."""
        name = f"{self.witness.whose(seat)} {self.names.of(new)} in hand"
        if new.cost_change != old.cost_change:
            yield f"{name} costs {old.cost} -> {new.cost}"
        yield from _of_unit(name, old, new)

    # --- mana ---

    def _mana(
        self, seat: int, old: SeatSnapshot, new: SeatSnapshot, action: Action
    ) -> Iterator[str]:
        """Mana that came or went otherwise than by paying and by the beginning of a turn."""
        if action.ends_turn:
            return
        paid = action.mana if seat == action.seat else 0
        whose = self.witness.whose(seat)
        yield from _changed(f"{whose} mana", old.mana - paid, new.mana)
        yield from _changed(f"{whose} crystals", old.mana_cap, new.mana_cap)
        yield from _changed(f"{whose} overload", old.overload_owed, new.overload_owed)


def _at_another_cost(card: Record) -> str:
    """What the same action has made of the cost of a card that comes into a hand."""
    return f" for {card.cost} mana" if card.cost_change else ""


def _changed(what: str, old: int | str, new: int | str) -> Iterator[str]:
    """A number that is no longer what it was."""
    if new != old:
        yield f"{what} {old} -> {new}"


def _of_abilities(
    name: str, old: Record | SeatSnapshot, new: Record | SeatSnapshot
) -> Iterator[str]:
    """What a minion or a hero can do, and whether it is frozen."""
    if gained := keyword_names(new.keywords & ~old.keywords):
        yield f"{name} gains {', '.join(gained)}"
    if lost := keyword_names(old.keywords & ~new.keywords):
        yield f"{name} loses {', '.join(lost)}"
    if new.is_frozen != old.is_frozen:
        yield f"{name} {'freezes' if new.is_frozen else 'thaws'}"


def _of_unit(name: str, old: Record, new: Record) -> Iterator[str]:
    """What changed about a minion that is still the same one."""
    if new.is_silenced and not old.is_silenced:
        yield f"{name} is silenced"
    if (stats(old), old.max_health) != (stats(new), new.max_health):
        yield f"{name} {stats(old)} -> {stats(new)} ({', '.join(_reasons(old, new))})"
    yield from _of_abilities(name, old, new)


def _reasons(old: Record, new: Record) -> Iterator[str]:
    """Why numbers changed: by what they were raised or lowered, and by damage or healing."""
    attack = new.attack - old.attack
    health = new.max_health - old.max_health
    if attack or health:
        yield f"{attack:+}/{health:+}"
    damage = (new.max_health - new.health) - (old.max_health - old.health)
    if damage > 0:
        yield f"damage {damage}"
    elif damage < 0 <= health:  # where health goes, the damage that it stood for goes with it
        yield f"healed {-damage}"
