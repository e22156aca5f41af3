"""A run: a command at work on an experiment, its findings as data, and its search's progress."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

from balance.game_time import time_games
from experiments import plots
from experiments.experiment import Experiment
from experiments.game import AnyExperiment
from experiments.runs.finished_run import FINISHED
from experiments.runs.json_file import read_object
from experiments.runs.resumption import find_resumption
from experiments.runs.run_folder import CHECKPOINT, RunFolder, open_run_folder
from experiments.screen import Advance, Screen, Shown, estimate_words
from sim.errors import InputError
from sim.files.plain_archive import check_plain_archive, read_archive
from sim.files.row_file import Kind
from sim.play.workers.current import current_workers

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from matplotlib.figure import Figure

    from balance import CardContest

    class SearchState(DataclassInstance, Protocol):
        """What a checkpoint keeps of a search."""

        @property
        def generation(self) -> int:
            """How many generations are done."""


Rows = tuple[Kind[Any], Iterable[Any]]
"""What the rows of a table are (`sim.files.row_file`), and the rows."""


@dataclass(frozen=True)
class Findings:
    """What a command found.

    Attributes:
        summary: what `--json` prints and `summary.json` holds; `None` where more is to follow.
        tables: by the names of their CSV files.
        texts: by the names of their files.
        figures: what draws them, by the names of their PNG files.
        shown: tables and lines for people, in their order.
    """

    summary: dict[str, Any] | None = None
    tables: Mapping[str, Rows] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    shown: Sequence[Shown] = ()


ExperimentT = TypeVar("ExperimentT", bound=AnyExperiment)


@dataclass(frozen=True)
class RunOf(Generic[ExperimentT]):
    """A command at work on an experiment.

    Attributes:
        experiment: what it works on.
        folder: where its results go.
        screen: where to report.
        threads: threads to use; default all cores.
        resume: whether to continue a run that was stopped.
        plots: whether to draw the figures.
        began_s: when it began, by `time.perf_counter`.
        is_over: whether `resume` found it finished, with nothing left to do.
        closing: lines for people behind the place of the results, the last of all.
    """

    experiment: ExperimentT
    folder: RunFolder
    screen: Screen
    threads: int | None = None
    resume: bool = False
    plots: bool = True
    is_over: bool = False
    began_s: float = field(default_factory=time.perf_counter)
    closing: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """How long it has been at work."""
        return time.perf_counter() - self.began_s

    def carry_out(self, work: Callable[[RunOf[ExperimentT]], Findings]) -> dict[str, Any]:
        """Do a command's work; returns its summary, the last file that is written.

        Where the run is over, its summary is the one that it has.
        """
        if self.is_over:
            return read_object(self.folder.path / FINISHED)
        workers = current_workers()
        workers.effort.report = self._tell_of_workers
        findings = work(self)
        self.publish(findings)
        if workers.are_elsewhere:
            self.folder.log(f"{workers.n_workers} workers: {workers.effort.words}")
        (self.folder.path / CHECKPOINT).unlink(missing_ok=True)
        self.folder.log("done")
        return findings.summary or {}

    def _tell_of_workers(self, line: str) -> None:
        self.folder.log(line)
        self.screen.note(line)

    def publish(self, findings: Findings) -> None:
        """Write, draw and show what was found."""
        for name, (kind, rows) in findings.tables.items():
            self.folder.write_rows(name, kind, rows)
        for name, text in findings.texts.items():
            self.folder.write(name, text)
        if self.plots and findings.figures:
            self._draw(findings.figures)
        self.screen.show(*findings.shown)
        if findings.summary is not None:
            self.folder.write_json("summary.json", findings.summary)

    def _draw(self, figures: Mapping[str, Callable[[], Figure]]) -> None:
        from experiments.plots import fonts  # noqa: PLC0415 (matplotlib is slow to load)

        with fonts.missing_characters() as missing:
            for name, draw in figures.items():
                self.folder.write(name, plots.figure_png(draw()))
        if missing:
            self.screen.note(f"figures: {fonts.font_hint(missing)}")

    @contextmanager
    def watched(self, what: str, contest: CardContest, n_games: int) -> Iterator[CardContest]:
        """The contest, whose games move a bar while the block runs; says first what they may take.

        Args:
            what: the bar's name.
            contest: cards and players.
            n_games: how many there will be.
        """
        if self.screen.is_watched:
            _, game_s = time_games(contest, self.experiment.settings.seed, threads=self.threads)
            self.screen.stage(f"expected: {estimate_words(n_games, n_games * game_s)}")
        with self.screen.games(what, {what: n_games}) as bar:
            bar.begin(what)
            yield replace(contest, on_games=bar.played)

    def say_where(self) -> None:
        """Say where the results are."""
        self.screen.say(f"Results: {self.folder.path}")
        if self.folder.earlier is not None:
            self.screen.say(f"The run that was there before is now {self.folder.earlier}")
        self.screen.show(*self.closing)


Run = RunOf[Experiment]
"""A command at work on an experiment with cards."""


def open_run(
    command: str,
    experiment: ExperimentT,
    results: Path,
    screen: Screen,
    *,
    resume: bool = False,
    plots: bool = True,
    threads: int | None = None,
) -> RunOf[ExperimentT]:
    """A run of `command` in a folder below `results`, which is locked until it is closed.

    With `resume` it says what it found, unless it is a run that was stopped.

    Raises:
        InputError: `resume` finds only a run that was begun with other settings; more as
            `open_run_folder`.
    """
    found = find_resumption(results, experiment, command) if resume else None
    folder = open_run_folder(results, experiment, command, resume=resume)
    if found is not None and found.note:
        screen.note(found.note)
    is_over = found is not None and found.is_over
    folder.log(f"{command}, seed {experiment.settings.seed}")
    for agent, pilot in experiment.pilots.items():
        folder.log(f"{agent} is {pilot.path} (sha256 {pilot.content[:12]})")
    return RunOf(experiment, folder, screen, threads, resume, plots, is_over)


_DAMAGE = (
    *(OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile),
    MemoryError,  # of an array that says that it is larger than it is
)
_StateT = TypeVar("_StateT", bound="DataclassInstance")
_Array = npt.NDArray[Any]


def save_checkpoint(folder: RunFolder, state: DataclassInstance) -> None:
    """Write `state` to the run folder.

    Args:
        folder: where to.
        state: a dataclass whose fields are arrays, whole numbers, or such dataclasses.
    """
    folder.write_arrays(CHECKPOINT, **dict(_arrays_of(state)))


def load_checkpoint(folder: RunFolder, kind: type[_StateT]) -> _StateT | None:
    """The state to continue from, a `kind`, or `None` when there is none.

    Raises:
        InputError: the file is damaged.
    """
    path = folder.path / CHECKPOINT
    if not path.exists():
        return None
    try:
        # From memory: `np.load` leaves a damaged file open.
        data = read_archive(path)
        check_plain_archive(data)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return _state_of(kind, arrays.__getitem__)
    except _DAMAGE as error:
        # Of what it refuses to run, numpy says how it could be run without a check.
        reason = "more than arrays" if "pickle" in str(error) else error
        raise InputError(
            f"{path}: damaged ({reason}); delete it or run without --resume"
        ) from error


def _arrays_of(state: DataclassInstance, prefix: str = "") -> Iterator[tuple[str, _Array]]:
    """All arrays of a state by their names; those of an inner one begin with its name."""
    for one in fields(state):
        value = getattr(state, one.name)
        if is_dataclass(value) and not isinstance(value, type):
            yield from _arrays_of(value, f"{prefix}{one.name}_")
        else:
            yield prefix + one.name, np.asarray(value)


def _state_of(kind: type[_StateT], array: Callable[[str], _Array], prefix: str = "") -> _StateT:
    """A state from its arrays by name."""
    values: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        if is_dataclass(hint) and isinstance(hint, type):
            values[name] = _state_of(hint, array, f"{prefix}{name}_")
        else:
            value = array(prefix + name)
            values[name] = int(value) if hint is int else value
    return kind(**values)


StateT = TypeVar("StateT", bound="SearchState")


@dataclass(frozen=True)
class SearchProgress(Generic[StateT]):
    """Where a search begins, and whom it tells.

    Attributes:
        state: to continue from; `None` where it begins.
        on_stage: told what the work is at.
        on_generation: told every state that is reached.
    """

    state: StateT | None
    on_stage: Callable[[str], None]
    on_generation: Callable[[StateT], None]


def search_progress(
    run: RunOf[Any],
    kind: type[StateT],
    figure: Callable[[StateT], str],
    advance: Advance,
) -> SearchProgress[StateT]:
    """Where a search begins; every generation is kept, and shown on a bar.

    Args:
        run: whose folder keeps the checkpoint.
        kind: of its states.
        figure: what the bar says of a state.
        advance: moves the bar.
    """
    state = load_checkpoint(run.folder, kind) if run.resume else None
    reached = 0 if state is None else state.generation
    if state is not None:
        run.screen.note(f"continuing after generation {reached}")

    def on_stage(stage: str) -> None:
        run.folder.log(stage)
        advance(reached, stage)

    def on_generation(now: StateT) -> None:
        nonlocal reached
        reached = now.generation
        save_checkpoint(run.folder, now)
        advance(reached, figure(now))

    return SearchProgress(state, on_stage, on_generation)
