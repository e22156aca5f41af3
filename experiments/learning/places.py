"""Checks of an experiment's learners, and the results of agents in a learner's place.

An agent plays in a learner's place if it has the learner's deck, opponents and seat.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.registry import agent_named
from balance import CardContest, Floats, Interval, Learner, Pairing, pairings, play_pairings, wilson
from balance.learning.learner import check_learner
from experiments.experiment import Experiment
from experiments.files.output_file import file_label, pilot_file_name
from experiments.learning.learning_curve import PLACE
from sim import InputError
from sim.play import Agent, Outcomes

SCRIPTED = ("random", "greedy", "aggro", "control")
SEAT_NAMES = ("first seat", "second seat")


def _points_in_place(outcomes: Outcomes, chosen: Sequence[Pairing]) -> Floats:
    """Return the points in the learner's seat by pairing, shape ``[R]``; a draw is half a point."""
    seats = [pairing.seat for pairing in chosen]
    return np.asarray(outcomes.points[np.arange(len(seats)), seats])


def rates_in_place(outcomes: Outcomes, chosen: Sequence[Pairing]) -> Interval:
    """Return the win rate in the learner's seat, with its interval, by pairing, shape ``[R]``."""
    return wilson(_points_in_place(outcomes, chosen), outcomes.n_games)


def mean_rate(outcomes: Outcomes, chosen: Sequence[Pairing]) -> Interval:
    """Return the mean win rate over all pairings, which must have equally many games.

    Pairings share their seeds, and therefore their randomness. For this reason, the Wilson
    interval is computed as if there were only the games of one pairing.
    """
    return wilson(_points_in_place(outcomes, chosen).mean(), outcomes.n_games[0])


def play_in_place(
    contest: CardContest,
    learner: Learner,
    agents: Sequence[str | Agent],
    *,
    n_games: int,
    run_seed: int,
    purpose: str,
    keep: Sequence[str] = (),
) -> dict[str, Outcomes]:
    """Play several agents in the learner's pairings, all with the same seeds.

    Args:
        contest: cards and players.
        learner: learner with the pairings.
        agents: agents, or names of agents.
        n_games: number of games per pairing.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds.
        keep: names of the results to keep for every game, as in `sim.play.batch.play`.

    Returns:
        Outcomes of the learner's pairings, by name of the agent.
    """
    chosen = pairings(contest, learner)
    pilots = [agent_named(agent) if isinstance(agent, str) else agent for agent in agents]
    return {
        pilot.name: play_pairings(
            contest, chosen, pilot, n_games=n_games, run_seed=run_seed, purpose=purpose,
            keep=keep,
        )
        for pilot in pilots
    }  # fmt: skip


def pairing_columns(contest: CardContest, pairing: Pairing) -> dict[str, str]:
    """Return a pairing as text, by column of tables and summaries."""
    opponent = contest.players[pairing.opponent]
    return {
        "deck": contest.players[pairing.deck].name,
        "opponent": opponent.name,
        "opponent_agent": opponent.agent.name,
        "seat": SEAT_NAMES[pairing.seat],
    }


def pairing_title(contest: CardContest, pairing: Pairing) -> str:
    """Return a pairing as text, such as `ember_rush vs tide_keep (control), second seat`."""
    return PLACE.format_map(pairing_columns(contest, pairing))


def check_learners(experiment: Experiment) -> None:
    """Check that an experiment has valid learners, with distinct names and distinct files.

    Raises:
        InputError: there are no learners, or a learner is invalid, has the name of a script or a
            name that ends in `.state`, or shares its file with another learner.
    """
    contest = experiment.contest()
    learners = experiment.settings.learners
    if not learners:
        raise InputError(
            "the experiment has no learner to train",
            place="learner",
            remedy="add a [[learner]] table with name, decks and opponents",
        )
    names_by_label: dict[str, str] = {}
    for learner in learners:
        place = f"learner {learner.name!r}"
        check_learner(contest, learner)
        label = file_label(learner.name)
        if label.endswith(".state"):
            raise InputError("a name must not end in '.state'", place=place, value=learner.name)
        if label in names_by_label:
            raise InputError(
                f"would share the file {pilot_file_name(label)} with another learner, "
                f"{names_by_label[label]!r}",
                place=place,
                value=learner.name,
                remedy="give one of them another name",
            )
        if learner.name in SCRIPTED:
            raise InputError(
                "this is the name of a scripted agent",
                place=place,
                value=learner.name,
                limit=SCRIPTED,
                remedy="choose another name",
            )
        names_by_label[label] = learner.name
