"""Quality of substitutes: their regret, and the coverage of the intervals of their gains.

`python -m experiments.benchmarks.substitutes strong_deck_real` draws cards from an experiment's
decks and finds substitutes for each card with several run seeds. All recommendations, and those of
a longer search, are then measured in reference games, which no search used.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Annotated, NamedTuple

import numpy as np
import typer

from balance import CardContest, Interval, Player, Substitution, find_substitutes, wilson
from balance.decks.open_slots import Vacancies, find_vacancies
from balance.metagame.field import Field, field_of, play_field
from balance.settings.tables import Substitute
from experiments.benchmarks.script import run_script
from experiments.loading import load_experiment
from experiments.screen import percent_between
from sim.play.batch import row_of_deck
from sim.seeds import generator, stream_seed

_SEED = 977  # seed of the questions and of the reference games; used for nothing else
_LONGER = 4  # factor of the games of the search that looks for the best substitutes


class Answer(NamedTuple):
    """Quality of the substitutes that one search recommends.

    Attributes:
        regret_pp: gain of the best known substitute minus the gain of the first recommendation, in
            percentage points.
        held: for each measured candidate, whether its gain agrees with the reference games, with
            regard to the intervals of both.
    """

    regret_pp: float
    held: list[bool]


def questions(contest: CardContest, n_questions: int) -> list[tuple[Player, str]]:
    """Return random pairs of a player and a missing card of the player's deck.

    Args:
        contest: cards and players.
        n_questions: number of pairs; fewer are returned if the decks have fewer cards.
    """
    every = [(player, card) for player in contest.players for card in player.deck.cards]
    drawn = generator(_SEED, "questions").permutation(len(every))
    return [every[k] for k in drawn[:n_questions]]


def ask(
    contest: CardContest,
    settings: Substitute,
    missing: tuple[Player, str],
    *,
    seeds: int,
    truth: int,
) -> list[Answer]:
    """Find substitutes for a missing card with several run seeds, and return their quality.

    Args:
        contest: cards and players.
        settings: settings of the searches.
        missing: player, and the missing card of the player's deck.
        seeds: number of run seeds, each of which gives one answer.
        truth: number of reference games per opponent.
    """
    player, card = missing
    field = field_of(contest, but=player.name)
    pool = contest.table.pool
    vacancies = find_vacancies(player.deck, pool, contest.table.ruleset, [card])

    def find(times: int, run_seed: int) -> Substitution:
        return find_substitutes(
            player,
            field,
            vacancies,
            race_games=times * settings.race,
            n_games=times * settings.games,
            shown=settings.shown,
            run_seed=run_seed,
        )

    name = f"{player.name}/{card}"
    results = [find(1, stream_seed(_SEED, f"{name}/{k}") >> 1) for k in range(seeds)]
    shown = [result.candidates[: settings.shown] for result in results]
    best = find(_LONGER, stream_seed(_SEED, name) >> 1).candidates[:3]
    cards = sorted({candidate.cards for few in (*shown, best) for candidate in few})
    true_gains = _true_gains(field, player, vacancies, cards, truth)
    gain = dict(zip(cards, true_gains, strict=True))
    best_gain = max(float(interval.estimate) for interval in gain.values())
    return [
        Answer(
            100 * (best_gain - float(gain[recommended[0].cards].estimate)),
            [
                _agree(candidate.gain, gain[candidate.cards])
                for candidate in recommended
                if candidate.gain is not None
            ],
        )
        for recommended in shown
    ]


def _true_gains(
    field: Field, player: Player, vacancies: Vacancies, cards: list[tuple[int, ...]], n_games: int
) -> Iterator[Interval]:
    """Return the gains of substitutes over the intact deck in the reference games.

    Args:
        field: opponents with their weights.
        player: player with the intact deck.
        vacancies: slots of the deck to be filled.
        cards: for each substitute, numbers of the cards that fill the slots.
        n_games: number of games per opponent.
    """
    intact = row_of_deck(player.deck, field.table.pool)
    played = play_field(
        field,
        np.stack([intact, *(vacancies.fill(intact, substitutes) for substitutes in cards)]),
        player.agent,
        n_games=n_games,
        run_seed=_SEED,
        purpose=f"substitute/truth/{player.name}",
        keep_games=True,
    )
    return map(played.gain_over(0).at, range(1, len(cards) + 1))


def _agree(measured: Interval, reference: Interval) -> bool:
    """Return whether two independent measurements differ by at most the margin of their difference.

    The margin is the root of the sum of the squared half widths of both 95 % intervals.
    """
    halves = (float(interval.high - interval.low) / 2 for interval in (measured, reference))
    return abs(float(measured.estimate) - float(reference.estimate)) <= hypot(*halves)


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    n_questions: Annotated[
        int, typer.Option("--questions", min=1, help="Number of questions.")
    ] = 20,
    seeds: Annotated[int, typer.Option(min=1, help="Run seeds of each question.")] = 4,
    truth: Annotated[
        int, typer.Option(min=1, help="Reference games against each opponent.")
    ] = 10_000,
) -> None:
    """Find substitutes for random missing cards; print a line for each card, and a summary."""
    experiment = load_experiment(name)
    contest = experiment.contest()
    answers = list[Answer]()
    for missing in questions(contest, n_questions):
        new_answers = ask(
            contest, experiment.settings.substitute, missing, seeds=seeds, truth=truth
        )
        answers += new_answers
        regrets = ", ".join(f"{answer.regret_pp:.2f}" for answer in new_answers)
        print(f"{missing[0].name} without {missing[1]}: regret {regrets} pp", flush=True)
    regret = [answer.regret_pp for answer in answers]
    held = [agrees for answer in answers for agrees in answer.held]
    print(
        f"{len(answers)} answers: regret {np.mean(regret):.2f} pp in the mean, "
        f"{np.quantile(regret, 0.95):.2f} at the 95th percentile, {max(regret):.2f} at most; "
        f"intervals hold {percent_between(wilson(sum(held), len(held)))} "
        f"of {len(held)} measured stand-ins"
    )


if __name__ == "__main__":
    run_script(main)
