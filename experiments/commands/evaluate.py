"""`evenhand evaluate`: how strong the trained agents are, and how they play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.dqn.extra import require_torch
from agents.registry import agent_named
from balance.card_contest import CardContest
from balance.learning.learner import Learner, Pairing, pairings, play_pairings
from balance.statistics.intervals import wilson
from experiments.commands.evaluate_report import (
    ROLLOUT,
    ActionRow,
    CardPlayRow,
    Evaluated,
    RateRow,
    action_rows,
    card_rows,
    entry_of,
    rate_rows,
    text_of,
)
from experiments.commands.train import check_learners
from experiments.console import Screen, percent
from experiments.experiment import Experiment, load_fitting_pilot
from experiments.file_names import file_label, pilot_file_name
from experiments.learning.baselines import (
    SCRIPTED,
    pairing_title,
    play_in_place,
    points_in_place,
    rates_in_place,
)
from experiments.learning.playing_style import playing_style
from experiments.pilots import FINISHED, PilotFile, finished_runs, results_option
from experiments.runs.run_folder import RunFolder, run_path
from sim.errors import InputError
from sim.play.agent import Agent, CompiledAgent


def find_trained(experiment: Experiment, results: Path) -> Experiment:
    """The experiment with the pilots of its finished training run.

    Raises:
        InputError: it was not trained as it is written now; says which command trains it.
    """
    require_torch("evaluation")
    check_learners(experiment)
    here = run_path(results, experiment, "train")
    runs = [
        run
        for run in finished_runs(results, experiment.settings.name)
        if run.name == here.name or run.name.startswith(f"{here.name}.")  # kept earlier ones
    ]
    seed, option = experiment.settings.seed, results_option(results)
    command = f"evenhand train {experiment.path} --seed {seed}{option}"
    if not runs:
        begun = f"{here} is not finished" if here.exists() else f"there is no {here}"
        resume = " --resume" if here.exists() else ""
        raise InputError(
            f"not trained as it is written now, with seed {experiment.settings.seed}: {begun} "
            f"(no {FINISHED}); run: {command}{resume}"
        )
    pilots = {}
    for learner in experiment.settings.learners:
        file = runs[0] / pilot_file_name(learner.name)
        if not file.is_file():
            raise InputError(f"learner {learner.name!r}: {file} is missing; run: {command}")
        pilots[_key(learner)] = PilotFile.at(file)
    found = experiment.with_pilots(pilots)
    for learner in experiment.settings.learners:
        _pilot_of(found, learner)  # refuses what is damaged or does not fit
    return found


def _key(learner: Learner) -> str:
    return f"learner {learner.name}"


def run_evaluate(
    experiment: Experiment, folder: RunFolder, screen: Screen, *, plots: bool, threads: int | None
) -> dict[str, Any]:
    """Measure all learners and fill the run folder; returns what `--json` prints."""
    contest, settings = experiment.contest(), experiment.settings
    evaluated: list[Evaluated] = []
    with screen.progress("evaluate", len(settings.learners)) as advance:
        for done, learner in enumerate(settings.learners):
            advance(done, learner.name)
            folder.log(learner.name)
            pilot = _pilot_of(experiment, learner)
            evaluated += _evaluate(experiment, contest, learner, pilot, threads)
    texts = [text_of(contest, one) for one in evaluated]
    folder.write_rows("win_rates.csv", RateRow, rate_rows(contest, evaluated))
    folder.write_rows("actions.csv", ActionRow, action_rows(contest, evaluated))
    folder.write_rows("card_plays.csv", CardPlayRow, card_rows(contest, evaluated))
    folder.write_text("strategy.txt", "\n".join(texts))
    if plots:
        _draw(experiment, contest, evaluated, folder)
    summary = {
        "command": "evaluate",
        "seed": settings.seed,
        "learners": [
            {
                "name": learner.name,
                "pilot": str(experiment.pilots[_key(learner)].path),
                "pairings": [
                    entry_of(contest, one) for one in evaluated if one.learner == learner.name
                ],
            }
            for learner in settings.learners
        ],
    }
    folder.write_json("summary.json", summary)
    _show(screen, contest, evaluated, texts)
    return summary


def _pilot_of(experiment: Experiment, learner: Learner) -> Agent:
    players = experiment.contest().players
    decks = [player.deck for player in players if player.name in learner.decks]
    file = experiment.pilots[_key(learner)]
    return load_fitting_pilot(
        learner.name, file, experiment.ruleset, experiment.pool, decks, experiment.decks
    )


def _evaluate(
    experiment: Experiment,
    contest: CardContest,
    learner: Learner,
    pilot: Agent,
    threads: int | None,
) -> list[Evaluated]:
    """Play a learner's games: for win rates, and others for counts."""
    settings, games = experiment.settings, experiment.settings.evaluate
    chosen = pairings(contest, learner)
    purpose = f"evaluate/{learner.name}/games"
    for_rates = play_in_place(
        contest, learner, [pilot, *SCRIPTED], n_games=games.games, run_seed=settings.seed,
        purpose=purpose, threads=threads,
    )  # fmt: skip
    for_counts = play_in_place(
        contest, learner, [pilot, *SCRIPTED], n_games=games.histogram_games,
        run_seed=settings.seed, purpose=f"evaluate/{learner.name}/histogram",
        keep=("actions", "cards"), threads=threads,
    )  # fmt: skip
    found = []
    for row, pairing in enumerate(chosen):
        rates = {
            agent: (rates_in_place(outcomes, chosen).at(row), games.games)
            for agent, outcomes in for_rates.items()
        }
        search = _search_agent(contest, pairing)
        if search and games.rollout_games:
            searched = play_pairings(
                contest, [pairing], search, n_games=games.rollout_games, run_seed=settings.seed,
                purpose=purpose, threads=threads,
            )  # fmt: skip
            points = points_in_place(searched, [pairing])[0]
            rates[search.name] = wilson(points, games.rollout_games), games.rollout_games
        styles = {
            agent: playing_style(contest, pairing, agent, outcomes, row)
            for agent, outcomes in for_counts.items()
        }
        found.append(Evaluated(learner.name, pairing, rates, styles))
    return found


