"""An estimate of a balance run before it: the games of each stage, and seconds.

Where settings say how many games a stage plays, they are counted. Where a method ends once it is
done, they are guessed by how far today's rates are off: the further, the more rounds and edits. A
few games of these very decks and agents tell that, and how long a game takes; nothing else heeds
them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np

from balance.budget import games_to_spend
from balance.card_contest import CardContest
from balance.card_space import build_space
from balance.edit_effects import MOST_EDITS, games_of_effects
from balance.methods import most_rounds
from balance.model.design import games_of_design
from balance.model.features import Features
from balance.model.groundwork import LEVER_TIMES
from balance.model.search import N_CENTRES, SURE
from balance.pipeline import LEAST_FOR_CLEANUP, within_total
from balance.power import games_of_power, n_powers_of
from balance.settings import BalanceSettings

_PROBE_S = 0.1  # that the last batch of the probe takes at least
_PROBE_FIRST, _PROBE_MOST = 4, 4_000  # games per matchup in the first one, and in that
_UNITS = 3  # of fixed arithmetic that are timed
_LUCK = 2.0  # standard errors by which luck makes the largest of several distances look larger
_PP_OF_ROUND, _PP_OF_EDIT = 5.0, 5.3  # beyond the band: whose square tells rounds, and edits
_ROUNDS_OF_CENTRE = 4.0  # rounds after the third, of which one begins with levers
_RACED, _RACED_MOST = 36, 38  # genomes of a round
_SELECTED = 11  # genomes that a model has selected
_FEW = 5  # the selection's games are so many times the few of the clean-up
_EDITS_OF_MANY = 14.0  # whose square tells how many smaller patches are played for long
_LOOKED_AT = 0.4  # of a certificate's games, before all is told
_GUARDS_MOST = 4  # times a certificate's games, where guards may play on


class StageEstimate(NamedTuple):
    """A stage, the games that it may well take, and the most that it can."""

    stage: str
    n_games: int
    most: int


class Probe(NamedTuple):
    """A few games of today's decks.

    Attributes:
        imbalance_pp: today's.
        n_games: games per matchup behind that.
        seconds: of a game, in a batch of many.
        unit_s: of `_UNIT`, arithmetic of a fixed size.
    """

    imbalance_pp: float
    n_games: int
    seconds: float
    unit_s: float


@dataclass(frozen=True)
class RunEstimate:
    """What a run may take.

    Attributes:
        stages: in their order.
        game_s: seconds of a game.
        seconds: all of it, without figures.
        total: of all games, if the settings tell one.
    """

    stages: tuple[StageEstimate, ...]
    game_s: float
    seconds: float
    total: int | None

    @property
    def n_games(self) -> int:
        """Of all stages."""
        return sum(stage.n_games for stage in self.stages)

    @property
    def most(self) -> int:
        """That all stages can take."""
        most = sum(stage.most for stage in self.stages)
        return most if self.total is None else min(most, self.total)


def estimate_run(
    contest: CardContest, settings: BalanceSettings, *, threads: int | None = None
) -> RunEstimate:
    """What `run_balance` and the effects of edits may take.

    Args:
        contest: cards and players; some games are played, with the purpose `estimate`.
        settings: what to do.
        threads: threads to use; default all cores.

    Raises:
        InputError: the contest cannot be balanced with these settings.
    """
    return guess_run(contest, settings, probe_games(contest, settings, threads=threads))


def guess_run(contest: CardContest, settings: BalanceSettings, probe: Probe) -> RunEstimate:
    """What a run may take by a few games of it.

    Raises:
        InputError: as `estimate_run`.
    """
    guess = _Guess.of(contest, within_total(contest, settings), probe)
    stages = tuple(guess.stages())
    n_games = sum(stage.n_games for stage in stages)
    seconds = n_games * probe.seconds + guess.search_units() * probe.unit_s
    return RunEstimate(stages, probe.seconds, seconds, settings.games.total)


def probe_games(
    contest: CardContest, settings: BalanceSettings, *, threads: int | None = None
) -> Probe:
    """Play today's matchups a few times, the first batch so that all is compiled."""
    play = partial(
        contest.play,
        np.zeros((1, 0), dtype=np.int16),
        [],
        run_seed=settings.seed,
        purpose="estimate",
        threads=threads,
    )
    n_games, took_s = _PROBE_FIRST, 0.0
    played = play(n_games=n_games)
    while took_s < _PROBE_S and n_games < _PROBE_MOST:
        n_games, began_s = 2 * n_games, time.perf_counter()
        played = play(n_games=n_games)
        took_s = time.perf_counter() - began_s
    seconds = took_s / (n_games * len(contest.matchups))
    demands = settings.demands_in(contest)
    imbalance_pp = float(demands.distance_pp(demands.of(demands.rates(played))).max())
    return Probe(imbalance_pp, n_games, seconds, _unit_s())


def _unit_s() -> float:
    """Seconds of arithmetic like that of a model: a mean over some times, as long as they take."""
    values, began_s = np.arange(300_000.0).reshape(-1, 3) % 7, time.perf_counter()
    for _ in range(_UNITS):
        np.abs(values - 3.0).max(axis=1).argsort(kind="stable")
    return (time.perf_counter() - began_s) / _UNITS


