"""Settings `[target]` with the goals of win rates, and the demands that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag

from balance.contest.contest import Contest
from balance.contest.demands import Demands
from balance.statistics.intervals import Floats
from sim import InputError, StrictModel, known_word
from sim.errors import known_help
from sim.files.validation import share_hint

# Minimum half-width of a band: the margin of `balance.verdict.room` is 253 pp divided by the square
# root of the games, so a narrower band would need more than 250,000 games per matchup.
LEAST_BAND_PP = 0.5
# Half-width of the band in which reports do not mark the first seat's rate, equal to the default
# band of matchups.
FIRST_SEAT_BAND_PP = 5.0
OTHERS = "others"
"""Key in a table of goals for all matchups that the table does not name."""

RESERVED = (OTHERS, "at")
"""Keys of tables of goals, which cannot be names of players."""

_DIGITS = 9  # decimal digits to which bounds are compared, to ignore rounding errors of floats
FREE: Literal["free"] = "free"
"""Word for a win rate without a goal."""

MATRIX_SUFFIX = ".csv"
"""Suffix of files with a matrix of goals."""

_GOALS = (
    "must be a win rate from 0 to 1, a range such as [0.35, 0.65], a table such as "
    f'{{at = 0.5, band_pp = 3}}, or "{FREE}"'
)
FIRST_SEAT = "first seat vs second seat"
"""Name of the demand on the first seat's win rate in reports."""

FIELD = "the field"
"""Name of all opponents of a player together in reports."""

Share = Annotated[float, Field(ge=0, le=1)]
"""Share, such as a win rate, from 0 to 1."""


def _checked_band_width(band_pp: float) -> float:
    """Return the half-width of a band after checking that a patch can be certified within it.

    Raises:
        InputError: the half-width is below `LEAST_BAND_PP`.
    """
    if band_pp < LEAST_BAND_PP:
        percent = f"{100 * band_pp:g}"
        raise InputError(
            f"must be at least {LEAST_BAND_PP:g}, since certifying a narrower band takes more than "
            "250,000 games per matchup",
            value=band_pp,
            limit=LEAST_BAND_PP,
            remedy=f"for {percent} %, write {percent}" if band_pp > 0 else "",
        )
    return band_pp


BandWidth = Annotated[float, Field(le=50), AfterValidator(_checked_band_width)]
"""Half-width of a band in percentage points, from `LEAST_BAND_PP` to 50."""


class Near(StrictModel):
    """Goal of a win rate within a separate band, which replaces `target.band_pp`.

    Attributes:
        at: target win rate as a share.
        band_pp: half-width of the band, in percentage points.
    """

    at: Share
    band_pp: BandWidth


def _read_goal(value: Any) -> Any:
    """Return a goal from a file in its internal form: a share, a pair of shares, or unchanged.

    Raises:
        InputError: the value does not have a permitted form, a share is not between 0 and 1, or a
            range is too narrow.
    """
    if isinstance(value, Near) or value == FREE or (isinstance(value, dict) and "at" in value):
        return value
    if not isinstance(value, tuple):
        return _share(value)
    if len(value) != 2:
        raise InputError(_GOALS, value=value)
    low, high = map(_share, value)
    if high - low < 2 * LEAST_BAND_PP / 100 - 10**-_DIGITS:
        raise InputError(
            f"must be [lowest, highest], at least {2 * LEAST_BAND_PP / 100:g} apart",
            value=value,
            limit=2 * LEAST_BAND_PP,
        )
    return low, high


