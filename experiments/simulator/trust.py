"""Trust in files that start programs: asked for once for each table and folder, and remembered."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from sim.engine.cache import cache_root
from sim.errors import InputError
from sim.files.atomic_file import write_atomically

_is_given: ContextVar[bool] = ContextVar("is_given", default=False)
"""Whether the user of the running command has added `--trust`."""


@contextmanager
def trusting(*, is_given: bool) -> Iterator[None]:
    """Let files start programs in a `with` block if the user has added `--trust`."""
    before = _is_given.set(is_given)
    try:
        yield
    finally:
        _is_given.reset(before)


def require_trust(table: Mapping[str, Any], folder: Path) -> None:
    """Refuse to run code that a file names, unless the user trusts the file.

    Trust that is given is remembered for equal tables in the same folder, in the folder of caches.

    Args:
        table: content of the table `[simulator]`.
        folder: folder of the file.

    Raises:
        InputError: trust is neither given nor remembered; the message names what would run.
    """
    place = folder.resolve()
    content = json.dumps([str(place), table], sort_keys=True, default=str)
    record = cache_root() / "trusted" / hashlib.sha256(content.encode()).hexdigest()
    if _is_given.get():
        # Without a writable folder, the trust holds for this command only.
        with suppress(OSError, InputError):
            record.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(record, content)
        return
    if not record.is_file():
        raise InputError(
            f"{what_runs(table)} in the folder {place}",
            place="simulator",
            value=dict(table),
            remedy="if you trust the file, add --trust, which is remembered for this table and "
            "folder",
        )


def what_runs(table: Mapping[str, Any]) -> str:
    """Return what a table `[simulator]` runs, in words."""
    command = table.get("command")
    if isinstance(command, list | tuple):
        return f"would start the program: {shlex.join(map(str, command))}"
    return f"would run Python code: {', '.join(f'{key} = {table[key]}' for key in table)}"
