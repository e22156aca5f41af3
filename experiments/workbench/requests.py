"""Requests: what the page may ask to be done, and what it must say."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from experiments.workbench.actions import Constrain, Edit, Lock, Note, Revert
from experiments.workbench.desk import Desk
from experiments.workbench.refused import Refused
from sim import InputError, StrictModel, known_word, validate

Deed = Callable[[Desk], int]
"""Does what was asked; returns the session's revision."""


class Nothing(StrictModel):
    """Nothing besides."""


class Chosen(StrictModel):
    """One of the suggestions, by its number."""

    suggestion: int


_ACTIONS = {"edit": Edit, "revert": Revert, "lock": Lock, "constraints": Constrain, "note": Note}
_APPLY = "apply"
_PLAIN: dict[str, Deed] = {
    "undo": Desk.undo,
    "redo": Desk.redo,
    "suggest": Desk.suggest,
    "certify": Desk.certify,
    "save": Desk.save,
    "cancel": Desk.cancel,
}


def asked(name: str, body: bytes) -> Deed:
    """What a request asks for.

    Raises:
        Refused: there is no such thing to ask, or it is asked wrongly; names the place.
    """
    known_word("request", name, [*_ACTIONS, *_PLAIN, _APPLY])
    data = _object(body)
    if name in _ACTIONS:
        if "do" in data:
            raise Refused(f"{name}: unknown key 'do'")
        action = _validated(_ACTIONS[name], data, name)
        return lambda desk: desk.act(action)
    if name == _APPLY:
        chosen = _validated(Chosen, data, name).suggestion
        return lambda desk: desk.apply(chosen)
    _validated(Nothing, data, name)
    return _PLAIN[name]


def _validated(model: Any, data: dict[str, Any], name: str) -> Any:
    try:
        return validate(model, data, source=name)
    except InputError as error:
        raise Refused(error, _place(name, data, str(error))) from None


def _place(name: str, data: dict[str, Any], problem: str) -> str | None:
    """Where on the page to say so."""
    if name == "constraints":
        named = [key for key in Constrain.model_fields if key in problem and key != "do"]
        return f"constraints.{named[0]}" if named else "constraints"
    card, field = data.get("card"), data.get("field")
    if not isinstance(card, str) or len(card) > 200:
        return None
    return f"{card}.{field}" if isinstance(field, str) and len(field) <= 200 else card


def _object(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refused("the body is no JSON") from None
    if not isinstance(data, dict):
        raise Refused("the body must be an object")
    return data


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)
