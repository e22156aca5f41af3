"""The command line: which commands there are, and what becomes of failures.

Heavy imports happen inside the commands that need them, so that `--help` answers at once.
"""

from __future__ import annotations

import sys
from typing import Annotated, NoReturn

import typer

from experiments.cli import engine_commands, run_commands
from experiments.cli.entry import EXIT_BAD_INPUT, EXIT_INTERRUPTED
from experiments.commands.cards import app as cards
from experiments.commands.deck import app as deck
from experiments.runs import RESUMABLE
from sim.errors import InputError, readable

_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # versions keep it in several places

app = typer.Typer(
    name="evenhand",
    help="Balance trading card games: from cards to a certified patch.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version_callback(wanted: bool) -> None:  # noqa: FBT001 (typer calls it)
    if wanted:
        from sim import __version__  # noqa: PLC0415

        sys.stdout.write(f"evenhand {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version_callback, is_eager=True, help="Print it."),
    ] = False,
) -> None:
    """Balance trading card games: from cards to a certified patch."""


for command in (
    run_commands.matchups,
    run_commands.metagame,
    run_commands.power,
    run_commands.substitute,
    run_commands.balance,
    run_commands.report,
    run_commands.build,
    run_commands.study,
    run_commands.train,
    run_commands.evaluate,
    engine_commands.replay,
    engine_commands.conformance,
    engine_commands.bench,
    engine_commands.warm,
):
    app.command()(command)
app.add_typer(cards, name="cards")
app.add_typer(deck, name="deck")


def main() -> None:
    """Run the command line and turn every foreseen failure into one line and a status."""
    try:
        status = app(standalone_mode=False)
    except InputError as error:
        _stop(str(error), EXIT_BAD_INPUT)
    except _USAGE_ERROR as error:
        _stop(_usage(error), EXIT_BAD_INPUT)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        _stop(readable(f"{named}{error.strerror or error}"), EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        _stop(_interrupted(), EXIT_INTERRUPTED)
    if status == EXIT_INTERRUPTED:  # what typer makes of Ctrl-C inside a command
        _stop(_interrupted(), EXIT_INTERRUPTED)
    sys.exit(status)


def _usage(error: Exception) -> str:
    """What was wrong with the command line; the whole help where no command was given."""
    message: str = error.format_message()  # type: ignore[attr-defined]
    if message.startswith("Usage:"):
        return f"which command?\n\n{message}"
    return f"{readable(message).rstrip('.')}; see --help"


def _interrupted() -> str:
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    if command not in RESUMABLE:
        return "interrupted"
    return f"interrupted; {command} continues where it stopped with --resume"


def _stop(message: str, status: int) -> NoReturn:
    sys.stderr.write(f"evenhand: {message}\n")
    sys.exit(status)
