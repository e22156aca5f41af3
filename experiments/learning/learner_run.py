"""One learner's training run on disk: its curve, the state to continue from, its pilot.

Workers elsewhere train a slice at a time. What a slice begins with and ends with are the files that
a stopped training leaves: they come back after each, and are all that a lost worker, or Ctrl-C,
goes back to.
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
    """Trains one learner into a run folder, to be stopped and continued at will.

    Files are written in this order: a row of the curve, then the pilot as it is by then, then the
    state behind them. So the rows up to a state's steps are always there, and rows beyond are
    made again.

    Attributes:
        contest: cards and players.
        learner: who learns.
        settings: how.
        run_seed: the run's seed.
        folder: where its files go.
        numbers: of cards that variants move, if there are variants.
        curve: the rows so far.
        seconds: spent on training, by the self.
        cpu_seconds: the same by the processor.
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
        """The trained agent; there once training is done."""
        return self.folder.path / pilot_file_name(self.learner.name)

    @property
    def files(self) -> tuple[Path, ...]:
        """All that it may leave, in the order of writing: first the curve, last the pilot."""
        curve = self.folder.path / curve_file_name(self.learner.name)
        return curve, self.partial_path, self._clock_path, self._state_path, self.pilot_path

    @property
    def partial_path(self) -> Path:
        """The agent as it is so far; there while training is not done."""
        return self.folder.path / partial_pilot_file_name(self.learner.name)

    @property
    def _state_path(self) -> Path:
        return self.pilot_path.with_suffix(".state.pt")

    @property
    def _clock_path(self) -> Path:
        return self.pilot_path.with_suffix(".state.json")

    def train(
        self,
        stop: Event,
        on_steps: Callable[[int], None],
        on_row: Callable[[CurveRow], None],
        *,
        resume: bool,
    ) -> DQNPilot | None:
        """Train to the end, or until `stop` is set; then the state is saved.

        Args:
            stop: asks to end early.
            on_steps: told now and then how many steps are done.
            on_row: told every row of the curve, those of a continued run too.
            resume: go on from the files that are there.

        Returns:
            The pilot, or `None` if stopped.
        """
        if resume and self.pilot_path.exists():
            return self._finished(on_steps, on_row)
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
        """Let the pilot play, always the same games; adds a row to the curve."""
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
        if trainer.n_steps > 0:  # before, there is nothing that was learned
            pilot = pilot_of(trainer, self.learner.name)
            save_pilot(self.partial_path, pilot.network, self._provenance(trainer))
        times = {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds}
        self.folder.write_json(self._clock_path.name, times)
        trainer.save(self._state_path)

    def _continue(self, trainer: Trainer) -> None:
        """Go on from the saved state."""
        trainer.load(self._state_path)
        if trainer.n_steps > 0:  # before, there need not be a curve
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
            raise InputError(f"{self._clock_path}: damaged; run without --resume") from error

    def _finish(self, trainer: Trainer) -> DQNPilot:
        """Write the pilot; from then on there is nothing to continue."""
        pilot = pilot_of(trainer, self.learner.name)
        pilot.provenance = self._provenance(trainer)
        save_pilot(self.pilot_path, pilot.network, pilot.provenance)
        self._forget_state()
        return pilot

    def _provenance(self, trainer: Trainer) -> Provenance:
        return provenance(
            self.contest, self.learner, trainer, run_seed=self.run_seed, numbers=self.numbers
        )

    def _finished(
        self, on_steps: Callable[[int], None], on_row: Callable[[CurveRow], None]
    ) -> DQNPilot:
        """The pilot of a run that had come to its end."""
        pilot = load_pilot(self.pilot_path, name=self.learner.name)
        self._forget_state()
        self.curve = read_curve(self.folder.path / curve_file_name(self.learner.name))
        for row in self.curve:
            on_row(row)
        on_steps(self.curve[-1].steps)
        return pilot

    def _forget_state(self) -> None:
        self._state_path.unlink(missing_ok=True)
        self._clock_path.unlink(missing_ok=True)
        self.partial_path.unlink(missing_ok=True)


def _rounded(number: float) -> float:
    """As tables have it, so that a curve that was read back draws the same figure."""
    return float(f"{round(number, 9):.6g}")


Files = dict[str, bytes]


@dataclass(frozen=True)
class _Slices:
    """The learners of a run; a piece is the number of one, and its files so far."""

    learning: Sequence[LearnerRun]
    slice_s: float

    def do(self, piece: tuple[int, Files]) -> Files:
        """Train on for a while; the files then."""
        number, files = piece
        began_s = time.monotonic()
        stop = Event()

        def look_at_clock(_: int) -> None:
            if time.monotonic() - began_s >= self.slice_s:
                stop.set()

        with TemporaryDirectory() as place:
            one = replace(self.learning[number], folder=RunFolder(Path(place)), curve=[])
            for name, content in files.items():
                one.folder.write(name, content)
            one.train(stop, look_at_clock, lambda _: None, resume=True)
            return _files_of(one)

    def give_up(self) -> None:
        """Nothing to do: nobody trains like this in threads."""


def train_elsewhere(
    learning: Sequence[LearnerRun],
    bars: Sequence[Advance],
    workers: Workers,
    *,
    resume: bool,
    slice_s: float = SAVE_EVERY_S,
) -> None:
    """Train all learners to their end, into their folders.

    Args:
        learning: the learners; where each one's pilot is in the end, `LearnerRun.train` finds it.
        bars: one for each of them.
        workers: who trains.
        resume: go on from the files that are there.
        slice_s: how long at a time.
    """
    homeless = [replace(one, folder=RunFolder(Path()), curve=[]) for one in learning]
    job = _Slices(homeless, slice_s)
    kept: list[Files] = [_files_of(one) if resume else {} for one in learning]
    waiting = list(range(len(learning)))
    while waiting:
        for (number, _), files in workers.map(job, [(k, kept[k]) for k in waiting]):
            kept[number] = files
            _write(learning[number], files)
            curve = read_curve(learning[number].files[0])
            bars[number](curve[-1].steps, "")
        waiting = [k for k in waiting if not learning[k].pilot_path.exists()]


def _files_of(one: LearnerRun) -> Files:
    return {path.name: path.read_bytes() for path in one.files if path.exists()}


def _write(one: LearnerRun, files: Files) -> None:
    """The curve, then the state behind it, as when it trains here."""
    for path in one.files:
        if path.name in files:
            one.folder.write(path.name, files[path.name])
        else:
            path.unlink(missing_ok=True)