def _search_agent(contest: CardContest, pairing: Pairing) -> Agent | None:
    """The search agent that knows its opponent; it can imagine only scripted ones."""
    opponent = contest.players[pairing.opponent].agent
    is_scripted = isinstance(opponent, CompiledAgent) and ":" not in opponent.name
    return agent_named(f"{ROLLOUT}:{opponent.name}") if is_scripted else None


def _show(
    screen: Screen, contest: CardContest, evaluated: Sequence[Evaluated], texts: Sequence[str]
) -> None:
    for one in evaluated:
        screen.table(
            f"{one.learner}: who plays the deck (± half of the 95 % interval)",
            (pairing_title(contest, one.pairing), "win rate, %", "games"),
            [
                (
                    "learned" if agent == one.learner else agent,
                    percent(*map(float, rate)),
                    f"{n:,}",
                )
                for agent, (rate, n) in one.rates.items()
            ],
        )
    screen.say()
    for line in "\n".join(texts).splitlines():
        screen.say(line)


def _draw(
    experiment: Experiment, contest: CardContest, evaluated: Sequence[Evaluated], folder: RunFolder
) -> None:
    from experiments.plots import action_histogram, card_plays, figure_png  # noqa: PLC0415

    for learner in experiment.settings.learners:
        mine = [one for one in evaluated if one.learner == learner.name]
        titles = [pairing_title(contest, one.pairing) for one in mine]
        styles = [one.styles for one in mine]
        label, title = file_label(learner.name), f"{experiment.settings.name}: {learner.name}"
        figures = {
            f"{label}_actions.png": action_histogram(
                titles, styles, learned=learner.name, title=f"{title}, actions chosen"
            ),
            f"{label}_cards.png": card_plays(
                contest.table.pool, titles, styles, learned=learner.name,
                title=f"{title}, cards played",
            ),
        }  # fmt: skip
        for file, figure in figures.items():
            folder.write_bytes(file, figure_png(figure))
