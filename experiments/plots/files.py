"""Conversion of figures to files of PNG, PDF or SVG."""

from __future__ import annotations

import io
from typing import Any, Literal

from matplotlib.figure import Figure

from experiments.plots.house_style import house_style

DPI = 150
"""Default resolution of PNG files in dots per inch; figures in the style of papers have 300."""

_NO_TRACES: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    "svg": {"Creator": None, "Date": None},
}
"""Metadata by kind of file; `None` removes dates and versions, so that equal figures are equal."""


@house_style()
def figure_png(figure: Figure, *, dpi: int | None = None) -> bytes:
    """Return the bytes of a figure's PNG file; the same figure always gives the same bytes.

    Args:
        figure: figure to convert.
        dpi: dots per inch; `None` for 150, or 300 for a figure in the style of papers.
    """
    return _save(figure, "png", max(DPI, figure.dpi) if dpi is None else dpi)


@house_style()
def figure_file(figure: Figure, kind: Literal["png", "pdf", "svg"]) -> bytes:
    """Return the bytes of a figure's file; the text in a PDF or an SVG can be edited.

    Args:
        figure: figure to convert.
        kind: format of the file.
    """
    return figure_png(figure) if kind == "png" else _save(figure, kind, figure.dpi)


def _save(figure: Figure, kind: str, dpi: float) -> bytes:
    """Return the bytes of a figure's file, without metadata that depend on date or version.

    Args:
        figure: figure to convert.
        kind: format of the file, a key of `_NO_TRACES`.
        dpi: resolution in dots per inch.
    """
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, dpi=dpi, metadata=_NO_TRACES[kind])
    return buffer.getvalue()
