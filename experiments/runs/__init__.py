"""Run folders: their files are complete at every moment, and can be continued and read again."""

RESUMABLE = ("balance", "build", "outliers", "study", "suite", "train", "workbench")
"""Commands with the option `--resume`."""
