"""Results of games as JSON objects, as programs report them and as files keep them."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from sim.errors import InputError
from sim.files.validation import StrictModel
from sim.simulator.block import DRAWN, Played

SEATS_MAX = 10
"""Most seats of a game: a winner is written as one digit."""

_DRAWN_CODE = ord("d")
_FIRST_CODE = ord("0")

# A game of more turns is endless for all purposes; the limit fits 32 bits with a sign.
_TURNS_MAX = 2**31 - 1

_Turns = Annotated[int, Field(ge=0, le=_TURNS_MAX)]
_Points = Annotated[float, Field(ge=0)]


class GameResults(StrictModel):
    """Results of games with equal parameters and seating, in the order of their seeds.

    Attributes:
        winners: one character for each game: the digit of the seat that won, or `d` if it is drawn.
        turns: length of each game in turns; `None` if lengths are not reported.
        points: points of each seat in each game; `None` if games are only won, lost or drawn.
        infeasible: reason why these parameters cannot be played; then the other fields are absent.
    """

    winners: str | None = None
    turns: tuple[_Turns, ...] | None = None
    points: tuple[tuple[_Points, ...], ...] | None = None
    infeasible: Annotated[str, Field(max_length=500)] = ""

    @model_validator(mode="after")
    def _check(self) -> GameResults:
        """Refuse results that are both played and infeasible, or neither.

        Raises:
            InputError: winners are missing, or given in addition to a reason.
        """
        if (self.winners is None) == (not self.infeasible):
            raise InputError(
                "must be given for games that were played, and only for those",
                place="winners",
                value=self.winners,
                remedy='send either "winners" or "infeasible"',
            )
        return self

    def played(self, n_games: int, n_seats: int) -> Played:
        """Return the results as arrays.

        Args:
            n_games: number of games, ``S``.
            n_seats: number of seats of a game.

        Raises:
            InputError: a list has another length, or a winner is not a seat.
        """
        if self.infeasible:
            return infeasible_games(self.infeasible)
        for name in ("winners", "turns", "points"):
            values = getattr(self, name)
            if values is not None and len(values) != n_games:
                raise InputError(
                    f"{len(values):,} for {n_games:,} games",
                    place=name,
                    value=len(values),
                    limit=n_games,
                )
        for scores in self.points or ():
            if len(scores) != n_seats:
                raise InputError(
                    f"{len(scores)} for {n_seats} seats of a game",
                    place="points",
                    value=len(scores),
                    limit=n_seats,
                )
        return Played(
            winners=_decoded(self.winners or "", n_seats),
            turns=None if self.turns is None else np.array(self.turns, dtype=np.int32),
            points=None
            if self.points is None
            else np.array(self.points, dtype=np.float64).reshape(n_games, n_seats),
        )


def infeasible_games(reason: str) -> Played:
    """Return the results of parameters that cannot be played."""
    return Played(np.empty(0, dtype=np.int8), infeasible=reason)


def results_of(played: Played) -> dict[str, Any]:
    """Return results as the JSON object that `GameResults` describes, the inverse of `played`."""
    if played.infeasible:
        return {"infeasible": played.infeasible}
    codes = np.where(played.winners == DRAWN, _DRAWN_CODE, played.winners + _FIRST_CODE)
    results: dict[str, Any] = {"winners": codes.astype(np.uint8).tobytes().decode("ascii")}
    if played.turns is not None:
        results["turns"] = played.turns.tolist()
    if played.points is not None:
        results["points"] = played.points.tolist()
    return results


def _decoded(text: str, n_seats: int) -> npt.NDArray[np.int8]:
    """Return the winners of games, ``[S]``.

    Args:
        text: one character for each game.
        n_seats: number of seats of a game.

    Raises:
        InputError: a character is neither the digit of a seat nor `d`.
    """
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    is_drawn = codes == _DRAWN_CODE
    is_seat = (codes >= _FIRST_CODE) & (codes < _FIRST_CODE + n_seats)
    if wrong := np.flatnonzero(~is_drawn & ~is_seat).tolist():
        raise InputError(
            f"{text[wrong[0]]!r} is neither the digit of a seat, 0 to {n_seats - 1}, nor 'd'",
            place="winners",
            value=text[wrong[0]],
            limit=n_seats - 1,
        )
    winners = codes.astype(np.int64) - _FIRST_CODE
    return np.where(is_drawn, DRAWN, winners).astype(np.int8)
