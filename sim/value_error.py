"""The error for an invalid value, and values as messages show them."""

from __future__ import annotations

from collections.abc import Mapping

from sim.errors import InputError, cut

_SHOWN_LENGTH = 60  # characters of a value in a message, to fit on a line with the problem
# Longer integers are printed in base 16: Python limits decimal digits.
_SHOWN_BITS_MAX = 10_000


def value_error(
    place: str, value: object, problem: str, *, limit: object = None, remedy: str = ""
) -> InputError:
    """Return the error for an invalid value, with the message `PLACE = VALUE PROBLEM; REMEDY`.

    Args:
        place: place of the value, such as a field or an argument.
        value: the value that was given.
        problem: description that continues the value, such as `must be at least 1`.
        limit: the bound that the value exceeds, or the permitted values.
        remedy: the suggested fix; empty if the problem itself implies it.
    """
    return InputError(
        f"{shown_value(value)} {problem}",
        place=place,
        value=value,
        limit=limit,
        remedy=remedy,
        separator=" = ",
    )


def shown_value(value: object) -> str:
    """Return a value in the notation of TOML, for messages, cut to 60 characters."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(shown_value(item) for item in value) + "]"
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(f"{key} = {shown_value(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, int) and value.bit_length() > _SHOWN_BITS_MAX:
        text = hex(value)
    else:
        text = repr(value)
    return cut(text, _SHOWN_LENGTH)
