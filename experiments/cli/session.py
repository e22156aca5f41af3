"""Options that commands have in common, and a session: what running a command is."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from experiments.files.option_errors import given, option_error
from experiments.workers.wanted import Wanted, wanted
from sim.errors import error_place
from sim.interruption import uninterrupted

if TYPE_CHECKING:
    from experiments.experiment import Experiment
    from experiments.runs.run import Findings, Run
    from experiments.screen import Screen


SEED_MAX = 2**63 - 1  # as in `sim.seeds`, which is slow to import
GAME_MAX = 2**63 - 1
MATCHUP_GAMES_MAX = 100_000_000  # as `balance.settings.GameCount`
STEPS_MAX = 10**11  # as in `agents.dqn.settings`


def integer(low: int, high: int, help_text: str) -> Any:
    """An option that is a whole number, whose messages name the value and the limits."""

    def parse(given: str | int) -> int:
        text = str(given)  # an option's default comes as a number
        if re.fullmatch(r"[+-]?[0-9]{1,30}", text) and low <= int(text) <= high:
            return int(text)
        raise typer.BadParameter(f"{text!r} must be a whole number from {low} to {high}")

    return typer.Option(parser=parse, metavar="INTEGER", help=help_text)


def number(low: float, high: float, help_text: str) -> Any:
    """The same for numbers with a decimal point."""

    def parse(given: str | float) -> float:
        try:
            number = float(given)
        except ValueError:
            number = float("nan")
        if low <= number <= high:  # which NaN is not
            return number
        from sim.files.validation import share_hint  # noqa: PLC0415 (loads slowly)

        hint = share_hint(number) if high == 1 else ""
        told = f"{str(given)!r} must be a number from {low:g} to {high:g}{hint}"
        raise typer.BadParameter(told)

    return typer.Option(parser=parse, metavar="NUMBER", help=help_text)


def _workers(given: str) -> Wanted:
    """Who `--workers` wants."""
    try:
        return wanted(given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


ExperimentName = Annotated[
    str, typer.Argument(metavar="EXPERIMENT", help="An experiment file, or a shipped name.")
]
Collection = Annotated[
    Path | None, typer.Option(help="CSV of the cards that are owned, and how many.")
]

Within = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="Of the cards' sheet: one value a deck, such as one faction."
    ),
]


MEASURING = ("results", "seed", "threads", "workers", "json", "plots")
"""Options of the session that commands with a run folder and figures have."""
EXIT_FAILED = 1  # not certified, or some scenario came out otherwise

Work = Callable[[], object]
"""What is left of a command once everything that it needs is loaded."""


@dataclass(frozen=True)
class Session:
    """The options that mean the same for every command that has them."""

    results: Annotated[Path, typer.Option(help="Parent of the run folders.")] = Path("results")
    seed: Annotated[int | None, integer(0, SEED_MAX, "Run seed instead of the file's.")] = None
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Who pilots all decks, for this run only, such as light."
        ),
    ] = None
    games: Annotated[
        int | None,
        integer(4, MATCHUP_GAMES_MAX, "Per matchup; default as [games] matchups; even."),
    ] = None
    preset: Annotated[
        str | None,
        typer.Option(help="A word for settings that the file leaves open; one is `thesis`."),
    ] = None
    threads: Annotated[int | None, integer(1, 1024, "Short for --workers threads:N.")] = None
    workers: Annotated[
        Wanted | None,
        typer.Option(
            "--workers",
            parser=_workers,
            metavar="WHO",
            help="threads:N, processes:N or ray; default a thread for each core.",
        ),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Continue a run that was stopped.")] = (
        False
    )
    json: Annotated[bool, typer.Option("--json", help="Print the summary, as JSON.")] = False
    plots: Annotated[bool, typer.Option("--plots/--no-plots", help="Draw the figures.")] = True

    def settled(self) -> Session:
        """The session, with so many threads if its workers are threads.

        Raises:
            InputError: it is told twice who works.
        """
        if self.workers is None:
            return self
        if self.threads is not None:
            raise option_error("workers", f"{self.workers}: is what --threads says; give one")
        return self if self.workers.are_remote else replace(self, threads=self.workers.n)

    def watched(self) -> AbstractContextManager[object]:
        """A block in which games that take long are told of on standard error."""
        from experiments.long_games import long_games_reported  # noqa: PLC0415 (loads slowly)

        return long_games_reported(self.screen.note)

    def at_work(self) -> AbstractContextManager[object]:
        """A block that has the workers at hand, if they are not threads."""
        if self.workers is None or not self.workers.are_remote:
            return nullcontext()
        from sim.play.workers.current import working_with  # noqa: PLC0415 (loads slowly)

        return working_with(self.workers.connected(self.screen.note))

    @property
    def screen(self) -> Screen:
        """Where to report; silent while the summary goes to standard output."""
        from experiments.screen import Screen  # noqa: PLC0415 (loads slowly)

        return Screen(json=self.json)

    def run(
        self,
        command: str,
        name: str,
        check: Callable[[Experiment], Experiment | None],
        work: Callable[[Run], Findings],
        load: Callable[[str, Path], Experiment] | None = None,
        total: int | None = None,
    ) -> None:
        """Load an experiment, do a command's work in a run folder, and say where it is.

        Args:
            command: its name, which goes into the folder's.
            name: the experiment's file, or a shipped name.
            check: refuses the experiment while the results are still as they were; where it finds
                out more about the experiment, it returns it anew.
            work: what fills the folder.
            load: reads it; default as its game does, which then also has its own check and work.
            total: games of all stages of a search together; default as the file says.
        """
        with ExitStack() as held:
            with uninterrupted():  # compiles agents
                if load is None:
                    load, check, work = self._of_its_game(command, name, check, work, total)
                run = self._opened(command, name, check, load)
                held.enter_context(run.folder.lock)
            self._leave(run.carry_out(work), run)

    def _of_its_game(
        self, command: str, name: str, check: Any, work: Any, total: int | None
    ) -> tuple[Any, Any, Any]:
        """What reads an experiment, checks it and does a command's work; cards' if it has cards."""
        from experiments.game import game_of  # noqa: PLC0415
        from experiments.loading import load_experiment  # noqa: PLC0415

        path, game = game_of(name)
        if game is None:
            load = partial(load_experiment, preset=self.preset, agent=self.agent, total=total)
            return load, check, work
        with error_place(path):
            check, work = game.command(command)
        for option, value in given(agent=self.agent, games=self.games or total).items():
            raise option_error(option, f"{value}: is for games of cards; say it in {path} instead")
        if self.preset is not None:
            raise option_error("preset", f"{self.preset!r}: has no meaning in {game.name!r}")
        if self.workers is not None and self.workers.are_remote:
            problem = f"{self.workers}: {game.name!r} is played by threads only"
            raise option_error("workers", problem)
        return lambda *_: game.load(path), check, work

    def _opened(
        self,
        command: str,
        name: str,
        check: Callable[[Experiment], Experiment | None],
        load: Callable[[str, Path], Experiment],
    ) -> Run:
        from experiments.runs.run import open_run  # noqa: PLC0415

        experiment = load(name, self.results).with_seed(self.seed)
        if self.games is not None:
            experiment = experiment.with_games(self.games)
        self._note_stale_sheet(experiment)
        for player, other in getattr(experiment, "merged", {}).items():
            self.screen.note(
                f"{player} is left out: with one agent for all decks it is the same as {other}"
            )
        with error_place(experiment.path):
            experiment = check(experiment) or experiment
        return open_run(
            command,
            experiment,
            self.results,
            self.screen,
            resume=self.resume,
            plots=self.plots,
            threads=self.threads,
        )

    def _note_stale_sheet(self, experiment: Experiment) -> None:
        """Say where the sheet of an experiment's cards was edited and not imported."""
        from experiments.files.stale_sheet import stale_sheet_note  # noqa: PLC0415

        pool = getattr(experiment.settings, "pool", None)  # Big Two has no cards
        if isinstance(pool, str) and (note := stale_sheet_note(pool, experiment.path)):
            self.screen.note(note)

    def attack(
        self,
        work: Callable[..., tuple[Run, dict[str, Any]]],
        reference: str,
        told: dict[str, Any],
    ) -> None:
        """Attack the balance run that `reference` stands for, and say where it is."""
        run, summary = work(
            reference,
            self.results,
            self.screen,
            told,
            resume=self.resume,
            draws=self.plots,
            threads=self.threads,
        )
        self._leave(summary, run)

    def measure(self, work: Callable[[Screen], Findings]) -> None:
        """Do what needs no run folder, show what was found, and leave."""
        screen = self.screen
        findings = work(screen)
        screen.show(*findings.shown)
        self._leave(findings.summary or {})

    def _leave(self, summary: dict[str, Any], run: Run | None = None) -> None:
        """Print the summary if it is wanted, say where all is, and leave with its verdict."""
        from experiments.runs.json_file import to_json  # noqa: PLC0415

        if self.json:
            sys.stdout.write(to_json(summary))
        if run is not None:
            run.report_place()
        if summary.get("certified") is False or summary.get("failed"):
            raise typer.Exit(EXIT_FAILED)


def offering(*options: str) -> Callable[[Callable[..., Work]], Callable[..., None]]:
    """Make a command of a function that takes a `Session`, then options of its own.

    The function loads what the command needs, which Ctrl-C does not interrupt, and returns the
    work.

    Args:
        options: those of the session that the command has; the others keep their defaults.
    """

    def command_of(load: Callable[..., Work]) -> Callable[..., None]:
        @wraps(load)
        def command(**given: Any) -> None:
            session = Session(**{name: given.pop(name) for name in options}).settled()
            with uninterrupted():
                work = load(session, **given)
            plays = "threads" in options
            with session.watched() if plays else nullcontext(), session.at_work():
                work()

        _, *own = signature(load, eval_str=True).parameters.values()
        parameters = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own] + _shared(options)
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return command

    return command_of


def _shared(names: tuple[str, ...]) -> list[Parameter]:
    """The parameters of a command that are fields of its session."""
    hints = get_type_hints(Session, include_extras=True)
    return [
        Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[one.name])
        for one in fields(Session)
        if one.name in names
    ]
