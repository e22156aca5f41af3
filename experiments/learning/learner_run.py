"""Training run of one learner with files for its learning curve, training state and pilot.

Remote workers train one slice of time after the other. A slice starts from the files of an
interrupted training and ends with such files, which are sent back. A lost worker, or Ctrl-C,
therefore loses at most one slice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import numpy as np

from agents import DQNPilot, Progress, Trainer, TrainSettings, load_pilot, save_pilot
from agents.dqn.provenance import Numbers, Provenance
from agents.dqn.trainer import pilot_of
from balance import CardContest, Interval, Learner, pairings, play_pairings
from balance.learning.training import begin_training, provenance
from experiments.files.output_file import (
    curve_file_name,
    partial_pilot_file_name,
    pilot_file_name,
)
from experiments.learning.learning_curve import CurveRow, read_curve
from experiments.learning.places import mean_rate
from experiments.learning.side_by_side import SAVE_EVERY_S, STRIDE
from experiments.runs.json_file import read_object
from experiments.runs.run_folder import RunFolder
from experiments.screen import Advance
from sim.errors import InputError
from sim.play.workers.seam import Workers


@dataclass
class LearnerRun:
    """Training of one learner in a run folder, which can be interrupted and continued at any time.

    The curve is always written before the pilot, and the pilot before the training state. The rows
    up to the steps of a stored state therefore always exist, and later rows are computed again.

    Attributes:
        contest: cards and players.
        learner: learner that is trained.
        settings: settings of the training.
        run_seed: seed of the run.
        folder: folder with the files of the training.
        numbers: ranges of the card numbers that variants change; `None` if the training uses no
            variants.
        curve: rows of the learning curve so far.
        seconds: wall-clock time of training so far, without evaluations.
        cpu_seconds: processor time of training so far, without evaluations.
    """

    contest: CardContest
    learner: Learner
    settings: TrainSettings
    run_seed: int
    folder: RunFolder
    numbers: Numbers | None = None
    curve: list[CurveRow] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def pilot_path(self) -> Path:
        """Path of the file with the trained pilot, which exists once the training is finished."""
        return self.folder.path / pilot_file_name(self.learner.name)

    @property
    def files(self) -> tuple[Path, ...]:
        """Paths of all files that the training may write, in the order in which they are written.

        The curve is the first path, and the final pilot is the last.
        """
        curve = self.folder.path / curve_file_name(self.learner.name)
        return curve, self.partial_path, self._clock_path, self._state_path, self.pilot_path

    @property
    def partial_path(self) -> Path:
        """Path of the file with the current pilot, which exists until the training is finished."""
        return self.folder.path / partial_pilot_file_name(self.learner.name)

    @property
    def _state_path(self) -> Path:
        """Path of the file with the training state, which exists until the training is finished."""
        return self.pilot_path.with_suffix(".state.pt")

    @property
    def _clock_path(self) -> Path:
        """Path of the file with the training times so far, deleted with the training state."""
        return self.pilot_path.with_suffix(".state.json")

    def train(
        self,
        stop: Event,
        on_steps: Callable[[int], None],
        on_row: Callable[[CurveRow], None],
        *,
        resume: bool,
    ) -> DQNPilot | None:
        """Train to the end, or until `stop` is set, and write all files.

        Args:
            stop: event that another thread sets to interrupt the training.
            on_steps: callback for the number of steps so far, called regularly.
            on_row: callback for rows of the learning curve; rows of earlier parts of a continued
                training are repeated.
            resume: whether to continue from existing files.

        Returns:
            The trained pilot, or `None` if the training was interrupted.

        Raises:
            InputError: a file cannot be read or written, or belongs to another training.
        """
        if resume and self.pilot_path.exists():
            return self._load_finished(on_steps, on_row)
        trainer = begin_training(
            self.contest,
            self.learner,
            self.settings,
            run_seed=self.run_seed,
            numbers=self.numbers,
        )
        if resume and self._state_path.exists():
            self._continue(trainer)
        for row in self.curve:
            on_row(row)
        saved_s = time.monotonic()
        while not stop.is_set():
            if not self.curve:
                on_row(self._evaluate(trainer, trainer.progress()))
            if trainer.is_done:
                return self._finish(trainer)
            every = self.settings.evaluate_every
            n_steps = trainer.n_steps
            next_row = min((n_steps // every + 1) * every, self.settings.steps)
            began_s = time.perf_counter()
            cpu_began_s = time.thread_time()
            progress = trainer.run(min(n_steps + STRIDE, next_row))
            self.seconds += time.perf_counter() - began_s
            self.cpu_seconds += time.thread_time() - cpu_began_s
            on_steps(progress.n_steps)
            if progress.n_steps >= next_row:
                on_row(self._evaluate(trainer, progress))
            if time.monotonic() - saved_s >= SAVE_EVERY_S:
                self._save(trainer)
                saved_s = time.monotonic()
        self._save(trainer)
        return None

    def _evaluate(self, trainer: Trainer, progress: Progress) -> CurveRow:
        """Evaluate the current pilot, and add a row to the learning curve and its file.

        All evaluations of a learner use the same game seeds.
        """
        chosen = pairings(self.contest, self.learner)
        outcomes = play_pairings(
            self.contest,
            chosen,
            pilot_of(trainer, self.learner.name),
            n_games=self.settings.evaluate_games,
            run_seed=self.run_seed,
            purpose=f"train/{self.learner.name}/evaluate",
            threads=1,
        )
        rate = mean_rate(outcomes, chosen)
        row = CurveRow(
            steps=progress.n_steps,
            updates=progress.n_updates,
            seconds=_rounded(self.seconds),
            cpu_seconds=_rounded(self.cpu_seconds),
            win_rate=Interval(*np.array([_rounded(float(bound)) for bound in rate])),
            n=int(outcomes.n_games.sum()),
            epsilon=_rounded(progress.epsilon),
            loss=_rounded(progress.loss),
        )
        self.curve.append(row)
        self.folder.write_rows(curve_file_name(self.learner.name), CurveRow, self.curve)
        return row

    def _save(self, trainer: Trainer) -> None:
        """Write the current pilot, the training times and the training state, in this order.

        The pilot is left out before the first step.
        """
        if trainer.n_steps > 0:
            pilot = pilot_of(trainer, self.learner.name)
            save_pilot(self.partial_path, pilot.network, self._provenance(trainer))
        times = {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds}
        self.folder.write_json(self._clock_path.name, times)
        trainer.save(self._state_path)

    def _continue(self, trainer: Trainer) -> None:
        """Load the training state, the times, and the rows of the curve up to this state.

        Raises:
            InputError: a file is damaged or belongs to another training.
        """
        trainer.load(self._state_path)
        if trainer.n_steps > 0:  # before the first step the curve's file may not exist yet
            self.curve = [
                row
                for row in read_curve(self.folder.path / curve_file_name(self.learner.name))
                if row.steps <= trainer.n_steps
            ]
        try:
            times = read_object(self._clock_path)
            self.seconds = float(times["seconds"])
            self.cpu_seconds = float(times["cpu_seconds"])
        except (ValueError, TypeError, LookupError) as error:
            remedy = "run without --resume"
            raise InputError("damaged", place=self._clock_path, remedy=remedy) from error

    def _finish(self, trainer: Trainer) -> DQNPilot:
        """Write the final pilot, delete the files of the training state, and return the pilot."""
        pilot = pilot_of(trainer, self.learner.name)
        pilot.provenance = self._provenance(trainer)
        save_pilot(self.pilot_path, pilot.network, pilot.provenance)
        self._delete_state()
        return pilot

    def _provenance(self, trainer: Trainer) -> Provenance:
        """Return the provenance of the pilot after the steps made so far."""
        return provenance(
            self.contest, self.learner, trainer, run_seed=self.run_seed, numbers=self.numbers
        )

    def _load_finished(
        self, on_steps: Callable[[int], None], on_row: Callable[[CurveRow], None]
    ) -> DQNPilot:
        """Return the pilot of a finished training; pass its curve and steps to the callbacks."""
        pilot = load_pilot(self.pilot_path, name=self.learner.name)
        self._delete_state()  # an interrupted `_finish` may have left it
        self.curve = read_curve(self.folder.path / curve_file_name(self.learner.name))
        for row in self.curve:
            on_row(row)
        on_steps(self.curve[-1].steps)
        return pilot

    def _delete_state(self) -> None:
        """Delete the files that are needed only to continue the training, if they exist."""
        self._state_path.unlink(missing_ok=True)
        self._clock_path.unlink(missing_ok=True)
        self.partial_path.unlink(missing_ok=True)


def _rounded(number: float) -> float:
    """Return a number with the precision of the curve's file: 9 decimals and 6 significant digits.

    A figure drawn from the returned numbers equals one drawn from the file.
    """
    return float(f"{round(number, 9):.6g}")


Files = dict[str, bytes]
"""Contents of files by name."""


@dataclass(frozen=True)
class _Slices:
    """Job for workers that trains learners, in tasks of one slice of time for one learner.

    A task consists of the index of a learner and the files of its training so far.

    Attributes:
        learning: trainings of the run's learners.
        slice_s: length of a slice, in seconds.
    """

    learning: Sequence[LearnerRun]
    slice_s: float

    def do(self, piece: tuple[int, Files]) -> Files:
        """Train a learner for one slice, or to its end, and return the files of its training.

        Args:
            piece: index of the learner, and the files of its training so far.
        """
        number, files = piece
        began_s = time.monotonic()
        stop = Event()

        def stop_in_time(_: int) -> None:
            if time.monotonic() - began_s >= self.slice_s:
                stop.set()

        with TemporaryDirectory() as folder:
            run = replace(self.learning[number], folder=RunFolder(Path(folder)), curve=[])
            for name, content in files.items():
                run.folder.write(name, content)
            run.train(stop, stop_in_time, lambda _: None, resume=True)
            return _files_of(run)

    def give_up(self) -> None:
        """Do nothing, since slices run in processes and not in threads that must be stopped."""


def train_remotely(
    learning: Sequence[LearnerRun],
    bars: Sequence[Advance],
    workers: Workers,
    *,
    resume: bool,
    slice_s: float = SAVE_EVERY_S,
) -> None:
    """Train all learners to their end on workers, and write the files of their trainings.

    Afterwards `LearnerRun.train` with `resume` returns the pilots without further training.

    Args:
        learning: trainings of the learners.
        bars: progress bars, one per learner.
        workers: workers that train the slices.
        resume: whether to continue from existing files.
        slice_s: length of a slice, in seconds.
    """
    # Sent without their folders, which do not exist on the machines of the workers.
    sent_runs = [replace(run, folder=RunFolder(Path()), curve=[]) for run in learning]
    job = _Slices(sent_runs, slice_s)
    files_so_far: list[Files] = [_files_of(run) if resume else {} for run in learning]
    unfinished = list(range(len(learning)))
    while unfinished:
        for (number, _), files in workers.map(job, [(k, files_so_far[k]) for k in unfinished]):
            files_so_far[number] = files
            _write_files(learning[number], files)
            curve = read_curve(learning[number].files[0])
            bars[number](curve[-1].steps, "")
        unfinished = [k for k in unfinished if not learning[k].pilot_path.exists()]


def _files_of(run: LearnerRun) -> Files:
    """Return the contents of the existing files of a training, by name."""
    return {path.name: path.read_bytes() for path in run.files if path.exists()}


def _write_files(run: LearnerRun, files: Files) -> None:
    """Write the files of a training, and delete its existing files that are not among them.

    The order is that of a local training, so that an interruption leaves consistent files.

    Args:
        run: training to which the files belong.
        files: contents of the files by name.
    """
    for path in run.files:
        if path.name in files:
            run.folder.write(path.name, files[path.name])
        else:
            path.unlink(missing_ok=True)
