"""Outputs and refusals of commands, compared with the golden file (`tests.messages`)."""

from __future__ import annotations

import re
from pathlib import Path

from tests.command_line import TINY, Outcome, assert_refused, refusal
from tests.messages import check_message


def check_refusal(outcome: Outcome) -> str:
    """Check that a command was refused with the message of the golden file; return the message."""
    message = refusal(outcome)
    check_screen(message)
    return message


def check_refused(name: str, folder: Path, *options: str | Path, text: str = TINY) -> str:
    """Check that a command refuses an experiment and writes nothing; return the message.

    Args:
        name: name of the command.
        folder: folder of the experiment file and the results.
        options: options of the command.
        text: content of the experiment file.
    """
    message = assert_refused(name, folder, "", *options, text=text)
    check_screen(message)
    return message


def check_screen(text: str) -> None:
    """Compare a text of a command with the golden file, without the hashes of run folders."""
    check_message(re.sub(r"-[0-9a-f]{8}\b", "-<hash>", text))
