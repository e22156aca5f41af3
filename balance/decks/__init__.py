"""Decks that are found: strong ones, substitutes for cards, and opponents built on purpose."""
