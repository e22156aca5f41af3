"""Decks: search for strong ones, attacks on a metagame, outliers, and substitute cards."""
