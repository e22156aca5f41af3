"""Interactive card games, in which a person plays against an agent and sees one side of the game.

Of the opponent's hand, the person sees the same as every fair agent (`agents.search.worlds`): the
number of cards, and the cards that the opponent received openly.
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
from sim.game_log.log_writer import LogWriter
from sim.game_log.snapshot import Record, SeatSnapshot, Snapshot, take_snapshot
from sim.game_log.viewpoint import Names, Viewpoint, description
from sim.play.agent import Agent
from sim.play.mover import mover_of

_LABEL = 10  # width of the labels of lines in characters, enough for `opponent`


@dataclass(frozen=True)
class SeatDisplay:
    """Display of a card game as text, as one seat sees the game.

    Attributes:
        names: names of the cards in the game.
        seat: seat of the person.
        width: maximum number of characters per line.
    """

    names: Names
    seat: int
    width: int

    def position(self, now: Snapshot, *, whole: bool) -> Iterator[str]:
        """Yield the lines of a position: the opponent, the person, offered cards, and the hand.

        Args:
            now: snapshot of the position.
            whole: whether to show the texts of the cards in the hand.
        """
        own = now.seats[self.seat]
        enemy = now.seats[1 - self.seat]
        yield from self._side("opponent", enemy, self._opponent_cards(enemy))
        yield from self._side("you", own, self._own_cards(own))
        if now.phase == at.CHOICE_PHASE and now.active == self.seat:
            offered = [int(self.names.decks[self.seat, 1 + slot]) for slot in now.choices]
            yield from self._wrap_all("offered", [self._printed_card(card) for card in offered])
        if whole and own.hand:
            yield from self._wrap_all("hand", [self._with_text(card) for card in own.hand])
        else:
            hand = ", ".join(self._held_card(card) for card in own.hand)
            yield from self._wrap(hand or "no card", "hand")

    def visible_cards(self, now: Snapshot) -> Iterator[str]:
        """Yield the texts of all cards in play, all hero powers, and the person's hand and secrets.

        Each card is shown once; plain tokens, which have no text, are left out.
        """
        numbers = [
            record.card for side in now.seats for record in (*side.board, side.weapon) if record
        ]
        numbers += [side.power for side in now.seats]
        own = now.seats[self.seat]
        numbers += [record.card for record in (*own.secrets, *own.hand)]
        shown = [card for card in dict.fromkeys(numbers) if 0 <= card < len(self._texts)]
        for card in shown:
            yield from self._wrap(self._printed_card(card), "")

    def own_deck(self, now: Snapshot) -> Iterator[str]:
        """Yield the number of cards left in the person's deck, then the number of each card."""
        slots = now.seats[self.seat].deck
        cards = (int(self.names.decks[self.seat, 1 + slot]) for slot in slots)
        counts = Counter(sorted(card for card in cards if card != at.BLANK))
        yield f"{sum(counts.values())} cards are left in your deck, in whatever order:"
        for card, n_copies in counts.items():
            yield f"  {n_copies} {self.names.of_card(card)}"

    # --- lines for each side of the game ---

    def _side(self, label: str, side: SeatSnapshot, cards: Iterable[str]) -> Iterator[str]:
        """Yield the lines of one side: the player's numbers and cards, then the minions.

        Args:
            label: label of the first line.
            side: state of the side.
            cards: facts about the hand, deck and secrets of the side.
        """
        facts = [f"life {side.life}" + (f"+{side.armor} armour" if side.armor else "")]
        facts.append(f"mana {side.mana}/{side.mana_cap}" + _overload(side))
        facts += [*cards, *self._hero(side)]
        yield from self._wrap("  ".join(facts), label)
        minions = [
            description(self.names, minion) + " (ready)" * bool(minion.ready)
            for minion in side.board
        ]
        yield from self._wrap(", ".join(minions) or "no minion", "")

    def _opponent_cards(self, side: SeatSnapshot) -> Iterator[str]:
        """Yield the visible facts about the opponent's hand, deck and secrets."""
        names = [self.names.of(card) for card in self._openly_given(side)]
        yield f"hand {len(side.hand)}" + (f" ({', '.join(names)} among them)" if names else "")
        yield f"deck {side.n_cards_left}"
        if side.secrets:
            yield f"secrets {len(side.secrets)}"

    def _openly_given(self, side: SeatSnapshot) -> list[Record]:
        """Return the cards of the opponent's hand that are known to the person, by card number.

        These are all cards that the opponent cannot have drawn: cards that were not in its deck,
        and cards with a slot that is still in the deck or belongs to another card of the hand.
        """
        taken = set(side.deck)
        known_cards = []
        for card in side.hand:
            if self.names.is_from_deck(1 - self.seat, card) and card.slot not in taken:
                taken.add(card.slot)
            else:
                known_cards.append(card)
        return sorted(known_cards, key=lambda card: card.card)

    def _own_cards(self, side: SeatSnapshot) -> Iterator[str]:
        """Yield the size of the person's deck, and the person's secrets if there are any."""
        yield f"deck {side.n_cards_left}"
        if side.secrets:
            yield f"secrets: {', '.join(self.names.of(secret) for secret in side.secrets)}"

    def _hero(self, side: SeatSnapshot) -> Iterator[str]:
        """Yield facts about a player: weapon, extra attack, freezing, fatigue and hero power."""
        if side.weapon:
            yield f"weapon {description(self.names, side.weapon)}"
        if side.lent_attack:
            yield f"hero attack +{side.lent_attack}"
        if side.is_frozen:
            yield "hero frozen"
        if side.fatigue:
            yield f"fatigue {side.fatigue}"
        if side.power != at.BLANK:
            used = " (used)" if side.power_used else ""
            yield f"power {self.names.of_card(side.power)}{used}"

    # --- words for single cards ---

    def _held_card(self, card: Record) -> str:
        """Return the words for a card of the hand, with its current numbers and cost."""
        marked = " (to be replaced)" * card.is_marked
        return f"{description(self.names, card)} [{card.cost}]{marked}"

    def _with_text(self, card: Record) -> str:
        """Return the words for a card of the hand, with its current numbers, cost and text."""
        text = self._texts[card.card] if card.card < len(self._texts) else ""
        return _card_with_text(self._held_card(card), text)

    def _printed_card(self, card: int) -> str:
        """Return the words for the card with a number, with its printed numbers, cost and text."""
        printed = self.names.everything[card]
        words = [printed.name, *([f"{printed.attack}/{printed.health}"] if printed.health else [])]
        words += [word.replace("_", " ") for word in printed.keywords]
        return _card_with_text(f"{' '.join(words)} [{printed.cost}]", self._texts[card])

    @cached_property
    def _texts(self) -> list[str]:
        """Text of each card and token as one line, without the list of keywords, by card number."""
        cards = self.names.everything
        named = {card.id: card.name for card in cards}
        return [
            " ".join(card_lines(card.model_copy(update={"keywords": ()}), named)) for card in cards
        ]

    # --- wrapping of lines ---

    def _wrap_all(self, label: str, lines: Sequence[str]) -> Iterator[str]:
        """Yield texts as wrapped lines, with a label before the first text."""
        for position, line in enumerate(lines):
            yield from self._wrap(line, "" if position else label)

    def _wrap(self, text: str, label: str) -> list[str]:
        """Return a label and a text as wrapped lines of the display's width."""
        return wrap(
            text,
            self.width,
            initial_indent=f"{label:<{_LABEL}}",
            subsequent_indent=" " * (_LABEL + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )


def _card_with_text(card: str, text: str) -> str:
    """Return the description of a card, followed by a colon and its text if it has a text."""
    return f"{card}: {text}" if text else card


def _overload(side: SeatSnapshot) -> str:
    """Return the locked mana of a side in brackets; `""` if no mana is or will be locked."""
    parts = [f"{side.overload_locked} locked"] * bool(side.overload_locked)
    parts += [f"{side.overload_owed} locked next turn"] * bool(side.overload_owed)
    return f" ({', '.join(parts)})" if parts else ""


class CardSession(GameSession):
    """Interactive card game between a person and an agent.

    Attributes:
        deal: deal of the game.
        agent: agent that plays against the person.
    """

    def __init__(self, deal: Deal, seat: int, agent: Agent, *, width: int) -> None:
        """Prepare the game; `begin` deals it and plays until the person must choose.

        Args:
            deal: deal of the game.
            seat: seat of the person.
            agent: agent that plays against the person.
            width: maximum number of characters per line.

        Raises:
            InputError: the agent's view cannot show the game.
        """
        self.deal = deal
        self.seat = seat
        self.agent = agent
        self._opponent = mover_of(agent, deal.table, deal.decks)
        self._display = SeatDisplay(deal.card_names, seat, width)
        self._log_writer = LogWriter(
            deal.card_names, deal.table.ruleset.starting_lives, Viewpoint(seat), width
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by a win or a draw."""
        return self._now.result != at.RUNNING

    def undo(self, at_most: int | None = None) -> int:
        """Take back actions of the person's current turn, and return the number taken back.

        Random events depend only on the game's seed and the actions, so repeated actions have the
        same results. Actions of a finished game are not taken back.

        Args:
            at_most: maximum number of actions to take back; by default all actions of the turn.
        """
        if self.is_over:
            return 0
        n_own = len(self.actions) - self._turn_began
        n_undone = n_own if at_most is None else min(at_most, n_own)
        if n_undone:
            self.begin(self.actions[: len(self.actions) - n_undone])
        return n_undone

    def choices(self) -> list[Choice]:
        """Return the decisions that the person may take now; equal cards are a single decision."""
        now = self._now
        grouped: dict[tuple[str, int], list[int]] = {}
        for action in legal_actions(self._state, self.deal.words):
            words = self._words(action, now)
            is_card = now.phase != at.MAIN_PHASE or at.PLAY <= action < at.ATTACK_WITH
            # Equal cards are a single decision. Equal minions are not, since their places differ.
            attacker = 0 if is_card else (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
            grouped.setdefault((words, attacker), []).append(action)
        return [self._choice(words, actions) for (words, _), actions in grouped.items()]

    def position(self, *, whole: bool = False) -> Iterator[str]:
        """Return the lines that show the current position from the seat of the person.

        Args:
            whole: whether to show the texts of the hand, which are always shown at the beginning of
                a turn.
        """
        begins = len(self.actions) == self._turn_began
        return self._display.position(self._now, whole=whole or begins)

    def more(self) -> dict[str, tuple[str, Iterator[str]]]:
        """Return the texts of visible cards and the person's deck, by the words `cards`, `deck`."""
        return {
            "cards": ("what the cards in sight do", self._display.visible_cards(self._now)),
            "deck": ("what is left in your deck", self._display.own_deck(self._now)),
        }

    def result(self) -> str:
        """Return the result of the finished game for the person, with both lives, as a sentence."""
        own = self._now.seats[self.seat]
        enemy = self._now.seats[1 - self.seat]
        won = {self.seat: "You win", 1 - self.seat: "You lose"}
        words = won.get(self._now.result, "A draw")
        return f"{words}, {own.life} to {enemy.life} life, in turn {self._now.turn}."

    def greeting(self) -> str:
        """Return an introduction to decks, seats and the notation of costs, as sentences."""
        names = self.deal.names
        order = ("first", "second")[self.seat]
        return (
            f"You play {names[self.seat]} and move {order}. The opponent plays "
            f"{names[1 - self.seat]} by the agent {self.deal.pilots[1 - self.seat]}. The number in "
            "brackets behind a card is its cost in mana."
        )

    # --- steps of the game, which the base class combines ---

    @property
    def _active(self) -> int:
        """Seat that must move next."""
        return self._now.active

    def _start_over(self) -> list[str]:
        """Deal the game again, and return the first lines of the log."""
        self._state = self.deal.begin()
        self._now = take_snapshot(self._state)
        self._turn_began = 0  # number of actions before the current turn
        return list(self._log_writer.opening(self._now))

    def _do(self, action: int) -> list[str] | None:
        """Carry out an action and return the lines of the log; return `None` if it is illegal."""
        if not self.deal.act(self._state, action):
            return None
        before = self._now
        self._now = take_snapshot(self._state)
        if (before.active, before.turn) != (self._now.active, self._now.turn):
            self._turn_began = len(self.actions) + 1
        return list(self._log_writer.action(action, before, self._now))

    def _answer(self) -> int:
        """Return the action that the agent chooses in the current state."""
        return self._opponent(self._state)

    def _log_lines(self, choose: Callable[[Any], int | None]) -> Iterator[str]:
        """Return the lines of the omniscient log of a new game (`GameSession._log_lines`)."""
        return self.deal.log_lines(choose)

    # --- words for the choices of the person ---

    def _words(self, action: int, now: Snapshot) -> str:
        """Return the words for an action without its target, with its mana cost if it has any.

        Args:
            action: number of the engine action.
            now: snapshot of the position in which it is legal.
        """
        words = self._log_writer.source(action, now)
        is_free = action < at.PLAY or at.ATTACK_WITH <= action < at.USE_POWER
        if is_free or now.phase != at.MAIN_PHASE:
            return words
        return f"{words} [{self._log_writer.context(action, now).mana}]"

    def _choice(self, words: str, actions: Sequence[int]) -> Choice:
        """Return a decision with an option for each target of equal actions.

        If several actions have the same target, which happens for equal cards in the hand, the
        first action is taken, which plays the oldest card.

        Args:
            words: words for the actions, without target.
            actions: legal actions that have these words, in the order of their numbers.
        """
        targets: dict[int, int] = {}
        for action in actions:
            targets.setdefault(action & at.POSITION_MASK, action)
        pairs = [
            (self._log_writer.target(action, self._now), action) for action in targets.values()
        ]
        if len(pairs) == 1:
            arrow, action = pairs[0]
            return Choice(words + arrow, (Option("", action),))
        arrows = [arrow for arrow, _ in pairs]
        options = (
            Option(_target_words(arrow, action, arrows.count(arrow)), action)
            for arrow, action in pairs
        )
        return Choice(words, tuple(options))


def _target_words(arrow: str, action: int, n_alike: int) -> str:
    """Return the words for a target, with its place on the board if other targets share the words.

    Args:
        arrow: arrow and target of the action (`LogWriter.target`).
        action: number of the engine action, which contains the place of the target.
        n_alike: number of targets with these words, including this one.
    """
    words = arrow.removeprefix(" -> ") or "nobody"
    code = action & at.POSITION_MASK
    place = code - at.AT_OWN_MINION if code >= at.AT_OWN_MINION else code
    return f"{words} (number {place + 1} from the left)" if n_alike > 1 else words
