"""Search of a whole own turn: positions of it, their worth, what the enemy may answer."""
