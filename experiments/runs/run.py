"""Runs of commands on experiments: results as data, their output, and checkpoints of searches."""

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

from balance.cards.game_time import time_games
from experiments import plots
from experiments.experiment import Experiment
from experiments.game import AnyExperiment
from experiments.runs.finished_run import FINISHED
from experiments.runs.json_file import read_object
from experiments.runs.resumption import find_resumption
from experiments.runs.run_folder import CHECKPOINT, ROUNDS, RunFolder, open_run_folder
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
        """Interface of a search state that a checkpoint can store."""

        @property
        def generation(self) -> int:
            """Number of the last finished generation."""


Rows = tuple[Kind[Any], Iterable[Any]]
"""Type of the rows of a table (`sim.files.row_file`), and the rows."""


@dataclass(frozen=True)
class Findings:
    """Results of a command, or of a part of it.

    Attributes:
        summary: content of `summary.json`, which `--json` prints; `None` if further results follow.
        tables: tables of results, by the names of their CSV files.
        texts: texts, by the names of their files.
        figures: functions that draw figures, by the names of the PNG files.
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
    """Run of a command on an experiment.

    Attributes:
        experiment: experiment that the command works on.
        folder: folder into which results are written.
        screen: screen on which progress and results are shown.
        resume: whether to continue a stopped run.
        plots: whether to draw figures.
        prices: whether to measure a price list of smaller patches.
        began_s: start time in seconds, by `time.perf_counter`.
        is_over: whether `resume` found a finished run to which nothing can be added.
        closing: lines that are shown last, after the path of the results.
    """

    experiment: ExperimentT
    folder: RunFolder
    screen: Screen
    resume: bool = False
    plots: bool = True
    prices: bool = False
    is_over: bool = False
    began_s: float = field(default_factory=time.perf_counter)
    closing: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """Time since the start of the run, in seconds."""
        return time.perf_counter() - self.began_s

    def carry_out(self, work: Callable[[RunOf[ExperimentT]], Findings]) -> dict[str, Any]:
        """Do the work of a command, publish its results, and delete files of unfinished work.

        Args:
            work: function that does the work and returns the results.

        Returns:
            The summary. If the run is already over, it is the existing summary, and no work is
            done.
        """
        if self.is_over:
            return read_object(self.folder.path / FINISHED)
        workers = current_workers()
        # Set before the work, so that lost workers are reported at once.
        workers.effort.report = self._report_workers
        findings = work(self)
        self.publish(findings)
        if workers.are_remote:
            self.folder.log(f"{workers.n_workers} workers: {workers.effort.words}")
        for unfinished in (CHECKPOINT, ROUNDS):
            (self.folder.path / unfinished).unlink(missing_ok=True)
        self.folder.log("done")
        return findings.summary or {}

    def _report_workers(self, line: str) -> None:
        """Write a line about workers to the log, and show it on the screen."""
        self.folder.log(line)
        self.screen.note(line)

    def publish(self, findings: Findings) -> None:
        """Write tables, texts and figures, show results on the screen, and write the summary.

        Args:
            findings: results to publish.
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
        """Draw figures into files, and show a note if the font lacks characters.

        Args:
            figures: functions that draw figures, by the names of the PNG files.
        """
        from experiments.plots import fonts  # noqa: PLC0415 (matplotlib is slow to load)

        with fonts.missing_characters() as missing:
            for name, draw in figures.items():
                self.folder.write(name, plots.figure_png(draw()))
        if missing:
            self.screen.note(f"figures: {fonts.font_hint(missing)}")

    @contextmanager
    def watched(self, what: str, contest: CardContest, n_games: int) -> Iterator[CardContest]:
        """Show a progress bar of a contest's games while the block runs.

        If the screen is watched, a few games are timed and the expected time is shown first.

        Args:
            what: name of the bar.
            contest: contest in which the games are played.
            n_games: expected number of games.

        Yields:
            The contest with a callback that advances the bar, which must be used for the games.
        """
        if self.screen.is_watched:
            _, game_s = time_games(contest, self.experiment.settings.seed)
            self.screen.stage(f"expected: {estimate_words(n_games, n_games * game_s)}")
        with self.screen.games(what, {what: n_games}) as bar:
            bar.begin(what)
            yield replace(contest, on_games=bar.played)

    def report_place(self) -> None:
        """Show the path of the results, the new path of an earlier run, and the closing lines."""
        self.screen.say(f"Results: {self.folder.path}")
        if self.folder.earlier is not None:
            self.screen.say(f"The run that was there before is now {self.folder.earlier}")
        self.screen.show(*self.closing)


Run = RunOf[Experiment]
"""Run of a command on an experiment with cards."""


