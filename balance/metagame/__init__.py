"""Metagame: equilibrium, cyclicity and exploitability of decks and agents that play each other."""
