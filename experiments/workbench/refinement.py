"""Win rates and effects of single steps for one set of edits, from a growing number of games."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import isnan, lcm
from typing import Any

import numpy as np

from balance import Demands
from balance.contest.whatif import Edits, Exploration, Step
from experiments.results.compared import ChangeRow, change_rows
from experiments.workbench.answers import rates_of, worst_of
from experiments.workbench.draft import Draft
from experiments.workbench.view_model import Place, ViewModel
from sim.errors import InputError
from sim.ruleset import RULES


@dataclass(frozen=True)
class Effects:
    """Effects of single steps on the distance of the worst demand from its aim.

    Attributes:
        view: view model of the experiment.
        draft: draft to which each step is added separately.
        rate: estimated rate of the worst demand with the draft, as a fraction.
        worst: index of the worst demand among the rates on the page.
    """

    view: ViewModel
    draft: Draft
    rate: float
    worst: int
    _effects_pp: dict[tuple[Place, int], float] = field(default_factory=dict)

    @property
    def demand(self) -> Demands:
        """Aim and bounds of the worst demand only."""
        return self.view.shown_rates.demands.take(np.array([self.worst]))

    @property
    def n_matchups(self) -> int:
        """Number of matchups on which the worst demand depends."""
        n = len(self.view.contest.matchups)
        return int((self.demand.touched(np.eye(n, dtype=np.bool_)) > 0).sum())

    def steps(self) -> Iterator[tuple[Place, int]]:
        """Yield the place and direction (1 or -1) of each permitted step from the draft.

        A step is permitted if the number stays in its range and the rules stay consistent. Steps of
        locked numbers are included, since a lock can be removed later.
        """
        values = self.draft.values
        for place, number in self.view.numbers.items():
            present = values.get(place, number.today)
            for by in (1, -1):
                if number.least <= present + by <= number.most and (
                    place[0] != RULES or self._are_rules(place[1], present + by)
                ):
                    yield place, by

    def _are_rules(self, field_name: str, to: int) -> bool:
        """Return whether a value of the rules is consistent with the draft's other rule edits."""
        rules = {name: value for (card, name), value in self.draft.values.items() if card == RULES}
        try:
            self.view.check_rules({**rules, field_name: to})
        except InputError:
            return False
        return True

    def play(self, exploration: Exploration, steps: list[tuple[Place, int]], n_games: int) -> None:
        """Play games for steps, and store the effect of each step.

        Steps with games that never end have no effect and are left out.

        Args:
            exploration: plays the games and keeps their results.
            steps: place and direction (1 or -1) of each step.
            n_games: number of games per matchup and step.
        """
        edits = self.view.edits(self.draft.values)
        numbers = self.view.numbers
        taken = [Step(numbers[place].gene, by) for place, by in steps]
        change = exploration.changes_by_steps(edits, taken, self.demand, n_games)
        before_pp = self.demand.distance_pp(np.array([self.rate]))
        after_pp = self.demand.distance_pp((self.rate + change)[:, np.newaxis])
        moved_pp = (after_pp - before_pp)[:, 0].tolist()
        measured = {step: pp for step, pp in zip(steps, moved_pp, strict=True) if not isnan(pp)}
        self._effects_pp.update(measured)

    def event(self, draft: Draft, revision: int, n_games: int) -> dict[str, Any]:
        """Return the data of the event `effects`, with effects in percentage points.

        Args:
            draft: draft with the same edits; the effects of its locked numbers are `None`.
            revision: revision of the session to which the event refers.
            n_games: number of games per matchup from which each effect was estimated.
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
        """Return a step's effect in percentage points; `None` if not measured or locked."""
        return None if draft.is_locked(*place) else self._effects_pp.get((place, by))


RATE_LEVELS = (250, 1_000, 4_000, 16_000)
"""Refinement levels of the rates, in games per matchup; no games follow the last level.

Each level has four times as many games as the level before, which halves the intervals: the 95 %
intervals are about 12, 6, 3 and 1.5 percentage points wide.
"""

