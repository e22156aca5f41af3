"""Quality of estimates: comparison of the estimated and the actual games and CPU time of runs.

`python -m experiments.benchmarks.estimates` runs shipped experiments with changed settings, and
contests of decks drawn at random from the duel's cards. None of these runs was used to choose a
constant of `balance.run.estimate`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, NamedTuple

import typer

from balance import BalanceSettings, CardContest, Player, play_matchups
from balance.run.card_question import prepare
from balance.run.estimate import estimate_run
from balance.run.planting import IMBALANCE_PP
from balance.run.stages import run_stages
from experiments.benchmarks.script import run_script
from experiments.loading import load_experiment
from experiments.methods import with_overrides
from sim import Deck, generator
from sim.play import using_threads

_FACTOR = 1.5  # an estimate within this factor of the actual value is good; chosen by hand
_SEED = 977  # seed of decks, agents and runs; used for nothing else
_KINDS = 15  # number of kinds of cards in a deck, with two copies each
_EXPERIMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
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


class Case(NamedTuple):
    """Balance run for which games and CPU time are estimated and then measured.

    Attributes:
        name: name of the experiment or of the decks, with the changed settings.
        contest: cards and players.
        settings: settings of the run.
    """

    name: str
    contest: CardContest
    settings: BalanceSettings


def cases() -> Iterator[Case]:
    """Yield all runs to be estimated: shipped experiments first, then drawn decks."""
    for seed, (name, changes) in enumerate(_EXPERIMENTS, start=_SEED):
        widening = {"search": {"widen": True} | changes.get("search", {})}
        experiment = with_overrides(load_experiment(name), changes | widening, name)
        experiment = experiment.with_seed(seed)
        yield Case(f"{name} {changes or ''}", experiment.contest(), experiment.settings)
    for seed, changes in enumerate(_DRAWN, start=_SEED):
        settings = BalanceSettings.model_validate({"seed": seed, **changes})
        contest = _random_contest(settings, 3 + seed % 2)
        yield Case(f"drawn decks {changes or ''}", contest, settings)


def _random_contest(settings: BalanceSettings, n_decks: int) -> CardContest:
    """Return a contest of random decks with an imbalance within the limits of planted edits.

    Decks and agents are drawn again until the imbalance fits.

    Args:
        settings: settings of the run, with the seed of the draws.
        n_decks: number of decks, at most 4.
    """
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
        counts = play_matchups(
            contest, contest.table, n_games=1_000, run_seed=settings.seed, purpose="decks"
        )
        demands = settings.demands_in(contest)
        off_pp = float(demands.distance_pp(demands.of(demands.rates(counts))).max())
        if IMBALANCE_PP[0] <= off_pp <= IMBALANCE_PP[1]:
            return contest


def measure_cost(case: Case) -> tuple[int, float]:
    """Run a balance with one thread, and measure its cost, edit effects included.

    Returns:
        Number of games, and CPU time in seconds.
    """
    began_s = time.process_time()
    with using_threads(1):
        asked = prepare(case.contest, case.settings)
        run = run_stages(asked).with_effects(asked.settings.games)
    took_s = time.process_time() - began_s
    return sum(run.games.values()), took_s


def main(
    *,
    first: Annotated[int, typer.Option(help="Number of the first run, from 1.")] = 1,
    last: Annotated[int, typer.Option(help="Number of the last run.")] = 100,
) -> None:
    """Print the estimated and the actual games and CPU time of each run, and a summary."""
    ratios = list[tuple[float, float]]()
    for case in islice(cases(), first - 1, last):
        with using_threads(1):
            asked = prepare(case.contest, case.settings)
            expected = estimate_run(asked, clock=time.process_time)
        n_games, took_s = measure_cost(case)
        ratios.append((expected.n_games / n_games, expected.seconds / took_s))
        print(
            f"{case.name}, seed {case.settings.seed}: games {expected.n_games:,} expected, "
            f"{n_games:,} played ({ratios[-1][0]:.2f}); "
            f"{expected.seconds:.1f} s expected, {took_s:.1f} taken ({ratios[-1][1]:.2f})",
            flush=True,
        )
    for what, of_all in zip(("games", "seconds"), zip(*ratios, strict=True), strict=True):
        n_near = sum(1 / _FACTOR <= ratio <= _FACTOR for ratio in of_all)
        print(f"{what} within a factor of {_FACTOR}: {n_near} of {len(of_all)}")


if __name__ == "__main__":
    run_script(main)
