"""Who measures card power, where that is not the players' own agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.dqn import require_torch
from balance import LEARNERS, CardContest
from balance.pipeline import pilots
from experiments.agents import agents_of, load_fitting_pilot
from experiments.experiment import Experiment
from experiments.files.agent_files import PREFIX, find_pilot
from experiments.loading import check_contest
from sim import Deck, InputError, check_view
from sim.play.agent import Agent, CompiledAgent

_FIELD = f"narrow.agent = {LEARNERS!r}"


def find_power_pilots(experiment: Experiment, results: Path) -> Experiment:
    """The experiment, depending on the trained agents that measure power, where it asks for them.

    Args:
        experiment: its `[narrow]` may say `agent = "learners"`.
        results: parent of the run folders, where they are looked for.

    Raises:
        InputError: the experiment cannot be run; no learner, or more than one, pilots a deck;
            or they were not trained, or for something else.
    """
    check_contest(experiment)
    if experiment.settings.narrow.agent != LEARNERS:
        return experiment
    require_torch(_FIELD)
    contest = experiment.contest()
    check_view(contest.table, [player.deck for player in contest.players])
    files = {
        name: find_pilot(name, near=experiment.path, results=results)
        for name in learners_of(experiment).values()
    }
    found = experiment.with_pilots(files)
    power_contest(found)  # refuses what does not fit
    return found


def power_contest(experiment: Experiment) -> CardContest:
    """The decks in the hands of those who measure power.

    Raises:
        InputError: a trained agent does not fit its deck.
    """
    contest, settings = experiment.contest(), experiment.settings
    if settings.narrow.agent != LEARNERS:
        return pilots(contest, settings)
    names = learners_of(experiment)

    def load(name: str, theirs: Sequence[Deck]) -> Agent:
        return load_fitting_pilot(name, experiment.pilots[name], experiment, theirs)

    agents = agents_of(list(names.values()), experiment.decks, load)
    return contest.with_agents(dict(zip(names, agents, strict=True)))


def are_scripts(contest: CardContest) -> bool:
    """Whether no player of the contest is piloted by a trained agent."""
    return all(isinstance(agent, CompiledAgent) for agent in contest.agents)


def learners_of(experiment: Experiment) -> dict[str, str]:
    """The trained agent of each player, by the player's name: what `train` makes of this file.

    Raises:
        InputError: no learner, or more than one, pilots a player's deck.
    """
    settings, found = experiment.settings, {}
    for player in (player.name for player in experiment.contest().players):
        theirs = [learner.name for learner in settings.learners if player in learner.decks]
        if len(theirs) != 1:
            which = ", ".join(map(repr, theirs)) or "none"
            raise InputError(
                f"{_FIELD}: player {player!r} needs one [[learner]] with it among its decks; "
                f"there is {which}"
            )
        found[player] = f"{PREFIX}{settings.name}/{theirs[0]}"
    return found
