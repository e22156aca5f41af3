"""Experiments of Big Two: their files, and the commands that run them."""
