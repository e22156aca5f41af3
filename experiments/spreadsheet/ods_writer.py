"""Writing of OpenDocument spreadsheets (`.ods`)."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from experiments.spreadsheet.ods_cell import ODS_NAMESPACES
from experiments.spreadsheet.ods_reader import CONTENT
from experiments.spreadsheet.sheet import number_in

_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_MANIFEST_URI = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_MANIFEST = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="{_MANIFEST_URI}" manifest:version="1.3">
<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="{_TYPE}"/>
<manifest:file-entry manifest:full-path="{CONTENT}" manifest:media-type="text/xml"/>
</manifest:manifest>
"""
_SPACES = re.compile(r"^ | (?= )| $")  # spaces that XML would not keep
_DATE = (1980, 1, 1, 0, 0, 0)  # the first date of an archive, so that equal tables give equal files


def ods_bytes(tables: Mapping[str, Sequence[Sequence[str | int]]]) -> bytes:
    """Return tables as an OpenDocument spreadsheet.

    Texts that are numbers become numbers; all other texts remain text, even if they begin with `=`.

    Args:
        tables: rows of cells by title of the table.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        # The type must be the first part and uncompressed, so that programs recognise the file.
        archive.writestr(zipfile.ZipInfo("mimetype", _DATE), _TYPE)
        for name, text in ((CONTENT, _content(tables)), ("META-INF/manifest.xml", _MANIFEST)):
            part = zipfile.ZipInfo(name, _DATE)
            part.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(part, text.encode())
    return buffer.getvalue()


def _content(tables: Mapping[str, Sequence[Sequence[str | int]]]) -> str:
    spaces = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in ODS_NAMESPACES.items())
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<office:document-content {spaces} office:version="1.3">',
        "<office:body><office:spreadsheet>",
    ]
    for title, rows in tables.items():
        lines.append(f"<table:table table:name={quoteattr(title)}>")
        lines += [f"<table:table-row>{''.join(_cells(row))}</table:table-row>" for row in rows]
        lines.append("</table:table>")
    lines += ["</office:spreadsheet></office:body>", "</office:document-content>", ""]
    return "\n".join(lines)


def _cells(row: Sequence[str | int]) -> Iterator[str]:
    for value in row:
        number = number_in(value) if isinstance(value, str) else value
        if value == "":
            yield "<table:table-cell/>"
        elif number is not None:
            yield (
                f'<table:table-cell office:value-type="float" office:value="{number}">'
                f"<text:p>{number}</text:p></table:table-cell>"
            )
        else:
            paragraphs = "".join(
                f"<text:p>{_text(line)}</text:p>" for line in str(value).split("\n")
            )
            yield f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'


def _text(line: str) -> str:
    """Return a line of text as XML, with elements for the spaces and tabs that XML drops."""
    return _SPACES.sub("<text:s/>", escape(line)).replace("\t", "<text:tab/>")
