"""Games of cards at which a person sits, against an agent, and what the person sees of them.

Of the other side it is shown what every fair agent knows (`agents.search.worlds`): how many cards
it holds, and of these the ones that were given to it in plain sight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap
from typing import Any

from sim.cards.text.card_text import card_lines
from sim.engine import layout as at
from sim.engine.stepping import legal_actions
from sim.game_log.deal import Deal
from sim.game_log.game_session import Choice, GameSession, Option
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot, take_snapshot
from sim.game_log.story import Story
from sim.game_log.viewpoint import Names, Viewpoint, described
from sim.play.agent import Agent
from sim.play.mover import mover_of

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
        own = now.seats[self.seat]
        enemy = now.seats[1 - self.seat]
        yield from self._side("opponent", enemy, self._hidden(enemy))
        yield from self._side("you", own, self._own(own))
        if now.phase == at.CHOICE_PHASE and now.active == self.seat:
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
        counts = Counter(sorted(card for card in cards if card != at.BLANK))
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
        taken = set(side.deck)
        given = []
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
        if side.power != at.BLANK:
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


class CardSession(GameSession):
    """A game of cards at which a person sits.

    Attributes:
        deal: which game it is.
        agent: who has the other seat.
    """

    def __init__(self, deal: Deal, seat: int, agent: Agent, *, width: int) -> None:
        """Get ready; `begin` deals the game and plays it up to where the person is asked.

        Args:
            deal: which game it is.
            seat: the person's.
            agent: who has the other seat.
            width: of lines that are shown.
        """
        self.deal = deal
        self.seat = seat
        self.agent = agent
        self._opponent = mover_of(agent, deal.table, deal.decks)
        self._sight = Sight(deal.card_names, seat, width)
        self._story = Story(
            deal.card_names, deal.table.ruleset.starting_lives, Viewpoint(seat), width
        )

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or nobody can."""
        return self._now.result != at.RUNNING

    def undo(self, at_most: int | None = None) -> int:
        """Take back actions of the person's turn; how many were.

        What chance brings is keyed to the game, so that the same actions meet the same again. A
        game that is over stays so.

        Args:
            at_most: so many; default all, back to where the turn began.
        """
        if self.is_over:
            return 0
        n_own = len(self.actions) - self._turn_began
        n_undone = n_own if at_most is None else min(at_most, n_own)
        if n_undone:
            self.begin(self.actions[: len(self.actions) - n_undone])
        return n_undone

    def choices(self) -> list[Choice]:
        """What the person may do."""
        now = self._now
        grouped: dict[tuple[str, int], list[int]] = {}
        for action in legal_actions(self._state, self.deal.words):
            words = self._words(action, now)
            is_card = now.phase != at.MAIN_PHASE or at.PLAY <= action < at.ATTACK_WITH
            who = 0 if is_card else (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
            grouped.setdefault((words, who), []).append(action)
        return [self._choice(words, actions) for (words, _), actions in grouped.items()]

    def position(self, *, whole: bool = False) -> Iterator[str]:
        """What the person sees; where its turn begins, or if it is asked for, with all texts."""
        begins = len(self.actions) == self._turn_began
        return self._sight.position(self._now, whole=whole or begins)

    def more(self) -> dict[str, tuple[str, Iterator[str]]]:
        """What else can be looked at, by the word that asks for it: what it is, and its lines."""
        return {
            "cards": ("what the cards in sight do", self._sight.in_sight(self._now)),
            "deck": ("what is left in your deck", self._sight.own_deck(self._now)),
        }

    def result(self) -> str:
        """How the game ended for the person."""
        own = self._now.seats[self.seat]
        enemy = self._now.seats[1 - self.seat]
        won = {self.seat: "You win", 1 - self.seat: "You lose"}
        words = won.get(self._now.result, "A draw")
        return f"{words}, {own.life} to {enemy.life} life, in turn {self._now.turn}."

    def greeting(self) -> str:
        """Who plays whom."""
        names = self.deal.names
        when = ("first", "second")[self.seat]
        return (
            f"You play {names[self.seat]} and move {when}. The opponent plays "
            f"{names[1 - self.seat]} by the agent {self.deal.pilots[1 - self.seat]}. The number in "
            "brackets behind a card is its cost in mana."
        )

    # --- moving ---

    @property
    def _active(self) -> int:
        return self._now.active

    def _start_over(self) -> list[str]:
        self._state = self.deal.begin()
        self._now = take_snapshot(self._state)
        self._turn_began = 0  # after so many actions
        return list(self._story.opening(self._now))

    def _do(self, action: int) -> list[str] | None:
        if not self.deal.act(self._state, action):
            return None
        before = self._now
        self._now = take_snapshot(self._state)
        if (before.active, before.turn) != (self._now.active, self._now.turn):
            self._turn_began = len(self.actions) + 1
        return list(self._story.action(action, before, self._now))

    def _answer(self) -> int:
        return self._opponent(self._state)

    def _tell(self, choose: Callable[[Any], int | None]) -> Iterator[str]:
        return self.deal.tell(choose)

    # --- words ---

    def _words(self, action: int, now: Snapshot) -> str:
        """What it is, and what it costs."""
        words = self._story.source(action, now)
        is_free = action < at.PLAY or at.ATTACK_WITH <= action < at.USE_POWER
        if is_free or now.phase != at.MAIN_PHASE:
            return words
        return f"{words} [{self._story.facts(action, now).mana}]"

    def _choice(self, words: str, actions: Sequence[int]) -> Choice:
        """Of equal cards in the hand, the oldest one is played."""
        targets: dict[int, int] = {}
        for action in actions:
            targets.setdefault(action & at.POSITION_MASK, action)
        told = [(self._story.target(one, self._now), one) for one in targets.values()]
        if len(told) == 1:
            return Choice(words + told[0][0], (Option("", told[0][1]),))
        arrows = [arrow for arrow, _ in told]
        options = (
            Option(_pointed(arrow, action, arrows.count(arrow)), action) for arrow, action in told
        )
        return Choice(words, tuple(options))


def _pointed(arrow: str, action: int, n_alike: int) -> str:
    """A target, with its place on the board where its words do not tell it from others."""
    words = arrow.removeprefix(" -> ") or "nobody"
    code = action & at.POSITION_MASK
    place = code - at.AT_OWN_MINION if code >= at.AT_OWN_MINION else code
    return f"{words} (number {place + 1} from the left)" if n_alike > 1 else words
