"""How strong the decks of `evenhand build` are, and how long that takes.

    python -m experiments.benchmarks.decks --run-seeds 10

Builds a deck for an experiment under several run seeds, as the command does without its files.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from statistics import median

from balance.decks.building import build_deck
from experiments.experiment import load_experiment

_FIRST_SEED = 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Print per run seed what the deck is worth and how long it took, then all together."""
    parser = argparse.ArgumentParser(prog="python -m experiments.benchmarks.decks")
    parser.add_argument("--experiment", default="strong_deck")
    parser.add_argument("--run-seeds", type=int, default=10)
    parser.add_argument("--improve", help="player whose deck is improved instead")
    parser.add_argument("--agent", help="pilot of a new deck")
    options = parser.parse_args(arguments)
    given = {"improve": options.improve, "agent": options.agent}
    experiment = load_experiment(options.experiment)
    build = experiment.settings.build.model_copy(
        update={key: value for key, value in given.items() if value is not None}
    )
    contest = experiment.contest()
    lows, seconds, certified = [], [], 0
    for run_seed in range(_FIRST_SEED, _FIRST_SEED + options.run_seeds):
        settings = experiment.settings.model_copy(update={"seed": run_seed, "build": build})
        began_s = time.perf_counter()
        built = build_deck(contest, settings)
        seconds.append(time.perf_counter() - began_s)
        lows.append(100 * float(built.score.low))
        certified += built.certified is True
        rate, low, high = (100 * float(bound) for bound in built.score)
        print(  # noqa: T201 (a script that prints)
            f"seed {run_seed}: {rate:.2f} % ({low:.2f} to {high:.2f}), n = "
            f"{built.n_games * len(built.field.opponents):,}, {sum(built.games.values()):,} games, "
            f"{seconds[-1]:.1f} s",
            flush=True,
        )
    print(  # noqa: T201
        f"\ncertified {certified} of {len(lows)}; lowest bound {min(lows):.2f} %, median "
        f"{median(lows):.2f} %; median {median(seconds):.1f} s, slowest {max(seconds):.1f} s"
    )


if __name__ == "__main__":
    main()