def open_run(
    command: str,
    experiment: ExperimentT,
    results: Path,
    screen: Screen,
    *,
    resume: bool = False,
    plots: bool = True,
    prices: bool = False,
) -> RunOf[ExperimentT]:
    """Open a run in a folder below `results`, and lock the folder until the caller releases it.

    Args:
        command: name of the command.
        experiment: experiment that the command works on.
        results: parent of the run folders.
        screen: screen that shows progress and results, and with `resume` which run continues.
        resume: whether to continue a stopped run.
        plots: whether to draw figures.
        prices: whether to measure a price list of smaller patches.

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
    return RunOf(experiment, folder, screen, resume, plots, prices, is_over)


# Errors that numpy and zipfile raise for damaged archives.
_DAMAGE = (
    *(OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile),
    MemoryError,  # an array with a damaged header may claim any size
)
_StateT = TypeVar("_StateT", bound="DataclassInstance")
_Array = npt.NDArray[Any]


def save_checkpoint(folder: RunFolder, state: DataclassInstance) -> None:
    """Write the state of a search to the checkpoint of a run folder.

    Args:
        folder: run folder of the search.
        state: dataclass with fields that are arrays, integers, or dataclasses of this kind.
    """
    folder.write_arrays(CHECKPOINT, **dict(_arrays_of(state)))


def load_checkpoint(folder: RunFolder, kind: type[_StateT]) -> _StateT | None:
    """Return the state in the checkpoint of a run folder; `None` if there is no checkpoint.

    Args:
        folder: run folder of the search.
        kind: type of the state.

    Raises:
        InputError: the checkpoint is damaged.
    """
    path = folder.path / CHECKPOINT
    if not path.exists():
        return None
    try:
        # Read from memory, because `np.load` would leave a damaged file open.
        data = read_archive(path)
        check_plain_archive(data)
        _check_numbers_only(data)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return _build_state(kind, arrays.__getitem__)
    except _DAMAGE as error:
        raise InputError(
            f"damaged: {error}", place=path, remedy="delete the file, or run without --resume"
        ) from error


def _check_numbers_only(data: bytes) -> None:
    """Check that an archive of arrays contains no array of Python objects.

    Numpy would reject such an array too, but its message suggests unsafe loading.

    Args:
        data: bytes of an archive that `check_plain_archive` accepts.

    Raises:
        ValueError: an array contains Python objects.
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
    """Yield the names and arrays of all fields of a state.

    Args:
        state: dataclass with fields that are arrays, integers, or dataclasses of this kind.
        prefix: prefix of the names; for fields of an inner dataclass its name and an underscore.
    """
    for attribute in fields(state):
        value = getattr(state, attribute.name)
        if is_dataclass(value) and not isinstance(value, type):
            yield from _arrays_of(value, f"{prefix}{attribute.name}_")
        else:
            yield prefix + attribute.name, np.asarray(value)


def _build_state(kind: type[_StateT], array: Callable[[str], _Array], prefix: str = "") -> _StateT:
    """Return a state that is rebuilt from its arrays, the inverse of `_arrays_of`.

    Args:
        kind: type of the state.
        array: function that returns an array by its name.
        prefix: prefix of the names; for fields of an inner dataclass its name and an underscore.
    """
    values: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        if is_dataclass(hint) and isinstance(hint, type):
            values[name] = _build_state(hint, array, f"{prefix}{name}_")
        else:
            value = array(prefix + name)
            # Integers are stored as arrays without dimensions.
            values[name] = int(value) if hint is int else value
    return kind(**values)


StateT = TypeVar("StateT", bound="SearchState")


@dataclass(frozen=True)
class SearchProgress(Generic[StateT]):
    """Initial state of a search and the callbacks that report its progress.

    Attributes:
        state: state from which the search continues; `None` if it starts anew.
        on_stage: callback, called with a description of each stage as it begins.
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
    """Return the initial state and the callbacks of a search with checkpoints and a progress bar.

    Args:
        run: run of the search, with the folder of the checkpoint.
        kind: type of the states of the search.
        figure: function from a state to the text of the bar.
        advance: function that sets the position and the text of the bar.

    Raises:
        InputError: the checkpoint of a continued run is damaged.
    """
    state = load_checkpoint(run.folder, kind) if run.resume else None
    reached = 0 if state is None else state.generation
    if state is not None:
        run.screen.note(f"continuing after generation {reached}")

    def on_stage(stage: str) -> None:
        """Write a stage to the log, and show it at the bar."""
        run.folder.log(stage)
        advance(reached, stage)

    def on_generation(current: StateT) -> None:
        """Write a checkpoint of a state, and advance the bar."""
        nonlocal reached
        reached = current.generation
        save_checkpoint(run.folder, current)
        advance(reached, figure(current))

    return SearchProgress(state, on_stage, on_generation)
