"""The command line of evenhand."""

from experiments.cli.app import main

__all__ = ["main"]
