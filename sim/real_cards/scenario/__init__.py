"""Scenarios: a position, some actions and what must hold afterwards, as one line of data.

They pin what rules do, and know nothing of how the engine does it. `docs/conformance.md` has the
format of the files.
"""
