"""Parsing of JSON from untrusted sources, with limits and one-line errors."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from sim.errors import InputError
from sim.files.limits import check_json_text


def parse_json(text: str, *, only_numbers: bool = False) -> Any:
    """Parse a JSON text.

    Args:
        text: the JSON text.
        only_numbers: whether to refuse `NaN` and `Infinity`, which Python accepts although they
            are not part of JSON.

    Raises:
        InputError: the text is not valid JSON (the message names the line and column), or exceeds
            the limits of `sim.files.limits`.
    """
    check_json_text(text)
    try:
        return json.loads(text, parse_constant=_refuse_constant if only_numbers else None)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        place = f"{line}column {error.colno}"
        raise InputError(f"not valid JSON: {error.msg}", place=place) from None
    except (ValueError, RecursionError) as error:  # such as a number with thousands of digits
        raise InputError(f"not valid JSON: {error}") from None


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
