"""The target: what is asked of win rates, and the demands that it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag

from balance.contest import Contest
from balance.demands import Demands
from balance.statistics.intervals import Floats
from sim import InputError, StrictModel, did_you_mean, known_word
from sim.files.validation import share_hint

LEAST_BAND_PP = 0.5
FIRST_SEAT_BAND_PP = 5.0  # as wide as the band of a win rate is where nothing is said
OTHERS = "others"
RESERVED = (OTHERS, "at")  # keys of its tables that are no player
_DIGITS = 9  # to which bounds are compared
FREE: Literal["free"] = "free"
MATRIX_SUFFIX = ".csv"
_GOALS = (
    "must be a win rate from 0 to 1, the lowest and the highest as [0.35, 0.65], "
    f'{{at = 0.5, band_pp = 3}}, or "{FREE}"'
)
FIRST_SEAT = "first seat vs second seat"
FIELD = "the field"

Share = Annotated[float, Field(ge=0, le=1)]


def _is_wide_enough(band_pp: float) -> float:
    if band_pp < LEAST_BAND_PP:
        # In fewer a patch has no room: `balance.room` wants 253 pp over the root of the games.
        percent = f"{100 * band_pp:g}"
        in_percent = f" ({percent} % is {percent})" if band_pp > 0 else ""
        raise ValueError(
            f"must be at least {LEAST_BAND_PP:g}{in_percent}: to certify a narrower band takes "
            "more than 250,000 games per matchup"
        )
    return band_pp


BandWidth = Annotated[float, Field(le=50), AfterValidator(_is_wide_enough)]


class Near(StrictModel):
    """A win rate with a band of its own."""

    at: Share
    band_pp: BandWidth


def _read_goal(told: Any) -> Any:
    """A goal as it is kept.

    Raises:
        ValueError: it is none; says what may be.
    """
    if isinstance(told, Near) or told == FREE or (isinstance(told, dict) and "at" in told):
        return told
    if not isinstance(told, tuple):
        return _share(told)
    if len(told) != 2:
        raise ValueError(_GOALS)
    low, high = map(_share, told)
    if high - low < 2 * LEAST_BAND_PP / 100 - 10**-_DIGITS:
        raise ValueError(f"must be [lowest, highest], {2 * LEAST_BAND_PP:g} % or more apart")
    return low, high


def _share(told: Any) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float):
        raise ValueError(_GOALS)  # noqa: TRY004 - pydantic tells value errors
    if not isfinite(told):
        raise ValueError("must be a finite number")
    if not 0 <= told <= 1:
        limit = "must be at least 0" if told < 0 else "must be at most 1"
        raise ValueError(limit + share_hint(told))
    return float(told)


def _kind(told: Any) -> Literal["table", "file", "goal"]:
    """Whether goals are told by matchup, in a file, or one for all."""
    if isinstance(told, dict) and "at" not in told:
        return "table"
    return "file" if isinstance(told, str) and told.endswith(MATRIX_SUFFIX) else "goal"


Goal = Annotated[float | tuple[float, float] | Literal["free"] | Near, BeforeValidator(_read_goal)]
"""Near a win rate, anywhere between two, or anywhere."""


_One = Annotated[Goal, Tag("goal")]
_Table = Annotated[dict[str, Goal], Tag("table")]


class Target(StrictModel):
    """Where win rates should be.

    Attributes:
        win_rate: the goal of the first-named player, for all matchups; or a table of them, by
            `"a vs b"`, by `"a"` for all matchups of a player, and `others`, 0.5 if not said; or a
            CSV file with a matrix of them (`experiments.files.csv_files`).
        band_pp: how far from its target a win rate may be, in percentage points, where a goal has
            no bounds of its own.
        field: each player's goal against all others together, weighted as the metagame is; or a
            table of them by player.
        first_seat: the goal of whoever moves first, over all matchups.
        first_seat_band_pp: how far from 50 % the first seat's share may be before it is marked,
            where it has no goal; default `FIRST_SEAT_BAND_PP`. Nothing is demanded by it.
    """

    win_rate: Annotated[_One | _Table | Annotated[str, Tag("file")], Discriminator(_kind)] = 0.5
    band_pp: BandWidth = 5.0
    field: Annotated[_One | _Table, Discriminator(_kind)] = FREE
    first_seat: Goal = FREE
    first_seat_band_pp: BandWidth | None = None

    @property
    def first_seat_bounds(self) -> tuple[float, float]:
        """Beyond which the first seat's share of the games is marked: its goal's, else a band."""
        goal = _bounds(self.first_seat, self.band_pp)
        band = (self.first_seat_band_pp or FIRST_SEAT_BAND_PP) / 100
        low, high = (0.5 - band, 0.5 + band) if goal is None else (goal.low, goal.high)
        return max(low, 0.0), min(high, 1.0)


class _Bounds(NamedTuple):
    """Between which a rate has to be, and half of the distance."""

    low: float
    high: float
    half_pp: float


def demands_of(
    contest: Contest, target: Target, weights: Mapping[str, float] | None = None
) -> Demands:
    """The demands that a target comes to in a contest.

    Args:
        contest: who meets whom.
        target: what is asked.
        weights: how much each player counts in the field; those not named count 1.

    Raises:
        InputError: the target names what is none of the contest's, or asks nothing.
    """
    n_matchups = len(contest.matchups)
    of_matchups = zip(contest.matchup_names, _of_matchups(contest, target), strict=True)
    asked: list[tuple[str, Floats, _Bounds]] = [
        (name, np.eye(n_matchups)[m], bounds)
        for m, (name, bounds) in enumerate(of_matchups)
        if bounds is not None
    ]
    of_players = _of_players(contest, target)
    if any(of_players):
        rows = zip(contest.player_names, shares_of_field(contest, weights or {}), strict=True)
        for (name, row), bounds in zip(rows, of_players, strict=True):
            if bounds is not None and not row.any() and isinstance(target.field, dict):
                raise InputError(f"target.field: nobody that {name!r} meets has a weight above 0")
            if bounds is not None and row.any():
                asked.append((f"{name} vs {FIELD}", row, bounds))
    if (first := _bounds(target.first_seat, target.band_pp)) is not None:
        if contest.n_seatings != 2:
            raise InputError("target.first_seat: is for games of two seats")
        asked = [(name, np.append(row, 0.0), bounds) for name, row, bounds in asked]
        asked.append((FIRST_SEAT, np.eye(n_matchups + 1)[-1], first))
    if not asked:
        raise InputError(f"target: all is {FREE!r}; give a matchup, `field` or `first_seat` a goal")
    called, matrix, all_bounds = zip(*asked, strict=True)
    low, high, halves_pp = np.array(all_bounds).T
    band_pp = min(target.band_pp, *halves_pp.tolist())
    return Demands(
        called, np.array(matrix), low, high, band_pp, first is not None, spread=contest.spread
    )


def with_players(
    demands: Demands, contest: Contest, weights: Mapping[str, float] | None = None
) -> Demands:
    """With every player's rate against all others, for reports; nothing is demanded of the added.

    Args:
        demands: of a contest.
        contest: matchups are of two players.
        weights: how much each player counts in the field; those not named count 1.
    """
    rows = zip(contest.player_names, shares_of_field(contest, weights or {}), strict=True)
    called = {f"{name} vs {FIELD}": row for name, row in rows if row.any()}
    new = {name: row for name, row in called.items() if name not in demands.names}
    unbound = np.full(len(new), inf)
    weighed = [np.append(row, np.zeros(demands.n_rates - len(row))) for row in new.values()]
    return replace(
        demands,
        names=(*demands.names, *new),
        weights=np.array([*demands.weights, *weighed]),
        low=np.append(demands.low, -unbound),
        high=np.append(demands.high, unbound),
    )


def shares_of_field(contest: Contest, weights: Mapping[str, float]) -> Floats:
    """``[D, M]`` each matchup's share in a player's rate against all others; the sign is the side.

    A player who meets nobody that counts has none.

    Raises:
        InputError: a weight is given for nobody, or a matchup is of more than two.
    """
    names = contest.player_names
    for name in weights:
        if name not in names:
            known = f"players are {', '.join(names)}{did_you_mean(name, names)}"
            raise InputError(f"field.weights: no player is called {name!r}; {known}")
    shares = np.zeros((len(names), len(contest.matchups)))
    for m, matchup in enumerate(contest.matchups):
        if len(matchup) != 2:
            raise InputError("target.field: is for matchups of two players")
        a, b = matchup
        shares[a, m] = weights.get(names[b], 1.0)
        shares[b, m] = -weights.get(names[a], 1.0)
    whole = abs(shares).sum(axis=1, keepdims=True)
    return np.asarray(shares / np.where(whole > 0, whole, 1.0))


def _of_matchups(contest: Contest, target: Target) -> list[_Bounds | None]:
    """``[M]`` the bounds of each matchup's rate, or none."""
    told = target.win_rate
    if isinstance(told, str) and told != "free":
        raise InputError(f"target.win_rate: the file {told!r} has not been read")
    if not isinstance(told, dict):
        return [_bounds(told, target.band_pp)] * len(contest.matchups)
    table = {name: _bounds(goal, target.band_pp) for name, goal in told.items()}
    names = contest.matchup_names
    found = list[_Bounds | None]()
    for name, matchup in zip(names, contest.matchups, strict=True):
        mirrored = contest.matchup_name(matchup[::-1])
        if name in table:
            found.append(table.pop(name))
        elif len(matchup) == 2 and mirrored in table:
            found.append(_turned(table.pop(mirrored)))
        else:
            fair = _bounds(1 / len(matchup), target.band_pp)
            found.append(_by_player(contest, matchup, table, table.get(OTHERS, fair)))
    for stray in table:
        if stray not in (OTHERS, *contest.player_names):
            raise InputError(
                f"target.win_rate: {stray!r} is no matchup (each may be given once) and no player; "
                f"matchups are {', '.join(names)}{did_you_mean(stray, names)}"
            )
    return found


