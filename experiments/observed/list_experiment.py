"""Experiment with observed results of deck lists, for a comparison with simulated ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from balance import CardContest
from balance.cards.card_contest import Matchup
from balance.observed.list_agreement import ListRates
from balance.statistics.arithmetic import ordered_sum
from balance.statistics.intervals import Floats
from experiments.experiment import Experiment
from experiments.observed.list_results import ListResults
from sim.errors import InputError
from sim.names import Names


@dataclass(frozen=True, kw_only=True)
class ListExperiment(Experiment):
    """Experiment with the observed results of deck lists.

    Players that the table lists play against the field: the other players or, if the table lists
    all players, the first player of each archetype.

    Attributes:
        results: observed results of lists.
        digest: hash of the content of their table.
        source: who played the observed games, in words; `""` if not known.
        rows: row of each player in the table; -1 for players that it does not list, ``[D]``.
    """

    results: ListResults
    digest: str
    source: str
    rows: tuple[int, ...]

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data."""
        observed = {"file": self.digest, "columns": dict(self.results.columns)}
        return {**super().resolved(command), "lists": observed}

    @cached_property
    def listed(self) -> tuple[int, ...]:
        """Positions of the players that the table lists."""
        return tuple(k for k, row in enumerate(self.rows) if row >= 0)

    @cached_property
    def field(self) -> tuple[int, ...]:
        """Positions of the players of the field."""
        others = tuple(k for k, row in enumerate(self.rows) if row < 0)
        if others:
            return others
        first = dict[str, int]()
        for k in range(len(self.rows)):
            first.setdefault(self._archetype(k), k)
        return tuple(first.values())

    def _archetype(self, player: int) -> str:
        """Return the archetype of a player: that of the table, the file's, or the player's name."""
        row = self.rows[player]
        if row >= 0:
            return self.results.archetypes[row]
        return self.declared_archetypes[player]

    @property
    def not_simulated(self) -> tuple[str, ...]:
        """Names of the lists of the table that no player of the experiment has."""
        return tuple(name for k, name in enumerate(self.results.names) if k not in self.rows)

    def contest(self) -> CardContest:
        """Return the contest of each list against each player of the field with another deck."""
        contest = super().contest()
        only = tuple(
            Matchup(a, b)
            for a in self.listed
            for b in self.field
            if not np.array_equal(contest.deck_rows[a], contest.deck_rows[b])
        )
        return replace(contest, only=only)

    def field_weights(self) -> Floats:
        """Return the weight of each player of the field, shape [F].

        It is the number of observed games of the lists with the player's archetype, or 1 for each
        player if no list has such an archetype.
        """
        names = [self._archetype(k) for k in self.field]
        games = dict.fromkeys(names, 0.0)
        for archetype, n in zip(self.results.archetypes, self.results.games.tolist(), strict=True):
            if archetype in games:
                games[archetype] += n
        weights = np.array([games[name] / names.count(name) for name in names])
        return weights if weights.any() else np.ones(len(names))

    def list_rates(self, contest: CardContest, points: Floats, n_games: int) -> ListRates:
        """Return the rates of the lists, weighted means over the field.

        Args:
            contest: contest that was played.
            points: points of the list in each matchup, shape ``[M]``.
            n_games: number of games of each matchup.
        """
        weight_of = dict(zip(self.field, self.field_weights().tolist(), strict=True))
        lists, opponents = np.array(contest.matchups).T
        weights = np.array([weight_of[k] for k in opponents.tolist()])
        simulated = []
        effective = []
        for k in self.listed:
            own = weights[lists == k]
            total = float(ordered_sum(own))
            simulated.append(float(ordered_sum(own * points[lists == k])) / total / n_games)
            # Number of games that would give an unweighted mean the same variance.
            effective.append(n_games * total**2 / float(ordered_sum(own * own)))
        rows = [self.rows[k] for k in self.listed]
        return ListRates(
            names=tuple(self.results.names[row] for row in rows),
            archetypes=tuple(self.results.archetypes[row] for row in rows),
            observed=self.results.rates[rows],
            observed_games=self.results.games[rows],
            simulated=np.array(simulated),
            simulated_games=np.array(effective),
        )


def list_experiment(
    experiment: Experiment, results: ListResults, *, digest: str, source: str
) -> ListExperiment:
    """Return an experiment with the observed results of those of its players that a table lists.

    Args:
        experiment: experiment with the lists and the field.
        results: observed results of lists.
        digest: hash of the content of their table.
        source: who played the observed games, in words; `""` if not known.

    Raises:
        InputError: no player is listed, or there is no field.
    """
    names = Names("list", results.names)
    matches = [names.matches(player) for player in experiment.player_names]
    rows = tuple(results.names.index(match[0]) if len(match) == 1 else -1 for match in matches)
    found = ListExperiment(
        **vars(experiment), results=results, digest=digest, source=source, rows=rows
    )
    if not found.listed:
        raise InputError(
            "no player of the experiment is listed",
            place=results.path,
            value=experiment.player_names,
            limit=results.names,
            remedy="name the players as the table does",
        )
    if len(found.field) < 2:
        raise InputError(
            "a single deck is the field against which the lists play",
            place=results.path,
            value=[found.player_names[k] for k in found.field],
            limit=2,
            remedy="add players that the table does not list, or a column of archetypes",
        )
    return found
