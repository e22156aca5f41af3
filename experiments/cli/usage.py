"""Messages about a wrong command line: one line that names what the command takes."""

from __future__ import annotations

from typing import Any

from sim.errors import readable

# No command has more options; a longer list would hide the message.
_OPTIONS_SHOWN = 16


def usage_message(error: Any) -> str:
    """Return the message for a usage error; the whole help where no command was given.

    Args:
        error: a usage error of click, as typer raises it.
    """
    message = error.format_message()
    if message.startswith("Usage:"):
        return f"which command?\n\n{message}"
    context = getattr(error, "ctx", None)
    hint = "" if context is None else _hint(message, error, context)
    return f"{readable(message).rstrip('.')}{hint}; see --help"


def _hint(message: str, error: Any, context: Any) -> str:
    """Return what the command takes, for errors that such a list explains; else an empty string."""
    command = context.command
    if message.startswith("Missing"):
        meaning = getattr(getattr(error, "param", None), "help", None)
        return f": {meaning.rstrip('.')}" if meaning else ""
    if message.startswith("Got unexpected"):
        called = command.get_usage(context).removeprefix("Usage: ")
        return f"; it is called as: {called}, with the options {_options_of(command)}"
    if type(error).__name__ == "NoSuchOption" and not error.possibilities:
        return f"; {context.command_path} takes {_options_of(command)}"
    return ""


def _options_of(command: Any) -> str:
    """Return the names of a command's options, as a list in one line."""
    names = [
        name for parameter in command.params for name in parameter.opts if name.startswith("--")
    ]
    return ", ".join([*names[:_OPTIONS_SHOWN], "--help"])
