"""Shortfalls: limits that keep a patch from a certificate, according to games of the patch.

A limit is broken if the measured value is beyond it. It is too close if the value is inside, but
lacks the margin that makes a certificate likely (`balance.verdict.room`).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from balance.contest.readings import Readings
from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.intervals import CONFIDENCE, Floats, Interval, Positions
from balance.verdict.evaluation import Evaluator
from balance.verdict.guard import GuardGames, SelectionGames
from balance.verdict.guards import (
    GUARDS,
    GuardVerdict,
    guard_values,
    guard_values_with_room,
    judge_guards,
    largest_of,
    read_parts,
)
from balance.verdict.room import LIKELY, rooms_pp

Limited = Literal["matchup", "guard"]
"""Kind of limited value: a demanded rate (`matchup`, even if it is a mean over several matchups),
or the value that a guard limits.
"""


class Shortfall(NamedTuple):
    """Limit that a patch breaks, or satisfies without the margin for a likely certificate.

    Attributes:
        kind: kind of the limited value.
        name: name of the demand, or key of the guard in `[guards]`.
        is_broken: whether the measured value is beyond the limit; otherwise it lacks margin.
        reading: measured value: a rate as a share, or a guard's value in the unit of its limit.
        low: lower end of the 95 % interval of `reading`; for a guard `reading` itself, since guards
            have only upper limits.
        high: upper end of the 95 % interval of `reading`; for a guard the upper 95 % confidence
            bound.
        limit: bound of the demand that is nearer to `reading`, or limit of the guard.
        needed: value that would leave the margin that a certificate needs; `None` if no value
            measured in the same number of games would leave it.
        n_games: games per matchup from which `reading` is computed.
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
    """Return the limits that keep each genome from a certificate, broken ones first, ``[P]``.

    A genome without shortfalls has enough margin by the rule of `balance.verdict.room.read_room`.

    Args:
        evaluator: evaluator with demands and guards.
        genomes: genomes without games that never end, shape ``[P, K]``.
        played: games of the genomes and, as the last variant, of the baseline.
        games: games per matchup of each stage, of which `certify` determines the margins.
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
    """Return the shortfalls of the demanded rates, that with the largest missing margin first.

    Args:
        evaluator: evaluator with the demands.
        rates: measured demanded rates with intervals, ``[N]``.
        room_pp: margin that each rate needs, in percentage points, ``[N]``.
        n_games: games per matchup from which the rates are computed.
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
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Return the values that guards limit, ``[P]``: as measured, and with the margins they need.

    Args:
        evaluator: evaluator with the guards.
        genomes: genomes that were played, shape ``[P, K]``.
        played: games of the genomes and, as the last variant, of the baseline.
        games: games per matchup of each stage, of which `certify` determines the margins.
    """
    measured = largest_of(guard_values(patched, today) for patched, today in read_parts(played))
    is_today = np.logical_not(genomes.any(axis=1))
    selection = SelectionGames(played, is_today, evaluator.looks(games.certify)[-1], LIKELY)
    with_room = guard_values_with_room(evaluator.guards, selection)
    return measured, with_room


def _of_guards(
    evaluator: Evaluator,
    genome: Steps,
    played: Readings,
    values: tuple[dict[str, Floats], dict[str, Floats]],
    k: int,
) -> list[Shortfall]:
    """Return the shortfalls of the guards for one genome.

    Args:
        evaluator: evaluator with the guards.
        genome: genome as steps from the baseline, shape ``[K]``.
        played: games of all genomes and, as the last variant, of the baseline.
        values: values that guards limit, as measured and with margins, for all genomes.
        k: position of the genome among the variants of `played`.
    """
    measured, with_room = values
    limits = {name: guard.limit(evaluator.guards) for name, guard in GUARDS.items()}
    lacking = [name for name, reach in with_room.items() if reach[k] > limits[name]]
    if not lacking:
        return []
    verdicts = _verdicts(evaluator, genome, played, k)
    short = list[Shortfall]()
    for name in lacking:
        reading = float(measured[name][k])
        limit = limits[name]
        # The margin is the value with margin minus the measured value.
        most_read = limit - (float(with_room[name][k]) - reading)
        is_possible = most_read >= 0 or GUARDS[name].can_be_negative
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
    """Return the verdict on each measured guard for one variant, by the key of the guard.

    Bounds are at the level 95 %, without a division of the risk among looks.

    Args:
        evaluator: evaluator with the guards.
        genome: genome of the variant, shape ``[K]``.
        played: games of all genomes and, as the last variant, of the baseline.
        k: position of the variant.
    """
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
