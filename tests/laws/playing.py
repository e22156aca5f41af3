"""Checked games of random decks, and their findings, for tests and for the command `record`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from agents.registry import compiled_agent_named
from sim import Card, load_pool, load_ruleset
from sim.cards.pool import Hero, Pool
from sim.engine import layout as at
from sim.play import CompiledAgent, Table, deck_row, pack_table
from sim.seeds import generator, number_of, stream_seed
from tests.laws.checker import NOTES_SIZE
from tests.laws.clauses import Clause, Numbers, Words16, clauses, counting_words, row_counts
from tests.laws.games import (
    AT_ACTION,
    DIGEST,
    LAST_ACTION,
    LAW,
    N_SAMPLED,
    N_STATES,
    N_TAKEN,
    N_TURNS,
    OUTCOME_SIZE,
    RESULT_OF_GAME,
    check_games,
)
from tests.laws.law import Law

DECK_SIZE = 30
COPIES = 2
# Intervals of the slow checks in actions: masks, clones, samples. Primes, so that they seldom fall
# on the same action; chosen by hand, not tuned.
DEFAULT_SETTINGS = (101, 307, 2003)

Recipe = Callable[[Card], bool]
# Shares of the decks, and the cards that they prefer: any, those of the own class, odd costs, even
# costs, and no minions.
RECIPES: list[tuple[float, Recipe]] = [
    (0.5, lambda card: True),
    (0.2, lambda card: card.hero != ""),
    (0.1, lambda card: card.cost % 2 == 1),
    (0.1, lambda card: card.cost % 2 == 0),
    (0.1, lambda card: card.kind != "minion"),
]


@dataclass(frozen=True)
class Violation:
    """A law that a game broke, with everything that is needed to repeat the game.

    Attributes:
        law: the broken law.
        game: number of the game in its stream.
        seed: seed of the game.
        action_number: number of actions taken when the law was found broken.
        last_action: the last of these actions.
        decks: ids of the cards of both decks.
    """

    law: Law
    game: int
    seed: int
    action_number: int
    last_action: int
    decks: tuple[str, str]

    def __str__(self) -> str:
        return (
            f"{self.law.name}: game {self.game} (seed {self.seed}) after {self.action_number} "
            f"actions, the last {self.last_action}\n  {self.decks[0]}\n  {self.decks[1]}"
        )


@dataclass(frozen=True)
class Findings:
    """Results of ``G`` checked games.

    Attributes:
        outcomes: ``[G, OUTCOME_SIZE]`` outcome of each game.
        played: ``[cards, tokens and plain tokens]`` how often each card was played.
        clauses: all clauses of the pool, the rarest first.
        samples: ``[S, STATE_SIZE]`` positions of the games.
        violations: all broken laws.
    """

    outcomes: Numbers
    played: Numbers
    clauses: list[Clause]
    samples: Words16
    violations: list[Violation]

    @property
    def digests(self) -> Numbers:
        """``[G]`` digests of the final states; equal for games that ended alike."""
        return self.outcomes[:, DIGEST]

    @property
    def results(self) -> Counter[int]:
        """Number of games by their result (`sim.engine.layout`)."""
        return Counter(self.outcomes[:, RESULT_OF_GAME].tolist())

    def summary(self, name: str, seed: int, pool: Pool) -> str:
        """Return a line that summarises the games."""
        n_games = len(self.outcomes)
        n_collectible = len(pool.cards)
        n_played = int((self.played[:n_collectible] > 0).sum())
        n_tokens = int((self.played[n_collectible:] > 0).sum())
        wins = self.results
        n_actions = self.outcomes[:, N_TAKEN].sum()
        return (
            f"{name}: {n_games} games, seed {seed}: {n_actions} actions checked, "
            f"{self.outcomes[:, N_TURNS].mean():.1f} turns a game, "
            f"won {wins[0]} / {wins[1]}, drawn {wins[2]}; "
            f"{n_played} of {n_collectible} cards and {n_tokens} tokens played; "
            f"{len(self.violations)} violations"
        )


def rich_table(pool: str) -> Table:
    """Return the table of a pool under the ruleset `legacy`."""
    return pack_table(load_pool(pool), load_ruleset("legacy"))


def random_decks(pool: Pool, n_games: int, seed: int) -> Words16:
    """Return ``[2 * n_games, DECK_ROW_SIZE]`` decks of random heroes with cards that they may have.

    Half of the decks may hold any cards; the others follow one of `RECIPES`. Without those, cards
    that require a deck of odd costs, say, would find one in none of a million decks.
    """
    rng = generator(seed, "laws/decks")
    heroes = range(len(pool.heroes))
    (shares, recipes) = zip(*RECIPES, strict=True)
    stocks = [[_stock(pool, hero, recipe) for recipe in recipes] for hero in pool.heroes]
    rows = np.empty((2 * n_games, at.DECK_ROW_SIZE), dtype=np.int16)
    chosen = rng.choice(len(recipes), size=len(rows), p=shares)
    for row, hero, recipe in zip(rows, rng.choice(heroes, size=len(rows)), chosen, strict=True):
        wanted, others = stocks[hero][recipe]
        cards = rng.permutation(wanted)[:DECK_SIZE].tolist()
        cards += rng.permutation(others)[: DECK_SIZE - len(cards)].tolist()
        row[:] = deck_row(cards, pool.number(pool.heroes[hero].power))
    return rows


def _stock(pool: Pool, hero: Hero, recipe: Recipe) -> tuple[Numbers, Numbers]:
    """Return all copies that a hero's deck may hold: those that fit the recipe, and the others."""
    usable = [k for k, card in enumerate(pool.cards) if card.hero in ("", hero.id)]
    is_wanted = np.array([recipe(pool.cards[k]) for k in usable])
    copies = np.repeat(usable, COPIES), np.repeat(is_wanted, COPIES)
    return copies[0][copies[1]], copies[0][~copies[1]]


