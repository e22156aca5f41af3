"""Refused calls: their errors' fields, and their messages in one golden file.

    error = refusal_of(load_pool, path)
    assert error.place == "cards.toml: card 'x': cost"
    assert error.value == 12

    with refused() as refusal:
        load_pool(path)
    assert refusal.error.limit == 10

Both compare the rendered message with tests/messages.txt, so no test repeats a message's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from sim import InputError
from tests.messages import check_message


class Refusal:
    """The error that a block raised; read after the block."""

    def __init__(self) -> None:
        self.caught: InputError | None = None

    @property
    def error(self) -> InputError:
        """The error."""
        assert self.caught is not None, "the block has not ended yet"
        return self.caught


@contextmanager
def refused() -> Iterator[Refusal]:
    """Expect an `InputError`; its message is compared with the golden file."""
    refusal = Refusal()
    with pytest.raises(InputError) as caught:
        yield refusal
    refusal.caught = caught.value
    check_message(str(caught.value))


def refusal_of(act: Callable[..., object], *arguments: object, **named: object) -> InputError:
    """Return the error with which a call is refused; its message is a golden of one line."""
    with refused() as refusal:
        act(*arguments, **named)
    assert "\n" not in str(refusal.error)
    return refusal.error
