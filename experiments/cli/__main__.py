"""`python -m experiments.cli`."""

from experiments.cli.app import main

main()
