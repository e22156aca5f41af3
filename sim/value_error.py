"""The error for an invalid value, and values as messages show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sim.errors import InputError, cut

_SHOWN_LENGTH = 60  # characters of a value in a message, to fit on a line with the problem
_SHOWN_LENGTH_MIN = 10  # characters of a value inside deeply nested lists and tables
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


def shown_value(value: object, most: int = _SHOWN_LENGTH) -> str:
    """Return a value in the notation of TOML, for messages, cut to `most` characters.

    Quotes and brackets of a cut value are closed.
    """
    if isinstance(value, bool):
        return str(value).lower()
    inside = max(most - len("[, ...]"), _SHOWN_LENGTH_MIN)
    if isinstance(value, list | tuple):
        return _shown_items((shown_value(item, inside) for item in value), "[", "]", most)
    if isinstance(value, Mapping):
        items = (f"{key} = {shown_value(item, inside)}" for key, item in value.items())
        return _shown_items(items, "{", "}", most)
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS_MAX:
        return cut(hex(value), most)
    text = repr(value)
    is_quoted = text[:1] in ("'", '"') and len(text) > most
    return cut(text, most - 1) + text[-1] if is_quoted else cut(text, most)


def _shown_items(items: Iterable[str], left: str, right: str, most: int) -> str:
    """Return items in brackets; items beyond `most` characters are replaced by `...`."""
    shown: list[str] = []
    for item in items:
        shown.append(item)
        if len(", ".join(shown)) + 2 > most:
            while shown and len(", ".join([*shown, "..."])) + 2 > most:
                shown.pop()
            return f"{left}{', '.join([*shown, '...'])}{right}"
    return f"{left}{', '.join(shown)}{right}"
