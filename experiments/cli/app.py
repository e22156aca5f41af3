"""Command line: the list of all commands, the commands without a run folder, and exit statuses.

Slow imports are inside the commands that need them, so that `--help` responds immediately.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.main import get_command

from experiments.cli import run_commands
from experiments.cli.card_commands import (
    COLUMN_HELP,
    KIND_HELP,
    NOTE_HELP,
    SHEET_HELP,
    cards_app,
    deck_app,
)
from experiments.cli.entry import EXIT_BAD_INPUT, EXIT_INTERRUPTED
from experiments.cli.session import (
    GAME_MAX,
    MEASURING,
    SEED_MAX,
    ExperimentName,
    Session,
    Work,
    integer,
    session_command,
    uneven_games_error,
)
from experiments.cli.suite_commands import suite_app
from experiments.cli.usage import usage_message
from experiments.cli.whatif_commands import compare, whatif, workbench
from experiments.cli.workers_commands import workers_app
from experiments.files.option_errors import given
from experiments.runs import RESUMABLE
from sim.errors import InputError, readable


@session_command("results", "seed", "agent", "json")
def replay(
    session: Session,
    experiment: ExperimentName,
    *,
    game: Annotated[
        int | None,
        integer(0, GAME_MAX, "Index of the game in its stream of seeds; default 0."),
    ] = None,
    first: Annotated[str | None, typer.Option(help="Name of the player who moves first.")] = None,
    second: Annotated[str | None, typer.Option(help="Name of the player who moves second.")] = None,
    purpose: Annotated[
        str | None,
        typer.Option(help="Stream of game seeds, named by its purpose; default matchups."),
    ] = None,
    why: Annotated[
        bool,
        typer.Option("--why", help="Also print the options that each agent compared."),
    ] = False,
    turn: Annotated[
        int | None,
        integer(0, GAME_MAX, "Print only this turn, in full detail; 0 is the start of the game."),
    ] = None,
) -> Work:
    """Print one game, move by move.

    By default, the game is the first one that `matchups` plays.
    """
    from experiments.commands.replay import ReplayView, run_replay  # noqa: PLC0415

    text = partial(
        run_replay,
        experiment,
        game=game,
        first=first,
        second=second,
        purpose=purpose,
        seed=session.seed,
        agent=session.agent,
        results=session.results,
        view=ReplayView(why=why, turn=turn, json=session.json),
    )
    return lambda: sys.stdout.write(text())


@session_command("results", "seed")
def play(
    session: Session,
    experiment: Annotated[
        str,
        typer.Argument(
            metavar="EXPERIMENT",
            help="An experiment file, the name of a shipped experiment, or a saved game.",
        ),
    ],
    *,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT", help="The seat that you take: first, second and so on; default first."
        ),
    ] = None,
    own: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="PLAYER", help="Name of the player; you play that player's deck."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Name of another player; the opponent plays that player's deck."
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(help="The agent that plays the opponent; default that player's own agent."),
    ] = None,
    game: Annotated[
        int | None,
        integer(0, GAME_MAX, "Index of the game; default the first one not played yet."),
    ] = None,
) -> Work:
    """Play a game yourself, at the terminal.

    By default, you play the first deck of the first matchup. The game is saved after every action.
    """
    from experiments.commands.conversation import Terminal  # noqa: PLC0415
    from experiments.commands.play import open_game  # noqa: PLC0415
    from experiments.game import Place  # noqa: PLC0415

    terminal = Terminal()
    place = Place(seat, own, against, agent)
    opened = open_game(
        experiment,
        place,
        index=game,
        seed=session.seed,
        results=session.results,
        width=terminal.width,
    )
    return partial(opened.hold, terminal)


@session_command(*MEASURING)
def agents(
    session: Session,
    *,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="EXPERIMENT",
            help="Measure agents by a round robin in mirrors of this experiment's decks.",
        ),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            "--agents", metavar="NAME,NAME", help="The agents to measure; default all of them."
        ),
    ] = None,
    games: Annotated[
        int | None,
        integer(
            4, GAME_MAX, "Games of each pair of agents in each mirror; an even number; default 200."
        ),
    ] = None,
) -> Work:
    """List the agents that experiments may name, or measure them.

    The measurement is a round robin in mirrors of decks. Each agent gets a rating, and the time of
    its turns is measured.
    """
    from experiments.commands.agents import (  # noqa: PLC0415
        GAMES_OF_A_PAIR,
        ask_agents,
        list_agents,
        names_to_measure,
        run_agents,
    )

    if measure is None:
        without_meaning = given(
            agents=names, games=games, seed=session.seed, workers=session.workers,
            threads=session.threads,
        )  # fmt: skip
        if not session.plots:
            without_meaning["no-plots"] = ""
        if session.results != Session.results:
            without_meaning["results"] = session.results
        for name, value in without_meaning.items():
            raise InputError(
                "has no effect without --measure EXPERIMENT",
                place=f"--{name} {value}".rstrip(),
                value=value,
                remedy="add --measure, or leave the option out",
            )
        return partial(session.measure, list_agents)
    if games is not None and games % 2:
        raise uneven_games_error("games", games)
    check = partial(
        ask_agents,
        names=names_to_measure(names),
        n_games=games or GAMES_OF_A_PAIR,
        results=session.results,
    )
    return partial(session.run, "agents", measure, check, run_agents)


@session_command("json")
def bench(
    session: Session,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="COMMIT", help="Also time the code of this commit, on the duel experiment."
        ),
    ] = None,
) -> Work:
    """Measure the speed of evenhand on this machine.

    The output contains the rates of tasks, and ratios between engines.
    """
    from experiments.commands.bench import run_bench  # noqa: PLC0415

    return partial(session.measure, partial(run_bench, against=against))


@session_command("json")
def conformance(
    session: Session,
    scenarios: Annotated[
        Path, typer.Argument(metavar="SCENARIOS", help="A file with one scenario per line.")
    ],
    *,
    pool: Annotated[
        str, typer.Option(help="The card pool: its name, or the path of its file.")
    ] = "hearthstone",
    ruleset: Annotated[
        str, typer.Option(help="The ruleset: its name, or the path of its file.")
    ] = "legacy",
    seeds: Annotated[int, integer(1, 100_000, "Games to play of each scenario.")] = 25,
    seed: Annotated[
        int, integer(0, SEED_MAX, "Seed from which the seeds of all games follow.")
    ] = 0,
) -> Work:
    """Check that cards and rules do what scenarios expect."""
    from experiments.commands.conformance import run_conformance  # noqa: PLC0415

    work = partial(
        run_conformance, path=scenarios, pool=pool, ruleset=ruleset, n_seeds=seeds, seed=seed
    )
    return partial(session.measure, work)


@session_command()
def init(
    session: Session,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The folder of the game; it is created if it does not exist."
        ),
    ] = Path("my_game"),
    *,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="SHEET",
            help="Your cards as a .csv, .xlsx or .json file; default a small example game.",
        ),
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(help="The ruleset: its name, or its file; default the rules of a short duel."),
    ] = None,
    page: Annotated[
        str | None,
        typer.Option("--sheet", metavar="TITLE", help=SHEET_HELP),
    ] = None,
    note: Annotated[list[str] | None, typer.Option(metavar="COLUMN", help=NOTE_HELP)] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="TITLE=MEANING", help=COLUMN_HELP)
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option("--type", metavar="WORD=KIND", help=KIND_HELP)
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=VALUE",
            help="Change a rule, such as copy_limit=3; may be given several times.",
        ),
    ] = None,
) -> Work:
    """Make a folder with a game of your own that can be balanced.

    The folder contains cards, decks, rules and an experiment.
    """
    from experiments.commands.init import GAME, pilot_warnings, run_init  # noqa: PLC0415
    from experiments.files.sheets import SheetOptions  # noqa: PLC0415

    options = SheetOptions(page, note or (), column or (), kind or ())
    *lines, what_next = run_init(folder, sheet, ruleset, options, rule or ())

    def report() -> None:
        session.screen.show(*lines)
        session.screen.stage("comparing the pilots with light")
        session.screen.show(*pilot_warnings(folder / GAME), what_next)

    return report


@session_command()
def warm(session: Session) -> Work:
    """Compile all code now, so that later commands start faster."""
    from experiments.commands.warm import compile_everything  # noqa: PLC0415

    cpu_s = compile_everything()
    return lambda: session.screen.say(f"All compiled ({cpu_s:.1f} s of CPU time)")


# The class `click.UsageError`. Versions of typer import click from different places, so the class
# is found among the bases of a class that all versions export.
_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="evenhand",
    help="Balance trading card games: from cards to a certified patch.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version_callback(is_wanted: bool) -> None:  # noqa: FBT001 (typer calls it)
    """Print the version and exit if `is_wanted`, the value of `--version`."""
    if is_wanted:
        from sim import __version__  # noqa: PLC0415

        sys.stdout.write(f"evenhand {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version_callback,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Balance trading card games: from cards to a certified patch."""


