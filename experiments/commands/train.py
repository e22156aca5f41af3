"""`evenhand train`: train agents to pilot decks, and measure their strength."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agents.dqn import require_torch
from agents.dqn.provenance import Numbers
from balance import Interval
from balance.learning.learner import pairings
from balance.learning.variants import numbers_to_learn
from experiments import plots
from experiments.cli.options import ExperimentName
from experiments.cli.session import RESUMING, Session, Work, session_command
from experiments.commands.net_training import check_net_training, run_net_training
from experiments.commands.plugin_training import check_plugin_training, run_plugin_training
from experiments.commands.tuning import check_tuning, run_tuning
from experiments.experiment import Experiment
from experiments.files.output_file import file_label, pilot_file_name
from experiments.learning.learner_kind import check_kind
from experiments.learning.learning_curve import (
    PLACE,
    CurveRow,
    EventFile,
    curves_of,
    require_tensorboard,
)
from experiments.learning.places import (
    SCRIPTED,
    check_learners,
    mean_rate,
    pairing_columns,
    play_in_place,
    rates_in_place,
)
from experiments.learning.side_by_side import do_side_by_side
from experiments.runs.run import Findings, Run
from experiments.screen import Advance, Shown, Table, percent
from sim import check_view
from sim.play.workers.current import current_workers, n_local_threads

if TYPE_CHECKING:
    from agents import DQNPilot
    from experiments.learning.learner_run import LearnerRun

FINAL_GAMES = 10_000  # games of a final win rate, for an interval of about 1 point on either side


@session_command(*RESUMING)
def train(
    session: Session,
    experiment: ExperimentName,
    *,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write event files for TensorBoard.")
    ] = False,
) -> Work:
    """Train an agent for each [[learner]] of an experiment.

    Several learners are trained at the same time.
    """
    check = partial(check_train, tensorboard=tensorboard)
    work = partial(run_train, tensorboard=tensorboard)
    return partial(session.run, "train", experiment, check, work)


def check_train(experiment: Experiment, *, tensorboard: bool = False) -> None:
    """Check that all learners of an experiment can be trained, before anything is written.

    Args:
        experiment: the experiment with the learners.
        tensorboard: whether event files for TensorBoard are to be written.

    Raises:
        InputError: the experiment has no learner, a setting does not fit its learners, or a package
            or device that they need is missing.
    """
    if experiment.settings.learns_by_plugin:
        check_plugin_training(experiment, tensorboard=tensorboard)
        return
    if experiment.settings.trains_values:
        check_net_training(experiment, tensorboard=tensorboard)
        return
    if experiment.settings.tunes_weights:
        check_tuning(experiment, tensorboard=tensorboard)
        return
    check_kind(experiment, "dqn", tensorboard=tensorboard)
    require_torch("training")
    contest = experiment.contest()
    settings = experiment.settings
    check_learners(experiment)
    check_view(contest.table, [player.deck for player in contest.players])
    from experiments.learning.together import check_device, league_of  # noqa: PLC0415 (loads torch)

    league_of(experiment)
    _numbers(experiment)
    check_device(settings.train.device)
    if tensorboard:
        require_tensorboard()


def _numbers(experiment: Experiment) -> Numbers | None:
    """Return the numbers of cards that training varies; `None` if training varies no numbers."""
    variants = experiment.settings.train.variants
    tune = experiment.settings.tune
    return None if variants is None else numbers_to_learn(experiment.contest(), tune, variants)


def run_train(run: Run, *, tensorboard: bool = False) -> Findings:
    """Train all learners in parallel; return their learning curves and final win rates.

    Learners of kind `turn` are tuned instead, values of kind `net` are trained in rounds, and other
    kinds are those of packages.
    """
    if run.experiment.settings.learns_by_plugin:
        return run_plugin_training(run)
    if run.experiment.settings.trains_values:
        return run_net_training(run)
    if run.experiment.settings.tunes_weights:
        return run_tuning(run)
    from experiments.learning import learner_run, together  # noqa: PLC0415 (loads torch)

    contest = run.experiment.contest()
    settings = run.experiment.settings
    numbers = _numbers(run.experiment)
    learning = [
        learner_run.LearnerRun(contest, learner, settings.train, settings.seed, run.folder, numbers)
        for learner in settings.learners
    ]
    stop = Event()
    workers = current_workers()
    are_remote = workers.are_remote and len(learning) > 1
    # Remote workers save finished pilots in files, which the local jobs below then read.
    resume = run.resume or are_remote
    train = partial(_train, run, stop, tensorboard=tensorboard, resume=resume)
    names = [one.learner.name for one in learning]
    with run.screen.side_by_side(names, settings.train.steps) as bars:
        if are_remote:
            learner_run.train_remotely(learning, bars, workers, resume=run.resume)
        jobs = [partial(train, one, bar) for one, bar in zip(learning, bars, strict=True)]
        pilots = do_side_by_side(jobs, n_local_threads(), stop)
    league = together.league_of(run.experiment)
    if league:
        pilots = together.train_together(run, league, pilots)
    entries = [_entry(one, pilot) for one, pilot in zip(learning, pilots, strict=True)]
    # The curves are complete only now: a run of another process reads its curve with its pilot.
    rows = {one.learner.name: one.curve for one in learning}
    variants = {
        learner.name: learner.variant or settings.train.variant for learner in settings.learners
    }
    return Findings(
        figures={
            "learning_curves.png": lambda: plots.learning_curves(
                curves_of(entries, rows.__getitem__, variants),
                title=f"{settings.name}: learning curves",
                n_scripted=FINAL_GAMES,
            )
        },
        summary={
            "command": "train",
            "seed": settings.seed,
            "learners": entries,
            **({"together": together.together_summary(run, league)} if league else {}),
            "seconds": run.seconds,
        },
        shown=[
            *(part for entry in entries for part in _shown(entry)),
            *(together.together_shown(run, league) if league else ()),
        ],
    )


def _train(
    run: Run,
    stop: Event,
    learning: LearnerRun,
    advance: Advance,
    *,
    tensorboard: bool,
    resume: bool,
) -> DQNPilot | None:
    """Train one learner, and log its win rates; return its pilot, or `None` if it was stopped.

    Args:
        run: the run of the experiment.
        stop: event that stops the training when it is set.
        learning: training of the learner.
        advance: called with the number of steps done and the last win rate as text.
        tensorboard: whether to write an event file for TensorBoard.
        resume: whether to continue from a saved state.
    """
    name = learning.learner.name
    events = EventFile(run.folder.path, file_label(name)) if tensorboard else None
    figure = ""

    def on_row(row: CurveRow) -> None:
        nonlocal figure
        figure = f"win rate {percent(row.win_rate)} %"
        run.folder.log(f"{name}: {row.steps:,} steps, {figure}")
        if events is not None:
            events.add(row)

    pilot = learning.train(stop, lambda n_steps: advance(n_steps, figure), on_row, resume=resume)
    return None if stop.is_set() else pilot


def _entry(learning: LearnerRun, pilot: DQNPilot) -> dict[str, Any]:
    """Play the final games of a learner and of scripts; return the entry of the summary."""
    contest = learning.contest
    learner = learning.learner
    last = learning.curve[-1]
    chosen = pairings(contest, learner)
    finals = play_in_place(
        contest,
        learner,
        [pilot, *SCRIPTED],
        n_games=FINAL_GAMES,
        run_seed=learning.run_seed,
        purpose=f"train/{learner.name}/final",
    )
    rates = {agent: rates_in_place(outcomes, chosen) for agent, outcomes in finals.items()}
    places = [
        {
            **pairing_columns(contest, pairing),
            "learned": rates[learner.name].at(row).as_entry(n=FINAL_GAMES),
            "scripted": {agent: rates[agent].at(row).as_entry(n=FINAL_GAMES) for agent in SCRIPTED},
        }
        for row, pairing in enumerate(chosen)
    ]
    return {
        "name": learner.name,
        "pilot": pilot_file_name(learner.name),
        "win_rate": mean_rate(finals[learner.name], chosen).as_entry(n=FINAL_GAMES * len(chosen)),
        "pairings": places,
        "steps": last.steps,
        "updates": last.updates,
        "seconds": last.seconds,
        "cpu_seconds": last.cpu_seconds,
    }


def _shown(entry: dict[str, Any]) -> list[Shown]:
    """Return a table of a learner's win rates next to the best script's, and a line on its cost."""
    rows = []
    for place in entry["pairings"]:
        scripted = place["scripted"]
        best = max(SCRIPTED, key=lambda agent: float(scripted[agent]["win_rate"]))
        learned, script = map(Interval.from_entry, (place["learned"], scripted[best]))
        rows.append((PLACE.format_map(place), percent(learned), f"{best} {percent(script)}"))
    table = Table(
        f"{entry['name']}: win rate, % ({FINAL_GAMES:,} games, ± half of the 95 % interval)",
        ("its deck vs opponent", "learned", "best script"),
        rows,
    )
    cost = (
        f"{entry['steps']:,} steps, {entry['updates']:,} updates, {entry['seconds'] / 60:.1f} "
        f"minutes ({entry['cpu_seconds'] / 60:.1f} minutes of CPU time)"
    )
    return [table, cost, ""]
