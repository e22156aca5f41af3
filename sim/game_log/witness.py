"""To whom a game is told: a reader, who sees everything, or the player of a seat."""

from __future__ import annotations

from dataclasses import dataclass

_OF_YOU = {"is": "are", "has": "have", "may": "may"}


@dataclass(frozen=True)
class Witness:
    """Who is told a game: what of the seats is shown, and what they are called.

    Attributes:
        seat: whose player it is; `None` for a reader, who is shown both hands.
    """

    seat: int | None = None

    @property
    def plays(self) -> bool:
        """Whether it has a seat, and may not see what the other one holds."""
        return self.seat is not None

    def sees(self, seat: int) -> bool:
        """Whether it is shown the cards that a seat holds, draws and chooses from."""
        return self.seat in (None, seat)

    def named(self, seat: int) -> str:
        """What a seat is called."""
        if self.seat is None:
            return f"seat {seat}"
        return "you" if seat == self.seat else "the opponent"

    def does(self, seat: int, verb: str) -> str:
        """Who does something: `seat 0 draws`, `you draw` or `the opponent draws`.

        Args:
            seat: who.
            verb: in the third person.
        """
        if seat == self.seat:
            verb = _OF_YOU.get(verb, verb.removesuffix("s"))
        return f"{self.named(seat)} {verb}"

    def whose(self, seat: int) -> str:
        """Whose something is: `seat 0`, `your` or `the opponent's`."""
        if self.seat is None:
            return f"seat {seat}"
        return "your" if seat == self.seat else "the opponent's"


READER = Witness()
"""Somebody who has no seat."""
