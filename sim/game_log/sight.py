"""What a player sees of a position, as lines: both sides in public, and its own hand.

Of the other side it is shown what every fair agent knows (`agents.search.worlds`): how many cards
it holds, and of these the ones that were given to it in plain sight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap

from sim.cards.text.card_text import card_lines
from sim.engine.layout import BLANK, CHOICE_PHASE
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot
from sim.game_log.witness import Names, described

_LABEL = 10  # letters
_KEYWORDS = "Keywords: "


@dataclass(frozen=True)
class Sight:
    """What the player of a seat sees.

    Attributes:
        names: what cards are called.
        seat: whose player it is.
        width: of a line.
    """

    names: Names
    seat: int
    width: int

    def position(self, now: Snapshot, *, whole: bool) -> Iterator[str]:
        """The position; the whole one says of each card in the hand what it does."""
        own, enemy = now.seats[self.seat], now.seats[1 - self.seat]
        yield from self._side("opponent", enemy, self._hidden(enemy))
        yield from self._side("you", own, self._own(own))
        if now.phase == CHOICE_PHASE and now.active == self.seat:
            offered = [int(self.names.decks[self.seat, 1 + slot]) for slot in now.choices]
            yield from self._listed("offered", [self._printed(card) for card in offered])
        if whole and own.hand:
            yield from self._listed("hand", [self._with_text(card) for card in own.hand])
        else:
            hand = ", ".join(self._held(card) for card in own.hand)
            yield from self._wrapped(hand or "no card", "hand")

    def in_sight(self, now: Snapshot) -> Iterator[str]:
        """What all cards do that lie open, or that the player holds."""
        numbers = [
            record.card for side in now.seats for record in (*side.board, side.weapon) if record
        ]
        numbers += [side.power for side in now.seats]
        own = now.seats[self.seat]
        numbers += [record.card for record in (*own.secrets, *own.hand)]
        shown = [card for card in dict.fromkeys(numbers) if 0 <= card < len(self._texts)]
        for card in shown:
            yield from self._wrapped(self._printed(card), "")

    def own_deck(self, now: Snapshot) -> Iterator[str]:
        """What is left in the own deck, in no order of drawing."""
        slots = now.seats[self.seat].deck
        cards = (int(self.names.decks[self.seat, 1 + slot]) for slot in slots)
        counts = Counter(sorted(card for card in cards if card != BLANK))
        yield f"{sum(counts.values())} cards are left in your deck, in whatever order:"
        for card, n_copies in counts.items():
            yield f"  {n_copies} {self.names.of_card(card)}"

    # --- sides ---

    def _side(self, label: str, side: SeatSnapshot, cards: Iterable[str]) -> Iterator[str]:
        facts = [f"life {side.life}" + (f"+{side.armor} armour" if side.armor else "")]
        facts.append(f"mana {side.mana}/{side.mana_cap}" + _overload(side))
        facts += [*cards, *self._hero(side)]
        yield from self._wrapped("  ".join(facts), label)
        minions = [described(self.names, one) + " (ready)" * bool(one.ready) for one in side.board]
        yield from self._wrapped(", ".join(minions) or "no minion", "")

    def _hidden(self, side: SeatSnapshot) -> Iterator[str]:
        given = [self.names.of(card) for card in self._given(side)]
        yield f"hand {len(side.hand)}" + (f" ({', '.join(given)} among them)" if given else "")
        yield f"deck {side.n_cards_left}"
        if side.secrets:
            yield f"secrets {len(side.secrets)}"

    def _given(self, side: SeatSnapshot) -> list[Record]:
        """The cards of the other hand that everybody has seen arrive there."""
        taken, given = set(side.deck), []
        for card in side.hand:
            if self.names.is_from_deck(1 - self.seat, card) and card.slot not in taken:
                taken.add(card.slot)
            else:
                given.append(card)
        return sorted(given, key=lambda card: card.card)

    def _own(self, side: SeatSnapshot) -> Iterator[str]:
        yield f"deck {side.n_cards_left}"
        if side.secrets:
            yield f"secrets: {', '.join(self.names.of(secret) for secret in side.secrets)}"

    def _hero(self, side: SeatSnapshot) -> Iterator[str]:
        """What a player does itself: the weapon, what holds it back, the hero power."""
        if side.weapon:
            yield f"weapon {described(self.names, side.weapon)}"
        if side.lent_attack:
            yield f"hero attack +{side.lent_attack}"
        if side.is_frozen:
            yield "hero frozen"
        if side.fatigue:
            yield f"fatigue {side.fatigue}"
        if side.power != BLANK:
            used = " (used)" if side.power_used else ""
            yield f"power {self.names.of_card(side.power)}{used}"

    # --- cards ---

    def _held(self, card: Record) -> str:
        marked = " (to be replaced)" * card.is_marked
        return f"{described(self.names, card)} [{card.cost}]{marked}"

    def _with_text(self, card: Record) -> str:
        text = self._texts[card.card] if card.card < len(self._texts) else ""
        return _told(self._held(card), text)

    def _printed(self, card: int) -> str:
        printed = self.names.everything[card]
        words = [printed.name, *([f"{printed.attack}/{printed.health}"] if printed.health else [])]
        words += [word.replace("_", " ") for word in printed.keywords]
        return _told(f"{' '.join(words)} [{printed.cost}]", self._texts[card])

    @cached_property
    def _texts(self) -> list[str]:
        """What each card does beside its numbers and keywords, by its number."""
        cards = self.names.everything
        named = {card.id: card.name for card in cards}
        return [
            " ".join(line for line in card_lines(card, named) if not line.startswith(_KEYWORDS))
            for card in cards
        ]

    # --- lines ---

    def _listed(self, label: str, lines: Sequence[str]) -> Iterator[str]:
        for position, line in enumerate(lines):
            yield from self._wrapped(line, "" if position else label)

    def _wrapped(self, text: str, label: str) -> list[str]:
        return wrap(
            text,
            self.width,
            initial_indent=f"{label:<{_LABEL}}",
            subsequent_indent=" " * (_LABEL + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )


def _told(card: str, text: str) -> str:
    return f"{card}: {text}" if text else card


def _overload(side: SeatSnapshot) -> str:
    parts = [f"{side.overload_locked} locked"] * bool(side.overload_locked)
    parts += [f"{side.overload_owed} locked next turn"] * bool(side.overload_owed)
    return f" ({', '.join(parts)})" if parts else ""
