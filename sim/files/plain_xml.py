"""Parsing of XML from untrusted sources, without document types, entities and other files."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET
from xml.parsers import expat

from sim.errors import InputError
from sim.files.limits import DEPTH_MAX, too_deep_error

_ELEMENTS_MAX = 100_000  # of a whole tree; a deck has a few hundred


def plain_xml_parser(namespace_separator: str | None = None) -> expat.XMLParserType:
    """Return an XML parser that refuses document types.

    Only a document type can define entities, which may make a text grow a millionfold, or name
    other files.

    Args:
        namespace_separator: text between namespace and name of each element and attribute; `None`
            if namespaces are not resolved.
    """
    parser = expat.ParserCreate(None, namespace_separator)
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(*_: object) -> None:
    raise InputError(
        "has a document type declaration, which may define entities",
        remedy="delete the declaration, or save the file with another program",
    )


def xml_error(error: expat.ExpatError) -> InputError:
    """Return the error for a syntax error of XML, with its line."""
    reason = expat.ErrorString(error.code)
    return InputError(f"not valid XML ({reason})", place=f"line {error.lineno}")


def xml_tree(text: str) -> ET.Element:
    """Return the root element of a small XML text.

    Args:
        text: the XML text; an encoding that it declares is ignored.

    Raises:
        InputError: the text is not valid XML, has a document type declaration, has more than
            `DEPTH_MAX` levels, or has too many elements.
    """
    tree = _Tree()
    parser = plain_xml_parser()
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.builder.data
    try:
        parser.Parse(text, True)  # noqa: FBT003 - the text is complete
    except expat.ExpatError as error:
        raise xml_error(error) from None
    return tree.builder.close()


class _Tree:
    """Tree of XML elements while a text is parsed, with counts of elements and levels."""

    def __init__(self) -> None:
        self.builder: ET.TreeBuilder = ET.TreeBuilder()
        self._n_elements = 0
        self._depth = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._n_elements += 1
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise too_deep_error()
        if self._n_elements > _ELEMENTS_MAX:
            raise InputError(f"more than {_ELEMENTS_MAX:,} XML elements", limit=_ELEMENTS_MAX)
        self.builder.start(name, dict(attributes))

    def end(self, name: str) -> None:
        self._depth -= 1
        self.builder.end(name)
