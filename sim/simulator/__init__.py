"""Games of other authors: a Python function or a program that plays games on request."""
