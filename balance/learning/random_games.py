"""Recorded games of random decks with varied cards, from which a value of positions is learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from agents.reading.position import ROW_SIZE
from agents.search.value.recording import ABOUT_SIZE, TURNS_MAX, Recorded, record_games
from sim import Pool, generator, stream_seed
from sim.cards.card import Card
from sim.engine import layout as at
from sim.play import CompiledAgent, Table
from sim.play.batch import deck_row
from sim.play.table import Gene
from sim.play.workers.current import n_local_threads

Words16 = npt.NDArray[np.int16]
Integers = npt.NDArray[np.int64]
Part = TypeVar("Part")

N_DECKS = 40  # decks of one table: enough that mirrors of one deck are few
MIRRORS = 0.6  # share of games between equal decks, in which only the moves decide
WILD = 120  # per mille of turns with many random actions, after which unusual positions follow
_AT_ONCE = 50  # games of a job: some megabytes of rows
_NUMBERS = ("cost", "attack", "health")  # numbers of cards that are varied
_VARIED = 0.5  # share of these numbers that are varied, by up to `_STEPS_MAX`
_STEPS_MAX = 2
# Spreads of a deck's random taste, in units of a Gumbel number that is drawn for each card: for
# the cost of cards, for spells and for cards of the own hero. Chosen by hand.
_COST_TASTE = 0.25
_SPELL_TASTE = (0.2, 0.6)
_HERO_TASTE = (0.6, 0.5)
_MEAN_COST = 4
_DEAR = 5
_AGAINST_DEAR = 0.12  # per mana above `_DEAR`: decks of dear cards alone lose at once


def random_deck_rows(
    pool: Pool, size: int, copies: int, rng: np.random.Generator, n_decks: int = N_DECKS
) -> Words16:
    """Return the rows of random decks, each with a taste of its own, ``[n_decks, DECK_ROW_SIZE]``.

    A taste prefers cheap or dear cards, spells or minions, and cards of the own hero. The heroes
    take turns. Cards with the tag `legendary` are held once.

    Args:
        pool: cards.
        size: number of cards of a deck.
        copies: maximum number of copies of a card.
        rng: generator of the random numbers, which is advanced.
        n_decks: number of decks.
    """
    rows = []
    for number in range(n_decks):
        hero = pool.heroes[number % len(pool.heroes)] if pool.heroes else None
        allowed = [
            place
            for place, card in enumerate(pool.cards)
            if not card.hero or (hero is not None and card.hero == hero.id)
        ]
        cards = _chosen(pool.cards, allowed, _taste(pool.cards, allowed, rng), size, copies)
        rows.append(deck_row(cards, pool.number(hero.power) if hero else at.BLANK))
    return np.stack(rows)


def _taste(
    cards: Sequence[Card], allowed: Sequence[int], rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return random preferences for the allowed cards, shape [len(allowed)]."""
    cost = np.array([cards[place].cost for place in allowed], dtype=np.float64)
    is_spell = np.array([cards[place].kind != "minion" for place in allowed])
    is_of_hero = np.array([bool(cards[place].hero) for place in allowed])
    taste = rng.normal(0, _COST_TASTE) * (cost - _MEAN_COST)
    taste -= _AGAINST_DEAR * np.maximum(cost - _DEAR, 0)
    taste += rng.normal(*_SPELL_TASTE) * is_spell + rng.normal(*_HERO_TASTE) * is_of_hero
    return np.asarray(taste + rng.gumbel(size=len(allowed)))


def _chosen(
    cards: Sequence[Card],
    allowed: Sequence[int],
    taste: npt.NDArray[np.float64],
    size: int,
    copies: int,
) -> list[int]:
    """Return the places of the preferred cards, with copies, up to the size of a deck."""
    chosen = list[int]()
    for k in np.argsort(-taste, kind="stable").tolist():
        place = allowed[k]
        n_copies = 1 if "legendary" in cards[place].tags else copies
        chosen += [place] * min(n_copies, size - len(chosen))
        if len(chosen) == size:
            break
    return sorted(chosen)


def varied_table(table: Table, rng: np.random.Generator) -> Table:
    """Return a table of one variant, with other costs, attacks and healths of cards.

    Args:
        table: table of the baseline.
        rng: generator of the random numbers, which is advanced.
    """
    genes = list[Gene]()
    steps = list[int]()
    for owner, card in enumerate(table.pool.cards):
        for field in _NUMBERS:
            if field in card.fields and rng.random() < _VARIED:
                low, high = table.ruleset.limits.of(field)
                value = card.number(field)
                wanted = value + int(rng.integers(-_STEPS_MAX, _STEPS_MAX + 1))
                genes.append(Gene(owner, field))
                steps.append(min(max(wanted, low), high) - value)
    return table.vary(genes, np.array([steps]))


