"""TOML documents that keep the comments and the order of a file, by the package tomlkit."""

from __future__ import annotations

from types import ModuleType


def load_tomlkit() -> ModuleType:
    """Return the package tomlkit, loaded on first use.

    Loading it takes 60 ms, which commands that only read TOML (by `tomllib`) can do without.
    """
    import tomlkit  # noqa: PLC0415 - slow to load

    return tomlkit
