"""Files of tensors and plain types: opening one runs nothing that it brings."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from sim.errors import InputError
from sim.files.atomic_file import write_atomically

_FORMAT = 1  # grows when an entry changes its meaning
# What zipfile, pickle and torch raise at damaged bytes.
_DAMAGE = (
    *(pickle.UnpicklingError, zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(RuntimeError, ValueError, TypeError, LookupError, AttributeError, OverflowError),
    MemoryError,
)


def write_torch_file(path: Path, kind: str, content: Mapping[str, Any]) -> None:
    """Write `content`, which must be made of tensors and plain types.

    Raises:
        InputError: the file cannot be written.
    """
    buffer = io.BytesIO()
    torch.save({"kind": kind, "format": _FORMAT, "content": dict(content)}, buffer)
    write_atomically(path, buffer.getvalue())


def read_torch_file(path: Path, kind: str, remedy: str) -> dict[str, Any]:
    """What was written as a `kind`, with all tensors on the CPU.

    Args:
        path: the file.
        kind: what it must be ("evenhand pilot").
        remedy: what the user can do about a file that is no such thing; ends the message.

    Raises:
        InputError: the file is missing, damaged or something else.
    """
    try:
        # From memory, and with the type known first: torch warns about what it was never given.
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    if not _is_archive(data):
        raise InputError(f"{path}: cut short, or no {kind} at all; {remedy}")
    try:
        _check_sums(data)
        found = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except _DAMAGE as error:
        # Of what it refuses to run, torch says that it could be run without a check.
        is_refused = isinstance(error, pickle.UnpicklingError)
        reason = "more than plain data" if is_refused else str(error).partition("\n")[0]
        raise InputError(f"{path}: damaged, or no {kind} at all ({reason}); {remedy}") from error
    if not isinstance(found, dict) or found.get("kind") != kind:
        raise InputError(f"{path}: no {kind}; {remedy}")
    if found.get("format") != _FORMAT:
        raise InputError(
            f"{path}: a {kind} of format {found.get('format')!r}, not {_FORMAT}: "
            f"made by another version of evenhand; {remedy}"
        )
    content = found.get("content")
    if not isinstance(content, dict):
        raise InputError(f"{path}: damaged: it has no content; {remedy}")
    return content


def _is_archive(data: bytes) -> bool:
    try:
        return zipfile.is_zipfile(io.BytesIO(data))
    except zipfile.BadZipFile:  # damaged where it says how many disks it spans
        return False


def _check_sums(data: bytes) -> None:
    """Refuse an archive that is not what was written: torch would take a changed weight as it is.

    Raises:
        zipfile.BadZipFile: names the part that changed; other errors where even that fails.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        changed = archive.testzip()
    if changed is not None:
        raise zipfile.BadZipFile(f"{changed} is not as it was written")
