"""Leave-one-out power of groups of parameters: what a player loses without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from balance.settings.tables import GameCount
from balance.simulator.results import shares_of
from balance.simulator.simulated_contest import SimulatedContest
from balance.statistics.intervals import Floats, Interval, paired_mean
from sim.arguments import Seed, checked
from sim.errors import InputError
from sim.play.table import Gene
from sim.seeds import numbers_of, stream_seed
from sim.simulator.block import Block


class GroupPower(NamedTuple):
    """Power of a group of parameters for one player.

    Attributes:
        player: position of the player in the contest.
        group: name of the group.
        n_games: number of games with the group, and as many without it.
        power: rate of the player with the group minus that without it, against all other players,
            as a share with a paired interval.
    """

    player: int
    group: str
    n_games: int
    power: Interval


@checked(n_games=GameCount, run_seed=Seed)
def measure_group_power(
    contest: SimulatedContest,
    *,
    n_games: int,
    run_seed: int,
    steps: Mapping[Gene, int] | None = None,
) -> list[GroupPower]:
    """Measure the leave-one-out power of every group for every player that it can affect.

    Only the measured player plays without the group, on the seeds of the games with it.

    Args:
        contest: contest with a simulator that can leave out groups.
        n_games: games of a player against each group of opponents, with a group and without it.
        run_seed: seed of the run; the stream of game seeds is `power`.
        steps: steps of parameters from their declared values; `None` for none.

    Returns:
        One entry per player and group, in their order.

    Raises:
        InputError: the simulator cannot leave out groups, or a game fails.
    """
    require_leave_out(contest)
    n_seeds = contest.checked_games(n_games) // contest.n_seatings
    seeds = numbers_of(stream_seed(run_seed, "power"), np.arange(n_seeds))
    numbers = contest.parameters.values(steps or {})
    powers = []
    for player in range(len(contest.player_names)):
        groups = _groups_of(contest, player)
        seated = [*_seatings(contest, player)]
        blocks = [
            _block(contest, players, seat, group)._replace(numbers=numbers, seeds=seeds)
            for group in (None, *groups)
            for players, seat in seated
        ]
        played = dict(contest.simulator.play(blocks))
        shares = np.stack(
            [
                shares_of(played[k], seated[k % len(seated)][1], contest.n_seatings, contest.rate)
                for k in range(len(blocks))
            ]
        )
        rates: Floats = shares.reshape(1 + len(groups), len(seated), n_seeds).mean(axis=1)
        for k, group in enumerate(groups, start=1):
            difference = paired_mean(rates[0] - rates[k])
            powers.append(GroupPower(player, group, len(seated) * n_seeds, difference))
    return powers


def require_leave_out(contest: SimulatedContest) -> None:
    """Refuse a contest with a simulator that cannot leave out groups.

    Raises:
        InputError: the simulator cannot.
    """
    if not contest.simulator.can_leave_out:
        raise InputError(
            "the game cannot leave out a group of parameters",
            place="power",
            remedy="give the function a parameter `without`, a tuple with the group that each seat "
            "plays without, or None",
        )


def _groups_of(contest: SimulatedContest, player: int) -> list[str]:
    """Return the groups with a parameter that can affect a player's games."""
    reaches = contest.reach(contest.genes)[:, player]
    owners = [contest.parameter(gene).owner for gene in contest.genes]
    return list(dict.fromkeys(owner for owner, own in zip(owners, reaches, strict=True) if own))


def _seatings(contest: SimulatedContest, player: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the players in the order of their seats, and the player's seat, in all its games."""
    others = [other for other in range(len(contest.player_names)) if other != player]
    for opponents in combinations(others, contest.n_seatings - 1):
        for seat in range(contest.n_seatings):
            yield (*opponents[:seat], player, *opponents[seat:]), seat


def _block(
    contest: SimulatedContest, players: tuple[int, ...], seat: int, group: str | None
) -> Block:
    """Return the games of some players in which one seat plays without a group, without seeds.

    Args:
        contest: contest with the players.
        players: positions of the players in the order of their seats.
        seat: seat that plays without the group.
        group: name of the group; `None` for games with everything.
    """
    names = tuple(contest.player_names[player] for player in players)
    without = tuple(group if own == seat else None for own in range(len(players)))
    return Block({}, names, np.zeros(0, dtype=np.uint64), without if group else ())
