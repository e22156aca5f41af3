"""Training run of one learner on disk: its curve, the state to continue from, its pilot.

Remote workers train a slice at a time. A slice begins and ends with the files that a stopped
training leaves. The files are sent back after each slice, so a lost worker, or Ctrl-C, costs at
most one slice.
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
    """Training of one learner into a run folder, to be stopped and continued at any time.

    Files are written in this order: a row of the curve, the pilot as it is then, and the state. So
    the rows up to a state's steps always exist, and later rows are computed again.

    Attributes:
        contest: cards and players.
        learner: the learner.
        settings: settings of its training.
        run_seed: seed of the run.
        folder: folder of its files.
        numbers: ranges of the numbers that variants change; `None` without variants.
        curve: rows of the learning curve so far.
        seconds: time of training so far, by the clock.
        cpu_seconds: processor time of training so far.
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
        """File of the trained agent, which exists once the training is finished."""
        return self.folder.path / pilot_file_name(self.learner.name)

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that the run may write, in their order: the curve first, the pilot last."""
        curve = self.folder.path / curve_file_name(self.learner.name)
        return curve, self.partial_path, self._clock_path, self._state_path, self.pilot_path

    @property
    def partial_path(self) -> Path:
        """File of the agent so far, which exists while the training is not finished."""
        return self.folder.path / partial_pilot_file_name(self.learner.name)

    @property
    def _state_path(self) -> Path:
        """File of the training state."""
        return self.pilot_path.with_suffix(".state.pt")

    @property
    def _clock_path(self) -> Path:
        """File of the times so far."""
        return self.pilot_path.with_suffix(".state.json")

    def train(
        self,
        stop: Event,
        on_steps: Callable[[int], None],
        on_row: Callable[[CurveRow], None],
        *,
        resume: bool,
    ) -> DQNPilot | None:
        """Train to the end, or until `stop` is set; in that case the state is saved.

        Args:
            stop: set when the training should end early.
            on_steps: callback, called regularly with the number of steps so far.
            on_row: callback, called with every row of the curve, also with those of a continued
                run.
            resume: whether to continue from existing files.

        Returns:
            The pilot, or `None` if stopped.
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
        """Let the current pilot play, always the same games, and add a row to the curve."""
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
        """Write the current pilot, the times and the training state."""
        if trainer.n_steps > 0:  # else nothing was learned yet
            pilot = pilot_of(trainer, self.learner.name)
            save_pilot(self.partial_path, pilot.network, self._provenance(trainer))
        times = {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds}
        self.folder.write_json(self._clock_path.name, times)
        trainer.save(self._state_path)

    def _continue(self, trainer: Trainer) -> None:
        """Continue from the saved state and its curve."""
        trainer.load(self._state_path)
        if trainer.n_steps > 0:  # else there may be no curve yet
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
        """Write the final pilot and delete the training state."""
        pilot = pilot_of(trainer, self.learner.name)
        pilot.provenance = self._provenance(trainer)
        save_pilot(self.pilot_path, pilot.network, pilot.provenance)
        self._delete_state()
        return pilot

    def _provenance(self, trainer: Trainer) -> Provenance:
        """Return the provenance of the current pilot."""
        return provenance(
            self.contest, self.learner, trainer, run_seed=self.run_seed, numbers=self.numbers
        )

    def _load_finished(
        self, on_steps: Callable[[int], None], on_row: Callable[[CurveRow], None]
    ) -> DQNPilot:
        """Return the pilot of a finished run, and report its curve to the callbacks."""
        pilot = load_pilot(self.pilot_path, name=self.learner.name)
        self._delete_state()  # an interrupted `_finish` may have left it
        self.curve = read_curve(self.folder.path / curve_file_name(self.learner.name))
        for row in self.curve:
            on_row(row)
        on_steps(self.curve[-1].steps)
        return pilot

    def _delete_state(self) -> None:
        """Delete the files that only a continued training needs."""
        self._state_path.unlink(missing_ok=True)
        self._clock_path.unlink(missing_ok=True)
        self.partial_path.unlink(missing_ok=True)


def _rounded(number: float) -> float:
    """Return a number as tables print it, so that a curve from its file draws the same figure."""
    return float(f"{round(number, 9):.6g}")


Files = dict[str, bytes]


@dataclass(frozen=True)
class _Slices:
    """Job for workers: trains a learner for one slice of time.

    A task is the index of a learner and its files so far.

    Attributes:
        learning: the learners of the run.
        slice_s: length of a slice, in seconds.
    """

    learning: Sequence[LearnerRun]
    slice_s: float

    def do(self, piece: tuple[int, Files]) -> Files:
        """Train a learner for one slice and return its files."""
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
        """Do nothing: slices run in processes, never in threads that must be stopped."""


def train_remotely(
    learning: Sequence[LearnerRun],
    bars: Sequence[Advance],
    workers: Workers,
    *,
    resume: bool,
    slice_s: float = SAVE_EVERY_S,
) -> None:
    """Train all learners to their end by workers, and write their files.

    Args:
        learning: the learners; afterwards `LearnerRun.train` finds each one's pilot.
        bars: progress bars, one per learner.
        workers: the workers.
        resume: whether to continue from existing files.
        slice_s: length of a slice, in seconds.
    """
    # Without their folders, which do not exist where the workers run.
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
    """Return the contents of a run's files by name."""
    return {path.name: path.read_bytes() for path in run.files if path.exists()}


def _write_files(run: LearnerRun, files: Files) -> None:
    """Write a run's files in the order of local training, and delete those that are gone."""
    for path in run.files:
        if path.name in files:
            run.folder.write(path.name, files[path.name])
        else:
            path.unlink(missing_ok=True)
