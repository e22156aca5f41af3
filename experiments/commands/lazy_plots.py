"""The plots, loaded where the first of them is drawn: matplotlib is slow to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments import plots
else:
    from importlib import import_module

    class _Plots:
        def __getattr__(self, name: str) -> object:
            return getattr(import_module("experiments.plots"), name)

    plots = _Plots()

__all__ = ["plots"]
