"""`evenhand report`: write an HTML page on a finished balance run."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.cli.session import Session, Work, session_command
from experiments.game import game_of_run
from experiments.observed.observed_experiment import GAME
from experiments.observed.results_file import is_results_file
from experiments.runs.finished_run import FinishedRun, open_finished_run
from experiments.runs.folder_lock import FolderLock
from experiments.runs.json_file import read_object
from experiments.runs.run_folder import RESOLVED
from experiments.screen import Screen
from sim import InputError, write_atomically

_NEEDED = ("jinja2", "plotly")
_FILE = "report.html"
_HEAD = 2000  # bytes at the beginning of a page, which name the program that wrote the page


@session_command("results", "trust")
def report(
    session: Session,
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="A run folder of balance, the experiment that was balanced, or a table of results "
            "after matchups.",
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file to write; default report.html in the run folder."
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Also open the page in the browser.")
    ] = False,
) -> Work:
    """Make one HTML page of a finished balance run, or of observed games.

    The page needs no network connection.
    """
    return partial(
        run_report, run, session.results, session.screen, output=output, open_page=open_page
    )


def run_report(
    reference: str, results: Path, screen: Screen, *, output: Path | None, open_page: bool
) -> Path:
    """Write the report on a finished balance run.

    Args:
        reference: the run's folder, the folder's name below `results`, or the experiment's name.
        results: parent of the run folders.
        screen: where to print the path and the size of the page.
        output: path of the page; `None` for `report.html` in the run folder.
        open_page: whether to open the page in the browser.

    Returns:
        The path of the page.

    Raises:
        InputError: the run does not exist, another process writes it, a package is not installed,
            or `output` exists and is not a report.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        raise InputError(
            "needs packages that are not installed",
            place="evenhand report",
            limit=_NEEDED,
            remedy='run: pip install "evenhand[report]"',
        )
    observed = _observed_run(reference, results)
    run = observed or open_finished_run(reference, results, "balance")
    if observed is None and game_of_run(run.resolved, "report") is None:
        run.require_cards()
    path = output or run.path / _FILE
    _check_output(path)
    # Only a page in the run folder needs its lock: another process may be attacking the run.
    with FolderLock(run.path) if output is None else nullcontext():
        page = _page_of(run, is_observed=observed is not None).encode()
        write_atomically(path, page)
    screen.say(f"Report: {path} ({len(page) / 1e6:.1f} MB)")
    if open_page:
        webbrowser.open(path.resolve().as_uri())
    return path


def _observed_run(reference: str, results: Path) -> FinishedRun | None:
    """Return the run of `matchups` on a table of results that a reference names, if it names one.

    Args:
        reference: the run's folder, the folder's name below `results`, or the path of the table.
        results: parent of the run folders.

    Raises:
        InputError: the run does not exist, is unfinished or damaged.
    """
    if is_results_file(reference):
        run = open_finished_run(Path(reference).stem, results, "matchups")
        if not _is_observed(run.resolved):
            raise InputError(
                "is not a run on a table of results",
                place=run.path,
                value=reference,
                remedy=f"run: evenhand matchups {reference}",
                separator=" ",
            )
        return run
    for path in (Path(reference), results / reference):
        if (path / RESOLVED).is_file():
            is_observed = _is_observed(read_object(path / RESOLVED))
            return open_finished_run(str(path), results, "matchups") if is_observed else None
    return None


def _is_observed(resolved: Mapping[str, Any]) -> bool:
    """Return whether a run is of `matchups` on a table of results, by its `resolved.json`."""
    experiment = resolved.get("experiment")
    return isinstance(experiment, dict) and experiment.get("game") == GAME


def _page_of(run: FinishedRun, *, is_observed: bool) -> str:
    """Return the page of a run.

    Args:
        run: finished run.
        is_observed: whether it is a run of `matchups` on a table of results.
    """
    # The packages of the extra are imported only when a page is made.
    from experiments.report import observed_page, page  # noqa: PLC0415

    return observed_page.observed_page(run) if is_observed else page.report_page(run)


def _check_output(path: Path) -> None:
    """Check that a path is free, or is an empty file or a report that may be replaced.

    Raises:
        InputError: the path is a folder or a file with other content.
    """
    if path.is_dir():
        raise InputError(
            "is a folder",
            place=f"--output {path}",
            value=str(path),
            remedy=f"name a file, such as {path / _FILE}",
        )
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if head.strip() and b'content="evenhand report"' not in head:
            raise InputError(
                "is a file that is not a report, and was not replaced",
                place=f"--output {path}",
                value=str(path),
                remedy="name another file",
            )
