"""Rounds in which a policy network is taught by a search, and then improves by play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agents.policy.policy_network import PolicyNetwork
from agents.policy.recording import Decisions
from agents.policy.training import train_policy
from agents.torch_device import device_named
from balance.learning.net_settings import NetSettings
from balance.learning.policy_games import Cast, record_random_decisions
from balance.learning.policy_play import SAMPLER, improve
from balance.learning.random_games import RandomGames, divided_games, random_games
from sim import stream_seed
from sim.play import CompiledAgent, Table

_LESSONS = 2  # rounds of teaching; in the second the pupil plays, the teacher says what is better
_BY_PUPIL = 600  # decisions of the second round in which the pupil acts, per mille
_AT_RANDOM = 60  # random actions, per mille, after which unusual positions follow
_GAMES_OF_TABLE = 250  # games of a lesson with the same numbers of cards
_ITERATIONS = 10  # iterations of a round of play, of which the first trains the critic only
_TABLES = 4  # tables of an iteration
_LESSON = "policy"  # word for the random streams of lessons
_PLAY = "play"  # the same of rounds of play


class PolicyRound(NamedTuple):
    """Result of a round of training.

    Attributes:
        number: number of the round, from 1; the first two are lessons.
        n_games: number of games of the round.
        n_decisions: number of decisions that the network learned from in this round.
        agreement: share of decisions of other games in which the network agrees with the teacher;
            `None` for rounds of play.
        network: network after the round.
    """

    number: int
    n_games: int
    n_decisions: int
    agreement: float | None
    network: PolicyNetwork


def n_policy_rounds(settings: NetSettings) -> int:
    """Return the number of rounds in which a policy network is trained."""
    return _LESSONS + settings.play_rounds


def policy_rounds(
    tables: Sequence[Table],
    teacher: CompiledAgent,
    settings: NetSettings,
    seed: int,
    known: Sequence[PolicyNetwork] = (),
) -> Iterator[PolicyRound]:
    """Train a policy network in rounds, and yield the result of each round that is trained.

    Args:
        tables: tables of the games; the games of a round are divided among them.
        teacher: agent that the network learns to imitate first.
        settings: numbers of rounds and games.
        seed: seed of the run, which determines the games and the training.
        known: networks of the first rounds of an earlier run with equal arguments. Their lessons
            are recorded again if a lesson follows.
    """
    networks = list(known)
    if len(networks) < _LESSONS:
        yield from _lessons(tables, teacher, settings, seed, networks)
    for k in range(max(len(networks), _LESSONS), n_policy_rounds(settings)):
        result = _play_round(tables, networks[-1], settings, seed, k)
        networks.append(result.network)
        yield result


def _lessons(
    tables: Sequence[Table],
    teacher: CompiledAgent,
    settings: NetSettings,
    seed: int,
    networks: list[PolicyNetwork],
) -> Iterator[PolicyRound]:
    """Yield the rounds of teaching, and append their networks.

    In the first, the teacher plays; in the second, the pupil plays most of the actions, and the
    network learns from the decisions of both (S. Ross, G. Gordon and D. Bagnell, "A reduction of
    imitation learning and structured prediction to no-regret online learning", AISTATS 2011).

    Args:
        tables: tables of the games.
        teacher: agent that the network learns to imitate.
        settings: numbers of rounds and games.
        seed: seed of the run.
        networks: networks of the lessons so far.
    """
    recorded = list[Decisions]()
    for k in range(_LESSONS):
        cast = Cast(teacher, at_random=_AT_RANDOM)
        if k > 0:
            pupil = SAMPLER.with_network(networks[k - 1])
            cast = cast._replace(player=pupil, by_player=_BY_PUPIL)
        n_games = settings.lesson_games
        recorded += _lesson(tables, cast, n_games, seed, len(recorded))
        if k < len(networks):
            continue
        module, agreement = train_policy(recorded, seed, device=device_named(settings.device))
        networks.append(module.exported())
        n_decisions = sum(len(part.rows) for part in recorded)
        yield PolicyRound(k + 1, n_games, n_decisions, agreement, networks[-1])


def _lesson(
    tables: Sequence[Table], cast: Cast, n_games: int, seed: int, first: int
) -> list[Decisions]:
    """Record the decisions of a lesson, divided equally among the tables.

    Args:
        tables: tables of the games.
        cast: agents of the games.
        n_games: number of games.
        seed: seed of the run.
        first: number of the first recording.
    """
    recordings = divided_games(tables, n_games, _GAMES_OF_TABLE)
    return [
        record_random_decisions(random_games(table, n, seed, number, _LESSON), cast)
        for number, (table, n) in enumerate(recordings, start=first)
    ]


def _play_round(
    tables: Sequence[Table], network: PolicyNetwork, settings: NetSettings, seed: int, number: int
) -> PolicyRound:
    """Improve a network by play against itself.

    Args:
        tables: tables of the games.
        network: network at the beginning of the round.
        settings: settings of the training.
        seed: seed of the run.
        number: number of the round, from 0.
    """

    def games_of(iteration: int) -> list[RandomGames]:
        """Return the games of an iteration; cards as they are and varied ones alternate."""
        first = _TABLES * (_ITERATIONS * number + iteration)
        return [
            random_games(
                tables[k % len(tables)],
                settings.play_games // (_ITERATIONS * _TABLES),
                seed,
                2 * (first + k) + (iteration + k) % 2,
                _PLAY,
            )
            for k in range(_TABLES)
        ]

    improved = improve(
        network,
        games_of,
        _ITERATIONS,
        stream_seed(seed, f"{_PLAY}/{number}") % 2**32,
        settings=settings,
    )
    return PolicyRound(
        number + 1, settings.play_games, improved.n_decisions, None, improved.network
    )
