"""Groups of commands that import a command's module when the command is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from experiments.cli.command_list import PANELS, Listed
from sim.interruption import uninterrupted


class LazyGroup(TyperGroup):
    """Group of listed commands; its help shows them without an import of their modules."""

    def __init__(self, *, panels: Mapping[str, Sequence[Listed]] = PANELS, **settings: Any) -> None:
        """Create the group.

        Args:
            panels: declarations of the commands, by the title of their part of the help.
            settings: settings that typer gives to a group.
        """
        super().__init__(**settings)
        self._panels = panels
        self._listed = {one.name: one for members in panels.values() for one in members}
        # Typer suggests similar names from this mapping; it asks `get_command` for the commands.
        self.commands = {name: TyperCommand(name) for name in self._listed}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 (the signature of click)
        """Return the command of a name; `None` if the group has no such command."""
        listed = self._listed.get(cmd_name)
        return listed and command_of(listed)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 (as above)
        """Write the names and summaries of the commands into the help, in panels."""
        width = max(map(len, self._listed))
        for title, members in self._panels.items():
            with formatter.section(title):
                formatter.write_dl([(one.name.ljust(width), one.summary) for one in members])


@cache
def command_of(listed: Listed) -> Any:
    """Return the command of a declaration; its module is imported, uninterrupted by Ctrl-C.

    Args:
        listed: declaration of a command or of a group of commands.
    """
    if listed.members:
        return LazyGroup(
            panels={"Commands": listed.members},
            name=listed.name,
            help=listed.summary,
            no_args_is_help=True,
            rich_markup_mode=None,
        )
    with uninterrupted():  # imports may compile code, and fill its cache
        module = import_module(f"experiments.commands.{listed.module}")
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(listed.name)(getattr(module, listed.module.rpartition(".")[2]))
    return get_command(app)
