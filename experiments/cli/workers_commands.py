"""`evenhand workers`: command-line options to check the processes and machines that play games."""

from __future__ import annotations

from functools import partial

import typer

from experiments.cli.session import Session, Work, session_command

_HELP = "Check the processes and machines that play games."
workers_app = typer.Typer(no_args_is_help=True, help=_HELP)


@session_command("workers", "json")
def check(session: Session) -> Work:
    """Probe every machine that would play: its code, its cores, its speed."""
    from experiments.commands.workers_check import check_workers  # noqa: PLC0415

    return partial(session.measure, partial(check_workers, choice=session.workers))


# Without a callback, typer would replace the group by its only command.
@workers_app.callback(help=_HELP)
def _group() -> None:
    """Make `workers` a group of commands, although it has only one command."""


workers_app.command()(check)
