"""Training run of one learner: its learning curve, its training state and its pilot as files.

Remote workers train for one slice of time per task. A slice begins and ends with the files of a
stopped training, which are sent back after each slice. A lost worker, or Ctrl-C, therefore costs
at most one slice.
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
    """Training of one learner in a run folder, which can be stopped and resumed at any time.

    Files are written in this order: a row of the curve, the current pilot, the training state.
    Therefore, all rows up to the steps of the state exist, and later rows are computed again.

    Attributes:
        contest: cards and players.
        learner: learner to train.
        settings: settings of the training.
        run_seed: seed of the run.
        folder: run folder with the files of the training.
        numbers: ranges of the numbers that variants change; `None` if there are no variants.
        curve: rows of the learning curve so far.
        seconds: elapsed time of training so far, in seconds, without evaluations.
        cpu_seconds: processor time of training so far, in seconds, without evaluations.
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
        """Path of the trained pilot, which exists once the training is finished."""
        return self.folder.path / pilot_file_name(self.learner.name)

    @property
    def files(self) -> tuple[Path, ...]:
        """Paths of all files that the run may write, in writing order: first the curve."""
        curve = self.folder.path / curve_file_name(self.learner.name)
        return curve, self.partial_path, self._clock_path, self._state_path, self.pilot_path

    @property
    def partial_path(self) -> Path:
        """Path of the current pilot, which exists while the training is not finished."""
        return self.folder.path / partial_pilot_file_name(self.learner.name)

    @property
    def _state_path(self) -> Path:
        """Path of the training state, which exists while the training is not finished."""
        return self.pilot_path.with_suffix(".state.pt")

    @property
    def _clock_path(self) -> Path:
        """Path of the training times, which exists while the training is not finished."""
        return self.pilot_path.with_suffix(".state.json")

    def train(
        self,
        stop: Event,
        on_steps: Callable[[int], None],
        on_row: Callable[[CurveRow], None],
        *,
        resume: bool,
    ) -> DQNPilot | None:
        """Train to the end, or until `stop` is set; a stopped training saves its state.

        Args:
            stop: event that ends the training early when it is set.
            on_steps: called regularly with the number of steps so far.
            on_row: called with every row of the curve, including the rows of a resumed run.
            resume: whether to continue from existing files.

        Returns:
            The trained pilot; `None` if the training was stopped.

        Raises:
            InputError: `resume` is set, and a file is damaged or belongs to another training.
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
            if not self.curve:  # the curve begins with the network before training
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
        """Evaluate the current pilot on fixed games; add a row to the curve, and return the row."""
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
        """Write the training times and state and, after the first step, the current pilot."""
        if trainer.n_steps > 0:  # before the first step, nothing is learned
            pilot = pilot_of(trainer, self.learner.name)
            save_pilot(self.partial_path, pilot.network, self._provenance(trainer))
        times = {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds}
        self.folder.write_json(self._clock_path.name, times)
        trainer.save(self._state_path)

    def _continue(self, trainer: Trainer) -> None:
        """Load the saved training state, the rows of the curve up to it, and the training times.

        Raises:
            InputError: a file is damaged or belongs to another training.
        """
        trainer.load(self._state_path)
        if trainer.n_steps > 0:  # before the first step, the file of the curve may not exist
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
        """Write and return the final pilot, and delete the training state."""
        pilot = pilot_of(trainer, self.learner.name)
        pilot.provenance = self._provenance(trainer)
        save_pilot(self.pilot_path, pilot.network, pilot.provenance)
        self._delete_state()
        return pilot

    def _provenance(self, trainer: Trainer) -> Provenance:
        """Return the record of how the current pilot was trained."""
        return provenance(
            self.contest, self.learner, trainer, run_seed=self.run_seed, numbers=self.numbers
        )

    def _load_finished(
        self, on_steps: Callable[[int], None], on_row: Callable[[CurveRow], None]
    ) -> DQNPilot:
        """Return the pilot of a finished run, and pass its steps and its curve to the callbacks."""
        pilot = load_pilot(self.pilot_path, name=self.learner.name)
        self._delete_state()  # an interrupted `_finish` may have left it
        self.curve = read_curve(self.folder.path / curve_file_name(self.learner.name))
        for row in self.curve:
            on_row(row)
        on_steps(self.curve[-1].steps)
        return pilot

    def _delete_state(self) -> None:
        """Delete the files that only a resumed training needs."""
        self._state_path.unlink(missing_ok=True)
        self._clock_path.unlink(missing_ok=True)
        self.partial_path.unlink(missing_ok=True)


def _rounded(number: float) -> float:
    """Return a number rounded as in tables, so that curves from files and memory are equal."""
    return float(f"{round(number, 9):.6g}")


Files = dict[str, bytes]


@dataclass(frozen=True)
class _Slices:
    """Job for workers in which each task trains one learner for a slice of time.

    A task consists of the index of a learner and the learner's current files.

    Attributes:
        learning: training runs of the learners.
        slice_s: length of a slice in seconds.
    """

    learning: Sequence[LearnerRun]
    slice_s: float

    def do(self, piece: tuple[int, Files]) -> Files:
        """Train the learner of a task for one slice in a temporary folder; return its new files."""
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
        """Do nothing: slices never run in threads, which would have to be stopped."""


def train_remotely(
    learning: Sequence[LearnerRun],
    bars: Sequence[Advance],
    workers: Workers,
    *,
    resume: bool,
    slice_s: float = SAVE_EVERY_S,
) -> None:
    """Train all learners to the end with remote workers, and write their files.

    Args:
        learning: training runs of the learners; `LearnerRun.train` later loads their pilots.
        bars: function of each learner's progress bar.
        workers: workers that train.
        resume: whether to continue from existing files.
        slice_s: length of a slice in seconds.
    """
    # The folders are left out, because they do not exist on the machines of the workers.
    sent_runs = [replace(run, folder=RunFolder(Path()), curve=[]) for run in learning]
    job = _Slices(sent_runs, slice_s)
    files_so_far: list[Files] = [_files_of(run) if resume else {} for run in learning]
    waiting = list(range(len(learning)))
    while waiting:
        for (number, _), files in workers.map(job, [(k, files_so_far[k]) for k in waiting]):
            files_so_far[number] = files
            _write_files(learning[number], files)
            curve = read_curve(learning[number].files[0])
            bars[number](curve[-1].steps, "")
        waiting = [k for k in waiting if not learning[k].pilot_path.exists()]


def _files_of(run: LearnerRun) -> Files:
    """Return the content of a run's existing files, by file name."""
    return {path.name: path.read_bytes() for path in run.files if path.exists()}


def _write_files(run: LearnerRun, files: Files) -> None:
    """Write a run's files in the order of local training, and delete files that are not given."""
    for path in run.files:
        if path.name in files:
            run.folder.write(path.name, files[path.name])
        else:
            path.unlink(missing_ok=True)
