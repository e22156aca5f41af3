"""The command line: its group of commands, and the exit status and message of each failure."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Annotated, NoReturn

import typer
from typer.main import get_command

from experiments.cli.exit_status import EXIT_BAD_INPUT, EXIT_INTERRUPTED
from experiments.cli.lazy_group import LazyGroup
from experiments.cli.usage import usage_message
from experiments.runs import RESUMABLE
from sim import __version__
from sim.errors import InputError, readable

# The class `click.UsageError`. Versions of typer import click from different places, so the class
# is found among the bases of a class that all versions export.
_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    cls=LazyGroup,
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
