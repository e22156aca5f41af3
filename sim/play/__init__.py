"""Batches of games: cards packed into a table, agents, backends, and what comes out."""
