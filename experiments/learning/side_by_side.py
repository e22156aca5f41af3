"""Parallel training of several networks in threads, which can be interrupted and continued."""

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
from sim.play import n_cores

if TYPE_CHECKING:
    from agents.dqn.trainer import Progress, Trainer

Result = TypeVar("Result")

# Between its calls of torch and the engine, a training needs the interpreter for about ten
# microseconds. With Python's default switch interval (5 ms), two trainings on two cores lose a
# tenth of their speed.
_SWITCH_INTERVAL_S = 5e-5


def do_side_by_side(
    jobs: Sequence[Callable[[], Result | None]], threads: int, stop: Event
) -> list[Result]:
    """Run jobs in threads, `threads` of them at a time, and return their results.

    If a job fails or Ctrl-C is pressed, `stop` is set, and the exception is raised again after all
    running jobs have ended.

    Args:
        jobs: functions that check `stop` regularly, and return `None` if it is set.
        threads: maximum number of jobs that run at the same time.
        stop: event that makes the jobs end early.

    Returns:
        Results of the jobs that did not return `None`, in the order of the jobs.
    """
    import torch  # noqa: PLC0415 (slow to load)

    # OpenMP, which torch uses, has a separate number of threads for each calling thread.
    pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
    with _short_switch_interval(), pool:
        futures: list[Future[Result | None]] = [pool.submit(job) for job in jobs]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            stop.set()
            for future in futures:
                future.cancel()
            raise
    return [done for future in futures if (done := future.result()) is not None]


@contextmanager
def _short_switch_interval() -> Iterator[None]:
    """Shorten the interval at which Python switches threads, for the duration of the block."""
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual_s)


SAVE_EVERY_S = 120.0  # training time that a crash can lose; a save takes about a second
STRIDE = 2_000  # steps between two checks of the clock and of `stop`: a fraction of a second


class Training(NamedTuple):
    """Training run of one network, and the file in which its state is stored.

    Attributes:
        trainer: training run of the network.
        state: path of the file with the state of the training.
    """

    trainer: Trainer
    state: Path


def train_all(trainings: Mapping[str, Training], screen: Screen, *, threads: int | None) -> None:
    """Train several networks in parallel to their ends, each from its stored state if it has one.

    The files of the states stay until `delete_states`, so that results that are computed from the
    networks can be computed again after an interruption.

    Args:
        trainings: trainings by the labels of their progress bars.
        screen: screen that shows the bars.
        threads: maximum number of trainings at the same time; default: all cores.

    Raises:
        InputError: a file with a state is damaged, or belongs to another training.
    """
    if not trainings:
        return
    stop = Event()
    most = max(training.trainer.settings.steps for training in trainings.values())
    with screen.side_by_side(list(trainings), most) as bars:
        pairs = zip(trainings.values(), bars, strict=True)
        jobs = [partial(_train, training, bar, stop) for training, bar in pairs]
        do_side_by_side(jobs, threads or n_cores(), stop)


def delete_states(trainings: Mapping[str, Training]) -> None:
    """Delete the files with the states of trainings, if they exist."""
    for training in trainings.values():
        training.state.unlink(missing_ok=True)


def _train(training: Training, advance: Advance, stop: Event) -> bool | None:
    """Train one network to its end, or until `stop` is set, and store its state.

    Args:
        training: training run, continued from its stored state if there is one.
        advance: progress bar, called with the number of steps and the latest win rate.
        stop: event that interrupts the training.

    Returns:
        `True` if the training is finished, `None` if it was interrupted.
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
    """Return the win rate of the games that ended between two points of a training, in words.

    Draws are left out. The games include random actions of the learner.

    Args:
        earlier: progress at the first point.
        now: progress at the second point.
    """
    won = now.n_wins - earlier.n_wins
    lost = now.n_losses - earlier.n_losses
    return f"wins {100 * won / max(won + lost, 1):.0f} %"
