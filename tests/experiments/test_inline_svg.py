"""Figures on a page: colours of the style sheet, separate ids, escaped text, reproducible."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from balance.run.front_rows import FrontRow
from experiments import plots
from experiments.report import inline_svg as module
from experiments.report.inline_svg import inline_svg
from experiments.results.verdict import verdict_in
from tests.experiments.drawings import DRAWINGS, VARIATIONS, small_run
from tests.experiments.reports import EVIL_CARD, Page

STYLE = Path(module.__file__).parent / "templates" / "style.css"
SHOWN = ("before_after", "front_plot", "convergence_plot", "attack_plot")


def svg_of(name: str, variation: str = "plain") -> str:
    """Return a figure as elements of a page."""
    run = VARIATIONS[variation](small_run(4))
    return inline_svg(lambda: DRAWINGS[name](run), name)


def elements_of(source: str) -> list[ElementTree.Element]:
    """Return all elements of a text of SVG, in order."""
    return list(ElementTree.fromstring(f"<all>{source}</all>").iter())  # noqa: S314


@pytest.mark.parametrize("variation", ["plain", "certified"])
@pytest.mark.parametrize("name", SHOWN)
def test_all_colours_are_variables_of_the_style_sheet(name: str, variation: str):
    styles = " ".join(e.attrib.get("style", "") for e in elements_of(svg_of(name, variation)))
    assert not re.search("#[0-9a-f]{3}|rgb|font-family", styles)
    used = set(re.findall(r"var\((--[a-z]+)\)", styles))
    defined = set(re.findall(r"(--[a-z]+):", STYLE.read_text(encoding="utf-8")))
    assert {"--ink", "--muted", "--paper"} < used <= defined


def test_ids_are_unique_in_a_page_and_all_references_have_one():
    elements = elements_of("".join(map(svg_of, SHOWN)))
    ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
    assert len(set(ids)) == len(ids)
    attributes = [(e.attrib.get("href"), e.attrib.get("clip-path")) for e in elements]
    references = {href[1:] for href, _ in attributes if href}
    references |= {clip.removeprefix("url(#").removesuffix(")") for _, clip in attributes if clip}
    assert references == set(ids)


@pytest.mark.parametrize("name", SHOWN)
def test_the_same_figure_gives_the_same_elements(name: str):
    source = svg_of(name)
    assert source == svg_of(name)
    tags = {element.tag for element in elements_of(source)}
    assert tags <= {"all", "svg", "g", "defs", "path", "use", "text", "clipPath", "rect"}


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_an_element_is_an_image_with_the_caption_of_its_figure(size: str):
    (element,) = (e for e in elements_of(svg_of("front_plot")) if e.attrib.get("class") == size)
    assert element.attrib["role"] == "img"
    figure = DRAWINGS["front_plot"](small_run(4))
    assert element.attrib["aria-label"] == " ".join(figure.get_supxlabel().split())


def test_text_of_a_figure_is_no_markup_and_fonts_may_lack_characters():
    title = f"</text></svg>{EVIL_CARD} ]]> &amp; \U0001f0a1"
    run = small_run(4)
    source = inline_svg(
        lambda: plots.front_plot(run.rows(FrontRow), verdict_in(run.to_dict()), title=title),
        "front",
    )
    page = Page(source)
    assert {"script", "img"}.isdisjoint(page.tags)
    assert len(page.drawings) == 2
    for drawing in page.drawings:
        shown = "".join("".join(drawing.itertext()).split())
        assert "".join(title.split()) in shown
