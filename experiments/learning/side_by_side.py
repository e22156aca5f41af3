"""Training of several networks at once, with bars to watch, to be taken up where it stopped."""

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

# Between its calls of torch and the engine, a training needs the interpreter for some ten
# microseconds at a time. Waiting for it as long as Python usually lets one wait (5 ms) costs two
# trainings on two cores a tenth of their speed.
_PATIENCE_S = 5e-5


def do_side_by_side(
    jobs: Sequence[Callable[[], Result | None]], threads: int, stop: Event
) -> list[Result]:
    """Do all jobs, `threads` at once; when one fails or Ctrl-C comes, let the others save.

    Args:
        jobs: what to do; each looks at `stop` now and then, and returns `None` if stopped.
        threads: how many at once.
        stop: set when they shall end early.

    Returns:
        Their results, in the order of the jobs.
    """
    import torch  # noqa: PLC0415 (slow to load)

    # Torch asks OpenMP, which keeps the number of threads for each thread apart.
    pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
    with _impatient_threads(), pool:
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
def _impatient_threads() -> Iterator[None]:
    """Let threads take turns at the interpreter more often while the block runs."""
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(_PATIENCE_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual_s)


SAVE_EVERY_S = 120.0
STRIDE = 2_000  # steps between two looks at the clock and at whether to stop


class Training(NamedTuple):
    """One network's training, and the file that keeps its state meanwhile."""

    trainer: Trainer
    state: Path


def train_all(trainings: Mapping[str, Training], screen: Screen, *, threads: int | None) -> None:
    """Train all to their end, side by side, each from its state if it has one.

    The states are kept to the end, so that what is made of the networks can be lost too.

    Args:
        trainings: by what their bars are called.
        screen: where the bars are.
        threads: how many at once; default all cores.

    Raises:
        InputError: a state is damaged, or of another training.
    """
    if not trainings:
        return
    stop = Event()
    most = max(one.trainer.settings.steps for one in trainings.values())
    with screen.side_by_side(list(trainings), most) as bars:
        pairs = zip(trainings.values(), bars, strict=True)
        jobs = [partial(_train, training, bar, stop) for training, bar in pairs]
        do_side_by_side(jobs, threads or n_cores(), stop)


def forget(trainings: Mapping[str, Training]) -> None:
    """Delete the states."""
    for training in trainings.values():
        training.state.unlink(missing_ok=True)


def _train(training: Training, advance: Advance, stop: Event) -> bool | None:
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
    """Of the games between, random actions included."""
    won = now.n_wins - earlier.n_wins
    lost = now.n_losses - earlier.n_losses
    return f"wins {100 * won / max(won + lost, 1):.0f} %"
