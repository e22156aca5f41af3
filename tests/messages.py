"""Messages that people read, each rendered once in tests/messages.txt.

A test calls `check_message(text)`. The text must equal the one that the golden file holds under
the test's name; `pytest --update-goldens` writes those of the tests that ran, and removes what they
no longer say. Folders of the test and of the repository are replaced by names.

A test names nothing: pytest sets the variable PYTEST_CURRENT_TEST, so plain helper functions can
check a message as well as tests.
"""

from __future__ import annotations

import os
import re
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import currently_in_test_context

GOLDEN = Path(__file__).parent / "messages.txt"
_ROOT = Path(__file__).parent.parent
_TEMPORARY = re.compile(r"(?:/[\w.-]+)*/pytest-of-[\w-]+/pytest-\d+/(?:popen-gw\d+/)?[\w.-]+")
_QUOTED_TEMPORARY = re.compile(r"('[^'\s/]*)/[^'\s]*pytest-of-[^'\n]*'")
"""Such a path in quotes, which a message cuts at a length that differs between machines."""

_INDENT = "    "

_checked: dict[str, list[str]] = {}
"""Messages that each test of this process has checked so far."""

_is_update = False


def begin(*, update: bool) -> None:
    """Begin a session of tests that compares messages, or that rewrites them."""
    global _is_update  # noqa: PLW0603 - one switch of one process, set when pytest starts
    _is_update = update


def check_message(text: str) -> None:
    """Compare a message with the next one of the running test in the golden file."""
    if currently_in_test_context():
        return  # hypothesis draws other values every time
    test = os.environ["PYTEST_CURRENT_TEST"].rpartition(" (")[0]
    checked = _checked.setdefault(test, [])
    checked.append(without_folders(text))
    if _is_update:
        return
    expected = _goldens().get(test, [])
    position = len(checked) - 1
    assert position < len(expected), f"no golden of {text!r}: pytest --update-goldens"
    assert checked[position] == expected[position]


def checked() -> dict[str, list[str]]:
    """Return the messages that the tests of this process checked, by test."""
    return _checked


def write(checked_messages: dict[str, list[str]]) -> None:
    """Write the messages of the tests that ran into the golden file, at the end of an update."""
    if not _is_update or not checked_messages:
        return
    kept = {test: messages for test, messages in _goldens().items() if has_test(test)}
    goldens = {**kept, **checked_messages}
    lines = list[str]()
    for test, messages in sorted(goldens.items()):
        lines.append(test)
        for message in messages:
            first, *others = message.split("\n")
            lines.append(f"{_INDENT}- {first}")
            lines.extend(f"{_INDENT}  {line}".rstrip() for line in others)
    GOLDEN.write_text("\n".join([*lines, ""]), encoding="utf-8")


def has_test(name: str) -> bool:
    """Whether the test that a golden is named after exists, whatever its parameters."""
    path, *_, test = name.split("[", maxsplit=1)[0].split("::")
    file = _ROOT / path
    return file.exists() and f"def {test}(" in _text_of(file)


@cache
def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def _goldens() -> dict[str, list[str]]:
    """Return the messages of the golden file by test."""
    goldens = dict[str, list[str]]()
    messages = list[str]()
    if not GOLDEN.exists():
        return goldens
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{_INDENT}- "):
            messages.append(line.removeprefix(f"{_INDENT}- "))
        elif line.startswith(_INDENT) or not line:
            messages[-1] += f"\n{line.removeprefix(f'{_INDENT}  ')}"
        else:
            messages = goldens.setdefault(line, [])
    return goldens


def without_folders(text: str) -> str:
    """Replace folders that differ between machines, and trailing blanks, which files lose."""
    text = _QUOTED_TEMPORARY.sub(r"\1<file>'", text)
    text = _TEMPORARY.sub("<folder>", text)
    text = text.replace(str(_ROOT), "<repository>").replace(tempfile.gettempdir(), "<temporary>")
    return "\n".join(line.rstrip() for line in text.rstrip("\n").split("\n"))
