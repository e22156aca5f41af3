"""Balancing of games that a simulator of another author plays."""
