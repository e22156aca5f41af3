"""A learned value of positions, whose inputs are the numbers and texts of all visible cards."""
