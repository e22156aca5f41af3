"""A run: a command that works on an experiment, its results as data, and its checkpoints."""

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
"""The type of a table's rows (`sim.files.row_file`), and the rows."""


@dataclass(frozen=True)
class Findings:
    """Results of a command.

    Attributes:
        summary: what `--json` prints and `summary.json` holds; `None` if further results follow.
        tables: tables by the names of their CSV files.
        texts: texts by the names of their files.
        figures: functions that draw figures, by the names of their PNG files.
        shown: tables and lines for the screen, in order.
    """

    summary: dict[str, Any] | None = None
    tables: Mapping[str, Rows] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    shown: Sequence[Shown] = ()


ExperimentT = TypeVar("ExperimentT", bound=AnyExperiment)


@dataclass(frozen=True)
class RunOf(Generic[ExperimentT]):
    """A command that works on an experiment.

    Attributes:
        experiment: the experiment.
        folder: folder of the results.
        screen: where progress and results are shown.
        threads: number of threads; default all cores.
        resume: whether to continue a stopped run.
        plots: whether to draw figures.
        began_s: start time, by `time.perf_counter`.
        is_over: whether `resume` found a finished run with nothing left to do.
        closing: lines to show after the place of the results, at the very end.
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
        """Seconds since the start."""
        return time.perf_counter() - self.began_s

    def carry_out(self, work: Callable[[RunOf[ExperimentT]], Findings]) -> dict[str, Any]:
        """Do a command's work, and write its results; the summary is the last file.

        Args:
            work: function that does the work.

        Returns:
            The summary; of a run that is over, the existing one.
        """
        if self.is_over:
            return read_object(self.folder.path / FINISHED)
        workers = current_workers()
        # Lost workers are reported while the games are played, not at the end.
        workers.effort.report = self._report_workers
        findings = work(self)
        self.publish(findings)
        if workers.are_remote:
            self.folder.log(f"{workers.n_workers} workers: {workers.effort.words}")
        (self.folder.path / CHECKPOINT).unlink(missing_ok=True)
        self.folder.log("done")
        return findings.summary or {}

    def _report_workers(self, line: str) -> None:
        """Log and show a line about workers."""
        self.folder.log(line)
        self.screen.note(line)

    def publish(self, findings: Findings) -> None:
        """Write tables, texts, figures and summary, and show tables and lines.

        Args:
            findings: the results.
        """
        for name, (kind, rows) in findings.tables.items():
            self.folder.write_rows(name, kind, rows)
        for name, text in findings.texts.items():
            self.folder.write(name, text)
        if self.plots and findings.figures:
            self._draw(findings.figures)
        self.screen.show(*findings.shown)
        # The summary is written last: it marks the run as finished.
        if findings.summary is not None:
            self.folder.write_json("summary.json", findings.summary)

    def _draw(self, figures: Mapping[str, Callable[[], Figure]]) -> None:
        """Draw and write figures, and show a note if a font lacks characters."""
        from experiments.plots import fonts  # noqa: PLC0415 (matplotlib is slow to load)

        with fonts.missing_characters() as missing:
            for name, draw in figures.items():
                self.folder.write(name, plots.figure_png(draw()))
        if missing:
            self.screen.note(f"figures: {fonts.font_hint(missing)}")

    @contextmanager
    def watched(self, what: str, contest: CardContest, n_games: int) -> Iterator[CardContest]:
        """Show a progress bar of a contest's games while the block runs.

        On a terminal the expected time is shown first.

        Args:
            what: name of the bar.
            contest: cards and players.
            n_games: expected number of games.

        Yields:
            The contest, with a callback that moves the bar.
        """
        if self.screen.is_watched:
            _, game_s = time_games(contest, self.experiment.settings.seed, threads=self.threads)
            self.screen.stage(f"expected: {estimate_words(n_games, n_games * game_s)}")
        with self.screen.games(what, {what: n_games}) as bar:
            bar.begin(what)
            yield replace(contest, on_games=bar.played)

    def report_place(self) -> None:
        """Show where the results are."""
        self.screen.say(f"Results: {self.folder.path}")
        if self.folder.earlier is not None:
            self.screen.say(f"The run that was there before is now {self.folder.earlier}")
        self.screen.show(*self.closing)


Run = RunOf[Experiment]
"""A command that works on an experiment with cards."""


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
    """Open a run in a folder below `results`, which is locked until it is closed.

    Args:
        command: name of the command.
        experiment: the experiment.
        results: parent of the run folders.
        screen: where progress and results are shown. With `resume`, a note says what was found,
            except for a stopped run.
        resume: whether to continue a stopped run.
        plots: whether to draw figures.
        threads: number of threads; default all cores.

    Raises:
        InputError: `resume` finds only a run with other settings, or the folder cannot be opened
            (`open_run_folder`).
    """
    resumption = find_resumption(results, experiment, command) if resume else None
    folder = open_run_folder(results, experiment, command, resume=resume)
    if resumption is not None and resumption.note:
        screen.note(resumption.note)
    is_over = resumption is not None and resumption.is_over
    folder.log(f"{command}, seed {experiment.settings.seed}")
    for agent, pilot in experiment.pilots.items():
        folder.log(f"{agent} is {pilot.path} (sha256 {pilot.content[:12]})")
    return RunOf(experiment, folder, screen, threads, resume, plots, is_over)


# Errors that numpy and zipfile raise for damaged archives.
_DAMAGE = (
    *(OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile),
    MemoryError,  # an array with a damaged header may claim any size
)
_StateT = TypeVar("_StateT", bound="DataclassInstance")
_Array = npt.NDArray[Any]


def save_checkpoint(folder: RunFolder, state: DataclassInstance) -> None:
    """Write the state of a search to the run folder.

    Args:
        folder: the run folder.
        state: a dataclass with fields that are arrays, integers, or such dataclasses.
    """
    folder.write_arrays(CHECKPOINT, **dict(_arrays_of(state)))


def load_checkpoint(folder: RunFolder, kind: type[_StateT]) -> _StateT | None:
    """Return the state to continue from; `None` if there is no checkpoint.

    Args:
        folder: the run folder.
        kind: type of the state.

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
        _check_numbers_only(data)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return _build_state(kind, arrays.__getitem__)
    except _DAMAGE as error:
        raise InputError(
            f"damaged ({error})", place=path, remedy="delete it or run without --resume"
        ) from error


