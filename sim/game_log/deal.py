"""Deals: single games of a batch, identified by cards and seed, and played step by step.

A deal is stepped by the code that `play` runs, so it is exactly the game that `play` played. The
log of its actions follows from the states before and after each of them
(`sim.game_log.log_writer`).
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
from sim.game_log.log_writer import LogWriter
from sim.game_log.snapshot import Snapshot, take_snapshot
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
"""A function that returns lines about an action before it is taken in a state."""


_GAME = Arguments(run_seed=Seed, purpose=str, game_index=Seed, variant=Count)


@dataclass(frozen=True)
class Deal:
    """One game of a batch.

    Attributes:
        table: the card table of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
        names: name of each seat's deck in the log.
        pilots: name of each seat's player in the log.
        run_seed: seed of the run that the game belongs to.
        purpose: purpose of the game in the run (`sim.seeds`).
        game_index: index of the game among those of its purpose.
        variant: row of the card table.
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
        """Check the game before the engine reads it, since the engine checks no bounds.

        Raises:
            InputError: there is no such game or variant, or not one name and pilot per seat.
            ValueError: a deck has cards that are not in the table.
        """
        _GAME.check("game", vars(self))
        if self.variant >= self.table.n_variants:
            last = self.table.n_variants - 1
            raise InputError(
                f"= {self.variant} must be 0 to {last}",
                place="variant",
                value=self.variant,
                limit=(0, last),
                separator=" ",
            )
        check_decks(self.decks, self.table)
        for name, values in (("decks", self.decks), ("names", self.names), ("agents", self.pilots)):
            if len(values) != N_SEATS:
                raise InputError(
                    f"{len(values)} given, {N_SEATS} needed",
                    place=name,
                    value=len(values),
                    limit=N_SEATS,
                    remedy="give one for each seat",
                )

    @property
    def seed(self) -> int:
        """Seed of the game itself."""
        return game_seed(self.run_seed, self.purpose, self.game_index)

    @property
    def words(self) -> Words16:
        """The card table of the game's variant."""
        return np.asarray(self.table.words[self.variant])

    @property
    def card_names(self) -> Names:
        """Names of the cards of both decks."""
        return Names(self.table.pool, self.decks)

    def begin(self) -> Words16:
        """Return the state after both opening hands were dealt."""
        state = new_state()
        begin_game(state, self.words, self.decks.ravel(), 0, 1, self.seed)
        return state

    def act(self, state: Words16, action: int) -> bool:
        """Carry out an action if it is legal, and return whether it was.

        Raises:
            CardFault: the effects of a card stopped the game.
        """
        if not may_act(state, self.words, action):
            return False
        perform(state, self.words, action)
        if is_faulty(state):
            raise fault_of_state(state, self.table, self.seed, self.variant)
        return True

    def log_lines(
        self, choose: Callable[[Words16], int | None], note: Note | None = None
    ) -> Iterator[str]:
        """Play the game and yield the lines of its log.

        Args:
            choose: returns the next action; `None` where a recorded game was left.
            note: returns additional lines about each action, before it is taken.

        Raises:
            RuntimeError: an action is illegal.
            CardFault: the effects of a card stopped the game.
        """
        yield (
            f"pool {self.table.pool.name}  ruleset {self.table.ruleset.name}  "
            f"seed {self.run_seed}/{self.purpose}  game {self.game_index}"
        )
        for seat, (name, pilot) in enumerate(zip(self.names, self.pilots, strict=True)):
            yield f"seat {seat}: {name} ({pilot})"
        writer = LogWriter(self.card_names, self.table.ruleset.starting_lives)
        state = self.begin()
        now = take_snapshot(state)
        yield from writer.opening(now)
        while now.result == RUNNING:
            action = choose(state)
            if action is None:
                return
            if note is not None:
                yield from note(state.copy(), action)
            if not self.act(state, action):
                pilot = self.pilots[now.active]
                raise RuntimeError(f"agent {pilot} chose an illegal action in turn {now.turn}")
            before = now
            now = take_snapshot(state)
            yield from writer.action(action, before, now)
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
    """Return the complete log of one game.

    Args:
        table: the card table of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
        agents: the agent of each seat.
        names: name of each seat's deck in the log.
        run_seed: seed of the run that the game belongs to.
        purpose: purpose of the game in the run (`sim.seeds`).
        game_index: index of the game among those of its purpose.
        variant: row of the card table.

    Raises:
        RuntimeError: an agent chose an illegal action.
        CardFault: the effects of a card stopped the game.
    """
    for agent in agents:
        require_agent(agent)
    pilots = tuple(agent.name for agent in agents)
    deal = Deal(table, decks, tuple(names), pilots, run_seed, purpose, game_index, variant)
    movers = [mover_of(agent, table, decks, variant) for agent in agents]
    return "\n".join([*deal.log_lines(lambda state: movers[state[ACTIVE]](state)), ""])


def _result(end: Snapshot) -> str:
    """Return the last line of a log: the result and its numbers."""
    first, second = end.seats
    winner = "nobody" if end.result == DRAWN else f"seat {end.result}"
    return (
        f"result {winner}  turns {end.turn}  actions {end.n_actions}  "
        f"life {first.life} / {second.life}  draws {first.n_draws} / {second.n_draws}"
    )
