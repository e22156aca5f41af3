"""Names that people give, as names of files and folders."""

from __future__ import annotations


def file_label(name: str) -> str:
    """`name` without what would be a folder, or trouble on a command line."""
    return name.replace("/", "_").replace("\\", "_").replace(" ", "_")


def pilot_file_name(learner: str) -> str:
    """The file that a training run writes for the learner of this name."""
    return f"{file_label(learner)}.pt"


def curve_file_name(learner: str) -> str:
    """The file in which a training run keeps how the learner of this name came along."""
    return f"{file_label(learner)}_curve.csv"


def retrained_file_name(player: str) -> str:
    """The file in which `balance` keeps what drift has made of the player's pilot."""
    return f"{file_label(player)}_retrained.pt"
