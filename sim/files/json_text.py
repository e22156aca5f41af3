"""JSON from outside the program: parsed, or refused in one line."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from sim.errors import InputError
from sim.files.limits import check_json_text


def parse_json(text: str, *, only_numbers: bool = False) -> Any:
    """Return the data of a JSON text.

    Args:
        text: the JSON.
        only_numbers: whether to refuse NaN and the infinities, which Python accepts but JSON lacks.

    Raises:
        InputError: it is not JSON (with the line and column), or too deep or too large (see
            `sim.files.limits`).
    """
    check_json_text(text)
    try:
        return json.loads(text, parse_constant=_refuse_constant if only_numbers else None)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        place = f"{line}column {error.colno}"
        raise InputError(f"not valid JSON: {error.msg}", place=place) from None
    except (ValueError, RecursionError) as error:  # such as a number of thousands of digits
        raise InputError(f"not valid JSON: {error}") from None


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
