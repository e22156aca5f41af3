"""Declarations of a simulator's parameters, as experiment files and simulators write them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, model_validator

from sim.errors import InputError
from sim.files.validation import StrictModel
from sim.simulator.block import Value

Number = int | float

# Most values between the bounds of a parameter: steps are stored in 16 bits with a sign.
VALUES_MAX = 30_000


class ParameterEntry(StrictModel):
    """Declaration of a parameter: its value, and the values that a patch may give it.

    Attributes:
        value: value in the baseline.
        low: lowest value that a patch may give; by default `value`.
        high: highest value that a patch may give; by default `value`.
        step: distance between two values; by default 1 for whole numbers. Real numbers need it.
        choices: words from which the value is chosen, in an order in which neighbours are alike;
            they exclude `low`, `high` and `step`. A word without choices is not changed.
        group: name of the group that the parameter belongs to, such as a unit; by default the part
            of the parameter's name before the first dot.
        players: names of the players that the parameter can affect; empty for all.
        weight: cost of one step in the change of a patch.
        better: whether `higher` or `lower` values help the group's owner, for design rules such as
            `zero_sum`; `None` if that is unknown.
    """

    value: Value
    low: Number | None = None
    high: Number | None = None
    step: Number | None = Field(default=None, gt=0)
    choices: tuple[str, ...] = ()
    group: str = ""
    players: tuple[str, ...] = ()
    weight: float = Field(default=1.0, gt=0, le=1000)
    better: Literal["higher", "lower"] | None = None

    @model_validator(mode="after")
    def _check(self) -> ParameterEntry:
        """Refuse bounds that do not fit the value, its step or its kind.

        Raises:
            InputError: the bounds, the step or the words contradict the value or each other.
        """
        if isinstance(self.value, str) or self.choices:
            self._check_choices()
        else:
            self._check_bounds()
        return self

    def _check_choices(self) -> None:
        """Refuse a word that is not among the choices, and bounds of words."""
        choices = self.choices or (self.value,)
        if self.value not in choices or len(set(choices)) < len(choices):
            raise InputError(
                f"{self.value!r} must be one of the words in `choices`, which must differ",
                place="value",
                value=self.value,
                limit=self.choices,
                remedy="write all words that the parameter may have in `choices`",
            )
        for key in ("low", "high", "step"):
            if getattr(self, key) is not None:
                raise InputError(
                    "does not apply to a word",
                    place=key,
                    value=getattr(self, key),
                    remedy="leave it out",
                )

    def _check_bounds(self) -> None:
        """Refuse bounds on the wrong side of the value, or no whole number of steps from it."""
        step = self.step_size
        for key, sign in (("low", -1), ("high", 1)):
            bound = getattr(self, key)
            if bound is None:
                continue
            steps = sign * (decimal(bound) - decimal(self.value)) / step
            if steps < 0 or steps > VALUES_MAX or steps != steps.to_integral_value():
                side = "at most" if sign < 0 else "at least"
                raise InputError(
                    f"{bound} must be {side} {self.value}, and a whole number of steps of {step} "
                    f"(at most {VALUES_MAX:,}) away from it",
                    place=key,
                    value=bound,
                    limit=self.value,
                )

    @property
    def step_size(self) -> Decimal:
        """Distance between two neighbouring values.

        Raises:
            InputError: the numbers are real, and no step is given.
        """
        if self.step is not None:
            return decimal(self.step)
        bounds = [bound for bound in (self.low, self.high) if bound is not None]
        if any(isinstance(number, float) for number in (self.value, *bounds)) and bounds:
            raise InputError(
                "missing; a parameter with a real number needs it",
                place="step",
                remedy="write the distance between two values that a patch may choose, such as "
                "step = 0.05",
            )
        return Decimal(1)


def decimal(number: Any) -> Decimal:
    """Return a number as it is written, so that 0.1 is exactly a tenth."""
    return Decimal(repr(number) if isinstance(number, float) else str(number))
