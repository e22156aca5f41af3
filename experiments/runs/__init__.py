"""Run folders of commands: writing their files, continuing stopped runs, reading finished runs."""

RESUMABLE = ("balance", "build", "outliers", "study", "suite", "train", "workbench")
"""Commands with the option `--resume`."""
