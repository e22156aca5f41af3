"""Check that the learners and the settings of a file are of one kind."""

from __future__ import annotations

from experiments.experiment import Experiment
from sim import InputError

_KIND_OF_TABLE = {"train": "dqn", "turn": "turn", "net": "net"}
_TABLE_OF_KIND = {kind: table for table, kind in _KIND_OF_TABLE.items()}


def check_kind(experiment: Experiment, kind: str, *, tensorboard: bool) -> None:
    """Check that all learners are of one kind, and that no setting is for another kind.

    Args:
        experiment: the experiment with the learners.
        kind: kind of the learners.
        tensorboard: whether event files for TensorBoard are wanted, which only `dqn` writes.

    Raises:
        InputError: a learner is of another kind, or a table or an option does not fit them.
    """
    for learner in experiment.settings.learners:
        if learner.kind != kind:
            raise InputError(
                f"is of kind {learner.kind!r}, but another learner is of kind {kind!r}",
                place=f"learner {learner.name!r}",
                value=learner.kind,
                limit=kind,
                remedy="give all learners of an experiment the same kind",
            )
    for table, owner in _KIND_OF_TABLE.items():
        if owner != kind and table in experiment.settings.model_fields_set:
            raise InputError(
                f"applies only to learners of kind {owner!r}, but this experiment's are of kind "
                f"{kind!r}",
                place=table,
                remedy=f"use {_settings_of(kind)} for their settings",
            )
    if tensorboard and kind != "dqn":
        raise InputError(
            "applies only to learners of kind 'dqn'",
            place="--tensorboard",
            remedy="leave the option out",
        )


def _settings_of(kind: str) -> str:
    """Return the table of an experiment file with the settings of a kind of learners."""
    table = _TABLE_OF_KIND.get(kind)
    return f"[{table}]" if table else "[learner.settings]"
