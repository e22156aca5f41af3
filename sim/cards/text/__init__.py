"""Cards in plain words, made from their rows and from the phrases of the words in them."""
