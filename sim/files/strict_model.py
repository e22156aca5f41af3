"""Frozen, strict data models: what all that is read from files is checked by."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from sim.errors import known_word

NAME_LENGTH_MAX = 80  # longer names do not fit a table


class StrictModel(BaseModel):
    """Base of everything that is read from files.

    Unknown keys, NaN and infinity, numbers in quotes and `true` for 1 are refused; objects are
    frozen. Sequences are tuples, whether they come from a file (lists) or from code.

    Attributes:
        element: what messages call such an object; default the class's name.
    """

    element: ClassVar[str] = ""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        validate_default=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _lists_become_tuples(cls, data: object) -> object:
        return _without_lists(data)


def _without_lists(data: object) -> object:
    if isinstance(data, list | tuple):
        return tuple(_without_lists(item) for item in data)
    if isinstance(data, dict):
        return {key: _without_lists(value) for key, value in data.items()}
    return data


def _is_name(name: str) -> str:
    if not name.strip():
        raise ValueError("must not be blank")
    if name != name.strip() or not name.isprintable():
        raise ValueError("must have no spaces at its ends and no unprintable characters")
    if len(name) > NAME_LENGTH_MAX:
        raise ValueError(f"must have at most {NAME_LENGTH_MAX} characters")
    return name


Name = Annotated[str, AfterValidator(_is_name)]
"""What people read: one printable line of 1 to `NAME_LENGTH_MAX` characters."""


def one_of(what: str, vocabulary: Iterable[str]) -> AfterValidator:
    """Says of a field that it holds a word of a vocabulary, whose words are called `what`."""
    return AfterValidator(lambda word: known_word(what, word, vocabulary))


def in_order_of(what: str, vocabulary: Collection[str]) -> AfterValidator:
    """The same of items, or of the keys of a table; puts them into the vocabulary's order."""

    def ordered(told: Any) -> Any:
        for word in told:
            known_word(what, word, vocabulary)
        words = [word for word in vocabulary if word in told]
        return {word: told[word] for word in words} if isinstance(told, dict) else tuple(words)

    return AfterValidator(ordered)


def content_hash(model: StrictModel) -> str:
    """SHA-256 (64 hex digits) of the data, not of the file: comments and layout do not count.

    The order of a deck's cards does count, because it numbers the slots.
    """
    return hashlib.sha256(model.model_dump_json().encode()).hexdigest()
