"""Session of a command: the values of the shared options, and what a command does with them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from balance.settings.tables import Stage
from experiments.cli.exit_status import EXIT_FAILED
from experiments.cli.options import MATCHUP_GAMES_MAX, integer, workers_choice
from experiments.files.option_errors import option_error
from experiments.files.stale_sheet import stale_sheet_note
from experiments.game import AnyExperiment, named_experiment
from experiments.long_games import long_games_reported
from experiments.runs.json_file import to_json
from experiments.runs.run import Findings, Run, open_run
from experiments.screen import Screen
from experiments.simulator.trust import trusting
from experiments.workers.choice import WorkersChoice
from sim.errors import error_place
from sim.interruption import uninterrupted
from sim.play.workers.current import using_threads, working_with
from sim.seeds import SEED_MAX

MEASURING = ("results", "seed", "threads", "workers", "json", "plots", "trust")
"""Names of the shared options of commands that write a run folder with figures."""
RESUMING = (*MEASURING, "resume")
"""Names of the shared options of commands that also continue a stopped run."""

Work = Callable[[], object]
"""Work of a command, to be called after its options are checked and its code is compiled."""


@dataclass(frozen=True)
class Session:
    """Values of the shared options of a command, and methods that run the command with them.

    The annotation of each field declares its option, with the help text.
    """

    results: Annotated[Path, typer.Option(help="Parent folder of the run folders.")] = Path(
        "results"
    )
    seed: Annotated[
        int | None, integer(0, SEED_MAX, "Run seed; default the seed of the experiment's file.")
    ] = None
    agent: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Agent that plays all decks in this run, such as light."),
    ] = None
    games: Annotated[
        int | None,
        integer(
            4,
            MATCHUP_GAMES_MAX,
            "Games per matchup; an even number; default the value of [games] matchups.",
        ),
    ] = None
    preset: Annotated[
        str | None,
        typer.Option(
            help="Name of a set of defaults for the settings that the file leaves out, such as "
            "thesis."
        ),
    ] = None
    threads: Annotated[
        int | None, integer(1, 1024, "Number of threads; the same as --workers threads:N.")
    ] = None
    workers: Annotated[
        WorkersChoice | None,
        typer.Option(
            "--workers",
            parser=workers_choice,
            metavar="KIND",
            help="What plays the games: threads:N, processes:N or ray; default one thread for "
            "each core.",
        ),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Continue a run that was stopped.")] = (
        False
    )
    json: Annotated[
        bool, typer.Option("--json", help="Print the summary as JSON, and nothing else.")
    ] = False
    plots: Annotated[
        bool, typer.Option("--plots/--no-plots", help="Whether to draw the figures.")
    ] = True
    prices: Annotated[
        bool,
        typer.Option(
            "--prices",
            help="Also measure smaller patches, and show which games or band certify them.",
        ),
    ] = False
    trust: Annotated[
        bool,
        typer.Option("--trust", help="Run the code that the experiment's file names, from now on."),
    ] = False

    def with_thread_count(self) -> Session:
        """Return the session with the number of threads from `--workers`, if it names threads.

        Raises:
            InputError: both `--workers` and `--threads` are given.
        """
        if self.workers is None:
            return self
        if self.threads is not None:
            raise option_error(
                "workers",
                f"cannot be given together with --threads (value: {self.workers})",
                value=str(self.workers),
                remedy="leave one of them out",
            )
        return self if self.workers.are_remote else replace(self, threads=self.workers.n)

    def use_threads(self) -> AbstractContextManager[object]:
        """Return a context in which the chosen number of threads plays, if one is chosen."""
        if self.threads is None:
            return nullcontext()
        return using_threads(self.threads)

    def report_long_games(self) -> AbstractContextManager[object]:
        """Return a context that reports unusually long games on standard error."""
        return long_games_reported(self.screen.note)

    def connect_workers(self) -> AbstractContextManager[object]:
        """Return a context in which remote workers play, if `--workers` chooses them."""
        if self.workers is None or not self.workers.are_remote:
            return nullcontext()
        return working_with(self.workers.connect(self.screen.note))

    @property
    def screen(self) -> Screen:
        """Output of the command; with `--json`, only the summary is printed on standard output."""
        return Screen(json=self.json)

    def run(
        self,
        command: str,
        name: str,
        check: Callable[[Any], Any],
        work: Callable[[Any], Findings],
        load: Callable[[str, Path], Any] | None = None,
        total: int | None = None,
        stage: Stage = "matchups",
    ) -> None:
        """Load an experiment, do a command's work in its run folder, and print the folder's path.

        Args:
            command: name of the command, which becomes a part of the folder's name.
            name: the experiment's file, or the name of a shipped experiment.
            check: function that refuses an experiment the command cannot use, before anything is
                written. It may return a changed experiment, for example with trained agents loaded.
            work: function that fills the run folder and returns the findings.
            load: function that reads the experiment; `None` to choose the functions for loading,
                checking and working by the experiment's game.
            total: total number of games of all stages of a search; `None` for the experiment's
                setting.
            stage: key in `[games]` that the option `--games` sets.

        Raises:
            Exit: a patch or a deck is not certified, or a scenario failed.
        """
        with ExitStack() as stack:
            # Loading compiles agents; interrupted by Ctrl-C, the cache would be incomplete.
            with uninterrupted():
                if load is None:
                    load, check, work = self._game_functions(command, name, check, work, total)
                run = self._open_run(command, name, check, load, stage)
                stack.enter_context(run.folder.lock)
            self._leave(run.carry_out(work), run)

    def _game_functions(
        self, command: str, name: str, check: Any, work: Any, total: int | None
    ) -> tuple[Any, Any, Any]:
        """Return the functions that load, check and process an experiment of its game.

        Args:
            command: name of the command.
            name: the experiment's file, or the name of a shipped experiment.
            check: usual function that checks an experiment.
            work: usual function that does the work.
            total: total number of games of all stages; `None` if the command line sets none.

        Raises:
            InputError: the game of the experiment does not support the command or an option.
        """
        named = named_experiment(name)
        game = named.game
        with error_place(named.path):
            game.require(command)
        check, work = game.functions.get(command, (check, work))
        of_games = "games" if total is None else "total"
        for option, key, value in (
            ("agent", "agent", self.agent),
            ("games", of_games, self.games or total),
        ):
            if value is not None and key not in game.options:
                raise option_error(
                    option,
                    f"applies only to card games, not to {game.name!r} (value: {value})",
                    value=value,
                    remedy=f"write the setting in {named.path} instead",
                )
        if self.preset is not None and "preset" not in game.options:
            raise option_error(
                "preset",
                f"applies only to card games, not to {game.name!r} (value: {self.preset!r})",
                value=self.preset,
                remedy="leave the option out",
            )
        remote = self.workers is not None and self.workers.are_remote
        if remote and "workers" not in game.options:
            raise option_error(
                "workers",
                f"{game.name!r} can be played by threads only, not by {self.workers}",
                value=str(self.workers),
                limit="threads:N",
                remedy="use threads:N, or leave the option out",
            )
        load = partial(named.load, preset=self.preset, agent=self.agent, total=total)
        return lambda _, results: load(results=results), check, work

    def _open_run(
        self,
        command: str,
        name: str,
        check: Callable[[Any], Any],
        load: Callable[[str, Path], Any],
        stage: Stage,
    ) -> Run:
        """Load and check an experiment with the options' seed and games; open its run folder."""
        experiment = load(name, self.results).with_seed(self.seed)
        if self.games is not None:
            experiment = experiment.with_games(self.games, stage)
        self._note_stale_sheet(experiment)
        for player, other in getattr(experiment, "merged", {}).items():
            self.screen.note(
                f"player {player} is left out: with one agent for all decks it is the same as "
                f"player {other}"
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
            prices=self.prices,
        )

    def _note_stale_sheet(self, experiment: AnyExperiment) -> None:
        """Print a note if the cards' sheet was edited after it was last imported."""
        pool = getattr(experiment.settings, "pool", None)  # Big Two has no cards
        if isinstance(pool, str) and (note := stale_sheet_note(pool, experiment.path)):
            self.screen.note(note)

    def attack(
        self,
        work: Callable[..., tuple[Run, dict[str, Any]]],
        reference: str,
        options: dict[str, Any],
    ) -> None:
        """Attack a finished balance run, and print the path of its folder.

        Args:
            work: function that attacks the run and returns the run and the summary.
            reference: the run's folder or its name, or the name of the run's experiment.
            options: `agent`, `rounds` and `seed`, if the command line sets them.
        """
        run, summary = work(
            reference,
            self.results,
            self.screen,
            options,
            resume=self.resume,
            draws=self.plots,
        )
        self._leave(summary, run)

    def measure(self, work: Callable[[Screen], Findings]) -> None:
        """Do work that writes no run folder, print its findings, and exit if it has failed."""
        screen = self.screen
        findings = work(screen)
        screen.show(*findings.shown)
        self._leave(findings.summary or {})

    def _leave(self, summary: dict[str, Any], run: Run | None = None) -> None:
        """Print the summary if `--json` is set, and the path of the run folder if there is one.

        Raises:
            Exit: a patch or a deck is not certified, or a scenario failed.
        """
        if self.json:
            sys.stdout.write(to_json(summary))
        if run is not None:
            run.report_place()
        if summary.get("certified") is False or summary.get("failed"):
            raise typer.Exit(EXIT_FAILED)


