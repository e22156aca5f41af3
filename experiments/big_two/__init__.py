"""Experiments of Big Two: experiment files, and the commands that run experiments."""
