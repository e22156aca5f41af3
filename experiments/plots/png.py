"""Figures as files."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

from experiments.plots.style import house_style

DPI = 150


@house_style()
def figure_png(figure: Figure) -> bytes:
    """The figure as a PNG of 150 dots per inch; the same figure always gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()
