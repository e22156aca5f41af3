"""Panel of pilots of an experiment: their agents, and the question of a patch for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from balance import LEARNERS, OWN, CardContest
from balance.panel.attackers import AttackingDeck
from balance.panel.hands import hands_of
from balance.panel.panel_contest import Hand
from balance.panel.panel_question import PanelQuestion, prepare_panel
from experiments.agents import agent_for, learners_contest, with_learner_files
from experiments.experiment import Experiment
from experiments.files.agent_files import find_pilots
from sim import error_place

FIELD = "robust.pilots"
"""Setting that errors about the pilots name as their place."""


def with_panel(experiment: Experiment, results: Path, total: int | None) -> Experiment:
    """Return the experiment as one that is to be balanced for its panel, with all trained agents.

    Args:
        experiment: experiment with its players' agents.
        results: parent of the run folders, which is searched for trained agents.
        total: number of games of all stages and pilots; `None` for the experiment's setting.

    Raises:
        InputError: a trained agent is missing.
    """
    robust = experiment.settings.robust
    if total is not None:
        robust = robust.model_copy(update={"total": total})
    complete = replace(experiment.with_settings(robust=robust), for_panel=True)
    if LEARNERS in robust.pilots:
        complete = with_learner_files(complete, results, FIELD)
    named = [(name, FIELD) for name in robust.pilots if name not in {OWN, LEARNERS}]
    return complete.with_pilots(find_pilots(named, near=experiment.path, results=results))


def panel_hands(experiment: Experiment, results: Path) -> tuple[Hand, ...]:
    """Return the pilots of an experiment's panel, each with the decks of the experiment.

    Args:
        experiment: experiment as `with_panel` returns it.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: an agent is unknown or cannot play the decks, or a setting names no pilot.
    """
    robust = experiment.settings.robust
    contests = dict[str, CardContest]()
    for name in robust.pilots:
        with error_place(FIELD):
            contests[name] = _in_the_hands_of(name, experiment, results)
    return hands_of(contests, robust, experiment.settings.target.band_pp)


def panel_question(
    experiment: Experiment, hands: Sequence[Hand], attackers: Sequence[AttackingDeck] = ()
) -> PanelQuestion:
    """Return the question of a patch that holds with every pilot of an experiment's panel.

    Args:
        experiment: experiment as `with_panel` returns it.
        hands: pilots of the panel.
        attackers: built decks that must not win too often.

    Raises:
        InputError: the experiment cannot be balanced as it is written.
    """
    robust = experiment.settings.robust
    return prepare_panel(hands, experiment.settings, robust.total, attackers, robust.attacker_most)


def _in_the_hands_of(name: str, experiment: Experiment, results: Path) -> CardContest:
    """Return the contest of an experiment in the hands of one pilot of its panel.

    Args:
        name: name of an agent, `own` or `learners`.
        experiment: experiment with the files of its trained agents.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: the agent is unknown or cannot play the decks.
    """
    if name == OWN:
        return experiment.contest()
    if name == LEARNERS:
        return learners_contest(experiment)
    return experiment.contest().piloted_by(agent_for(name, experiment, experiment.decks, results))
