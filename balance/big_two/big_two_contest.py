"""The contest of Big Two, with four players at one table, and the search space of its rules.

Each deal is played in all four rotations of the hands, so that each player holds each hand once and
the randomness of the deal cancels. Rates are measured for the players and for the places in turn
order. The first place belongs to the player who leads first. The rates of places show the advantage
of a place, averaged over the players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.contest.contest import Contest, FirstGame, Parameter
from balance.contest.readings import SeatReadings
from balance.space.search_space import SearchSpace, checked_range
from balance.statistics.intervals import Floats
from sim.big_two.cards import HAND_SIZE, N_CARDS, N_SEATS, card_text
from sim.big_two.games import BigTwoAgent, Outcomes, play_games
from sim.big_two.rules import CARDS_OF_SEATS, BigTwoRules
from sim.errors import InputError, known_word
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULES
from sim.seeds import numbers_of, stream_seed

PLACES = ("opener", "second", "third", "fourth")
"""Names of the places in turn order; each place has a rate."""

LABELS = {
    "opening_card": "card that decides who begins",
    "opening_lead": "condition on the first lead",
    "pass_locks": "passing locks out",
    "fours_alone": "fours go alone",
    "double_from": "cards left that count double",
    "triple_from": "cards left that count threefold",
    **{name: f"seat {seat}'s number of cards" for seat, name in enumerate(CARDS_OF_SEATS)},
}
"""Description of each number of the rules in reports, by name."""
_NO_YES = ("no", "yes")
# Words for the values of numbers that are codes and not quantities, by name.
_WORDS = {
    "opening_card": tuple(map(card_text, range(N_CARDS))),
    "opening_lead": ("anything", "a set with that card", "that card alone"),
    "pass_locks": _NO_YES,
    "fours_alone": _NO_YES,
}

Rate = Literal["first_places", "points"]
"""Kind of rate: share of games won, or share of points."""

SPREAD: dict[Rate, float] = {"first_places": 1.3, "points": 0.3}
"""Measured standard deviation of a place's share in one game, by kind of rate.

