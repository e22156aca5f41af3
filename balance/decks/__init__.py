"""Search for strong decks, attacks on a metagame, outlier cards, and substitute cards."""
