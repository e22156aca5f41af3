"""Scenarios: a position, some actions and what must hold afterwards, as one line of JSON.

They specify rules independently of the engine. `docs/conformance.md` describes the files.
"""
