"""Weights of the turn search, tuned on games: two methods, the games they ask for, the judgement."""
