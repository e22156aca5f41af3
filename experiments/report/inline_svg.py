"""Figures of matplotlib as SVG elements that follow the colours and the font of a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

from matplotlib.figure import Figure

from experiments import plots
from experiments.plots.fonts import missing_characters
from experiments.plots.style import BAND, BLUE, DARK, GREEN, GREY, ORANGE, PALE, VERMILION

# Pixels per point: text of 8.5 points has 13.6 pixels, a little less than the text of the page.
_SCALE = 1.6
# Variables of the style sheet by colours of figures. The last three are the colours of background,
# axes and grid in `experiments/plots/style.mplstyle`.
_VARIABLES = {
    BLUE: "blue",
    ORANGE: "orange",
    GREEN: "green",
    VERMILION: "vermilion",
    DARK: "ink",
    GREY: "muted",
    PALE: "rule",
    BAND: "band",
    "#FFFFFF": "paper",
    "#666666": "muted",
    "#E4E4E4": "rule",
}
_COLOUR = re.compile("|".join(_VARIABLES), re.IGNORECASE)
_FONT = re.compile("font-family: [^;]*;? ?")  # removed: few readers have the font of figures
_DECIMALS = re.compile(r"(?<=\.\d\d)\d+")  # removed: less than a hundredth of a point
_REFERRED_TO = {"path", "clipPath"}  # elements of matplotlib to which others refer: marks, frames
# Class of an SVG element by size of its figure; the style sheet shows the one that fits the screen.
_CLASSES: dict[plots.Size, str] = {"screen": "wide", "column": "narrow"}


def inline_svg(draw: Callable[[], Figure], name: str) -> str:
    """Return a figure as two SVG elements, for wide and for narrow screens.

    The same figure always gives the same elements. All text of the figure is escaped.

    Args:
        draw: function that draws the figure in the current size.
        name: name of the figure, unique in the page, with which all ids begin.
    """
    elements = list[str]()
    for size, kind in _CLASSES.items():
        # The page is shown with other fonts, so missing characters need no message.
        with plots.figure_size(size), missing_characters():
            figure = draw()
            source = plots.figure_file(figure, "svg")
        root = ElementTree.fromstring(source)  # noqa: S314 (matplotlib wrote it)
        _adapt(root, f"{name}-{kind}-")
        caption = " ".join(figure.get_supxlabel().split())
        root.attrib |= {"class": kind, "role": "img", "aria-label": caption}
        elements.append(ElementTree.tostring(root, encoding="unicode"))
    return "\n".join(elements)


def _adapt(root: ElementTree.Element, prefix: str) -> None:
    """Adapt an SVG document of matplotlib to a page, in place: size, ids, colours and fonts.

    Args:
        root: root of the document.
        prefix: text with which all ids begin, unique in the page.
    """
    box = root.attrib["viewBox"]
    width = float(box.split()[2])
    root.attrib = {"viewBox": box, "width": f"{_SCALE * width:.0f}"}
    del root[:2]  # metadata, and a style that would apply to the whole page
    for element in root.iter():
        element.tag = _without_namespace(element.tag)
        attributes = {_without_namespace(key): value for key, value in element.attrib.items()}
        if element.tag not in _REFERRED_TO:
            attributes.pop("id", None)
        element.attrib = {key: _adapted(key, value, prefix) for key, value in attributes.items()}
        element.tail = None  # line breaks of the document


def _without_namespace(name: str) -> str:
    """Return the name of an element or attribute without the namespace in front of it."""
    return name.rpartition("}")[2]


def _adapted(attribute: str, value: str, prefix: str) -> str:
    """Return the value of an attribute with prefixed ids, variables as colours, and no font."""
    match attribute:
        case "style":
            value = _FONT.sub("", value)
            return _COLOUR.sub(lambda colour: f"var(--{_VARIABLES[colour[0].upper()]})", value)
        case "id":
            return prefix + value
        case "href" | "clip-path":
            return value.replace("#", f"#{prefix}")
        case _:
            return _DECIMALS.sub("", value)
