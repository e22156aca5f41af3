"""Experiment with observed results of its players, for a comparison with simulated ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from balance import CardContest
from balance.cards.card_contest import Matchup
from balance.observed.agreement import N_PLAYERS_MIN
from balance.observed.rate_pairs import RatePairs, rate_pairs
from balance.statistics.intervals import Floats
from experiments.experiment import Experiment
from experiments.observed.observed_experiment import ObservedExperiment
from sim.errors import InputError, error_place
from sim.names import Names


@dataclass(frozen=True, kw_only=True)
class AgreementExperiment(Experiment):
    """Experiment with the observed results of its players.

    Attributes:
        observed: table of observed results.
        archetypes: name of each player in the observed results, ``[D]``; several players may have
            the same.
    """

    observed: ObservedExperiment
    archetypes: tuple[str, ...]

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data."""
        observed = {**self.observed.resolved(), "archetypes": self.archetypes}
        return {**super().resolved(command), "observed": observed}

    def contest(self) -> CardContest:
        """Return the contest of the pairs of players that have met in the observed games."""
        contest = super().contest()
        observed = self.observed.results.matchups
        place = [observed.names.index(name) for name in self.archetypes]
        only = tuple(
            Matchup(a, b)
            for a, b in combinations(range(len(place)), 2)
            if place[a] != place[b] and observed.games[place[a], place[b]] > 0
        )
        return replace(contest, only=only)

    def rate_pairs(self, contest: CardContest, points: Floats, n_games: int) -> RatePairs:
        """Return the rates of the pairs of archetypes, the sums over their players.

        Args:
            contest: contest that was played.
            points: points of the first player of each matchup, shape ``[M]``.
            n_games: number of games of each matchup.
        """
        names = self.observed.results.matchups.names
        sums = dict[tuple[str, str], tuple[float, float]]()
        for (a, b), won in zip(contest.matchups, points.tolist(), strict=True):
            pair = self.archetypes[a], self.archetypes[b]
            is_turned = names.index(pair[0]) > names.index(pair[1])
            key = pair[::-1] if is_turned else pair
            total, games = sums.get(key, (0.0, 0.0))
            sums[key] = total + (n_games - won if is_turned else won), games + n_games
        return rate_pairs(self.observed.results.matchups, sums)

    @property
    def not_simulated(self) -> tuple[str, ...]:
        """Names of the observed players that no player of the experiment stands for."""
        names = self.observed.results.matchups.names
        return tuple(name for name in names if name not in self.archetypes)


def agreement_experiment(
    experiment: Experiment, observed: ObservedExperiment
) -> AgreementExperiment:
    """Return an experiment with the observed results of its players.

    Args:
        experiment: experiment with the players.
        observed: table of observed results.

    Raises:
        InputError: the table has no results of a player, or results of too few pairs.
    """
    names = Names("observed player", observed.results.matchups.names)
    archetypes = []
    pairs = zip(experiment.player_names, experiment.declared_archetypes, strict=True)
    for player, archetype in pairs:
        with error_place(f"player {player!r}"):
            archetypes.append(names.find(archetype))
    found = AgreementExperiment(**vars(experiment), observed=observed, archetypes=tuple(archetypes))
    matchups = found.contest().matchups
    if not matchups:
        raise InputError(
            "no two players of the experiment have met in the observed games",
            place=observed.path,
            value=archetypes,
            remedy="name the players, or their `archetype`, as the table does",
        )
    met = {found.archetypes[player] for matchup in matchups for player in matchup}
    if len(met) < N_PLAYERS_MIN:
        raise InputError(
            f"{len(met)} players with results in both tables, but at least {N_PLAYERS_MIN} are "
            "needed",
            place=observed.path,
            value=len(met),
            limit=N_PLAYERS_MIN,
            remedy="add players to the experiment, or to the table",
        )
    return found
