"""Shortcuts: what the scripted agents choose in plain games, found without listing actions.

A plain game has no texts that could make a difference to them, so each comes down to the rules
of DESIGN section 5. A test holds shortcuts and agents to the same choices, position by position.
"""
