"""A learned value of positions, with the numbers and texts of all visible cards as inputs."""
