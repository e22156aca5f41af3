"""Fields of decks: who would be played, how far that goes in circles, what beats it."""