def session_command(*options: str) -> Callable[[Callable[..., Work]], Callable[..., None]]:
    """Return a decorator that turns a function into a command with shared options.

    The function receives a `Session` and its own options. It checks them and loads compiled code,
    uninterrupted by Ctrl-C, and returns the work to do.

    Args:
        options: names of the shared options of the command; other options keep their defaults.
    """

    def command_of(load: Callable[..., Work]) -> Callable[..., None]:
        @wraps(load)
        def command(**given: Any) -> None:
            shared = {name: given.pop(name) for name in options}
            session = Session(**shared).with_thread_count()
            with session.use_threads(), trusting(is_given=session.trust):
                with uninterrupted():
                    work = load(session, **given)
                plays = "threads" in options
                long_games = session.report_long_games() if plays else nullcontext()
                with long_games, session.connect_workers():
                    work()

        # Typer reads the options of a command from its signature and its annotations.
        _, *own = signature(load, eval_str=True).parameters.values()
        parameters = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in own]
        parameters += _session_parameters(options)
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return command

    return command_of


def _session_parameters(names: tuple[str, ...]) -> list[Parameter]:
    """Return the parameters of a command for shared options, in the order of `Session`'s fields.

    Args:
        names: names of the shared options of the command.
    """
    hints = get_type_hints(Session, include_extras=True)
    return [
        Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(Session)
        if field.name in names
    ]