The unit is the standard deviation of a game that is won or lost with equal probability.
"""


class BigTwoPlayer(NamedTuple):
    """Player in a contest of Big Two.

    Attributes:
        name: name of the player in reports.
        agent: agent that controls the player.
    """

    name: str
    agent: BigTwoAgent


@dataclass(frozen=True)
class BigTwoContest(Contest):
    """Contest of Big Two between four players at one table.

    Attributes:
        rules: rules before any patch.
        players: players in the order of their seats. Players with the same name have a common rate,
            the mean of their rates.
        rate: kind of rate. A share of points assumes that each player stakes the highest possible
            payment, and that the losers pay the winner for their remaining cards; an equal share
            is 25 %.
    """

    rules: BigTwoRules
    players: tuple[BigTwoPlayer, ...]
    rate: Rate = "first_places"

    @cached_property
    def player_names(self) -> tuple[str, ...]:
        """Different names of the players, in the order of seats, then names of the places."""
        return *dict.fromkeys(player.name for player in self.players), *PLACES

    @cached_property
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """One matchup for each name in `player_names`, as positions in `player_names`.

        A matchup of a player lists the players in the order of seats, from that player on. A
        matchup of a place lists the places in turn order, from that place on.
        """
        seats = [self.player_names.index(player.name) for player in self.players]
        n_players = len(self.player_names) - N_SEATS
        places = [*range(n_players, n_players + N_SEATS)]
        firsts = [(seats, seats.index(player)) for player in range(n_players)]
        firsts += [(places, place) for place in range(N_SEATS)]
        return tuple((*around[first:], *around[:first]) for around, first in firsts)

    @property
    def n_tables(self) -> int:
        """Number of tables, which is 1, since all matchups are measured in the same games."""
        return 1

    @property
    def spread(self) -> float:
        """Standard deviation of a place's share in one game, in the unit of `SPREAD`.

        That of players is smaller, since each player holds each hand of a deal once.
        """
        return SPREAD[self.rate]

    def matchup_name(self, matchup: Sequence[int]) -> str:
        """Return the name of the player or place that a matchup (`matchups`) belongs to."""
        return self.player_names[matchup[0]]

    def parameter(self, gene: Gene) -> Parameter:
        """Return the description of a number of the rules or of a seat's number of cards."""
        return Parameter(
            RULES,
            "Rules",
            gene.field,
            self.rules.number(gene.field),
            LABELS[gene.field],
            _WORDS.get(gene.field, ()),
        )

    def play(
        self,
        steps: npt.NDArray[np.integer],
        genes: Sequence[Gene],
        *,
        matchups: Sequence[tuple[int, ...]] | None = None,
        faults: Literal["raise", "keep"] = "raise",  # noqa: ARG002 - every game ends
        **options: Any,
    ) -> SeatReadings:
        """Play candidates on the same deals, and return the shares of the matchups.

        Args:
            steps: change of each number by each candidate, shape ``[V, K]``.
            genes: numbers that change, ``K`` in total.
            matchups: matchups to return; by default all.
            faults: ignored, since games of Big Two cannot be stopped by faults.
            **options: further arguments of `Contest.play`.
        """
        shares = self._shares(*self._outcomes(steps, genes, **options), self.rate)
        chosen = self.matchups if matchups is None else matchups
        return SeatReadings.of(shares[:, [players[0] for players in chosen]])

    def outcomes(self, n_games: int, run_seed: int, purpose: str) -> Outcomes:
        """Play the baseline rules and return the results, ordered by deal, then by rotation.

        Args:
            n_games: number of games, a multiple of four.
            run_seed: seed of the run.
            purpose: purpose of the games, such as `matchups` (`sim.seeds`).
        """
        no_steps = np.zeros((1, 0), dtype=np.int64)
        outcomes, _ = self._outcomes(
            no_steps, (), n_games=n_games, run_seed=run_seed, purpose=purpose
        )
        return outcomes

    def read(self, outcomes: Outcomes, rate: Rate) -> SeatReadings:
        """Return the shares of all matchups in games of the baseline rules.

        Args:
            outcomes: results that the method `outcomes` returned.
            rate: kind of rate, which may differ from that of the contest.
        """
        return SeatReadings.of(self._shares(outcomes, [self.rules], rate))

    def _outcomes(
        self,
        steps: npt.NDArray[np.integer],
        genes: Sequence[Gene],
        *,
        n_games: int,
        run_seed: int,
        purpose: str,
        first_game: FirstGame = 0,
    ) -> tuple[Outcomes, list[BigTwoRules]]:
        """Play candidates, and return the results of all games and the rules of each candidate.

        Games are ordered by candidate, then by deal, then by rotation. The arguments are those of
        `Contest.play`; `n_games` is the number of games of each candidate.
        """
        n_games = self.checked_games(n_games)
        baseline = [self.rules.number(gene.field) for gene in genes]
        variants = [
            self.rules.with_numbers(
                {
                    gene.field: value + int(step)
                    for gene, value, step in zip(genes, baseline, row, strict=True)
                }
            )
            for row in steps
        ]
        firsts = np.broadcast_to(np.asarray(first_game, np.int64), len(variants))[:, np.newaxis]
        deals = firsts + np.arange(n_games // N_SEATS)
        seeds = numbers_of(stream_seed(run_seed, purpose), deals.ravel())
        # Each seed is repeated for the four rotations of its deal.
        outcomes = play_games(
            self.rules,
            [player.agent for player in self.players],
            np.repeat(seeds, N_SEATS),
            rotations=np.tile(np.arange(N_SEATS), len(seeds)),
            numbers=np.stack([rules.numbers for rules in variants]),
            variants=np.repeat(np.arange(len(variants)), n_games),
        )
        return outcomes, variants

    def _shares(self, outcomes: Outcomes, variants: Sequence[BigTwoRules], rate: Rate) -> Floats:
        """Return the share of each matchup's player or place in each game, shape ``[V, M, R, S]``.

        ``R`` is the number of deals and ``S`` the four rotations. The share of first places is 1
        for the winner and 0 for the others. The share of points of a seat is 1/4 + g / (4 m). Here,
        m is the highest payment for a hand, and the gain g is the sum of the others' payments for
        the winner, and minus its own payment for a loser.

        Args:
            outcomes: results of games, ordered by variant, then by deal, then by rotation.
            variants: rules of each variant.
            rate: kind of rate.
        """
        shape = (len(variants), -1, N_SEATS)
        won = np.arange(N_SEATS) == outcomes.winner[:, np.newaxis]
        shares = won.astype(np.float64)
        if rate == "points":
            left = outcomes.cards_left.reshape(*shape, N_SEATS)
            owed = np.stack(
                [rules.owed(n_cards) for rules, n_cards in zip(variants, left, strict=True)]
            )
            payments = [int(rules.owed(HAND_SIZE)) for rules in variants]
            highest_payment = np.array(payments)[:, None, None, None]
            gained = won.reshape(owed.shape) * owed.sum(axis=-1, keepdims=True) - owed
            shares = (1 / N_SEATS + gained / (N_SEATS * highest_payment)).reshape(-1, N_SEATS)
        turns = (outcomes.opener[:, np.newaxis] + np.arange(N_SEATS)) % N_SEATS
        by_place = np.take_along_axis(shares, turns, axis=1)
        names = np.array([player.name for player in self.players])
        by_player = [shares[:, names == name].mean(axis=1) for name in self.player_names[:-N_SEATS]]
        all_shares = np.column_stack([*by_player, by_place])
        return np.moveaxis(all_shares.reshape(*shape, len(self.matchups)), (3, 2), (1, 2))


def rule_genes(fields: Sequence[str]) -> tuple[Gene, ...]:
    """Return the genes of numbers of the rules.

    Args:
        fields: names of numbers of the rules, such as `double_from`; `cards_of_seat_0` is the
            number of cards of the first player.

    Raises:
        InputError: a name is not that of a number of the rules.
    """
    return tuple(Gene(OF_RULES, known_word("number", field, LABELS)) for field in fields)


def rule_space(
    rules: BigTwoRules, ranges: Mapping[str, tuple[int, int]], weights: Mapping[str, float]
) -> SearchSpace:
    """Return the search space of numbers of the rules; ranges of a single value are left out.

    Args:
        rules: rules before any patch.
        ranges: lowest and highest value of each number that may change, by name.
        weights: cost of one step of each number, by name; by default 1.

    Raises:
        InputError: a range is not permitted for its number, or no number may change.
    """
    steps = {
        field: (low - baseline, high - baseline)
        for field, (low, high) in ranges.items()
        for baseline in [checked_range(rules, field, low, high)]
        if low < high
    }
    if not steps:
        raise InputError(
            "no number may change", place="tune", remedy="give a number of [tune.rules] a range"
        )
    low, high = np.array([*steps.values()], dtype=np.int16).T
    step_weights = np.array([weights.get(field, 1.0) for field in steps])
    return SearchSpace(rule_genes([*steps]), low, high, step_weights)
