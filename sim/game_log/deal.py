"""A deal: one game of a batch, which is named by its cards and seed; played and told again.

It is stepped with the code that `play` runs, so it is the game that `play` played. What happened is
told from the difference between the state before and after each action (`sim.game_log.story`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.arguments import Arguments, Count, Seed
from sim.engine.layout import ACTIVE, DRAWN, RUNNING
from sim.engine.stepping import begin_game, may_act, new_state, perform
from sim.errors import InputError
from sim.game_log.snapshot import Snapshot, take_snapshot
from sim.game_log.story import Story
from sim.game_log.viewpoint import Names
from sim.play import Agent, Table
from sim.play.agent import require_agent
from sim.play.batch_job import check_decks
from sim.play.mover import mover_of
from sim.play.outcomes import fault_of_state, is_faulty
from sim.ruleset import N_SEATS
from sim.seeds import game_seed

Words16 = npt.NDArray[np.int16]
Note = Callable[[Words16, int], Iterable[str]]
"""Lines about an action that is about to be taken in a state."""


_GAME = Arguments(run_seed=Seed, purpose=str, game_index=Seed, variant=Count)


@dataclass(frozen=True)
class Deal:
    """One game of a batch.

    Attributes:
        table: the numbers of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
        names: what the text calls each seat's deck.
        pilots: what it calls who plays it.
        run_seed: seed of the run that the game belongs to.
        purpose: what the run played it for (`sim.seeds`).
        game_index: which of the purpose's games.
        variant: row of the table.
    """

    table: Table
    decks: npt.NDArray[np.int16]
    names: tuple[str, ...]
    pilots: tuple[str, ...]
    run_seed: int
    purpose: str
    game_index: int
    variant: int = 0

    def __post_init__(self) -> None:
        """Refuse what would lead the engine, which does not look, outside its memory.

        Raises:
            InputError: there is no such game or variant, or not one name and pilot to a seat.
            ValueError: a deck is none of the table's cards.
        """
        _GAME.fitting("game", vars(self))
        if self.variant >= self.table.n_variants:
            raise InputError(f"variant = {self.variant} must be 0 to {self.table.n_variants - 1}")
        check_decks(self.decks, self.table)
        for what, given in (("decks", self.decks), ("names", self.names), ("agents", self.pilots)):
            if len(given) != N_SEATS:
                raise InputError(f"{len(given)} {what} for {N_SEATS} seats; each seat needs one")

    @property
    def seed(self) -> int:
        """The game's own."""
        return game_seed(self.run_seed, self.purpose, self.game_index)

    @property
    def words(self) -> Words16:
        """The numbers that it is played with."""
        return np.asarray(self.table.words[self.variant])

    @property
    def card_names(self) -> Names:
        """What its cards are called."""
        return Names(self.table.pool, self.decks)

    def begin(self) -> Words16:
        """The game with both opening hands dealt."""
        state = new_state()
        begin_game(state, self.words, self.decks.ravel(), 0, 1, self.seed)
        return state

    def act(self, state: Words16, action: int) -> bool:
        """Carry out an action; whether it was legal, else nothing has happened.

        Raises:
            CardFault: a card's texts stopped the game.
        """
        if not may_act(state, self.words, action):
            return False
        perform(state, self.words, action)
        if is_faulty(state):
            raise fault_of_state(state, self.table, self.seed, self.variant)
        return True

    def tell(
        self, choose: Callable[[Words16], int | None], note: Note | None = None
    ) -> Iterator[str]:
        """The course of the game, line by line.

        Args:
            choose: tells the next action; `None` where the game was left.
            note: what else is told of each action, before it is taken.

        Raises:
            RuntimeError: an action is illegal.
            CardFault: a card's texts stopped the game.
        """
        yield (
            f"pool {self.table.pool.name}  ruleset {self.table.ruleset.name}  "
            f"seed {self.run_seed}/{self.purpose}  game {self.game_index}"
        )
        for seat, (name, pilot) in enumerate(zip(self.names, self.pilots, strict=True)):
            yield f"seat {seat}: {name} ({pilot})"
        story = Story(self.card_names, self.table.ruleset.starting_lives)
        state = self.begin()
        now = take_snapshot(state)
        yield from story.opening(now)
        while now.result == RUNNING:
            action = choose(state)
            if action is None:
                return
            if note is not None:
                yield from note(state.copy(), action)
            if not self.act(state, action):
                who = self.pilots[now.active]
                raise RuntimeError(f"agent {who} chose an illegal action in turn {now.turn}")
            before = now
            now = take_snapshot(state)
            yield from story.action(action, before, now)
        yield ""
        yield _result(now)


def playthrough(
    table: Table,
    decks: npt.NDArray[np.int16],
    agents: Sequence[Agent],
    *,
    names: Sequence[str],
    run_seed: int,
    purpose: str,
    game_index: int,
    variant: int = 0,
) -> str:
    """The whole course of one game, action by action.

    Args:
        table: the numbers of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
        agents: the agent of each seat.
        names: what the text calls each seat's deck.
        run_seed: seed of the run that the game belongs to.
        purpose: what the run played it for (`sim.seeds`).
        game_index: which of the purpose's games.
        variant: row of the table.

    Raises:
        RuntimeError: an agent chose an illegal action.
        CardFault: a card's texts stopped the game.
    """
    for agent in agents:
        require_agent(agent)
    pilots = tuple(agent.name for agent in agents)
    deal = Deal(table, decks, tuple(names), pilots, run_seed, purpose, game_index, variant)
    movers = [mover_of(agent, table, decks, variant) for agent in agents]
    return "\n".join([*deal.tell(lambda state: movers[state[ACTIVE]](state)), ""])


def _result(end: Snapshot) -> str:
    first, second = end.seats
    who = "nobody" if end.result == DRAWN else f"seat {end.result}"
    return (
        f"result {who}  turns {end.turn}  actions {end.n_actions}  "
        f"life {first.life} / {second.life}  draws {first.n_draws} / {second.n_draws}"
    )
