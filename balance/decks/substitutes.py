"""Substitutes for the missing cards of a deck.

Candidates race for the highest win rate against the field. The best candidates play further games,
which rank them. A third stream of games then measures them, because the games by which candidates
are ranked overestimate the first ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count

import numpy as np

from balance.cards.card_contest import DeckRows, Player
from balance.decks.halving import Race, halve
from balance.decks.open_slots import Filling, Vacancies
from balance.decks.roles import role_difference
from balance.decks.substitution import Candidate, Substitution
from balance.metagame.field import Field, FieldCounts, play_field
from balance.settings.tables import GameCount, ShownCount
from balance.statistics.intervals import Floats, Positions
from sim.arguments import Seed, checked
from sim.play.batch import row_of_deck

# Maximum number of combinations of cards in the race if several cards are missing: all combinations
# of two cards with 16 candidates each. Trade-off with time; chosen by hand.
_MOST = 256


@checked(race_games=GameCount, n_games=GameCount, shown=ShownCount, run_seed=Seed)
def find_substitutes(
    player: Player,
    field: Field,
    vacancies: Vacancies,
    *,
    race_games: int,
    n_games: int,
    shown: int,
    run_seed: int,
    on_stage: Callable[[str], None] = lambda _: None,
) -> Substitution:
    """Rank the legal combinations of cards that fill the slots of missing cards.

    If a single card is missing, all its candidates race. If several are missing, the candidates for
    each of them first race alone, with all other cards of the deck in place. The combinations with
    the largest sums of gains, and those nearest in role, then race together.

    Args:
        player: player of the intact deck; its agent also plays the candidates.
        field: opponents with their weights.
        vacancies: vacant slots of the deck.
        race_games: number of games of a candidate against each opponent in the race's first round,
            which must be even.
        n_games: number of games against each opponent for the ranking, and again for the
            measurement, which must be even.
        shown: number of candidates to measure, of the best by win rate and of the nearest in role.
        run_seed: seed of the run; the streams of game seeds are `substitute/...`.
        on_stage: callback, called with a description of each stage as it begins, `n_stages` times.

    Raises:
        InputError: no legal combination of cards fills all slots, or an argument is invalid.
    """
    vacancies.require_filling(field.table.pool)
    games = _Games(player, field, vacancies, run_seed, on_stage)
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
        vacancies: vacant slots of the deck.
    """
    n_vacancies = len(vacancies.open)
    return 3 + (n_vacancies if n_vacancies > 1 else 0)


class _Games:
    """Games of the intact deck and of candidates against the field, with a count of all games.

    Attributes:
        n_played: number of games so far, over all decks and opponents.
        on_stage: callback, called with a description of each stage.
        vacancies: vacant slots of the deck.
    """

    def __init__(
        self,
        player: Player,
        field: Field,
        vacancies: Vacancies,
        run_seed: int,
        on_stage: Callable[[str], None],
    ) -> None:
        self.n_played = 0
        self.on_stage = on_stage
        self.vacancies = vacancies
        self._field = field
        self._pilot = player.agent
        self._intact = row_of_deck(player.deck, field.table.pool)
        self._run_seed = run_seed

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
        """Play the intact deck and the deck with each filling against the field.

        Args:
            fillings: filling of each candidate, with a card for each vacancy.
            n_games: number of games of each deck against each opponent.
            purpose: name of the stream of game seeds.
            first_game: index of the first seed.
            vacancies: vacancies that the fillings fill; by default all vacancies of the deck.
            keep: whether to keep the results of each seed, which intervals need.

        Returns:
            Results of the decks, with the intact deck in the first row.
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
        )

    def gains(self, counts: FieldCounts) -> Floats:
        """Return the win rate of each filling less that of the intact deck, shape [fillings].

        Args:
            counts: results of `play`, with the intact deck in the first row.
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
        """Race fillings by sequential halving.

        The rates of the race are gains: win rates less that of the intact deck.

        Args:
            fillings: filling of each candidate, with a card for each vacancy.
            first_round: number of games of a candidate against each opponent in the first round.
            keep: number of candidates that remain at the end.
            purpose: name of the stream of game seeds.
            vacancies: vacancies that the fillings fill; by default all vacancies of the deck.
        """
        self.on_stage(f"racing {len(fillings)} candidates")

        def play(racing: Positions, n_games: int, first_game: int) -> Floats:
            """Play one round, and return each candidate's gain times the number of games."""
            chosen = [fillings[k] for k in racing]
            counts = self.play(chosen, n_games, purpose, first_game, vacancies=vacancies)
            return self.gains(counts) * n_games

        return halve(len(fillings), play, first_round=first_round, keep=keep)


def _distances(vacancies: Vacancies, field: Field) -> list[dict[int, int]]:
    """Return the distances of the possible substitutes to the missing card of each vacancy.

    Args:
        vacancies: vacant slots of the deck.
        field: field with the pool of cards.

    Returns:
        One mapping for each vacancy: the distance by position of the substitute in the pool.
    """
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
    """Return the fillings that race together, without two fillings of the same deck.

    If several cards are missing, the substitutes for each vacancy race alone first.

    Args:
        games: player of the races for single vacancies.
        distances: distance of each possible substitute by position in the pool, for each vacancy.
        race_games: number of games of a candidate against each opponent in the first round.
        shown: number of candidates to measure, of the best by win rate and of the nearest in role.
    """
    vacancies = games.vacancies
    if len(vacancies.open) == 1:
        return [(card,) for card in distances[0]]
    alone = []
    for k, vacancy in enumerate(vacancies.open):
        options = [(card,) for card in distances[k]]
        only = Vacancies((vacancy,), vacancies.kept, vacancies.most)
        # At most half of them: `halve` plays no game if it may keep all candidates.
        keep = max(1, min(shown, len(options) // 2))
        race = games.race(options, race_games, keep, f"substitute/alone/{k}", only)
        alone.append({card: float(rate) for (card,), rate in zip(options, race.rates, strict=True)})
    nearness = [{card: -distance for card, distance in by_card.items()} for by_card in distances]
    fillings = vacancies.best_fillings(nearness, shown) + vacancies.best_fillings(alone, _MOST)
    if not fillings and (legal := vacancies.some_filling()) is not None:
        fillings = [legal]  # few copies are free, and the beam dropped every legal filling
    # If several fillings make the same deck, the first one is kept.
    by_deck = {
        frozenset(vacancies.copies_of(filling).items()): filling for filling in reversed(fillings)
    }
    return list(by_deck.values())
