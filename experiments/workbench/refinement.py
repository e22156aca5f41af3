"""Refinement of win rates: results for one set of edits from a growing number of games."""

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
from experiments.workbench.draft import Draft
from experiments.workbench.view_model import Place, ViewModel
from sim.errors import InputError
from sim.ruleset import RULES


@dataclass(frozen=True)
class Effects:
    """Effects of single steps: how far each takes the worst demand from its aim.

    Attributes:
        view: view model of the experiment.
        draft: draft to which each step is added.
        rate: estimated rate of the worst demand with the draft.
        worst: position of the worst demand among the shown rates.
    """

    view: ViewModel
    draft: Draft
    rate: float
    worst: int
    _effects_pp: dict[tuple[Place, int], float] = field(default_factory=dict)

    @property
    def demand(self) -> Demands:
        """The worst demand alone."""
        return self.view.shown_rates.demands.take(np.array([self.worst]))

    @property
    def n_matchups(self) -> int:
        """Number of matchups that enter the worst demand."""
        n = len(self.view.contest.matchups)
        return int((self.demand.touched(np.eye(n, dtype=np.bool_)) > 0).sum())

    def steps(self) -> Iterator[tuple[Place, int]]:
        """Yield the place and the direction (1 or -1) of each possible step, locked or not."""
        values = self.draft.values
        for place, number in self.view.numbers.items():
            present = values.get(place, number.today)
            for by in (1, -1):
                if number.least <= present + by <= number.most and (
                    place[0] != RULES or self._are_rules(place[1], present + by)
                ):
                    yield place, by

    def _are_rules(self, field_name: str, to: int) -> bool:
        """Return whether a new value of the rules is consistent with the draft's other edits."""
        rules = {name: value for (card, name), value in self.draft.values.items() if card == RULES}
        try:
            self.view.contest.table.ruleset.with_numbers({**rules, field_name: to})
        except InputError:
            return False
        return True

    def play(self, exploration: Exploration, steps: list[tuple[Place, int]], n_games: int) -> None:
        """Estimate the effects of steps.

        Args:
            exploration: plays and keeps the games.
            steps: places and directions of the steps.
            n_games: games per matchup of each step.
        """
        edits = self.view.edits(self.draft.values)
        numbers = self.view.numbers
        taken = [Step(numbers[place].gene, by) for place, by in steps]
        change = exploration.changes_by_steps(edits, taken, self.demand, n_games)
        before_pp = self.demand.distance_pp(np.array([self.rate]))
        after_pp = self.demand.distance_pp((self.rate + change)[:, np.newaxis])
        moved_pp = (after_pp - before_pp)[:, 0].tolist()
        known = {step: pp for step, pp in zip(steps, moved_pp, strict=True) if not isnan(pp)}
        self._effects_pp.update(known)

    def event(self, draft: Draft, revision: int, n_games: int) -> dict[str, Any]:
        """Return the data of the event `effects`.

        Args:
            draft: draft with the same edits; steps of its locked numbers are left out.
            revision: revision of the session.
            n_games: games per matchup behind each effect.
        """
        return {
            "revision": revision,
            "n_games": n_games,
            "worst": self.view.shown_rates.demands.names[self.worst],
            "effects": [
                {
                    "card": card,
                    "field": name,
                    "up_pp": self._effect_pp((card, name), 1, draft),
                    "down_pp": self._effect_pp((card, name), -1, draft),
                }
                for card, name in self.view.numbers
            ],
        }

    def _effect_pp(self, place: Place, by: int, draft: Draft) -> float | None:
        """Return the effect of a step in points; `None` if it is unknown or locked."""
        return None if draft.is_locked(*place) else self._effects_pp.get((place, by))


RATE_LEVELS = (250, 1_000, 4_000, 16_000)
"""Refinement levels of the rates, in games per matchup; rates settle at the last level.

Each level halves the width of the intervals of the level before: 95 % intervals of about 12, 6, 3
and 1.5 points.
"""

EFFECT_LEVELS = (100, 400, 1_600)
"""Refinement levels of the effects, in games per matchup of each step.

A step's games use the seeds of the draft's games, so far fewer of them suffice than for rates.
"""

# Before effects: intervals of about 3 points on either side show which demand is the worst.
_RATES_FIRST = 1_000  # games per matchup of rates that are played before any effect
_CHUNK_S = 0.05  # processor time of a chunk: an edit waits no longer than one chunk for its games
_SILENCE_S = 0.25  # after which rates between two levels are published: people notice longer waits
_LONGEST_S = 30.0  # processor time of a level of effects, or it is skipped; chosen by hand
_CHUNK_MIN = 64  # games of the first chunk, and of the smallest; see `Player.measured_chunk`


