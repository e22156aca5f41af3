"""How good estimates are: games and CPU time that runs were expected to take, and what they took.

`python -m experiments.benchmarks.estimates` asks shipped experiments, changed in this and that, and
decks drawn at random from the duel's cards; none of them set a constant of `balance.estimate`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from balance import BalanceSettings, CardContest, Player, play_matchups
from balance.estimate import estimate_run
from balance.pipeline import run_balance, within_total
from balance.planting import IMBALANCE_PP
from experiments.benchmarks.script import run_script
from experiments.loading import load_experiment
from experiments.methods import with_overrides
from experiments.results.stages import effects_of, games_of_stages
from sim import Deck, generator

_FACTOR = 1.5
_SEED = 977  # of decks, agents and run seeds
_KINDS = 15  # of cards in a deck, twice each
_ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("quickstart_scripts", {}),
    ("quickstart_scripts", {"tune": {"sense": False}}),
    ("quickstart_scripts", {"target": {"band_pp": 7}}),
    ("quickstart_scripts", {"games": {"total": 1_000_000}}),
    ("quickstart_scripts", {"search": {"method": "ga"}, "narrow": {"by": "power"}}),
    ("new_deck", {}),
    ("new_deck", {"tune": {"max_steps": 1}}),
    ("legacy_starters", {}),
    ("legacy_starters", {"tune": {"sense": False}, "target": {"band_pp": 4}}),
    ("legacy_evolved", {}),
    ("thesis_narrowing", {"search": {"method": "nsga2"}, "narrow": {"by": "power"}}),
    ("saga_decks", {"games": {"total": 400_000}}),
    ("four_decks", {"games": {"total": 2_000_000}}),
    ("rock_paper_scissors", {"tune": {"sense": False}}),
)
_DRAWN: tuple[dict[str, Any], ...] = (
    {},
    {"target": {"band_pp": 7}},
    {"tune": {"sense": False}},
    {"tune": {"max_steps": 3}, "target": {"band_pp": 4}},
    {"target": {"win_rate": [0.35, 0.65], "field": 0.5}},
    {"target": {"win_rate": "free", "field": 0.5, "band_pp": 4}},
    {"games": {"search": 200}},
    {"games": {"total": 300_000}},
    {"search": {"method": "nsga2", "population": 30, "generations": 15}},
    {"tune": {"max_cards": 4}},
)


class Question(NamedTuple):
    """What is asked, and of whom."""

    name: str
    contest: CardContest
    settings: BalanceSettings


def questions() -> Iterator[Question]:
    """All of them."""
    for seed, (name, told) in enumerate(_ASKED, start=_SEED):
        widening = {"search": {"widen": True} | told.get("search", {})}
        asked = with_overrides(load_experiment(name), told | widening, name).with_seed(seed)
        yield Question(f"{name} {told or ''}", asked.contest(), asked.settings)
    for seed, told in enumerate(_DRAWN, start=_SEED):
        settings = BalanceSettings.model_validate({"seed": seed, **told})
        yield Question(f"drawn decks {told or ''}", _drawn(settings, 3 + seed % 2), settings)


def _drawn(settings: BalanceSettings, n_decks: int) -> CardContest:
    """Decks drawn at random, no worse apart than a suite's hidden edits move them."""
    base = load_experiment("quickstart_scripts").contest()
    agents = sorted({player.agent for player in base.players}, key=lambda agent: agent.name)
    ids = [card.id for card in base.table.pool.cards]
    rng = generator(settings.seed, "decks")
    while True:
        players = tuple(
            Player(
                name,
                Deck(
                    name=name,
                    pool="core",
                    ruleset="duel",
                    cards=dict.fromkeys(rng.permutation(ids)[:_KINDS].tolist(), 2),
                ),
                agents[int(rng.integers(len(agents)))],
            )
            for name in "abcd"[:n_decks]
        )
        contest = CardContest(base.table, players)
        played = play_matchups(
            contest, contest.table, n_games=1_000, run_seed=settings.seed, purpose="decks"
        )
        demands = settings.demands_in(contest)
        off_pp = float(demands.distance_pp(demands.of(demands.rates(played))).max())
        if IMBALANCE_PP[0] <= off_pp <= IMBALANCE_PP[1]:
            return contest


def spent(asked: Question) -> tuple[int, float]:
    """The games of a run, with the effects of edits, and its CPU seconds in one thread."""
    began_s = time.process_time()
    run = run_balance(asked.contest, asked.settings, threads=1)
    effects = effects_of(run, within_total(asked.contest, asked.settings).games)
    took_s = time.process_time() - began_s
    return sum(games_of_stages(run, effects).values()), took_s


def main(*, first: int = 1, last: int = 100) -> None:
    """Print a line for each question, and one for all."""
    ratios = list[tuple[float, float]]()
    for asked in islice(questions(), first - 1, last):
        expected = estimate_run(asked.contest, asked.settings, threads=1, clock=time.process_time)
        n_games, took_s = spent(asked)
        ratios.append((expected.n_games / n_games, expected.seconds / took_s))
        print(
            f"{asked.name}, seed {asked.settings.seed}: games {expected.n_games:,} expected, "
            f"{n_games:,} played ({ratios[-1][0]:.2f}); "
            f"{expected.seconds:.1f} s expected, {took_s:.1f} taken ({ratios[-1][1]:.2f})",
            flush=True,
        )
    for what, of_all in zip(("games", "seconds"), zip(*ratios, strict=True), strict=True):
        n_near = sum(1 / _FACTOR <= ratio <= _FACTOR for ratio in of_all)
        print(f"{what} within a factor of {_FACTOR}: {n_near} of {len(of_all)}")


if __name__ == "__main__":
    run_script(main)
