"""Learners of an experiment: that they can be told apart, and whom they name."""

from __future__ import annotations

from balance.learning.learner import check_learner
from experiments.experiment import Experiment
from experiments.files.output_file import file_label, pilot_file_name
from experiments.learning.baselines import SCRIPTED
from sim import InputError


def check_learners(experiment: Experiment) -> None:
    """Refuse learners that cannot be told apart or name nobody.

    Raises:
        InputError: there are none, or names the learner.
    """
    contest, learners = experiment.contest(), experiment.settings.learners
    if not learners:
        raise InputError(
            "learner: there is none to train; add a [[learner]] table with name, decks, opponents"
        )
    taken: dict[str, str] = {}
    for learner in learners:
        check_learner(contest, learner)
        label = file_label(learner.name)
        if label.endswith(".state"):
            raise InputError(f"learner {learner.name!r}: a name may not end in '.state'")
        if label in taken:
            raise InputError(
                f"learner {learner.name!r}: its file {pilot_file_name(label)} is that of learner "
                f"{taken[label]!r} too; give one of them another name"
            )
        if learner.name in SCRIPTED:
            raise InputError(f"learner {learner.name!r}: this is the name of a scripted agent")
        taken[label] = learner.name
