"""A sitting: one game of cards in which a person has a seat and an agent the other.

Everything that has been done lies in `actions`: a game is its deal and that list, so that one that
was saved goes on as if it had never been left, whoever chose what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.engine import layout as at
from sim.engine.stepping import legal_actions
from sim.errors import InputError
from sim.game_log.choice import Choice, Option
from sim.game_log.deal import Deal
from sim.game_log.sight import Sight
from sim.game_log.snapshot import Snapshot, take_snapshot
from sim.game_log.story import Story
from sim.game_log.witness import Witness
from sim.play.mover import Mover


class CardSitting:
    """A game of cards at which a person sits.

    Attributes:
        deal: which game it is.
        seat: the person's.
        actions: all that has been done, by both seats.
    """

    def __init__(self, deal: Deal, seat: int, opponent: Mover, *, width: int) -> None:
        """Deal the game; `begin` plays it up to where the person is asked.

        Args:
            deal: which game it is.
            seat: the person's.
            opponent: tells the other seat's moves.
            width: of lines that are shown.
        """
        self.deal, self.seat, self._opponent = deal, seat, opponent
        self._sight = Sight(deal.card_names, seat, width)
        self._story = Story(deal.card_names, deal.table.ruleset.life, Witness(seat), width)
        self._start_over()

    def _start_over(self) -> None:
        self.actions: list[int] = []
        self._turn_began = 0  # after so many actions
        self._turn_key = (-1, -1)
        self._state = self.deal.begin()
        self._now = take_snapshot(self._state)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or nobody can."""
        return self._now.result != at.RUNNING

    def begin(self, actions: Sequence[int] = ()) -> list[str]:
        """Do again what was done, then play on until the person is asked; the story so far.

        Args:
            actions: of both seats.

        Raises:
            InputError: one of them is not possible in this game.
            CardFault: a card's texts stopped the game.
        """
        self.deal.check(actions)
        self._start_over()
        told = list(self._story.opening(self._now))
        for action in actions:
            self._note_turn()
            told += self._perform(action, f"{action} is not possible")
        return told + self._play_on()

    def act(self, action: int) -> list[str]:
        """Take a legal action and play on until the person is asked again; what happened.

        Raises:
            CardFault: a card's texts stopped the game.
        """
        return self._perform(action, f"{action} is no legal action") + self._play_on()

    def undo(self) -> int:
        """Go back to where the person's turn began; how many actions are taken back.

        What chance brings is keyed to the game, so that the same actions meet the same again. A
        game that is over stays so.
        """
        if self.is_over:
            return 0
        kept = self.actions[: self._turn_began]
        n_undone = len(self.actions) - len(kept)
        if n_undone:
            self.begin(kept)
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
        own, enemy = self._now.seats[self.seat], self._now.seats[1 - self.seat]
        won = {self.seat: "You win", 1 - self.seat: "You lose"}
        words = won.get(self._now.result, "A draw")
        return f"{words}, {own.life} to {enemy.life} life, in turn {self._now.turn}."

    def greeting(self) -> str:
        """Who plays whom."""
        names, when = self.deal.names, ("first", "second")[self.seat]
        return (
            f"You play {names[self.seat]} and move {when}. The opponent plays "
            f"{names[1 - self.seat]} by the agent {self.deal.pilots[1 - self.seat]}."
        )

    def retold(self, actions: Sequence[int]) -> list[str]:
        """The game in which both seats did this as a playthrough: both hands, every draw.

        Raises:
            InputError: an action is not possible.
        """
        self.deal.check(actions)
        left = iter(actions)
        return list(self.deal.tell(lambda _: next(left, None)))

    # --- moving ---

    def _note_turn(self) -> None:
        """Note where a turn of the person begins, and that one of the opponent does."""
        key = (self._now.active, self._now.turn)
        if key != self._turn_key:
            self._turn_key, self._turn_began = key, len(self.actions)

    def _play_on(self) -> list[str]:
        told: list[str] = []
        self._note_turn()
        while not self.is_over and self._now.active != self.seat:
            told += self._perform(self._opponent(self._state), "the agent's action is not legal")
            self._note_turn()
        return told

    def _perform(self, action: int, refused: str) -> list[str]:
        if not self.deal.act(self._state, action):
            raise InputError(refused)
        self.actions.append(action)
        before, self._now = self._now, take_snapshot(self._state)
        return list(self._story.action(action, before, self._now))

    # --- words ---

    def _words(self, action: int, now: Snapshot) -> str:
        """What it is, and what it costs."""
        words, own = self._story.source(action, now), now.seats[self.seat]
        if (
            now.phase != at.MAIN_PHASE
            or action < at.PLAY
            or at.ATTACK_WITH <= action < at.USE_POWER
        ):
            return words
        if action >= at.USE_POWER:
            return f"{words} [{self.deal.table.pool.everything[own.power].cost}]"
        return f"{words} [{own.hand[(action >> at.SOURCE_SHIFT) & at.POSITION_MASK].cost}]"

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