EFFECT_LEVELS = (100, 400, 1_600)
"""Refinement levels of the effects, in games per matchup and step.

The games of a step use the seeds of the draft's games. The noise of both cancels in part, so fewer
games suffice than for the rates.
"""

# Games per matchup for the rates before any games for effects. Their intervals of +-3 percentage
# points usually show which demand is worst, and effects are measured on this demand only.
_RATES_FIRST = 1_000
# Processor seconds per chunk. A new edit interrupts games only between chunks, so this is the
# delay before its games start; 50 ms is too short to be noticed.
_CHUNK_S = 0.05
# Seconds after which rates between two levels are published. Chosen by hand: users notice longer
# pauses.
_SILENCE_S = 0.25
# Maximum processor seconds of a level of effects; a level that would need more is skipped. Chosen
# by hand, not tuned.
_LONGEST_S = 30.0
_CHUNK_MIN = 64  # games in the first chunk, and in the smallest; chosen by hand, not tuned


class Player:
    """Executor that plays games in chunks of about `_CHUNK_S` seconds, so that edits can interrupt.

    Attributes:
        view: view model of the experiment.
        exploration: plays the games and keeps their results.
        speed: games per second of processor time in the last large chunk; 0 before the first.
    """

    def __init__(self, view: ViewModel) -> None:
        """Prepare to play games of an experiment.

        Args:
            view: view model of the experiment.
        """
        self.view = view
        contest = replace(view.contest, on_games=self._count)
        self.exploration = Exploration(contest, view.experiment.settings.seed)
        self.speed = 0.0
        self._n_played = 0
        self._n_chunk = _CHUNK_MIN

    def _count(self, n_games: int) -> None:
        """Add newly played games to the total; a callback of the contest."""
        self._n_played += n_games

    def warm(self) -> None:
        """Play a few games, so that the games' code is compiled before the page opens.

        Do nothing if the experiment has a single deck.
        """
        if self.view.has_opponents:
            self.exploration.explore({}, self.fitting(_CHUNK_MIN))

    def fitting(self, n_games: int) -> int:
        """Return a number of games that is played in all seatings equally often, rounded down.

        It is even, as commands require, and at least two seeds, so that intervals can be computed.
        """
        unit = lcm(2, self.view.contest.n_seatings)
        return max(n_games // unit * unit, 2 * unit)

    def n_affordable(self, n_games_each: int) -> int:
        """Return the number of steps or matchups that fit into a chunk, rounded down.

        Args:
            n_games_each: number of games of each step or matchup.
        """
        return int(self._n_chunk // n_games_each)

    @contextmanager
    def measured_chunk(self) -> Iterator[None]:
        """Measure the games of the `with` block, and adapt the size of the next chunk.

        If the block took longer than `_CHUNK_S` seconds of processor time, the size shrinks in
        proportion, but not below `_CHUNK_MIN` games. If the block played more than half the size in
        less than half of `_CHUNK_S`, the size doubles.
        """
        # Chunks double, since each has a fixed cost in addition to its games: a size computed from
        # the speed of a small chunk would shrink further and further. Processor time is measured,
        # since other processes on the machine would otherwise shrink the chunks.
        began_s = time.process_time()
        n_before = self._n_played
        yield
        took_s = time.process_time() - began_s
        n_played = self._n_played - n_before
        if took_s > _CHUNK_S:
            self._n_chunk = max(int(self._n_chunk * _CHUNK_S / took_s), _CHUNK_MIN)
        elif took_s < _CHUNK_S / 2 and n_played > self._n_chunk / 2:
            self._n_chunk *= 2
        # The time of a chunk with few games is mostly the fixed cost, so it shows no speed.
        if n_played > self._n_chunk / 4:
            self.speed = n_played / max(took_s, 1e-6)


@dataclass
class Refinement:
    """Win rates and effects for one set of edits, and the number of games behind them.

    Attributes:
        draft: draft with the edits.
        edits: steps of each edited number from its baseline.
        n_games: number of games per matchup behind the rates.
        rows: one row per rate on the page; empty before the first games.
        rates: data of the event `rates` without `revision`; `None` before the first games.
        effects: effects of single steps; `None` before the first level of effects is complete.
        n_effects: number of games per matchup behind each effect.
    """

    draft: Draft
    edits: Edits
    n_games: int = 0
    rows: Sequence[ChangeRow] = ()
    rates: dict[str, Any] | None = None
    effects: Effects | None = None
    n_effects: int = 0

    def events(self, draft: Draft, revision: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the name and data of the events `rates` and `effects`, if their results exist.

        Args:
            draft: newest draft with the same edits; the effects of its locked numbers are hidden.
            revision: revision of the session to which the events refer.
        """
        if self.rates is not None:
            yield "rates", {**self.rates, "revision": revision}
        if self.effects is not None and self.n_effects:
            yield "effects", self.effects.event(draft, revision, self.n_effects)

    def play_chunks(self, player: Player) -> Iterator[str]:
        """Play games in chunks up to the last levels of rates and effects.

        Play nothing if earlier games with these edits failed.

        Yields:
            After each chunk the name of the event with new results, `rates` or `effects`; an empty
            string if the chunk produced no new results.

        Raises:
            CardFault: the edits make games that never end.
        """
        if self.rates is not None and self.rates["fault"]:
            return
        # Rough rates show the result of an edit soon, and rough effects show which edit helps
        # next; precise results follow.
        yield from self._play_rates(player, _RATES_FIRST)
        yield from self._play_effects(player, EFFECT_LEVELS[0])
        yield from self._play_rates(player, RATE_LEVELS[-1])
        for n_games in EFFECT_LEVELS[1:]:
            yield from self._play_effects(player, n_games)

    def _play_rates(self, player: Player, most: int) -> Iterator[str]:
        """Play games for the rates until a level is reached.

        Args:
            player: plays the games.
            most: last level, in games per matchup.

        Yields:
            `rates` after a chunk that completes a level, or at the latest after about `_SILENCE_S`
            seconds; an empty string after other chunks.
        """
        published_s = time.perf_counter()
        n_known = self.n_games
        levels = [player.fitting(level) for level in RATE_LEVELS if level <= most]
        for level in (level for level in levels if self.n_games < level):
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
        """Play the next chunk of games with the baseline numbers and with the edits.

        Args:
            player: plays the games.
            n_known: number of games per matchup before the chunk.
            level: maximum number of games per matchup after the chunk.

        Returns:
            Number of games per matchup after the chunk.
        """
        # Games that were kept from an earlier revision with the same edits take no time.
        kept = (player.exploration.n_kept(edits) for edits in (self.edits, {}))
        n_known = max(n_known, min(*kept, level))
        more = player.n_affordable(len(player.view.contest.matchups))
        n_known = min(n_known + player.fitting(more), level)
        with player.measured_chunk():
            for edits in ({}, self.edits):
                player.exploration.explore(edits, n_known)
        return n_known

    def _update_rates(self, player: Player, n_games: int) -> None:
        """Compute and store the rates from the first `n_games` games of each matchup."""
        explore = player.exploration.explore
        explored = explore(self.edits, n_games)
        today = explore({}, n_games)
        (rows,) = change_rows(["edited"], [explored], today, player.view.shown_rates)
        is_settled = n_games == player.fitting(RATE_LEVELS[-1])
        self.rates = rates_of(player.view, rows, is_settled=is_settled)
        self.rows = rows
        self.n_games = n_games

    def _play_effects(self, player: Player, n_games: int) -> Iterator[str]:
        """Play games for the effects of all permitted steps on the worst demand.

        Play nothing if the effects already have `n_games` games, or if the level would take more
        than `_LONGEST_S` seconds at the measured speed.

        Args:
            player: plays the games.
            n_games: number of games per matchup and step.

        Yields:
            An empty string after each chunk but the last, `effects` after the last.
        """
        n_games = player.fitting(n_games)
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
