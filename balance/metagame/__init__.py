"""Metagame of decks and agents that play each other: equilibrium, cyclicity, exploitability."""
