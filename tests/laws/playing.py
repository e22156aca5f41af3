"""Random decks, games of them that are checked, and what was found, for tests and for people."""

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
from tests.laws.clauses import Clause, Numbers, Words16, clauses, counting_words, fired
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
USUAL = (101, 307, 2003)  # how often to look closely: at masks, at clones, to keep a sample

Recipe = Callable[[Card], bool]
RECIPES: list[tuple[float, Recipe]] = [  # shares of the decks, and what they are made of, as far
    (0.5, lambda card: True),  #              as that goes: anything,
    (0.2, lambda card: card.hero != ""),  #   cards of the own class,
    (0.1, lambda card: card.cost % 2 == 1),
    (0.1, lambda card: card.cost % 2 == 0),
    (0.1, lambda card: card.kind != "minion"),
]


@dataclass(frozen=True)
class Violation:
    """A law that a game broke: everything that is needed to see it again."""

    law: Law
    game: int  # of the stream
    seed: int
    action_number: int  # taken when it was seen
    last_action: int
    decks: tuple[str, str]

    def __str__(self) -> str:
        return (
            f"{self.law.name}: game {self.game} (seed {self.seed}) after {self.action_number} "
            f"actions, the last {self.last_action}\n  {self.decks[0]}\n  {self.decks[1]}"
        )


@dataclass(frozen=True)
class Findings:
    """What became of ``G`` checked games."""

    outcomes: Numbers  # [G, OUTCOME_SIZE]
    played: Numbers  # [cards, tokens and plain tokens] how often each was played
    clauses: list[Clause]  # the rarest first
    samples: Words16  # [S, STATE_SIZE] positions
    violations: list[Violation]

    @property
    def digests(self) -> Numbers:
        """``[G]`` words that two games share only if they ended alike."""
        return self.outcomes[:, DIGEST]

    @property
    def results(self) -> Counter[int]:
        """Games by their result (`sim.engine.layout`)."""
        return Counter(self.outcomes[:, RESULT_OF_GAME].tolist())

    def summary(self, name: str, seed: int, pool: Pool) -> str:
        """One line for people."""
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
    """A pool under the rich rules."""
    return pack_table(load_pool(pool), load_ruleset("legacy"))


def random_decks(pool: Pool, n_games: int, seed: int) -> Words16:
    """``[2 * n_games, DECK_ROW_SIZE]``: random heroes with cards that they may have.

    Half of the decks hold anything; the others what only fits together (`RECIPES`): cards that
    ask for a deck of odd costs, say, would else find one in none of a million.
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
    """All copies that a hero's deck may hold: those of the recipe, and the others."""
    usable = [k for k, card in enumerate(pool.cards) if card.hero in ("", hero.id)]
    is_wanted = np.array([recipe(pool.cards[k]) for k in usable])
    copies = np.repeat(usable, COPIES), np.repeat(is_wanted, COPIES)
    return copies[0][copies[1]], copies[0][~copies[1]]


def check(
    table: Table,
    decks: Words16,
    seed: int,
    *,
    settings: Sequence[int] = USUAL,
    n_samples: int = 0,
    threads: int = 1,
    agent: str | CompiledAgent = "greedy",
) -> Findings:
    """Play one checked game of each two decks.

    Args:
        table: a table of the general rules.
        decks: ``[2 * G, DECK_ROW_SIZE]`` those of game g are 2g and 2g + 1.
        seed: of the games' luck and choices.
        settings: how often to look closely (`tests.laws.games`).
        n_samples: positions to keep at most, by each thread.
        threads: threads to use; what is found in a game does not depend on it, but where the
            games are looked at closely does.
        agent: who plays one seat of half of the games.
    """
    n_games = len(decks) // 2
    pilot = compiled_agent_named(agent) if isinstance(agent, str) else agent
    address = pilot.address(general=True)  # compiled here, not once in each thread
    outcomes = np.zeros((n_games, OUTCOME_SIZE), dtype=np.int64)
    stream = stream_seed(seed, "laws/games")
    ends = np.linspace(0, n_games, threads + 1).astype(int).tolist()
    stretches = [(a, b) for a, b in pairwise(ends) if a < b]
    first_row = int(table.words[0, at.CARDS + at.CARD_ROWS])  # behind all cards and tokens
    n_cards = (first_row - at.CARDS) // at.CARD_SIZE
    played = np.zeros((len(stretches), n_cards), dtype=np.int64)
    samples = np.zeros((len(stretches), n_samples, at.STATE_SIZE), dtype=np.int16)

    counting = [counting_words(table) for _ in stretches]

    def play_stretch(k: int) -> None:
        check_games(
            table.words[0],
            counting[k],
            decks.ravel(),
            *stretches[k],
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
        list(executor.map(play_stretch, range(len(stretches))))
    kept = [samples[k, : outcomes[start, N_SAMPLED]] for k, (start, _) in enumerate(stretches)]
    n_fired = np.sum([fired(words) for words in counting], axis=0)
    return Findings(
        outcomes,
        played.sum(axis=0),
        clauses(table.pool, table.words[0], n_fired),
        np.concatenate(kept),
        _violations(table.pool, decks, outcomes, stream),
    )


def _violations(pool: Pool, decks: Words16, outcomes: Numbers, stream: int) -> list[Violation]:
    return [
        Violation(
            law=Law(outcomes[game, LAW]),
            game=game,
            seed=number_of(stream, game),
            action_number=int(outcomes[game, AT_ACTION]),
            last_action=int(outcomes[game, LAST_ACTION]),
            decks=(_spelled(pool, decks[2 * game]), _spelled(pool, decks[2 * game + 1])),
        )
        for game in np.flatnonzero(outcomes[:, LAW]).tolist()
    ]


def _spelled(pool: Pool, row: Words16) -> str:
    return " ".join(pool.cards[card].id for card in row[1 : 1 + row[0]])
