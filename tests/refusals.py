"""What is said of what cannot be done."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sim import InputError


def complaint_of(act: Callable[..., object], *given: object, **more: object) -> str:
    """What the refusal of this call says: one line."""
    with pytest.raises(InputError) as caught:
        act(*given, **more)
    message = str(caught.value)
    assert "\n" not in message
    return message
