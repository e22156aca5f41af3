"""Parallel training of several networks, with progress bars, which can be stopped and resumed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from experiments.screen import Advance, Screen
from sim.play.workers.current import n_local_threads

if TYPE_CHECKING:
    from agents.dqn.trainer import Progress, Trainer

Result = TypeVar("Result")

# Between calls of torch and the engine, a training needs the interpreter for about ten microseconds
# at a time. With Python's default switch interval (5 ms), two trainings on two cores lose a tenth
# of their speed.
_SWITCH_INTERVAL_S = 5e-5


def do_side_by_side(
    jobs: Sequence[Callable[[], Result | None]], threads: int, stop: Event
) -> list[Result]:
    """Run all jobs in threads; after a failure or Ctrl-C, wait until the running jobs have stopped.

    Args:
        jobs: functions that check `stop` regularly, and return `None` if they were stopped.
        threads: maximum number of jobs that run at the same time.
        stop: event that is set to end the jobs early.

    Returns:
        Results of the finished jobs, in the order of the jobs.
    """
    import torch  # noqa: PLC0415 (slow to load)

    # One thread of torch per job. OpenMP stores this setting separately for each thread.
    pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
    with _short_switch_interval(), pool:
        futures: list[Future[Result | None]] = [pool.submit(job) for job in jobs]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:  # also Ctrl-C: running jobs save their state, and others never begin
            stop.set()
            for future in futures:
                future.cancel()
            raise
    return [done for future in futures if (done := future.result()) is not None]


@contextmanager
def _short_switch_interval() -> Iterator[None]:
    """Shorten the switch interval of Python's threads while the block runs."""
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual_s)


SAVE_EVERY_S = 120.0  # maximum training time that a crash can lose; a save takes about a second
STRIDE = 2_000  # steps between checks of the clock and of `stop`; they take less than a second


class Training(NamedTuple):
    """Training of one network, and the file in which its state is saved.

    Attributes:
        trainer: training in progress.
        state: path of the file with the training state.
    """

    trainer: Trainer
    state: Path


def train_all(trainings: Mapping[str, Training], screen: Screen) -> None:
    """Train all networks to the end in parallel, each from its saved state if there is one.

    The states stay on disk until `delete_states` is called, so that results computed from the
    networks can be computed again after a crash.

    Args:
        trainings: trainings, by the label of their progress bar.
        screen: screen that shows the bars.

    Raises:
        InputError: a state is damaged, or belongs to another training.
    """
    if not trainings:
        return
    stop = Event()
    most = max(training.trainer.settings.steps for training in trainings.values())
    with screen.side_by_side(list(trainings), most) as bars:
        pairs = zip(trainings.values(), bars, strict=True)
        jobs = [partial(_train, training, bar, stop) for training, bar in pairs]
        do_side_by_side(jobs, n_local_threads(), stop)


def delete_states(trainings: Mapping[str, Training]) -> None:
    """Delete the saved states of trainings, if they exist."""
    for training in trainings.values():
        training.state.unlink(missing_ok=True)


def _train(training: Training, advance: Advance, stop: Event) -> bool | None:
    """Train one network to the end, or until `stop` is set; load and regularly save its state.

    Returns:
        `True` if the training is finished; `None` if it was stopped.
    """
    trainer, state = training
    if state.exists():
        trainer.load(state)
    earlier = trainer.progress()
    advance(earlier.n_steps, "")
    saved_s = time.monotonic()
    while not trainer.is_done and not stop.is_set():
        progress = trainer.run(trainer.n_steps + STRIDE)
        advance(progress.n_steps, _win_rate(earlier, progress))
        earlier = progress
        if time.monotonic() - saved_s >= SAVE_EVERY_S:
            trainer.save(state)
            saved_s = time.monotonic()
    trainer.save(state)
    return trainer.is_done or None


def _win_rate(earlier: Progress, now: Progress) -> str:
    """Return a text with the win rate between two points of a training.

    The rate includes random actions, and leaves out draws.
    """
    won = now.n_wins - earlier.n_wins
    lost = now.n_losses - earlier.n_losses
    return f"wins {100 * won / max(won + lost, 1):.0f} %"
