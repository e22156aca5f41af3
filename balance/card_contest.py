"""Who is to be balanced against whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.cards.deck import Deck
from sim.engine.layout import BLANK, DECK_POWER
from sim.errors import InputError, did_you_mean
from sim.files.notebook_table import notebook_table
from sim.observation.view import View, view_of
from sim.play.agent import Agent
from sim.play.batch import row_of_deck
from sim.play.reach import reach_of_rows
from sim.play.table import Table

DeckRow = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Player:
    """A deck with the agent that pilots it."""

    name: str
    deck: Deck
    agent: Agent


class Matchup(NamedTuple):
    """Two players by their positions; win rates are those of `a`."""

    a: int
    b: int


@dataclass(frozen=True)
class CardContest:
    """The cards and the ``D`` players of an experiment.

    Attributes:
        table: one variant, today's cards.
        players: at least one, with distinct names.
    """

    table: Table
    players: tuple[Player, ...]

    @cached_property
    def matchups(self) -> tuple[Matchup, ...]:
        """All ``M`` unordered pairs of distinct players, in file order."""
        return tuple(Matchup(a, b) for a, b in combinations(range(len(self.players)), 2))

    @cached_property
    def deck_rows(self) -> npt.NDArray[np.int16]:
        """``[D, DECK_ROW_SIZE]`` the players' decks for a batch."""
        pool = self.table.pool
        decks = [player.deck for player in self.players]
        return np.stack([row_of_deck(deck, pool) for deck in decks])

    @cached_property
    def reached(self) -> tuple[int, ...]:
        """The numbers of all cards that its games can reach."""
        return reach_of_rows(self.table.pool, self.table.ruleset, self.deck_rows)

    @property
    def view(self) -> View:
        """How a learner that knows nothing yet sees its games."""
        return view_of(self.table, self.reached)

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The players' agents."""
        return tuple(player.agent for player in self.players)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        title = f"players with pool {self.table.pool.name}, ruleset {self.table.ruleset.name}"
        rows = [(one.name, one.deck.name, one.agent.name, one.deck.n_cards) for one in self.players]
        return notebook_table(title, ("player", "deck", "agent", "cards"), rows)

    def require_opponents(self) -> None:
        """Refuse a contest in which nobody has anybody to play.

        Raises:
            InputError: there is only one player.
        """
        if len(self.players) < 2:
            only = self.players[0].name
            raise InputError(f"player: only {only!r}; matchups need at least 2 players")

    def piloted_by(self, agent: Agent) -> CardContest:
        """The same decks, all piloted by `agent`."""
        return self.with_agents({player.name: agent for player in self.players})

    def with_agents(self, agents: Mapping[str, Agent]) -> CardContest:
        """The same players, with other agents for those that `agents` names."""
        players = (replace(p, agent=agents.get(p.name, p.agent)) for p in self.players)
        return replace(self, players=tuple(players))

    def matchup_name(self, matchup: Matchup) -> str:
        """How experiment files and reports write a matchup."""
        return f"{self.players[matchup.a].name} vs {self.players[matchup.b].name}"

    def targets(self, win_rate: float | dict[str, float]) -> npt.NDArray[np.float64]:
        """``[M]`` target win rates from a number or a table of pairs.

        Raises:
            InputError: the table names a pair that is no matchup here.
        """
        if not isinstance(win_rate, dict):
            return np.full(len(self.matchups), win_rate)
        wanted = dict(win_rate)
        targets = np.full(len(self.matchups), 0.5)
        for position, matchup in enumerate(self.matchups):
            name = self.matchup_name(matchup)
            mirrored = self.matchup_name(Matchup(matchup.b, matchup.a))
            if name in wanted:
                targets[position] = wanted.pop(name)
            elif mirrored in wanted:
                targets[position] = 1 - wanted.pop(mirrored)
        if wanted:
            stray = next(iter(wanted))
            names = [self.matchup_name(matchup) for matchup in self.matchups]
            raise InputError(
                f"target.win_rate: {stray!r} is no matchup (each may be given once); matchups "
                f"are {', '.join(names)}{did_you_mean(stray, names)}"
            )
        return targets


def without(row: DeckRow, card: int, stand_in: int = BLANK) -> DeckRow:
    """A deck's row in a batch (`row_of_deck`) with `stand_in` in the slots of `card`."""
    edited = row.copy()
    slots = slice(1, DECK_POWER)
    edited[slots][row[slots] == card] = stand_in
    return edited