@dataclass(frozen=True)
class _Guess:
    """What is known of a run before it.

    Attributes:
        contest: cards and players.
        settings: what to do, with the games of all stages.
        beyond_pp: how far outside its band today's worst rate is.
        n_features: of the numbers that may move once the cards are narrowed.
        n_reached: of them, in all matchups together.
    """

    contest: CardContest
    settings: BalanceSettings
    beyond_pp: float
    n_features: int
    n_reached: int

    @classmethod
    def of(cls, contest: CardContest, settings: BalanceSettings, probe: Probe) -> _Guess:
        luck_pp = _LUCK * 50 / sqrt(probe.n_games)
        space, narrow = build_space(contest, settings.tune), settings.narrow
        features = Features.of(space)
        share = 1.0
        if narrow.by != "none":
            n_decks = len(settings.tune.decks or contest.players)
            share = min(1.0, narrow.keep * n_decks / max(len(space.cards), 1))
        reached = contest.matchup_reach(space.genes)[features.gene].sum()
        beyond_pp = max(probe.imbalance_pp - luck_pp - settings.target.band_pp, 0.0)
        n_features = max(1, round(share * len(features)))
        return cls(contest, settings, beyond_pp, n_features, round(share * float(reached)))

    @property
    def n_matchups(self) -> int:
        return len(self.contest.matchups)

    @property
    def is_model(self) -> bool:
        return self.settings.search.method == "model"

    @property
    def n_edits(self) -> float:
        return 1 + (self.beyond_pp / _PP_OF_EDIT) ** 2

    @property
    def n_rounds(self) -> float:
        return min(1 + (self.beyond_pp / _PP_OF_ROUND) ** 2, self.settings.search.rounds - 1)

    @property
    def n_centres(self) -> float:
        return min(max((self.n_rounds - 3) / _ROUNDS_OF_CENTRE, 0.0), N_CENTRES)

    def stages(self) -> list[StageEstimate]:
        """The games of each stage, in order."""
        games, n = self.settings.games, self.n_matchups
        measure, narrow = games.matchups * n, self._narrowing()
        search, search_most = self._search()
        most_selected = self.settings.search.candidates
        n_selected = min(_SELECTED, most_selected) if self.is_model else most_selected
        select, select_most = ((k + 1) * games.select * n for k in (n_selected, most_selected))
        looked_at = (self.n_edits + 1) / _FEW + self.n_edits**2 / _EDITS_OF_MANY
        clean_up = round(looked_at * games.select * n)
        clean_up_most = max(search_most, LEAST_FOR_CLEANUP)
        certify = 2 * games.certify * n
        certified = round(_LOOKED_AT * certify)
        explain, explain_most = (
            games_of_effects(k, games, n) for k in (round(self.n_edits), MOST_EDITS)
        )
        if games.total is not None:
            left = max(games.total - measure - narrow - search - select - certify, 0)
            clean_up, clean_up_most = min(clean_up, left), left
            left += certify - certified - clean_up
            explain, explain_most = min(explain, left), min(explain_most, left)
        times = 1 if games.total is not None else _GUARDS_MOST
        return [
            StageEstimate("measure", measure, measure),
            StageEstimate("narrow", narrow, narrow),
            StageEstimate("search", search, search_most),
            StageEstimate("select", select, select_most),
            StageEstimate("clean up", clean_up, clean_up_most),
            StageEstimate("certify", certified, times * certify),
            StageEstimate("edits", explain, explain_most),
        ]

    def _narrowing(self) -> int:
        settings, contest = self.settings, self.contest
        if settings.narrow.by == "power":
            return games_of_power(contest, n_powers_of(contest), settings.games.power)
        if settings.narrow.by == "lever":
            n_genes = len(build_space(contest, settings.tune).genes)
            return 2 * n_genes * self.n_matchups * settings.games.lever
        return 0

    def _search(self) -> tuple[int, int]:
        """Games of the search, and the most."""
        settings, games, n = self.settings, self.settings.games, self.n_matchups
        designed = games_of_design(games, self.n_features) * n
        spend = games_to_spend(settings, n)
        if not self.is_model:
            assisted = designed if settings.search.assist and games.total is None else 0
            return spend + assisted, spend + assisted
        centre = LEVER_TIMES * games.search * (self.n_reached + n) + SURE * games.search * n
        expected = designed + self.n_rounds * _RACED * games.search * n + self.n_centres * centre
        most = designed + most_rounds(settings.search) * _RACED_MOST * games.search * n
        most += N_CENTRES * centre
        if games.total is not None:
            most = min(most, spend)
        return min(round(expected), most), most

    def search_units(self) -> float:
        """What a search reckons, in units of fixed arithmetic (`_unit_s`)."""
        search = self.settings.search
        if not self.is_model:
            return _UNITS_OF_GENOME * search.population * (search.generations + 1)
        size = self.n_features / _USUAL_FEATURES
        regression = _UNITS_OF_DESIGN * size**3 * self.settings.games.search / 400
        level = _UNITS_OF_LEVEL * size * (self.n_matchups + 1) / 4
        deep = 3 + self.n_edits
        levels = self.n_rounds * deep * sqrt(deep)
        return regression + levels * level + self.n_centres * _UNITS_OF_CENTRE * size**2


_USUAL_FEATURES = 223  # of three decks of plain cards, for which the units below are
_UNITS_OF_DESIGN, _UNITS_OF_LEVEL, _UNITS_OF_CENTRE = 54.0, 2.6, 180.0
_UNITS_OF_GENOME = 0.7
