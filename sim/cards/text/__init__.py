"""Cards in plain words, composed from their rows and from the phrases of the words in them."""
