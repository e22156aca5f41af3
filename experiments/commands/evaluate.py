"""`evenhand evaluate`: measure the strength and the playing style of trained agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import agents
from agents import agent_named, require_torch
from balance import CardContest, Learner, Pairing, pairings, play_pairings
from experiments import plots
from experiments.agents import load_fitting_pilot
from experiments.cli.options import MATCHUP_GAMES_MAX, ExperimentName, integer
from experiments.cli.session import MEASURING, Session, Work, session_command
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
from experiments.commands.tuning import require_networks
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


@session_command(*MEASURING)
def evaluate(
    session: Session,
    experiment: ExperimentName,
    *,
    games: Annotated[
        int | None,
        integer(
            2,
            MATCHUP_GAMES_MAX,
            "Games that measure each win rate; default the value of [evaluate] games.",
        ),
    ] = None,
) -> Work:
    """Measure how strong trained agents are, and how they play.

    The agents are compared with scripts that play the same deck in the same seat against the same
    opponent. If training was stopped, the last checkpoint is measured.
    """
    check = partial(find_trained, results=session.results, games=games, allows_stopped=True)
    return partial(session.run, "evaluate", experiment, check, run_evaluate)


def find_trained(
    experiment: Experiment,
    results: Path,
    *,
    games: int | None = None,
    allows_stopped: bool = False,
) -> Experiment:
    """Return the experiment with the pilots of its finished training run, checked for damage.

    Args:
        experiment: the experiment with the learners.
        results: parent of the run folders.
        games: number of games for the win rates; `None` for `[evaluate] games`.
        allows_stopped: whether to use the checkpoints of a stopped run if no run is finished; a
            learner without a checkpoint then has no pilot.

    Raises:
        InputError: no training run has these settings and this seed, a pilot's file is missing,
            damaged or does not fit the experiment, or a package is not installed.
    """
    require_networks(experiment, "evaluate")
    if games is not None:
        evaluate = experiment.settings.evaluate.model_copy(update={"games": games})
        experiment = experiment.with_settings(evaluate=evaluate)
    require_torch("evaluation")
    check_learners(experiment)
    run_folder = run_path(results, experiment, "train")
    runs = [
        run
        for run in finished_runs(results, experiment.settings.name, "train")
        # A later run of the same experiment renames the folder: name.1, name.2 and so on.
        if run.name == run_folder.name or run.name.startswith(f"{run_folder.name}.")
    ]
    seed = experiment.settings.seed
    option = results_option(results)
    command = f"evenhand train {experiment.path} --seed {seed}{option}"
    stopped = _stopped_pilots(experiment, run_folder) if allows_stopped and not runs else {}
    if not runs and not stopped:
        state = (
            f"{run_folder} has no {FINISHED}"
            if run_folder.exists()
            else f"there is no {run_folder}"
        )
        resume = " --resume" if run_folder.exists() else ""
        raise InputError(
            f"has no finished training run with its current settings and seed {seed}: {state}",
            value=str(run_folder),
            remedy=f"run: {command}{resume}",
        )
    pilots = stopped
    for learner in experiment.settings.learners if runs else ():
        file = runs[0] / pilot_file_name(learner.name)
        if not file.is_file():
            raise InputError(
                f"{file} is missing",
                place=f"learner {learner.name!r}",
                value=str(file),
                remedy=f"run: {command}",
            )
        pilots[f"learner {learner.name}"] = PilotFile.at(file)
    trained = _with_reference(experiment.with_pilots(pilots), results)
    for learner in measured_learners(trained):
        trained_pilot(trained, learner)  # raises an error if the file is damaged or does not fit
    return trained


def measured_learners(experiment: Experiment) -> list[Learner]:
    """Return the learners of an experiment that have a trained pilot."""
    learners = experiment.settings.learners
    return [learner for learner in learners if f"learner {learner.name}" in experiment.pilots]


def _stopped_pilots(experiment: Experiment, folder: Path) -> dict[str, PilotFile]:
    """Return the checkpoints of a stopped training run, with keys such as `learner NAME`.

    A learner without a checkpoint is left out. The checkpoint of a finished learner is preferred to
    a partial one.

    Args:
        experiment: the experiment with the learners.
        folder: folder of the training run.
    """
    pilots = {}
    for learner in experiment.settings.learners:
        names = pilot_file_name(learner.name), partial_pilot_file_name(learner.name)
        files = [file for name in names if (file := folder / name).is_file()]
        if files:
            pilots[f"learner {learner.name}"] = PilotFile.at(files[0])
    return pilots


class Stopped(NamedTuple):
    """Progress of a learner at the time when its training was stopped.

    If `steps` equals `of`, only the rounds together with other learners are unfinished.

    Attributes:
        steps: number of training steps that are done.
        of: number of training steps of the complete training.
    """

    steps: int
    of: int


def stopped_at(experiment: Experiment, learner: Learner) -> Stopped | None:
    """Return the progress of a learner; `None` if its training is finished or not recorded.

    Args:
        experiment: the experiment with its pilots, as `find_trained` returns it.
        learner: learner of the experiment that has a pilot.
    """
    file = experiment.pilots[f"learner {learner.name}"].path
    known = agents.load_pilot(file).provenance  # the name is loaded on first use, with torch
    if (file.parent / FINISHED).is_file() or known is None:
        return None
    return Stopped(known.steps, known.settings.steps)


def _stopped_words(name: str, stopped: Stopped) -> str:
    """Return a line on a learner that is measured although its training is not finished."""
    progress = (
        f"{stopped.steps:,} of {stopped.of:,} steps"
        if stopped.steps < stopped.of
        else "its own steps are done, the rounds together are not"
    )
    return f"{name}: its last checkpoint is measured ({progress}); train --resume continues"


def _with_reference(experiment: Experiment, results: Path) -> Experiment:
    """Return the experiment with the pilot of `[evaluate] reference`; unchanged if it names none.

    Raises:
        InputError: the reference is not a trained agent, does not exist, or is a measured learner.
    """
    reference = experiment.settings.evaluate.reference
    if reference is None:
        return experiment
    with error_place("evaluate.reference"):
        if not reference.startswith(PREFIX):
            raise InputError(
                f"{reference!r} is not a trained agent",
                value=reference,
                remedy=f"the name must begin with {PREFIX!r}",
            )
        file = find_pilot(reference, near=experiment.path, results=results)
        for learner in measured_learners(experiment):
            if experiment.pilots[f"learner {learner.name}"].content == file.content:
                raise InputError(
                    f"{reference!r} is the pilot of learner {learner.name!r}, which would play "
                    "against itself",
                    value=reference,
                    remedy="name another trained agent",
                )
    return experiment.with_pilots({reference: file})


def run_evaluate(run: Run) -> Findings:
    """Measure all learners; return findings on their win rates and playing styles."""
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
        learner.name: [place for place in evaluated if place.learner == learner.name]
        for learner in learners
    }
    untrained = [learner.name for learner in settings.learners if learner not in learners]
    return Findings(
        tables={
            "win_rates.csv": (RATE_COLUMNS, rate_rows(contest, evaluated)),
            "actions.csv": (ACTION_COLUMNS, action_rows(contest, evaluated)),
            "card_plays.csv": (CARD_PLAY_COLUMNS, card_rows(contest, evaluated)),
        },
        figures={
            file: draw
            for name, places in by_learner.items()
            for file, draw in _figures(contest, name, places, settings.name).items()
        },
        summary={
            "command": "evaluate",
            "seed": settings.seed,
            "learners": [
                {
                    "name": learner.name,
                    "pilot": str(experiment.pilots[f"learner {learner.name}"].path),
                    "pairings": [
                        pairing_entry(contest, place) for place in by_learner[learner.name]
                    ],
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
            *(part for place in evaluated for part in tables_of(contest, place)),
            *(_stopped_words(name, at) for name, at in stopped.items()),
            *(f"{name} has no checkpoint yet and is left out" for name in untrained),
        ],
    )


def trained_pilot(experiment: Experiment, learner: Learner) -> Agent:
    """Return the trained pilot of a learner, which `find_trained` must have found.

    Raises:
        InputError: the pilot's file is damaged, or does not fit the learner's decks.
    """
    decks = [player.deck for player in experiment.contest().players if player.name in learner.decks]
    file = experiment.pilots[f"learner {learner.name}"]
    return load_fitting_pilot(learner.name, file, experiment, decks)


def _evaluate(run: Run, contest: CardContest, learner: Learner, pilot: Agent) -> list[Evaluated]:
    """Play a learner, the scripts and the searches; return a measurement for each pairing.

    Separate games measure the win rates and the counts of actions and cards.
    """
    settings = run.experiment.settings
    games = run.experiment.settings.evaluate
    chosen = pairings(contest, learner)
    agents = [pilot, *SCRIPTED]
    purpose = f"evaluate/{learner.name}/games"
    for_rates = play_in_place(
        contest, learner, agents, n_games=games.games, purpose=purpose, run_seed=settings.seed
    )
    for_counts = play_in_place(
        contest,
        learner,
        agents,
        n_games=games.histogram_games,
        purpose=f"evaluate/{learner.name}/histogram",
        keep=("actions", "cards"),
        run_seed=settings.seed,
    )
    evaluated = []
    for row, pairing in enumerate(chosen):
        rates = {
            agent: (rates_in_place(outcomes, chosen).at(row), games.games)
            for agent, outcomes in for_rates.items()
        }
        # Searches are slow, so they play fewer games. These are the first of the same seeds, which
        # keeps the rates comparable.
        for search in _searches(run.experiment, contest, pairing):
            searched = play_pairings(
                contest,
                [pairing],
                search,
                n_games=games.rollout_games,
                purpose=purpose,
                run_seed=settings.seed,
            )
            rates[search.name] = rates_in_place(searched, [pairing]).at(0), games.rollout_games
        styles = {
            agent: playing_style(contest, pairing, outcomes, row)
            for agent, outcomes in for_counts.items()
        }
        evaluated.append(Evaluated(learner.name, pairing, rates, styles))
    return evaluated


def _searches(experiment: Experiment, contest: CardContest, pairing: Pairing) -> list[Agent]:
    """Return the searches to measure in a pairing; empty if `rollout_games` is 0.

    A search simulates its opponent, so the result is also empty if the opponent is not a script.
    """
    opponent = contest.players[pairing.opponent].agent
    evaluate = experiment.settings.evaluate
    # A compiled agent with a colon in its name is a search, which cannot be simulated in a search.
    is_scripted = isinstance(opponent, CompiledAgent) and ":" not in opponent.name
    if not is_scripted or not evaluate.rollout_games:
        return []
    searches = [agent_named(f"{ROLLOUT}:{opponent.name}")]
    if evaluate.reference is not None:
        name = f"{ROLLOUT_ON_REFERENCE}:{opponent.name}:{evaluate.reference}"
        file = experiment.pilots[evaluate.reference]
        deck = contest.players[pairing.deck].deck
        searches.append(load_fitting_pilot(name, file, experiment, [deck]))
    return searches


def _figures(
    contest: CardContest, learner: str, evaluated: Sequence[Evaluated], experiment: str
) -> dict[str, Callable[[], Any]]:
    """Return functions that draw the figures of a learner, by file name."""
    titles = [pairing_title(contest, place.pairing) for place in evaluated]
    styles = [place.styles for place in evaluated]
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
