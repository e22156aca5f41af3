"""Search spaces: numbers that may move, their ranges, and constraints on whole patches."""
