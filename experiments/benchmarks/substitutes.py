"""How good `evenhand substitute` is, against an independent truth.

    python -m experiments.benchmarks.substitutes --run-seeds 10

For every card of every deck of an experiment: the truth about the ten best substitutes from
200,000 games against each opponent, about the rest from 20,000, all on a stream of its own; then
the question, as the command asks it, under several run seeds. The regret is how much less the
first recommendation is worth than the best substitute; its interval should hold the truth.

Where one card is the best substitute everywhere, the questions are easy; `--without` has nobody
own it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from balance.card_contest import CardContest, Player
from balance.decks.open_slots import Vacancies, find_vacancies
from balance.decks.substitutes import Substitution, find_substitutes
from balance.metagame.field import Field, field_of, play_field
from balance.settings import Substitute
from balance.statistics.intervals import Floats, wilson
from experiments.experiment import load_experiment
from sim.play.batch import row_of_deck

_TRUTH_SEED = 977
_FEW, _MANY, _BEST = 20_000, 200_000, 10


@dataclass(frozen=True)
class _Question:
    name: str
    player: Player
    field: Field
    vacancies: Vacancies


def main(arguments: Sequence[str] | None = None) -> None:
    """Print regret, coverage and time."""
    parser = argparse.ArgumentParser(prog="python -m experiments.benchmarks.substitutes")
    parser.add_argument("--experiment", default="quickstart")
    parser.add_argument("--run-seeds", type=int, default=10)
    parser.add_argument("--without", action="append", default=[], metavar="CARD")
    options = parser.parse_args(arguments)
    experiment = load_experiment(options.experiment)
    regrets, covered, seconds = [], [], []
    questions = _questions(experiment.contest(), options.without)
    for position, question in enumerate(questions):
        truth = _truth(question)
        best = max(truth.values())
        for run in range(options.run_seeds):
            run_seed = run * len(questions) + position  # no two questions share their luck
            began_s = time.perf_counter()
            first = _ask(question, run_seed).candidates[0]
            seconds.append(time.perf_counter() - began_s)
            true_gain = truth[first.cards[0]]
            regrets.append(100 * (best - true_gain))
            assert first.gain is not None  # noqa: S101 (the first one is always measured)
            covered.append(first.gain.low <= true_gain <= first.gain.high)
        print(  # noqa: T201 (a script that prints)
            f"{question.name}: best {100 * best:+.2f} pp, regret "
            f"{np.mean(regrets[-options.run_seeds :]):.3f} pp",
            flush=True,
        )
    share = wilson(sum(covered), len(covered))
    print(  # noqa: T201
        f"\n{len(regrets)} questions: regret mean {np.mean(regrets):.3f} pp, 95th percentile "
        f"{np.quantile(regrets, 0.95):.3f} pp, largest {max(regrets):.3f} pp; interval holds the "
        f"truth in {100 * share.estimate:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f}); "
        f"median {median(seconds):.2f} s"
    )


def _questions(contest: CardContest, without: Sequence[str]) -> list[_Question]:
    pool, ruleset = contest.table.pool, contest.table.ruleset
    owned = {card.id: ruleset.copy_limit for card in pool.cards if card.id not in without}
    return [
        _Question(
            f"{player.name} without {card}",
            player,
            field_of(contest, but=player.name),
            find_vacancies(player.deck, pool, ruleset, [card], owned | {card: 0}),
        )
        for player in contest.players
        for card in player.deck.cards
    ]


def _ask(question: _Question, run_seed: int) -> Substitution:
    settings = Substitute()
    return find_substitutes(
        question.player,
        question.field,
        question.vacancies,
        race_games=settings.race,
        n_games=settings.games,
        shown=settings.shown,
        run_seed=run_seed,
    )


def _truth(question: _Question) -> dict[int, float]:
    """The gain of every card that may take the place."""
    cards = question.vacancies.stand_ins(question.vacancies.open[0])
    truth = dict(zip(cards, _gains(question, cards, _FEW, "truth/few").tolist(), strict=True))
    best = sorted(truth, key=lambda card: -truth[card])[:_BEST]
    return truth | dict(
        zip(best, _gains(question, best, _MANY, "truth/many").tolist(), strict=True)
    )


def _gains(question: _Question, cards: Sequence[int], n_games: int, purpose: str) -> Floats:
    pool, deck = question.field.table.pool, question.player.deck
    intact = row_of_deck(deck, pool)
    counts = play_field(
        question.field,
        np.stack([intact, *(question.vacancies.fill(intact, [card]) for card in cards)]),
        question.player.agent,
        n_games=n_games,
        run_seed=_TRUTH_SEED,
        purpose=purpose,
    )
    rates: Floats = question.field.score(counts.points) / n_games
    gains: Floats = rates[1:] - rates[0]
    return gains


if __name__ == "__main__":
    main()
