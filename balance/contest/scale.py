"""Scale of a number: the values that its whole steps stand for."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from sim.errors import InputError, known_word
from sim.simulator.block import Value
from sim.simulator.parameter_entry import decimal


@dataclass(frozen=True)
class Scale:
    """Values of a number that changes by equal steps, or from word to word.

    A search moves every number by whole steps. The position ``k`` stands for the value
    ``origin + k step``, or for the word number ``k``.

    Attributes:
        origin: value at position 0.
        step: distance between two neighbouring values.
        choices: words at the positions 0, 1, ...; empty for numbers.
        is_real: whether values are shown as real numbers, even if they are whole.
    """

    origin: Decimal = Decimal(0)
    step: Decimal = Decimal(1)
    choices: tuple[str, ...] = ()
    is_real: bool = False

    def value(self, position: int) -> Value:
        """Return the value at a position."""
        if self.choices:
            return self.choices[position]
        # Decimal numbers do not turn 0.1 + 0.2 into 0.30000000000000004.
        value = self.origin + self.step * position
        return float(value) if self.is_real else int(value)

    @property
    def step_value(self) -> Value:
        """Distance between two neighbouring values of a number."""
        return float(self.step) if self.is_real else int(self.step)

    def position(self, value: Value) -> int:
        """Return the position of a value.

        Raises:
            InputError: no position has the value.
        """
        if self.choices:
            return self.choices.index(known_word("value", str(value), self.choices))
        if isinstance(value, str):
            raise InputError(f"{value!r} must be a number", value=value)
        position = (decimal(value) - self.origin) / self.step
        if position != position.to_integral_value():
            raise InputError(
                f"{value} must be {self.origin} plus or minus a multiple of {self.step}",
                value=value,
                limit=str(self.step),
                remedy="declare a smaller `step` for it in the file",
            )
        return int(position)

    def steps(self, difference: int | float) -> int:
        """Return the number of steps that a difference of two values consists of.

        Raises:
            InputError: the values are words, or the difference is not a multiple of the step.
        """
        if self.choices:
            raise InputError(
                "words cannot be added or subtracted",
                value=difference,
                limit=self.choices,
                remedy=f"write one of the values {', '.join(self.choices)}",
            )
        steps = decimal(difference) / self.step
        if steps != steps.to_integral_value():
            raise InputError(
                f"{difference} must be a multiple of {self.step}",
                value=difference,
                limit=str(self.step),
            )
        return int(steps)


WHOLE = Scale()
"""Scale of a number with the values of its own positions: whole numbers with a step of 1."""
