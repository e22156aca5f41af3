"""Plain-language texts of cards, composed from effect rows and phrases of the vocabulary."""
