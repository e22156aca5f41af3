"""Reading of archives of arrays, with checks that they do not need more memory than their size."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from sim.errors import InputError, system_error_place
from sim.files.limits import ARCHIVE_MIB_MAX, PARTS_MAX


def read_archive(path: Path) -> bytes:
    """Return the content of an archive of arrays.

    Raises:
        InputError: the file cannot be read, or is longer than `ARCHIVE_MIB_MAX` MiB, the maximum of
            archives that this package writes.
    """
    with system_error_place(path, "read"), path.open("rb") as file:
        content = file.read(ARCHIVE_MIB_MAX * 2**20 + 1)
    if len(content) > ARCHIVE_MIB_MAX * 2**20:
        raise InputError(
            f"larger than {ARCHIVE_MIB_MAX} MiB",
            place=path,
            limit=ARCHIVE_MIB_MAX * 2**20,
            remedy="name the file of a run",
        )
    return content


def check_plain_archive(content: bytes) -> None:
    """Raise an error if an archive could need more memory than its size.

    Numpy and torch store the parts of an archive without compression.

    Args:
        content: bytes of the archive.

    Raises:
        zipfile.BadZipFile: the content is no ZIP archive, has more than `PARTS_MAX` parts or a
        compressed part, or its parts are together larger than the archive.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
    if any(part.compress_type != zipfile.ZIP_STORED for part in parts):
        raise zipfile.BadZipFile("its parts are compressed")
    if len(parts) > PARTS_MAX or sum(part.file_size for part in parts) > len(content):
        raise zipfile.BadZipFile("its parts are larger than the file")