def check(
    table: Table,
    decks: Words16,
    seed: int,
    *,
    settings: Sequence[int] = DEFAULT_SETTINGS,
    n_samples: int = 0,
    threads: int = 1,
    agent: str | CompiledAgent = "greedy",
) -> Findings:
    """Play one checked game of each two decks.

    Args:
        table: a table of the general rules.
        decks: ``[2 * G, DECK_ROW_SIZE]`` deck rows; those of game g are 2g and 2g + 1.
        seed: seed of the games and of the choices.
        settings: intervals of the slow checks (`tests.laws.games`).
        n_samples: most positions to keep, for each thread.
        threads: number of threads. The outcome of a game does not depend on it, but the actions at
            which the slow checks take place do.
        agent: agent that plays one seat of half of the games.
    """
    n_games = len(decks) // 2
    pilot = compiled_agent_named(agent) if isinstance(agent, str) else agent
    address = pilot.address(general=True)  # compiled here, not once in each thread
    outcomes = np.zeros((n_games, OUTCOME_SIZE), dtype=np.int64)
    stream = stream_seed(seed, "laws/games")
    ends = np.linspace(0, n_games, threads + 1).astype(int).tolist()
    chunks = [(start, stop) for start, stop in pairwise(ends) if start < stop]
    first_row = int(table.words[0, at.CARDS + at.CARD_ROWS])  # behind all cards and tokens
    n_cards = (first_row - at.CARDS) // at.CARD_SIZE
    played = np.zeros((len(chunks), n_cards), dtype=np.int64)
    samples = np.zeros((len(chunks), n_samples, at.STATE_SIZE), dtype=np.int16)

    counting = [counting_words(table) for _ in chunks]

    def play_chunk(k: int) -> None:
        check_games(
            table.words[0],
            counting[k],
            decks.ravel(),
            *chunks[k],
            stream,
            address,
            np.array(settings, dtype=np.int64),
            np.zeros(N_STATES * at.STATE_SIZE, dtype=np.int16),
            np.zeros(NOTES_SIZE, dtype=np.int64),
            outcomes.ravel(),
            played[k],
            samples[k].ravel(),
        )

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(play_chunk, range(len(chunks))))
    kept = [samples[k, : outcomes[start, N_SAMPLED]] for k, (start, _) in enumerate(chunks)]
    n_fired = np.sum([row_counts(words) for words in counting], axis=0)
    return Findings(
        outcomes,
        played.sum(axis=0),
        clauses(table.pool, table.words[0], n_fired),
        np.concatenate(kept),
        _violations(table.pool, decks, outcomes, stream),
    )


def _violations(pool: Pool, decks: Words16, outcomes: Numbers, stream: int) -> list[Violation]:
    """Return the broken laws of all games."""
    return [
        Violation(
            law=Law(outcomes[game, LAW]),
            game=game,
            seed=number_of(stream, game),
            action_number=int(outcomes[game, AT_ACTION]),
            last_action=int(outcomes[game, LAST_ACTION]),
            decks=(_ids_of(pool, decks[2 * game]), _ids_of(pool, decks[2 * game + 1])),
        )
        for game in np.flatnonzero(outcomes[:, LAW]).tolist()
    ]


def _ids_of(pool: Pool, row: Words16) -> str:
    """Return the ids of a deck row's cards, separated by spaces."""
    return " ".join(pool.cards[card].id for card in row[1 : 1 + row[0]])
