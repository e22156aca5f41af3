"""Experiments of Big Two: their files, and what commands do with them."""
