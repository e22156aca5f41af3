"""Tuning of a turn search's weights by games: two methods, their games, and the final test."""
