"""Shortfalls: what keeps a patch from a certificate, by games in which it was played.

A limit is broken where the patch reads beyond it, and too near where it reads inside, but not by
the room that a certificate needs to be likely (`balance.room`).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from balance.evaluation import Evaluator, GuardValues, guard_values, read_guards
from balance.guards import GuardGames, GuardVerdict, judge_guards
from balance.readings import Readings
from balance.room import LIKELY, guard_values_with_room, rooms_pp
from balance.search_space import Steps
from balance.settings import Games
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, Positions

Limited = Literal["matchup", "guard"]
"""What is limited: a demanded rate, of a matchup or of several, or what a guard watches."""


class Shortfall(NamedTuple):
    """A limit that a patch breaks, or is too near to.

    Attributes:
        kind: what is limited.
        name: the demand's, or the guard's key in `[guards]`.
        is_broken: the reading is beyond the limit; else it lacks room.
        reading: of the patch: a rate, a share in [0, 1]; of a guard, in its own unit.
        low: the lower end of the reading's 95 % interval; of a guard, which is limited from above,
            the reading itself.
        high: the upper end, of a guard the most that the games leave possible at 95 %.
        limit: the bound that is nearer.
        needed: where the reading would have the room that a certificate needs; `None` where no
            reading of so few games has it.
        n_games: per matchup, behind the reading.
    """

    kind: Limited
    name: str
    is_broken: bool
    reading: float
    low: float
    high: float
    limit: float
    needed: float | None
    n_games: int


def shortfalls_of(
    evaluator: Evaluator, genomes: Steps, played: Readings, games: Games
) -> list[tuple[Shortfall, ...]]:
    """What keeps each of ``P`` genomes from a certificate, what is broken first.

    Nothing of one that has room, by the same rule as `balance.room.read_room`.

    Args:
        evaluator: knows demands and guards.
        genomes: ``[P, K]`` what was played, to its end.
        played: of them and, as the last variant, of today's numbers.
        games: per matchup, of the certificate to come.
    """
    demands = evaluator.demands
    played_rates = demands.rates(played)[:-1]
    _, low, high = demands.estimate(played_rates, played.n_games, CONFIDENCE)
    rates = Interval(demands.of(played_rates), low, high)
    room_pp = rooms_pp(evaluator, genomes, played.n_games, games)
    near, with_room = _guard_values(evaluator, genomes, played, games)
    found = list[tuple[Shortfall, ...]]()
    for k in range(len(genomes)):
        short = _of_rates(evaluator, rates.at(k), room_pp[k] * demands.errors, played.n_games)
        short += _of_guards(evaluator, genomes[k], played, (near, with_room), k)
        found.append(tuple(sorted(short, key=lambda one: not one.is_broken)))
    return found


def _of_rates(
    evaluator: Evaluator, rates: Interval, room_pp: Floats, n_games: int
) -> list[Shortfall]:
    """Those of ``[N]`` demanded rates with the ``[N]`` room that each needs, the worst first."""
    demands = evaluator.demands
    inside = np.minimum(rates.estimate - demands.low, demands.high - rates.estimate)
    lacking_pp = room_pp - 100 * inside
    short = list[Shortfall]()
    for n in np.argsort(-lacking_pp, kind="stable").tolist():
        if lacking_pp[n] <= 0:
            break
        rate, low, high = (float(bound[n]) for bound in rates)
        is_above = demands.high[n] - rate < rate - demands.low[n]
        limit = float(demands.high[n] if is_above else demands.low[n])
        room = float(room_pp[n]) / 100
        needed = None
        if demands.high[n] - demands.low[n] >= 2 * room:
            needed = limit - room if is_above else limit + room
        short.append(
            Shortfall(
                "matchup", demands.names[n], bool(inside[n] < 0), rate, low, high, limit, needed,
                n_games,
            )
        )  # fmt: skip
    return short


def _guard_values(
    evaluator: Evaluator, genomes: Steps, played: Readings, games: Games
) -> tuple[GuardValues, GuardValues]:
    """What guards limit as it was read, and with the room that each guard needs."""
    here, today = (read_guards(played.take(some)) for some in (slice(-1), slice(-1, None)))
    with_room = guard_values_with_room(
        evaluator.guards,
        played,
        np.logical_not(genomes.any(axis=1)),
        look=evaluator.looks(games.certify)[-1],
        likely=LIKELY,
    )
    return guard_values(here, today), with_room


def _of_guards(
    evaluator: Evaluator,
    genome: Steps,
    played: Readings,
    values: tuple[GuardValues, GuardValues],
    k: int,
) -> list[Shortfall]:
    """Those of the guards, of the genome that was played as variant `k`."""
    read, with_room = (one.by_guard(evaluator.guards) for one in values)
    lacking = [name for name, (reach, limit) in with_room.items() if reach[k] > limit]
    if not lacking:
        return []
    verdicts = _verdicts(evaluator, genome, played, k)
    short = list[Shortfall]()
    for name in lacking:
        reading = float(read[name][0][k])
        limit = read[name][1]
        most_read = limit - (float(with_room[name][0][k]) - reading)
        # Growth may be negative, while shares of games and changes of length may not.
        is_possible = most_read >= 0 or name == "max_first_seat_pp"
        most = verdicts[name].bound if name in verdicts else reading
        short.append(
            Shortfall(
                "guard", name, reading > limit, reading, reading, most, limit,
                most_read if is_possible else None, played.n_games,
            )
        )  # fmt: skip
    return short


def _verdicts(
    evaluator: Evaluator, genome: Steps, played: Readings, k: int
) -> dict[str, GuardVerdict]:
    """By its key, what the games of variant `k` show of each guard by themselves, at 95 %."""
    patch: Positions = np.array([k, -1])
    both = played.take(patch)
    watched = GuardGames.of(both, both, no_edits=not genome.any())
    told = judge_guards(
        evaluator.guards, watched, 1 - CONFIDENCE, first_side=both.take(slice(-1, None)).first_side
    )
    return {one.name: one for one in told}