class RandomGames(NamedTuple):
    """Games between random decks, in one variant of a table.

    Attributes:
        table: table of one variant.
        decks: deck rows, shape ``[N_DECKS, DECK_ROW_SIZE]``.
        pairs: decks of both seats in each game, shape ``[n_games, 2]``.
        stream: seed of the games.
    """

    table: Table
    decks: Words16
    pairs: Integers
    stream: int

    @property
    def is_general(self) -> bool:
        """Whether the games are played by the general rules."""
        return bool(self.table.is_general(self.decks).any())

    def address(self, agent: CompiledAgent) -> int:
        """Return the address of an agent that is bound to the table.

        The table keeps the bound agent alive.
        """
        return agent.seated(self.table, lambda: self.decks).address(general=self.is_general)


def random_games(
    table: Table, n_games: int, run_seed: int, number: int, purpose: str = "value"
) -> RandomGames:
    """Return games between random decks.

    Args:
        table: table of the baseline; if `number` is odd, the numbers of its cards are varied.
        n_games: number of games.
        run_seed: seed of the run.
        number: number of the recording, which determines decks, numbers and games.
        purpose: word that separates the random streams of different recordings.
    """
    rng = generator(run_seed, f"{purpose}/{number}")
    if number % 2:
        table = varied_table(table, rng)
    rules = table.ruleset
    decks = random_deck_rows(table.pool, min(rules.deck_limit, 30), min(rules.copy_limit, 2), rng)
    pairs = rng.integers(N_DECKS, size=(n_games, 2))
    is_mirror = rng.random(n_games) < MIRRORS
    pairs[is_mirror, 1] = pairs[is_mirror, 0]
    return RandomGames(table, decks, pairs, stream_seed(run_seed, f"{purpose}/games/{number}"))


def divided_games(
    tables: Sequence[Table], n_games: int, n_of_recording: int
) -> list[tuple[Table, int]]:
    """Return the table and the number of games of each recording of a round.

    Two recordings of a table follow each other, so that one of them varies its numbers
    (`random_games`).

    Args:
        tables: tables, among which the games are divided equally.
        n_games: number of games of the round.
        n_of_recording: number of games of a recording, if there are enough.
    """
    n_recordings = max(n_games // n_of_recording, 2 * len(tables))
    return [(tables[k // 2 % len(tables)], n_games // n_recordings) for k in range(n_recordings)]


def in_parts(play: Callable[[int, int], Part], n_games: int, at_once: int) -> list[Part]:
    """Return the results of a function of the first game and the game behind the last.

    The parts are played by all threads, and returned in the order of the games.

    Args:
        play: function that plays a part of the games.
        n_games: number of games.
        at_once: number of games of a part.
    """
    firsts = range(0, n_games, at_once)
    with ThreadPoolExecutor(n_local_threads()) as threads:
        return list(threads.map(lambda k: play(k, min(k + at_once, n_games)), firsts))


def record_random_games(
    table: Table, agent: CompiledAgent, n_games: int, run_seed: int, number: int
) -> Recorded:
    """Play games of random decks in the hands of one agent, and record all starts of turns.

    Args:
        table: table of the baseline; every second recording varies its numbers.
        agent: agent of both seats.
        n_games: number of games.
        run_seed: seed of the run.
        number: number of the recording, which determines decks, numbers and games.
    """
    games = random_games(table, n_games, run_seed, number)
    address = games.address(agent)
    words = games.table.words[0]

    def play(first: int, last: int) -> tuple[Words16, Integers]:
        """Return position rows of the games from number `first` on, and their numbers."""
        n_rows_max = (last - first) * TURNS_MAX
        rows = np.zeros(n_rows_max * ROW_SIZE, dtype=np.int16)
        about = np.zeros(n_rows_max * ABOUT_SIZE, dtype=np.int64)
        scratch = np.zeros(2 * at.STATE_SIZE, dtype=np.int16)
        n_rows = record_games(
            words,
            games.decks.ravel(),
            games.pairs.ravel(),
            address,
            games.stream,
            WILD,
            first,
            last,
            scratch,
            rows,
            about,
        )
        shaped = rows[: n_rows * ROW_SIZE].reshape(n_rows, ROW_SIZE).copy()
        return shaped, about[: n_rows * ABOUT_SIZE].reshape(n_rows, ABOUT_SIZE).copy()

    parts = in_parts(play, n_games, _AT_ONCE)
    return Recorded(
        words,
        np.concatenate([rows for rows, _ in parts]),
        np.concatenate([about for _, about in parts]),
    )
