"""Registry of what code supplies to cards: actions, measures and the pool of real cards.

Cards are data and import no code that plays them. Instead, the package `sim` registers the address
of each supplied object, and the object is loaded when a card first needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_addresses: dict[str, str] = {}  # address of each supplied object, by its name


def supply(**addresses: str) -> None:
    """Register objects by their addresses, `module:name`, without importing their modules."""
    _addresses.update(addresses)


def supplied(name: str) -> Any:
    """Return a registered object; the first call imports its module."""
    module, _, attribute = _addresses[name].partition(":")
    return getattr(import_module(module), attribute)
