"""Experiments on games that a program or a Python function plays."""
