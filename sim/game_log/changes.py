"""Descriptions of the changes between two snapshots of a game, with one phrase for each change.

The place (offset) of a record in the state is not used again before the end of the action in which
the card leaves the game, so records with equal places belong to the same card. If their serials
differ, the card was transformed or has returned to the hand.
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
    description,
    keyword_names,
    n_cards,
    stats,
)
from sim.ruleset import N_SEATS


@dataclass(frozen=True)
class ActionContext:
    """Facts about an action that the snapshots before and after it do not show.

    Attributes:
        seat: seat that acted.
        card: serial of the played card, to leave out its departure from the hand; 0 if the action
            did not play a card.
        mana: mana that the action cost.
        ends_turn: whether the action ended a turn, so that mana was refilled.
    """

    seat: int
    card: int = 0
    mana: int = 0
    ends_turn: bool = False


@dataclass(frozen=True)
class Changes:
    """Writer of the changes between two snapshots, from one viewpoint.

    Attributes:
        names: names of the cards in the game.
        viewpoint: viewpoint of the log; cards that are hidden from it are not named.
    """

    names: Names
    viewpoint: Viewpoint = READER

    def between(self, before: Snapshot, after: Snapshot, action: ActionContext) -> Iterator[str]:
        """Yield a phrase for each change that an action caused.

        The order is: minions that were on a board before, weapons and players, new minions, cards
        of hands and decks, and the choice that follows the action, if any.

        Args:
            before: snapshot before the action.
            after: snapshot after the action.
            action: facts about the action.
        """
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
            yield f"{self.viewpoint.does(after.active, 'may')} choose {offered}"

    # --- changes of minions ---

    def _old_minions(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the changes of minions that were on a board before the action.

        Such a minion may have died, returned to a hand, been transformed, changed sides, or got
        other numbers, keywords or states.
        """
        on_boards = {
            minion.at: seat for seat in range(N_SEATS) for minion in after.seats[seat].board
        }
        visible_cards = {
            card.at: card for side in after.seats for card in (*side.board, *side.hand)
        }
        old_minions = [(seat, old) for seat in range(N_SEATS) for old in before.seats[seat].board]
        for seat, old in old_minions:
            unit_name = self.names.name_before_stats(old, self.viewpoint)
            name = f"{self.viewpoint.possessive(seat)} {unit_name}"
            new = visible_cards.get(old.at)
            if new is None:
                yield f"{name} {stats(old)} dies"
            elif old.at not in on_boards:
                cost = _cost_change(new) if self.viewpoint.sees(seat) else ""
                yield f"{name} returns to the hand{cost}"
            elif new.serial != old.serial:
                yield f"{name} becomes {description(self.names, new)}"
            else:
                if on_boards[old.at] != seat:
                    yield f"{name} goes over to {self.viewpoint.name_of(on_boards[old.at])}"
                yield from _of_unit(name, old, new)

    def _new_minions(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the summoned minions, which were on no board and in no hand before the action."""
        known = {minion.at for seat in before.seats for minion in seat.board}
        known |= {card.at for seat in before.seats for card in seat.hand}
        for seat in range(N_SEATS):
            for minion in after.seats[seat].board:
                if minion.at not in known:
                    summoner = self.viewpoint.does(seat, "summons")
                    yield f"{summoner} {description(self.names, minion)}"

    # --- changes of players and their weapons ---

    def _weapon(self, seat: int, before: SeatSnapshot, after: SeatSnapshot) -> Iterator[str]:
        """Yield the changes of a seat's weapon: other numbers, a broken weapon, a new weapon."""
        old = before.weapon
        new = after.weapon
        owner = self.viewpoint.possessive(seat)
        if old and new and old.serial == new.serial:
            yield from _number_change(f"{owner} {self.names.of(old)}", stats(old), stats(new))
            return
        if old:
            yield f"{owner} {self.names.of(old)} {stats(old)} breaks"
        if new:
            yield f"{self.viewpoint.does(seat, 'equips')} {description(self.names, new)}"

    def _player(self, seat: int, before: SeatSnapshot, after: SeatSnapshot) -> Iterator[str]:
        """Yield the changes of a player's numbers, keywords, hero power and secrets."""
        owner = self.viewpoint.possessive(seat)
        if after.fatigue > before.fatigue:
            yield f"{self.viewpoint.does(seat, 'is')} tired: fatigue {after.fatigue}"
        yield from _number_change(f"{owner} armour", before.armor, after.armor)
        yield from _number_change(f"{owner} life", before.life, after.life)
        if after.lent_attack > before.lent_attack:
            yield f"{owner} hero attack +{after.lent_attack - before.lent_attack}"
        yield from _of_abilities(f"{owner} hero", before, after)
        if after.power != before.power:
            yield f"{owner} hero power becomes {self.names.of_card(after.power)}"
        active_secrets = {secret.serial for secret in after.secrets}
        for secret in before.secrets:
            if secret.serial not in active_secrets:
                yield f"{owner} secret {self.names.of(secret)} comes to light"

    # --- changes of cards in hands and decks ---

    def of_cards(
        self, seat: int, before: Snapshot, after: Snapshot, action: ActionContext
    ) -> Iterator[str]:
        """Yield the changes of a seat's hand and deck.

        These are cards that were drawn, lost from the deck, given, discarded or changed in the
        hand. Changes of cards in a hand are reported only if the hand is visible.

        Args:
            seat: seat that owns the cards.
            before: snapshot before the action.
            after: snapshot after the action.
            action: facts about the action.
        """
        old = before.seats[seat]
        new = after.seats[seat]
        known = {card.serial: card for card in old.hand}
        from_board = {minion.at for side in before.seats for minion in side.board}
        arrived = [
            card for card in new.hand if card.serial not in known and card.at not in from_board
        ]
        off_deck = old.deck - new.deck
        offered = set(before.choices) if before.active == seat else set()
        drawn = [
            card
            for card in arrived
            if self.names.is_from_deck(seat, card) and card.slot in off_deck | offered
        ]
        if drawn:
            yield f"{self.viewpoint.does(seat, 'draws')} {', '.join(self._drawn(seat, drawn))}"
        # Slots leave the deck without a draw if they are burnt or blank, or offered and not chosen.
        # Slots that are still being offered have not been decided yet.
        still_offered = set(after.choices) if after.active == seat else set()
        for slot in sorted((off_deck | offered) - {card.slot for card in drawn} - still_offered):
            yield self._removed_from_deck(seat, slot, is_offered=slot in offered)
        for card in arrived:
            if card not in drawn:
                yield f"{self.viewpoint.does(seat, 'is')} given {description(self.names, card)}"
        yield from self._discards(seat, before, after, action)
        for card in new.hand if self.viewpoint.sees(seat) else ():
            if card.serial in known:
                yield from self._in_hand(seat, known[card.serial], card)

    def of_slots(self, seat: int, slots: Sequence[int]) -> list[str]:
        """Return the name of the card in each deck slot of a seat.

        If the cards are hidden, the only entry of the list is their number in words.
        """
        if not self.viewpoint.sees(seat):
            return [n_cards(len(slots))]
        return [self._of_slot(seat, slot) for slot in slots]

    def _of_slot(self, seat: int, slot: int) -> str:
        """Return the name of the card in a deck slot; an omniscient log adds the slot's number."""
        name = self.names.of_card(self.names.decks[seat, 1 + slot])
        return name if self.viewpoint.is_player else f"{name} (slot {slot})"

    def _drawn(self, seat: int, cards: Sequence[Record]) -> list[str]:
        """Return the names of drawn cards; if they are hidden, only their number in words.

        A name is followed by the cost of the card if the action has changed the cost.
        """
        if not self.viewpoint.sees(seat):
            return [n_cards(len(cards))]
        names = self.of_slots(seat, [card.slot for card in cards])
        return [f"{name}{_cost_change(card)}" for name, card in zip(names, cards, strict=True)]

    def _removed_from_deck(self, seat: int, slot: int, *, is_offered: bool) -> str:
        """Return the phrase for a slot that left the deck without a draw.

        Both players see a burnt card; only its owner sees an offered card that was not chosen.

        Args:
            seat: seat that owns the deck.
            slot: deck slot of the card.
            is_offered: whether the card was offered in a choice and not chosen.
        """
        if self.names.decks[seat, 1 + slot] == BLANK:
            return f"{self.viewpoint.does(seat, 'skips')} the blank slot {slot}"
        if is_offered:
            return f"{self.viewpoint.does(seat, 'throws')} {self.of_slots(seat, [slot])[0]} away"
        return f"{self.viewpoint.does(seat, 'burns')} {self._of_slot(seat, slot)}: hand full"

    def _discards(
        self, seat: int, before: Snapshot, after: Snapshot, action: ActionContext
    ) -> Iterator[str]:
        """Yield the cards that left a hand and were neither played nor returned to the deck."""
        kept_cards = {card.at for card in after.seats[seat].hand}
        kept_cards |= {minion.at for minion in after.seats[seat].board}
        for card in before.seats[seat].hand:
            is_back = card.slot in after.seats[seat].deck - before.seats[seat].deck
            if card.at not in kept_cards and card.serial != action.card and not is_back:
                yield f"{self.viewpoint.does(seat, 'discards')} {description(self.names, card)}"

    def _in_hand(self, seat: int, old: Record, new: Record) -> Iterator[str]:
        """Yield the changes of a card that stays in the hand, except cost changes by auras."""
        name = f"{self.viewpoint.possessive(seat)} {self.names.of(new)} in hand"
        if new.cost_change != old.cost_change:
            yield f"{name} costs {old.cost} -> {new.cost}"
        yield from _of_unit(name, old, new)

    # --- changes of mana, and phrases for changed numbers and keywords ---

    def _mana(
        self, seat: int, old: SeatSnapshot, new: SeatSnapshot, action: ActionContext
    ) -> Iterator[str]:
        """Yield the changes of a seat's mana, mana crystals and overload.

        Payment for the action is not reported. Nothing is reported for the end of a turn, at which
        mana is refilled.

        Args:
            seat: seat that owns the mana.
            old: state of the seat before the action.
            new: state of the seat after the action.
            action: facts about the action.
        """
        if action.ends_turn:
            return
        paid = action.mana if seat == action.seat else 0
        owner = self.viewpoint.possessive(seat)
        yield from _number_change(f"{owner} mana", old.mana - paid, new.mana)
        yield from _number_change(f"{owner} crystals", old.mana_cap, new.mana_cap)
        yield from _number_change(f"{owner} overload", old.overload_owed, new.overload_owed)


def _cost_change(card: Record) -> str:
    """Return words for the cost of a card that arrives in a hand; `""` if it has not changed."""
    return f" for {card.cost} mana" if card.cost_change else ""


def _number_change(name: str, old: int | str, new: int | str) -> Iterator[str]:
    """Yield the phrase `name old -> new` if a number has changed, otherwise nothing."""
    if new != old:
        yield f"{name} {old} -> {new}"


def _of_abilities(
    name: str, old: Record | SeatSnapshot, new: Record | SeatSnapshot
) -> Iterator[str]:
    """Yield the changes of the keywords of a minion or hero, and whether it freezes or thaws.

    Args:
        name: name of the minion or hero in the phrases.
        old: its state before the action.
        new: its state after the action.
    """
    if gained := keyword_names(new.keywords & ~old.keywords):
        yield f"{name} gains {', '.join(gained)}"
    if lost := keyword_names(old.keywords & ~new.keywords):
        yield f"{name} loses {', '.join(lost)}"
    if new.is_frozen != old.is_frozen:
        yield f"{name} {'freezes' if new.is_frozen else 'thaws'}"


def _of_unit(name: str, old: Record, new: Record) -> Iterator[str]:
    """Yield the changes of a minion or card in hand: silence, numbers, keywords and freezing.

    Args:
        name: name of the minion or card in the phrases.
        old: its record before the action.
        new: its record after the action, with the same serial.
    """
    if new.is_silenced and not old.is_silenced:
        yield f"{name} is silenced"
    if (stats(old), old.max_health) != (stats(new), new.max_health):
        yield f"{name} {stats(old)} -> {stats(new)} ({', '.join(_reasons(old, new))})"
    yield from _of_abilities(name, old, new)


def _reasons(old: Record, new: Record) -> Iterator[str]:
    """Yield the causes of the changed numbers of a minion.

    The causes are a change of attack and maximum health such as `+1/+1`, then damage or healing.
    """
    attack = new.attack - old.attack
    health = new.max_health - old.max_health
    if attack or health:
        yield f"{attack:+}/{health:+}"
    damage = (new.max_health - new.health) - (old.max_health - old.health)
    if damage > 0:
        yield f"damage {damage}"
    elif damage < 0 <= health:  # losing maximum health may cancel damage, which is no healing
        yield f"healed {-damage}"