class Player:
    """Plays games in chunks of about `_CHUNK_S` each, so that a new edit need not wait.

    Attributes:
        view: view model of the experiment.
        exploration: plays and keeps the games.
        speed: measured speed in games per second of processor time; 0 before the first chunk.
    """

    def __init__(self, view: ViewModel, threads: int | None) -> None:
        """Prepare to play with a number of threads, default all cores."""
        self.view = view
        contest = replace(view.contest, on_games=self._count)
        self.exploration = Exploration(contest, view.experiment.settings.seed, threads)
        self.speed = 0.0
        self._n_played = 0
        self._n_chunk = _CHUNK_MIN

    def _count(self, n_games: int) -> None:
        """Count games as they are played."""
        self._n_played += n_games

    def warm(self) -> None:
        """Play a few games, so that all code is compiled before the page opens."""
        if self.view.has_opponents:
            self.exploration.explore({}, _CHUNK_MIN)

    def n_affordable(self, n_games_each: int) -> int:
        """Return how many steps or matchups of `n_games_each` games each fit into a chunk."""
        return int(self._n_chunk // n_games_each)

    @contextmanager
    def measured_chunk(self) -> Iterator[None]:
        """Measure the games of the block, and adapt the size of the next chunk to their speed.

        A chunk has a fixed cost besides its games. Fitting the next chunk to the speed of a small
        one would therefore shrink chunks further and further; instead they double until they take
        about `_CHUNK_S`. Processor time is measured, since waiting for other processes would
        shrink chunks, too.
        """
        began_s = time.process_time()
        n_before = self._n_played
        yield
        took_s = time.process_time() - began_s
        n_played = self._n_played - n_before
        if took_s > _CHUNK_S:
            self._n_chunk = max(int(self._n_chunk * _CHUNK_S / took_s), _CHUNK_MIN)
        elif took_s < _CHUNK_S / 2 and n_played > self._n_chunk / 2:
            self._n_chunk *= 2
        # The speed of a chunk with few games is mostly that fixed cost.
        if n_played > self._n_chunk / 4:
            self.speed = n_played / max(took_s, 1e-6)


@dataclass
class Refinement:
    """Results for one set of edits.

    Attributes:
        draft: a draft with these edits.
        edits: the edits, as steps from the baseline.
        n_games: games per matchup behind the rates.
        rows: the rates.
        rates: data of the event `rates`, without the revision; `None` before the first games.
        effects: effects of single steps; `None` before the first level of them.
        n_effects: games per matchup behind each effect.
    """

    draft: Draft
    edits: Edits
    n_games: int = 0
    rows: Sequence[ChangeRow] = ()
    rates: dict[str, Any] | None = None
    effects: Effects | None = None
    n_effects: int = 0

    def events(self, draft: Draft, revision: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield name and data of each event with a result.

        Args:
            draft: draft of the revision, with these edits.
            revision: revision of the session that the events carry.
        """
        if self.rates is not None:
            yield "rates", {**self.rates, "revision": revision}
        if self.effects is not None and self.n_effects:
            yield "effects", self.effects.event(draft, revision, self.n_effects)

    def play_chunks(self, player: Player) -> Iterator[str]:
        """Play chunks of games up to the last level; yield the name of the new event after each.

        Yields:
            `rates`, `effects`, or an empty string after a chunk without a new event.

        Raises:
            CardFault: the edits make games that never end.
        """
        if self.rates is not None and self.rates["fault"]:
            return
        # Rough rates answer an edit at once; rough effects then show where to go next.
        yield from self._play_rates(player, _RATES_FIRST)
        yield from self._play_effects(player, EFFECT_LEVELS[0])
        yield from self._play_rates(player, RATE_LEVELS[-1])
        for n_games in EFFECT_LEVELS[1:]:
            yield from self._play_effects(player, n_games)

    def _play_rates(self, player: Player, most: int) -> Iterator[str]:
        """Play games for the rates, up to a number of games per matchup."""
        published_s = time.perf_counter()
        n_known = self.n_games
        for level in (level for level in RATE_LEVELS if self.n_games < level <= most):
            while n_known < level:
                n_known = self._play_chunk(player, n_known, level)
                is_late = time.perf_counter() - published_s > _SILENCE_S
                if n_known == level or is_late:
                    self._update_rates(player, n_known)
                    published_s = time.perf_counter()
                    yield "rates"
                else:
                    yield ""

    def _play_chunk(self, player: Player, n_known: int, level: int) -> int:
        """Play the next chunk of games with and without the edits.

        Args:
            player: plays the games.
            n_known: games per matchup so far.
            level: games per matchup at which to stop.

        Returns:
            Games per matchup after the chunk.
        """
        # Games that an earlier visit to these edits has played cost nothing.
        kept = (player.exploration.n_kept(edits) for edits in (self.edits, {}))
        n_known = max(n_known, min(*kept, level))
        more = player.n_affordable(len(player.view.contest.matchups))
        # An even number: games are played in pairs with swapped seats.
        n_known = min(n_known + max(more // 2 * 2, 4), level)
        with player.measured_chunk():
            for edits in ({}, self.edits):
                player.exploration.explore(edits, n_known)
        return n_known

    def _update_rates(self, player: Player, n_games: int) -> None:
        """Compute the rates from the first `n_games` games of each matchup, and store them."""
        explore = player.exploration.explore
        explored = explore(self.edits, n_games)
        today = explore({}, n_games)
        (rows,) = change_rows(["edited"], [explored], today, player.view.shown_rates)
        self.rates = rates_of(player.view, rows, is_settled=n_games == RATE_LEVELS[-1])
        self.rows = rows
        self.n_games = n_games

    def _play_effects(self, player: Player, n_games: int) -> Iterator[str]:
        """Play games for the effects of all steps; skip a level that would take very long."""
        if n_games <= self.n_effects:
            return
        demands = player.view.shown_rates.demands
        rates = player.exploration.explore(self.edits, self.n_games).rates(demands).estimate
        worst = worst_of(demands, rates)
        effects = Effects(player.view, self.draft, float(rates[worst]), worst)
        steps = [*effects.steps()]
        n_games_each = effects.n_matchups * n_games
        if len(steps) * n_games_each > _LONGEST_S * player.speed:
            return
        while steps:
            n_steps = max(player.n_affordable(n_games_each), 1)
            with player.measured_chunk():
                effects.play(player.exploration, steps[:n_steps], n_games)
            del steps[:n_steps]
            if steps:
                yield ""
        self.effects = effects
        self.n_effects = n_games
        yield "effects"
