"""Deck lists in the formats of other programs: reading by content, and writing."""
