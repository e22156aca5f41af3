"""A refinement: what is known of one set of edits, and the next pieces of games that tell more."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any

import numpy as np

from balance import Demands
from balance.whatif import Edits, Exploration, Step
from experiments.results.compared import ChangeRow, change_rows
from experiments.workbench.answers import rates_of, worst_of
from experiments.workbench.board import Board, Place
from experiments.workbench.draft import Draft
from sim.errors import InputError
from sim.ruleset import RULES


@dataclass(frozen=True)
class Effects:
    """The effects of all next steps, as they become known.

    Attributes:
        board: whose numbers.
        draft: from which the steps lead on.
        rate: of the worst demand with the draft, as well as it is known.
        worst: the position of that demand.
    """

    board: Board
    draft: Draft
    rate: float
    worst: int
    _found: dict[tuple[Place, int], float] = field(default_factory=dict)

    @property
    def demand(self) -> Demands:
        """The worst one."""
        return self.board.told.demands.take(np.array([self.worst]))

    @property
    def n_matchups(self) -> int:
        """How many matchups are part of it."""
        n = len(self.board.contest.matchups)
        return int((self.demand.touched(np.eye(n, dtype=np.bool_)) > 0).sum())

    def steps(self) -> Iterator[tuple[Place, int]]:
        """All that can be taken, if nothing were locked."""
        values = self.draft.values
        for place, number in self.board.numbers.items():
            present = values.get(place, number.today)
            for by in (1, -1):
                if number.least <= present + by <= number.most and (
                    place[0] != RULES or self._are_rules(place[1], present + by)
                ):
                    yield place, by

    def _are_rules(self, field_name: str, to: int) -> bool:
        """Whether there can be such rules with what else is edited of them."""
        told = {name: value for (card, name), value in self.draft.values.items() if card == RULES}
        try:
            self.board.contest.table.ruleset.with_numbers({**told, field_name: to})
        except InputError:
            return False
        return True

    def play(self, exploration: Exploration, steps: list[tuple[Place, int]], n_games: int) -> None:
        """Find the effects of some steps, from so many games per matchup each."""
        edits = self.board.edits(self.draft.values)
        numbers = self.board.numbers
        taken = [Step(numbers[place].gene, by) for place, by in steps]
        change = exploration.changes_by_steps(edits, taken, self.demand, n_games)
        before_pp = self.demand.distance_pp(np.array([self.rate]))
        after_pp = self.demand.distance_pp((self.rate + change)[:, np.newaxis])
        moved_pp = (after_pp - before_pp)[:, 0].tolist()
        told = {step: pp for step, pp in zip(steps, moved_pp, strict=True) if not isnan(pp)}
        self._found.update(told)

    def told(self, draft: Draft, revision: int, n_games: int) -> dict[str, Any]:
        """The event `effects`.

        Args:
            draft: with the same edits, whose locks count.
            revision: of the session.
            n_games: per matchup of each step.
        """
        return {
            "revision": revision,
            "n_games": n_games,
            "worst": self.board.told.demands.names[self.worst],
            "effects": [
                {
                    "card": card,
                    "field": name,
                    "up_pp": self._of((card, name), 1, draft),
                    "down_pp": self._of((card, name), -1, draft),
                }
                for card, name in self.board.numbers
            ],
        }

    def _of(self, place: Place, by: int, draft: Draft) -> float | None:
        return None if draft.is_locked(*place) else self._found.get((place, by))


LADDER = (250, 1_000, 4_000, 16_000)
"""Games per matchup at which rates are told; the last of them settle them."""

EFFECTS = (100, 400, 1_600)
"""Games per matchup of each next step at which effects are told: first once rates are soon."""

_SOON = 1_000  # games per matchup of rates
_PIECE_S = 0.05  # of the processor
_SILENCE_S = 0.25  # after which rates are told by fewer games than the next rung has
_LONGEST_S = 30.0  # of the processor, that all effects of a rung may take
_FIRST = 64  # games of the first piece, and at least


class Player:
    """Plays pieces of games that take about as long as they should.

    Attributes:
        board: whose games.
        exploration: keeps them.
    """

    def __init__(self, board: Board, threads: int | None) -> None:
        """Nothing has been played."""
        self.board = board
        contest = replace(board.contest, on_games=self._count)
        self.exploration = Exploration(contest, board.experiment.settings.seed, threads)
        self._n_played = 0
        self._n_piece = _FIRST
        self.speed = 0.0  # games; games per second

    def _count(self, n_games: int) -> None:
        self._n_played += n_games

    def warm(self) -> None:
        """Play a few games, so that all is compiled before anybody waits."""
        if self.board.has_opponents:
            self.exploration.explore({}, _FIRST)

    def affordable(self, n_games_of_each: int) -> int:
        """How many things of so many games each a piece may play."""
        return int(self._n_piece // n_games_of_each)

    @contextmanager
    def piece(self) -> Iterator[None]:
        """Let a piece be played, to learn how many games one may have, and how fast they are.

        Pieces double until they take about as long as they should: what every piece takes besides
        its games would else make small ones look slow, and so the next ones smaller. So would
        waiting for other processes, hence it is the processor's time.
        """
        began_s = time.process_time()
        n_before = self._n_played
        yield
        took_s = time.process_time() - began_s
        n_played = self._n_played - n_before
        if took_s > _PIECE_S:
            self._n_piece = max(int(self._n_piece * _PIECE_S / took_s), _FIRST)
        elif took_s < _PIECE_S / 2 and n_played > self._n_piece / 2:
            self._n_piece *= 2
        if n_played > self._n_piece / 4:
            self.speed = n_played / max(took_s, 1e-6)


@dataclass
class Refinement:
    """What is known of one set of edits.

    Attributes:
        draft: one with these edits.
        edits: from today's numbers.
        n_games: per matchup that its rates are told by.
        rows: the rates.
        rates: the event `rates`, but for the revision.
        effects: of next steps, as far as they are known.
        n_effects: games per matchup that all of them are told by.
    """

    draft: Draft
    edits: Edits
    n_games: int = 0
    rows: Sequence[ChangeRow] = ()
    rates: dict[str, Any] | None = None
    effects: Effects | None = None
    n_effects: int = 0

    def told(self, draft: Draft, revision: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """All events that are known, for a revision whose draft has these edits."""
        if self.rates is not None:
            yield "rates", {**self.rates, "revision": revision}
        if self.effects is not None and self.n_effects:
            yield "effects", self.effects.told(draft, revision, self.n_effects)

    def pieces(self, player: Player) -> Iterator[str]:
        """Play piece by piece until all is told; which event is new after each, or `""`.

        Raises:
            CardFault: the edits make games that never end.
        """
        if self.rates is not None and self.rates["fault"]:
            return
        yield from self._rates(player, _SOON)
        yield from self._effects(player, EFFECTS[0])
        yield from self._rates(player, LADDER[-1])
        for n_games in EFFECTS[1:]:
            yield from self._effects(player, n_games)

    def _rates(self, player: Player, most: int) -> Iterator[str]:
        told_s = time.perf_counter()
        n_known = self.n_games
        for rung in (rung for rung in LADDER if self.n_games < rung <= most):
            while n_known < rung:
                n_known = self._piece(player, n_known, rung)
                is_late = time.perf_counter() - told_s > _SILENCE_S
                if n_known == rung or is_late:
                    self._tell(player, n_known)
                    told_s = time.perf_counter()
                    yield "rates"
                else:
                    yield ""

    def _piece(self, player: Player, n_known: int, rung: int) -> int:
        """Play a piece more, or none where all games are there; how many there are then."""
        kept = (player.exploration.n_kept(edits) for edits in (self.edits, {}))
        n_known = max(n_known, min(*kept, rung))
        more = player.affordable(len(player.board.contest.matchups))
        n_known = min(n_known + max(more // 2 * 2, 4), rung)
        with player.piece():
            for edits in ({}, self.edits):
                player.exploration.explore(edits, n_known)
        return n_known

    def _tell(self, player: Player, n_games: int) -> None:
        explore = player.exploration.explore
        explored = explore(self.edits, n_games)
        today = explore({}, n_games)
        (rows,) = change_rows(["edited"], [explored], today, player.board.told)
        self.rates = rates_of(player.board, rows, is_settled=n_games == LADDER[-1])
        self.rows = rows
        self.n_games = n_games

    def _effects(self, player: Player, n_games: int) -> Iterator[str]:
        """Effects of all next steps; those that would take very long are not told."""
        if n_games <= self.n_effects:
            return
        told = player.board.told.demands
        rates = player.exploration.explore(self.edits, self.n_games).rates(told).estimate
        worst = worst_of(told, rates)
        effects = Effects(player.board, self.draft, float(rates[worst]), worst)
        steps = [*effects.steps()]
        n_of_each = effects.n_matchups * n_games
        if len(steps) * n_of_each > _LONGEST_S * player.speed:
            return
        while steps:
            n_steps = max(player.affordable(n_of_each), 1)
            with player.piece():
                effects.play(player.exploration, steps[:n_steps], n_games)
            del steps[:n_steps]
            if steps:
                yield ""
        self.effects = effects
        self.n_effects = n_games
        yield "effects"
