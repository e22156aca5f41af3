"""Figures as files."""

from __future__ import annotations

import io
from typing import Any, Literal

from matplotlib.figure import Figure

from experiments.plots.style import house_style

DPI = 150  # of PNG files; those of figures for papers have 300

_NO_TRACES: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    "svg": {"Creator": None, "Date": None},
}
"""Metadata without dates and versions."""


@house_style()
def figure_png(figure: Figure, *, dpi: int | None = None) -> bytes:
    """The figure as a PNG; the same figure always gives the same bytes.

    Args:
        figure: to draw.
        dpi: dots per inch; default 150, or 300 for a figure drawn at the size of a paper.
    """
    return _drawn(figure, "png", max(DPI, figure.dpi) if dpi is None else dpi)


@house_style()
def figure_file(figure: Figure, kind: Literal["png", "pdf", "svg"]) -> bytes:
    """The figure as a file; in a PDF or an SVG its text can be edited."""
    return figure_png(figure) if kind == "png" else _drawn(figure, kind, figure.dpi)


def _drawn(figure: Figure, kind: str, dpi: float) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, dpi=dpi, metadata=_NO_TRACES[kind])
    return buffer.getvalue()
