"""Archives of arrays: nothing in them is packed, so that none takes more memory than its file."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from sim.errors import InputError, system_error_place
from sim.files.limits import ARCHIVE_MIB_MAX, PARTS_MAX


def read_archive(path: Path) -> bytes:
    """The bytes of a file of arrays.

    Raises:
        InputError: it cannot be read, or is longer than any that is written here.
    """
    with system_error_place(path, "read"), path.open("rb") as file:
        content = file.read(ARCHIVE_MIB_MAX * 2**20 + 1)
    if len(content) > ARCHIVE_MIB_MAX * 2**20:
        raise InputError(f"{path}: longer than {ARCHIVE_MIB_MAX} MiB; name the file of a run")
    return content


def check_plain_archive(content: bytes) -> None:
    """Refuse an archive that is not as numpy and torch write theirs: one part behind the other.

    Raises:
        zipfile.BadZipFile: its parts are packed, or are more than there are bytes for.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
    if any(part.compress_type != zipfile.ZIP_STORED for part in parts):
        raise zipfile.BadZipFile("its parts are packed")
    if len(parts) > PARTS_MAX or sum(part.file_size for part in parts) > len(content):
        raise zipfile.BadZipFile("it says that it holds more than there is")
