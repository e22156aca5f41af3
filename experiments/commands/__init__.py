"""The commands: each asks the science, fills a run folder and says what came out."""

RESUMABLE = ("balance", "build", "study", "train")
"""Commands with `--resume`."""
