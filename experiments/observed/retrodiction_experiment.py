"""Experiment with past changes of its cards, each played in a deck that has the card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from balance import CardContest
from balance.cards.card_contest import Matchup, play_matchups
from balance.statistics.intervals import Floats, Interval, paired_mean
from experiments.experiment import Experiment
from experiments.observed.change_list import CardChange
from sim import Pool, check_pool
from sim.errors import InputError, error_place
from sim.play.table import Gene, pack_table


class ChangeTrial(NamedTuple):
    """Past change, and the matchups in which it is played.

    Attributes:
        change: the change.
        deck: position of the player with the changed card.
        opponents: positions of the opponents.
    """

    change: CardChange
    deck: int
    opponents: tuple[int, ...]

    @property
    def matchups(self) -> tuple[Matchup, ...]:
        """Matchups of the deck against each opponent."""
        return tuple(Matchup(self.deck, opponent) for opponent in self.opponents)


class ChangeEffect(NamedTuple):
    """Effect of a past change on the win rate of a deck.

    Attributes:
        win_rate: mean win rate before the change.
        effect_pp: difference of the mean win rates after and before the change, in percentage
            points, with its paired 95 % interval.
    """

    win_rate: float
    effect_pp: Interval


@dataclass(frozen=True, kw_only=True)
class RetrodictionExperiment(Experiment):
    """Experiment with past changes of its cards.

    Attributes:
        table: path of the table of changes.
        changes: changes in the order of the table.
    """

    table: Path
    changes: tuple[CardChange, ...]

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data."""
        changes = [
            {
                "card": change.card,
                "date": change.date,
                "numbers": [edit.as_entry() for edit in change.numbers],
                "response": None if np.isnan(change.response) else change.response,
            }
            for change in self.changes
        ]
        return {
            **super().resolved(command),
            "changes": changes,
            "archetypes": self.declared_archetypes,
        }

    @cached_property
    def trials(self) -> tuple[ChangeTrial, ...]:
        """Changes of cards that a deck has: the first such deck against the others.

        The opponents are the first players of all other archetypes.
        """
        contest = self.contest()
        first = dict[str, int]()
        for player, archetype in enumerate(self.declared_archetypes):
            first.setdefault(archetype, player)
        trials = []
        for change in self.changes:
            gene = Gene(self.pool.index(change.card), change.numbers[0].field)
            decks = np.flatnonzero(contest.reach([gene])[0])
            if len(decks):
                deck = int(decks[0])
                own = self.declared_archetypes[deck]
                opponents = tuple(k for archetype, k in first.items() if archetype != own)
                trials.append(ChangeTrial(change, deck, opponents))
        return tuple(trials)

    @property
    def unplayed(self) -> tuple[CardChange, ...]:
        """Changes of cards that no deck has."""
        played = [trial.change for trial in self.trials]
        return tuple(change for change in self.changes if change not in played)

    def effects(self, contest: CardContest, n_games: int) -> Iterator[ChangeEffect]:
        """Play all trials, and yield the effect of each.

        Each change is played alone, before and after on equal game seeds; all other cards are those
        of the experiment.

        Args:
            contest: contest of the experiment's players.
            n_games: number of games of each matchup, before and after.
        """
        for trial in self.trials:
            before, after = trial.change.pools(self.pool)
            with error_place(f"change of {trial.change.name}"):  # its texts may not end a game
                own = self._rates(contest, before, trial, n_games)
                changed = self._rates(contest, after, trial, n_games)
            effect = paired_mean(100 * (changed - own))
            yield ChangeEffect(float(own.mean()), effect)

    def _rates(self, contest: CardContest, pool: Pool, trial: ChangeTrial, n_games: int) -> Floats:
        """Return the mean win rate of the deck over its opponents by seed, shape ``[S]``."""
        played = replace(contest, table=pack_table(pool, self.ruleset), only=trial.matchups)
        counts = play_matchups(
            played,
            played.table,
            n_games=n_games,
            run_seed=self.settings.seed,
            purpose="retrodict",
        )
        return np.asarray(counts.rates_by_seed()[0].mean(axis=0))


def retrodiction_experiment(
    experiment: Experiment, table: Path, changes: Sequence[CardChange]
) -> RetrodictionExperiment:
    """Return an experiment with past changes of its cards.

    Args:
        experiment: experiment with the decks.
        table: path of the table of changes.
        changes: the changes.

    Raises:
        InputError: no deck has a changed card, its deck has no opponent, or the ruleset does not
            permit a number.
    """
    found = RetrodictionExperiment(**vars(experiment), table=table, changes=tuple(changes))
    if not found.trials:
        raise InputError(
            "no deck of the experiment has a changed card",
            place=table,
            value=tuple(change.card for change in changes),
            remedy="add a deck with such a card",
        )
    for trial in found.trials:
        with error_place(f"{table}: {trial.change.name}"):
            for pool in trial.change.pools(found.pool):
                check_pool(pool, found.ruleset)
        if not trial.opponents:
            raise InputError(
                "all decks are of one archetype, so that no deck can play against another",
                place=experiment.path,
                value=found.player_names[trial.deck],
                remedy="give the players different values of `archetype`",
            )
    return found