def _check_numbers_only(data: bytes) -> None:
    """Check that an archive has no array of Python objects.

    Numpy would refuse it too, with a message that suggests to load it unsafely.

    Args:
        data: bytes of a plain archive.

    Raises:
        ValueError: there is such an array.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            with archive.open(name) as part:
                version = np.lib.format.read_magic(part)
                read_header = (
                    np.lib.format.read_array_header_1_0
                    if version == (1, 0)
                    else np.lib.format.read_array_header_2_0
                )
                _, _, kind = read_header(part)
                if kind.hasobject:
                    raise ValueError("more than arrays")


def _arrays_of(state: DataclassInstance, prefix: str = "") -> Iterator[tuple[str, _Array]]:
    """Yield all arrays of a state by name; an inner dataclass has its own name as prefix."""
    for attribute in fields(state):
        value = getattr(state, attribute.name)
        if is_dataclass(value) and not isinstance(value, type):
            yield from _arrays_of(value, f"{prefix}{attribute.name}_")
        else:
            yield prefix + attribute.name, np.asarray(value)


def _build_state(kind: type[_StateT], array: Callable[[str], _Array], prefix: str = "") -> _StateT:
    """Return a state from its arrays.

    Args:
        kind: type of the state.
        array: function that returns an array by its name.
        prefix: prefix of the names.
    """
    values: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        if is_dataclass(hint) and isinstance(hint, type):
            values[name] = _build_state(hint, array, f"{prefix}{name}_")
        else:
            value = array(prefix + name)
            values[name] = int(value) if hint is int else value
    return kind(**values)


StateT = TypeVar("StateT", bound="SearchState")


@dataclass(frozen=True)
class SearchProgress(Generic[StateT]):
    """Start of a search, and its callbacks.

    Attributes:
        state: state to continue from; `None` to begin.
        on_stage: callback, called with a description of each stage.
        on_generation: callback, called with the state after each generation.
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
    """Return the start and the callbacks of a search that writes checkpoints and moves a bar.

    Args:
        run: the run; its folder has the checkpoint.
        kind: type of the search's states.
        figure: function that returns the bar's text for a state.
        advance: function that moves the bar.
    """
    state = load_checkpoint(run.folder, kind) if run.resume else None
    reached = 0 if state is None else state.generation
    if state is not None:
        run.screen.note(f"continuing after generation {reached}")

    def on_stage(stage: str) -> None:
        """Log and show a stage."""
        run.folder.log(stage)
        advance(reached, stage)

    def on_generation(current: StateT) -> None:
        """Write a checkpoint, and move the bar."""
        nonlocal reached
        reached = current.generation
        save_checkpoint(run.folder, current)
        advance(reached, figure(current))

    return SearchProgress(state, on_stage, on_generation)
