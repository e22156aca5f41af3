"""Substitutes for missing cards: which cards to play instead.

Candidates race for the highest win rate against the field. The best of the race play on one more
stream of games, which ranks them. A third stream then measures them, because the games that ranked
the candidates overestimate the first ones.
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

# Most combinations of cards that race together if several cards are missing: an exact beam for two
# cards of 16 candidates each. Trade-off with time; chosen by hand.
_MOST = 256


@dataclass(frozen=True)
class Candidate:
    """One way to fill the slots of the missing cards.

    Attributes:
        cards: card for the slots of each vacancy, by position in the pool.
        distance: sum of the distances to the missing cards (`balance.decks.roles`).
        gain: change of the deck's win rate against the field, with a paired interval from fresh
            seeds; `None` if the candidate was not measured.
        race_gain: change of the win rate in the games that ranked the candidate; too high on
            average for the first candidates.
        n_games: games against each opponent, over all stages.
    """

    cards: Filling
    distance: int
    gain: Interval | None
    race_gain: float
    n_games: int


@dataclass(frozen=True)
class Substitution:
    """Substitutes for the missing cards of a deck, in two orders.

    Attributes:
        player: the player of the intact deck.
        field: the opponents.
        vacancies: the slots to fill.
        candidates: all candidates, first the measured ones, each group by falling win rate.
        by_role: positions in `candidates`, by rising distance from the missing cards.
        intact: win rate of the intact deck against the field.
        n_games: games against each opponent behind `intact` and behind each measured `gain`.
        total_games: games of all stages together.
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

    The candidates for a single missing card all race. For several cards, the candidates for each
    race alone first, with the other cards in place; then the combinations with the largest sums
    race together.

    Args:
        player: deck and pilot.
        field: the opponents.
        vacancies: the slots to fill.
        race_games: games of a candidate against each opponent in the race's first round, an even
            number.
        n_games: games against each opponent for the ranking, and again for the measurement; an even
            number.
        shown: number of candidates of each order to measure.
        run_seed: seed of the run; the streams of game seeds are `substitute/...`.
        threads: number of threads; default all cores.
        on_stage: callback, called with a description of each stage, `n_stages` times.

    Raises:
        InputError: no legal combination of cards fills all slots, or an argument is invalid.
    """
    vacancies.require_filling(field.table.pool)
    games = _Games(player, field, vacancies, run_seed, threads, on_stage)
    distances = _distances(vacancies, field)
    cards = _candidates(games, distances, race_games, shown)
    total_distances = np.array(
        [
            sum(distance[card] for distance, card in zip(distances, filling, strict=True))
            for filling in cards
        ]
    )
    race = games.race(cards, race_games, shown, "substitute/race")
    nearest = np.lexsort([-race.rates, total_distances])
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
        Candidate(cards[k], int(total_distances[k]), gain, float(rank), n_raced[k] + 2 * n_games)
        for k, rank, gain in zip(finalists, ranks, map(gains.at, count(1)), strict=False)
    ] + [
        Candidate(cards[k], int(total_distances[k]), None, float(race.rates[k]), n_raced[k])
        for k in race.order
        if k not in finalists
    ]
    by_distance = np.argsort([candidate.distance for candidate in candidates], kind="stable")
    return Substitution(
        player=player,
        field=field,
        vacancies=vacancies,
        candidates=tuple(candidates),
        by_role=tuple(by_distance.tolist()),
        intact=measured.score().at(0),
        n_games=n_games,
        total_games=games.n_played,
    )


def n_stages(vacancies: Vacancies) -> int:
    """Return the number of stages of `find_substitutes`: all races, the ranking, the measurement.

    Args:
        vacancies: the slots to fill.
    """
    n_vacancies = len(vacancies.open)
    return 3 + (n_vacancies if n_vacancies > 1 else 0)


class _Games:
    """Games of the intact deck and of candidates against the field, with a count of all games.

    Attributes:
        n_played: games so far, over all decks and opponents.
        on_stage: callback, called with a description of each stage.
        vacancies: the slots to fill.
    """

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
        """Play the intact deck, as the first, and the deck with each filling.

        Args:
            fillings: a card for each vacancy, of each candidate.
            n_games: games of each deck against each opponent.
            purpose: name of the stream of game seeds.
            first_game: index of the first seed.
            vacancies: the slots to fill; default all.
            keep: whether to keep the results of each seed, which intervals need.
        """
        fill = (vacancies or self.vacancies).fill
        decks: list[DeckRows] = [
            self._intact,
            *(fill(self._intact, filling) for filling in fillings),
        ]
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
        """Return the win rates against the field less that of the intact deck, the first row.

        Args:
            counts: results of `play`.
        """
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
        """Race the fillings by sequential halving; the rates of the race are gains.

        Args:
            fillings: a card for each vacancy, of each candidate.
            first_round: games against each opponent in the first round.
            keep: number of candidates to leave.
            purpose: name of the stream of game seeds.
            vacancies: the slots to fill; default all.
        """
        self.on_stage(f"racing {len(fillings)} candidates")

        def play(racing: Positions, n_games: int, first_game: int) -> Floats:
            """Play one round, and return the sums of the gains over its games."""
            chosen = [fillings[k] for k in racing]
            counts = self.play(chosen, n_games, purpose, first_game, vacancies=vacancies)
            return self.gains(counts) * n_games

        return halve(len(fillings), play, first_round=first_round, keep=keep)


def _distances(vacancies: Vacancies, field: Field) -> list[dict[int, int]]:
    """Return, for each vacancy, the distance of each possible substitute to the missing card."""
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
    """Return the fillings that race together.

    Args:
        games: plays the races of single cards.
        distances: distance of each possible substitute, for each vacancy.
        race_games: games against each opponent in the first round.
        shown: number of candidates of each order to measure.
    """
    vacancies = games.vacancies
    if len(vacancies.open) == 1:
        return [(card,) for card in distances[0]]
    alone = []
    for k, vacancy in enumerate(vacancies.open):
        options = [(card,) for card in distances[k]]
        only = Vacancies((vacancy,), vacancies.kept, vacancies.most)
        # Fewer than all: `halve` plays no game if there are no more candidates than it may keep.
        keep = max(1, min(shown, len(options) // 2))
        race = games.race(options, race_games, keep, f"substitute/alone/{k}", only)
        alone.append({card: float(rate) for (card,), rate in zip(options, race.rates, strict=True)})
    nearness = [{card: -distance for card, distance in by_card.items()} for by_card in distances]
    fillings = vacancies.best_fillings(nearness, shown) + vacancies.best_fillings(alone, _MOST)
    if not fillings and (legal := vacancies.some_filling()) is not None:
        fillings = [legal]  # so few copies are free that the beam lost every legal filling
    # Of several fillings that make one deck the first is kept.
    by_deck = {
        frozenset(vacancies.copies_of(filling).items()): filling for filling in reversed(fillings)
    }
    return list(by_deck.values())
