"""Where the command begins: what can go wrong before there is a command line."""

from __future__ import annotations

import sys

from experiments.cli.foreign import foreign_package
from experiments.cli.streams import plain_where_needed

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command line; whatever happens on the way there is one line and a status."""
    try:
        plain_where_needed()
        if problem := foreign_package():
            sys.stderr.write(f"evenhand: {problem}\n")
            sys.exit(EXIT_BAD_INPUT)
        from experiments.cli.app import main as run  # noqa: PLC0415 (typer loads slowly)

        run()
    except KeyboardInterrupt:
        sys.stderr.write("evenhand: interrupted\n")
        sys.exit(EXIT_INTERRUPTED)
