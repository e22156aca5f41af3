"""Weights of the turn search, tuned on games: two methods, their games, the judgement."""