def _of_players(contest: Contest, target: Target) -> list[_Bounds | None]:
    """``[D]`` the bounds of each player's rate against the field, or none."""
    names = contest.player_names
    told = target.field
    if not isinstance(told, dict):
        return [_bounds(told, target.band_pp)] * len(names)
    for name in told:
        known_word("player", name, names, "target.field")
    return [_bounds(told.get(name, FREE), target.band_pp) for name in names]


def _by_player(
    contest: Contest,
    matchup: Sequence[int],
    table: Mapping[str, _Bounds | None],
    others: _Bounds | None,
) -> _Bounds | None:
    """What a table asks of one of the players in a matchup that it does not name itself."""
    first, *rest = (contest.player_names[player] for player in matchup)
    wished = [table[first]] if first in table else []
    wished += [_turned(table[name]) for name in rest if name in table and len(rest) == 1]
    if len({bounds and tuple(round(end, _DIGITS) for end in bounds) for bounds in wished}) > 1:
        name = contest.matchup_name(matchup)
        raise InputError(f"target.win_rate: both players of {name!r} ask for something; say which")
    return wished[0] if wished else others


def _bounds(goal: float | tuple[float, float] | str | Near, band_pp: float) -> _Bounds | None:
    """Between which a goal keeps a rate, where a single number has this band."""
    if isinstance(goal, Near):
        return _bounds(goal.at, goal.band_pp)
    if isinstance(goal, float):
        return _Bounds(goal - band_pp / 100, goal + band_pp / 100, band_pp)
    if isinstance(goal, str) or goal == (0.0, 1.0):
        return None
    low, high = goal
    return _Bounds(low or -inf, high if high < 1 else inf, round(50 * (high - low), 9))


def _turned(bounds: _Bounds | None) -> _Bounds | None:
    """The same for the other side of a matchup."""
    return bounds and _Bounds(1 - bounds.high, 1 - bounds.low, bounds.half_pp)
