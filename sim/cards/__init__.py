"""Cards as data: their words and rows, pools, decks, and the files that hold them."""
