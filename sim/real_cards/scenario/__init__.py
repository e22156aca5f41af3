"""Scenarios: tests of rules that consist of a position, actions and expectations.

Scenarios specify the rules independently of the engine, one per line of a JSON file.
`docs/conformance.md` describes the files.
"""