def _share(value: Any) -> float:
    """Return a win rate as a float.

    Raises:
        InputError: the value is not a number from 0 to 1.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(_GOALS, value=value)
    if not isfinite(value):
        raise InputError("must be a finite number", value=value)
    if not 0 <= value <= 1:
        limit = 0 if value < 0 else 1
        bound = "least" if value < 0 else "most"
        raise InputError(
            f"must be at {bound} {limit}", value=value, limit=limit, remedy=share_hint(value)
        )
    return float(value)


def _kind(value: Any) -> Literal["table", "file", "goal"]:
    """Return the form of the goals: a table by name, a matrix file, or one goal for all rates."""
    if isinstance(value, dict) and "at" not in value:
        return "table"
    return "file" if isinstance(value, str) and value.endswith(MATRIX_SUFFIX) else "goal"


Goal = Annotated[float | tuple[float, float] | Literal["free"] | Near, BeforeValidator(_read_goal)]
"""Goal of a win rate: within a band around a value, between two values, or free."""


_One = Annotated[Goal, Tag("goal")]
_Table = Annotated[dict[str, Goal], Tag("table")]

WinRates = Annotated[_One | _Table | Annotated[str, Tag("file")], Discriminator(_kind)]
"""Goals of matchups: one for all, a table by name, or the name of a file with a matrix."""


class Target(StrictModel):
    """Settings `[target]`: goals of the win rates.

    Attributes:
        win_rate: goal of the first player of every matchup; or a table of goals by `"a vs b"`, by
            `"a"` for all matchups of a player, and `others` (default 0.5); or the name of a CSV
            file with a matrix of goals (`experiments.files.csv_files`).
        band_pp: permitted distance from a target win rate, in percentage points, for goals without
            explicit bounds.
        field: goal of each player against all other players together, with the weights of
            `[field]`; or a table of goals by player.
        first_seat: goal of the player who moves first, over all matchups.
        first_seat_band_pp: distance from 50 %, in percentage points, from which on reports mark the
            first seat's win rate if it has no goal; `None` for `FIRST_SEAT_BAND_PP`. No demand
            follows from it.
    """

    win_rate: WinRates = 0.5
    band_pp: BandWidth = 5.0
    field: Annotated[_One | _Table, Discriminator(_kind)] = FREE
    first_seat: Goal = FREE
    first_seat_band_pp: BandWidth | None = None

    @property
    def first_seat_bounds(self) -> tuple[float, float]:
        """Lower and upper bounds outside which reports mark the first seat's win rate.

        The bounds are those of its goal or, without a goal, of a band around 50 %.
        """
        goal = _bounds(self.first_seat, self.band_pp)
        band = (self.first_seat_band_pp or FIRST_SEAT_BAND_PP) / 100
        low, high = (0.5 - band, 0.5 + band) if goal is None else (goal.low, goal.high)
        return max(low, 0.0), min(high, 1.0)


class _Bounds(NamedTuple):
    """Bounds of a demanded rate.

    Attributes:
        low: lower bound as a share; `-inf` for a rate without a lower bound.
        high: upper bound as a share; `inf` for a rate without an upper bound.
        half_pp: half of the distance of the bounds that the goal gives, in percentage points.
    """

    low: float
    high: float
    half_pp: float


def demands_of(
    contest: Contest, target: Target, weights: Mapping[str, float] | None = None
) -> Demands:
    """Return the demands that follow from a target in a contest.

    The order is: matchups, players against the field, the first seat. Rates without a goal are left
    out, and so are players without a weighted opponent if one goal applies to all players.

    Args:
        contest: players and matchups.
        target: goals of the win rates.
        weights: weight by player name for rates against the field; default 1 for all players.

    Raises:
        InputError: the target or a weight names an unknown player or matchup, a goal does not fit
            the contest, the goals of a matchup contradict each other, or no rate has a goal.
    """
    n_matchups = len(contest.matchups)
    of_matchups = zip(contest.matchup_names, _of_matchups(contest, target), strict=True)
    alone = np.eye(n_matchups)  # one matrix for all rows, which are views of it
    demands: list[tuple[str, Floats, _Bounds]] = [
        (name, alone[m], bounds)
        for m, (name, bounds) in enumerate(of_matchups)
        if bounds is not None
    ]
    of_players = _of_players(contest, target)
    if any(of_players):
        rows = zip(contest.player_names, shares_of_field(contest, weights or {}), strict=True)
        for (name, row), bounds in zip(rows, of_players, strict=True):
            if bounds is not None and not row.any() and isinstance(target.field, dict):
                raise InputError(
                    f"no opponent of {name!r} has a weight above 0",
                    place="target.field",
                    value=name,
                    remedy="raise a weight in field.weights, or leave the player out",
                )
            if bounds is not None and row.any():
                demands.append((f"{name} vs {FIELD}", row, bounds))
    if (first := _bounds(target.first_seat, target.band_pp)) is not None:
        if contest.n_seatings != 2:
            raise InputError(
                "requires games of two seats",
                place="target.first_seat",
                value=contest.n_seatings,
                limit=2,
            )
        # The first seat's rate is appended to those of the matchups, so all other demands get a
        # share of 0 in it.
        demands = [(name, np.append(row, 0.0), bounds) for name, row, bounds in demands]
        demands.append((FIRST_SEAT, np.eye(n_matchups + 1)[-1], first))
    if not demands:
        raise InputError(
            f"every goal is {FREE!r}",
            place="target",
            value=FREE,
            remedy="give a matchup, `field` or `first_seat` a goal",
        )
    names, matrix, all_bounds = zip(*demands, strict=True)
    low, high, halves_pp = np.array(all_bounds).T
    band_pp = min(target.band_pp, *halves_pp.tolist())
    return Demands(
        names, np.array(matrix), low, high, band_pp, first is not None, spread=contest.spread
    )


def with_players(
    demands: Demands, contest: Contest, weights: Mapping[str, float] | None = None
) -> Demands:
    """Return demands extended by every player's rate against all others, without bounds.

    Players that already have such a demand, or have no weighted opponent, are skipped.

    Args:
        demands: demands in the contest.
        contest: contest with matchups of two players.
        weights: weight by player name; default 1 for all players.
    """
    rows = zip(contest.player_names, shares_of_field(contest, weights or {}), strict=True)
    by_name = {f"{name} vs {FIELD}": row for name, row in rows if row.any()}
    added = {name: row for name, row in by_name.items() if name not in demands.names}
    infinite = np.full(len(added), inf)
    padded_rows = [np.append(row, np.zeros(demands.n_rates - len(row))) for row in added.values()]
    return replace(
        demands,
        names=(*demands.names, *added),
        weights=np.array([*demands.weights, *padded_rows]),
        low=np.append(demands.low, -infinite),
        high=np.append(demands.high, infinite),
    )


def shares_of_field(contest: Contest, weights: Mapping[str, float]) -> Floats:
    """Return the share of each matchup in each player's rate against all others, ``[D, M]``.

    Shares are in proportion to the opponents' weights. They are negative for matchups in which the
    player is second, and 0 for a player without a weighted opponent.

    Args:
        contest: contest with matchups of two players.
        weights: weight by player name; players that are not listed have weight 1.

    Raises:
        InputError: a name in `weights` is not that of a player, or a matchup has more than two
            players.
    """
    names = contest.player_names
    for name in weights:
        known_word("player", name, names, "field.weights")
    shares = np.zeros((len(names), len(contest.matchups)))
    for m, matchup in enumerate(contest.matchups):
        if len(matchup) != 2:
            raise InputError(
                "requires matchups of two players",
                place="target.field",
                value=len(matchup),
                limit=2,
            )
        a, b = matchup
        shares[a, m] = weights.get(names[b], 1.0)
        shares[b, m] = -weights.get(names[a], 1.0)
    total = abs(shares).sum(axis=1, keepdims=True)
    return np.asarray(shares / np.where(total > 0, total, 1.0))


def _of_matchups(contest: Contest, target: Target) -> list[_Bounds | None]:
    """Return the bounds of each matchup's rate, shape ``[M]``; `None` for a matchup without a goal.

    Args:
        contest: players and matchups.
        target: goals of the win rates.

    Raises:
        InputError: the goals are in a file that has not been read, a name is neither a matchup nor
            a player, or the goals of both players of a matchup differ.
    """
    goals = target.win_rate
    is_of_more = any(len(matchup) > 2 for matchup in contest.matchups)
    if is_of_more and "win_rate" not in target.model_fields_set:
        goals = {}  # the usual goal of a half is that of two players
    if isinstance(goals, str) and goals != "free":
        raise InputError(
            f"only an experiment file can name a file of goals, such as {goals!r}",
            place="target.win_rate",
            value=goals,
            remedy="pass the table that `experiments.files.csv_files.read_target_matrix` reads "
            "from the file",
        )
    if not isinstance(goals, dict):
        return [_bounds(goals, target.band_pp)] * len(contest.matchups)
    table = {name: _bounds(goal, target.band_pp) for name, goal in goals.items()}
    names = contest.matchup_names
    bounds_by_matchup = list[_Bounds | None]()
    for name, matchup in zip(names, contest.matchups, strict=True):
        mirrored = contest.matchup_name(matchup[::-1])
        if name in table:
            bounds_by_matchup.append(table.pop(name))
        elif len(matchup) == 2 and mirrored in table:
            bounds_by_matchup.append(_mirrored_bounds(table.pop(mirrored)))
        else:
            fair = _bounds(1 / len(matchup), target.band_pp)
            bounds_by_matchup.append(_by_player(contest, matchup, table, table.get(OTHERS, fair)))
    for stray in table:
        if stray not in (OTHERS, *contest.player_names):
            raise _stray_goal_error(stray, contest)
    return bounds_by_matchup


def _stray_goal_error(stray: str, contest: Contest) -> InputError:
    """Return the error for a goal that no matchup takes.

    Args:
        stray: name of the goal in `target.win_rate`; not that of a player.
        contest: players and matchups.
    """
    names = contest.matchup_names
    matchups = zip(names, contest.matchups, strict=True)
    by_mirrored = {contest.matchup_name(matchup[::-1]): name for name, matchup in matchups}
    if stray in by_mirrored:
        problem = f"{stray!r} is given twice, once as {by_mirrored[stray]!r}"
        remedy = "keep one"
    else:
        problem = f"no matchup or player is named {stray!r}"
        known = [*names, *contest.player_names]
        remedy = known_help(stray, names if " vs " in stray else known, known)
    return InputError(problem, place="target.win_rate", value=stray, limit=names, remedy=remedy)


def _of_players(contest: Contest, target: Target) -> list[_Bounds | None]:
    """Return the bounds of each player's rate against the field, shape ``[D]``.

    Args:
        contest: players and matchups.
        target: goals of the win rates.

    Returns:
        Bounds; `None` for a player without a goal.

    Raises:
        InputError: a goal names an unknown player.
    """
    names = contest.player_names
    goals = target.field
    if not isinstance(goals, dict):
        return [_bounds(goals, target.band_pp)] * len(names)
    for name in goals:
        known_word("player", name, names, "target.field")
    return [_bounds(goals.get(name, FREE), target.band_pp) for name in names]


def _by_player(
    contest: Contest,
    matchup: Sequence[int],
    table: Mapping[str, _Bounds | None],
    others: _Bounds | None,
) -> _Bounds | None:
    """Return the bounds of a matchup that has no entry in a table of goals.

    The bounds come from the entry of the first player, or of the second with sides exchanged, or
    from `others` if no player of the matchup has an entry.

    Args:
        contest: players and matchups.
        matchup: positions of the players of the matchup.
        table: bounds by player name; `None` for a free rate.
        others: bounds of matchups without any entry.

    Raises:
        InputError: the bounds from the entries of both players differ.
    """
    first, *rest = (contest.player_names[player] for player in matchup)
    applicable = [table[first]] if first in table else []
    applicable += [
        _mirrored_bounds(table[name]) for name in rest if name in table and len(rest) == 1
    ]
    if len({bounds and tuple(round(end, _DIGITS) for end in bounds) for bounds in applicable}) > 1:
        name = contest.matchup_name(matchup)
        raise InputError(
            f"the goals of both players apply to {name!r} and differ",
            place="target.win_rate",
            value=name,
            remedy=f"give {name!r} a goal of its own",
        )
    return applicable[0] if applicable else others


def _bounds(goal: float | tuple[float, float] | str | Near, band_pp: float) -> _Bounds | None:
    """Return the bounds of a goal; `None` if the goal permits every rate.

    Args:
        goal: goal in its internal form.
        band_pp: half-width of the band around a single target, in percentage points.
    """
    if isinstance(goal, Near):
        return _bounds(goal.at, goal.band_pp)
    if isinstance(goal, float):
        return _Bounds(goal - band_pp / 100, goal + band_pp / 100, band_pp)
    if isinstance(goal, str) or goal == (0.0, 1.0):
        return None
    # Bounds of 0 and 1 become infinite, since no rate can exceed them: an interval that reaches
    # such a bound counts as inside.
    low, high = goal
    return _Bounds(low or -inf, high if high < 1 else inf, round(50 * (high - low), 9))


def _mirrored_bounds(bounds: _Bounds | None) -> _Bounds | None:
    """Return the bounds of the second player's rate from those of the first; `None` if free."""
    return bounds and _Bounds(1 - bounds.high, 1 - bounds.low, bounds.half_pp)
