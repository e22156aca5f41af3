"""The folder of what can be made again: compiled code, parsed card files."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """The folder above all caches: `EVENHAND_CACHE_DIR`, else one in the user's cache folder."""
    if chosen := os.environ.get("EVENHAND_CACHE_DIR"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "evenhand"
