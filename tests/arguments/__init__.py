"""Nonsense arguments of public functions: the calls that each function has to refuse."""
