"""Recorded decisions in games of random decks, from which a policy network learns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.policy.action_inputs import ACTION_SIZE
from agents.policy.recording import (
    ABOUT_SIZE,
    ACTIONS_MAX,
    AT_RANDOM,
    BY_PLAYER,
    DECISIONS_MAX,
    FIRST,
    N_ACTIONS,
    N_AGENTS,
    N_RATES,
    NO_AGENT,
    PLAYER,
    RIVAL,
    TEACHER,
    Decisions,
    record_decisions,
)
from agents.reading.position import ROW_SIZE
from balance.learning.random_games import RandomGames, in_parts
from sim.engine import layout as at
from sim.play import CompiledAgent

Words16 = npt.NDArray[np.int16]
Integers = npt.NDArray[np.int64]

_AT_ONCE = 25  # games of a job: its rows need up to 20 MB


class Cast(NamedTuple):
    """Agents of recorded games.

    Attributes:
        teacher: agent that chooses in the recorded decisions.
        player: agent that acts instead of the teacher in some decisions; `None` for nobody.
        by_player: these decisions, per mille.
        at_random: decisions in which a random legal action is taken, per mille.
        rival: agent of the seat that is not recorded; `None` to record both seats.
    """

    teacher: CompiledAgent
    player: CompiledAgent | None = None
    by_player: int = 0
    at_random: int = 0
    rival: CompiledAgent | None = None


def record_random_decisions(games: RandomGames, cast: Cast) -> Decisions:
    """Play games of random decks, and record the teacher's choices.

    Args:
        games: the games.
        cast: agents of the games.
    """
    agents = np.full(N_AGENTS, NO_AGENT, dtype=np.int64)
    for place, agent in ((TEACHER, cast.teacher), (PLAYER, cast.player), (RIVAL, cast.rival)):
        if agent is not None:
            agents[place] = games.address(agent)
    rates = np.zeros(N_RATES, dtype=np.int64)
    rates[BY_PLAYER] = cast.by_player
    rates[AT_RANDOM] = cast.at_random

    def play(first: int, last: int) -> tuple[Words16, Words16, Integers]:
        """Return position rows, action rows and numbers of the decisions of some games."""
        n_games = last - first
        rows = np.zeros(n_games * DECISIONS_MAX * ROW_SIZE, dtype=np.int16)
        # One row more than is recorded: scratch memory behind the last.
        actions = np.zeros((n_games * ACTIONS_MAX + 1) * ACTION_SIZE, dtype=np.int16)
        about = np.zeros(n_games * DECISIONS_MAX * ABOUT_SIZE, dtype=np.int64)
        n_rows = record_decisions(
            games.table.words[0],
            games.decks.ravel(),
            games.pairs.ravel(),
            agents,
            rates,
            games.stream,
            first,
            last,
            np.zeros(2 * at.STATE_SIZE, dtype=np.int16),
            rows,
            actions,
            about,
        )
        numbers = about[: n_rows * ABOUT_SIZE].reshape(n_rows, ABOUT_SIZE).copy()
        n_actions = int(numbers[:, N_ACTIONS].sum())
        return (
            rows[: n_rows * ROW_SIZE].reshape(n_rows, ROW_SIZE).copy(),
            actions[: n_actions * ACTION_SIZE].reshape(n_actions, ACTION_SIZE).copy(),
            numbers,
        )

    return _joined(games, in_parts(play, len(games.pairs), _AT_ONCE))


def _joined(games: RandomGames, parts: list[tuple[Words16, Words16, Integers]]) -> Decisions:
    """Return the decisions of all parts; numbers of action rows count over all of them."""
    n_before = 0
    for _, actions, about in parts:
        about[:, FIRST] += n_before
        n_before += len(actions)
    rows, actions, about = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return Decisions(games.table.words[0], rows, actions, about)
