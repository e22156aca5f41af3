"""Short texts of results for `repr`: the properties that matter instead of all numbers."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

_TEXT_MAX = 60  # characters of one property; longer texts say less than the size of the value


def short_repr(shown: object, *names: str, **values: object) -> str:
    """Return a `repr` that shows some properties of an object.

    Args:
        shown: the object.
        *names: names of attributes to show.
        **values: further values to show, by name.
    """
    properties = {name: getattr(shown, name) for name in names} | values
    texts = (f"{name}={_short(value)}" for name, value in properties.items())
    return f"{type(shown).__name__}({', '.join(texts)})"


def _short(value: Any) -> str:
    """Return the text of a value: whole numbers in thousands, arrays and long texts by size."""
    shape = getattr(value, "shape", ())  # of an array; numbers of numpy have an empty one
    if shape:
        return f"array{list(shape)}"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, Real):
        return f"{value:,}" if isinstance(value, Integral) else f"{value:.4g}"
    is_record = hasattr(value, "_fields")  # an interval has a shorter text of its own
    text = str(value) if is_record else repr(value)
    if len(text) <= _TEXT_MAX:
        return text
    is_collection = type(value) in {tuple, list, dict}
    return f"{len(value)} items" if is_collection else f"{type(value).__name__}(...)"
