"""Shortfalls: limits that keep a patch from a certificate, by games in which it was played.

A limit is broken if the measured value is beyond it. It is too close if the value is inside, but
lacks the margin that makes a certificate likely (`balance.room`).
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
"""Kind of limited value: a demanded rate, of one matchup or several, or the quantity of a guard."""


class Shortfall(NamedTuple):
    """A limit that a patch breaks or is too close to.

    Attributes:
        kind: kind of the limited value.
        name: name of the demand, or key of the guard in `[guards]`.
        is_broken: whether the measured value is beyond the limit; else it lacks margin.
        reading: measured value: a rate in [0, 1], or a guard's quantity in its own unit.
        low: lower end of its 95 % interval; for a guard, which has upper limits only, `reading`.
        high: upper end of its 95 % interval; for a guard the largest value that the games leave
            possible at 95 %.
        limit: the nearer bound.
        needed: value that would leave the margin that a certificate needs; `None` if no value
            measured in so few games would.
        n_games: games per matchup of the measured value.
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
    """Return the limits that keep each of ``P`` genomes from a certificate, broken ones first.

    A genome with enough margin has none, by the same rule as in `balance.room.read_room`.

    Args:
        evaluator: knows demands and guards.
        genomes: genomes that were played to the end, shape ``[P, K]``.
        played: games of the genomes and, as the last variant, of the baseline.
        games: games per matchup of each stage; `certify` of them are to come.
    """
    demands = evaluator.demands
    played_rates = demands.rates(played)[:-1]
    _, low, high = demands.estimate(played_rates, played.n_games, CONFIDENCE)
    rates = Interval(demands.of(played_rates), low, high)
    room_pp = rooms_pp(evaluator, genomes, played.n_games, games)
    measured, with_room = _guard_values(evaluator, genomes, played, games)
    by_genome = list[tuple[Shortfall, ...]]()
    for k in range(len(genomes)):
        short = _of_rates(evaluator, rates.at(k), room_pp[k] * demands.errors, played.n_games)
        short += _of_guards(evaluator, genomes[k], played, (measured, with_room), k)
        by_genome.append(tuple(sorted(short, key=lambda shortfall: not shortfall.is_broken)))
    return by_genome


def _of_rates(
    evaluator: Evaluator, rates: Interval, room_pp: Floats, n_games: int
) -> list[Shortfall]:
    """Return the shortfalls of the demanded rates, the worst first.

    Args:
        evaluator: knows the demands.
        rates: measured rates with intervals, ``[N]``.
        room_pp: margin that each rate needs, in percentage points, ``[N]``.
        n_games: games per matchup behind the rates.
    """
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
    """Return the values that guards limit, as measured and with the margins that they need."""
    patched = read_guards(played.take(slice(-1)))
    today = read_guards(played.take(slice(-1, None)))
    with_room = guard_values_with_room(
        evaluator.guards,
        played,
        np.logical_not(genomes.any(axis=1)),
        look=evaluator.looks(games.certify)[-1],
        likely=LIKELY,
    )
    return guard_values(patched, today), with_room


def _of_guards(
    evaluator: Evaluator,
    genome: Steps,
    played: Readings,
    values: tuple[GuardValues, GuardValues],
    k: int,
) -> list[Shortfall]:
    """Return the shortfalls of the guards for one genome.

    Args:
        evaluator: knows the guards.
        genome: the genome, shape ``[K]``.
        played: games of all genomes and of the baseline.
        values: values that guards limit, as measured and with margins.
        k: variant of the genome.
    """
    measured, with_room = (side.by_guard(evaluator.guards) for side in values)
    lacking = [name for name, (reach, limit) in with_room.items() if reach[k] > limit]
    if not lacking:
        return []
    verdicts = _verdicts(evaluator, genome, played, k)
    short = list[Shortfall]()
    for name in lacking:
        reading = float(measured[name][0][k])
        limit = measured[name][1]
        # The margin is the difference between the value with it and the measured value.
        most_read = limit - (float(with_room[name][0][k]) - reading)
        # Only growth can be negative, so other values below 0 cannot be measured.
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
    """Return the verdict on each guard by the games of one variant alone, at 95 %, by its key."""
    patch: Positions = np.array([k, -1])
    patch_and_baseline = played.take(patch)
    watched = GuardGames.of(patch_and_baseline, patch_and_baseline, no_edits=not genome.any())
    verdicts = judge_guards(
        evaluator.guards,
        watched,
        1 - CONFIDENCE,
        first_side=patch_and_baseline.take(slice(-1, None)).first_side,
    )
    return {verdict.name: verdict for verdict in verdicts}
