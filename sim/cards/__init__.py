"""Cards as data: their vocabulary and effect rows, pools, decks, and the files that hold them."""
