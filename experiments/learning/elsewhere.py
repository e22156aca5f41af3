"""Learners that workers elsewhere train, a slice at a time.

What a slice begins with and ends with are the files that a stopped training leaves: they come back
after each, and are all that a lost worker, or Ctrl-C, goes back to.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from experiments.learning.learner_run import LearnerRun
from experiments.learning.learning_curve import read_curve
from experiments.learning.side_by_side import SAVE_EVERY_S
from experiments.runs.run_folder import RunFolder
from experiments.screen.console import Advance
from sim.play.workers.seam import Workers

Files = dict[str, bytes]


@dataclass(frozen=True)
class _Slices:
    """The learners of a run; a piece is the number of one, and its files so far."""

    learning: Sequence[LearnerRun]
    slice_s: float

    def do(self, piece: tuple[int, Files]) -> Files:
        """Train on for a while; the files then."""
        number, files = piece
        began_s, stop = time.monotonic(), Event()

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
