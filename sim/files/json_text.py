"""Parsing of JSON from untrusted sources, with limits and one-line errors."""

from __future__ import annotations

import json
import sys
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
        raise InputError(f"not valid JSON ({json_reason(error)})", place=place) from None
    except (ValueError, RecursionError) as error:  # such as a number with thousands of digits
        reason = str(error)
        if reason.startswith("Exceeds the limit"):
            reason = f"a number has more than {sys.get_int_max_str_digits():,} digits"
        raise InputError(f"not valid JSON ({reason})") from None


def json_reason(error: json.JSONDecodeError) -> str:
    """Return the reason of a JSON syntax error for a message, beginning with a small letter."""
    reason = error.msg.removesuffix(" starting at")  # the place of the message names the start
    return f"{reason[:1].lower()}{reason[1:]}"


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not permitted")
