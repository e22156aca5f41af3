"""`evenhand workers`: who would play."""

from __future__ import annotations

from functools import partial

import typer

from experiments.cli.session import Session, Work, offering

workers_app = typer.Typer(no_args_is_help=True, help="Other processes and machines that play.")


@offering("workers", "json")
def check(session: Session) -> Work:
    """Probe every machine: its code, its cores, its speed."""
    from experiments.commands.workers_check import check_workers  # noqa: PLC0415

    return partial(session.measure, partial(check_workers, wanted=session.workers))


@workers_app.callback()
def _group() -> None:
    """Other processes and machines that play."""


workers_app.command()(check)
