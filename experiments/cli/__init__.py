"""Command line of evenhand."""

from experiments.cli.entry import main

__all__ = ["main"]
