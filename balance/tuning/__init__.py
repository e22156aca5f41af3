"""Tuning of the turn search's weights on games: two methods, their games, and the final test."""
