"""Run folders: written whole at every moment, continued, and read again."""

RESUMABLE = ("balance", "build", "study", "train")
"""Commands with `--resume`."""