for command in (
    init,
    run_commands.matchups,
    whatif,
    compare,
    workbench,
    run_commands.metagame,
    run_commands.power,
    run_commands.substitute,
    run_commands.balance,
    run_commands.report,
    run_commands.build,
    run_commands.outliers,
    run_commands.study,
    run_commands.train,
    run_commands.evaluate,
    run_commands.exploit,
    replay,
    play,
    agents,
    conformance,
    bench,
    warm,
):
    app.command()(command)
app.add_typer(cards_app, name="cards")
app.add_typer(deck_app, name="deck")
app.add_typer(suite_app, name="suite")
app.add_typer(workers_app, name="workers")


def main() -> None:
    """Run the command line and exit; each expected failure prints one line on standard error."""
    try:
        status = _click_command()(standalone_mode=False)
    except InputError as error:
        _stop(str(error), EXIT_BAD_INPUT)
    except _USAGE_ERROR as error:
        _stop(usage_message(error), EXIT_BAD_INPUT)
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        _stop(readable(f"{file}{error.strerror or error}"), EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        _stop(_interruption_message(), EXIT_INTERRUPTED)
    # Typer catches Ctrl-C inside a command and returns this status instead of raising.
    if status == EXIT_INTERRUPTED:
        _stop(_interruption_message(), EXIT_INTERRUPTED)
    sys.exit(status)


@cache
def _click_command() -> Callable[..., int | None]:
    """Return the click command that contains all commands; built once in each process."""
    return get_command(app)


def _interruption_message() -> str:
    """Return the message of an interrupted command; it mentions --resume if the command has it."""
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    if command not in RESUMABLE:
        return "interrupted"
    return f"interrupted; run {command} again with --resume to continue where it stopped"


def _stop(message: str, status: int) -> NoReturn:
    """Print a message on standard error, and exit with a status."""
    sys.stderr.write(f"evenhand: {message}\n")
    sys.exit(status)
