"""JSON that comes from outside: parsed, or one line that says why not."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from sim.errors import InputError
from sim.files.limits import check_json_text


def parse_json(text: str, *, only_numbers: bool = False) -> Any:
    """What JSON says.

    Args:
        text: the JSON.
        only_numbers: refuse NaN and the infinities, which Python reads and writes but JSON has not.

    Raises:
        InputError: it is no JSON (with the line and column), or too deep or large (see
            `sim.files.limits`).
    """
    check_json_text(text)
    try:
        return json.loads(text, parse_constant=_refused if only_numbers else None)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"is no JSON ({place}): {error.msg}") from None
    except (ValueError, RecursionError) as error:  # such as a number of thousands of digits
        raise InputError(f"is no JSON: {error}") from None


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
