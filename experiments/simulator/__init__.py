"""Experiments of games that a function or a program of another author plays."""
