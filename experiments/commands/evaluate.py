"""`evenhand evaluate`: how strong the trained agents are, and how they play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents import agent_named, require_torch
from balance import CardContest, Learner, Pairing, pairings, play_pairings
from experiments import plots
from experiments.agents import load_fitting_pilot
from experiments.commands.evaluate_report import (
    ACTION_COLUMNS,
    CARD_PLAY_COLUMNS,
    RATE_COLUMNS,
    ROLLOUT,
    ROLLOUT_ON_REFERENCE,
    Evaluated,
    action_rows,
    card_rows,
    pairing_entry,
    rate_rows,
    tables_of,
)
from experiments.commands.tuning import is_for_networks
from experiments.experiment import Experiment
from experiments.files.agent_files import PREFIX, PilotFile, find_pilot
from experiments.files.output_file import file_label, partial_pilot_file_name, pilot_file_name
from experiments.learning.places import (
    SCRIPTED,
    check_learners,
    pairing_title,
    play_in_place,
    rates_in_place,
)
from experiments.learning.playing_style import playing_style
from experiments.runs.finished_run import FINISHED, finished_runs, results_option
from experiments.runs.run import Findings, Run
from experiments.runs.run_folder import run_path
from sim.errors import InputError, error_place
from sim.play.agent import Agent, CompiledAgent


def find_trained(
    experiment: Experiment,
    results: Path,
    *,
    games: int | None = None,
    allows_stopped: bool = False,
) -> Experiment:
    """The experiment with the pilots of its finished training run.

    Args:
        experiment: whose learners.
        results: parent of the run folders.
        games: for the win rates, instead of `[evaluate] games`.
        allows_stopped: where no run is finished, take what a stopped one has learned so far; a
            learner that has learned nothing has no pilot then.

    Raises:
        InputError: it was not trained as it is written now; says which command trains it.
    """
    is_for_networks(experiment, "evaluate")
    if games is not None:
        evaluate = experiment.settings.evaluate.model_copy(update={"games": games})
        experiment = experiment.with_settings(evaluate=evaluate)
    require_torch("evaluation")
    check_learners(experiment)
    here = run_path(results, experiment, "train")
    runs = [
        run
        for run in finished_runs(results, experiment.settings.name, "train")
        if run.name == here.name or run.name.startswith(f"{here.name}.")  # kept earlier ones
    ]
    seed = experiment.settings.seed
    option = results_option(results)
    command = f"evenhand train {experiment.path} --seed {seed}{option}"
    stopped = _stopped_pilots(experiment, here) if allows_stopped and not runs else {}
    if not runs and not stopped:
        begun = f"{here} is not finished" if here.exists() else f"there is no {here}"
        resume = " --resume" if here.exists() else ""
        raise InputError(
            f"not trained as it is written now, with seed {experiment.settings.seed}: {begun} "
            f"(no {FINISHED}); run: {command}{resume}"
        )
    pilots = stopped
    for learner in experiment.settings.learners if runs else ():
        file = runs[0] / pilot_file_name(learner.name)
        if not file.is_file():
            raise InputError(f"learner {learner.name!r}: {file} is missing; run: {command}")
        pilots[f"learner {learner.name}"] = PilotFile.at(file)
    found = _with_reference(experiment.with_pilots(pilots), results)
    for learner in measured_learners(found):
        trained_pilot(found, learner)  # refuses what is damaged or does not fit
    return found


def measured_learners(experiment: Experiment) -> list[Learner]:
    """The learners of an experiment that have a pilot, once `find_trained` found them."""
    learners = experiment.settings.learners
    return [one for one in learners if f"learner {one.name}" in experiment.pilots]


def _stopped_pilots(experiment: Experiment, folder: Path) -> dict[str, PilotFile]:
    """What the learners of a stopped training run are by now, but for those that learned nothing.

    Args:
        experiment: whose learners.
        folder: of the run.
    """
    pilots = {}
    for learner in experiment.settings.learners:
        names = pilot_file_name(learner.name), partial_pilot_file_name(learner.name)
        files = [file for name in names if (file := folder / name).is_file()]
        if files:
            pilots[f"learner {learner.name}"] = PilotFile.at(files[0])
    return pilots


class Stopped(NamedTuple):
    """How far a learner had come when its training was stopped: steps, of all that it is to have.

    With the steps all done, it is the rounds together with other learners that are not.
    """

    steps: int
    of: int


def stopped_at(experiment: Experiment, learner: Learner) -> Stopped | None:
    """How far a learner had come, if its training is not finished.

    Args:
        experiment: as `find_trained` found it.
        learner: one of its learners.
    """
    from agents.dqn.checkpoint import load_pilot  # noqa: PLC0415 (loads torch)

    file = experiment.pilots[f"learner {learner.name}"].path
    known = load_pilot(file).provenance
    if (file.parent / FINISHED).is_file() or known is None:
        return None
    return Stopped(known.steps, known.settings.steps)


def _stopped_words(name: str, stopped: Stopped) -> str:
    how_far = (
        f"{stopped.steps:,} of {stopped.of:,} steps"
        if stopped.steps < stopped.of
        else "its own steps are done, the rounds together are not"
    )
    return f"{name} is measured as its stopped training left it: {how_far}; train --resume goes on"


def _with_reference(experiment: Experiment, results: Path) -> Experiment:
    """The experiment, depending on the pilot that a search plays on by, where it names one.

    Raises:
        InputError: there is no such pilot, or it is one of those that are to be measured.
    """
    reference = experiment.settings.evaluate.reference
    if reference is None:
        return experiment
    with error_place("evaluate.reference"):
        if not reference.startswith(PREFIX):
            raise InputError(f"{reference!r} names no trained agent; it must begin with {PREFIX!r}")
        file = find_pilot(reference, near=experiment.path, results=results)
        for learner in measured_learners(experiment):
            if experiment.pilots[f"learner {learner.name}"].content == file.content:
                raise InputError(
                    f"{reference!r} is learner {learner.name!r}, which it is to measure; "
                    "name another"
                )
    return experiment.with_pilots({reference: file})


def run_evaluate(run: Run) -> Findings:
    """Measure all learners; finds how strong they are, and how they play."""
    experiment = run.experiment
    settings = run.experiment.settings
    contest = experiment.contest()
    learners = measured_learners(experiment)
    evaluated: list[Evaluated] = []
    with run.screen.progress("evaluate", len(learners)) as advance:
        for done, learner in enumerate(learners):
            advance(done, learner.name)
            run.folder.log(learner.name)
            evaluated += _evaluate(run, contest, learner, trained_pilot(experiment, learner))
    stopped = {
        learner.name: at
        for learner in learners
        if (at := stopped_at(experiment, learner)) is not None
    }
    by_learner = {
        learner.name: [one for one in evaluated if one.learner == learner.name]
        for learner in learners
    }
    unlearned = [one.name for one in settings.learners if one not in learners]
    return Findings(
        tables={
            "win_rates.csv": (RATE_COLUMNS, rate_rows(contest, evaluated)),
            "actions.csv": (ACTION_COLUMNS, action_rows(contest, evaluated)),
            "card_plays.csv": (CARD_PLAY_COLUMNS, card_rows(contest, evaluated)),
        },
        figures={
            file: draw
            for name, mine in by_learner.items()
            for file, draw in _figures(contest, name, mine, settings.name).items()
        },
        summary={
            "command": "evaluate",
            "seed": settings.seed,
            "learners": [
                {
                    "name": learner.name,
                    "pilot": str(experiment.pilots[f"learner {learner.name}"].path),
                    "pairings": [pairing_entry(contest, one) for one in by_learner[learner.name]],
                    **(
                        {"stopped_at": stopped[learner.name]._asdict()}
                        if learner.name in stopped
                        else {}
                    ),
                }
                for learner in learners
            ],
        },
        shown=[
            *(part for one in evaluated for part in tables_of(contest, one)),
            *(_stopped_words(name, at) for name, at in stopped.items()),
            *(f"{name} has learned nothing yet and is left out" for name in unlearned),
        ],
    )


def trained_pilot(experiment: Experiment, learner: Learner) -> Agent:
    """What a learner of an experiment has become, once `find_trained` found it."""
    decks = [player.deck for player in experiment.contest().players if player.name in learner.decks]
    file = experiment.pilots[f"learner {learner.name}"]
    return load_fitting_pilot(learner.name, file, experiment, decks)


def _evaluate(run: Run, contest: CardContest, learner: Learner, pilot: Agent) -> list[Evaluated]:
    """Play a learner's games: for win rates, and others for counts."""
    settings = run.experiment.settings
    games = run.experiment.settings.evaluate
    how: dict[str, Any] = {"run_seed": settings.seed, "threads": run.threads}
    chosen = pairings(contest, learner)
    agents = [pilot, *SCRIPTED]
    purpose = f"evaluate/{learner.name}/games"
    for_rates = play_in_place(contest, learner, agents, n_games=games.games, purpose=purpose, **how)
    for_counts = play_in_place(
        contest,
        learner,
        agents,
        n_games=games.histogram_games,
        purpose=f"evaluate/{learner.name}/histogram",
        keep=("actions", "cards"),
        **how,
    )
    found = []
    for row, pairing in enumerate(chosen):
        rates = {
            agent: (rates_in_place(outcomes, chosen).at(row), games.games)
            for agent, outcomes in for_rates.items()
        }
        for search in _searches(run.experiment, contest, pairing):
            searched = play_pairings(
                contest, [pairing], search, n_games=games.rollout_games, purpose=purpose, **how
            )
            rates[search.name] = rates_in_place(searched, [pairing]).at(0), games.rollout_games
        styles = {
            agent: playing_style(contest, pairing, outcomes, row)
            for agent, outcomes in for_counts.items()
        }
        found.append(Evaluated(learner.name, pairing, rates, styles))
    return found


