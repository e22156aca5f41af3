"""Games of cards at which a person sits, against an agent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sim.engine import layout as at
from sim.engine.stepping import legal_actions
from sim.game_log.deal import Deal
from sim.game_log.sight import Sight
from sim.game_log.sitting import Choice, Option, Sitting
from sim.game_log.snapshot import Snapshot, take_snapshot
from sim.game_log.story import Story
from sim.game_log.witness import Witness
from sim.play.agent import Agent
from sim.play.mover import mover_of


class CardSitting(Sitting):
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
        self.deal, self.seat, self.agent = deal, seat, agent
        self._opponent = mover_of(agent, deal.table, deal.decks)
        self._sight = Sight(deal.card_names, seat, width)
        self._story = Story(deal.card_names, deal.table.ruleset.life, Witness(seat), width)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or nobody can."""
        return self._now.result != at.RUNNING

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
        before, self._now = self._now, take_snapshot(self._state)
        if (before.active, before.turn) != (self._now.active, self._now.turn):
            self._turn_began = len(self.actions) + 1
        return list(self._story.action(action, before, self._now))

    def _answer(self) -> int:
        return self._opponent(self._state)

    def _retell(self, actions: Iterable[int]) -> Iterator[str]:
        left = iter(actions)
        return self.deal.tell(lambda _: next(left, None))

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
