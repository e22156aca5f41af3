"""Training that a command does on its way, with bars to watch, to be taken up where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import NamedTuple

from agents.dqn.trainer import Progress, Trainer
from experiments.learning.side_by_side import do_side_by_side
from experiments.screen.console import Advance, Screen
from sim.play.batch import n_cores

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
    stop, most = Event(), max(one.trainer.settings.steps for one in trainings.values())
    with screen.side_by_side(list(trainings), most) as bars:

        def job(training: Training, advance: Advance) -> Callable[[], bool | None]:
            return lambda: _train(training, advance, stop)

        jobs = [job(one, bar) for one, bar in zip(trainings.values(), bars, strict=True)]
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
    won, lost = now.n_wins - earlier.n_wins, now.n_losses - earlier.n_losses
    return f"wins {100 * won / max(won + lost, 1):.0f} %"
