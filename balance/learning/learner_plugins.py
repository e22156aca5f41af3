"""Learners of installed packages, declared by entry points of the group `evenhand.learners`.

A learner kind is a function of a `LearningTask` that trains an agent and returns a `TrainedAgent`.
A `[[learner]]` table of an experiment file names it by `kind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

from balance.cards.card_contest import CardContest
from balance.learning.learner import Learner
from balance.learning.learner_kinds import learner_kinds, plugins, registered
from sim.arguments import Arguments
from sim.errors import InputError, error_place
from sim.files.validation import Name
from sim.play import Agent
from sim.plugins import only_entry, plugin_error_place


@dataclass(frozen=True)
class LearningTask:
    """What a learner kind gets to train an agent.

    Attributes:
        contest: cards and players of the experiment.
        learner: name, decks, opponents and settings of the agent to be trained.
        run_seed: seed of the run. The same task must give the same agent.
        folder: folder for the learner's own files, such as states from which it continues after an
            interruption; it exists, and is kept with the run.
        on_progress: function that shows a line of text while the training runs.
    """

    contest: CardContest
    learner: Learner
    run_seed: int
    folder: Path
    on_progress: Callable[[str], None] = field(repr=False)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of the learner, the table `settings` of `[[learner]]`."""
        return self.learner.settings


@dataclass(frozen=True)
class TrainedAgent:
    """Trained agent, and the file from which its package can load it again.

    Attributes:
        agent: the agent.
        content: content of the file.
        ending: ending of the file's name, such as `.json`.
        family: name of the package's family of agents that loads the file, such as `coach` for
            `coach:ember.json`; `""` if there is none.
    """

    agent: Agent
    content: bytes
    ending: str
    family: str = ""


Learn = Callable[[LearningTask], TrainedAgent]
"""Learner kind: function that trains an agent."""

_NAMED = Arguments(name=Name)


def register_learner(name: str, learn: Learn) -> Learn:
    """Register a learner kind under a name for this process.

    Args:
        name: name of the kind in experiments.
        learn: function that trains an agent.

    Returns:
        The argument `learn`, so that the function can be used as a decorator.

    Raises:
        InputError: the name is taken or not valid, or `learn` is no function of a task.
    """
    _NAMED.check("register_learner()", {"name": name})
    if name in learner_kinds():
        raise InputError(
            "the name is already registered",
            place=f"learner kind {name!r}",
            value=name,
            remedy="choose another name",
        )
    with error_place(f"learner kind {name!r}"):
        registered[name] = _checked_function(learn)
    return learn


def train_by_plugin(kind: str, task: LearningTask) -> TrainedAgent:
    """Train an agent by a learner kind of a package, or by a registered one.

    Args:
        kind: name of the kind, no built-in one.
        task: what is to be learned.

    Raises:
        InputError: the package cannot be loaded, or its function fails or returns no
            `TrainedAgent`; the message names the package.
    """
    if kind in registered:
        with error_place(f"learner kind {kind!r}"):
            return _checked_result(registered[kind](task))
    entry = only_entry(f"learner kind {kind!r}", plugins()[kind])
    with plugin_error_place(f"learner kind {kind!r}", entry):
        return _checked_result(_checked_function(entry.load())(task))


def _checked_function(learn: Any) -> Learn:
    """Return a learner kind after a check that it is a function of one argument.

    Raises:
        InputError: it is not.
    """
    if not callable(learn) or isinstance(learn, type) or len(signature(learn).parameters) != 1:
        raise InputError(
            "the declaration is no function of a LearningTask",
            value=type(learn).__name__,
            remedy="declare a function that takes a task and returns a TrainedAgent",
        )
    function: Learn = learn
    return function


def _checked_result(trained: Any) -> TrainedAgent:
    """Return what a learner kind has returned, after a check.

    Raises:
        InputError: it is no `TrainedAgent`, or its file has no ending.
    """
    if not isinstance(trained, TrainedAgent) or not trained.ending.startswith("."):
        raise InputError(
            "the function returned no TrainedAgent with an ending such as '.json'",
            value=type(trained).__name__,
            remedy="return TrainedAgent(agent, content, ending)",
        )
    return trained
