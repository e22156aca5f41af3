"""Learners, who must be told apart, and how agents do in the place of one: deck, rivals, seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.registry import agent_named
from balance import CardContest, Floats, Interval, Learner, Pairing, pairings, play_pairings, wilson
from balance.learning.learner import check_learner
from experiments.experiment import Experiment
from experiments.files.output_file import file_label, pilot_file_name
from experiments.learning.learning_curve import PLACE
from experiments.screen import entry_of
from sim import InputError
from sim.play import Agent, Outcomes

SCRIPTED = ("random", "greedy", "aggro", "control")
SEAT_NAMES = ("first seat", "second seat")


def _points_in_place(outcomes: Outcomes, chosen: Sequence[Pairing]) -> Floats:
    """``[R]`` games won in each pairing by who sat in the learner's place; a draw counts half."""
    seats = [pairing.seat for pairing in chosen]
    return np.asarray(outcomes.points[np.arange(len(seats)), seats])


def rates_in_place(outcomes: Outcomes, chosen: Sequence[Pairing]) -> Interval:
    """``[R]`` win rates of who sat in the learner's place, with Wilson intervals."""
    return wilson(_points_in_place(outcomes, chosen), outcomes.n_games)


def mean_rate(outcomes: Outcomes, chosen: Sequence[Pairing]) -> Interval:
    """The mean win rate over all pairings, which play equally many games.

    Pairings share their seeds, hence their luck, so the interval is that of as few games as one
    pairing has; with one pairing it is Wilson's own.
    """
    return wilson(_points_in_place(outcomes, chosen).mean(), outcomes.n_games[0])


def rate_entry(rate: Interval, n_games: int) -> dict[str, Any]:
    """A win rate as summaries have it."""
    return {**entry_of(rate), "n": n_games}


def play_in_place(
    contest: CardContest,
    learner: Learner,
    agents: Sequence[str | Agent],
    *,
    n_games: int,
    run_seed: int,
    purpose: str,
    keep: Sequence[str] = (),
    threads: int | None = None,
) -> dict[str, Outcomes]:
    """All agents in the learner's place, in the same games: outcomes of its pairings by agent."""
    chosen = pairings(contest, learner)
    pilots = [agent_named(agent) if isinstance(agent, str) else agent for agent in agents]
    return {
        pilot.name: play_pairings(
            contest, chosen, pilot, n_games=n_games, run_seed=run_seed, purpose=purpose,
            keep=keep, threads=threads,
        )
        for pilot in pilots
    }  # fmt: skip


def pairing_columns(contest: CardContest, pairing: Pairing) -> dict[str, str]:
    """A pairing in words, as tables and summaries have it."""
    opponent = contest.players[pairing.opponent]
    return {
        "deck": contest.players[pairing.deck].name,
        "opponent": opponent.name,
        "opponent_agent": opponent.agent.name,
        "seat": SEAT_NAMES[pairing.seat],
    }


def pairing_title(contest: CardContest, pairing: Pairing) -> str:
    """`ember_rush vs tide_keep (control), second seat`: the learner's deck comes first."""
    return PLACE.format_map(pairing_columns(contest, pairing))


def check_learners(experiment: Experiment) -> None:
    """Refuse learners that cannot be told apart or name nobody.

    Raises:
        InputError: there are none, or names the learner.
    """
    contest = experiment.contest()
    learners = experiment.settings.learners
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
