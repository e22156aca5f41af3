"""Run folders: written whole at every moment, continued, and read again."""

RESUMABLE = ("balance", "build", "outliers", "study", "suite", "train", "workbench")
"""Commands with `--resume`."""
