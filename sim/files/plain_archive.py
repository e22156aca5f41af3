"""Archives of arrays: their parts are not compressed, so none needs more memory than its file."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from sim.errors import InputError, system_error_place
from sim.files.limits import ARCHIVE_MIB_MAX, PARTS_MAX


def read_archive(path: Path) -> bytes:
    """Return the bytes of a file of arrays.

    Raises:
        InputError: it cannot be read, or is longer than any that this package writes.
    """
    with system_error_place(path, "read"), path.open("rb") as file:
        content = file.read(ARCHIVE_MIB_MAX * 2**20 + 1)
    if len(content) > ARCHIVE_MIB_MAX * 2**20:
        raise InputError(
            f"longer than {ARCHIVE_MIB_MAX} MiB",
            place=path,
            limit=ARCHIVE_MIB_MAX * 2**20,
            remedy="name the file of a run",
        )
    return content


def check_plain_archive(content: bytes) -> None:
    """Refuse an archive unlike those of numpy and torch, in which parts are stored uncompressed.

    Args:
        content: bytes of the archive.

    Raises:
        zipfile.BadZipFile: its parts are compressed, too many, or together larger than the archive.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
    if any(part.compress_type != zipfile.ZIP_STORED for part in parts):
        raise zipfile.BadZipFile("its parts are compressed")
    if len(parts) > PARTS_MAX or sum(part.file_size for part in parts) > len(content):
        raise zipfile.BadZipFile("its parts are larger than the file")
