"""Balancing runs: their stages, explanations, estimates, and tables of results."""
