"""Contest of a panel: the same decks in the hands of several pilots, each with its own rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.cards.card_contest import CardContest
from balance.contest.contest import Contest, FirstGame, Parameter
from balance.contest.readings import Part
from balance.contest.target import FIRST_SEAT as FIRST_SEAT_NAME
from balance.panel.panel_readings import FIRST_SEAT, Column, PanelReadings, independent_games
from balance.statistics.intervals import Counts, Flags, Floats
from sim.play import Gene


class Hand(NamedTuple):
    """A pilot of a panel.

    Attributes:
        name: name of the pilot in reports: of its agent, or `own` if players have several agents.
        contest: decks in the hands of the pilot.
        repeats: games that the pilot plays for each game of the dearest pilot, a power of two, so
            that means over them are exact.
        band_pp: half-width of the bands of its rates, in percentage points.
    """

    name: str
    contest: CardContest
    repeats: int
    band_pp: float

    def named(self, rate: str) -> str:
        """Return the name of one of the pilot's rates, such as `light: aggro vs control`."""
        return f"{self.name}: {rate}"


@dataclass(frozen=True)
class PanelContest(Contest):
    """Contest of ``H`` pilots, each of which plays both sides of every matchup of the same decks.

    Each pilot's decks count as players of their own. If `with_first_seats` is set, a further player
    of each pilot stands for the first seat, and a matchup of that player alone for its rate.

    Attributes:
        hands: the pilots, those with the cheapest games first.
        with_first_seats: whether the first seat's rates belong to the rates of the contest.
    """

    hands: tuple[Hand, ...]
    with_first_seats: bool = False

    @property
    def base(self) -> CardContest:
        """Decks in the hands of the first pilot."""
        return self.hands[0].contest

    @cached_property
    def player_names(self) -> tuple[str, ...]:
        """Names of all pilots' decks, and of their first seats."""
        names = [*self.base.player_names, *[FIRST_SEAT_NAME] * self.with_first_seats]
        return tuple(hand.named(name) for hand in self.hands for name in names)

    @cached_property
    def _origins(self) -> dict[tuple[int, ...], Column]:
        """Origin of each rate by its matchup: position of the pilot, and of the matchup."""
        n_players = len(self.base.player_names) + self.with_first_seats
        origins = dict[tuple[int, ...], Column]()
        for h in range(len(self.hands)):
            for m, (a, b) in enumerate(self.base.matchups):
                origins[h * n_players + a, h * n_players + b] = h, m
            if self.with_first_seats:
                origins[((h + 1) * n_players - 1,)] = h, FIRST_SEAT
        return origins

    @property
    def matchups(self) -> tuple[tuple[int, ...], ...]:
        """Matchups of all pilots, each pilot's followed by its first seat, shape ``[M]``."""
        return tuple(self._origins)

    @property
    def leaders(self) -> tuple[int | None, ...]:
        """Position of the same rate of the next cheaper pilot, `None` for the cheapest, ``[M]``."""
        n_rates = len(self.matchups)
        of_pilot = n_rates // len(self.hands)
        return tuple(m - of_pilot if m >= of_pilot else None for m in range(n_rates))

    @property
    def n_tables(self) -> int:
        """Number of games when every matchup is played once, with the repeats of cheap pilots."""
        return len(self.base.matchups) * sum(hand.repeats for hand in self.hands)

    @cached_property
    def repeats(self) -> Counts:
        """Games per matchup behind each rate for each game that readings count, ``[M]``."""
        return np.array([self.hands[h].repeats for h, _ in self._origins.values()])

    @cached_property
    def spreads(self) -> Floats:
        """Standard deviation of a game's contribution to each rate (`Demands.spreads`), ``[M]``.

        That of the first seat's rate follows from `independent_games`.
        """
        of_first_seat = sqrt(1 / independent_games(len(self.base.matchups)))
        return np.array(
            [of_first_seat if m == FIRST_SEAT else 1.0 for _, m in self._origins.values()]
        )

    @property
    def game_shares(self) -> Floats:
        """Games of each matchup for each counted game, as stages count all rates alike, ``[M]``."""
        is_played = [m != FIRST_SEAT for _, m in self._origins.values()]
        return np.asarray(self.repeats * is_played * (len(self.matchups) / self.n_tables))

    def parameter(self, gene: Gene) -> Parameter:
        """Return the names and the baseline value of a number."""
        return self.base.parameter(gene)

    def play(
        self,
        steps: npt.NDArray[np.integer],
        genes: Sequence[Gene],
        *,
        n_games: int,
        run_seed: int,
        purpose: str,
        first_game: FirstGame = 0,
        matchups: Sequence[tuple[int, ...]] | None = None,
        faults: Literal["raise", "keep"] = "raise",
    ) -> PanelReadings:
        """Play candidates in the hands of every pilot; see `Contest.play`.

        `n_games` is the number of games of the dearest pilot.
        """
        origins = [self._origins[matchup] for matchup in matchups or self.matchups]
        parts = list[Part]()
        columns = dict[Column, Column]()
        for h, hand in enumerate(self.hands):
            wanted = [m for of, m in origins if of == h]
            if not wanted:
                continue
            every = range(len(self.base.matchups))
            played = [*every] if FIRST_SEAT in wanted else wanted
            readings = hand.contest.play(
                steps,
                genes,
                n_games=n_games * hand.repeats,
                run_seed=run_seed,
                purpose=purpose,
                first_game=np.asarray(first_game) * hand.repeats,
                matchups=[self.base.matchups[m] for m in played],
                faults=faults,
            )
            columns |= {(h, m): (len(parts), k) for k, m in enumerate(played)}
            columns[h, FIRST_SEAT] = len(parts), FIRST_SEAT
            parts.append(Part(readings, hand.repeats))
        return PanelReadings.of_parts(parts, [columns[origin] for origin in origins])

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether each number can affect each player's games, shape ``[K, D]``.

        A number that affects the games of any deck can affect the first seat's rate.
        """
        reach = self.base.reach(genes)
        if self.with_first_seats:
            reach = np.column_stack([reach, reach.any(axis=1)])
        return np.tile(reach, (1, len(self.hands)))

    def matchup_name(self, matchup: Sequence[int]) -> str:
        """Return the name of a rate in files and reports, such as `light: aggro vs control`."""
        h, m = self._origins[tuple(matchup)]
        hand = self.hands[h]
        if m == FIRST_SEAT:
            return hand.named(FIRST_SEAT_NAME)
        return hand.named(self.base.matchup_name(self.base.matchups[m]))

    def side_names(self, matchup: Sequence[int]) -> tuple[str, str]:
        """Return the names of the two sides of a rate, the first with the name of the pilot."""
        h, m = self._origins[tuple(matchup)]
        if m == FIRST_SEAT:
            a, _, b = FIRST_SEAT_NAME.rpartition(" vs ")
        else:
            a, b = self.base.side_names(self.base.matchups[m])
        return self.hands[h].named(a), b

    @property
    def first_seat_rates(self) -> dict[int, tuple[int, ...]]:
        """Positions of the first seats' rates, with those of the matchups that they follow from."""
        positions = {origin: k for k, origin in enumerate(self._origins.values())}
        every = range(len(self.base.matchups))
        return {
            position: tuple(positions[h, other] for other in every)
            for (h, m), position in positions.items()
            if m == FIRST_SEAT
        }
