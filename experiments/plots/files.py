"""Figures as files of PNG, PDF or SVG."""

from __future__ import annotations

import io
from typing import Any, Literal

from matplotlib.figure import Figure

from experiments.plots.style import house_style

DPI = 150  # dots per inch of PNG files; the style of figures for papers has 300

_NO_TRACES: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    "svg": {"Creator": None, "Date": None},
}
"""Metadata by kind of file, without dates and versions: equal figures give equal files."""


@house_style()
def figure_png(figure: Figure, *, dpi: int | None = None) -> bytes:
    """Return a figure as a PNG file; the same figure always gives the same bytes.

    Args:
        figure: the figure.
        dpi: dots per inch; default 150, or 300 for a figure at the size of a paper.
    """
    return _save(figure, "png", max(DPI, figure.dpi) if dpi is None else dpi)


@house_style()
def figure_file(figure: Figure, kind: Literal["png", "pdf", "svg"]) -> bytes:
    """Return a figure as a file; the text in a PDF or an SVG can be edited.

    Args:
        figure: the figure.
        kind: kind of file.
    """
    return figure_png(figure) if kind == "png" else _save(figure, kind, figure.dpi)


def _save(figure: Figure, kind: str, dpi: float) -> bytes:
    """Return a figure as the bytes of a file.

    Args:
        figure: the figure.
        kind: kind of file, a key of `_NO_TRACES`.
        dpi: dots per inch.
    """
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, dpi=dpi, metadata=_NO_TRACES[kind])
    return buffer.getvalue()
