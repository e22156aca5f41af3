"""The contest of card games: its search space, its names, power of cards, and pilots to check."""
