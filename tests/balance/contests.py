"""Contests, search spaces and evaluators for tests of balancing, small and real or synthetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.registry import agent_named
from balance import CardContest, Demands, MatchupCounts, Player, build_space
from balance.settings.tables import Guards
from balance.space.search_space import SearchSpace, Steps
from balance.space.tune import Tune
from balance.verdict.evaluation import Evaluator, Scores
from sim import Card, Deck, Effect, Pool, Ruleset, generator, load_deck
from sim.engine.layout import DRAWN, TURN_BINS
from sim.play.table import Gene, pack_table
from tests.duels import DUEL, TABLE

Floats = npt.NDArray[np.float64]


def contest_of(*players: tuple[str, str]) -> CardContest:
    """Return a contest of shipped decks with agents that pilot them."""
    return CardContest(
        TABLE, tuple(Player(deck, load_deck(deck), agent_named(agent)) for deck, agent in players)
    )


RUSH_KEEP = contest_of(("ember_rush", "aggro"), ("tide_keep", "control"))
THREE = contest_of(("ember_rush", "aggro"), ("tide_keep", "control"), ("grove_march", "greedy"))


def body(card_id: str, cost: int, attack: int, health: int, **more: Any) -> Card:
    """Return a minion named by its id."""
    name = card_id.replace("_", " ").capitalize()
    return Card(id=card_id, name=name, cost=cost, attack=attack, health=health, **more)


def spell(card_id: str, cost: int, *effects: Effect, **more: Any) -> Card:
    """Return a spell named by its id, with a target if an effect needs one."""
    target = {"target": "characters"} if any("target" in str(row.to) for row in effects) else {}
    values = {"kind": "spell", "cost": cost, "effects": effects, **target, **more}
    return Card(id=card_id, name=card_id, **values)


def own_contest(
    cards: Sequence[Card],
    decks: Sequence[Mapping[str, int]],
    *,
    agents: Sequence[str] = (),
    ruleset: Ruleset = DUEL,
) -> CardContest:
    """Return a contest of decks `a`, `b`, ... of a pool made for one test; default agent `aggro`.

    The rules permit as many copies as a deck has. If a deck is too small for the opening hands,
    these are smaller, too; no game is played with such a deck.
    """
    changes: dict[str, Any] = {"copy_limit": ruleset.deck_limit}
    smallest = min(sum(deck.values()) for deck in decks)
    if smallest < max(ruleset.opening_hand):
        changes["opening_hand"] = (smallest, smallest)
    ruleset = ruleset.model_copy(update=changes)
    pool = Pool(name="own", cards=tuple(cards))
    pilots = [agent_named(name) for name in agents or ["aggro"] * len(decks)]
    players = tuple(
        Player(name, Deck(name=name, pool="own", ruleset=ruleset.name, cards=dict(deck)), pilot)
        for name, deck, pilot in zip("abcdefgh", decks, pilots, strict=False)
    )
    return CardContest(pack_table(pool, ruleset), players)


def endless_contest() -> CardContest:
    """Return a contest with a spell that at cost 0, but not in the baseline, never ends."""
    again = Effect(on="play", do="give", cards=("echo",))
    echo = Card(id="echo", name="Echo", kind="spell", cost=1, effects=(again,))
    return own_contest([echo, body("ox", 2, 2, 3)], [{"echo": 20}, {"ox": 20}])


def space_of(contest: CardContest, **tune: Any) -> SearchSpace:
    """Return the space of settings `[tune]`, by default without design rules."""
    return build_space(contest, Tune(**{"sense": False, **tune}))


def free_space(low: Sequence[int], high: Sequence[int], **more: Any) -> SearchSpace:
    """Return a space with one number per card, for tests in which nothing is played."""
    genes = tuple(Gene(card, "attack") for card in range(len(low)))
    bounds = np.array(low, np.int16), np.array(high, np.int16)
    return SearchSpace(genes, *bounds, **{"weights": np.ones(len(low)), **more})


@dataclass(frozen=True)
class AtMost:
    """Constraint on the number of edits."""

    n_edits: int

    def breaches(self, steps: Steps) -> npt.NDArray[np.int64]:
        return np.maximum((steps != 0).sum(axis=1) - self.n_edits, 0)

    def restricted_to(self, kept: npt.NDArray[np.intp]) -> AtMost:
        return self


def evaluator_of(contest: CardContest, space: SearchSpace, **more: Any) -> Evaluator:
    """Return an evaluator of a real contest, by default with all targets at 50 % and no guards."""
    return Evaluator(contest, space, **_evaluator_settings(len(contest.matchups), **more))


def _evaluator_settings(n_matchups: int, **more: Any) -> dict[str, Any]:
    """Return settings of an evaluator; default targets at 50 %, a band of 5 points, no guards."""
    targets = more.pop("targets", np.full(n_matchups, 0.5))
    band_pp = more.pop("band_pp", 5.0)
    values = {"demands": Demands.around(targets, band_pp), "guards": NO_GUARDS, "run_seed": 1}
    return {**values, **more}


NO_GUARDS = Guards(max_draw_rate=1.0, max_first_seat_pp=100.0, median_turns=100.0)


def scores_of(
    imbalance_pp: npt.ArrayLike, size: npt.ArrayLike, violation: npt.ArrayLike = 0.0
) -> Scores:
    """Return scores of one matchup with given objectives."""
    values = np.broadcast_arrays(imbalance_pp, size, violation)
    imbalance, sizes, broken = (each.astype(float) for each in values)
    win_rate = 0.5 + imbalance[:, np.newaxis] / 100
    touched = (sizes > 0).astype(np.int64)
    return Scores(win_rate, imbalance, imbalance, sizes, touched, sizes, broken)


COIN_SEEDS = 100  # for the guards, which coins leave alone


@dataclass(frozen=True)
class CoinEvaluator(Evaluator):
    """Evaluator that flips coins instead of playing: each matchup is won with its true rate.

    Purposes have independent random numbers, as with real games. By default a genome's true rate is
    50 % plus `pp_per_step` for each step of its numbers, in every matchup.
    """

    pp_per_step: float = 1.0
    at_zero_pp: float = 0.0
    purposes: list[tuple[str, int]] = field(default_factory=list)

    def true_rates(self, genomes: Steps) -> Floats:
        """Return the true win rates, ``[P, M]``."""
        pp = self.at_zero_pp + self.pp_per_step * genomes.sum(axis=1)
        return np.repeat(0.5 + pp[:, np.newaxis] / 100, len(self.demands), axis=1)

    def play(
        self, genomes: Steps, *, n_games: int, purpose: str, first_game: int = 0, **_: object
    ) -> MatchupCounts:
        self.purposes.append((purpose, len(genomes)))
        with_today = np.concatenate([genomes, np.zeros((1, genomes.shape[1]), dtype=np.int16)])
        rng = generator(self.run_seed, f"{purpose}/{first_game}" if first_game else purpose)
        rates = self.true_rates(with_today)
        if purpose in {"certify", "edits"}:  # where seeds count
            is_won = rng.random((*rates.shape, 2, n_games // 2)) < rates[..., None, None]
            return counts_by_seed(is_won)
        return counts_of(rng.binomial(n_games, rates).astype(float), n_games, n_seeds=COIN_SEEDS)


def coin_evaluator(space: SearchSpace, n_matchups: int = 1, **more: Any) -> CoinEvaluator:
    """Return an evaluator of coins for a number of matchups without players."""
    return CoinEvaluator(_meeting(n_matchups), space, **_evaluator_settings(n_matchups, **more))


def _meeting(n_matchups: int) -> CardContest:
    """Return a contest with a number of matchups, for tests in which nothing is played."""
    return replace(RUSH_KEEP, only=RUSH_KEEP.matchups * n_matchups)


def counts_of(
    points: Floats,
    n_games: int,
    *,
    first_seat: npt.ArrayLike = 0.5,
    draw_rate: npt.ArrayLike = 0.0,
    turns: npt.ArrayLike = 20,
    n_seeds: int | None = None,
) -> MatchupCounts:
    """Return counts with given points, ``[V, M]``, and games of one length.

    The winners are those of `winners_of` in every matchup, whatever the points.
    """
    n_variants, n_matchups = points.shape
    values = (np.broadcast_to(one, n_variants).tolist() for one in (first_seat, draw_rate, turns))
    winners = []
    lengths = []
    for first, drawn, length in zip(*values, strict=True):
        winners.append([winners_of(first, drawn, n_seeds or n_games // 2)] * n_matchups)
        lengths.append([n_games * np.eye(1, TURN_BINS, length, dtype=np.int64)[0]] * n_matchups)
    return MatchupCounts(
        n_games=n_games, points=points, turns=np.array(lengths), winners=np.array(winners)
    )


def counts_by_seed(is_won: npt.NDArray[np.bool_], turns: int = 20) -> MatchupCounts:
    """Return counts of ``[V, M, 2, S]`` games, given whether the first player wins them."""
    n_games = 2 * is_won.shape[-1]
    points = is_won.sum(axis=(-2, -1)).astype(float)
    winners = (is_won != np.array([[True], [False]])).astype(np.int8)
    return replace(counts_of(points, n_games, turns=turns, n_seeds=COIN_SEEDS), winners=winners)


def winners_of(first_seat: float, draw_rate: float, n_seeds: int) -> npt.NDArray[np.int8]:
    """Return winners, ``[2, n_seeds]``: the first seat's games, then the second's, then draws."""
    n_games = 2 * n_seeds
    n_first = (first_seat - draw_rate / 2) * n_games
    n_drawn = draw_rate * n_games
    assert abs(n_first - round(n_first)) < 1e-6
    assert abs(n_drawn - round(n_drawn)) < 1e-6
    games = np.ones(n_games, dtype=np.int8)
    games[: round(n_first)] = 0
    games[n_games - round(n_drawn) :] = DRAWN
    return games.reshape(n_seeds, 2).T


@dataclass(frozen=True)
class FixedEvaluator(Evaluator):
    """Evaluator that returns given counts for every request."""

    counts: MatchupCounts = field(default_factory=lambda: counts_of(np.zeros((2, 1)), 2))

    def play(self, genomes: Steps, *, n_games: int, **_: object) -> MatchupCounts:
        assert self.counts.points.shape == (len(genomes) + 1, len(self.demands))
        assert n_games == self.counts.n_games
        return self.counts


def fixed_evaluator(counts: MatchupCounts, **more: Any) -> FixedEvaluator:
    """Return an evaluator with one number that returns `counts`."""
    n_matchups = counts.points.shape[1]
    values = _evaluator_settings(n_matchups, **more)
    return FixedEvaluator(_meeting(n_matchups), free_space([-2], [2]), **values, counts=counts)
