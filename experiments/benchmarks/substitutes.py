"""How good substitutes are: their regret, and how often their intervals hold the truth.

`python -m experiments.benchmarks.substitutes strong_deck_real` draws cards of an experiment's
decks, asks what to play instead of each under several run seeds, and measures every answer, and
what a longer search thinks best, with more games on a stream of their own.
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
from balance.settings import Substitute
from experiments.benchmarks.script import run_script
from experiments.loading import load_experiment
from experiments.screen import percent_between
from sim.play.batch import row_of_deck
from sim.seeds import generator, stream_seed

_SEED = 977  # which questions, and the truth's games
_LONGER = 4  # times the games of a search, for the one that looks for the best


class Answer(NamedTuple):
    """One answered question.

    Attributes:
        regret_pp: what the best known stand-in wins more than the first recommendation.
        held: of each measured candidate, whether its interval holds the truth, whose own luck is
            allowed for.
    """

    regret_pp: float
    held: list[bool]


def questions(contest: CardContest, n_questions: int) -> list[tuple[Player, str]]:
    """Decks and the card that each of them lacks, drawn from all that there are."""
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
    """The answers of `seeds` run seeds to one question, beside `truth` games per opponent."""
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
    found = [find(1, stream_seed(_SEED, f"{name}/{k}") >> 1) for k in range(seeds)]
    shown = [one.candidates[: settings.shown] for one in found]
    best = find(_LONGER, stream_seed(_SEED, name) >> 1).candidates[:3]
    cards = sorted({one.cards for some in (*shown, best) for one in some})
    gain = dict(zip(cards, _truth(field, player, vacancies, cards, truth), strict=True))
    best_gain = max(float(one.estimate) for one in gain.values())
    return [
        Answer(
            100 * (best_gain - float(gain[some[0].cards].estimate)),
            [_agree(one.gain, gain[one.cards]) for one in some if one.gain is not None],
        )
        for some in shown
    ]


def _truth(
    field: Field, player: Player, vacancies: Vacancies, cards: list[tuple[int, ...]], n_games: int
) -> Iterator[Interval]:
    intact = row_of_deck(player.deck, field.table.pool)
    played = play_field(
        field,
        np.stack([intact, *(vacancies.fill(intact, one) for one in cards)]),
        player.agent,
        n_games=n_games,
        run_seed=_SEED,
        purpose=f"substitute/truth/{player.name}",
        keep_games=True,
    )
    return map(played.gain_over(0).at, range(1, len(cards) + 1))


def _agree(told: Interval, true: Interval) -> bool:
    """Whether two independent measurements differ by no more than 95 % of such do."""
    halves = (float(one.high - one.low) / 2 for one in (told, true))
    return abs(float(told.estimate) - float(true.estimate)) <= hypot(*halves)


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    n_questions: Annotated[int, typer.Option("--questions", min=1)] = 20,
    seeds: Annotated[int, typer.Option(min=1, help="run seeds of each question")] = 4,
    truth: Annotated[int, typer.Option(min=1, help="games against each opponent")] = 10_000,
) -> None:
    """Ask, and print a line for each question and one for all."""
    experiment = load_experiment(name)
    contest = experiment.contest()
    answers = list[Answer]()
    for missing in questions(contest, n_questions):
        some = ask(contest, experiment.settings.substitute, missing, seeds=seeds, truth=truth)
        answers += some
        told = ", ".join(f"{one.regret_pp:.2f}" for one in some)
        print(f"{missing[0].name} without {missing[1]}: regret {told} pp", flush=True)
    regret = [one.regret_pp for one in answers]
    held = [h for one in answers for h in one.held]
    print(
        f"{len(answers)} answers: regret {np.mean(regret):.2f} pp in the mean, "
        f"{np.quantile(regret, 0.95):.2f} at the 95th percentile, {max(regret):.2f} at most; "
        f"intervals hold {percent_between(wilson(sum(held), len(held)))} "
        f"of {len(held)} measured stand-ins"
    )


if __name__ == "__main__":
    run_script(main)
