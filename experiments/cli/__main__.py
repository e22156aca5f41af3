"""Entry point of `python -m experiments.cli`."""

from experiments.cli.entry import main

main()
