"""Cell of an OpenDocument spreadsheet while its XML is read, and its value as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from experiments.spreadsheet.sheet import text_of_value
from sim.errors import InputError

ODS_NAMESPACES: Final = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
}
"""Namespaces of the elements and attributes that are read or written, by their usual prefix."""

COPY: Final = "copy the cards into a new spreadsheet, or save the sheet as CSV"
"""Remedy for a file with content that cannot be read."""

Attributes = Mapping[str, str]

_PREFIXES = {uri: prefix for prefix, uri in ODS_NAMESPACES.items()}
_COUNT = re.compile(r"[0-9]{1,9}")
_BLANKS = re.compile(r"[ \t\r\n]+")
_SPACES_MAX = 1_000  # consecutive spaces in a cell, which one element may stand for
_NUMBERS = ("float", "percentage", "currency")
# Elements for blanks become characters that XML does not permit until the text is complete, so that
# they are distinguished from blanks between tags, of which a sequence means one space.
_SPACE = "\x01"
_SIGNS = {"text:tab": "\x02", "text:line-break": "\x03"}
_BLANK_OF_SIGN = str.maketrans({_SPACE: " ", "\x02": "\t", "\x03": "\n"})


class OdsCell:
    """Attributes and text of a cell; only paragraphs directly in the cell are its text.

    Attributes:
        is_covered: whether a merged cell hides the cell.
    """

    def __init__(self, attributes: Attributes, *, is_covered: bool) -> None:
        """Begin a cell at its start tag.

        Args:
            attributes: attributes of the start tag, in the form of `with_prefixes`.
            is_covered: whether a merged cell hides the cell.
        """
        self.is_covered: bool = is_covered
        self._attributes = attributes
        self._paragraphs: list[list[str]] = []
        self._level = 1  # number of open elements from the cell on
        self._is_in_paragraph = False

    def start(self, tag: str, attributes: Attributes) -> None:
        """Handle a start tag within the cell."""
        self._level += 1
        if tag == "text:p" and self._level == 2:
            self._paragraphs.append([])
            self._is_in_paragraph = True
        elif self._is_in_paragraph and tag == "text:s":
            n_spaces = min(whole(attributes, "text:c"), _SPACES_MAX)
            self._paragraphs[-1].append(_SPACE * n_spaces)
        elif self._is_in_paragraph and tag in _SIGNS:
            self._paragraphs[-1].append(_SIGNS[tag])

    def data(self, text: str) -> None:
        """Handle text between tags."""
        if self._is_in_paragraph:
            self._paragraphs[-1].append(text)

    def end(self) -> bool:
        """Handle an end tag, and return whether it is that of the cell."""
        self._level -= 1
        if self._level == 1:
            self._is_in_paragraph = False
        return self._level == 0

    def number(self, name: str) -> int:
        """Return a number of repetitions or of merged cells, as `whole` does."""
        return whole(self._attributes, f"table:number-{name}")

    @property
    def lacks_value(self) -> bool:
        """Whether the cell has a formula but no saved value."""
        attributes = self._attributes
        return "table:formula" in attributes and "office:value-type" not in attributes

    @property
    def text(self) -> str:
        """Value of the cell as the text that a CSV file would have."""
        kind = self._attributes.get("office:value-type", "")
        if kind in _NUMBERS:
            value = self._attributes.get("office:value", "")
            try:
                return text_of_value(float(value))
            except ValueError:
                return value.strip()
        if kind == "boolean":
            return self._attributes.get("office:boolean-value", "").upper()
        if kind == "date":
            date = self._attributes.get("office:date-value", "").replace("T", " ")
            return date.removesuffix(" 00:00:00")
        lines = (_BLANKS.sub(" ", "".join(pieces)) for pieces in self._paragraphs)
        shown = "\n".join(lines).translate(_BLANK_OF_SIGN).strip()
        return shown or self._attributes.get("office:string-value", "").strip()


def with_prefixes(attributes: Attributes) -> dict[str, str]:
    """Return attributes with the usual prefixes of their namespaces, as by `prefixed`."""
    return {prefixed(name): value for name, value in attributes.items()}


@lru_cache(maxsize=1_000)  # a file has about fifty names; the limit is for nonsense
def prefixed(name: str) -> str:
    """Return a name with the usual prefix of its namespace, such as `table:table`.

    Args:
        name: namespace and local name, separated by a space. The prefix of a namespace that is not
            in `ODS_NAMESPACES` is empty.
    """
    uri, _, local = name.rpartition(" ")
    return f"{_PREFIXES.get(uri, '')}:{local}"


def whole(attributes: Attributes, name: str) -> int:
    """Return the whole number in an attribute, at least 1; 1 if there is no such attribute.

    Raises:
        InputError: the attribute is not a whole number of at most nine digits.
    """
    text = attributes.get(name)
    if text is None:
        return 1
    if not _COUNT.fullmatch(text):
        raise InputError(f"{name} = {text!r} must be a whole number", value=text, remedy=COPY)
    return max(int(text), 1)
