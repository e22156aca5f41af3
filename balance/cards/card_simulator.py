"""A card contest as a simulator: the engine plays games with given numbers, players and seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from balance.cards.card_contest import CardContest, DeckRows
from balance.space.search_space import SearchSpace
from sim import __version__
from sim.engine.layout import DECK_POWER
from sim.engine.layout import DRAWN as ENGINE_DRAWN
from sim.errors import InputError, known_word
from sim.files.validation import content_hash
from sim.play import Batch, Table, kept, play
from sim.play.batch import without
from sim.play.table import Gene
from sim.ruleset import N_SEATS
from sim.seeds import indices_of
from sim.simulator.block import DRAWN, Block, Played, Seeds
from sim.simulator.game_results import infeasible_games
from sim.simulator.parameter_entry import ParameterEntry
from sim.simulator.simulator import Simulator

# Two streams of game seeds, each the other's shifted by half of its length. An index of a game has
# 63 bits, so each stream covers half of all seeds.
_HALF = 2**63


class CardSimulator(Simulator):
    """Simulator that plays the games of a card contest, with the engine's own winners.

    Attributes:
        contest: cards and players.
        space: numbers that are parameters, with their ranges.
    """

    def __init__(self, contest: CardContest, space: SearchSpace) -> None:
        """Set the attributes; the arguments are those of the class."""
        self.contest = contest
        self.space = space

    @cached_property
    def identity(self) -> str:
        """Hash of the version of the engine, cards, rules, players and parameters."""
        table = self.contest.table
        players = [(p.name, content_hash(p.deck), p.agent.name) for p in self.contest.players]
        files = (content_hash(table.pool), content_hash(table.ruleset))
        content = (__version__, *files, players, self.space.genes)
        return hashlib.sha256(repr(content).encode()).hexdigest()

    @property
    def n_seats(self) -> int:
        """Number of players of a game."""
        return N_SEATS

    @property
    def can_leave_out(self) -> bool:
        """Whether a seat can play without a card: always."""
        return True

    @cached_property
    def parameters(self) -> dict[str, ParameterEntry]:
        """Numbers of the search space, by names such as `ember_whelp.cost`."""
        names = np.array(self.contest.player_names)
        reach = self.contest.reach(self.space.genes)
        columns = (self.space.low.tolist(), self.space.high.tolist(), self.space.weights.tolist())
        entries = {}
        for gene, reached, low, high, weight in zip(self.space.genes, reach, *columns, strict=True):
            value = self.contest.parameter(gene).value
            entries[self._name(gene)] = ParameterEntry(
                value=value,
                low=value + low,
                high=value + high,
                players=() if reached.all() else tuple(names[reached].tolist()),
                weight=weight,
            )
        return entries

    def _name(self, gene: Gene) -> str:
        """Return the name of a parameter."""
        return f"{self.contest.parameter(gene).owner}.{gene.field}"

    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        """Play blocks by the engine; see `Simulator.play`.

        Numbers that the rules do not permit are infeasible.

        Args:
            blocks: games to play.

        Raises:
            InputError: a player is unknown, or card texts never end.
        """
        for position, block in enumerate(blocks):
            try:
                table = self._table(block)
            except InputError as error:
                yield position, infeasible_games(str(error))
                continue
            yield position, Played(self._winners(block, table))

    def _table(self, block: Block) -> Table:
        """Return the cards and rules with the numbers of a block.

        Raises:
            InputError: the rules do not permit a number.
        """
        baseline = {name: entry.value for name, entry in self.parameters.items()}
        numbers = baseline | dict(block.numbers)
        steps = [_difference(numbers[name], baseline[name]) for name in baseline]
        return self.contest.table.vary(self.space.genes, np.array([steps], dtype=np.int64))

    def _winners(self, block: Block, table: Table) -> np.ndarray:
        """Return the winner of each game of a block, ``[S]``."""
        names = self.contest.player_names
        seated = [
            names.index(known_word("player", player, names, "players")) for player in block.players
        ]
        left_out = block.without or (None,) * N_SEATS
        decks = np.stack(
            [self._deck(player, card) for player, card in zip(seated, left_out, strict=True)]
        )
        agents = [self.contest.agents[player] for player in seated]
        winners = np.empty(block.n_games, dtype=np.int8)
        for games, batch in _batches(block.seeds, decks):
            won = kept(play(batch, table, agents, threads=1, keep="winner").winners)
            winners[games] = np.where(won == ENGINE_DRAWN, DRAWN, won)
        return winners

    def _deck(self, player: int, card: str | None) -> DeckRows:
        """Return the deck row of a player, without all copies of a card if one is named."""
        row: DeckRows = self.contest.deck_rows[player]
        if card is None:
            return row
        cards = [each.id for each in self.contest.table.pool.cards]
        number = cards.index(known_word("card", card, cards, "without"))
        if number not in row[1:DECK_POWER]:
            return row
        return without(row, number)


def _difference(number: object, baseline: object) -> int:
    """Return the number of steps between two whole numbers.

    Raises:
        InputError: the first is not a whole number.
    """
    if not isinstance(number, int) or not isinstance(baseline, int):
        raise InputError(f"{number!r} is not a whole number", value=number)
    return number - baseline


def _batches(seeds: Seeds, decks: DeckRows) -> Iterator[tuple[np.ndarray, Batch]]:
    """Yield batches that play games with given seeds, and the positions of their games.

    Each row of a batch plays seeds that follow each other in a stream.

    Args:
        seeds: seeds of the games, ``[S]``.
        decks: deck row of each seat, ``[2, DECK_ROW_SIZE]``.
    """
    for stream in (0, _HALF):
        indices = indices_of(stream, seeds)
        games = np.flatnonzero(indices < _HALF)
        if not len(games):
            continue
        own = indices[games].astype(np.int64)
        starts = np.flatnonzero(np.diff(own, prepend=own[0] - 2) != 1)
        rows = 0 * starts
        yield (
            games,
            Batch(
                decks=decks,
                variant=rows,
                seats=np.tile(np.arange(N_SEATS), (len(rows), 1)),
                n_games=np.diff(starts, append=len(own)),
                first_game=own[starts],
                stream=stream,
            ),
        )
