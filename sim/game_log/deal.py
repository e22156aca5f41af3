"""Single games of a batch, which are identified by table, decks and seed and played step by step.

The steps use the same compiled code as `sim.play.play`, so a game has the same course in both. The
log of an action is derived from the states before and after it (`sim.game_log.log_writer`).
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
"""Function that maps a state and the action to be taken in it to additional lines of the log."""


_GAME = Arguments(run_seed=Seed, purpose=str, game_index=Seed, variant=Count)


@dataclass(frozen=True)
class Deal:
    """A single game of a batch, which can be played again and logged.

    Attributes:
        table: card table of all variants.
        decks: row of each seat's deck (`sim.play.batch.deck_row`), shape ``[2, DECK_ROW_SIZE]``.
        names: name of each seat's deck in the log.
        pilots: name of each seat's agent in the log.
        run_seed: seed of the run that the game belongs to.
        purpose: purpose of the game in the run, such as `matchups` (`sim.seeds`).
        game_index: index of the game among all games of its purpose.
        variant: row of the card table that the game uses.
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
            InputError: the seed, index or variant is out of range, or there is not one deck, name
                and pilot per seat.
            ValueError: a deck row has a wrong shape, or cards that are not in the table.
        """
        _GAME.check("game", vars(self))
        if self.variant >= self.table.n_variants:
            last = self.table.n_variants - 1
            raise InputError(
                f"= {self.variant} must be from 0 to {last}",
                place="variant",
                value=self.variant,
                limit=(0, last),
                separator=" ",
            )
        check_decks(self.decks, self.table)
        for name, values in (("decks", self.decks), ("names", self.names), ("agents", self.pilots)):
            if len(values) != N_SEATS:
                raise InputError(
                    f"{len(values)} given, but {N_SEATS} are needed",
                    place=name,
                    value=len(values),
                    limit=N_SEATS,
                    remedy="give one for each seat",
                )

    @property
    def seed(self) -> int:
        """Seed of the game, derived from the seed of the run, the purpose and the index."""
        return game_seed(self.run_seed, self.purpose, self.game_index)

    @property
    def words(self) -> Words16:
        """Words of the card table of the game's variant, int16."""
        return np.asarray(self.table.words[self.variant])

    @property
    def card_names(self) -> Names:
        """Names of the cards in this game."""
        return Names(self.table.pool, self.decks)

    def begin(self) -> Words16:
        """Return a new state of the game, after the opening hands were dealt."""
        state = new_state()
        begin_game(state, self.words, self.decks.ravel(), 0, 1, self.seed)
        return state

    def act(self, state: Words16, action: int) -> bool:
        """Carry out an action if it is legal, and return whether it was legal.

        Args:
            state: state of the game, changed in place; unchanged if the action is illegal.
            action: number of the engine action.

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
            choose: function that maps a state to the next action; `None` ends the log, for a
                recorded game that was not finished.
            note: function that returns additional lines about an action; they come before the line
                of the action.

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
    """Play one game and return its complete log.

    Args:
        table: card table of all variants.
        decks: row of each seat's deck (`sim.play.batch.deck_row`), shape ``[2, DECK_ROW_SIZE]``.
        agents: agent of each seat.
        names: name of each seat's deck in the log.
        run_seed: seed of the run that the game belongs to.
        purpose: purpose of the game in the run, such as `matchups` (`sim.seeds`).
        game_index: index of the game among all games of its purpose.
        variant: row of the card table that the game uses.

    Raises:
        InputError: an argument is wrong (`Deal`), or an agent's view cannot show the game.
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
    """Return the last line of a log: the winner, the numbers of turns and actions, and both lives.

    The line ends with the number of random draws of each seat.
    """
    first, second = end.seats
    winner = "nobody" if end.result == DRAWN else f"seat {end.result}"
    return (
        f"result {winner}  turns {end.turn}  actions {end.n_actions}  "
        f"life {first.life} / {second.life}  draws {first.n_draws} / {second.n_draws}"
    )
