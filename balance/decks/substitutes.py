"""Substitute cards: what to play instead of cards that are missing.

Candidates race for the win rate against the field, and on one more stretch of games the best of
them are put in order. Fresh seeds then measure them: intervals from the games that made the order
would flatter the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from balance.card_contest import DeckRows, Player
from balance.decks.halving import Race, halve
from balance.decks.open_slots import Filling, Vacancies
from balance.decks.roles import role_difference
from balance.metagame.field import Field, FieldCounts, play_field
from balance.settings import GameCount, ShownCount
from balance.statistics.intervals import Floats, Interval, Positions
from sim.arguments import Seed, Threads, checked
from sim.play.batch import row_of_deck

_MOST = 256  # fillings that race together where several cards are missing


@dataclass(frozen=True)
class Candidate:
    """One way to fill the slots of the missing cards.

    Attributes:
        cards: the card, by position in the pool, that takes each vacancy's slots.
        distance: how unlike the missing cards they are (`balance.decks.roles`), added up.
        gain: change of the deck's win rate against the field, with a paired interval from fresh
            seeds; `None` if the candidate was not measured.
        race_gain: the same in the games that made the order; the better, the luckier.
        n_games: games against each opponent that it played in all.
    """

    cards: Filling
    distance: int
    gain: Interval | None
    race_gain: float
    n_games: int


@dataclass(frozen=True)
class Substitution:
    """What to play instead of some cards, in two orders.

    Attributes:
        player: whose deck it is.
        field: the opponents.
        vacancies: the slots to fill.
        candidates: all that raced, those of the highest win rate first; those that were measured
            before those that were not.
        by_role: positions of `candidates`, those most like the missing cards first.
        intact: win rate of the intact deck against the field.
        n_games: games against each opponent behind `intact` and each measured `gain`.
        total_games: all games that the question took.
    """

    player: Player
    field: Field
    vacancies: Vacancies
    candidates: tuple[Candidate, ...]
    by_role: tuple[int, ...]
    intact: Interval
    n_games: int
    total_games: int


@checked(race_games=GameCount, n_games=GameCount, shown=ShownCount, run_seed=Seed, threads=Threads)
def find_substitutes(
    player: Player,
    field: Field,
    vacancies: Vacancies,
    *,
    race_games: int,
    n_games: int,
    shown: int,
    run_seed: int,
    threads: int | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
) -> Substitution:
    """Rank the legal ways to fill the slots of missing cards.

    A single missing card's candidates all race. Of several, each card's candidates race alone
    first, the other cards being there, and the fillings with the best sums race together.

    Args:
        player: the deck, and its pilot.
        field: the opponents.
        vacancies: the slots to fill.
        race_games: games of a candidate against each opponent in the race's first round, even.
        n_games: games against each opponent that order, and then measure, the best; even.
        shown: how many of each order to measure.
        run_seed: the run's seed; games are those of the purposes `substitute/...`.
        threads: threads to use; default all cores.
        on_stage: told what comes next, `n_stages` times.

    Raises:
        InputError: no legal combination of cards fills all slots, or an argument is none of these.
    """
    vacancies.require_filling(field.table.pool)
    games = _Games(player, field, vacancies, run_seed, threads, on_stage)
    distances = _distances(vacancies, field)
    cards = _candidates(games, distances, race_games, shown)
    away = np.array([sum(d[c] for d, c in zip(distances, one, strict=True)) for one in cards])
    race = games.race(cards, race_games, shown, "substitute/race")
    nearest = np.lexsort([-race.rates, away])
    finalists = np.array(list(dict.fromkeys([*race.order[:shown], *nearest[:shown]])))
    on_stage(f"ordering {len(finalists)}")
    ranks = games.gains(games.play([cards[k] for k in finalists], n_games, "substitute/rank"))
    best_first = np.argsort(-ranks, kind="stable")
    finalists = finalists[best_first]
    ranks = ranks[best_first]
    on_stage(f"measuring {len(finalists)}")
    measured = games.play([cards[k] for k in finalists], n_games, "substitute/measure", keep=True)
    gains = measured.gain_over(0)
    n_raced = race.n_games.tolist()
    candidates = [
        Candidate(cards[k], int(away[k]), gain, float(rank), n_raced[k] + 2 * n_games)
        for k, rank, gain in zip(finalists, ranks, map(gains.at, count(1)), strict=False)
    ] + [
        Candidate(cards[k], int(away[k]), None, float(race.rates[k]), n_raced[k])
        for k in race.order
        if k not in finalists
    ]
    by_role = tuple(np.argsort([one.distance for one in candidates], kind="stable").tolist())
    found = (tuple(candidates), by_role, measured.score().at(0))
    return Substitution(player, field, vacancies, *found, n_games, games.n_played)


def n_stages(vacancies: Vacancies) -> int:
    """Stages of `find_substitutes`: races, order, measure."""
    n_vacancies = len(vacancies.open)
    return 3 + (n_vacancies if n_vacancies > 1 else 0)


class _Games:
    """Where the intact deck and candidates sit down against the field, and games are counted."""

    def __init__(
        self,
        player: Player,
        field: Field,
        vacancies: Vacancies,
        run_seed: int,
        threads: int | None,
        on_stage: Callable[[str], None],
    ) -> None:
        self.n_played = 0
        self.on_stage = on_stage
        self.vacancies = vacancies
        self._field = field
        self._pilot = player.agent
        self._intact = row_of_deck(player.deck, field.table.pool)
        self._run_seed = run_seed
        self._threads = threads

    def play(
        self,
        fillings: Sequence[Filling],
        n_games: int,
        purpose: str,
        first_game: int = 0,
        *,
        vacancies: Vacancies | None = None,
        keep: bool = False,
    ) -> FieldCounts:
        """The intact deck, then those with the fillings."""
        fill = (vacancies or self.vacancies).fill
        decks: list[DeckRows] = [self._intact, *(fill(self._intact, one) for one in fillings)]
        self.n_played += len(decks) * len(self._field.opponents) * n_games
        return play_field(
            self._field,
            np.stack(decks),
            self._pilot,
            n_games=n_games,
            run_seed=self._run_seed,
            purpose=purpose,
            first_game=first_game,
            keep_games=keep,
            threads=self._threads,
        )

    def gains(self, counts: FieldCounts) -> Floats:
        """Win rates against the field less that of the intact deck, which sat first."""
        rates: Floats = self._field.score(counts.points) / counts.n_games
        return np.asarray(rates[1:] - rates[0])

    def race(
        self,
        fillings: Sequence[Filling],
        first_round: int,
        keep: int,
        purpose: str,
        vacancies: Vacancies | None = None,
    ) -> Race:
        """Halve the fillings; their rates are gains over the intact deck."""
        self.on_stage(f"racing {len(fillings)} candidates")

        def play(racing: Positions, n_games: int, first_game: int) -> Floats:
            chosen = [fillings[k] for k in racing]
            counts = self.play(chosen, n_games, purpose, first_game, vacancies=vacancies)
            return self.gains(counts) * n_games

        return halve(len(fillings), play, first_round=first_round, keep=keep)


def _distances(vacancies: Vacancies, field: Field) -> list[dict[int, int]]:
    """For each vacancy, how unlike its card each card is that may take it."""
    cards = field.table.pool.cards
    return [
        {
            stand_in: role_difference(cards[vacancy.card], cards[stand_in]).distance
            for stand_in in vacancies.stand_ins(vacancy)
        }
        for vacancy in vacancies.open
    ]


def _candidates(
    games: _Games,
    distances: Sequence[Mapping[int, int]],
    race_games: int,
    shown: int,
) -> list[Filling]:
    """The fillings that are to race."""
    vacancies = games.vacancies
    if len(vacancies.open) == 1:
        return [(card,) for card in distances[0]]
    alone = []
    for k, vacancy in enumerate(vacancies.open):
        options = [(card,) for card in distances[k]]
        only = Vacancies((vacancy,), vacancies.kept, vacancies.most)
        # Less than all are kept, since `halve` plays nothing for those that need no race.
        keep = max(1, min(shown, len(options) // 2))
        race = games.race(options, race_games, keep, f"substitute/alone/{k}", only)
        alone.append({card: float(rate) for (card,), rate in zip(options, race.rates, strict=True)})
    nearness = [{card: -away for card, away in one.items()} for one in distances]
    found = vacancies.best_fillings(nearness, shown) + vacancies.best_fillings(alone, _MOST)
    if not found and (some := vacancies.some_filling()) is not None:
        found = [some]  # too tight for the beam
    by_deck = {frozenset(vacancies.copies_of(one).items()): one for one in reversed(found)}
    return list(by_deck.values())
