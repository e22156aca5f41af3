"""Nonsense arguments of public functions: what each of them has to refuse, and what it may take."""
