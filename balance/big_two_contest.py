"""The contest of Big Two: four players at one table, and the numbers of its rules.

Every deal is played in all four rotations of the hands, so that each player holds each hand once
and luck is exchanged. Rates are told of the players, and of the places in turn order, whose first
is who begins: what a seat is worth, whoever sits there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.contest import Contest, FirstGame, Parameter
from balance.readings import SeatReadings
from balance.search_space import SearchSpace, checked_range
from balance.statistics.intervals import Floats
from sim.big_two.cards import HAND_SIZE, N_CARDS, N_SEATS, card_text
from sim.big_two.games import BigTwoAgent, Outcomes, play_games
from sim.big_two.rules import CARDS_OF_SEATS, BigTwoRules
from sim.errors import InputError, known_word
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULES
from sim.seeds import numbers_of, stream_seed

PLACES = ("opener", "second", "third", "fourth")
"""The places in turn order, which are told of like players."""

LABELS = {
    "opening_card": "card whose holder begins",
    "opening_lead": "what the first lead must be",
    "pass_locks": "passing locks out",
    "fours_alone": "fours go alone",
    "double_from": "cards left that count double",
    "triple_from": "cards left that count threefold",
    **{name: f"cards dealt to seat {seat}" for seat, name in enumerate(CARDS_OF_SEATS)},
}
"""What people call the numbers of the rules."""
_NO_YES = ("no", "yes")
_WORDS = {
    "opening_card": tuple(map(card_text, range(N_CARDS))),
    "opening_lead": ("anything", "a set with that card", "that card alone"),
    "pass_locks": _NO_YES,
    "fours_alone": _NO_YES,
}

Rate = Literal["first_places", "points"]
SPREAD: dict[Rate, float] = {"first_places": 1.3, "points": 0.3}
"""Standard deviations of what a game gives a place, in those of a game won or lost."""


class BigTwoPlayer(NamedTuple):
    """Who sits at the table: what reports call it, and who chooses for it."""

    name: str
    agent: BigTwoAgent


@dataclass(frozen=True)
class BigTwoContest(Contest):
    """Four players at a table.

    Attributes:
        rules: today's.
        players: in the order of their seats; of those of one name the mean is told.
        rate: what rates are shares of: games won, or points. Everybody stakes the most that a hand
            can cost and pays for the cards that are left to whoever wins; an equal share is 25 %.
    """

    rules: BigTwoRules
    players: tuple[BigTwoPlayer, ...]
    rate: Rate = "first_places"

    @cached_property
    def player_names(self) -> tuple[str, ...]:
        """The players, then the places."""
        return *dict.fromkeys(player.name for player in self.players), *PLACES

    @cached_property
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """The one table as each player, and each place, sees it."""
        seated = [self.player_names.index(player.name) for player in self.players]
        n_players = len(self.player_names) - N_SEATS
        turns = [*range(n_players, n_players + N_SEATS)]
        firsts = [(seated, seated.index(player)) for player in range(n_players)]
        firsts += [(turns, place) for place in range(N_SEATS)]
        return tuple((*around[k:], *around[:k]) for around, k in firsts)

    @property
    def n_tables(self) -> int:
        """One, at which all sit."""
        return 1

    @property
    def spread(self) -> float:
        """That of the places, as measured; players, who hold every hand once, have less."""
        return SPREAD[self.rate]

    def matchup_name(self, matchup: Sequence[int]) -> str:
        """The player or the place that it is about, since there is but one table."""
        return self.player_names[matchup[0]]

    def parameter(self, gene: Gene) -> Parameter:
        """A number of the rules, those of the cards that a seat is dealt among them."""
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
        **how: Any,
    ) -> SeatReadings:
        """Play candidates, all on the same deals (`Contest.play`)."""
        shares = self._shares(*self._outcomes(steps, genes, **how), self.rate)
        told = self.matchups if matchups is None else matchups
        return SeatReadings.of(shares[:, [players[0] for players in told]])

    def outcomes(
        self, n_games: int, run_seed: int, purpose: str, *, threads: int | None = None
    ) -> Outcomes:
        """What comes of today's rules; games by deal, then by rotation."""
        nothing = np.zeros((1, 0), dtype=np.int64)
        found, _ = self._outcomes(
            nothing, (), n_games=n_games, run_seed=run_seed, purpose=purpose, threads=threads
        )
        return found

    def read(self, found: Outcomes, rate: Rate) -> SeatReadings:
        """Shares of games by today's rules (`outcomes`), of whichever rate."""
        return SeatReadings.of(self._shares(found, [self.rules], rate))

    def _outcomes(
        self,
        steps: npt.NDArray[np.integer],
        genes: Sequence[Gene],
        *,
        n_games: int,
        run_seed: int,
        purpose: str,
        first_game: FirstGame = 0,
        threads: int | None = None,
    ) -> tuple[Outcomes, list[BigTwoRules]]:
        """Games by candidate, then by deal, then by rotation; and the candidates' rules."""
        n_games = self.checked_games(n_games)
        today = [self.rules.number(gene.field) for gene in genes]
        variants = [
            self.rules.with_numbers(
                {
                    gene.field: value + int(step)
                    for gene, value, step in zip(genes, today, row, strict=True)
                }
            )
            for row in steps
        ]
        firsts = np.broadcast_to(np.asarray(first_game, np.int64), len(variants))[:, np.newaxis]
        deals = firsts + np.arange(n_games // N_SEATS)
        seeds = numbers_of(stream_seed(run_seed, purpose), deals.ravel())
        found = play_games(
            self.rules,
            [player.agent for player in self.players],
            np.repeat(seeds, N_SEATS),
            rotations=np.tile(np.arange(N_SEATS), len(seeds)),
            numbers=np.stack([rules.numbers for rules in variants]),
            variants=np.repeat(np.arange(len(variants)), n_games),
            threads=threads,
        )
        return found, variants

    def _shares(self, found: Outcomes, variants: Sequence[BigTwoRules], rate: Rate) -> Floats:
        """``[V, M, R, S]`` what each player, and each place, gets of every game."""
        shape = (len(variants), -1, N_SEATS)
        won = np.arange(N_SEATS) == found.winner[:, np.newaxis]
        shares = won.astype(np.float64)
        if rate == "points":
            left = found.cards_left.reshape(*shape, N_SEATS)
            owed = np.stack([rules.owed(one) for rules, one in zip(variants, left, strict=True)])
            most = np.array([int(rules.owed(HAND_SIZE)) for rules in variants])[:, None, None, None]
            gained = won.reshape(owed.shape) * owed.sum(axis=-1, keepdims=True) - owed
            shares = (1 / N_SEATS + gained / (N_SEATS * most)).reshape(-1, N_SEATS)
        turns = (found.opener[:, np.newaxis] + np.arange(N_SEATS)) % N_SEATS
        by_place = np.take_along_axis(shares, turns, axis=1)
        names = np.array([player.name for player in self.players])
        by_player = [shares[:, names == name].mean(axis=1) for name in self.player_names[:-N_SEATS]]
        both = np.column_stack([*by_player, by_place])
        return np.moveaxis(both.reshape(*shape, len(self.matchups)), (3, 2), (1, 2))


def rule_genes(fields: Sequence[str]) -> tuple[Gene, ...]:
    """Genes of numbers of the rules; `cards_of_seat_0` is of the first player's cards.

    Raises:
        InputError: there is no such number.
    """
    return tuple(Gene(OF_RULES, known_word("number", field, LABELS)) for field in fields)


def rule_space(
    rules: BigTwoRules, ranges: Mapping[str, tuple[int, int]], weights: Mapping[str, float]
) -> SearchSpace:
    """What may move of the numbers of rules.

    Args:
        rules: today's.
        ranges: by number, from its lowest to its highest value.
        weights: by number, what a step of it counts in the change; 1 where not told.

    Raises:
        InputError: a range is none of its number's, or nothing may move.
    """
    steps = {
        field: (low - today, high - today)
        for field, (low, high) in ranges.items()
        for today in [checked_range(rules, field, low, high)]
        if low < high
    }
    if not steps:
        raise InputError("tune: no number may move; give some of [tune.rules] a range")
    low, high = np.array([*steps.values()], dtype=np.int16).T
    each = np.array([weights.get(field, 1.0) for field in steps])
    return SearchSpace(rule_genes([*steps]), low, high, each)