def _searches(experiment: Experiment, contest: CardContest, pairing: Pairing) -> list[Agent]:
    """The searches that know their opponent; they can imagine only scripted ones."""
    opponent = contest.players[pairing.opponent].agent
    evaluate = experiment.settings.evaluate
    is_scripted = isinstance(opponent, CompiledAgent) and ":" not in opponent.name
    if not is_scripted or not evaluate.rollout_games:
        return []
    found = [agent_named(f"{ROLLOUT}:{opponent.name}")]
    if evaluate.reference is not None:
        name = f"{ROLLOUT_ON_REFERENCE}:{opponent.name}:{evaluate.reference}"
        file = experiment.pilots[evaluate.reference]
        deck = contest.players[pairing.deck].deck
        found.append(load_fitting_pilot(name, file, experiment, [deck]))
    return found


def _figures(
    contest: CardContest, learner: str, mine: Sequence[Evaluated], experiment: str
) -> dict[str, Callable[[], Any]]:
    titles = [pairing_title(contest, one.pairing) for one in mine]
    styles = [one.styles for one in mine]
    label = file_label(learner)
    title = f"{experiment}: {learner}"
    return {
        f"{label}_actions.png": lambda: plots.action_histogram(
            titles, styles, learned=learner, title=f"{title}, actions chosen"
        ),
        f"{label}_cards.png": lambda: plots.card_plays(
            contest.table.pool, titles, styles, learned=learner, title=f"{title}, cards played"
        ),
    }
