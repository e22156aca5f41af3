"""Messages on a wrong command line, with the options that the command accepts."""

from __future__ import annotations

from typing import Any

from sim.errors import readable

# Maximum number of options in a message. No command has more; a longer list would hide the message.
_OPTIONS_SHOWN = 16


def usage_message(error: Any) -> str:
    """Return a one-line message for a usage error; if no command was given, include the help.

    Args:
        error: usage error of click, as typer raises it.
    """
    message = error.format_message()
    if message.startswith("Usage:"):
        return f"no command given\n\n{message}"
    context = getattr(error, "ctx", None)
    hint = "" if context is None else _hint(message, error, context)
    text = f"{readable(message).rstrip('.')}{hint}"
    return f"{text} See --help." if text.endswith("?") else f"{text}; see --help"


def _hint(message: str, error: Any, context: Any) -> str:
    """Return the missing argument's meaning or the command's options; empty for other errors."""
    command = context.command
    if message.startswith("Missing"):
        meaning = getattr(getattr(error, "param", None), "help", None)
        return f": {meaning.rstrip('.')}" if meaning else ""
    if message.startswith("Got unexpected"):
        usage = command.get_usage(context).removeprefix("Usage: ")
        return f"; the usage is: {usage}, with the options {_options_of(command)}"
    # Compared by name, because versions of typer import click's classes from different places.
    if type(error).__name__ == "NoSuchOption" and not error.possibilities:
        return f"; {context.command_path} takes {_options_of(command)}"
    return ""


def _options_of(command: Any) -> str:
    """Return the names of at most `_OPTIONS_SHOWN` options of a command, and `--help`."""
    names = [
        name for parameter in command.params for name in parameter.opts if name.startswith("--")
    ]
    return ", ".join([*names[:_OPTIONS_SHOWN], "--help"])
